"""Whether the cells of a row account for all that stands there: evenly set, none astride two digits, none left out.

Plain measuring on strips. Not here: what the cells show. Invariant: a row that was laid with too few or too many cells
leaves light between or beside them, or cells that crowd each other: either holds its number.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.segments.strip import HIGH, MARGIN_X, MARGIN_Y, Strip, Values

_CROWDED, _APART = 1.12, 2.2
"""Least and most pitch, in digits' widths."""
_NEAR, _FAR = 0.84, 1.3
"""Least and most step from cell to cell, by the usual one: points may take room, half a digit may not."""
_GROWN = 0.22
"""Widths by which a cell's own light may stand out beside it."""
_BAND = (0.14, 0.78)
"""Part of the height, from the top, in which light beside a cell is none of its points."""
_LIT = 0.55
_TALL = 0.45
"""Share of the band's height that a column of an upright bar lights."""
_BROAD = 0.08
"""Widths of a bar."""


def doubt_spacing(corners: Values) -> str:
    """Empty, or why cells at these corners (n x 4 x 2) cannot be one row of digits."""
    if len(corners) < 2:
        return ""
    middles = corners.mean(1)
    steps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    usual = float(np.median(steps))
    width = float(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1).mean())
    if steps.min() < _CROWDED * width:
        return "the digits stand closer than --digits says"
    if steps.max() > _APART * width:
        return "the digits stand further apart than --digits says"
    if len(steps) > 1 and (steps.min() < _NEAR * usual or steps.max() > _FAR * usual):
        return "the digits are not evenly spaced"
    return ""


def light_beside(strip: Strip, corners: Values, *, ends: bool) -> bool:
    """Whether an upright bar is lit in the row where no cell stands: between cells, and with `ends` from one side of
    the strip's block to the other.
    """
    rows = np.round(MARGIN_Y + HIGH * np.linspace(*_BAND, 25)).astype(int)
    left, right = _sides(corners, rows)
    width = float(np.mean(right - left))
    left, right = left - _GROWN * width, right + _GROWN * width
    spans = list(zip(right[:-1], left[1:], strict=True))
    if ends:
        spans += [(np.full(len(rows), MARGIN_X), left[0]), (right[-1], np.full(len(rows), MARGIN_X + strip.width))]
    need = max(2.0, _BROAD * width)
    return any(_upright(strip, rows, start, stop) >= need for start, stop in spans)


def in_strip(strip: Strip, points: Values) -> Values:
    """Points of the picture (... x 2) in the strip."""
    flat = points.reshape(-1, 1, 2).astype(np.float64) - 0.5
    back = np.linalg.inv(strip.to_picture)
    return (cv2.perspectiveTransform(flat, back).reshape(points.shape) + 0.5).astype(np.float32)


def _sides(corners: Values, rows: NDArray[np.intp]) -> tuple[Values, Values]:
    """Where each cell begins and ends in these rows (n x rows)."""

    def at(top: int, foot: int) -> Values:
        a, b = corners[:, top], corners[:, foot]
        share = (rows[None] - a[:, 1:]) / np.maximum(b[:, 1:] - a[:, 1:], 1.0)
        return np.asarray(a[:, :1] + (b[:, :1] - a[:, :1]) * share, np.float32)

    return at(0, 3), at(1, 2)


def _upright(strip: Strip, rows: NDArray[np.intp], start: Values, stop: Values) -> int:
    """Columns of the span from `start` to `stop` (of each row) that are lit over much of the band, in both planes."""
    tall = float(np.mean(stop - start))
    if tall < 1:
        return 0
    lean = stop if np.ptp(start) == 0 else start  # a span at the block's end leans as its cell does
    offset = np.arange(int(np.ceil(tall)) + 1)
    columns = np.round(lean[:, None] + (offset - (offset[-1] if lean is stop else 0))[None]).astype(int)
    inside = (columns >= np.floor(start)[:, None]) & (columns <= np.ceil(stop)[:, None])
    inside &= (columns >= 0) & (columns < strip.planes.shape[2])
    light = strip.planes[:, rows[:, None], np.clip(columns, 0, strip.planes.shape[2] - 1)]
    return int((((light > _LIT) & inside[None]).mean(1) > _TALL).all(0).sum())
