"""Where one window's cells are in the camera's picture: by corners, or found; fitted, and followed when it moves.

Networks and pictures in, a Place out. Not here: what the cells show. Invariant: a place is fitted to the picture it was
made from, and how the number of cells is known is said with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from capture.vision.errors import VisionInvalid
from capture.vision.segments.find import find_rows
from capture.vision.segments.fit import LEANS, Fit, fit_grid, inside_strip, outline, refine
from capture.vision.segments.network import CellNetwork, FindNetwork
from capture.vision.segments.strip import Image, Strip, Values, cut_cells, cut_strip, to_picture

MOVED = 0.1
"""Digits' widths of drift after which the grid is fitted anew."""
_POOR = -0.6
"""Mean log chance of the cells below which a fit by corners is tried again by finding the digits within them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`quad`: the block's corners in pixels; `corners` n x 4 x 2: the cells in the strip that is cut by that quad.
    `found`: without corners. `counted`: nobody said how many cells there are. `whole`: all of it is in the picture, the
    digits in it were all found, and no more stand beside it. `sureness`: of the fit, a mean log chance. `lit`: the
    chance of a sign in each cell.
    """

    quad: Values
    corners: Values
    glass: str
    found: bool
    counted: bool
    whole: bool
    sureness: float
    lit: Values

    @property
    def high(self) -> float:
        """Height of the block in pixels."""
        top_left, top_right, bottom_right, bottom_left = self.quad
        return float(np.linalg.norm(bottom_left - top_left) + np.linalg.norm(bottom_right - top_right)) / 2


def place_by_corners(
    image: Image,
    quad: Values,
    cells: int | None,
    nets: tuple[CellNetwork, FindNetwork],
    *,
    glass: str,
    slant: float | None,
) -> Place | None:
    """The place within corners. None where the number of cells is not known and cannot be counted."""
    leans = LEANS if slant is None else (0.0, float(np.tan(np.radians(slant))))
    best: Place | None = None
    if cells is not None:
        best = _fit(image, quad, cells, nets[0], glass=glass, leans=leans)
    if best is None or best.sureness < _POOR:
        part, start = _within(image, quad)
        for row in find_rows(part, nets[1], cells)[:2]:
            tries = [(row.quad + start, row.cells)]
            if cells is None:
                tries += [(quad, row.cells + more) for more in (0, 1, -1) if row.cells + more > 0]
            for block, count in tries:
                other = _fit(image, block, count, nets[0], glass=glass, leans=(0.0,))
                inside = other is not None and _inside(other.quad, quad)
                if other is not None and inside and (best is None or _worth(other) > _worth(best) + 0.25):
                    best = replace(other, whole=True)
    return None if best is None else replace(best, counted=cells is None, found=False)


def find_place(image: Image, cells: int | None, nets: tuple[CellNetwork, FindNetwork], *, glass: str) -> Place | None:
    """The place of the row of cells in a picture without corners; None where there is none."""
    best: tuple[float, Place] | None = None
    for row in find_rows(image, nets[1], cells):
        place = _fit(image, row.quad, row.cells, nets[0], glass=glass, leans=(0.0,))
        worth = -9.0 if place is None else _worth(place) + 0.3 * min(1.0, row.share) + 0.02 * min(8, row.cells)
        if place is not None and (best is None or worth > best[0]):
            more = row.more and glass == "lit"  # beside liquid crystal stand units and other print
            best = (worth, replace(place, whole=place.whole and row.share > 0.99 and not more))
    return None if best is None else replace(best[1], counted=cells is None)


def follow(place: Place, image: Image, network: CellNetwork) -> Place | None:
    """The same place where the cells have moved a little; None where they are gone."""
    try:
        strip = cut_strip(image, place.quad, glass=place.glass)
        fit = refine(strip, network, place.corners, rounds=2)
        return _again(image, strip, fit, network, place)
    except VisionInvalid:
        return None


def drifted(strip: Strip, place: Place, network: CellNetwork) -> float:
    """By how much the cells are off their grid, in digits' widths."""
    return refine(strip, network, place.corners, rounds=0).drift


def beside(strip: Strip, place: Place, network: CellNetwork) -> bool:
    """Whether a sign stands right before the first or after the last cell."""
    first, last = place.corners[:1], place.corners[-1:]
    usual = (first[:, 1:2] - first[:, :1]) * 1.4
    step = usual if len(place.corners) == 1 else (last - first) / (len(place.corners) - 1)
    columns = strip.planes.shape[2]
    for cell in (first - step, last + step):
        if cell[..., 0].min() < -2 or cell[..., 0].max() > columns + 2:
            continue
        kinds = network.name(cut_cells(strip, cell.astype(np.float32))).kinds[0]
        if kinds[:-2].max() > 0.5:
            return True
    return False


def _fit(
    image: Image, quad: Values, cells: int, network: CellNetwork, *, glass: str, leans: Sequence[float]
) -> Place | None:
    """Fit the cells, lay the block flat again by where they are, and fit once more."""
    try:
        strip = cut_strip(image, quad, glass=glass)
        fit = fit_grid(strip, network, cells, leans=leans)
        start = Place(
            quad=quad, corners=fit.corners, glass=glass, found=True, counted=False, whole=False,
            sureness=fit.sureness, lit=fit.lit,
        )  # fmt: skip
        return _again(image, strip, fit, network, start)
    except VisionInvalid:
        return None


def _again(image: Image, strip: Strip, fit: Fit, network: CellNetwork, place: Place) -> Place | None:
    if not inside_strip(fit.corners, strip):
        return None
    before = replace(place, corners=fit.corners, sureness=fit.sureness, lit=fit.lit, whole=strip.inside > 0.99)
    quad = to_picture(strip, outline(fit.corners))
    anew = cut_strip(image, quad, glass=place.glass)
    # the old cells in the new strip: both know their way to the picture
    back = np.linalg.inv(anew.to_picture)
    points = to_picture(strip, fit.corners).reshape(-1, 2) - 0.5
    flat = np.column_stack([points, np.ones(len(points))]) @ back.T
    corners = (flat[:, :2] / flat[:, 2:] + 0.5).reshape(fit.corners.shape).astype(np.float32)
    better = refine(anew, network, corners, rounds=1)
    if not inside_strip(better.corners, anew) or better.sureness < fit.sureness - 0.05:
        return before
    return replace(
        place, quad=quad, corners=better.corners, sureness=better.sureness, lit=better.lit, whole=anew.inside > 0.99
    )


def _within(image: Image, quad: Values) -> tuple[Image, Values]:
    """The part of the picture around a quad, and where it begins."""
    margin = 0.15 * float(np.linalg.norm(quad[3] - quad[0]))
    low = np.maximum(0, np.floor(quad.min(0) - margin)).astype(int)
    high = np.ceil(quad.max(0) + margin).astype(int)
    return image[low[1] : high[1], low[0] : high[0]], low.astype(np.float32)


def _inside(inner: Values, outer: Values) -> bool:
    """Whether a quad's middle line lies within another's reach."""
    slack = 0.2 * float(np.linalg.norm(outer[3] - outer[0]))
    return bool((inner.min(0) > outer.min(0) - slack).all() and (inner.max(0) < outer.max(0) + slack).all())


def _worth(place: Place) -> float:
    """How well the cells explain what is there: sure signs, and the last cell one of them."""
    return place.sureness + 0.4 * float(place.lit.mean()) - 0.2 * float(place.lit[-1] < 0.5)  # numbers stand right
