"""One wheel over pictures: what is surer of a wheel that stands, and of one that was followed, than of a single look.

Looks in, wheels out; no pictures are laid flat here. Invariant: however long a wheel stands, one lasting cause (a
shadow, a stain) is counted as one sight; only other digits, seen before in the order in which wheels turn, add to it.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from capture.vision.reels.count import STOOD
from capture.vision.reels.wheel import Looked, Wheel, judge_wheel
from capture.vision.windows import alike

_AGAIN = 5
"""Pictures in which a wheel that stands is looked at; then it is known."""
_ALIKE, _BLOCK = 6.0, 4
"""Difference (of 255) of any 4 x 4 pixels' mean in a wheel's small picture up to which it stands as it stood."""
_GAIN = 1.3
"""By so much the exposure may have changed meanwhile."""
_SAME_PLACE, _LIGHT = 0.05, 18.0
"""Pitches by which the place of a wheel that stands is read apart under another light, and what that light may do."""
_STEPS = np.array((0.30, 0.40, 0.20, 0.05, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)) + 0.005
"""Chance of so many steps from one picture that differs to the next; any number where pictures were missed."""
_FIXED = 0.01
"""Chance that what is seen has nothing to do with the digit: no sight weighs more than that."""
_HOMES, _HOME = 4, 0.07
"""A wheel that stood like this with so many different digits stands askew; so near it stands on a digit."""

Flat = NDArray[np.uint8]
Chances = NDArray[np.float64]


class Follow:
    """One wheel of a row."""

    def __init__(self) -> None:
        self._flat: Flat | None = None
        self._looks: list[Looked] = []
        self._frames = 0
        self._wheel: Wheel | None = None
        self._before: Chances = np.full(10, 0.1)
        """Chances of the digits by all that was seen before it came to stand like this."""
        self._belief = self._before
        self._homes: deque[tuple[int, float]] = deque(maxlen=12)
        """Digits with which the wheel stood, and by how much too high."""

    def known(self, flat: Flat) -> Wheel | None:
        """The wheel, if it stands as it stood and was looked at often enough; None: look at it (`see`)."""
        if self._wheel is None or self._frames < _AGAIN or not self._as_before(flat):
            return None
        return self._wheel

    def see(self, flat: Flat, looked: Looked) -> Wheel:
        """One more picture (as `look_straight` gives it) and what the networks say of it."""
        first, alone = self._wheel is None, judge_wheel([looked])
        if self._wheel is not None and (
            self._as_before(flat) or (_same_place(alone, self._wheel) and self._as_before(flat, most=_LIGHT))
        ):
            self._frames += 1
            self._looks = [*self._looks, looked][-_AGAIN:]
        else:
            self._move_on()
            self._frames, self._looks = 1, [looked]
        self._flat = flat
        wheel = judge_wheel(self._looks) if self._frames > 1 else alone
        seen = (1 - _FIXED) * _digits(self._looks) + _FIXED / 10
        self._belief = self._before * (seen if self._frames >= STOOD else np.sqrt(seen))
        self._belief /= self._belief.sum()
        self._wheel = replace(
            wheel,
            alone=first,
            stood=self._frames,
            followed=float(self._belief[wheel.digit]),
            at_home=self._at_home(wheel.above),
        )
        return self._wheel

    def _move_on(self) -> None:
        """The wheel stands as it stood no more."""
        wheel = self._wheel
        if wheel is not None and wheel.stood > STOOD and wheel.followed > 0.9 and wheel.still >= 0.5:
            self._homes.append((wheel.digit, wheel.above))
        self._before = np.array([(self._belief * np.roll(_STEPS[::-1], digit + 1)).sum() for digit in range(10)])
        self._before /= self._before.sum()

    def _as_before(self, flat: Flat, most: float = _ALIKE) -> bool:
        if self._flat is None:
            return False
        gain = float(self._flat.mean()) / max(1.0, float(flat.mean()))
        if not 1 / _GAIN <= gain <= _GAIN:
            return False
        level = np.asarray(np.clip(flat * np.float32(gain), 0, 255), np.uint8)
        return alike(self._flat, level, block=_BLOCK, most=most)

    def _at_home(self, above: float) -> bool:
        if len({digit for digit, _ in self._homes}) < _HOMES:
            return False
        return abs(above - float(np.median([home for _, home in self._homes]))) <= _HOME


def _same_place(wheel: Wheel, before: Wheel) -> bool:
    return wheel.digit == before.digit and wheel.agreed and abs(wheel.above - before.above) <= _SAME_PLACE


def _digits(looks: Sequence[Looked]) -> Chances:
    """Chance of each digit by these looks together."""
    places = np.mean([said.places.mean(0) for looked in looks for said in looked.said], 0)
    return np.asarray(np.roll(places, 5).reshape(10, 10).sum(1), np.float64)
