"""A page's stream: what changed is sent once, bursts are drawn once, gone viewers are let go, none holds up others."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.live import Hub, Notice
from server.web import streams
from server.web.streams import Drawn, LiveResponse, Part, follow


class Painter:
    """Draws two parts; counts how often."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.drawn = 0
        self.parts = {"one": "<p id=one>1</p>", "two": "<p id=two>2</p>"}

    async def draw(self) -> Drawn:
        self.drawn += 1
        parts = [Part(target=target, html=html) for target, html in self.parts.items()]
        return Drawn(position=self.hub.position, at="19:04:05", parts=parts)

    def change(self, position: int, target: str, html: str) -> None:
        self.parts[target] = html
        self.hub.publish([Notice(position=position, kind="game.ended", at=0)])


async def message(events: AsyncIterator[bytes]) -> str:
    """The next event that is no beat."""
    async with asyncio.timeout(20):
        async for event in events:
            if not event.startswith(b"event: beat"):
                return event.decode()
    raise AssertionError("the stream ended")


async def test_a_viewer_gets_everything_first_and_then_only_what_changed():
    hub = Hub()
    painter = Painter(hub)
    events = follow(hub, painter.draw)
    first = await message(events)
    assert 'hx-target="#one"' in first
    assert 'hx-target="#two"' in first
    painter.change(7, "two", "<p id=two>3</p>")
    second = await message(events)
    assert 'hx-target="#one"' not in second
    assert "<p id=two>3</p>" in second
    assert "id: 7\n" in second
    await events.aclose()
    assert hub.viewers == 0


async def test_beats_say_that_the_page_is_fresh(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "BEAT", 0.01)
    hub = Hub()
    events = follow(hub, Painter(hub).draw)
    await message(events)
    for _ in range(3):
        async with asyncio.timeout(20):
            assert await anext(events) == b"event: beat\ndata: 19:04:05\n\n"
    await events.aclose()


async def test_a_burst_of_events_is_drawn_a_few_times_only():
    hub = Hub()
    painter = Painter(hub)
    events = follow(hub, painter.draw)
    await message(events)
    before = painter.drawn
    for position in range(1, 200):
        painter.change(position, "one", f"<p id=one>{position}</p>")
    assert "199" in await message(events)
    assert painter.drawn - before <= 3
    await events.aclose()


async def test_a_stream_ends_by_itself_and_lets_its_viewer_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "LIFE", 0.05)
    monkeypatch.setattr(streams, "BEAT", 0.01)
    hub = Hub()
    async with asyncio.timeout(20):
        async for _ in follow(hub, Painter(hub).draw):
            pass
    assert hub.viewers == 0


async def test_a_stream_ends_when_the_server_stops():
    hub = Hub()
    events = follow(hub, Painter(hub).draw)
    await message(events)
    hub.close()
    async with asyncio.timeout(20):
        async for _ in events:
            pass


async def test_what_is_drawn_inside_another_part_is_not_sent_twice():
    hub = Hub()
    inner = Part(target="m-1", html="<li id=m-1></li>")
    outer = Part(target="wall", html="<ul id=wall><li id=m-1></li></ul>", mark=("m-1",), covers=("m-1",))

    async def draw() -> Drawn:
        return Drawn(position=1, at="", parts=[outer, inner])

    events = follow(hub, draw)
    first = await message(events)
    assert first.count("<hx-partial") == 1
    await events.aclose()


async def test_a_viewer_that_does_not_read_is_let_go_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "PATIENCE", 0.05)
    hub = Hub()
    painter = Painter(hub)
    never = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await never.wait()
        return {}

    async def stuck(message: Any) -> None:  # noqa: ANN401 - an ASGI message
        if message["type"] == "http.response.body":
            await never.wait()

    other = follow(hub, painter.draw)
    await message(other)
    async with asyncio.timeout(20):
        await LiveResponse(follow(hub, painter.draw))({"type": "http"}, receive, stuck)
    assert hub.viewers == 1
    painter.change(1, "one", "<p id=one>new</p>")
    assert "new" in await message(other)
    await other.aclose()


async def test_a_viewer_that_leaves_is_let_go_at_once():
    hub = Hub()
    painter = Painter(hub)
    begun = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await begun.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:  # noqa: ANN401 - an ASGI message
        if message["type"] == "http.response.body":
            begun.set()

    async with asyncio.timeout(20):
        await LiveResponse(follow(hub, painter.draw))({"type": "http"}, receive, send)
    assert hub.viewers == 0


async def test_an_error_while_drawing_is_not_hidden():
    hub = Hub()

    async def draw() -> Drawn:
        raise RuntimeError("a template is broken")

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    async def send(_: Any) -> None:  # noqa: ANN401 - an ASGI message
        pass

    with pytest.raises(RuntimeError, match="a template is broken"):
        async with asyncio.timeout(20):
            await LiveResponse(follow(hub, draw))({"type": "http"}, receive, send)
    assert hub.viewers == 0
