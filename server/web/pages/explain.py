"""`/explain`: the standings with their rules; `/explain/{player}`: why each number of a player or team is what it is;
`/explain?match=`: the same of a match of teams.

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
from server.web.views.team_matches import members_of, weeks_of

HREF = "/explain"
LONGEST = 80
"""Characters of a player's id."""


def router(frame: Frame, explaining: Explaining) -> APIRouter:
    """The two pages."""
    routes = APIRouter(include_in_schema=False)

    @routes.get(HREF)
    async def standings(request: Request) -> Response:
        match = request.query_params.get("match", "")
        if match:
            return await _match(frame, explaining, request, match)
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
            matches=frame.venue.look(lambda scene: weeks_of(scene, outcome)),
            rules=rules,
        )

    @routes.get(HREF + "/{player:path}")
    async def explained(request: Request, player: str) -> Response:
        person = await frame.person(request)
        found = await _explained(frame, explaining, names=person is not None, who=player)
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
            members=frame.venue.look(lambda scene: members_of(scene, player)),
            rules=await _rules(frame, explaining),
        )

    return routes


async def _match(frame: Frame, explaining: Explaining, request: Request, match: str) -> Response:
    """Why one match of teams came out as it did."""
    person = await frame.person(request)
    found = await _explained(frame, explaining, names=person is not None, match=match)
    if found is None:
        return await _nobody(frame, request, "match")
    name = f"Match {match}"
    groups = groups_of(found.lines)
    shown: dict[str, Any] = {"name": name, "who": name, "groups": groups, "members": (), "rules": None}
    return await frame.render(request, "explain.html", title=name, href=HREF, **shown)


async def _explained(frame: Frame, explaining: Explaining, *, names: bool, **what: str) -> Explained | None:
    current = _current(frame)
    if current is None or any(len(value) > LONGEST for value in what.values()):
        return None
    try:
        return await asyncio.to_thread(explaining.about, current, names=names, **what)
    except NotThere:
        return None


async def _rules(frame: Frame, explaining: Explaining) -> Rules | None:
    current = _current(frame)
    return None if current is None else await asyncio.to_thread(explaining.rules, current)


def _current(frame: Frame) -> str | None:
    with frame.venue.desk.reading() as state:
        return state.current


async def _nobody(frame: Frame, request: Request, what: str = "player") -> Response:
    context: dict[str, Any] = {
        "heading": f"There is no such {what}",
        "text": f"No {what} of the running tournament has this number. Choose from the standings.",
        "ways": ({"href": HREF, "word": "To the standings"},),
    }
    return await frame.render(request, "error.html", title=f"No such {what}", href=HREF, status=404, **context)
