"""Where a row of cells stands in a picture without corners: single digits found by a network, joined to the best row.

Gives the block's corners and the number of cells. Not here: what the cells show. Invariant: places that nothing was
seen in are only ever added where the number of cells says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.segments.network import FindNetwork
from capture.vision.segments.strip import Floats, Image, Values

HEIGHTS = (32, 48, 72, 108)
"""Rows to which a picture is shrunk or grown, one after the other: digits of 12 to 40 rows are found best."""
_WIDEST = 720
_MOST_ROWS, _MOST_SHIFTS = 4, 8
_LEAST = 0.35
"""Chance at which a digit's middle counts."""
_USUAL = 0.72
"""A digit's width to the pitch, where nothing else is known."""
_NEXT, _CLEAR = 1.5, 0.75
"""Cells beside a row in which another digit, so sure, makes it a longer row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`quad`: corners of the block in pixels; `cells`; `score`: sum of the chances of the digits found in it; `share`:
    of the cells, how many were found. `more`: further digits were found right beside it, for which no cell is left.
    """

    quad: Values
    cells: int
    score: float
    share: float
    more: bool = False


@dataclass(frozen=True, slots=True)
class _Digits:
    """Digits found at one size of the picture: `corners` n x 4 x 2 in its own pixels, and their `chance`s."""

    corners: Values
    chance: Values


def find_rows(image: Image, network: FindNetwork, cells: int | None) -> list[Row]:
    """The best rows of cells in the picture, best first, at most four. `cells`: how many there are, if known."""
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, 2)
    rows = []
    for digits in _looks(image, network):
        for members in _rows(digits):
            rows.extend(_join(digits, members, cells, image.shape))
    rows.sort(key=lambda row: -row.score)
    kept: list[Row] = []
    for row in rows:
        if len(kept) < _MOST_ROWS and all(
            row.cells != k.cells or np.abs(row.quad - k.quad).max() > _size(row) * 0.2 for k in kept
        ):
            kept.append(row)
    return kept


