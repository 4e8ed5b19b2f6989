"""What a Vector board is asked, and when: few questions, one at a time, as fast as it answers and no faster.

Here: routes, their turns, patience. Not here: what the answers mean. Invariants: no second question is asked before the
first is answered or its time is up; where others are not answered, the status has every second turn at least. The
firmware reads a line of less than 1,000 characters, ten times a second, and looks at the machine four times a second:
asking oftener tells nothing new.
"""

from dataclasses import dataclass, field

STATUS = "/api/game/status"
FAULT = "/api/fault"
MACHINE_ID = "/api/machine_id"
VERSION = "/api/version"
NAME = "/api/game/name"

POLL_MS = 250
PATIENCE_MS = 2_500
"""A status that has not come by then will not come."""
SHORT_PATIENCE_MS = 1_000
"""The same for all else, which no game waits for; what comes later counts even so."""
SLOWEST_MS = 2_000
"""A board that answers slowly is given so long to breathe, at the most."""
_FIRST = (MACHINE_ID, NAME, VERSION, FAULT, STATUS)
_AGAIN_MS = {FAULT: 10_000, MACHINE_ID: 60_000}
_SOON_MS, _LATER_MS = 2_000, 60_000
"""What was not answered is asked again: soon while nothing was, or where all depends on it; its status at once."""


@dataclass(slots=True)
class Questions:
    """The questions of one conversation after another. `needed`: without whose answer no other counts."""

    needed: str | None = None
    missed: int = 0
    """Questions in a row whose time was up."""
    _due: dict[str, int] = field(default_factory=dict)
    _asked: str | None = None
    _asked_at: int = 0
    _turn: bool = False
    """Something was not answered: it is the status's turn."""
    _fresh: bool = False
    _talks: bool = False
    """It has answered something in this conversation."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins; nothing is asked where nobody would hear it."""
        self._due = {} if passive else dict.fromkeys(_FIRST, at)
        self._asked = None
        self.missed, self._fresh, self._talks, self._turn = 0, True, False, False

    def close(self) -> None:
        """Nobody is there to be asked."""
        self._due.clear()
        self._asked = None

    def answered(self, route: str, at: int) -> None:
        """An answer has come; it may be to a question whose time was up."""
        self.missed, self._talks = 0, True
        if route in _AGAIN_MS and (route in self._due or route == self._asked):
            self._due[route] = at + _AGAIN_MS[route]
        if route != self._asked:
            return
        took, self._asked = at - self._asked_at, None
        if route == STATUS:
            self._due[STATUS] = max(self._asked_at + POLL_MS, at + min(took, SLOWEST_MS))

    def spoiled(self, at: int) -> None:
        """An answer came, but damaged: the question is asked again."""
        if self._asked is not None:
            self._due[self._asked] = max(self._asked_at + POLL_MS, at)
            self._asked = None

    def hurry(self, route: str, at: int) -> None:
        """Something happened that makes this worth asking now."""
        if route in self._due:
            self._due[route] = min(self._due[route], at)

    def drop(self, route: str) -> None:
        """There is nothing to be learned there, or nothing more."""
        self._due.pop(route, None)

    def tick(self, now: int) -> bool:
        """Time has passed: whether the answer that was waited for is not coming."""
        if self._asked is None or now < self._asked_at + self._patience():
            return False
        soon = not self._talks or self._asked == self.needed
        self._due[self._asked] = now + (0 if self._asked == STATUS else _SOON_MS if soon else _LATER_MS)
        self._asked = None
        self._turn = True
        self.missed += 1
        return True

    def deadline(self) -> int | None:
        """When there is something to ask, or to stop waiting for."""
        if self._asked is not None:
            return self._asked_at + self._patience()
        return min(self._due.values(), default=None)

    def outgoing(self, now: int) -> bytes:
        """The next question, if it is time for one. A conversation's first ends what the board had half read."""
        if self._asked is not None or not self._due:
            return b""
        route = min(self._due, key=lambda name: self._due[name])
        if self._turn and self._due.get(STATUS, now + 1) <= now:
            route, self._turn = STATUS, False
        if self._due[route] > now:
            return b""
        self._asked, self._asked_at = route, now
        del self._due[route]
        before, self._fresh = b"\n" if self._fresh else b"", False
        return before + route.encode() + b"||\n"

    def _patience(self) -> int:
        return PATIENCE_MS if self._asked == STATUS else SHORT_PATIENCE_MS
