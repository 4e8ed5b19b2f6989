"""One source of a machine: port → capture, supervised, for as long as the agent runs.

Here: opening the port, feeding the capture, and starting both anew after a crash; another source of the same machine
never notices. Not here: what is done with what capture says (`station`). Invariant: a capture is touched by one task
at a time, and while pictures are read (`busy`) by nobody.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from bridge.realign import realign
from bridge.witness import Witness
from capture.dialects import Setup
from capture.pair_sensor import Sensor
from capture.pipeline import Capture, Corners
from capture.signals import Picture, Signal
from hardware.ports.base import Closed, Frame, Opened, Port, PortEvent
from hardware.profile import MachineProfile

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
Asked = Callable[[Capture], list[Signal]]
"""What is wanted done with the capture."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """How a machine is heard or seen."""

    name: str = "the machine"
    """Among the sources of one machine."""
    profile: MachineProfile
    open_port: Callable[[], Port]
    setup: Setup | None = None
    sensor: bool = False
    """Switches on the machine: they follow no game."""
    corners: Corners | None = None
    size: tuple[int, int] | None = None
    """Of the pictures that the corners belong to."""
    keep_corners: Callable[[Corners, tuple[int, int]], None] | None = None
    """Remembers corners that `recalibrate` moved, in pictures of that size; None: it may not move them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ear:
    """What a reader calls. `due`: when it wants to be called again though nothing happens, in milliseconds."""

    begin: Callable[[], Awaitable[None]]
    take: Callable[[Capture | Sensor, list[Signal]], Awaitable[None]]
    fail: Callable[[str], Awaitable[None]]
    due: Callable[[], int | None]


