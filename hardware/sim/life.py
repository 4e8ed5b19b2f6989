"""A simulated machine's life against a clock: how fast it runs, who presses start, and the file that tells the truth.

Wall time is an argument (milliseconds since the machine was switched on). The two files are its only contact with the
world: `start`, which says how many players press start and is removed when they do, and `truth` (see `oracle`).
"""

import logging
from pathlib import Path
from typing import TextIO

from hardware.sim import oracle
from hardware.sim.course import Course
from hardware.sim.oracle import Event

MOST_PLAYERS = 8

_log = logging.getLogger(__name__)


class Life:
    """Hands out a course's events as wall time passes at `speed` (1.0: as fast as the real thing)."""

    def __init__(
        self, course: Course, *, speed: float = 1.0, start: Path | None = None, truth: Path | None = None
    ) -> None:
        self._course = course
        self.speed = speed
        self._start = start
        self._truth_path = truth
        self._truth: TextIO | None = None

    def machine_time(self, wall: int) -> int:
        """The machine's own clock at `wall`."""
        return int(wall * self.speed)

    def advance(self, wall: int) -> list[Event]:
        """What has happened up to now and was not yet told; also written to the truth file."""
        now = self.machine_time(wall)
        if self._start and self._course.due() is None and (players := _pressed(self._start)):
            self._course.begin(players, now)
        events = self._course.take(now)
        if events and self._truth_path:
            self._truth = self._truth or self._truth_path.open("a", encoding="utf-8")
            for event in events:
                oracle.write(self._truth, event)
        return events

    def wait(self, wall: int) -> int:
        """Wall milliseconds after which to advance again: at least 1, at most 100."""
        due = self._course.due()
        if due is None:
            return 100
        return min(100, max(1, round(due / self.speed - wall)))

    def close(self) -> None:
        """Let go of the truth file."""
        if self._truth:
            self._truth.close()
            self._truth = None


def _pressed(start: Path) -> int:
    """How many players press start now; the file is consumed. 0 where nobody does."""
    try:
        with start.open(encoding="utf-8") as file:
            text = file.read(64).strip()
        if not text:
            return 0
        start.unlink()
    except (OSError, UnicodeDecodeError):
        return 0
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_PLAYERS:
        return int(text)
    _log.error("%s must hold a number of players from 1 to %d, not %r: nobody pressed start", start, MOST_PLAYERS, text)
    return 0
