"""Whether a peer that should be a memory reader makes sense: silence, noise, another program.

Here: counting good and senseless lines of one conversation, and the faults that follow. No line is understood.
Invariant: each fault is said once until it is over, and a reader counts as heard only with its first whole sample.
"""

from capture import hints as h

GARBLED_LINES = 5
"""So many senseless lines in a row are a fault and no accident."""
SILENCE_MS = 10_000
"""A reader that is asked and says nothing of use for so long is none, or is not there any more."""


class Sense:
    """What the lines of one conversation, and then of the next, say of the peer."""

    def __init__(self) -> None:
        self.heard = False
        """A whole sample has come in this conversation."""
        self.garbled = 0
        """Senseless lines so far, in all conversations."""
        self._mute = True
        self._bad = 0
        self._lost = False
        self._silent_at: int | None = None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        self.heard, self._mute, self._bad, self._lost = False, True, 0, False
        self._silent_at = None if passive else at + SILENCE_MS

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        self._silent_at = None

    def bytes_came(self) -> None:
        """It says something."""
        self._mute = False

    def sample(self, at: int, detail: str | None) -> list[h.Hint]:
        """A whole sample has come."""
        fresh, back = not self.heard, self._lost
        self.heard, self._lost, self._bad, self._mute = True, False, 0, True
        if self._silent_at is not None:
            self._silent_at = at + SILENCE_MS
        if not fresh and not back:
            return []
        faults = ("no-data", "wrong-device", "data-garbled")
        return [*(h.Relief(at=at, fault=fault) for fault in faults), h.Heard(at=at, detail=detail)]

    def reject(self, at: int, detail: str | None = None) -> list[h.Hint]:
        """A line was senseless."""
        self.garbled += 1
        self._bad += 1
        if self._bad != GARBLED_LINES:
            return []
        fault = "data-garbled" if self.heard else "wrong-device"
        return [h.Trouble(at=at, fault=fault, detail=detail or f"{self.garbled} senseless lines: no memory reader's")]

    def accept(self, at: int) -> list[h.Hint]:
        """A line of a dump came: noise that began is over."""
        noisy, self._bad = self._bad >= GARBLED_LINES, 0
        return [h.Relief(at=at, fault="data-garbled")] if noisy else []

    def swamp(self, at: int) -> list[h.Hint]:
        """A line does not end: said once, and no less than many senseless ones."""
        if self._bad >= GARBLED_LINES:
            return []
        self._bad = GARBLED_LINES - 1
        return self.reject(at, "a line without an end: no memory reader's; is the speed right?")

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody answers. Of a reader that was heard, the link is lost with it."""
        if self._silent_at is None or now < self._silent_at:
            return []
        self._silent_at, self._lost = None, True
        fault = "no-data" if self._mute or self.heard else "wrong-device"
        what = "nothing" if self._mute else "nothing that is a dump of what was asked for"
        said: list[h.Hint] = [h.Trouble(at=now, fault=fault, detail=f"the memory reader is asked and says {what}")]
        return [*said, h.LinkBroken(at=now)] if self.heard else said

    def awake(self, at: int) -> bool:
        """It answers again after a silence: what is seen then is found, not followed."""
        if self._lost:
            self._silent_at = at + SILENCE_MS
        return self._lost

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return self._silent_at
