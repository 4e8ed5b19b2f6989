"""The signs of one line on a screen: pieces of ink of one height side by side, and small marks at their foot.

Finds where signs are, not what they are. Invariant: every piece of ink as high as the line is a sign or the line is
refused; none is left out.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

HIGH = 160
"""Pixels that a box is made high before its signs are looked for: strokes that are close stay apart."""
LEAST_HIGH = 24
"""Pixels of these that a digit must be high."""
_MOST_SIGNS = 24
_MOST_TOUCHING = 6
_LEVELS = (1.0, 1.3, 1.6)
"""Where ink is cut off from the ground, in parts of the usual threshold."""
_ALIKE = 0.75
"""Height of a digit by the line's: the ones of a typeface differ little."""
_GROUND = 0.45
"""Size of what belongs to the ground, by the box's height: wider than any stroke."""
_WIDEST, _NARROWEST = 1.15, 0.08
"""Width of a digit by its height."""

Grey = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Digits' boxes (left, top, right, bottom in pixels) from left to right.

    `marks` says after which of them a group mark stands. `ink` is 255 where the line's ink is. `doubt`, if not empty,
    says why this is no plain number.
    """

    boxes: tuple[Box, ...]
    marks: tuple[int, ...]
    ink: Grey
    doubt: str = ""


def find_line(flat: NDArray[np.uint8]) -> Line:
    """The line of digits in a flat picture of a scoreboard box (BGR).

    Close signs run together in a soft picture. So the ink is cut off higher and higher until each piece is one sign;
    all that the lowest cut showed must still be covered. What still touches then is cut apart where it is thinnest.
    """
    stands_out = _stand_out(flat)
    middle, _ = cv2.threshold(stands_out, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    first: Grey | None = None
    for level in _LEVELS:
        ink = np.asarray(np.where(stands_out > level * middle, 255, 0), np.uint8)
        first = ink if first is None else first
        line = _line(ink, split=False)
        if not line.doubt and _covers(line, first):
            return line
    return _line(ink if first is None else first, split=True)


def enlarge(flat: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The flat picture of a box, as high as signs need it."""
    scale = HIGH / flat.shape[0]
    if scale <= 1.05:
        return flat
    return np.asarray(cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def _stand_out(flat: NDArray[np.uint8]) -> Grey:
    """How much each pixel stands out from the ground around it, in the channel with the most contrast.

    The ground is what most of the box's edge shows. Slow changes of light (glare, shading) are taken out first.
    """
    spreads = [float(np.percentile(plane, 96) - np.percentile(plane, 4)) for plane in cv2.split(flat)]
    plane = np.ascontiguousarray(flat[:, :, int(np.argmax(spreads))])
    plane = np.asarray(cv2.GaussianBlur(plane, (3, 3), 0), np.uint8)
    _, light = cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    edge = np.concatenate([light[:2].ravel(), light[-2:].ravel(), light[:, :2].ravel(), light[:, -2:].ravel()])
    if float((edge > 0).mean()) > 0.5:
        plane = np.asarray(255 - plane, np.uint8)
    size = max(5, round(_GROUND * flat.shape[0])) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(plane, cv2.MORPH_TOPHAT, kernel), np.uint8)


def _line(ink: Grey, *, split: bool) -> Line:
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    pieces = [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, area in stats[1:] if area >= 6]
    high, wide = ink.shape
    inside = [p for p in pieces if not _touches(p, high, wide)]
    cut = [p for p in pieces if _touches(p, high, wide) and p[3] - p[1] >= LEAST_HIGH and p[2] - p[0] < 0.5 * wide]
    tall = max((p[3] - p[1] for p in inside), default=0)
    if tall < LEAST_HIGH or count > 400:
        return Line(boxes=(), marks=(), ink=ink, doubt="no line of digits there")
    digits = sorted(p for p in inside if p[3] - p[1] >= _ALIKE * tall)
    if split:
        digits = [part for piece in digits for part in _split(piece, ink, tall)]
    if len(digits) > _MOST_SIGNS:
        return Line(boxes=(), marks=(), ink=ink, doubt="no line of digits there")
    marks, rest = _marks(inside, digits, tall)
    doubt = _doubt(digits, marks, cut, tall) or _unexplained(rest, digits, marks, tall)
    return Line(boxes=tuple(digits), marks=marks, ink=ink, doubt=doubt)


