"""From a picture to cells: the row of cells laid flat as two planes of normalised light, and cells cut from it.

Nothing is recognised here; training cuts its cells by the very same code. Coordinates: the flat strip's pixels, in
which a digit is HIGH pixels high. Invariant: levels are those of the whole row, never of a single cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.errors import VisionInvalid

Values = NDArray[np.float32]
Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

HIGH = 40
"""Pixels of a digit's height in the flat strip."""
MARGIN_X, MARGIN_Y = 48, 14
"""Pixels of the strip beside the block, and above and below it."""
CELL = (48, 32)
"""Rows and columns of a cell as the network sees it."""
AROUND_X, AROUND_Y = 0.25, 0.175
"""How much wider than the digit a cell is cut, on each side, in digits' widths and heights."""
LEAST_SPAN = {"lit": 24.0, "lcd": 7.0}
"""Steps of 255 between unlit and lit below which nothing is stretched further."""
_WIDEST = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """`planes`: 2 x rows x columns, 0 unlit to 1 lit (up to 1.5). `width`: pixels of the block. `span`: steps of 255
    between unlit and lit, in the better plane. `to_picture`: from strip pixels to picture pixels. `inside`: share of
    the block that lies in the picture.
    """

    planes: Values
    width: int
    span: float
    to_picture: Floats
    inside: float


def cut_strip(image: Image, quad: Values, *, glass: str) -> Strip:
    """Lay the block of cells within `quad` (4 x 2 pixels: top left, top right, bottom right, bottom left) flat.

    Raises VisionInvalid when the quad is too small or too long for cells.
    """
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    height, length = (sides[1] + sides[3]) / 2, (sides[0] + sides[2]) / 2
    width = round(float(length / max(height, 1e-3)) * HIGH)
    if height < 6 or width < 6 or width > _WIDEST:
        raise VisionInvalid("the corners enclose no row of digits at least 6 pixels high")
    inner = np.array([(0, 0), (width, 0), (width, HIGH), (0, HIGH)], np.float32) + np.array((MARGIN_X, MARGIN_Y))
    matrix = np.asarray(cv2.getPerspectiveTransform(inner.astype(np.float32) - 0.5, quad - 0.5), np.float64)
    size = (width + 2 * MARGIN_X, HIGH + 2 * MARGIN_Y)
    flat = _flatten(image, matrix, size, float(height) / HIGH)
    planes = _ink(flat) if glass == "lcd" else _light(flat)
    levels, span = _normalise(planes, LEAST_SPAN[glass], dark=50 if glass == "lcd" else 15)
    return Strip(planes=levels, width=width, span=span, to_picture=matrix, inside=_share_inside(quad, image.shape))


def grid(strip: Strip, cells: int, ratio: float, lean: float = 0.0) -> Values:
    """Corners (cells x 4 x 2, strip pixels) of evenly spaced cells. `ratio`: a digit's width to the pitch. `lean`: how
    far the tops are to the right of the feet, in heights, more than the block's own sides do.
    """
    pitch = strip.width / (cells - 1 + ratio)
    left = MARGIN_X + pitch * np.arange(cells)
    shift = lean * HIGH / 2
    wide, top, bottom = ratio * pitch, float(MARGIN_Y), float(MARGIN_Y + HIGH)
    places = ((shift, top), (wide + shift, top), (wide - shift, bottom), (-shift, bottom))
    return np.stack([np.stack([left + x, np.full(cells, y)], -1) for x, y in places], 1).astype(np.float32)


def cut_cells(strip: Strip, corners: Values) -> Values:
    """N x 2 x 48 x 32: the cells of these corners (n x 4 x 2, strip pixels) with some of what surrounds them."""
    rows, columns = CELL
    s = ((np.arange(columns) + 0.5) / columns * (1 + 2 * AROUND_X) - AROUND_X).astype(np.float32)
    t = ((np.arange(rows) + 0.5) / rows * (1 + 2 * AROUND_Y) - AROUND_Y).astype(np.float32)
    origin, across, down = frames(corners)
    maps = origin[:, None, None] + across[:, None, None] * s[:, None] + down[:, None, None] * t[:, None, None]
    shape = (len(corners) * rows, columns)
    x, y = maps[..., 0].reshape(shape) - 0.5, maps[..., 1].reshape(shape) - 0.5
    planes = [cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for plane in strip.planes]
    return np.stack([plane.reshape(len(corners), rows, columns) for plane in planes], 1).astype(np.float32)


