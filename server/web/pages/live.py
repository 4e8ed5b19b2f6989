"""The streams of the pages, `/live/{page}`. What is drawn for a role at one moment is drawn once for all viewers."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from server.web.pages.frame import Frame
from server.web.roles import DOORS, may_open
from server.web.streams import Drawn, LiveResponse, Part, follow

FRESH = 2.0
"""Seconds that a drawing stays good while nothing is said: words like `12 min` and `silent` change with time alone."""

Roles = frozenset[str]
Drawer = Callable[[Frame, Roles], Awaitable[Sequence[Part]]]


@dataclass(slots=True)
class _Kept:
    stamp: object
    until: float
    drawn: Drawn


@dataclass(slots=True)
class Drawings:
    """The newest drawing of each page for each set of roles. In the event loop only."""

    frame: Frame
    drawers: Mapping[str, Drawer]
    _kept: dict[tuple[str, Roles], _Kept] = field(default_factory=dict)
    _turns: dict[tuple[str, Roles], asyncio.Lock] = field(default_factory=dict)

    async def draw(self, page: str, roles: Roles) -> Drawn:
        """The page's parts as of now."""
        key = (page, roles)
        async with self._turns.setdefault(key, asyncio.Lock()):
            stamp = self._stamp()
            kept = self._kept.get(key)
            if kept is not None and kept.stamp == stamp and time.monotonic() < kept.until:
                return kept.drawn
            parts = await self.drawers[page](self.frame, roles)
            drawn = Drawn(position=stamp[0], at=self.frame.time_words(), parts=parts)
            self._kept[key] = _Kept(stamp=stamp, until=time.monotonic() + FRESH, drawn=drawn)
            return drawn

    def _stamp(self) -> tuple[int, int]:
        desk = self.frame.venue.desk
        return (desk.hub.position, desk.hub.revision)


def router(frame: Frame, drawers: Mapping[str, Drawer]) -> APIRouter:
    """The streams of these pages."""
    routes = APIRouter(include_in_schema=False)
    drawings = Drawings(frame, drawers)

    @routes.get("/live/{page}")
    async def live(request: Request, page: str) -> Response:
        """One page's stream; whoever may open the page may follow it."""
        door = next((door for door in DOORS if door.href == f"/{page}"), None)
        if door is None or page not in drawers:
            return PlainTextResponse("There is no such stream.", status_code=404)
        person = await frame.person(request)
        roles = person.roles if person is not None else frozenset[str]()
        if not may_open(door, roles):
            return PlainTextResponse("Log in to follow this page.", status_code=403 if person else 401)
        return LiveResponse(follow(frame.venue.desk.hub, lambda: drawings.draw(page, roles)))

    return routes
