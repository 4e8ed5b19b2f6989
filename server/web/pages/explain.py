"""`/explain`: the standings with their rules, and `/explain/{player}`: why each of a player's numbers is what it is.

Open to everybody. What officials noted, and who they are, is shown to those who are logged in.
"""

import asyncio
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.core.explain.explanations import NotThere
from server.explaining import Explained, Explaining, Rules
from server.web.pages.frame import Frame
from server.web.views.explain import groups_of, player_name, stages_of

HREF = "/explain"
LONGEST = 80
"""Characters of a player's id."""


def router(frame: Frame, explaining: Explaining) -> APIRouter:
    """The two pages."""
    routes = APIRouter(include_in_schema=False)

    @routes.get(HREF)
    async def standings(request: Request) -> Response:
        outcome = await frame.venue.standings()
        rules = await _rules(frame, explaining)
        stages = frame.venue.look(lambda scene: stages_of(scene, outcome))
        return await frame.render(
            request,
            "standings.html",
            title="Standings",
            href=HREF,
            tournament=frame.venue.look(lambda scene: scene.tournament.name if scene.tournament is not None else None),
            stages=stages,
            rules=rules,
        )

    @routes.get(HREF + "/{player:path}")
    async def explained(request: Request, player: str) -> Response:
        person = await frame.person(request)
        found = await _explained(frame, explaining, player, names=person is not None)
        if found is None:
            return await _nobody(frame, request)
        name = frame.venue.look(lambda scene: player_name(scene, player))
        return await frame.render(
            request,
            "explain.html",
            title=name,
            href=HREF,
            name=name,
            who=player,
            groups=groups_of(found.lines),
            rules=await _rules(frame, explaining),
        )

    return routes


async def _explained(frame: Frame, explaining: Explaining, player: str, *, names: bool) -> Explained | None:
    current = _current(frame)
    if current is None or len(player) > LONGEST:
        return None
    try:
        return await asyncio.to_thread(explaining.about, current, who=player, names=names)
    except NotThere:
        return None


async def _rules(frame: Frame, explaining: Explaining) -> Rules | None:
    current = _current(frame)
    return None if current is None else await asyncio.to_thread(explaining.rules, current)


def _current(frame: Frame) -> str | None:
    with frame.venue.desk.reading() as state:
        return state.current


async def _nobody(frame: Frame, request: Request) -> Response:
    context: dict[str, Any] = {
        "heading": "There is no such player",
        "text": "Nobody in the running tournament has this number. Choose from the standings.",
        "ways": ({"href": HREF, "word": "To the standings"},),
    }
    return await frame.render(request, "error.html", title="No such player", href=HREF, status=404, **context)
