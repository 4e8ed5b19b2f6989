"""Group marks: whether a number's commas or points stand where they must, by what was read and by what is lit.

Two witnesses that share nothing: the line reader's marks, and lit dots low in the gaps between digits. Invariant: a
number is in order only if marks, or at the least the room for them, stand before every third digit from the right and
nowhere else.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from capture.vision.networks import GROUP, Values
from capture.vision.signs import Box

_LIT = 0.4
_SEEN, _SURE = 0.4, 0.8
"""The line reader's chance of a mark: with the dots' word, and without it."""
_WIDER = 0.5
"""Dots by which gaps with marks are wider than every other."""


def judge_groups(dots: Values, boxes: Sequence[Box], marks: Sequence[float]) -> bool | None:
    """Whether marks stand where they must, and nowhere else; None if there is none.

    `boxes` are the digits', `marks` the line reader's chance of a mark in each gap between them. A mark that either
    witness saw is one; a wide gap stands for one only if exactly the right gaps are wide.
    """
    count = len(boxes)
    wanted = [(count - i) % 3 == 0 for i in range(1, count)]
    lit = _lit_gaps(dots, boxes) if count >= 4 else [False] * (count - 1)
    if count >= 4 and lit == wanted:
        return True
    wrong = [marks[i] >= _SEEN and (lit[i] or marks[i] >= _SURE) for i in range(count - 1) if not wanted[i]]
    if any(wrong):
        return False
    right = [marks[i] >= _SEEN or lit[i] for i in range(count - 1) if wanted[i]]
    if right and (all(right) or _spaced(boxes, wanted)):
        return True
    return False if any(right) else None


def place_marks(signs: Sequence[tuple[str, float]]) -> tuple[float, ...]:
    """The line reader's signs and chances as the chance of a mark in each gap between its digits."""
    marks: list[float] = []
    for sign, chance in signs:
        if sign != GROUP:
            marks.append(0.0)
        elif marks:
            marks[-1] = max(marks[-1], chance)
    return tuple(marks[:-1])


def _spaced(boxes: Sequence[Box], wanted: Sequence[bool]) -> bool:
    gaps = [right[0] - left[2] for left, right in pairwise(boxes)]
    wide = [gap for gap, here in zip(gaps, wanted, strict=True) if here]
    plain = [gap for gap, here in zip(gaps, wanted, strict=True) if not here]
    return bool(plain) and min(wide) > max(plain) + _WIDER


def _lit_gaps(dots: Values, boxes: Sequence[Box]) -> list[bool]:
    """Whether each gap holds something low."""
    top, bottom = float(np.median([box[1] for box in boxes])), float(np.median([box[3] for box in boxes]))
    plain = dots[0] > _LIT
    return [_marked(plain, (left[2], right[0]), (top, bottom)) for left, right in pairwise(boxes)]


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
