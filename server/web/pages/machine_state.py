"""The form on `/machines` that takes a machine down, brings it up, closes, disables or replaces it.

Only an entry of the log is made of it: the rules say what follows. The one invariant: what a preset does not know is
not offered.
"""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.entries import KINDS
from server.web.forms import FieldInvalid, key_of, text
from server.web.pages.asked import asked
from server.web.pages.frame import Frame, Roles, new_key, told
from server.web.views.names import machine_name
from server.web.views.scene import Scene

HREF = "/machines/state"
WORDS = {
    "down": "is down for now",
    "up": "is up again",
    "closed": "is closed",
    "disabled": "is disabled for good",
    "replaced": "is replaced by another machine",
}
SCORES = {
    "": "as the rules say",
    "stand": "stand",
    "void": "are void",
    "rescale": "count on the other machine, times the factor",
}


def router(frame: Frame) -> APIRouter:
    """The form's address."""
    routes = APIRouter(include_in_schema=False)

    @routes.post(HREF)
    async def change(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, "/machines", fields=20)
        machine, status = text(form, "machine", longest=80), text(form, "status", longest=20)
        if machine not in tournament.machines or status not in WORDS:
            raise FieldInvalid("Choose the machine, and what it is now.")
        entry: dict[str, Any] = {"machine": machine, "status": status}
        entry |= {name: value for name in ("with", "scores", "factor", "why") if (value := text(form, name))}
        command = c.RecordEntry(tournament=tournament.id, entry=entry)
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "machine"))
        name = frame.venue.look(lambda scene: machine_name(scene.state, machine))
        notice, code = told(outcome, f"{name} {WORDS[status]}.")
        return frame.answer(request, person, notice, back="/machines", status=code)

    return routes


def context(scene: Scene, roles: Roles) -> dict[str, Any]:
    """What the form offers; nothing to whoever may not record it, or where no tournament runs."""
    tournament = scene.tournament
    if tournament is None or not roles & KINDS["machine"]:
        return {"states": ()}
    preset = rules.PRESETS[str(tournament.head["preset"])]
    machines = tuple((one, machine_name(scene.state, one)) for one in tournament.machines)
    rescales = "replaced" in preset.machine_states
    return {
        "states": tuple((state, words) for state, words in WORDS.items() if state in preset.machine_states),
        "state_machines": machines,
        "state_scores": tuple(one for one in SCORES.items() if one[0] != "rescale" or rescales),
        "rescales": rescales,
        "replaces": bool(preset.machine_states & {"disabled", "replaced"}),
        "state_key": new_key(),
    }
