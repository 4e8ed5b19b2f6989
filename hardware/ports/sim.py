"""`sim://KIND?…`: a simulated machine behind the same door as a real one.

Here: the pace. The machines, and what an address may say, are in `hardware.sim`. The machine is switched on when the
port is entered and off when it is left. Invariant: what is yielded depends on the seed alone; only when depends on the
clock.
"""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Self

from hardware.ports.base import Chunk, Closed, Frame, Opened, Port, PortEvent
from hardware.sim import oracle
from hardware.sim.address import PARAMETERS as PARAMETERS  # noqa: PLC0414 - part of this door
from hardware.sim.address import WIRES, parse
from hardware.sim.life import Life
from hardware.sim.speaker import Speaker, open_speaker

if TYPE_CHECKING:
    from hardware.sim.machine import Seen


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """Open the simulated machine that `url` describes.

    Raises PortInvalid naming the parameter and what is allowed.
    """
    address = parse(url)
    life = address.live()
    if address.setting.kind in WIRES:
        return _WirePort(life, open_speaker(address.setting), address.setting.seed, now, url)
    from hardware.sim.machine import Seen  # noqa: PLC0415 -- cameras need numpy and OpenCV, wires do not

    return _CameraPort(life, Seen(life, address.setting.seed, setting=address.setting), now, url)


def corners_of(url: str) -> tuple[tuple[float, float], ...]:
    """The true corners of the display of an address, in pixels: top left and on, clockwise."""
    from hardware.sim.describe import corners_of as told  # noqa: PLC0415 -- as above

    return told(url)


class _Switched(Port):
    """What both kinds share: on when entered, off when left."""

    def __init__(self, life: Life, now: Callable[[], int], url: str) -> None:
        self._life = life
        self._now = now
        self._url = url.partition("?")[0]
        self._born = 0

    async def __aenter__(self) -> Self:
        self._born = self._now()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._life.close()


class _WirePort(_Switched):
    """A machine that talks. Power that goes takes the link with it, as with a board that the machine feeds."""

    def __init__(self, life: Life, speaker: Speaker, seed: int, now: Callable[[], int], url: str) -> None:
        super().__init__(life, now, url)
        self._speaker = speaker
        self._powered = True
        self._chance = random.Random(f"inlane/{seed}/cuts")  # noqa: S311 -- where packets are cut
        self._said: deque[bytes] = deque()
        self._stir = asyncio.Event()

    async def send(self, data: bytes) -> None:
        """The peer's side of the conversation."""
        if self._powered:
            self._said += self._speaker.hear(data, self._life.machine_time(self._now() - self._born))
            self._stir.set()

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        for event in self._plug_in(0):
            yield event
        while True:
            wall = self._now() - self._born
            for happened in self._life.advance(wall):
                for event in self._happen(happened):
                    yield event
            if self._powered:
                self._said += self._speaker.tick(self._life.machine_time(wall))
            while self._said:
                for chunk in self._cut(self._said.popleft()):
                    yield chunk
            try:
                async with asyncio.timeout(self._patience(wall) / 1000):  # wait_for may swallow a cancellation
                    await self._stir.wait()
            except TimeoutError:
                continue
            self._stir.clear()

    def _patience(self, wall: int) -> int:
        """Wall milliseconds until something happens or is repeated."""
        due = self._speaker.deadline() if self._powered else None
        wait = self._life.wait(wall)
        return wait if due is None else max(1, min(wait, round(due / self._life.speed - wall)))

    def _plug_in(self, at: int) -> list[PortEvent]:
        said = [chunk for data in self._speaker.greet(at) for chunk in self._cut(data)]
        return [Opened(at=self._now(), port=self._url), *said]

    def _happen(self, event: oracle.Event) -> list[PortEvent]:
        said = self._speaker.happen(event)
        if event.kind == "power-lost":
            self._powered = False
            self._said.clear()
            return [Closed(at=self._now(), reason="eof", why="the simulated machine lost its power")]
        if event.kind == "power-back":
            self._powered = True
            return self._plug_in(event.at)
        return [chunk for data in said for chunk in self._cut(data)] if self._powered else []

    def _cut(self, data: bytes) -> list[PortEvent]:
        """Chunks as a network brings them: now and then a line comes in two pieces."""
        if len(data) > 1 and self._chance.random() < 0.1:
            at = self._chance.randrange(1, len(data))
            return [Chunk(at=self._now(), data=data[:at]), Chunk(at=self._now(), data=data[at:])]
        return [Chunk(at=self._now(), data=data)] if data else []


class _CameraPort(_Switched):
    def __init__(self, life: Life, seen: "Seen", now: Callable[[], int], url: str) -> None:
        super().__init__(life, now, url)
        self._seen = seen

    async def send(self, data: bytes) -> None:
        """A display hears nothing."""

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        yield Opened(at=self._now(), port=self._url)
        while True:
            wall = self._now() - self._born
            await asyncio.sleep(self._seen.wait(wall) / 1000)
            wall = self._now() - self._born
            image = self._seen.look(wall)
            if image is not None:
                yield Frame(at=self._born + wall, image=image)
