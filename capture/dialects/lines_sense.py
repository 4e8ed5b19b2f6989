"""Whether what comes over a line makes sense, is of the right device, and is whole: silence, noise, gaps, strangers.

Here: counting good, senseless, doubled and lost lines, the device's name, and the faults that follow. No meaning.
Invariant: nothing is believed of a device that is not the one that belongs here.
"""

from capture import hints as h

GARBLED_LINES = 5
"""So many senseless lines in a row are a fault and no accident."""
CLEAN_LINES = 10
"""So many good lines in a row end it."""
SILENCE_MS = 30_000
"""A device that said PING, or none that ever spoke, is missed after so long."""
NAMELESS_MS = 10_000
"""So long a device may talk without saying which it is."""
LATE = 16
"""Numbers so far below the last are late or doubled lines; further below, the device counts anew."""


class Sense:
    """What the lines of one conversation, and then of the next, say of the peer."""

    def __init__(self, device: str | None) -> None:
        self._wanted = device
        self.heard = False
        """A good line of the right device has come in this conversation."""
        self.named: str | None = None
        """What the device called itself in this conversation."""
        self.garbled = 0
        """Senseless lines so far, in all conversations; so are the next two."""
        self.unknown = 0
        """Good lines with a word that is not ours."""
        self.doubled = 0
        """Lines that came again, or too late."""
        self.lost = 0
        """Lines that never came, by their numbers."""
        self._bad = self._good = self._nameless = 0
        self._mute = True
        self._silent_at: int | None = None
        self._nameless_at: int | None = None
        self._pings = self._missed = False
        self._last: int | None = None
        self._early = 0

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        self.heard, self.named, self._bad, self._good, self._nameless = False, None, 0, 0, 0
        self._mute, self._pings, self._missed, self._last, self._early = True, False, False, None, 0
        self._silent_at = None if passive else at + SILENCE_MS
        self._nameless_at = at + NAMELESS_MS if self._wanted is not None else None

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        self._silent_at = self._nameless_at = None

    def bytes_came(self) -> None:
        """It says something."""
        self._mute = False

    @property
    def trusted(self) -> bool:
        """It is the device that belongs here, or nobody said which one does."""
        return self._wanted is None or self.named == self._wanted

    def greet(self, name: str | None, at: int) -> list[h.Hint]:
        """The device says its name. Another one than before is another device."""
        before, self.named = self.named, name
        self._nameless_at = None
        changed: list[h.Hint] = []
        if before is not None and name != before and self.heard:
            self.heard = False
            changed = [h.LinkBroken(at=at)]
        if self.trusted:
            return changed
        detail = f"this is {name or 'a device without a name'}, but {self._wanted} belongs here: nothing is read of it"
        return [*changed, h.Relief(at=at, fault="wrong-device"), h.Trouble(at=at, fault="wrong-device", detail=detail)]

    def accept(self, at: int, *, known: bool, ping: bool = False, detail: str | None = None) -> list[h.Hint]:
        """A line was understood; `known`: its word is ours."""
        self._good += 1
        self._pings = self._pings or ping
        self.unknown += not known
        hints: list[h.Hint] = []
        if self._good == CLEAN_LINES:
            self._bad = 0
            hints.append(h.Relief(at=at, fault="data-garbled"))
        if not (known and self.trusted):
            return hints
        if self._missed:
            self._missed = False
            hints.append(h.Relief(at=at, fault="no-data"))
        self._silent_at = at + SILENCE_MS if self._pings else None
        if self.heard:
            return hints
        self.heard = True
        faults = ("no-data", "wrong-device")
        return [*hints, *(h.Relief(at=at, fault=fault) for fault in faults), h.Heard(at=at, detail=detail)]

    def reject(self, at: int) -> list[h.Hint]:
        """A line was senseless: in a game it may have been a score."""
        self.garbled += 1
        self._bad, self._good = self._bad + 1, 0
        hints: list[h.Hint] = [h.ScoresDoubted(at=at)] if self.heard else []
        if self._bad == GARBLED_LINES:
            hints.append(self._noise(at, f"{self.garbled} senseless lines so far: the speed, the wiring?"))
        return hints

    def swamp(self, at: int) -> list[h.Hint]:
        """A line does not end: said once, and no less than many senseless ones."""
        self._good = 0
        if self._bad >= GARBLED_LINES:
            return []
        self._bad = GARBLED_LINES
        return [h.ScoresDoubted(at=at), self._noise(at, "a line that does not end: the speed, the wiring?")]

    def count(self, number: int | None) -> str:
        """What a line's number says: `next`, `again` (drop it), `gap` (lines were lost before it) or `anew`."""
        if number is None:
            return "next"
        last = self._last
        if last is not None and last - LATE <= number <= last and not (number <= 1 < last):
            self._early = self._early + 1 if number < last else self._early
            if number == last or self._early < 3:  # three in a row: the device counts anew
                self.doubled += 1
                return "again"
        self._last, self._early = number, 0
        if last is None or number == last + 1 or (number == 0 and last in {99, 255, 999, 9999, 65535, 2**32 - 1}):
            return "next"
        if number < last:
            return "anew"
        self.lost += number - last - 1
        return "gap"

    def count_anew(self) -> None:
        """The device has said hello: it may count from anywhere."""
        self._last = None

    def tick(self, now: int) -> list[h.Hint]:
        """Nobody speaks, or nobody says who it is."""
        hints: list[h.Hint] = []
        if self._nameless_at is not None and now >= self._nameless_at:
            self._nameless_at = None
            if not self._mute:
                detail = f"it does not say which device it is, and {self._wanted} belongs here: nothing is read of it"
                hints.append(h.Trouble(at=now, fault="wrong-device", detail=detail))
        if self._silent_at is not None and now >= self._silent_at:
            self._silent_at = None
            hints.append(self._silence(now))
        return hints

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return min((at for at in (self._silent_at, self._nameless_at) if at is not None), default=None)

    def _silence(self, now: int) -> h.Hint:
        if self.heard:
            self._missed = True
            return h.Trouble(at=now, fault="no-data", detail=f"it said PING, but nothing for {SILENCE_MS // 1000} s")
        if self._mute:
            return h.Trouble(at=now, fault="no-data", detail="nothing is said: is the device on, is it the right port?")
        return h.Trouble(at=now, fault="wrong-device", detail="what is said is not in this format: the right speed?")

    def _noise(self, at: int, detail: str) -> h.Hint:
        return h.Trouble(at=at, fault="data-garbled" if self.heard else "wrong-device", detail=detail)
