"""The door of the API: who asks, what they may ask, and how answers and refusals look.

Errors are `{"error": text}`; 401 says log in, 403 says another role is needed, 409 carries the newer state of things.
The invariant: a command's own check of roles (`server.core.venue.decide`) is never the only one for reading.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.responses import JSONResponse, Response

from server.core.venue.commands import Command
from server.core.venue.outcomes import Conflict, Done, Outcome, Refused
from server.core.venue.times import moment
from server.services import Services
from server.standings import Result, as_json
from server.web.auth import Gate, Person
from server.web.roles import OFFICIALS, STAFF

_STATUS = {"refused": 422, "invalid": 422, "forbidden": 403, "missing": 404}

T = TypeVar("T")
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=100)]


class Answer(JSONResponse):
    """JSON in plain ASCII: whatever the ledger holds can be sent, and every number is exact."""

    def render(self, content: Any) -> bytes:  # noqa: ANN401 - JSON
        """The bytes."""
        return as_json(content)


class StrictRoute(APIRoute):
    """A route that refuses query values it does not know: a mistyped filter must not look like an answer."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind the check."""
        handler = super().get_route_handler()
        known = {field.alias for field in self.dependant.query_params}
        reads_json = self.body_field is not None  # who sends a file is looked at before it is read

        async def checked(request: Request) -> Response:
            for name in request.query_params:
                if name not in known:
                    allowed = f"; there are {', '.join(sorted(known))}" if known else ""
                    problem = {"loc": ("query", name), "msg": f"unknown{allowed}", "type": "unknown"}
                    raise RequestValidationError([problem])
            if reads_json and "json" in request.headers.get("content-type", "").lower():
                _check_names(await request.body())
            return await handler(request)

        return checked


_WHOLE_FILES = 2**21
"""Larger than any command: what is larger is a file, and its reader looks for such names itself."""


def _check_names(body: bytes) -> None:
    """Refuse a name that is there twice: of a player who is in a game twice, one score would be lost unseen."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, value in pairs:
            if name in found:
                raise RequestValidationError([{"loc": ("body", name[:80]), "msg": "is there twice", "type": "twice"}])
            found[name] = value
        return found

    if len(body) > _WHOLE_FILES:
        return
    with contextlib.suppress(ValueError, RecursionError):  # what is no JSON is refused where it is read
        json.loads(body, object_pairs_hook=once)


class Door:
    """What every route needs: the services, who asks, and the way commands go in."""

    def __init__(self, services: Services, gate: Gate) -> None:
        self.services, self.gate = services, gate

    async def person(self, request: Request) -> Person | None:
        """Who asks, or None."""
        return await self.gate.person(request)

    async def submit(self, command: Command, person: Person, key: str | None) -> Answer:
        """Submit a command and answer with what came of it."""
        return answer(await self.outcome(command, person, key))

    async def outcome(self, command: Command, person: Person, key: str | None) -> Outcome:
        """Submit a command and say what came of it."""
        return await asyncio.wrap_future(self.services.desk.submitted(command, person.actor, key))

    async def standings(self, name: str) -> Result:
        """The standings of a tournament now; 404 where there is none. Waits in a thread only for the rules."""
        found = await self.result(self.tournament(name))
        if found is None:
            raise HTTPException(404, f"there is no tournament {name}")
        return found

    async def result(self, tournament: str) -> Result | None:
        """The same by the tournament's id; None where there is none."""
        book = self.services.desk.standings
        return book.ready(tournament) or await asyncio.to_thread(book.of, tournament)

    async def asked(self, what: str, ask: Callable[[], T | None]) -> T:
        """Ask the rules something in a thread; 404 where there is no such thing."""
        found = await asyncio.to_thread(ask)
        if found is None:
            raise HTTPException(404, f"there is no {what}")
        return found

    def tournament(self, name: str) -> str:
        """The tournament's id; `current` is the running one. 404 where there is none."""
        with self.services.desk.reading() as state:
            found = state.current if name == "current" else name
            if found is None or found not in state.tournaments:
                raise HTTPException(404, "no tournament is running" if name == "current" else f"no tournament {name}")
            return found


async def _visitor(request: Request) -> Person:
    person: Person | None = await request.app.state.gate.person(request)
    if person is None:
        raise HTTPException(401, "log in first", headers={"www-authenticate": "Session"})
    return person


async def _staff(person: Annotated[Person, Depends(_visitor)]) -> Person:
    if not person.roles & STAFF:
        raise HTTPException(403, f"this needs the role {' or '.join(sorted(STAFF))}")
    return person


async def _official(person: Annotated[Person, Depends(_visitor)]) -> Person:
    if not person.roles & OFFICIALS:
        raise HTTPException(403, f"this needs the role {' or '.join(sorted(OFFICIALS))}")
    return person


Visitor = Annotated[Person, Depends(_visitor)]
"""Somebody who is logged in, in whatever role; 401 for anybody else."""
Staff = Annotated[Person, Depends(_staff)]
"""Somebody of the staff; 403 for a captain or viewer."""
Official = Annotated[Person, Depends(_official)]
"""An official or admin; 403 for anybody else."""


def answer(outcome: Outcome, **beside: object) -> Answer:
    """An outcome as a response; `beside` is told with what was done."""
    match outcome:
        case Done():
            body = {"position": outcome.position, "result": dict(outcome.result), "again": outcome.again, **beside}
            return Answer(body)
        case Refused():
            return Answer({"error": outcome.why}, status_code=_STATUS[outcome.status])
        case Conflict():
            newer = {
                key: moment(value) if key == "at" and type(value) is int else value
                for key, value in outcome.newer.items()
            }
            return Answer({"error": outcome.why, "newer": newer}, status_code=409)
