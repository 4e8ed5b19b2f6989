"""`/board`: what the audience sees, open to everybody. It shows what counts, and says what does not count yet."""

import re
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.web.pages.frame import Frame, Roles
from server.web.streams import Part
from server.web.views.board import board
from server.web.views.clocks import clocks
from server.web.views.coming import coming
from server.web.views.rounds import stages
from server.web.views.scene import Scene
from server.web.views.wall import Tile, tiles

SECONDS = 12
"""Until the next page of the standings is turned; `?seconds=` changes it for one screen."""
CLOCKS = 4
"""Clocks shown at the head: the announced closing, machines that are down, calls."""
LINES = 10
"""Lines on one page of the side list: a machine's name and each of its players is one."""


def router(frame: Frame) -> APIRouter:
    """The board's page."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/board")
    async def page(request: Request) -> Response:
        wanted = request.query_params.get("seconds", "")
        seconds = int(wanted) if re.fullmatch("[1-9][0-9]{0,2}", wanted) else SECONDS
        shown = {"seconds": seconds, **await context(frame)}
        return await frame.render(
            request, "board.html", title="Board", href="/board", stream="/live/board", always=True, **shown
        )

    return routes


async def parts(frame: Frame, _roles: Roles) -> Sequence[Part]:
    """The board's live parts."""
    shown = await context(frame)
    return [
        Part(target="scores", html=frame.draw("live/scores.html", **shown)),
        Part(target="playing", html=frame.draw("live/playing.html", **shown)),
        Part(target="standings", html=frame.draw("live/board.html", **shown)),
    ]


async def context(frame: Frame) -> dict[str, Any]:
    """What the board's templates need."""
    standings = await frame.venue.standings()

    def view(scene: Scene) -> dict[str, Any]:
        found: dict[str, Any] = {"board": board(scene, standings), "playing": sheets(tiles(scene))}
        found["coming"] = coming(stages(scene, standings, {})) if standings is not None else ()
        return found | {"clocks": clocks(scene, standings)[:CLOCKS]}

    return frame.venue.look(view)


def sheets(wall: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
    """The machines that somebody plays on or is called to, in pages of about `LINES` lines."""
    found: list[tuple[Tile, ...]] = []
    page: list[Tile] = []
    lines = 0
    for tile in wall:
        if not any(slot.name is not None for slot in tile.slots):
            continue
        needed = 1 + len(tile.slots)
        if page and lines + needed > LINES:
            found.append(tuple(page))
            page, lines = [], 0
        page.append(tile)
        lines += needed
    return (*found, tuple(page)) if page else tuple(found)
