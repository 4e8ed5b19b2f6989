"""Whether something lies over the display right beside a number, so that a part of the number may be hidden under it.

Raw dots in, a verdict out. Nothing is read here. A camera sees unlit dots too, if faintly: grain, gaps, the glow of
neighbours. Invariant: only a display whose unlit dots show such a grain can tell that it is missing somewhere.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

_GRAIN, _COARSE = 0.8, 3.0
"""Least usual grain of unlit dots, in steps of 255, that can be missed; and the most (beside text it is coarser)."""
_SMOOTH = 0.22
"""Part of the usual grain below which a dot is covered."""
_MOST = 0.65
"""Part of the number's rows in which a column is covered."""
_REACH, _BROAD = 1.4, 0.3
"""Digits' widths beside the number that are looked at, and that a cover takes up at the least."""


def covered_beside(raw: NDArray[np.float32], box: tuple[float, float, float, float], signs: int) -> bool:
    """Whether the dots left or right of a number are hidden. `raw`: 2 x rows x columns as the sampler gives them, in
    the picture's own brightness; `box`: left, top, right, bottom in fractions of the display; `signs`: its digits.
    """
    _, rows, columns = raw.shape
    left, right = box[0] * columns, box[2] * columns
    top, bottom = max(0, round(box[1] * rows)), min(rows, round(box[3] * rows))
    smooth = _smooth(raw)
    if smooth is None or bottom - top < 3:
        return False
    hidden = smooth[top:bottom].mean(0) >= _MOST
    width = (right - left) / max(1, signs)
    sides = ((left - _REACH * width, left), (right, right + _REACH * width))
    need = max(2.0, _BROAD * width)
    return any(int(hidden[max(0, round(a)) : max(0, round(b))].sum()) >= need for a, b in sides)


def _smooth(raw: NDArray[np.float32]) -> NDArray[np.bool_] | None:
    """Which dots have none of the grain that unlit dots usually have; None where they have none anyway."""
    edge = raw[1]
    grain = cv2.blur(np.abs(edge - cv2.blur(edge, (3, 3))), (1, 5))
    usual = float(np.percentile(grain[raw[0] <= np.percentile(raw[0], 60)], 70))  # half of them may be covered
    return None if usual < _GRAIN else np.asarray(grain < _SMOOTH * min(usual, _COARSE), np.bool_)
