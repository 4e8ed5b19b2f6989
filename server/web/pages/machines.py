"""`/machines`: each machine with its reader, each agent with its health; freezing, and announcing a power cycle."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.core.venue import commands as c
from server.core.venue.decide import may
from server.core.venue.outcomes import Actor
from server.web.pages import machine_state
from server.web.pages.frame import Frame, Roles
from server.web.streams import Part
from server.web.views.deeds import waiting_count
from server.web.views.scene import Scene, copied
from server.web.views.wall import agents, tiles

TROUBLES = 20


def router(frame: Frame) -> APIRouter:
    """The page."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/machines")
    async def page(request: Request) -> Response:
        person = await frame.need(request, "/machines")
        shown = frame.venue.look(
            lambda scene: context(scene, person.roles) | machine_state.context(scene, person.roles)
        )
        return await frame.render(
            request, "machines.html", title="Machines", href="/machines", stream="/live/machines", **shown
        )

    return routes


async def parts(frame: Frame, roles: Roles) -> Sequence[Part]:
    """The live parts."""
    shown = frame.venue.look(lambda scene: context(scene, roles))
    return [
        Part(target="machines", html=frame.draw("live/machines.html", **shown)),
        Part(target="agents", html=frame.draw("live/agents.html", **shown)),
        Part(target="waiting", html=frame.draw("live/waiting.html", waiting=frame.venue.look(waiting_count))),
    ]


def context(scene: Scene, roles: Roles) -> dict[str, Any]:
    """What the templates need."""
    troubles = copied(scene.state.troubles)[-TROUBLES:]
    actor = Actor(name="", roles=roles)
    return {
        "tiles": tiles(scene),
        "agents": agents(scene),
        "troubles": tuple(reversed(troubles)),
        "may_freeze": may(actor, c.Freeze),
        "may_plan": may(actor, c.PlanPowerCycle),
    }
