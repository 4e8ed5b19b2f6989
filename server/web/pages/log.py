"""`/log`: the ledger in words, newest first: who, when, what, why. It is read, never written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from server.core.venue.filing import Happened
from server.web.forms import position
from server.web.pages.frame import Frame, Roles
from server.web.streams import Part
from server.web.views.deeds import shown_name, waiting_count
from server.web.views.scene import Scene
from server.web.views.words import GROUPS, describe, group_of
from server.web.views.words import Part as Words

LINES = 60
FILES = (
    ("yaml", "Tournament file"),
    ("players", "Players"),
    ("machines", "Machines"),
    ("games", "Games"),
    ("standings", "Standings"),
)
"""Files of the running tournament to take away, by the API's `format`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One event of the ledger in words."""

    position: int
    at: int
    who: str
    group: str
    parts: tuple[Words, ...]
    why: str | None


def router(frame: Frame) -> APIRouter:
    """The page."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/log")
    async def page(request: Request) -> Response:
        await frame.need(request, "/log")
        group = request.query_params.get("group", "")
        group = group if group in dict(GROUPS) else ""
        before = position(request.query_params.get("before", ""))
        lines, older = await read(frame, group, before)
        live = not group and before is None
        return await frame.render(
            request,
            "log.html",
            title="Log",
            href="/log",
            stream="/live/log" if live else None,
            groups=GROUPS,
            group=group,
            lines=lines,
            older=older,
            before=before,
            files=FILES if frame.venue.look(lambda scene: scene.state.current) is not None else (),
        )

    return routes


async def parts(frame: Frame, _roles: Roles) -> Sequence[Part]:
    """The newest lines."""
    lines, _ = await read(frame, "", None)
    return [
        Part(target="ledger", html=frame.draw("live/log.html", lines=lines)),
        Part(target="waiting", html=frame.draw("live/waiting.html", waiting=frame.venue.look(waiting_count))),
    ]


async def read(frame: Frame, group: str, before: int | None) -> tuple[list[Line], int | None]:
    """A page of the ledger in words, and the position before which to go on."""
    found, older = await run_in_threadpool(
        frame.venue.ledger, before, LINES, lambda event: not group or group_of(event) == group
    )

    def tell(scene: Scene) -> list[Line]:
        return [_line(scene, happened) for happened in found]

    return frame.venue.look(tell), older


def _line(scene: Scene, happened: Happened) -> Line:
    told: Any = describe(scene.state, happened.event)
    return Line(
        position=happened.position,
        at=happened.at,
        who=shown_name(happened.who),
        group=told.group,
        parts=told.parts,
        why=told.why,
    )