class Reader:
    """Follows one source and hands what its capture says to an `Ear`."""

    def __init__(
        self, machine: str, source: Source, witness: Witness, ear: Ear, *, pictures: Witness, now: Callable[[], int]
    ) -> None:
        """`witness` remembers what is heard, `pictures` what is seen."""
        self.source = source
        self.corners, self.size = source.corners, source.size
        self.frame: Frame | None = None
        """The newest picture."""
        self.why = ""
        """Why the port is closed."""
        self.busy = asyncio.Lock()
        self._machine = machine
        self._witness = witness
        self._pictures = pictures
        self._ear = ear
        self._now = now
        self._capture: Capture | Sensor | None = None
        self._asked: asyncio.Queue[tuple[Asked, asyncio.Future[list[Signal]]]] = asyncio.Queue(64)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            begun = self._now()
            try:
                await self._work(stop)
            except Exception as error:  # noqa: BLE001 -- the one supervised loop: whatever it is, it is said
                if self._now() - begun > LONGEST_PAUSE * 1000:
                    pause = FIRST_PAUSE
                why = f"{type(error).__name__}: {error}".splitlines()[0]
                _log.error("%s: capture failed: %s; it starts anew in %.0f s", self._machine, why, pause)
                _log.debug("%s", self._machine, exc_info=True)
                self._capture, self.why = None, why
                await self._ear.fail(why)
                await _wait(stop.wait(), pause)
                pause = min(LONGEST_PAUSE, pause * 2)
            else:
                await _wait(stop.wait(), FIRST_PAUSE)

    async def ask(self, what: Asked) -> list[Signal]:
        """Have the task that owns the capture do something with it. Raises asyncio.QueueFull."""
        return await self.put(what)

    def put(self, what: Asked) -> asyncio.Future[list[Signal]]:
        """The same, without waiting for it. Raises asyncio.QueueFull."""
        answer: asyncio.Future[list[Signal]] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait((what, answer))
        return answer

    async def recalibrate(self) -> str:
        """Look anew where the display is; one line of what was found, empty where no picture came. Raises as `ask`."""
        frame, source = self.frame, self.source
        if frame is None:
            return ""
        corners, told = await asyncio.to_thread(
            realign, source.profile, frame.image, self.corners, may_move=source.keep_corners is not None
        )

        def refit(capture: Capture) -> list[Signal]:
            capture.refit(corners)
            return []

        await self.ask(refit)
        if corners is not None and corners != self.corners and source.keep_corners is not None:
            self.corners, self.size = corners, _size_of(frame)
            await asyncio.to_thread(source.keep_corners, corners, self.size)
        _log.info("%s: recalibrated: %s", self._machine, told)
        return told

    def picture(self, numbers: tuple[int, ...]) -> Picture | None:
        """The evidence of now; to be called by who holds `busy`."""
        return self._capture.picture(numbers) if isinstance(self._capture, Capture) else None

    async def _work(self, stop: asyncio.Event) -> None:
        """One run of the port: to the end of a recording, to a crash, or until `stop`."""
        source = self.source
        if source.sensor:
            capture: Capture | Sensor = Sensor(source.profile, setup=source.setup)
        else:
            capture = Capture(source.profile, corners=self.corners, setup=source.setup)
        await self._ear.begin()
        self._capture = capture
        async with source.open_port() as port, aclosing(aiter(port)) as events:  # type: ignore[type-var]
            await self._follow(capture, port, events, stop)
        await self._ear.take(capture, capture.feed(Closed(at=self._now(), reason="stopped", why="the agent stops")))

    async def _follow(
        self, capture: Capture | Sensor, port: Port, events: AsyncIterator[PortEvent], stop: asyncio.Event
    ) -> None:
        stopped = asyncio.create_task(stop.wait())
        coming: asyncio.Task[PortEvent] = asyncio.ensure_future(anext(events))
        asking = asyncio.create_task(self._asked.get())
        patience = self._patience(capture)
        try:
            while not stopped.done():
                tasks = {stopped, coming, asking}
                await asyncio.wait(tasks, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    try:
                        event = coming.result()
                    except StopAsyncIteration:
                        return
                    await self._hear(capture, event)
                    coming = asyncio.ensure_future(anext(events))
                if asking.done():
                    await self._serve(capture, *asking.result())
                    asking = asyncio.create_task(self._asked.get())
                if (patience := self._patience(capture)) == 0:
                    await self._ear.take(capture, capture.tick(self._now()))
                    patience = self._patience(capture)
                self._show(capture)
                if isinstance(capture, Capture) and capture.mistaken:
                    port.look_elsewhere()
                if out := capture.outgoing():
                    self._witness.sent(self._now(), out)
                    await port.send(out)
        finally:
            for task in (stopped, coming, asking):
                task.cancel()
            await asyncio.gather(stopped, coming, asking, return_exceptions=True)

    async def _hear(self, capture: Capture | Sensor, event: PortEvent) -> None:
        if isinstance(event, Frame):
            if self.frame is None or self.frame.image.shape != event.image.shape:
                self._check_size(event)
            self.frame = event
            async with self.busy:
                signals = await asyncio.to_thread(self._look, capture, event)
            await self._ear.take(capture, signals)
            return
        self._witness.hear(event)
        if isinstance(event, Closed):
            self.why = event.why
        if isinstance(event, Opened):
            for note in event.notes:
                _log.warning("%s: %s", self._machine, note)
        await self._ear.take(capture, capture.feed(event))

    def _show(self, capture: Capture | Sensor) -> None:
        """Exact dots stand until others come, so what stands now is looked at whenever there is something to do."""
        dots = capture.dots if isinstance(capture, Capture) else None
        if dots is not None:
            self._pictures.see_dots(dots, self._now())

    def _look(self, capture: Capture | Sensor, frame: Frame) -> list[Signal]:
        self._pictures.see(frame)
        return capture.feed(frame)

    def _check_size(self, frame: Frame) -> None:
        """Corners mean nothing in pictures of another size."""
        size = _size_of(frame)
        if self.size is not None and self.corners is not None and size != self.size:
            _log.warning(
                "%s: the pictures are %d x %d, but the corners were set in pictures of %d x %d: calibrate this machine",
                self._machine, *size, *self.size,
            )  # fmt: skip

    async def _serve(self, capture: Capture | Sensor, what: Asked, answer: asyncio.Future[list[Signal]]) -> None:
        signals = what(capture) if isinstance(capture, Capture) else []
        await self._ear.take(capture, signals)
        if not answer.done():
            answer.set_result(signals)

    def _patience(self, capture: Capture | Sensor) -> float | None:
        """Seconds until the capture, or who listens to it, wants to be asked again."""
        due = [moment for moment in (capture.next_deadline(), self._ear.due()) if moment is not None]
        return max(0, min(due) - self._now()) / 1000 if due else None


def _size_of(frame: Frame) -> tuple[int, int]:
    return frame.image.shape[1], frame.image.shape[0]


async def _wait(event: Awaitable[object], seconds: float) -> None:
    """Wait for the event or so many seconds."""
    try:
        await asyncio.wait_for(event, seconds)
    except TimeoutError:
        return
