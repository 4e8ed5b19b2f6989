"""`/setup`: the settings of the running tournament, its name and zone, facts of people and machines, and each change.

A change is shown with what it does before it is made. The one invariant: what is shown is what is sent, on the version
that was shown.
"""

import asyncio
import json
from typing import Any

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from server.core.rules import TournamentInvalid
from server.core.venue.commands import ChangeHead
from server.core.venue.events import HeadChanged
from server.explaining import Explaining
from server.filing import from_record
from server.previews import Preview, preview
from server.web.api.bodies import Document
from server.web.auth import Person
from server.web.forms import key_of, number, position, text
from server.web.pages.frame import Frame, Notice, new_key, told
from server.web.views.scene import Scene
from server.web.views.setup import (
    MACHINE_FACTS,
    PLAYER_FACTS,
    TEAM_FACTS,
    back_of,
    change_of,
    consequences,
    differences,
    wanted,
)

HREF = "/setup"
CHANGES: TypeAdapter[dict[str, Any]] = TypeAdapter(Document)
SHOWN = 20
LONGEST = 20_000
"""Characters of one change, as the page itself writes it."""
FIELD = 4000
"""Characters of one field."""


def router(frame: Frame, explaining: Explaining) -> APIRouter:
    """The page and its form."""
    routes = APIRouter(include_in_schema=False)

    @routes.get(HREF)
    async def page(request: Request) -> Response:
        person = await frame.need(request, HREF)
        current = frame.venue.look(lambda scene: scene.state.current)
        asked, problem = await _asked(frame, request, person, current)
        return await frame.render(
            request,
            "setup.html",
            title="Setup",
            href=HREF,
            rules=await asyncio.to_thread(explaining.rules, current) if current is not None else None,
            asked=asked,
            problem=problem,
            typed={name: request.query_params.get(name, "")[:FIELD] for name in ("setting", "value", "why", "id")},
            changes=await run_in_threadpool(_changes, frame, current),
            player_facts=PLAYER_FACTS,
            machine_facts=MACHINE_FACTS,
            team_facts=TEAM_FACTS,
            key=new_key(),
            **frame.venue.look(_head),
        )

    @routes.post(HREF)
    async def change(request: Request) -> Response:
        person = await frame.need(request, HREF)
        form = await request.form(max_fields=80, max_files=0)
        tournament = text(form, "tournament", longest=80)
        try:
            changes = CHANGES.validate_json(text(form, "changes", longest=LONGEST))
        except ValidationError:
            return frame.answer(request, person, Notice(text="Nothing was sent.", tone="bad"), back=HREF, status=422)
        why, version = text(form, "why", longest=1000), number(form, "version")
        command = ChangeHead(tournament=tournament, changes=changes, why=why, based_on=version)
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "setup"))
        notice, status = told(outcome, "Changed. It is in the list below, and can be taken back.")
        return frame.answer(request, person, notice, back=HREF, status=status)

    return routes


async def _asked(
    frame: Frame, request: Request, person: Person, current: str | None
) -> tuple[dict[str, Any] | None, str | None]:
    """The change that the address asks for with what it would do, or why there is none to show."""
    query = {name: value[:FIELD] for name, value in list(request.query_params.items())[:20]}
    if current is None:
        return None, None
    if "back" in query:
        changes = await run_in_threadpool(_back, frame, current, query["back"])
    else:
        changes = wanted(query)
    if changes is None:
        return None, "There is no such change." if "back" in query else None
    try:
        CHANGES.validate_python(changes)
    except ValidationError as error:
        return None, str(error.errors()[0]["msg"])
    command = ChangeHead(tournament=current, changes=changes, why=query.get("why") or "a look at what it would do")
    venue = frame.venue
    try:
        found = await asyncio.to_thread(preview, venue.desk.standings, venue.desk.reading, command, person.actor)
    except TournamentInvalid as error:
        return None, f"The log cannot be read with this: {error}"
    if not isinstance(found, Preview):
        return None, found.why
    shown = frame.venue.look(lambda scene: _lines(scene, found))
    sent = json.dumps(changes, ensure_ascii=False)
    return {"changes": sent, "version": found.version, "why": query.get("why", ""), **shown}, None


def _lines(scene: Scene, found: Preview) -> dict[str, Any]:
    lines = consequences(scene.tournament, found.told) if scene.tournament is not None else ()
    return {"differences": differences(found.before, found.after), "lines": lines}


def _back(frame: Frame, tournament: str, typed: str) -> dict[str, Any] | None:
    place = position(typed)
    if place is None:
        return None
    records = frame.venue.store.records_at([place])
    return back_of(from_record(records[0]), tournament) if records else None


def _changes(frame: Frame, tournament: str | None) -> tuple[Any, ...]:
    def ours(event: object) -> bool:
        return isinstance(event, HeadChanged) and event.tournament == tournament

    found, _ = frame.venue.ledger(None, SHOWN, ours)
    return frame.venue.look(lambda scene: tuple(change_of(scene.state, one) for one in found))


def _head(scene: Scene) -> dict[str, Any]:
    tournament = scene.tournament
    if tournament is None:
        return {"tournament": None, "name": "", "timezone": "", "players": (), "machines": (), "teams": ()}
    head = tournament.head
    return {
        "tournament": tournament.id,
        "name": tournament.name,
        "timezone": head.get("timezone") or "",
        "players": tuple((str(one["id"]), one.get("name") or one["id"]) for one in head.get("players") or ()),
        "machines": tuple((str(one["id"]), one.get("name") or one["id"]) for one in head.get("machines") or ()),
        "teams": tuple((str(one["id"]), one.get("name") or one["id"]) for one in head.get("teams") or ()),
    }
