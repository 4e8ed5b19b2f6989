"""Who looks at which reading just now, so that two officials are given different ones. Never decides: versions do.

Kept in memory for a minute after the last look; losing it costs nothing but a greeting.
"""

import time
from collections.abc import Callable, Sequence

LOOK_S = 60.0


class Looking:
    """Readings and the sessions that have them on the screen."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._looks: dict[str, tuple[str, str, float]] = {}

    def take(self, session: str, name: str, reading: str) -> str | None:
        """This session has the reading on its screen; returns who else had it before, if somebody does."""
        self._forget()
        other = self.other(session, reading)
        self._looks = {r: look for r, look in self._looks.items() if look[0] != session}
        if other is None:
            self._looks[reading] = (session, name, self._now())
        return other

    def other(self, session: str, reading: str) -> str | None:
        """Who else looks at it."""
        look = self._looks.get(reading)
        return None if look is None or look[0] == session else look[1]

    def pick(self, session: str, waiting: Sequence[str], skip: Sequence[str] = ()) -> str | None:
        """The reading to show next: the oldest that nobody else looks at and that was not skipped, else the oldest."""
        self._forget()
        free = [reading for reading in waiting if self.other(session, reading) is None]
        for choice in (
            [reading for reading in free if reading not in skip],
            [reading for reading in waiting if reading not in skip],
            free,
            waiting,
        ):
            if choice:
                return choice[0]
        return None

    def _forget(self) -> None:
        old = self._now() - LOOK_S
        self._looks = {reading: look for reading, look in self._looks.items() if look[2] >= old}
