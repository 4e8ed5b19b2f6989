"""`/malfunction/{id}` and `/kept/{game}`: a malfunction with what was kept; freezing; announcing a power cycle.

A page only asks; what a reader answers to a freeze is waited for a moment and told. The one invariant: what is shown as
the rule books' class is a suggestion, and no button here changes a score.
"""

import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.core.venue import commands as c
from server.core.venue.decide import may
from server.core.venue.outcomes import Done
from server.observers import freeze_id
from server.web.forms import key_of, number, text
from server.web.pages.frame import Frame, Notice, local, new_key, told
from server.web.views.kept import RULINGS, case, kept_of
from server.web.views.names import machine_name
from server.web.views.scene import Scene

ANSWER_S = 5.0
"""How long an agent's answer to a freeze is waited for."""
MINUTES = 5
"""For how long a power cycle is announced where nothing else is said."""


def router(frame: Frame) -> APIRouter:
    """The pages and what their forms ask."""
    routes = APIRouter(include_in_schema=False)
    _looking(routes, frame)
    _freezing(routes, frame)
    _announcing(routes, frame)
    return routes


def _looking(routes: APIRouter, frame: Frame) -> None:
    @routes.get("/malfunction/{malfunction}")
    async def one(request: Request, malfunction: str) -> Response:
        person = await frame.need(request, "/desk")

        def look(scene: Scene) -> dict[str, Any] | None:
            found = scene.state.malfunctions.get(malfunction)
            if found is None:
                return None
            game = scene.state.games.get(found.game) if found.game else None
            return {"case": case(scene, found), "kept": kept_of(scene, game) if game is not None else ()}

        shown = frame.venue.look(look)
        if shown is None:
            return await _nothing(frame, request, "malfunction")
        rights: dict[str, Any] = {
            "may_close": may(person.actor, c.CloseMalfunction),
            "may_review": may(person.actor, c.MatchGame),
            "key": new_key(),
            "rulings": RULINGS,
        }
        return await frame.render(request, "malfunction.html", title="Malfunction", href="/desk", **shown, **rights)

    @routes.get("/kept/{game}")
    async def kept(request: Request, game: str) -> Response:
        await frame.need(request, "/desk")

        def look(scene: Scene) -> dict[str, Any] | None:
            found = scene.state.games.get(game)
            if found is None:
                return None
            return {"machine": machine_name(scene.state, found.machine), "kept": kept_of(scene, found)}

        shown = frame.venue.look(look)
        if shown is None:
            return await _nothing(frame, request, "game")
        return await frame.render(request, "kept.html", title="What was kept", href="/desk", **shown)


def _freezing(routes: APIRouter, frame: Frame) -> None:
    @routes.post("/desk/freeze/{machine}")
    async def freeze(request: Request, machine: str) -> Response:
        person = await frame.need(request, "/desk")
        form = await request.form(max_fields=10, max_files=0)
        back = local(text(form, "back", longest=300), "/desk")
        with frame.venue.desk.hub.viewing() as viewer:
            command = c.Freeze(machine=machine, why=text(form, "why") or None)
            outcome = await frame.venue.submit(command, person.actor, key_of(form, "freeze", machine))
            if not isinstance(outcome, Done):
                notice, status = told(outcome, "")
                return frame.answer(request, person, notice, back=back, status=status)
            end, wanted = time.monotonic() + ANSWER_S, freeze_id(outcome.position)
            while time.monotonic() < end and not viewer.closed:
                await viewer.woken(max(0.01, end - time.monotonic()))
                for live in viewer.passing():
                    if live.kind == "agent.reply" and live.subject.get("command") == wanted:
                        return frame.answer(request, person, _answered(frame, machine, live.subject), back=back)
        return frame.answer(request, person, _silent(frame, machine, outcome.position), back=back)


def _announcing(routes: APIRouter, frame: Frame) -> None:
    @routes.post("/desk/power")
    async def power(request: Request) -> Response:
        person = await frame.need(request, "/desk")
        form = await request.form(max_fields=10, max_files=0)
        minutes = 0 if text(form, "do") == "end" else number(form, "minutes")
        machine = text(form, "machine", longest=80)
        back = local(text(form, "back", longest=300), "/machines")
        command = c.PlanPowerCycle(
            machines=(machine,) if machine else (),
            minutes=MINUTES if minutes is None else minutes,
            why=text(form, "why") or None,
        )
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "power"))
        where = frame.venue.look(lambda scene: machine_name(scene.state, machine)) if machine else "all machines"
        done = (
            f"Power cycle of {where} announced for {command.minutes} min: what follows from it raises no alarm."
            if command.minutes
            else f"Power cycle of {where} is over: faults are alarms again."
        )
        notice, status = told(outcome, done)
        return frame.answer(request, person, notice, back=back, status=status)


def _answered(frame: Frame, machine: str, said: Mapping[str, Any]) -> Notice:
    def look(scene: Scene) -> Notice:
        found = scene.state.machines[machine]
        more = _kept_at(found.game or found.last_game) if said["ok"] else None
        text = f"{machine_name(scene.state, machine)}: {said['detail']}."
        return Notice(text=text, tone="good" if said["ok"] else "warn", more=more)

    return frame.venue.look(look)


def _kept_at(game: str | None) -> tuple[str, str] | None:
    return (f"/kept/{game}", "What was kept") if game else None


def _silent(frame: Frame, machine: str, position: int) -> Notice:
    """No answer came: perhaps the fact did, else what the desk knows."""

    def look(scene: Scene) -> Notice:
        found = scene.state.machines[machine]
        game = scene.state.games.get(found.game or found.last_game or "")
        if game is not None and any(place > position for place, _ in game.frozen_facts):
            scores = ", ".join(f"{score.score:,}" for score in game.frozen[-1].scores if score.score is not None)
            return Notice(text=f"{found.name}: scores kept: {scores or 'none yet'}.", more=_kept_at(game.id))
        text = f"{found.name}: {found.agent} has not answered within {ANSWER_S:.0f} s. Take a photo of the scores."
        return Notice(text=text, tone="bad")

    return frame.venue.look(look)


async def _nothing(frame: Frame, request: Request, what: str) -> Response:
    return await frame.render(
        request,
        "error.html",
        title=f"No such {what}",
        href="/desk",
        status=404,
        heading=f"There is no such {what}",
        text="It may belong to another database. Go back to the desk.",
        ways=({"href": "/desk", "word": "To the desk"},),
    )
