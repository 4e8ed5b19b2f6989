"""`/rounds`: what is to be played and against which clock: ties, groups, schedules; put on machines, called, closed.

Every form asks by a command and the core decides. The one invariant: a game is put on a machine with the place where
it counts, so that what an agent captures needs no further word.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from server.core.venue import commands as c
from server.core.venue.decide import OFFICIALS, may
from server.core.venue.entries import KINDS
from server.core.venue.outcomes import Actor, Done
from server.core.venue.state import Tournament
from server.core.venue.values import Place
from server.web.auth import Person
from server.web.forms import FieldInvalid, key_of, lines, number, text
from server.web.named import named_games, named_groups
from server.web.pages.asked import asked, recorded
from server.web.pages.frame import Frame, Notice, Roles, new_key, told
from server.web.streams import Part
from server.web.views.clocks import CALL, clocks
from server.web.views.names import listed, machine_name, person_name, stage_name
from server.web.views.posting import postings
from server.web.views.rounds import choices, stages
from server.web.views.scene import Scene

HREF = "/rounds"
MOST_PLAYERS = 16
LONGEST_POST = 40_000
"""Characters of groups or pairings in one form."""


def router(frame: Frame) -> APIRouter:
    """The page and what its forms ask."""
    routes = APIRouter(include_in_schema=False)
    _page(routes, frame)
    _playing(routes, frame)
    _choosing(routes, frame)
    _deciding(routes, frame)
    return routes


def _page(routes: APIRouter, frame: Frame) -> None:
    @routes.get(HREF)
    async def page(request: Request) -> Response:
        person = await frame.need(request, HREF)
        shown = {**await _context(frame, person.roles), "key": new_key()}
        shown["games"] = _games(frame, shown)
        return await frame.render(request, "rounds.html", title="Rounds", href=HREF, stream="/live/rounds", **shown)


async def parts(frame: Frame, roles: Roles) -> Sequence[Part]:
    """The page's live parts. Their forms carry no key: page.js gives them the key of the page on which they are put."""
    shown = {**await _context(frame, roles), "key": ""}
    games = _games(frame, shown)
    mark = frame.draw("live/rounds.html", **shown, games={})
    html = frame.draw("live/rounds.html", **shown, games=games)
    return [
        Part(target="clocks", html=frame.draw("live/clocks.html", **shown)),
        Part(target="rounds", html=html, mark=(mark, tuple(games)), covers=tuple(games)),
        *(Part(target=name, html=game) for name, game in games.items()),
    ]


async def _context(frame: Frame, roles: Roles) -> dict[str, Any]:
    """What the templates need for somebody with these roles."""
    outcome, about = await frame.venue.standings_and_openness()

    def view(scene: Scene) -> dict[str, Any]:
        return {
            "tournament": scene.tournament.name if scene.tournament is not None else None,
            "stages": stages(scene, outcome, about) if outcome is not None else (),
            "postings": postings(scene, outcome) if outcome is not None else {},
            "clocks": clocks(scene, outcome),
            "choices": choices(scene),
        }

    return {
        **frame.venue.look(view),
        "may_assign": may(Actor(name="", roles=roles), c.Assign),
        "may_decide": bool(roles & OFFICIALS),
        "may_absent": bool(roles & KINDS["absent"]),
    }


def _games(frame: Frame, shown: Mapping[str, Any]) -> dict[str, Markup]:
    """Each game that is to be played, drawn, by the id of its element."""
    drawn: dict[str, Markup] = {}
    for stage in shown["stages"]:
        for tie, matches in ((True, stage.ties), (False, stage.matches)):
            for match in matches:
                html = frame.draw("live/round_game.html", match=match, tie=tie, **shown)
                drawn[match.key] = Markup(html)  # noqa: S704 - drawn by us
    return drawn


def _playing(routes: APIRouter, frame: Frame) -> None:
    @routes.post(HREF + "/assign")
    async def assign(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, HREF)
        machine, players = text(form, "machine", longest=80), _players(form)
        place = Place(tournament=tournament.id, **_place(form))
        command = c.Assign(machine=machine, place=place, players=players)
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "assign"))
        put = tuple(outcome.result.get("players") or players) if isinstance(outcome, Done) else players
        notice, status = told(outcome, f"{_who(frame, tournament, put)} on {_machine(frame, machine)}.")
        return frame.answer(request, person, notice, back=HREF, status=status)

    @routes.post(HREF + "/call")
    async def call(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, HREF)
        players = _players(form)
        entry = {"decision": CALL, "stage": text(form, "stage", longest=80) or None, "who": list(players)}
        said = (
            f"{_who(frame, tournament, players)} called. The time runs at the top of this page, on the desk and board."
        )
        return await _record(frame, request, person, form, recorded(tournament, form, entry), said)


