"""Group marks: whether a number's commas or points stand where they must, by what was read and by what is lit.

Two witnesses that share nothing: the line reader's marks, and lit dots low in the gaps between digits. Invariant: a
number is in order only if marks stand before every third digit from the right and nowhere else.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from capture.vision.networks import GROUP, Values
from capture.vision.signs import Box

_LIT = 0.4


def groups_read(signs: Sequence[str]) -> bool | None:
    """By the line reader's signs; None if it saw no mark."""
    text = "".join(signs)
    if GROUP not in text:
        return None
    parts = text.split(GROUP)
    return 1 <= len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])


def groups_lit(dots: Values, boxes: Sequence[Box]) -> bool | None:
    """By lit dots in the gaps: True if exactly the right gaps hold something low; None if the dots do not tell."""
    count = len(boxes)
    if count < 4:
        return None
    top, bottom = float(np.median([box[1] for box in boxes])), float(np.median([box[3] for box in boxes]))
    plain = dots[0] > _LIT
    marked = [_marked(plain, (left[2], right[0]), (top, bottom)) for left, right in pairwise(boxes)]
    wanted = [(count - i) % 3 == 0 for i in range(1, count)]
    return True if marked == wanted else None


def _marked(lit: NDArray[np.bool_], gap: tuple[float, float], rows: tuple[float, float]) -> bool:
    """Whether a gap between digits holds something at the line's foot and nothing above it."""
    high = rows[1] - rows[0]
    x0, x1 = round(gap[0]), max(round(gap[0]) + 1, round(gap[1]))
    foot = lit[max(0, round(rows[1] - 0.22 * high)) : round(rows[1] + 0.25 * high) + 1, x0:x1]
    above = lit[max(0, round(rows[0])) : max(0, round(rows[1] - 0.45 * high)), x0:x1]
    if not foot.size or x1 - x0 < 1:
        return False
    dark = above.mean(0) < 0.25 if above.size else np.ones(x1 - x0, bool)
    return bool(foot[:, dark].sum() >= max(1, round(0.004 * high * high)))