def _looks(image: Image, network: FindNetwork) -> Iterator[_Digits]:
    height, width = image.shape[:2]
    for rows in HEIGHTS:
        scale = min(rows / height, _WIDEST / width)
        size = (max(8, round(width * scale)), max(8, round(height * scale)))
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = np.asarray(cv2.resize(image, size, interpolation=way), np.float32) / 255
        page = np.zeros(((size[1] + 15) // 8 * 8, (size[0] + 15) // 8 * 8, 3), np.float32)
        page[4 : 4 + size[1], 4 : 4 + size[0]] = small
        chance, corners = network.find(page)
        back = np.array((width / size[0], height / size[1]), np.float32)
        found = _peaks(chance, (corners - 4) * back)
        if len(found.chance):
            yield found


def _peaks(chance: Values, corners: Values) -> _Digits:
    """The grid places that see a digit's middle best, one a digit."""
    places = np.argwhere(chance > _LEAST)
    order = np.argsort(-chance[places[:, 0], places[:, 1]])[:400]
    kept: list[tuple[Values, float]] = []
    for y, x in places[order]:
        own = corners[y, x]
        middle = own.mean(0)
        size = np.linalg.norm(own[1] - own[0]), np.linalg.norm(own[3] - own[0])
        if min(size) >= 2 and all(
            abs(middle[0] - other.mean(0)[0]) > 0.6 * size[0] or abs(middle[1] - other.mean(0)[1]) > 0.5 * size[1]
            for other, _ in kept
        ):
            kept.append((own, float(chance[y, x])))
    return _Digits(
        np.array([own for own, _ in kept], np.float32).reshape(-1, 4, 2), np.array([p for _, p in kept], np.float32)
    )


def _rows(digits: _Digits) -> Iterator[list[int]]:
    """Digits that stand in one line and are of one size: the groups, each from its surest digit."""
    middle = digits.corners.mean(1)
    down = (digits.corners[:, 3] - digits.corners[:, 0] + digits.corners[:, 2] - digits.corners[:, 1]) / 2
    across = (digits.corners[:, 1] - digits.corners[:, 0] + digits.corners[:, 2] - digits.corners[:, 3]) / 2
    high = np.linalg.norm(down, axis=1)
    free = set(range(len(high)))
    while free:
        first = max(free, key=lambda i: digits.chance[i])
        slope = across[first] / max(float(np.linalg.norm(across[first])), 1e-6)
        group = [first]
        for i in sorted(free - {first}, key=lambda i: abs(middle[i, 0] - middle[first, 0])):
            near = min(group, key=lambda j: abs(middle[i, 0] - middle[j, 0]))
            step = middle[i] - middle[near]
            aside = abs(step[1] - step[0] * slope[1] / max(abs(slope[0]), 1e-6) * np.sign(slope[0]))
            if aside < 0.3 * high[near] and 0.7 < high[i] / high[near] < 1.43:
                group.append(i)
        free -= set(group)
        yield sorted(group, key=lambda i: middle[i, 0])


def _join(digits: _Digits, members: list[int], cells: int | None, shape: tuple[int, ...]) -> list[Row]:
    """The even rows through these digits: more than one where it is open which cells were not seen."""
    own, chance = digits.corners[members], digits.chance[members]
    width = float(np.median(np.linalg.norm(own[:, 1] - own[:, 0], axis=1)))
    place = _places(own.mean(1)[:, 0], width)
    more = False
    if cells is not None and place[-1] >= cells:
        keep = _stretch(place, chance, cells)
        off = np.minimum(np.abs(place - place[keep][0]), np.abs(place - place[keep][-1]))
        more = bool((~keep & (off <= _NEXT) & (chance > _CLEAR)).any())
        own, chance, place = own[keep], chance[keep], place[keep] - place[keep][0]
    starts, steps = _lines(own, place, width / _USUAL)
    count = int(place[-1]) + 1 if cells is None else cells
    missing = count - int(place[-1]) - 1
    rows = []
    for first in range(-missing, 1)[:_MOST_SHIFTS]:
        ends = np.array([first, first + count - 1, first + count - 1, first])
        quad = (starts + steps * ends[:, None]).astype(np.float32)
        if np.isfinite(quad).all() and np.abs(quad).max() < 4 * max(shape):
            beyond = max(0.0, -float(quad[:, 0].min())) + max(0.0, float(quad[:, 0].max()) - shape[1])
            # numbers stand right: cells that were not seen are rather the first ones, if there is room for them
            less = 0.1 * missing + 0.1 * (first + missing) + 0.5 * beyond / max(1.0, float(steps[:, 0].mean()))
            score = float(chance.sum()) - less
            rows.append(Row(quad=quad, cells=count, score=score, share=len(own) / count, more=more))
    return rows


def _places(x: Values, width: float) -> NDArray[np.intp]:
    """Numbers of the cells in which these digits (from left to right) stand, from 0."""
    gaps = np.diff(x)
    if not len(gaps):
        return np.zeros(1, np.intp)
    narrow, wide = max(width, float(gaps.min()) * 0.8), max(width * 1.9, float(gaps.min()) * 1.05)
    best, pitch = 1e9, width / _USUAL
    for candidate in np.linspace(narrow, wide, 60):
        steps = np.maximum(1, np.round(gaps / candidate))
        off = float((np.abs(gaps / candidate - steps) / np.sqrt(steps)).mean()) + 0.02 * float(steps.mean())
        if off < best:
            best, pitch = off, float(candidate)
    steps = np.maximum(1, np.round(gaps / pitch))
    return np.concatenate([[0], np.cumsum(steps)]).astype(np.intp)


def _stretch(place: NDArray[np.intp], chance: Values, cells: int) -> NDArray[np.bool_]:
    """Of a row that is too long: the digits of the surest stretch of so many cells."""
    sums = [float(chance[(place >= start) & (place < start + cells)].sum()) for start in place]
    start = place[int(np.argmax(sums))]
    keep: NDArray[np.bool_] = (place >= start) & (place < start + cells)
    return keep


def _lines(own: Values, place: NDArray[np.intp], pitch: float) -> tuple[Floats, Floats]:
    """For each of a digit's corners: where it is in cell 0, and its step from cell to cell (4 x 2 each).

    Tops share one step and feet another, so that a single bad corner bends nothing.
    """
    middle = float(place.mean())
    spread = float(((place - middle) ** 2).sum())
    if spread == 0:
        steps = np.array([(pitch, 0.0)] * 4)
    else:
        each = np.array([((place - middle)[:, None] * own[:, corner]).sum(0) / spread for corner in range(4)])
        steps = np.array([each[:2].mean(0)] * 2 + [each[2:].mean(0)] * 2)
    return own.mean(0) - steps * middle, steps


def _size(row: Row) -> float:
    return float(np.linalg.norm(row.quad[3] - row.quad[0]))
