"""Score reels as mechanics: wheels that are stepped by pulses, carry, stick and are stepped back to zero.

Plain arithmetic in machine time; nothing is drawn. Invariant: at any time after the last pulse has run, the wheels show
the number they were told to show, modulo their digits.
"""

import random
from collections import deque
from dataclasses import dataclass

STEP_MS = 90
"""A wheel moves by one digit in this time."""
PULSE_MS, HURRY_MS = 115, 60
"""From one pulse of the score motor to the next; the second where much is waiting."""
RESET_MS = 130
NEAR = 0.16
"""A wheel that is no farther than this from a digit shows that digit."""


@dataclass(slots=True)
class _Step:
    at: int
    takes: int


class Wheels:
    """One player's wheels, the first the ones'. Times given must not run backwards."""

    def __init__(self, count: int, *, stick: float = 0.0, seed: int = 0) -> None:
        self._digits = [0] * count
        """Where each wheel will stand after all its steps."""
        self._steps: list[deque[_Step]] = [deque() for _ in range(count)]
        self._busy = 0
        self._stick = stick
        self._chance = random.Random(f"inlane/{seed}/wheels")  # noqa: S311 -- repeatable, no secrets

    def add(self, number: int, at: int) -> None:
        """Step the wheels until they show `number` more; the weakest wheel first."""
        for wheel, pulses in enumerate(reversed(str(number))):
            if wheel >= len(self._digits):
                return
            for _ in range(int(pulses)):
                self._pulse(wheel, self._next(at))

    def reset(self, at: int) -> None:
        """Step each wheel on to zero, all of them together."""
        begin = max(at, self._busy)
        longest = begin
        for wheel, digit in enumerate(self._digits):
            for count in range((10 - digit) % 10):
                self._step(wheel, begin + count * RESET_MS)
                longest = max(longest, begin + (count + 1) * RESET_MS)
            self._digits[wheel] = 0
        self._busy = longest

    def places(self, at: int) -> list[float]:
        """Where each wheel stands, the ones' first: 3.0 shows the 3, 3.5 is half-way to the 4; 0 up to 10."""
        return [self._place(wheel, at) for wheel in range(len(self._digits))]

    def shown(self, at: int) -> int | None:
        """The number that stands there, or None while any wheel is between two digits."""
        total = 0
        for wheel, place in enumerate(self.places(at)):
            if abs(place - round(place)) > NEAR:
                return None
            total += round(place) % 10 * 10**wheel
        return total

    def _next(self, at: int) -> int:
        waiting = self._busy - at
        begin = max(at, self._busy)
        self._busy = begin + (HURRY_MS if waiting > 1500 else PULSE_MS)
        return begin

    def _pulse(self, wheel: int, at: int) -> None:
        if wheel >= len(self._digits):
            return  # rolled over
        self._step(wheel, at)
        self._digits[wheel] = (self._digits[wheel] + 1) % 10
        if self._digits[wheel] == 0:
            self._pulse(wheel + 1, at)  # the wheel's own switch at nine steps the next one with it

    def _step(self, wheel: int, at: int) -> None:
        takes = STEP_MS
        if self._stick and self._chance.random() < self._stick:
            takes = self._chance.randint(1500, 6000)
        last = self._steps[wheel][-1] if self._steps[wheel] else None
        begin = at if last is None else max(at, last.at + last.takes)
        self._steps[wheel].append(_Step(begin, takes))

    def _place(self, wheel: int, at: int) -> float:
        steps = self._steps[wheel]
        while steps and steps[0].at + steps[0].takes <= at:
            steps.popleft()
        place = float(self._digits[wheel] - len(steps))
        if steps and at > steps[0].at:
            done = (at - steps[0].at) / steps[0].takes
            if steps[0].takes > STEP_MS:  # it sticks half-way
                done = min(0.5, done * 8) if done < 0.9 else 0.5 + (done - 0.9) * 5
            place += min(1.0, done)
        return place % 10
