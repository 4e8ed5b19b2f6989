"""One machine's station: port → capture → scribe, for as long as the agent runs.

Here: the one supervised loop of a machine. A station that crashes says so, waits, and starts anew with a fresh port and
capture; the other stations never notice. Invariant: capture is touched by one task at a time.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from bridge.realign import realign
from bridge.scribe import Scribe
from bridge.translate import live
from bridge.wire.control import Hearing, Live
from bridge.witness import Witness
from capture.dialects import Setup
from capture.pipeline import Capture, Corners
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    MachineDetached,
    PlayerScore,
    Signal,
)
from hardware.ports.base import Closed, Frame, Opened, Port, PortEvent
from hardware.profile import MachineProfile

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
RETRY_MS = 2_000
"""How often facts that wait for room on the disk are tried again."""
FAULT = "reader-failed"
Asked = Callable[[Capture], list[Signal]]
"""What a command wants done with the capture."""

_log = logging.getLogger(__name__)


class Station:
    """Hears or sees one machine and has the scribe write down what it says."""

    def __init__(
        self,
        scribe: Scribe,
        profile: MachineProfile,
        open_port: Callable[[], Port],
        *,
        now: Callable[[], int],
        corners: Corners | None = None,
        size: tuple[int, int] | None = None,
        keep_corners: Callable[[Corners, tuple[int, int]], None] | None = None,
        setup: Setup | None = None,
    ) -> None:
        """`size`: of the pictures that the corners belong to. `keep_corners`: remembers corners that `recalibrate`
        moved, in pictures of that size; None: it may not move them.
        """
        self.machine = scribe.machine
        self.frame: Frame | None = None
        """The newest picture, where the machine is seen by a camera."""
        self._scribe = scribe
        self._profile = profile
        self._open_port = open_port
        self._now = now
        self._corners = corners
        self._size = size
        self._keep_corners = keep_corners
        self._setup = setup
        self._asked: asyncio.Queue[tuple[Asked, asyncio.Future[list[Signal]]]] = asyncio.Queue(16)
        self._witness = Witness(scribe, profile)
        self._failed = False
        self._attached = False
        self._phase = ""
        self._detail = ""
        self._live: list[Live] = []

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then say what is left to be said."""
        self._scribe.close_leftovers(self._now())
        pause = FIRST_PAUSE
        while not stop.is_set():
            begun = self._now()
            try:
                await self._work(stop)
            except Exception as error:  # noqa: BLE001 -- the one supervised loop: whatever it is, it is said
                if self._now() - begun > LONGEST_PAUSE * 1000:
                    pause = FIRST_PAUSE
                why = f"{type(error).__name__}: {error}".splitlines()[0]
                _log.error("%s: capture failed: %s; it starts anew in %.0f s", self.machine, why, pause)
                _log.debug("%s", self.machine, exc_info=True)
                await self._confess(why)
                await _wait(stop.wait(), pause)
                pause = min(LONGEST_PAUSE, pause * 2)
            else:
                await _wait(stop.wait(), FIRST_PAUSE)
        await self._witness.finish()

    @property
    def unwritten(self) -> int:
        """How much was said that is in memory only, because the disk does not take it."""
        return len(self._scribe.waiting)

    def live(self) -> list[Live]:
        """The scores as they stand, for the pulse."""
        return list(self._live)

    def hearing(self) -> Hearing:
        """Whether the machine is heard, and what it does."""
        detail = self._scribe.trouble or self._detail
        return Hearing(machine=self.machine, heard=self._attached, phase=self._phase, detail=detail[:500])

    async def freeze(self, why: str) -> list[Signal]:
        """Keep the last stable scores at once; returns what was said (nothing where no game was played)."""
        return await self._ask(lambda capture: capture.freeze(self._now(), why))

    async def recalibrate(self) -> str:
        """Look anew where the display is; one line of what was found, empty where no camera gave a picture yet."""
        frame, may_move = self.frame, self._keep_corners is not None
        if frame is None:
            return ""
        corners, told = await asyncio.to_thread(realign, self._profile, frame.image, self._corners, may_move=may_move)

        def refit(capture: Capture) -> list[Signal]:
            capture.refit(corners)
            return []

        await self._ask(refit)
        if corners is not None and corners != self._corners and self._keep_corners is not None:
            self._corners, self._size = corners, (frame.image.shape[1], frame.image.shape[0])
            await asyncio.to_thread(self._keep_corners, corners, self._size)
        _log.info("%s: recalibrated: %s", self.machine, told)
        return told

    async def _ask(self, what: Asked) -> list[Signal]:
        """Have the task that owns the capture do something with it."""
        answer: asyncio.Future[list[Signal]] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait((what, answer))
        return await answer

    async def _work(self, stop: asyncio.Event) -> None:
        """One run of the port: to the end of a recording, to a crash, or until `stop`."""
        capture = Capture(self._profile, corners=self._corners, setup=self._setup)
        if not self._failed:
            await self._scribe.write(self._scribe.abandon(self._now()))
        self._scribe.begin_run()
        async with self._open_port() as port, aclosing(aiter(port)) as events:  # type: ignore[type-var]
            await self._follow(capture, port, events, stop)
        await self._take(capture, capture.feed(Closed(at=self._now(), reason="stopped", why="the agent stops")))

    async def _follow(
        self, capture: Capture, port: Port, events: AsyncIterator[PortEvent], stop: asyncio.Event
    ) -> None:
        stopped = asyncio.create_task(stop.wait())
        coming: asyncio.Task[PortEvent] = asyncio.ensure_future(anext(events))
        asking = asyncio.create_task(self._asked.get())
        try:
            while not stopped.done():
                tasks = {stopped, coming, asking}
                await asyncio.wait(tasks, timeout=self._patience(capture), return_when=asyncio.FIRST_COMPLETED)
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
                await self._take(capture, capture.tick(self._now()))
                if out := capture.outgoing():
                    self._witness.sent(self._now(), out)
                    await port.send(out)
        finally:
            for task in (stopped, coming, asking):
                task.cancel()
            await asyncio.gather(stopped, coming, asking, return_exceptions=True)

    async def _hear(self, capture: Capture, event: PortEvent) -> None:
        if isinstance(event, Frame):
            if self.frame is None or self.frame.image.shape != event.image.shape:
                self._check_size(event)
            self.frame = event
            await self._take(capture, await asyncio.to_thread(self._look, capture, event))
            return
        self._witness.hear(event)
        if isinstance(event, Closed):
            self._detail = event.why
        if isinstance(event, Opened):
            for note in event.notes:
                _log.warning("%s: %s", self.machine, note)
        await self._take(capture, capture.feed(event))

    def _look(self, capture: Capture, frame: Frame) -> list[Signal]:
        self._witness.see(frame)
        return capture.feed(frame)

    def _check_size(self, frame: Frame) -> None:
        """Corners mean nothing in pictures of another size."""
        size = (frame.image.shape[1], frame.image.shape[0])
        if self._size is not None and self._corners is not None and size != self._size:
            wanted = "{} x {}".format(*self._size)
            _log.warning(
                "%s: the pictures are %d x %d, but the corners were set in pictures of %s: calibrate this machine",
                self.machine, *size, wanted,
            )  # fmt: skip

    async def _serve(self, capture: Capture, what: Asked, answer: asyncio.Future[list[Signal]]) -> None:
        signals = what(capture)
        await self._take(capture, signals)
        if not answer.done():
            answer.set_result(signals)

    async def _take(self, capture: Capture, signals: list[Signal]) -> None:
        if self._failed and any(isinstance(signal, MachineAttached) for signal in signals):
            self._failed = False
            signals = [FaultCleared(at=self._now(), fault=FAULT), *signals]
        for signal in signals:
            self._log(signal)
        if signals or self._scribe.waiting:
            await self._witness.write(signals)
        running = capture.live()
        self._live = [live(one, machine=self.machine, game=self._scribe.wire_game(one.game)) for one in running]
        standing = tuple(PlayerScore(player=one.player, score=one.score, confidence=one.confidence) for one in running)
        self._scribe.note_scores(standing, self._now())

    def _log(self, signal: Signal) -> None:
        """One line a fact worth a line, and what the pulse tells."""
        match signal:
            case GameStarted():
                self._phase = "playing"
                _log.info("%s: a game begins, %d player(s)", self.machine, signal.players)
            case GameEnded():
                self._phase = "over"
                told = ", ".join(f"player {one.player}: {one.text or one.score}" for one in signal.scores)
                _log.info("%s: game ended (%s): %s", self.machine, signal.how, told)
            case GameAborted():
                self._phase = "attract"
                _log.warning("%s: game aborted (%s)", self.machine, signal.how)
            case FaultRaised():
                _log.warning("%s: %s%s", self.machine, signal.fault, f": {signal.detail}" if signal.detail else "")
            case MachineAttached():
                self._attached, self._detail = True, signal.detail or ""
                _log.info("%s: heard on %s", self.machine, signal.port)
            case MachineDetached():
                self._attached, self._phase = False, ""
                _log.warning("%s: no longer heard on %s: %s", self.machine, signal.port, signal.detail or "")

    def _patience(self, capture: Capture) -> float | None:
        """Seconds until the capture, or the disk, wants to be asked again."""
        due = capture.next_deadline()
        left = None if due is None else max(0, due - self._now())
        if self._scribe.waiting:
            left = RETRY_MS if left is None else min(left, RETRY_MS)
        return None if left is None else left / 1000

    async def _confess(self, why: str) -> None:
        """Say as facts that the reader failed and that a game it followed is lost to it."""
        now = self._now()
        signals: list[Signal] = []
        self._live, self._attached, self._phase, self._detail = [], False, "", why
        self._failed = True
        signals.append(FaultRaised(at=now, fault=FAULT, detail=why))
        await self._scribe.write([*self._scribe.abandon(now), *signals])


async def _wait(event: Awaitable[object], seconds: float) -> None:
    """Wait for the event or so many seconds."""
    try:
        await asyncio.wait_for(event, seconds)
    except TimeoutError:
        return
