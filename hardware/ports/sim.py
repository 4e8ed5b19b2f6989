"""`sim://bcp?…` and `sim://dmd?…`: a simulated machine behind the same door as a real one.

Here: the address's parameters (`PARAMETERS`, described in docs/agent.md) and the pace. The machines are in
`hardware.sim`. The machine is switched on when the port is entered and off when it is left. Invariant: what is yielded
depends on the seed alone; only when depends on the clock.
"""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, urlsplit

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Frame, Opened, Port, PortEvent
from hardware.sim import oracle
from hardware.sim.bcp import Program
from hardware.sim.course import Course
from hardware.sim.life import Life
from hardware.sim.listener import Listener
from hardware.sim.play import CALM, Habits

if TYPE_CHECKING:
    from hardware.sim.machine import Seen

RATES = tuple(field.name for field in fields(Habits) if field.name not in {"fewest", "most", "balls", "scale"})
PARAMETERS = MappingProxyType(
    {
        "seed": "which machine and which games; the same seed plays the same games",
        "speed": "how many times faster than the real thing (0.1 to 1000)",
        "players": "players a game: a number, or from-to as in 1-4",
        "balls": "balls a game",
        "idle": "seconds of attract mode between two games, by the clock on the wall",
        "calm": "1: nothing goes wrong unless its rate is given",
        "start": "file whose content is a number of players: a game begins only when it is there, and it is removed",
        "truth": "file to which the true events are appended, one JSON object a line",
        "fps": "pictures a second (dmd)",
        "width": "of the pictures, in pixels (dmd)",
        "height": "of the pictures, in pixels (dmd)",
        "reflection": "share of the time a heavy reflection hides some of the display (dmd)",
        "noise": "of the camera, 1 is ordinary (dmd)",
        "blur": "of the camera, 1 is ordinary (dmd)",
    }
    | {
        rate: "seconds a ball lives, about" if rate == "ball_seconds" else f"chance of {rate.replace('_', ' ')}, 0 to 1"
        for rate in RATES
        if rate != "idle_seconds"
    }
)


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """Open the simulated machine that `url` describes.

    Raises PortInvalid naming the parameter and what is allowed.
    """
    kind, asked = _parse(url)
    life = _live(asked)
    seed = int(asked.get("seed", 1))
    if kind == "bcp":
        return _BcpPort(life, seed, now, url)
    from hardware.sim.machine import Seen  # noqa: PLC0415 -- cameras need numpy and OpenCV, wires do not

    seen = Seen(
        life,
        seed,
        width=_whole(asked, "width", 640, 160, 1920),
        height=_whole(asked, "height", 360, 90, 1080),
        fps=_number(asked, "fps", 5, 0.2, 60),
        reflection=_number(asked, "reflection", 0.02, 0, 1),
        noise=_number(asked, "noise", 1, 0, 10),
        blur=_number(asked, "blur", 1, 0, 10),
    )
    return _DmdPort(life, seen, now, url)


def corners_of(url: str) -> tuple[tuple[float, float], ...]:
    """The true corners of the display of a `sim://dmd` address, in pixels: top left and on, clockwise."""
    from hardware.sim.lens import Lens  # noqa: PLC0415 -- as above

    _, asked = _parse(url)
    width, height = _whole(asked, "width", 640, 160, 1920), _whole(asked, "height", 360, 90, 1080)
    return Lens(int(asked.get("seed", 1)), width=width, height=height).corners


class _Switched:
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


