"""How well four corners sit on a dot-matrix display, where they should be instead, and where a display is at all.

For calibration and for `recalibrate`: costs as much as a hundred readings. Pure. Invariant: corners that are proposed
were fitted to dots that are there; where there is no lattice, nothing is proposed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.errors import VisionInvalid
from capture.vision.lattice import Floats, Lattice
from capture.vision.panel import find_views
from capture.vision.quality import LEAST_LATTICE, refuse_picture
from capture.vision.rectify import Corners, Image, View, channels_of, flatten, lattice_in, view_by_corners
from hardware.displays import DotMatrix, Segments

_GOOD = 0.6
_TURNS = 3
"""Fits after which corners no longer move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """`quality`: how far the picture agrees with a lattice, 0 to 1 (`quality.LEAST_LATTICE` is the floor). `misfit`:
    how far the dots lie from where the corners put them, in dots, root of the mean square. `corners`: fitted to them.
    """

    quality: float
    misfit: float
    corners: Corners


def align(image: Image, display: DotMatrix, corners: Sequence[tuple[float, float]]) -> Alignment | None:
    """Fit the lattice within the corners; None where there is none. Raises VisionInvalid for impossible corners."""
    size = (image.shape[1], image.shape[0])
    best = _best(image, [view_by_corners(corners, display.columns, display.rows, size)])
    if best is None:
        return None
    lattice, view = best
    x, y = lattice.place(_middles(display.columns), _middles(display.rows))
    flat_x = _middles(display.columns) * view.width / display.columns - 0.5
    flat_y = _middles(display.rows) * view.height / display.rows - 0.5
    off = ((x - flat_x[None]) / lattice.x.pitch) ** 2 + ((y - flat_y[:, None]) / lattice.y.pitch) ** 2
    fitted = _corners(lattice, view, display, (0, 0))
    return Alignment(quality=lattice.quality, misfit=float(np.sqrt(off.mean())), corners=fitted)


def find_corners(image: Image, display: DotMatrix) -> Corners | None:
    """Corners of the display wherever it is in the picture; None where no lattice of that size is found."""
    if refuse_picture(image, display.columns, display.rows) is not None:
        return None
    best = _best(image, list(find_views(image, display.columns, display.rows)))
    if best is None:
        return None
    lattice, view = best
    corners = _corners(lattice, view, display, _first(lattice, view, image, display))
    for _ in range(_TURNS):
        try:
            again = align(image, display, corners)
        except VisionInvalid:
            return None
        if again is None:
            return None
        if again.misfit > 1.0:
            break
        corners = again.corners
    return corners


def find_row(image: Image, display: Segments, digits: int | None) -> Corners | None:
    """Corners of the surest row of cells in the picture; None where no digits are found."""
    from capture.vision.segments.network import shipped_cells, shipped_finder  # noqa: PLC0415 -- large, seldom needed
    from capture.vision.segments.place import find_place  # noqa: PLC0415

    nets = (shipped_cells(display.segments), shipped_finder())
    place = find_place(image, display.digits or digits, nets, glass=display.glass)
    if place is None:
        return None
    top_left, top_right, bottom_right, bottom_left = ((float(x), float(y)) for x, y in place.quad)
    return top_left, top_right, bottom_right, bottom_left


def _middles(count: int) -> Floats:
    """Where the dots of a line have their middles, in dots."""
    return np.arange(count, dtype=np.float64) + 0.5


def _best(image: Image, views: list[View]) -> tuple[Lattice, View] | None:
    """The best lattice over views and channels, if it is one."""
    best: tuple[Lattice, View] | None = None
    for view in views:
        for channel in channels_of(image):
            lattice = lattice_in(image, view, channel)
            if lattice is not None and (best is None or lattice.quality > best[0].quality + 0.05):
                best = lattice, view
            if best is not None and best[0].quality > _GOOD:
                return best
    return best if best is not None and best[0].quality >= LEAST_LATTICE else None


def _first(lattice: Lattice, view: View, image: Image, display: DotMatrix) -> tuple[int, int]:
    """Which of the lattice's dots is the display's first: the block of its size with most dots in it that are seen."""
    x, y = lattice.place(_middles(lattice.x.count), _middles(lattice.y.count))
    flat = flatten(image, view, 1).astype(np.float32)
    detail = np.abs(flat - cv2.GaussianBlur(flat, (0, 0), lattice.x.pitch / 1.5))
    detail = cv2.GaussianBlur(detail, (0, 0), lattice.x.pitch / 3)
    seen = cv2.remap(detail, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    seen = np.minimum(seen, float(np.percentile(seen, 90)))
    return _block(seen.mean(0), display.columns), _block(seen.mean(1), display.rows)


def _block(line: NDArray[np.float32], wanted: int) -> int:
    """Where `wanted` of a line's values have the largest sum, midmost of such places."""
    over = len(line) - wanted
    if over <= 0:
        return -(-over // 2)
    light = np.maximum(line - np.percentile(line, 10), 0)
    sums = np.convolve(light, np.ones(wanted, np.float32), "valid")
    return int(np.median(np.flatnonzero(sums >= 0.99 * sums.max())))


def _corners(lattice: Lattice, view: View, display: DotMatrix, first: tuple[int, int]) -> Corners:
    """The display's outer corners in the picture, by the homography through all its dots."""
    columns, rows = _middles(display.columns), _middles(display.rows)
    x, y = lattice.place(columns + first[0], rows + first[1])
    u, v = np.meshgrid(columns, rows)
    flat, _ = cv2.findHomography(
        np.stack([u.ravel(), v.ravel()], 1).astype(np.float32), np.stack([x.ravel(), y.ravel()], 1).astype(np.float32)
    )
    edges = np.array([[0, 0], [display.columns, 0], [display.columns, display.rows], [0, display.rows]], np.float64)
    placed = view.to_picture @ flat @ np.concatenate([edges, np.ones((4, 1))], 1).T
    points = (placed[:2] / placed[2]).T + 0.5
    top_left, top_right, bottom_right, bottom_left = ((float(px), float(py)) for px, py in points)
    return top_left, top_right, bottom_right, bottom_left