def frames(corners: Values) -> tuple[Values, Values, Values]:
    """Origin, way across and way down of each cell: the parallelogram nearest to its four corners."""
    across: Values = np.float32(0.5) * (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3])
    down: Values = np.float32(0.5) * (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1])
    origin: Values = corners.mean(1) - (across + down) / 2
    return origin, across, down


def to_picture(strip: Strip, points: Values) -> Values:
    """Points of the strip (... x 2) in the picture."""
    flat = points.reshape(-1, 1, 2).astype(np.float64) - 0.5
    return (cv2.perspectiveTransform(flat, strip.to_picture).reshape(points.shape) + 0.5).astype(np.float32)


def quad_of(corners: Sequence[tuple[float, float]], box: tuple[float, float, float, float]) -> Values:
    """The part of a display within `corners` that lies between left, top, right, bottom (fractions), in pixels."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))
    left, top, right, bottom = box
    part = np.array([[(left, top)], [(right, top)], [(right, bottom)], [(left, bottom)]], np.float64)
    return cv2.perspectiveTransform(part, np.asarray(matrix, np.float64)).reshape(4, 2).astype(np.float32)


def _flatten(image: Image, matrix: Floats, size: tuple[int, int], shrink: float) -> Image:
    """The strip in the picture's own channels. More camera pixels than flat ones are averaged, not skipped."""
    if shrink > 1.4:
        ends = np.array([[(0, 0)], [(size[0], 0)], [size], [(0, size[1])]], np.float64)
        reach = cv2.perspectiveTransform(ends, matrix).reshape(4, 2)
        x0, y0 = (max(0, int(v) - 2) for v in reach.min(0))
        x1, y1 = (max(int(v) + 3, low + 4) for v, low in zip(reach.max(0), (x0, y0), strict=True))
        part = image[y0:y1, x0:x1]
        if part.shape[0] > 3 and part.shape[1] > 3:
            small = (max(2, round(part.shape[1] / shrink)), max(2, round(part.shape[0] / shrink)))
            scale = np.diag([small[0] / part.shape[1], small[1] / part.shape[0], 1.0])
            half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
            place = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]])
            matrix = np.linalg.inv(half) @ scale @ half @ place @ matrix
            image = np.asarray(cv2.resize(part, small, interpolation=cv2.INTER_AREA), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _light(flat: Image) -> NDArray[Any]:
    """The brightest and the darkest of the three colours: one keeps dim digits apart, the other over-exposed ones."""
    if flat.ndim == 2:
        return np.stack([flat, flat]).astype(np.float32)
    return np.stack([flat.max(2), flat.min(2)]).astype(np.float32)


def _ink(flat: Image) -> NDArray[Any]:
    """How much darker than the glass around it, in the brightest and the darkest colour."""
    ink = []
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (HIGH * 3 // 4 + 1, HIGH * 3 // 4 + 1))
    for plane in _light(flat):
        smooth = cv2.GaussianBlur(plane, (3, 3), 0)
        glass = cv2.blur(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, kernel), (5, 5))  # wider, and frames leak in
        ink.append(glass - plane)
    return np.stack(ink)


def _normalise(planes: NDArray[Any], least: float, dark: float) -> tuple[Values, float]:
    """Levels from 0 (unlit) to 1 (lit) by the block's own, and the larger plane's span."""
    block = planes[:, MARGIN_Y - 4 : MARGIN_Y + HIGH + 4, MARGIN_X - 4 : planes.shape[2] - MARGIN_X + 4]
    low = np.percentile(block, dark, axis=(1, 2))
    high = np.percentile(block, 99.5, axis=(1, 2))
    span = high - low
    scaled = (planes - low[:, None, None]) / np.maximum(span, least)[:, None, None]
    return np.clip(scaled, -0.5, 1.5).astype(np.float32), float(span.max())


def _share_inside(quad: Values, shape: tuple[int, ...]) -> float:
    """How much of the quad's outline lies in the picture, with 2 % of slack."""
    steps = np.linspace(0, 1, 9)[:, None]
    points = np.concatenate([a + (b - a) * steps for a, b in zip(quad, np.roll(quad, -1, 0), strict=True)])
    slack = 0.02 * max(shape[:2])
    inside = (points > -slack).all(1) & (points[:, 0] < shape[1] + slack) & (points[:, 1] < shape[0] + slack)
    return float(inside.mean())
