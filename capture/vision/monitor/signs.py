"""The signs of one line on a screen: pieces of ink of one height side by side, and small marks at their foot.

Finds where signs are, not what they are. Invariant: every piece of ink as high as the line is a sign or the line is
refused; none is left out.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

LEAST_HIGH = 10
"""Pixels that a digit must be high."""
_MOST_SIGNS = 24
_ALIKE = 0.75
"""Height of a digit by the line's: the ones of a typeface differ little."""
_WIDEST, _NARROWEST = 1.15, 0.08
"""Width of a digit by its height."""

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Digits' boxes (left, top, right, bottom in pixels) from left to right.

    `marks` says after which of them a group mark stands. `ink` is 255 where the line's ink is. `doubt`, if not empty,
    says why this is no plain number.
    """

    boxes: tuple[tuple[int, int, int, int], ...]
    marks: tuple[int, ...]
    ink: Grey
    doubt: str = ""


def find_line(flat: NDArray[np.uint8]) -> Line:
    """The line of digits in a flat picture of a scoreboard box (BGR)."""
    lines = [_line(ink) for ink in _inks(flat)]
    # light on dark and dark on light are both tried: the right one has signs of one height and nothing else
    return max(lines, key=lambda line: (not line.doubt, len(line.boxes)))


def _inks(flat: NDArray[np.uint8]) -> list[Grey]:
    """What may be ink: lighter or darker than the ground, in the channel with the most contrast."""
    spreads = [float(np.percentile(plane, 96) - np.percentile(plane, 4)) for plane in cv2.split(flat)]
    plane = np.ascontiguousarray(flat[:, :, int(np.argmax(spreads))])
    plane = np.asarray(cv2.GaussianBlur(plane, (3, 3), 0), np.uint8)
    _, light = cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return [np.asarray(light, np.uint8), np.asarray(255 - light, np.uint8)]


def _line(ink: Grey) -> Line:
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    pieces = [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, area in stats[1:] if area >= 6]
    high, wide = ink.shape
    inside = [p for p in pieces if not _touches(p, high, wide)]
    cut = [p for p in pieces if _touches(p, high, wide) and p[3] - p[1] >= LEAST_HIGH and p[2] - p[0] < 0.5 * wide]
    tall = max((p[3] - p[1] for p in inside), default=0)
    if tall < LEAST_HIGH or count > 400:
        return Line(boxes=(), marks=(), ink=ink, doubt="no line of digits there")
    digits = sorted(p for p in inside if p[3] - p[1] >= _ALIKE * tall)
    if len(digits) > _MOST_SIGNS:
        return Line(boxes=(), marks=(), ink=ink, doubt="no line of digits there")
    doubt = _doubt(digits, cut, tall)
    return Line(boxes=tuple(digits), marks=_marks(inside, digits, tall), ink=ink, doubt=doubt)


def _touches(piece: tuple[int, int, int, int], high: int, wide: int) -> bool:
    return piece[0] <= 0 or piece[1] <= 0 or piece[2] >= wide or piece[3] >= high


def _doubt(digits: list[tuple[int, int, int, int]], cut: list[tuple[int, int, int, int]], tall: int) -> str:
    feet = [p[3] for p in digits]
    if max(feet) - min(feet) > 0.25 * tall:
        return "more than one line of text there, or it is not straight"
    if any(not _NARROWEST <= (p[2] - p[0]) / (p[3] - p[1]) <= _WIDEST for p in digits):
        return "signs touch each other"
    level = (min(p[1] for p in digits), max(feet))
    if any(p[1] < level[1] and p[3] > level[0] and p[3] - p[1] > 0.5 * tall for p in cut):
        return "the number reaches over the box's edge"
    if any(b[0] - a[2] > 1.3 * tall for a, b in pairwise(digits)):
        return "a gap in the number is too wide"
    return ""


def _marks(
    pieces: list[tuple[int, int, int, int]], digits: list[tuple[int, int, int, int]], tall: int
) -> tuple[int, ...]:
    """After which digit a comma or a point stands: small, at the foot, between two digits."""
    foot = max(p[3] for p in digits)
    small = [p for p in pieces if 0.06 * tall < p[3] - p[1] < 0.5 * tall and p[2] - p[0] < 0.45 * tall]
    low = [p for p in small if p[1] > foot - 0.4 * tall and p[3] > foot - 0.15 * tall]
    after = {sum(1 for d in digits if (d[0] + d[2]) / 2 < (p[0] + p[2]) / 2) for p in low}
    return tuple(sorted(place for place in after if 0 < place < len(digits)))
