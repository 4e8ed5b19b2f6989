"""Whether a peer that should be Mission Pinball Framework makes sense: silence, noise, another program.

Here: counting good and senseless lines of one conversation, and the faults that follow. No line is understood.
Invariant: a fault of an earlier conversation is over when this one makes sense, and not before.
"""

from capture import hints as h

GARBLED_LINES = 5
"""So many senseless lines in a row are a fault and no accident."""
CLEAN_LINES = 10
"""So many good lines in a row end it."""
SILENCE_MS = 10_000
"""MPF greets at once: who says nothing for so long is no MPF."""


class Sense:
    """What the lines of one conversation, and then of the next, say of the peer."""

    def __init__(self) -> None:
        self.heard = False
        """A known command has come in this conversation."""
        self.garbled = 0
        """Senseless lines so far, in all conversations."""
        self._mute = True
        self._bad = self._good = 0
        self._silent_at: int | None = None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        self.heard, self._mute, self._bad, self._good = False, True, 0, 0
        self._silent_at = None if passive else at + SILENCE_MS

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        self._silent_at = None

    def bytes_came(self) -> None:
        """It says something."""
        self._mute = False

    def accept(self, at: int, *, known: bool) -> list[h.Hint]:
        """A line was understood; `known`: it is a command that we listen for."""
        self._good += 1
        hints: list[h.Hint] = []
        if self._good == CLEAN_LINES:  # the noise may be of an earlier conversation
            self._bad = 0
            hints.append(h.Relief(at=at, fault="data-garbled"))
        return hints + (self.greet(at) if known and not self.heard else [])

    def greet(self, at: int, greeting: str | None = None) -> list[h.Hint]:
        """It is MPF that talks."""
        self.heard, self._silent_at = True, None
        faults = ("no-data", "wrong-device")
        return [*(h.Relief(at=at, fault=fault) for fault in faults), h.Heard(at=at, detail=greeting)]

    def reject(self, at: int) -> list[h.Hint]:
        """A line was senseless: in a game it may have been a score."""
        self.garbled += 1
        self._bad, self._good = self._bad + 1, 0
        hints: list[h.Hint] = [h.ScoresDoubted(at=at)] if self.heard else []
        if self._bad == GARBLED_LINES:
            hints.append(self._noise(at, f"{self.garbled} senseless lines"))
        return hints

    def swamp(self, at: int) -> list[h.Hint]:
        """A line does not end: said once, and no less than many senseless ones."""
        self._good = 0
        if self._bad >= GARBLED_LINES:
            return []
        self._bad = GARBLED_LINES
        return [h.ScoresDoubted(at=at), self._noise(at, "more than 1 MiB without a line end")]

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody greets."""
        if self._silent_at is None or now < self._silent_at:
            return []
        self._silent_at = None
        fault, what = ("no-data", "nothing") if self._mute else ("wrong-device", "nothing that is BCP")
        return [h.Trouble(at=now, fault=fault, detail=f"the peer accepts the connection but says {what}")]

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return self._silent_at

    def _noise(self, at: int, detail: str) -> h.Hint:
        return h.Trouble(at=at, fault="data-garbled" if self.heard else "wrong-device", detail=detail)
