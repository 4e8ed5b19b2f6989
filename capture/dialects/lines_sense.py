"""Whether what comes over a line makes sense, is of the right device, and is whole: silence, noise, gaps, strangers.

Here: doubled and lost lines, the device's name, and the faults that follow from what is counted. No meaning.
Invariant: nothing is believed of a device that is not the one that belongs here.
"""

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects.peer_sense import PeerSense, begin

SILENCE_MS = 30_000
"""A device that said PING, or none that ever spoke, is missed after so long."""
NAMELESS_MS = 10_000
"""So long a device may talk without saying which it is."""
LATE = 16
"""Numbers so far below the last are late or doubled lines; further below, the device counts anew."""


class Sense(PeerSense):
    """Of a device on a line; `device`: the name of the one that belongs here, None where nobody said."""

    def __init__(self, device: str | None) -> None:
        super().__init__(silence_ms=SILENCE_MS, doubts=True, remark=": the speed, the wiring?")
        self._wanted = device
        self.named: str | None = None
        """What the device called itself in this conversation."""
        self.unknown = 0
        """Good lines with a word that is not ours, in all conversations; so are the next two."""
        self.doubled = 0
        """Lines that came again, or too late."""
        self.lost = 0
        """Lines that never came, by their numbers."""
        self._told: str | None = None
        """What was said last of a stranger, in this conversation or an earlier one."""
        self._nameless_at: int | None = None
        self._pings = self._missed = False
        self._last: int | None = None
        self._early = 0

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        super().open(at, passive=passive)
        self.named, self._pings, self._missed, self._last, self._early = None, False, False, None, 0
        self._nameless_at = at + NAMELESS_MS if self._wanted is not None else None

    def close(self) -> None:
        """The conversation is over: its silence means nothing."""
        super().close()
        self._nameless_at = None

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
            self._told = None
            return changed
        told = self._told
        self._told = (
            f"this is {name or 'a device without a name'}, but {self._wanted} belongs here: nothing is read of it"
        )
        anew = [h.Relief(at=at, fault="wrong-device")] if self._told != told else []
        return [*changed, *anew, h.Trouble(at=at, fault="wrong-device", detail=self._told)]

    def accept(self, at: int, *, known: bool, ping: bool = False, detail: str | None = None) -> list[h.Hint]:
        """A line was understood; `known`: its word is ours."""
        self._pings = self._pings or ping
        self.unknown += not known
        hints: list[h.Hint] = [h.Relief(at=at, fault="data-garbled")] if self._counts_clean() else []
        if not (known and self.trusted):
            return hints
        if self._missed:
            self._missed = False
            hints.append(h.Relief(at=at, fault="no-data"))
        self._silent_at = at + SILENCE_MS if self._pings else None
        if self.heard:
            return hints
        self.heard = True
        return hints + begin(at, detail)

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
        if self._falls_silent(now):
            hints.append(self._silence(now))
        return hints

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._silent_at, self._nameless_at)

    def _silence(self, now: int) -> h.Hint:
        if self.heard:
            self._missed = True
            return h.Trouble(at=now, fault="no-data", detail=f"it said PING, but nothing for {SILENCE_MS // 1000} s")
        if self._mute:
            return h.Trouble(at=now, fault="no-data", detail="nothing is said: is the device on, is it the right port?")
        return h.Trouble(at=now, fault="wrong-device", detail="what is said is not in this format: the right speed?")
