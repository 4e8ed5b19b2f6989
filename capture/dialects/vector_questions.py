"""What a Vector board is asked, and when: few questions, one at a time, as fast as it answers and no faster.

Here: routes, their turns, patience. Not here: what the answers mean. Invariant: no second question is asked before the
first is answered or its time is up. The firmware reads a line of less than 1,000 characters, ten times a second, and
looks at the machine four times a second: asking oftener tells nothing new.
"""

from dataclasses import dataclass, field

STATUS = "/api/game/status"
FAULT = "/api/fault"
MACHINE_ID = "/api/machine_id"
VERSION = "/api/version"
NAME = "/api/game/name"

POLL_MS = 250
PATIENCE_MS = 2_500
"""An answer that has not come by then will not come."""
SLOWEST_MS = 2_000
"""A board that answers slowly is given so long to breathe, at the most."""
_FIRST = (MACHINE_ID, NAME, VERSION, FAULT, STATUS)
_AGAIN_MS = {FAULT: 10_000, MACHINE_ID: 60_000}
_RETRY_MS = 5_000
"""What a board did not answer is asked again after this; its status at once."""


@dataclass(slots=True)
class Questions:
    """The questions of one conversation after another."""

    missed: int = 0
    """Questions in a row whose time was up."""
    _due: dict[str, int] = field(default_factory=dict)
    _asked: str | None = None
    _asked_at: int = 0
    _fresh: bool = False

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins; nothing is asked where nobody would hear it."""
        self._due = {} if passive else dict.fromkeys(_FIRST, at)
        self._asked, self.missed, self._fresh = None, 0, True

    def close(self) -> None:
        """Nobody is there to be asked."""
        self._due.clear()
        self._asked = None

    def answered(self, route: str, at: int) -> None:
        """An answer has come; it may be to a question whose time was up."""
        self.missed = 0
        if route != self._asked:
            return
        took, self._asked = at - self._asked_at, None
        if route == STATUS:
            self._due[STATUS] = max(self._asked_at + POLL_MS, at + min(took, SLOWEST_MS))
        elif route in _AGAIN_MS:
            self._due[route] = at + _AGAIN_MS[route]

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
        """The board has no such route."""
        self._due.pop(route, None)

    def tick(self, now: int) -> bool:
        """Time has passed: whether the answer that was waited for is not coming."""
        if self._asked is None or now < self._asked_at + PATIENCE_MS:
            return False
        self._due[self._asked] = now + (0 if self._asked == STATUS else _RETRY_MS)
        self._asked = None
        self.missed += 1
        return True

    def deadline(self) -> int | None:
        """When there is something to ask, or to stop waiting for."""
        if self._asked is not None:
            return self._asked_at + PATIENCE_MS
        return min(self._due.values(), default=None)

    def outgoing(self, now: int) -> bytes:
        """The next question, if it is time for one. A conversation's first ends what the board had half read."""
        if self._asked is not None or not self._due:
            return b""
        route = min(self._due, key=lambda name: self._due[name])
        if self._due[route] > now:
            return b""
        self._asked, self._asked_at = route, now
        del self._due[route]
        before, self._fresh = b"\n" if self._fresh else b"", False
        return before + route.encode() + b"||\n"
