"""`/desk`: the wall of machines, alarms, who plays where, what was done last and how to take it back.

Every form here works by keyboard, by touch, and without script. Decisions are the core's: a page only asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from server.core.venue import commands as c
from server.core.venue.decide import may
from server.core.venue.outcomes import Actor
from server.core.venue.values import Json, Place
from server.web.forms import key_of, number, text
from server.web.pages.frame import Frame, Notice, Roles, new_key, told
from server.web.roles import doors_for
from server.web.streams import Part
from server.web.views.assign import Panel, panel
from server.web.views.board import results
from server.web.views.clocks import clocks
from server.web.views.deeds import alarms, deeds, notes, waiting_count
from server.web.views.names import listed, machine_name, person_name
from server.web.views.review import games_waiting, queue, readings_waiting
from server.web.views.scene import Scene
from server.web.views.wall import tiles

MOST_PLAYERS = 16
NOTES = 5
"""Notes shown under the alarms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """What the desk's buttons may do for these roles."""

    may_assign: bool
    may_review: bool
    may_undo: bool

    @classmethod
    def of(cls, roles: Roles) -> "Rights":
        """The rights of these roles, by the core's own table."""
        actor = Actor(name="", roles=roles)
        return cls(
            may_assign=may(actor, c.Assign), may_review=may(actor, c.MatchGame), may_undo=may(actor, c.RestoreEntry)
        )


def context(scene: Scene, rights: Rights, outcome: Json | None) -> dict[str, Any]:
    """What the templates of the desk need; `outcome` is the rules' output."""
    waiting = queue(scene)
    return {
        "clocks": clocks(scene, outcome),
        "tiles": tiles(scene),
        "alarms": alarms(scene),
        "notes": notes(scene)[:NOTES],
        "readings": len(readings_waiting(scene)),
        "strays": [item for item in waiting if item.id in set(games_waiting(scene))],
        "oldest": min((item.since for item in waiting), default=None),
        "results": results(scene, 8),
        "deeds": deeds(scene),
        "waiting": waiting_count(scene),
        "may_assign": rights.may_assign,
        "may_review": rights.may_review,
        "may_undo": rights.may_undo,
    }


async def parts(frame: Frame, roles: Roles) -> Sequence[Part]:
    """The desk's live parts."""
    rights = Rights.of(roles)
    outcome = await frame.venue.outcome_soon()
    shown = frame.venue.look(lambda scene: context(scene, rights, outcome))
    found: list[Part] = []
    each = [
        Part(target=f"m-{tile.id}", html=frame.draw("live/tile.html", tile=tile, may_assign=rights.may_assign))
        for tile in shown["tiles"]
    ]
    if each:
        ids = tuple(part.target for part in each)
        html = f'<ul class="wall" id="wall">{"".join(part.html for part in each)}</ul>'
        found.append(Part(target="wall", html=html, mark=ids, covers=ids))
    found += each
    for target, template in (
        ("alarms", "live/alarms.html"),
        ("to-review", "live/queue_count.html"),
        ("clocks", "live/clocks.html"),
        ("results", "live/results.html"),
        ("deeds", "live/deeds.html"),
        ("waiting", "live/waiting.html"),
    ):
        found.append(Part(target=target, html=frame.draw(template, **shown)))
    return found


def router(frame: Frame) -> APIRouter:
    """The desk's page and what its forms ask."""
    routes = APIRouter(include_in_schema=False)
    _page(routes, frame)
    _assigning(routes, frame)
    _taking_back(routes, frame)
    return routes


def _page(routes: APIRouter, frame: Frame) -> None:
    @routes.get("/desk")
    async def desk(request: Request) -> Response:
        person = await frame.need(request, "/desk")
        rights = Rights.of(person.roles)
        outcome = await frame.venue.outcome_soon()
        shown = frame.venue.look(lambda scene: context(scene, rights, outcome))
        machine = request.query_params.get("machine")
        opened = _panel(frame, request, machine) if machine and rights.may_assign else None
        return await frame.render(
            request, "desk.html", title="Desk", href="/desk", stream="/live/desk", panel=opened, **shown
        )


