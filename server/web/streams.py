"""A page's stream: its parts as HTML, sent again where they have changed, and a beat that says the page is fresh.

A message's id is the ledger position whose state it shows. A stream ends by itself before a minute is over and the
page opens the next at once: a viewer that is gone is let go, and each new stream asks again who may look.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from fastapi.sse import format_sse_event
from markupsafe import Markup
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.live import Hub

BEAT = 2.5
"""Seconds between beats; live.js calls a page stale after nine without one."""
LIFE = 40.0
"""Seconds after which a stream ends, give or take a quarter so that viewers do not come back all at once."""
PATIENCE = 15.0
"""Seconds that a viewer may take to read a message before it is let go."""
PAUSE = 0.1
"""Seconds at least between two drawings for one viewer: the first change is sent at once, a burst is drawn once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One region of a page, drawn: the element with the id `target` is replaced by `html`.

    `mark`, where given, tells a change in place of the HTML; `covers` are the ids of parts drawn inside this one.
    """

    target: str
    html: str
    mark: object = None
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A page's parts as of a ledger position; `at` is the venue's time in words."""

    position: int
    at: str
    parts: Sequence[Part]


Draw = Callable[[], Awaitable[Drawn]]


async def follow(hub: Hub, draw: Draw) -> AsyncGenerator[bytes]:
    """The events of one viewer's stream, until its life is over or the server stops."""
    loop = asyncio.get_running_loop()
    end = loop.time() + LIFE * random.uniform(0.75, 1.25)  # noqa: S311 - spreads viewers, guards nothing
    seen: dict[str, object] = {}
    with hub.viewing() as viewer:
        while not viewer.closed and loop.time() < end:
            began = loop.time()
            viewer.passing()
            drawn = await draw()
            changed = _changed(drawn.parts, seen)
            if changed:
                yield format_sse_event(data_str=partials(changed), id=str(drawn.position))
            yield format_sse_event(event="beat", data_str=drawn.at)
            await asyncio.sleep(max(0.0, PAUSE - (loop.time() - began)) if changed and seen else 0)
            await viewer.woken(BEAT)


def partials(parts: Sequence[Part]) -> str:
    """The parts as one message: htmx puts each in its place and keeps what a person is typing."""
    pattern = Markup('<hx-partial hx-target="#{}" hx-swap="outerMorph">{}</hx-partial>')
    return "\n".join(pattern.format(part.target, Markup(part.html)) for part in parts)  # noqa: S704 - drawn by us


def _changed(parts: Sequence[Part], seen: dict[str, object]) -> list[Part]:
    """The parts that this viewer has not got; what is drawn inside one of them is not sent twice."""
    found: list[Part] = []
    covered: set[str] = set()
    for part in parts:
        mark = part.html if part.mark is None else part.mark
        if seen.get(part.target) != mark:
            seen[part.target] = mark
            if part.target not in covered:
                found.append(part)
                covered.update(part.covers)
    return found


class LiveResponse(Response):
    """Sends a stream and lets go of a viewer that does not read."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        self._events = events
        del self.headers["content-length"]

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the viewer leaves, does not read, or the events end."""
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            ended, _ = await asyncio.gather(sending, leaving, return_exceptions=True)
            await self._events.aclose()
        if isinstance(ended, Exception) and not isinstance(ended, TimeoutError | OSError):
            raise ended

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for event in self._events:
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
