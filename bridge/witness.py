"""What one machine's station has seen and heard of late, and that a frozen score takes it along.

Here: between the black box and the scribe. Invariant: a frozen score's fact never waits for the pictures that it names:
they are written beside the work, and a picture that finds no room costs the fact nothing.
"""

import asyncio
from collections.abc import Sequence

from bridge.blackbox import BlackBox, Kept
from bridge.scribe import Scribe
from bridge.translate import Frozen
from capture.signals import Picture, ScoreFrozen, Signal
from hardware.profile import MachineProfile

MOST_AT_ONCE = 4
"""Frozen scores whose evidence may be on its way to the disk at a time."""


class Witness(BlackBox):
    """A black box whose content goes with each frozen score that is written."""

    def __init__(self, scribe: Scribe, profile: MachineProfile) -> None:
        super().__init__(scribe.machine, profile.id, dialect=profile.dialect)
        self._scribe = scribe
        self._keeping: set[asyncio.Task[None]] = set()

    async def write(self, signals: Sequence[Signal]) -> None:
        """Have the scribe write these; each frozen score with what was seen and heard before it.

        What was said before a frozen score is on the disk before its recording is made.
        """
        first = next((place for place, one in enumerate(signals) if isinstance(one, ScoreFrozen)), None)
        if first is None:
            await self._scribe.write(signals)
            return
        frozen, moment = signals[first], self.moment()
        if first:
            await self._scribe.write(signals[:first])
        why = frozen.why if isinstance(frozen, ScoreFrozen) else ""
        rest = signals[first:]
        try:
            kept = await asyncio.to_thread(self.keep, frozen.at, why, moment)
        except asyncio.CancelledError:
            await self._scribe.write(rest)  # who is told to stop leaves out the recording, never the facts
            raise
        await self._scribe.write([_with(one, kept) if isinstance(one, ScoreFrozen) else one for one in rest])
        await self._keep(kept.evidence())

    async def finish(self) -> None:
        """Wait until all evidence is on the disk."""
        await asyncio.gather(*self._keeping, return_exceptions=True)

    async def _keep(self, evidence: list[Picture]) -> None:
        while len(self._keeping) >= MOST_AT_ONCE:
            await asyncio.wait(self._keeping, return_when=asyncio.FIRST_COMPLETED)
        task = asyncio.create_task(asyncio.to_thread(self._scribe.keep_evidence, evidence))
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)


def _with(signal: ScoreFrozen, kept: Kept) -> Frozen:
    frames = tuple((ago, picture.digest) for ago, picture in kept.pictures)
    return Frozen(signal=signal, frames=frames, recording=kept.recording.digest if kept.recording else None)
