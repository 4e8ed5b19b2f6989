"""Whether each digit's bars are as bright as the same bars of its neighbours: half lit means two figures in one frame.

Plain measuring, for lit digits of seven segments. Invariant: a bar is compared with bars in the same place alone, so
that shape, bloom and thickness do not matter.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from capture.vision.segments.codes import DIGITS
from capture.vision.segments.strip import AROUND_X, AROUND_Y, Values

_PLACES = {
    "a": (0.25, 0.75, -0.06, 0.2), "b": (0.72, 1.08, 0.17, 0.4), "c": (0.72, 1.08, 0.6, 0.83),
    "d": (0.25, 0.75, 0.8, 1.06), "e": (-0.08, 0.28, 0.6, 0.83), "f": (-0.08, 0.28, 0.17, 0.4),
    "g": (0.25, 0.75, 0.37, 0.63),
}  # fmt: skip
"""Where each bar lies in its digit: left, right, top, bottom."""
_LIT = 0.4
"""Usual level of a bar below which a plane says nothing of it."""
_LEAST = 3
"""Digits that must have a bar lit, to know its usual level."""


def measure_bars(cell: Values) -> Values:
    """Levels of the seven bars in both planes (2 x 7) of a cell as `strip.cut_cells` cuts it."""
    levels = []
    for x0, x1, y0, y1 in _PLACES.values():
        columns = slice(*(round((AROUND_X + x) / (1 + 2 * AROUND_X) * cell.shape[2]) for x in (x0, x1)))
        rows = slice(*(round((AROUND_Y + y) / (1 + 2 * AROUND_Y) * cell.shape[1]) for y in (y0, y1)))
        levels.append(cell[:, rows, columns].max(1 if x1 - x0 > y1 - y0 else 2).mean(1))
    return np.array(levels, np.float32).T


def least_even(digits: Sequence[str], bars: Sequence[Values]) -> float:
    """The darkest bar against the same bars of the other digits (1: as bright). 1 where there is nothing to compare."""
    lit = np.array([[all(name in code for code in DIGITS[digit]) for name in _PLACES] for digit in digits])
    said = [_least(lit, np.array([bar[plane] for bar in bars])) for plane in range(2)]
    return max((share for share in said if share is not None), default=1.0)  # glare spoils one plane alone


def _least(lit: NDArray[np.bool_], levels: Values) -> float | None:
    """The same in one plane (digits x bars); None where it has nothing to compare."""
    known = lit.sum(0) >= _LEAST
    usual = np.array([np.median(levels[lit[:, bar], bar]) if known[bar] else 0.0 for bar in range(lit.shape[1])])
    clear = known & (usual > _LIT)
    shares = [levels[i, lit[i] & clear] / usual[lit[i] & clear] for i in range(len(lit))]
    return min((float(row.min() / np.median(row)) for row in shares if len(row) > 1), default=None)
