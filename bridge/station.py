"""One machine's station: what its sources say, joined where there are several, goes to the scribe.

Here: the facts' order, the desk's wishes, and what the pulse tells of the machine. Not here: ports and crashes
(`source`), whose word counts (`capture.pair`). Invariant: one thing is written at a time, in the order it was said.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

from bridge.scribe import Scribe
from bridge.source import Ear, Reader, Source
from bridge.translate import live
from bridge.wire.control import Hearing, Live
from bridge.witness import Witness
from capture.hints import Hint, Trouble
from capture.pair import Pair
from capture.pair_sensor import Sensor
from capture.pair_voice import Kind
from capture.pipeline import Capture
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    MachineDetached,
    PlayerScore,
    ScoreFrozen,
    ScoreLive,
    ScoreRead,
    Signal,
)
from hardware.ports.base import Frame

RETRY_MS = 2_000
"""How often facts that wait for room on the disk are tried again."""
FAULT = "reader-failed"
_SHOWN = (GameEnded, GameAborted, ScoreFrozen, ScoreRead)
"""What a picture goes with, though a wire said it."""

_log = logging.getLogger(__name__)


class Station:
    """Hears or sees one machine and has the scribe write down what it says."""

    def __init__(self, scribe: Scribe, sources: Sequence[Source], *, now: Callable[[], int]) -> None:
        """`sources`: one, or several that `capture.pair` joins."""
        self.machine = scribe.machine
        self._scribe = scribe
        self._now = now
        heard = next((one for one in sources if not one.sensor), sources[0])
        self._witness = Witness(scribe, heard.profile)
        self._silent = Witness(scribe, heard.profile.model_copy(update={"dialect": None}))
        """What other sources say goes in no recording of this machine."""
        self._readers = [self._reader(number, source, heard) for number, source in enumerate(sources)]
        self._pair = Pair([_kind(source) for source in sources]) if len(sources) > 1 else None
        self._writing = asyncio.Lock()
        self._failed: set[int] = set()
        self._attached = False
        self._phase = ""
        self._detail = ""
        self._live: list[Live] = []

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then say what is left to be said."""
        self._scribe.close_leftovers(self._now())
        if self._pair:
            self._scribe.begin_run()
        async with asyncio.TaskGroup() as group:
            for reader in self._readers:
                group.create_task(reader.run(stop), name=f"{self.machine}: {reader.source.name}")
            await stop.wait()
            if self._pair:
                self._pair.closing = True
        if self._pair:
            await self._write(self._pair.stop(self._now()), [])
        await self._witness.finish()

    @property
    def frame(self) -> Frame | None:
        """The newest picture, where the machine is seen by a camera."""
        return next((reader.frame for reader in self._readers if reader.frame is not None), None)

    @property
    def unwritten(self) -> int:
        """How much was said that is in memory only, because the disk does not take it."""
        return len(self._scribe.waiting)

    def live(self) -> list[Live]:
        """The scores as they stand, for the pulse."""
        return list(self._live)

    def hearing(self) -> Hearing:
        """Whether the machine is heard, and what it does."""
        silent = "; ".join(filter(None, (reader.why for reader in self._readers)))
        detail = self._scribe.trouble or (self._detail if self._attached else silent)
        return Hearing(machine=self.machine, heard=self._attached, phase=self._phase, detail=detail[:500])

    async def freeze(self, why: str) -> list[Signal]:
        """Keep the last stable scores at once; returns what was said (nothing where no game was played)."""
        if self._pair is None:
            return await self._readers[0].ask(lambda capture: capture.freeze(self._now(), why))
        async with self._writing:
            return await self._write(self._pair.freeze(self._now(), why), self._pair.live())

    async def recalibrate(self) -> str:
        """Look anew where the display is; one line of what was found, empty where no camera gave a picture yet."""
        reader = next((one for one in self._readers if one.frame is not None), None)
        return await reader.recalibrate() if reader is not None else ""

    # --- what readers call -----------------------------------------------------------------------------

    def _reader(self, number: int, source: Source, heard: Source) -> Reader:
        ear = Ear(
            begin=partial(self._begin, number),
            take=partial(self._take, number),
            fail=partial(self._confess, number),
            due=self._due,
        )
        witness = self._witness if source is heard else self._silent
        return Reader(self.machine, source, witness, ear, pictures=self._witness, now=self._now)

    async def _begin(self, number: int) -> None:
        """A source's capture is a new one."""
        if self._pair is None:
            if not self._failed:
                await self._scribe.write(self._scribe.abandon(self._now()))
            self._scribe.begin_run()
            return
        async with self._writing:
            await self._write(self._pair.gone(number, self._now()), self._pair.live())

    async def _take(self, number: int, capture: Capture | Sensor, signals: list[Signal]) -> None:
        async with self._writing:
            running, now = capture.live(), self._now()
            cleared: list[Signal] = []
            if number in self._failed and any(isinstance(signal, MachineAttached) for signal in signals):
                self._failed.discard(number)
                cleared = [] if self._failed else [FaultCleared(at=now, fault=FAULT)]
            if self._pair is not None:
                signals = self._pair.take(number, signals, running, now)
                running = self._pair.live()
            await self._write([*cleared, *signals], running)
        if isinstance(capture, Sensor) and (advice := capture.advice()):
            name = self._readers[number].source.name
            told = [_named(hint, name) for hint in advice]
            self._advise(lambda other: other.advise(told))

    def _advise(self, what: Callable[[Capture], list[Signal]]) -> None:
        """Tell all that follow the game what a sensor says of it."""
        for reader in self._readers:
            if reader.source.sensor:
                continue
            try:
                reader.put(what)
            except asyncio.QueueFull:
                _log.error(
                    "%s: %s is not told what a sensor says: it does not listen", self.machine, reader.source.name
                )

    async def _write(self, signals: list[Signal], running: list[ScoreLive]) -> list[Signal]:
        for signal in signals:
            self._log(signal)
        if self._pair is not None and any(isinstance(signal, _SHOWN) for signal in signals):
            async with AsyncExitStack() as still:
                for reader in self._readers:
                    await still.enter_async_context(reader.busy)
                signals = [self._proved(signal) for signal in signals]
                await self._witness.write(signals)
        elif signals or self._scribe.waiting:
            await self._witness.write(signals)
        self._live = [live(one, machine=self.machine, game=self._scribe.wire_game(one.game)) for one in running]
        standing = tuple(PlayerScore(player=one.player, score=one.score, confidence=one.confidence) for one in running)
        self._scribe.note_scores(standing, self._now())
        return signals

    def _proved(self, signal: Signal) -> Signal:
        """What a wire said, with the picture of the display that shows it."""
        if not isinstance(signal, _SHOWN) or signal.evidence is not None:
            return signal
        if isinstance(signal, ScoreRead):
            numbers = signal.candidates
        else:
            numbers = tuple(one.score for one in reversed(signal.scores) if one.score is not None)
        pictures = (reader.picture(numbers) for reader in self._readers)
        return replace(signal, evidence=next((one for one in pictures if one is not None), None))

    async def _confess(self, number: int, why: str) -> None:
        """Say as facts that a reader failed and that a game which it alone followed is lost."""
        now = self._now()
        again = bool(self._failed)
        self._failed.add(number)
        if self._pair is None:
            self._live, self._attached, self._phase = [], False, ""
            await self._scribe.write([*self._scribe.abandon(now), FaultRaised(at=now, fault=FAULT, detail=why)])
            return
        async with self._writing:
            said = self._pair.gone(number, now)
            detail = f"{self._readers[number].source.name}: {why}"
            said += [] if again else [FaultRaised(at=now, fault=FAULT, detail=detail)]
            await self._write(said, self._pair.live())

    def _due(self) -> int | None:
        """When there is something to do though no source says anything: the disk, or a word that was waited for."""
        due = self._pair.deadline() if self._pair else None
        if self._scribe.waiting:
            due = min(self._now() + RETRY_MS, due if due is not None else self._now() + RETRY_MS)
        return due

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


def _named(hint: Hint, name: str) -> Hint:
    """A sensor's trouble, with its name."""
    return replace(hint, detail=": ".join(filter(None, (name, hint.detail)))) if isinstance(hint, Trouble) else hint


def _kind(source: Source) -> Kind:
    return Kind(name=source.name, exact=source.profile.source == "wire", sensor=source.sensor)
