"""Whether a peer that should be a memory reader makes sense: silence, noise, another program.

Here: the faults that follow from what is counted (`peer_sense`). No line is understood. Invariant: each fault is said
once until it is over, and a reader counts as heard only with its first whole sample.
"""

from capture import hints as h
from capture.dialects.peer_sense import PeerSense, begin

SILENCE_MS = 10_000
"""A reader that is asked and says nothing of use for so long is none, or is not there any more."""


class Sense(PeerSense):
    """Of a program that should be a memory reader; it is heard with a whole sample."""

    def __init__(self) -> None:
        super().__init__(silence_ms=SILENCE_MS, remark=": no memory reader's; is the speed right?")
        self._lost = False

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        super().open(at, passive=passive)
        self._lost = False

    def sample(self, at: int, detail: str | None) -> list[h.Hint]:
        """A whole sample has come."""
        fresh, back = not self.heard, self._lost
        self.heard, self._lost, self._bad, self._mute = True, False, 0, True
        if self._silent_at is not None:
            self._silent_at = at + SILENCE_MS
        if not fresh and not back:
            return []
        return begin(at, detail, over=("no-data", "wrong-device", "data-garbled"))

    def accept(self, at: int) -> list[h.Hint]:
        """A line of a dump came: noise that began is over."""
        noisy, self._bad = self._bad >= self._limit, 0
        return [h.Relief(at=at, fault="data-garbled")] if noisy else []

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody answers. Of a reader that was heard, the link is lost with it."""
        if not self._falls_silent(now):
            return []
        self._lost = True
        fault = "no-data" if self._mute or self.heard else "wrong-device"
        what = "nothing" if self._mute else "nothing that is a dump of what was asked for"
        said: list[h.Hint] = [h.Trouble(at=now, fault=fault, detail=f"the memory reader is asked and says {what}")]
        return [*said, h.LinkBroken(at=now)] if self.heard else said

    def awake(self, at: int) -> bool:
        """It answers again after a silence: what is seen then is found, not followed."""
        if self._lost:
            self._silent_at = at + SILENCE_MS
        return self._lost
