"""Whether a peer that should bring the pictures of a display makes sense: silence, noise, another device or display.

Here: counting, and the faults that follow. No message is understood. Invariant: a fault of an earlier conversation is
over when this one makes sense, and not before; pictures of another size are no sense.
"""

from capture import hints as h

SILENCE_MS, STILL_MS = 5_000, 30_000
"""Nothing for so long is silence, from who repeats himself each second, and from who tells of changes alone."""
REPEATED = 2
"""Who has said the size of his display so often does repeat himself: some recordings leave that out."""
GAPS, CLEAN = 3, 5
"""So many gaps with fewer good messages between them are noise; so many good ones in a row end it."""


class Sense:
    """One peer's, over all its conversations. `name`: the protocol; `repeats`: it speaks at least once a second."""

    def __init__(self, name: str, *, repeats: bool) -> None:
        self._name = name
        self._repeats = repeats
        self.heard = False
        """Pictures of this display come in this conversation."""
        self._mute = self._passive = True
        self._wrong = True
        """`no-data` or `wrong-device` may be open."""
        self._gaps = self._good = self._sizes = 0
        self._silent_at: int | None = None
        self._still_at: int | None = None
        self.garbled = 0
        """Gaps so far, in all conversations."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        self.heard, self._mute, self._passive, self._wrong = False, True, passive, True
        self._gaps = self._good = self._sizes = 0
        self._silent_at = at + SILENCE_MS
        self._still_at = None if passive else at + (SILENCE_MS if self._repeats else STILL_MS)

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        self._silent_at = self._still_at = None

    def bytes_came(self) -> None:
        """It says something."""
        self._mute, self._still_at = False, None

    def accept(self, at: int, greeting: str, *, size: bool = False) -> list[h.Hint]:
        """A message about this display was understood; `size`: it said nothing but how large it is."""
        hints: list[h.Hint] = []
        self._good += 1
        self._sizes += size
        if self._good == CLEAN:
            self._gaps = 0
            hints.append(h.Relief(at=at, fault="data-garbled"))
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
        self.garbled += 1
        self._gaps, self._good = self._gaps + 1, 0
        if self._gaps != GAPS or not self.heard:
            return []
        return [h.Trouble(at=at, fault="data-garbled", detail=f"{self.garbled} times, bytes were no {self._name}")]

    def tick(self, now: int) -> list[h.Hint]:
        """It has not said anything for too long, or nothing that makes sense."""
        hints: list[h.Hint] = []
        if self._silent_at is not None and now >= self._silent_at:
            self._silent_at = None
            if self.heard or (self._wrong and not self._mute):
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
        return min((due for due in (self._silent_at, self._still_at) if due is not None), default=None)

    def _fall_silent(self, now: int) -> list[h.Hint]:
        self._wrong = True
        if self.heard:
            why = f"no {self._name} for {SILENCE_MS // 1000} s, though it repeats itself each second"
            return [h.Trouble(at=now, fault="no-data", detail=why), h.DotsLost(at=now, why=why, told=True)]
        detail = f"what is on this port says nothing that is {self._name}"
        return [h.Trouble(at=now, fault="wrong-device", detail=detail)]
