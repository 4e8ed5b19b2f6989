"""Whether a peer that should bring the pictures of a display makes sense: silence, noise, another device or display.

Here: the faults that follow from what is counted (`peer_sense`). No message is understood. Invariant: a fault of an
earlier conversation is over when this one makes sense, and not before; pictures of another size are no sense.
"""

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects.peer_sense import PeerSense

SILENCE_MS, STILL_MS = 5_000, 30_000
"""Nothing for so long is silence, from who repeats himself each second, and from who tells of changes alone."""
REPEATED = 2
"""Who has said the size of his display so often does repeat himself: some recordings leave that out."""
GAPS, CLEAN = 3, 5
"""So many gaps with fewer good messages between them are noise; so many good ones in a row end it."""


class Sense(PeerSense):
    """One peer's, over all its conversations. `name`: the protocol; `repeats`: it speaks at least once a second."""

    def __init__(self, name: str, *, repeats: bool) -> None:
        super().__init__(silence_ms=SILENCE_MS, garbled=GAPS, clean=CLEAN)
        self._name = name
        self._repeats = repeats
        self._wrong = True
        """`no-data` or `wrong-device` may be open."""
        self._sizes = 0
        self._still_at: int | None = None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        super().open(at, passive=False)
        self._wrong, self._sizes = True, 0
        self._still_at = None if passive else at + (SILENCE_MS if self._repeats else STILL_MS)

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        super().close()
        self._still_at = None

    def bytes_came(self) -> None:
        """It says something."""
        super().bytes_came()
        self._still_at = None

    def accept(self, at: int, greeting: str, *, size: bool = False) -> list[h.Hint]:
        """A message about this display was understood; `size`: it said nothing but how large it is."""
        self._sizes += size
        hints: list[h.Hint] = [h.Relief(at=at, fault="data-garbled")] if self._counts_clean() else []
        if self._wrong:
            self._wrong = False
            hints += [h.Relief(at=at, fault=fault) for fault in ("no-data", "wrong-device")]
        if not self.heard:
            self.heard = True
            hints.append(h.Heard(at=at, detail=greeting))
        self._silent_at = at + SILENCE_MS if self._repeats and self._sizes >= REPEATED else None
        return hints

    def refuse(self, at: int, detail: str) -> list[h.Hint]:
        """A message is of another display."""
        self._wrong, self._silent_at = True, None
        return [h.Trouble(at=at, fault="wrong-device", detail=detail)]

    def gap(self, at: int) -> list[h.Hint]:
        """Bytes were senseless, or a message is damaged."""
        if not self._counts_noise() or not self.heard:
            return []
        return [h.Trouble(at=at, fault="data-garbled", detail=f"{self.garbled} times, bytes were no {self._name}")]

    def tick(self, now: int) -> list[h.Hint]:
        """It has not said anything for too long, or nothing that makes sense."""
        hints: list[h.Hint] = []
        if self._falls_silent(now) and (self.heard or (self._wrong and not self._mute)):
            hints += self._fall_silent(now)
        if self._still_at is not None and now >= self._still_at:
            self._still_at, self._wrong = None, True
            detail = "the port is open, but what is there says nothing"
            hints.append(h.Trouble(at=now, fault="no-data", detail=detail))
        return hints

    def finish(self, at: int) -> list[h.Hint]:
        """It says no more: whether anything that it said made sense."""
        if self._silent_at is None or self.heard or self._mute:
            return []
        self._silent_at = None
        return self._fall_silent(at)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._silent_at, self._still_at)

    def _fall_silent(self, now: int) -> list[h.Hint]:
        self._wrong = True
        if self.heard:
            why = f"no {self._name} for {SILENCE_MS // 1000} s, though it repeats itself each second"
            return [h.Trouble(at=now, fault="no-data", detail=why), h.DotsLost(at=now, why=why, told=True)]
        detail = f"what is on this port says nothing that is {self._name}"
        return [h.Trouble(at=now, fault="wrong-device", detail=detail)]
