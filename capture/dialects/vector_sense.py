"""Whether what is heard makes sense as a Vector board: silence, a board's console alone, noise, another device.

Here: the causes of trouble that follow from what is counted (`peer_sense`). No line is understood. Invariant: a board
that is heard says so once a conversation, and what was wrong before is over then.
"""

from capture import hints as h
from capture.dialects.peer_sense import PeerSense
from capture.dialects.vector_troubles import Troubles

FOREIGN_LINES = 20
"""So many lines of text that no Vector writes, and nothing else: another device."""
SILENCE_MS = 15_000
"""A board that is reset when its port is opened needs some seconds to start."""


class Sense(PeerSense):
    """Of a device that should be the machine's board."""

    def __init__(self, troubles: Troubles) -> None:
        super().__init__(silence_ms=SILENCE_MS)
        self._troubles = troubles
        self._console = False
        self._foreign = 0

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        super().open(at, passive=passive)
        self._console, self._foreign = False, 0

    def console(self, at: int, *, ours: bool) -> list[h.Hint]:
        """A line of text that is no message."""
        self._console = self._console or ours
        self._foreign += not ours
        if self.heard or self._console or self._foreign != FOREIGN_LINES:
            return []
        return self._begin("noise", "wrong-device", at, f"{FOREIGN_LINES} lines that no Vector board writes")

    def accept(self, at: int) -> list[h.Hint]:
        """A message was understood."""
        return self._troubles.end("garbled", at) if self._counts_clean() else []

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

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody answers."""
        if not self._falls_silent(now):
            return []
        if self._mute:
            return self._begin("mute", "no-data", now, "the port is open, but nothing comes")
        if self._console:
            return self._begin("mute", "no-data", now, "a board writes on its console, but answers nothing")
        return self._begin("noise", "wrong-device", now, "what talks here answers nothing as a Vector board does")

    def _noise(self, at: int, detail: str) -> list[h.Hint]:
        if self.heard or self._console:
            return self._begin("garbled", "data-garbled", at, detail)
        return self._begin("noise", "wrong-device", at, detail)

    def _begin(self, cause: str, fault: str, at: int, detail: str) -> list[h.Hint]:
        return self._troubles.begin(cause, fault, at, detail)
