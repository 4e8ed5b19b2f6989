"""Standings over HTTP: every stage with what is open in it, results that wait apart, fields of later stages.

Nothing is computed here. The invariant: what is provisional is shown beside the standings, never in them.
"""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from starlette.responses import Response

from server.consequences import field_shape
from server.core.venue import commands as c
from server.core.venue.codec import encode
from server.core.venue.seeding import field_in
from server.standings import Openness, Result, as_json
from server.web.api import bodies, shapes
from server.web.api.changes import tell
from server.web.api.door import Answer, Door, Key, StrictRoute, Visitor
from server.web.api.tournaments import T

Without = Annotated[str | None, Query(max_length=80)]


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])
    _add_standings(api, door)
    _add_fields(api, door)
    return api


def _add_standings(api: APIRouter, door: Door) -> None:
    @api.get("/tournaments/{t}/standings")
    async def standings(request: Request, t: T) -> Response:
        """All stages, as the rules give them, and the results that wait apart. Public.

        A stage is `official` when it is closed and nothing is `open` in it that may still change it, or when an
        official has said so; while something is open it is `provisional`. Why it is open is told in full to whoever is
        logged in.
        """
        result, names = await door.standings(t), await door.person(request) is not None
        book = door.services.desk.standings
        written, openness = book.written(result), book.openness(result)
        head = {"tournament_id": result.tournament, "version": result.version}
        head["provisional"] = _provisional(door, result.tournament)
        stages = b",".join(
            body + b"," + as_json(_about(openness[name], names=names))[1:] for name, body in written.stages
        )
        start = as_json(head)[:-1] + b',"entry_numbers":' + written.numbers
        return Response(start + b',"stages":[' + stages + b"]," + written.rest[1:], media_type="application/json")

    @api.get("/tournaments/{t}/standings/{stage:path}")
    async def one_stage(request: Request, t: T, stage: str) -> Answer:
        """One stage: ranks, points, ties, who goes on, what is open in it. Public."""
        result, names = await door.standings(t), await door.person(request) is not None
        found = next((s for s in result.outcome.get("stages", []) if s["id"] == stage), None)
        if found is None:
            raise HTTPException(404, f"there is no stage {stage}")
        about = door.services.desk.standings.openness(result)[stage]
        return Answer({**_head(result), **found, **_about(about, names=names)})

    @api.post("/tournaments/{t}/official/{stage:path}")
    async def settle(t: T, stage: str, body: bodies.MustBody, person: Visitor, key: Key = None) -> Answer:
        """A closed stage is official although something is open. Officials."""
        return await door.submit(c.SettleStage(tournament=door.tournament(t), stage=stage, why=body.why), person, key)

    @api.get("/tournaments/{t}/matches")
    async def matches(t: T) -> Answer:
        """Team matches, as the rules give them. Public."""
        result = await door.standings(t)
        return Answer({**_head(result), "matches": result.outcome.get("matches", [])})


def _add_fields(api: APIRouter, door: Door) -> None:
    @api.get("/tournaments/{t}/fields/{stage:path}")
    async def field(t: T, stage: str, _: Visitor, without: Without = None) -> Answer:
        """Who is in a later stage, whom the standings give now, and who would be `next` (`without` somebody more).

        Logged in.
        """
        result = await door.standings(t)
        with door.services.desk.reading() as state:
            gone = [player for where, player in state.withdrawn if where == result.tournament]
        left = [*gone, *([without] if without else [])]
        found = await asyncio.to_thread(field_in, result.page, result.outcome, stage, left)
        if found is None:
            raise HTTPException(404, f"there is no later stage {stage} yet")
        return Answer({**_head(result), **field_shape(found)})

    @api.post("/tournaments/{t}/fields/{stage:path}")
    async def set_field(t: T, stage: str, body: bodies.FieldBody, person: Visitor, key: Key = None) -> Answer:
        """Decide who plays in a stage; without names, those whom the standings give now. Officials."""
        who = {} if body.who is None else {"who": body.who}
        command = c.RecordEntry(
            tournament=door.tournament(t),
            entry={"decision": "field", "stage": stage, **who, "why": body.why},
            based_on=body.based_on,
        )
        return await tell(door, command, person, key)


def _head(result: Result) -> shapes.Shape:
    return {"tournament_id": result.tournament, "version": result.version, "entry_numbers": list(result.numbers)}


_OPEN = {
    "reading": "a reading waits for an official",
    "game": "a game waits for an official",
    "running": "a game is being played",
    "agent": "a machine's agent is not heard",
    "late": "a game began after the close",
}
"""Why something is open, in words for everybody: those of the desk may be what an official wrote."""


def _about(found: Openness, *, names: bool) -> dict[str, Any]:
    why = {} if names else _OPEN
    return {
        "open": [
            {**encode(one), "why": why.get(one.kind, one.why), "since": shapes.when(one.since)} for one in found.open
        ],
        "provisional": bool(found.open),
        "official": found.official,
        "despite": found.despite,
    }


def _provisional(door: Door, tournament: str) -> list[shapes.Shape]:
    """Readings that wait: shown apart, counting for nobody."""
    with door.services.desk.reading() as state:
        waiting = [state.readings[w.removeprefix("reading:")] for w in state.waiting if w.startswith("reading:")]
        return [
            {"machine": r.machine, "who": r.who, "score": r.proposed, "since": shapes.when(r.since), "reading": r.id}
            for r in waiting
            if (game := state.games.get(r.game)) is not None
            and game.place is not None
            and game.place.tournament == tournament
        ]