def _assigning(routes: APIRouter, frame: Frame) -> None:
    @routes.get("/desk/assign/{machine}")
    async def open_panel(request: Request, machine: str) -> Response:
        await frame.need(request, "/desk")
        found = _panel(frame, request, machine)
        if found is None:
            notice = Notice(text="There is no such machine any more.", tone="warn")
            return HTMLResponse(frame.draw("notice.html", notice=notice), status_code=404)
        return HTMLResponse(frame.draw("assign.html", panel=found, static_panel=False))

    @routes.get("/desk/players/{machine}")
    async def search(request: Request, machine: str) -> Response:
        await frame.need(request, "/desk")
        found = _panel(frame, request, machine)
        return HTMLResponse("" if found is None else frame.draw("found.html", panel=found))

    @routes.post("/desk/assign/{machine}")
    async def assign(request: Request, machine: str) -> Response:
        person = await frame.need(request, "/desk")
        form = await request.form(max_fields=80, max_files=0)
        players = tuple(part for part in text(form, "players", longest=2000).split(",") if part)[: MOST_PLAYERS + 1]
        current = frame.venue.look(lambda scene: scene.state.current)
        if current is None:
            notice = Notice(text="No tournament is running, so nobody can be assigned.", tone="bad")
            return frame.answer(request, person, notice, back="/desk", status=409)
        command = c.Assign(
            machine=machine, place=Place(tournament=current), players=players, based_on=number(form, "version")
        )
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "assign", machine))
        names = frame.venue.look(lambda scene: _names(scene, machine, players))
        notice, status = told(outcome, names)
        if status == 200 and any(door.href == "/scorekeeper" for door in doors_for(person.roles)):
            notice = frame.venue.look(lambda scene: _by_hand(scene, machine, notice))
        return frame.answer(request, person, notice, back="/desk", status=status)

    @routes.post("/desk/unassign/{machine}")
    async def unassign(request: Request, machine: str) -> Response:
        person = await frame.need(request, "/desk")
        form = await request.form(max_fields=80, max_files=0)
        command = c.Unassign(machine=machine, why=text(form, "why") or None, based_on=number(form, "version"))
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "unassign", machine))
        notice, status = told(outcome, "Taken off.")
        return frame.answer(request, person, notice, back="/desk", status=status)


def _taking_back(routes: APIRouter, frame: Frame) -> None:
    @routes.post("/desk/alarms/{malfunction}")
    async def alarm(request: Request, malfunction: str) -> Response:
        person = await frame.need(request, "/desk")
        form = await request.form(max_fields=80, max_files=0)
        command: c.Command
        if text(form, "do") == "close":
            command = c.CloseMalfunction(malfunction=malfunction, why=text(form, "why") or "closed at the desk")
            said = "Alarm closed."
        else:
            command, said = c.AcknowledgeMalfunction(malfunction=malfunction), "Seen."
        notice, status = told(await frame.venue.submit(command, person.actor, None), said)
        return frame.answer(request, person, notice, back="/desk", status=status)

    @routes.post("/desk/undo/{entry}")
    async def undo(request: Request, entry: int) -> Response:
        person = await frame.need(request, "/desk")
        form = await request.form(max_fields=80, max_files=0)
        tournament = text(form, "tournament", longest=80)
        restoring = text(form, "do") == "restore"
        why = text(form, "why") or f"{'restored' if restoring else 'undone'} from the list of last actions"
        kind = c.RestoreEntry if restoring else c.UndoEntry
        command = kind(tournament=tournament, number=entry, why=why)
        key = f"{'restore' if restoring else 'undo'}-{tournament}-{entry}-{number(form, 'state')}"
        outcome = await frame.venue.submit(command, person.actor, key)
        notice, status = told(outcome, f"Entry {entry} {'counts again' if restoring else 'is undone'}.")
        back = "/review" if "review" in request.headers.get("referer", "") else "/desk"
        return frame.answer(request, person, notice, back=back, status=status)


def _panel(frame: Frame, request: Request, machine: str) -> Panel | None:
    query = request.query_params.get("q", "")[:100]
    chosen = tuple(part for part in request.query_params.get("chosen", "")[:2000].split(",") if part)[:MOST_PLAYERS]
    key = new_key()
    return frame.venue.look(lambda scene: panel(scene, machine, query=query, chosen=chosen, key=key))


def _by_hand(scene: Scene, machine: str, notice: Notice) -> Notice:
    """The way on to the scorekeeper's page, where the machine has no reader."""
    if scene.state.machines[machine].agent is not None:
        return notice
    return replace(notice, more=(f"/scorekeeper/{quote(machine, safe='')}", "Play it by hand"))


def _names(scene: Scene, machine: str, players: tuple[str, ...]) -> str:
    tournament = scene.state.current
    who = listed(person_name(scene.state, tournament, player) for player in players)
    return f"{who} on {machine_name(scene.state, machine)}."