class _BcpPort(_Switched):
    def __init__(self, life: Life, seed: int, now: Callable[[], int], url: str) -> None:
        super().__init__(life, now, url)
        self._program = Program()
        self._listener: Listener | None = None
        self._chance = random.Random(f"inlane/{seed}/cuts")  # noqa: S311 -- where packets are cut
        self._heard: deque[bytes] = deque()
        self._stir = asyncio.Event()

    async def send(self, data: bytes) -> None:
        """The peer's side of the conversation."""
        if self._listener:
            self._heard.append(self._listener.hear(data))
            self._stir.set()

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        self._listener = Listener(self._program)
        yield Opened(at=self._now(), port=self._url)
        yield Chunk(at=self._now(), data=self._listener.greet())
        while True:
            wall = self._now() - self._born
            for event in self._life.advance(wall):
                for yielded in self._happen(event):
                    yield yielded
            while self._heard:
                for chunk in self._cut(self._heard.popleft()):
                    yield chunk
            try:
                async with asyncio.timeout(self._life.wait(wall) / 1000):  # wait_for may swallow a cancellation
                    await self._stir.wait()
            except TimeoutError:
                continue
            self._stir.clear()

    def _happen(self, event: oracle.Event) -> list[PortEvent]:
        said = self._program.happen(event)
        if event.kind == "power-lost":
            self._listener = None
            self._heard.clear()
            return [Closed(at=self._now(), reason="eof", why="the simulated machine lost its power")]
        if event.kind == "power-back":
            self._listener = Listener(self._program)
            return [Opened(at=self._now(), port=self._url), *self._cut(self._listener.greet())]
        return list(self._cut(self._listener.tell(said))) if self._listener else []

    def _cut(self, data: bytes) -> list[PortEvent]:
        """Chunks as a network brings them: now and then a line comes in two pieces."""
        if len(data) > 1 and self._chance.random() < 0.1:
            at = self._chance.randrange(1, len(data))
            return [Chunk(at=self._now(), data=data[:at]), Chunk(at=self._now(), data=data[at:])]
        return [Chunk(at=self._now(), data=data)] if data else []


class _DmdPort(_Switched):
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


def _parse(url: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(url)
    if parts.netloc not in {"bcp", "dmd"} or parts.path not in {"", "/"}:
        raise PortInvalid(f"{url!r}: there are two simulated machines: sim://bcp and sim://dmd")
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in asked:
        if name not in PARAMETERS:
            raise PortInvalid(f"{url!r}: a simulated machine has no {name!r}; it has: {', '.join(PARAMETERS)}")
    _whole(asked, "seed", 1, 0, 2**31 - 1)
    return parts.netloc, asked


def _live(asked: dict[str, str]) -> Life:
    speed = _number(asked, "speed", 1, 0.1, 1000)
    fewest, _, most = asked.get("players", "1-4").partition("-")
    span = {"players from": fewest, "players to": most or fewest}
    calm = _whole(asked, "calm", 0, 0, 1)
    rates: dict[str, Any] = {
        name: _number(asked, name, getattr(CALM if calm else Habits(), name), 0, 600 if name == "ball_seconds" else 1)
        for name in RATES
        if name != "idle_seconds"
    }
    habits = replace(
        Habits(),
        fewest=_whole(span, "players from", 1, 1, 8),
        most=_whole(span, "players to", 4, int(fewest) if fewest.isdecimal() else 1, 8),
        balls=_whole(asked, "balls", 3, 1, 10),
        idle_seconds=_number(asked, "idle", 20, 0, 86_400) * speed,
        **rates,
    )
    truth = Path(asked["truth"]) if asked.get("truth") else None
    start = Path(asked["start"]) if asked.get("start") else None
    if truth and not truth.parent.is_dir():
        raise PortInvalid(f"sim://: the truth file cannot be used: there is no folder {truth.parent}")
    try:
        before = oracle.read(truth) if truth else []
        course = Course(habits, int(asked.get("seed", 1)), first=1 + _last(before), waits=start is not None)
        return Life(course, speed=speed, start=start, truth=truth)
    except (OSError, ValueError) as error:
        raise PortInvalid(f"the truth file cannot be used: {error}") from None


def _last(events: list[oracle.Event]) -> int:
    return max((event.game for event in events), default=0)


def _number(asked: dict[str, str], name: str, otherwise: float, least: float, most: float) -> float:
    try:
        value = float(asked.get(name, otherwise))
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise PortInvalid(f"sim://: {name} is a number from {least:g} to {most:g}, not {asked.get(name)!r}")
    return value


def _whole(asked: dict[str, str], name: str, otherwise: int, least: int, most: int) -> int:
    text = asked.get(name, str(otherwise))
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most):
        raise PortInvalid(f"sim://: {name} is a whole number from {least} to {most}, not {text!r}")
    return int(text)
