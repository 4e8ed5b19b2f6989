"""Whether what is heard makes sense as a Vector board: silence, a board's console alone, noise, another device.

Here: counting, and the causes of trouble that follow. No line is understood. Invariant: a board that is heard says so
once a conversation, and what was wrong before is over then.
"""

from capture import hints as h
from capture.dialects.vector_troubles import Troubles

GARBLED_LINES = 5
"""So many damaged lines in a row are a fault and no accident."""
CLEAN_LINES = 10
"""So many good ones in a row end it."""
FOREIGN_LINES = 20
"""So many lines of text that no Vector writes, and nothing else: another device."""
SILENCE_MS = 15_000
"""A board that is reset when its port is opened needs some seconds to start."""


class Sense:
    """What the lines of one conversation, and then of the next, say of the peer."""

    def __init__(self, troubles: Troubles) -> None:
        self._troubles = troubles
        self.heard = False
        """The machine's board has said something that counts, in this conversation."""
        self.garbled = 0
        """Damaged lines so far, in all conversations."""
        self._mute = True
        self._console = False
        self._foreign = self._bad = self._good = 0
        self._silent_at: int | None = None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        self.heard, self._mute, self._console = False, True, False
        self._foreign = self._bad = self._good = 0
        self._silent_at = None if passive else at + SILENCE_MS

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        self._silent_at = None

    def bytes_came(self) -> None:
        """It says something."""
        self._mute = False

    def console(self, at: int, *, ours: bool) -> list[h.Hint]:
        """A line of text that is no message."""
        self._console = self._console or ours
        self._foreign += not ours
        if self.heard or self._console or self._foreign != FOREIGN_LINES:
            return []
        return self._begin("noise", "wrong-device", at, f"{FOREIGN_LINES} lines that no Vector board writes")

    def accept(self, at: int) -> list[h.Hint]:
        """A message was understood."""
        self._good += 1
        if self._good != CLEAN_LINES:
            return []
        self._bad = 0
        return self._troubles.end("garbled", at)

    def greet(self, at: int, detail: str | None) -> list[h.Hint]:
        """It is the machine's board that talks."""
        if self.heard:
            return []
        self.heard, self._silent_at = True, None
        over = [hint for cause in ("mute", "noise", "silence", "seal") for hint in self._troubles.end(cause, at)]
        return [*over, h.Heard(at=at, detail=detail)]

    def lose(self) -> None:
        """It is heard no more, though the port is open."""
        self.heard = False

    def reject(self, at: int) -> list[h.Hint]:
        """A line was damaged."""
        self.garbled += 1
        self._bad, self._good = self._bad + 1, 0
        return self._noise(at, f"{self.garbled} damaged lines") if self._bad == GARBLED_LINES else []

    def swamp(self, at: int) -> list[h.Hint]:
        """A line does not end: no less than many damaged ones."""
        self._good = 0
        if self._bad >= GARBLED_LINES:
            return []
        self._bad = GARBLED_LINES
        return self._noise(at, "more than 1 MiB without a line end")

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody answers."""
        if self._silent_at is None or now < self._silent_at:
            return []
        self._silent_at = None
        if self._mute:
            return self._begin("mute", "no-data", now, "the port is open, but nothing comes")
        if self._console:
            return self._begin("mute", "no-data", now, "a board writes on its console, but answers nothing")
        return self._begin("noise", "wrong-device", now, "what talks here answers nothing as a Vector board does")

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return self._silent_at

    def _noise(self, at: int, detail: str) -> list[h.Hint]:
        if self.heard or self._console:
            return self._begin("garbled", "data-garbled", at, detail)
        return self._begin("noise", "wrong-device", at, detail)

    def _begin(self, cause: str, fault: str, at: int, detail: str) -> list[h.Hint]:
        return self._troubles.begin(cause, fault, at, detail)
