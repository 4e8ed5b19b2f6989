"""Where the wheels of a row are: equal boxes side by side, laid so that the gaps between digits fall on their edges.

Looks at one thing: how much each column of the window changes from top to bottom. Digits make a column change, gaps
and bare wheel do not. Invariant: a count that is not clear is not guessed.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

_MOST = 10
_SHAPES = (0.34, 1.25)
"""Width by height between which a wheel's window lies."""
_CLEAR = 0.12
"""How much better the best count must be than the next, as a part of the best."""
_NEAR = 0.06
_ROOM = 0.1
"""How far a row may keep from the window's sides, in wheels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`count` wheels from `left`, each `pitch` wide: fractions of the window's width. `clear`: how well it fits.

    `zoom`: how much of the window's height is looked at.
    """

    left: float
    pitch: float
    count: int
    clear: float
    zoom: float = 1.0

    def cut(self, flat: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
        """The picture of each wheel in the window's flat picture."""
        wide = flat.shape[1]
        edges = [(self.left + i * self.pitch) * wide for i in range(self.count + 1)]
        parts = []
        for a, b in pairwise(edges):
            start = min(max(0, round(a)), wide - 1)
            parts.append(flat[:, start : max(start + 1, min(wide, round(b)))])
        return parts

    def is_near(self, other: "Row") -> bool:
        """Whether both lay the wheels in the same places, to a few hundredths of one."""
        if (self.count, self.zoom) != (other.count, other.zoom):
            return False
        last = self.left + self.count * self.pitch - other.left - other.count * other.pitch
        return max(abs(self.left - other.left), abs(last)) <= _NEAR * self.pitch


def find_row(flat: NDArray[np.uint8], count: int | None) -> Row | None:
    """The row of `count` wheels in a flat window; of as many as there are if that is not said, None if not clear."""
    if count == 1:
        return Row(left=0.0, pitch=1.0, count=1, clear=1.0)
    busy = _busy(flat)
    if count is not None:
        return _fit(busy, count)
    shape = flat.shape[1] / flat.shape[0]
    counts = [n for n in range(1, _MOST + 1) if _SHAPES[0] <= shape / n <= _SHAPES[1]]
    rows = [_fit(busy, n) for n in counts]
    if not rows:
        return None
    if len(rows) == 1:
        return rows[0]
    best, second = sorted(rows, key=lambda row: -row.clear)[:2]
    return best if best.clear - second.clear > _CLEAR * best.clear else None


def _busy(flat: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How much each of 240 columns changes from top to bottom, 0..1."""
    grey = flat.astype(np.float32).max(2) if flat.ndim == 3 else flat.astype(np.float32)
    small = cv2.resize(grey, (240, 48), interpolation=cv2.INTER_AREA)[4:-4]
    change = np.abs(np.diff(small, axis=0)).mean(0).astype(np.float64)
    change = np.convolve(np.pad(change, 2, mode="edge"), np.ones(5) / 5, "valid")
    low, high = np.percentile(change, (5, 90))
    return np.asarray(np.clip((change - low) / max(1e-6, high - low), 0, 1), np.float64)


def _fit(busy: NDArray[np.float64], count: int) -> Row:
    """The best of many combs: quiet at the edges between wheels, busy in between."""
    wide = len(busy)
    best = Row(left=0.0, pitch=1 / count, count=count, clear=-1.0)
    sums = np.concatenate([[0], np.cumsum(busy)])
    for pitch in np.linspace(1 - 2 * _ROOM / count, 1.0, 9) / count:
        for left in np.linspace(0, 1 - pitch * count, 7):
            edges = (left + pitch * np.arange(count + 1)) * wide
            quiet = _mean(sums, edges[1:-1], 0.12 * pitch * wide) if count > 1 else np.zeros(1)
            inside = _mean(sums, edges[:-1] + pitch * wide / 2, 0.3 * pitch * wide)
            clear = float(np.minimum(inside, 0.6).mean() / 0.6 - quiet.mean() - 0.3 * quiet.max())
            # of equal combs the one that fills the window
            clear += 0.05 * pitch * count
            if clear > best.clear:
                best = Row(left=float(left), pitch=float(pitch), count=count, clear=clear)
    return best


def _mean(sums: NDArray[np.float64], middles: NDArray[np.float64], half: float) -> NDArray[np.float64]:
    last = len(sums) - 1
    start = np.clip(np.round(middles - half).astype(int), 0, last - 1)
    stop = np.clip(np.round(middles + half).astype(int), start + 1, last)
    means: NDArray[np.float64] = (sums[stop] - sums[start]) / (stop - start)
    return means
