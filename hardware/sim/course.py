"""One simulated machine's life: game after game with attract mode between, handed out as its time comes.

No clock, no I/O: machine time is an argument, and the same seed lives the same life. Times are milliseconds since the
machine was switched on.
"""

from collections import deque
from collections.abc import Iterator

from hardware.sim.oracle import Event
from hardware.sim.play import Habits, draw, game


def timeline(habits: Habits, seed: int) -> Iterator[Event]:
    """Yield the events of game after game, for ever; the first begins after one idle gap."""
    course = Course(habits, seed)
    while True:
        yield from course.take(course.due() or 0)


class Course:
    """One machine's life, handed out as its time comes.

    With `waits`, a game begins only by `begin`; else game follows game after an idle gap.
    """

    def __init__(self, habits: Habits, seed: int, *, first: int = 1, waits: bool = False) -> None:
        self._habits = habits
        self._seed = seed
        self._number = first
        self._waits = waits
        self._left: deque[Event] = deque()
        if not waits:
            self._plan(0)

    def due(self) -> int | None:
        """When the next event happens (machine time), or None while the machine waits for players."""
        return self._left[0].at if self._left else None

    def take(self, now: int) -> list[Event]:
        """The events up to and with `now`, in order, each once."""
        taken = []
        while self._left and self._left[0].at <= now:
            taken.append(self._left.popleft())
            if not self._left and not self._waits:
                self._plan(taken[-1].at)
        return taken

    def begin(self, players: int, now: int) -> bool:
        """Somebody presses start (1 to 8 times). False, and nothing happens, while a game runs."""
        if self._left:
            return False
        self._left.extend(game(self._habits, self._seed, self._number, now, players=players))
        self._number += 1
        return True

    def _plan(self, at: int) -> None:
        events = _attract(self._habits, self._seed, self._number, at)
        begin = at + _idle(self._habits, self._seed, self._number)
        self._left.extend([*events, *game(self._habits, self._seed, self._number, begin)])
        self._number += 1


def _idle(habits: Habits, seed: int, number: int) -> int:
    chance = draw(seed, number, "idle")
    if number > 1 and chance.random() < habits.early_start:
        return chance.randint(300, 1500)
    return round(habits.idle_seconds * 1000 * chance.uniform(0.8, 1.2))


def _attract(habits: Habits, seed: int, number: int, at: int) -> list[Event]:
    if number > 1 and draw(seed, number, "attract").random() < habits.slam_tilt:
        return [Event(at=at + 200, kind="slam-tilt")]
    return []