def _choosing(routes: APIRouter, frame: Frame) -> None:
    @routes.post(HREF + "/choose")
    async def choose(request: Request) -> Response:
        """T11: what a player chose, or what officials decided for his group."""
        person, form, tournament = await asked(frame, request, HREF)
        topic, who = text(form, "topic", longest=20), text(form, "who", longest=80)
        if topic not in {"machine", "order", "decline"}:
            raise FieldInvalid("Choose a machine or a position, or decline.")
        entry: dict[str, Any] = {"decision": topic, "stage": text(form, "stage", longest=80) or None}
        entry |= {"group": text(form, "group", longest=40) or None, "round": number(form, "round")}
        entry |= {"who": [who] if who else None}
        if topic == "machine":
            entry["machine"] = text(form, "machine", longest=80) or None
        elif topic == "order":
            entry |= {"position": number(form, "position")} if who else {"who": list(_players(form))}
        return await _record(frame, request, person, form, recorded(tournament, form, entry), "Chosen.")

    @routes.post(HREF + "/draw")
    async def draw(request: Request) -> Response:
        """Draw a machine among those that are up, and keep on record what was drawn for whom."""
        person, form, tournament = await asked(frame, request, HREF)
        if frame.venue.look(lambda scene: f"{person.name}:{key_of(form, 'decision')}" in scene.state.deeds):
            notice = Notice(text="That was drawn already: it is in the log.", tone="warn")
            return frame.answer(request, person, notice, back=HREF)
        stage = text(form, "stage", longest=80)
        up = frame.venue.look(lambda scene: _drawable(tournament, choices(scene).machines, stage))
        if not up:
            notice = Notice(text="No machine is up that could be drawn.", tone="bad")
            return frame.answer(request, person, notice, back=HREF, status=409)
        players, machine = _players(form), secrets.choice(up)
        entry = {"decision": "machine-drawn", "stage": stage or None, "who": list(players), "machine": machine}
        entry |= {"why": f"drawn by lot among {len(up)}"}
        said = f"Drawn for {_who(frame, tournament, players)}: {_machine(frame, machine)}."
        return await _record(frame, request, person, form, recorded(tournament, form, entry), said)


def _deciding(routes: APIRouter, frame: Frame) -> None:
    @routes.post(HREF + "/close")
    async def close(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, HREF)
        stage = text(form, "stage", longest=80)
        entry = {"close": stage, "qualifiers": number(form, "qualifiers")}
        said = f"{stage_name(stage)} is closed."
        command = recorded(tournament, form, entry, despite_open=text(form, "despite_open") == "yes")
        return await _record(frame, request, person, form, command, said)

    @routes.post(HREF + "/post")
    async def post(request: Request) -> Response:
        """T7.3, U4.2, E3.9: the groups of a stage or the games of a round, as officials have them."""
        person, form, tournament = await asked(frame, request, HREF)
        topic, typed = text(form, "topic", longest=20), lines(form, "lines", longest=LONGEST_POST)
        stage = text(form, "stage", longest=80)
        if topic not in {"groups", "pairings"}:
            raise FieldInvalid("Choose whether groups or pairings are posted.")
        entry: dict[str, Any] = {"decision": topic, "stage": stage or None}
        if topic == "groups":
            entry["groups"] = named_groups(tournament, typed)
            said = f"The groups of {stage_name(stage)} are posted."
        else:
            machines = frame.venue.look(lambda scene: _names(scene, tournament))
            entry |= {"round": number(form, "round"), "games": named_games(tournament, machines, typed)}
            said = f"Round {entry['round']} of {stage_name(stage)} is posted."
        return await _record(frame, request, person, form, recorded(tournament, form, entry), said)

    @routes.post(HREF + "/absent")
    async def absent(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, HREF)
        who, stage, why = text(form, "who", longest=80), text(form, "stage", longest=80), text(form, "why")
        if stage:
            entry = {"absent": who, "stage": stage, "why": why or None}
            said = f"{_who(frame, tournament, (who,))} is absent."
            return await _record(frame, request, person, form, recorded(tournament, form, entry), said)
        command = c.Withdraw(tournament=tournament.id, player=who, why=why or "absent")
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "withdraw"))
        notice, status = told(outcome, f"{_who(frame, tournament, (who,))} plays no more.")
        return frame.answer(request, person, notice, back=HREF, status=status)


async def _record(
    frame: Frame, request: Request, person: Person, form: FormData, command: c.RecordEntry, said: str
) -> Response:
    outcome = await frame.venue.submit(command, person.actor, key_of(form, next(iter(command.entry))))
    notice, status = told(outcome, said)
    return frame.answer(request, person, notice, back=HREF, status=status)


def _players(form: FormData) -> tuple[str, ...]:
    return tuple(part for part in text(form, "players", longest=2000).split(",") if part)[: MOST_PLAYERS + 1]


def _place(form: FormData) -> dict[str, Any]:
    """The fields of the place that a form carries: stage, group, match of teams and its game, round, tie-break."""
    tie = text(form, "tiebreak", longest=80)
    found: dict[str, Any] = {name: text(form, name, longest=80) or None for name in _NAMED}
    return {**found, "round": number(form, "round"), "tiebreak": True if tie == "true" else tie or False}


_NAMED = ("stage", "group", "match", "slot")


def _drawable(tournament: Tournament, up: tuple[tuple[str, str], ...], stage: str) -> list[str]:
    """The machines that serve the stage's division, or any."""
    division = stage.split("/", maxsplit=1)[0] if "/" in stage else None
    rows = {str(row["id"]): row.get("division") for row in tournament.head.get("machines") or ()}
    return [name for name, _ in up if division is None or rows.get(name) in {None, division}]


def _names(scene: Scene, tournament: Tournament) -> dict[str, str]:
    return {machine: machine_name(scene.state, machine) for machine in tournament.machines}


def _who(frame: Frame, tournament: Tournament, players: tuple[str, ...]) -> str:
    return frame.venue.look(lambda scene: listed(person_name(scene.state, tournament.id, who) for who in players))


def _machine(frame: Frame, machine: str) -> str:
    return frame.venue.look(lambda scene: machine_name(scene.state, machine))
