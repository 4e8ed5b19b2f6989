"""A line of digits cut out of a display: its rows, its columns, its light evened, and nothing lit right above or below.

Geometry only: what the digits are is for `atlas_read` and `atlas_teach`, which see lines alike because both cut them
here. Invariant: what does not stand by itself is not cut at all; of tall digits with broad strokes what is one dot thin
is left out (stars, noise, thin group marks), of all others nothing is.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.networks import Values
from capture.vision.signs import Box
from hardware.atlas import MOST_DROP

Mask = NDArray[np.bool_]
LIT = 0.5
"""Brightness, as a part of the line's own, from which a dot is lit."""
LOW = 0.55
"""What begins below this part of the height is no digit but a mark."""
SLACK = 2
"""Rows by which a box may be taller or shorter than the digits in it."""
_TALL = 12
"""Rows from which strokes may be so broad that what is one dot thin is no part of a digit."""
_BROAD = 0.85
"""Part of the lit dots that must lie in strokes of two dots and more for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A line cut out: `dots` (rows x columns of the whole display, dark 0, lit 1) from row `top`, its digits `rows`
    high and `drop` rows below them; `blocks`: the columns (start, stop) that hold something in the digits' rows.
    """

    top: int
    rows: int
    dots: Values
    blocks: tuple[tuple[int, int], ...]

    def low(self, block: tuple[int, int]) -> bool:
        """Whether only the foot of the block is lit, as of a group mark."""
        body = self.dots[: self.rows, block[0] : block[1]]
        return not bool((body[: int(LOW * self.rows)] > LIT).any())


def cut_strip(dots: Values, box: Box, *, rows: int | None = None, drop: int = 0, reach: int = 0) -> Strip | None:
    """The line in the box with nothing lit right above or below it; None where it does not stand by itself.

    `rows`: the digits' height where it is known, with `drop` rows below for marks; else `drop` is the most rows of
    marks there may be, and the height is what remains. `reach`: the line goes on beyond the box while no more dark
    columns than that lie between. Columns that run on far above and below the digits are bars, not signs.
    """
    height, width = dots.shape
    x0, x1 = max(0, round(box[0] - 0.5)), min(width, round(box[2] + 0.5))
    middle = (box[1] + box[3]) / 2
    if x1 - x0 < 1 or not 0 <= middle < height:
        return None
    flat = _even(dots, box)
    lit: Mask = np.greater(flat, LIT)
    if box[3] - box[1] >= _TALL - 0.5:
        thin = _thin(lit, box)
        lit, flat = lit & ~thin, np.where(thin, 0, flat)
    span = (max(0, round(box[1])), min(height, max(round(box[1]) + 1, round(box[3]))))
    bars: Mask = np.all(lit[max(0, span[0] - 3) : span[1] + 3], axis=0)
    lit[:, bars] = False
    top, stop = _run(np.any(lit[:, x0:x1], axis=1), int(middle))
    if rows is None:
        rows = _feet(lit[top:stop, x0:x1], drop)
    if not rows <= stop - top <= rows + drop or abs(rows - (box[3] - box[1])) > max(SLACK, 0.2 * rows):
        return None
    body = np.where(bars[None], 0, flat)[top:stop]
    strip = np.zeros((rows + drop, width), np.float32)
    strip[: len(body)] = body
    across: Mask = np.any(lit[top : top + rows], axis=0)
    left, right = _extent(across, (x0, x1), bars, reach)
    return Strip(top=top, rows=rows, dots=strip, blocks=_blocks(across, left, right))


def _even(dots: Values, box: Box) -> Values:
    """The dots with this line's dark at 0 and its bright at 1."""
    x0, y0, x1, y1 = (max(0, round(place)) for place in box)
    body = dots[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1)].ravel()
    if not body.size or float(body.max()) <= 0:
        return dots.copy()
    half = (float(np.percentile(body, 98)) + min(0.0, float(body.min()))) / 2
    bright, below = body[body > half], body[body <= half]
    if not bright.size or not below.size:
        return dots.copy()
    dark = float(np.median(below))
    return np.asarray((dots - dark) / max(float(np.median(bright)) - dark, 1e-3), np.float32)


def _thin(lit: Mask, box: Box) -> Mask:
    """Lit dots that lie in no square of two by two, if there are few of them; else those that touch at most one."""
    square = lit[:-1, :-1] & lit[1:, :-1] & lit[:-1, 1:] & lit[1:, 1:]
    wide = np.pad(square, 1)
    broad: Mask = wide[:-1, :-1] | wide[1:, :-1] | wide[:-1, 1:] | wide[1:, 1:]
    x0, y0, x1, y1 = (max(0, round(place)) for place in box)
    if broad[y0:y1, x0:x1].sum() >= _BROAD * lit[y0:y1, x0:x1].sum():
        return lit & ~broad
    _, labels, stats, _ = cv2.connectedComponentsWithStats(lit.astype(np.uint8), connectivity=8)
    small: Mask = stats[labels, cv2.CC_STAT_AREA] <= 2
    return lit & small


def _run(lit: Mask, middle: int) -> tuple[int, int]:
    """The run of lit rows about the middle."""
    start, stop = middle, middle + 1
    while start > 0 and lit[start - 1]:
        start -= 1
    while stop < len(lit) and lit[stop]:
        stop += 1
    return start, stop


def _feet(lit: Mask, drop: int) -> int:
    """The digits' height: rows of the line less those at its foot in which fewer parts are lit than it has digits."""
    parts = [len(_blocks(row, 0, len(row))) for row in lit]
    digits = len(_blocks(np.any(lit[: int(LOW * len(lit))], axis=0), 0, lit.shape[1]))
    rows = len(lit)
    while rows > 1 and len(lit) - rows < min(drop, MOST_DROP) and parts[rows - 1] <= (digits - 1) // 3 and digits > 3:
        rows -= 1
    return rows


def _extent(lit: Mask, box: tuple[int, int], bars: Mask, reach: int) -> tuple[int, int]:
    """The box's columns, and further while something lit follows after at most `reach` dark ones; not beyond a bar."""
    left, right = box
    first = max((int(place) + 1 for place in np.flatnonzero(bars) if place < left), default=0)
    last = min((int(place) for place in np.flatnonzero(bars) if place >= right), default=len(lit))
    while (more := lit[max(first, left - reach - 1) : left]).any():
        left = max(first, left - reach - 1) + int(np.argmax(more))
    while (more := lit[right : min(last, right + reach + 1)]).any():
        right += int(np.flatnonzero(more)[-1]) + 1
    return left, right


def _blocks(lit: Mask, left: int, right: int) -> tuple[tuple[int, int], ...]:
    """Runs of lit columns between two places."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], lit[left:right], [False]]).astype(np.int8)))
    return tuple((left + int(a), left + int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True))