def _covers(line: Line, ink: Grey) -> bool:
    """Whether the digits take up every high piece of this ink from side to side."""
    taken = np.zeros(ink.shape[1], bool)
    for left, _, right, _ in line.boxes:
        taken[max(0, left - 3) : right + 3] = True
    top, bottom = min(box[1] for box in line.boxes), max(box[3] for box in line.boxes)
    columns = (ink[top:bottom] > 0).sum(0) > 0.5 * (bottom - top)
    return not bool((columns & ~taken).any())


def _split(piece: Box, ink: Grey, tall: int) -> list[Box]:
    """A piece of several signs, cut where its ink is thinnest near equal parts. If that was right, the readers see."""
    left, top, right, bottom = piece
    thick = ink[top:bottom, left:right].astype(np.float32).mean(0)
    wide = right - left
    best: tuple[float, list[int]] = (0.6 if wide < 1.05 * tall else 9.0, [0, wide])
    for count in range(2, _MOST_TOUCHING + 1):
        step = wide / count
        if not 0.4 * tall <= step <= 1.05 * tall:
            continue
        cuts = [0]
        for i in range(1, count):
            low, high = round((i - 0.2) * step), round((i + 0.2) * step)
            cuts.append(low + int(np.argmin(thick[low:high])))
        worst = max(float(thick[cut]) for cut in cuts[1:]) / max(1.0, float(thick.mean()))
        best = min(best, (worst, [*cuts, wide]))
    return [(left + a, top, left + b, bottom) for a, b in pairwise(best[1])]


def _touches(piece: Box, high: int, wide: int) -> bool:
    return piece[0] <= 0 or piece[1] <= 0 or piece[2] >= wide or piece[3] >= high


def _doubt(digits: list[Box], marks: tuple[int, ...], cut: list[Box], tall: int) -> str:
    feet = [p[3] for p in digits]
    if max(feet) - min(feet) > 0.25 * tall:
        return "more than one line of text there, or it is not straight"
    if any(not _NARROWEST <= (p[2] - p[0]) / (p[3] - p[1]) <= _WIDEST for p in digits):
        return "signs touch each other"
    level = (min(p[1] for p in digits), max(feet))
    if any(p[1] < level[1] and p[3] > level[0] and p[3] - p[1] > 0.5 * tall for p in cut):
        return "the number reaches over the box's edge"
    gaps = [(b[0] - a[2]) / tall for a, b in pairwise(digits)]
    if any(gap > (2.0 if place in marks else 1.3) for place, gap in enumerate(gaps, 1)):
        return "a gap in the number is too wide"
    return ""


def _unexplained(rest: list[Box], digits: list[Box], marks: tuple[int, ...], tall: int) -> str:
    """Ink in the line that is neither digit nor mark may be what is left of a digit."""
    top, foot = min(p[1] for p in digits), max(p[3] for p in digits)
    left = [p for p in rest if p[3] > top and p[1] < foot and max(p[2] - p[0], p[3] - p[1]) > 0.15 * tall]
    if left or any(place in {0, len(digits)} for place in marks):
        return "something in the number's line is not explained: a digit may be washed out"
    return ""


def _marks(pieces: list[Box], digits: list[Box], tall: int) -> tuple[tuple[int, ...], list[Box]]:
    """After which digit a comma or a point stands (small, at the foot, outside the digits), and all other ink."""
    foot = max(p[3] for p in digits)
    small = [p for p in pieces if p not in digits]
    low = [
        p for p in small
        if 0.06 * tall < p[3] - p[1] < 0.5 * tall and p[2] - p[0] < 0.45 * tall
        and p[1] > foot - 0.4 * tall and p[3] > foot - 0.15 * tall
    ]  # fmt: skip
    after = {sum(1 for d in digits if (d[0] + d[2]) / 2 < (p[0] + p[2]) / 2) for p in low}
    within = [p for p in small if any(d[0] <= p[0] and p[2] <= d[2] for d in digits)]
    return tuple(sorted(after)), [p for p in small if p not in low and p not in within]
