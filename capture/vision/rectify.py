"""From a picture to the display in it, laid flat: by four corners, or found by the lattice that only displays have.

Gives views (where to look), never copies of pictures that nobody asked for. Corners are top left, top right, bottom
right, bottom left, in pixels. Invariant: a view's flat picture has at most six pixels a dot, whatever the camera.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.errors import VisionInvalid
from capture.vision.lattice import Floats, Grey

Image = NDArray[np.uint8]
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

_FINEST, _COARSEST = 6.0, 2.0
"""Pixels a dot of a flat picture; fewer than the second in the camera's picture cannot be read."""
_SQUARE, _PEAK = 0.26, 2.4
"""How much pitches across and down may differ (logarithm), and how far both together must stand out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A flat picture's size, the homography from its pixels to the camera's, and how it was come by.

    `columns` and `rows`: dots that fill it. `exact`: its edges are the display's, as corners say. Else it was cropped
    by eye or found.
    """

    to_picture: Floats
    width: int
    height: int
    columns: int
    rows: int
    exact: bool


def view_by_corners(corners: Sequence[tuple[float, float]], columns: int, rows: int, size: tuple[int, int]) -> View:
    """The view that corners describe in a picture of `size` (width, height).

    Raises VisionInvalid when they are not four corners of a display in that picture, in order.
    """
    check_corners(corners, size)
    points = np.array(corners, np.float32)
    sides = np.linalg.norm(points - np.roll(points, -1, 0), axis=1)
    pitch = min(_FINEST, max(float(sides[[0, 2]].max()) / columns, float(sides[[1, 3]].max()) / rows))
    if min(float(sides[[0, 2]].min()) / columns, float(sides[[1, 3]].min()) / rows) < _COARSEST:
        raise VisionInvalid(
            f"the corners enclose fewer than {_COARSEST:.0f} pixels a dot: take the picture from closer by"
        )
    width, height = round(pitch * columns), round(pitch * rows)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat - 0.5, points - 0.5)
    return View(
        to_picture=np.asarray(matrix, np.float64), width=width, height=height, columns=columns, rows=rows, exact=True
    )


def check_corners(corners: Sequence[tuple[float, float]], size: tuple[int, int] | None = None) -> None:
    """Raise VisionInvalid unless these are four corners, clockwise from the top left, in a picture of `size`."""
    points = np.array(corners, np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise VisionInvalid("corners are four points: top left, top right, bottom right, bottom left")
    turns = [_turn(points[i], points[(i + 1) % 4], points[(i + 2) % 4]) for i in range(4)]
    if min(turns) <= 0:
        raise VisionInvalid("the corners must go round: top left, top right, bottom right, bottom left")
    if size is not None:
        slack = 0.02 * max(size)
        if points.min() < -slack or (points > np.array(size) + slack).any():
            raise VisionInvalid(f"the corners lie outside the picture of {size[0]} x {size[1]} pixels")


def find_views(image: Image, columns: int, rows: int) -> Iterator[View]:
    """Where the display may be, likeliest first: the whole picture if it has a display's shape, and a panel of dots.

    The panel is looked for only when it is asked for.
    """
    height, width = image.shape[:2]
    if 0.78 < (width / height) / (columns / rows) < 1.28 and width / columns >= _COARSEST:
        scale = max(1.0, width / columns / _FINEST)
        matrix = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]])
        size = (round(width / scale), round(height / scale))
        yield View(to_picture=matrix, width=size[0], height=size[1], columns=columns, rows=rows, exact=False)
    panel = find_panel(image, columns, rows)
    if panel is not None:
        yield panel


def flatten(image: Image, view: View, channel: int | None) -> NDArray[np.uint8]:
    """The flat picture; of one channel only, unless `channel` is None."""
    plane = image if channel is None or image.ndim == 2 else np.ascontiguousarray(image[:, :, channel])
    shrink = float(np.sqrt(abs(np.linalg.det(view.to_picture[:2, :2]))))
    if shrink > 1.5:  # more camera pixels than flat ones: blur first, so that no dot falls between them
        plane = np.asarray(cv2.GaussianBlur(plane, (0, 0), 0.4 * shrink), np.uint8)
    return np.asarray(
        cv2.warpPerspective(
            plane, view.to_picture, (view.width, view.height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ), np.uint8,
    )  # fmt: skip


def find_panel(image: Image, columns: int, rows: int) -> View | None:
    """The largest patch that repeats like a lattice of nearly square pitch, with a margin; None where there is none."""
    plane = image if image.ndim == 2 else image[:, :, 1]
    shrink = min(1.0, 1600 / max(plane.shape))
    grey = cv2.resize(plane, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.float32)
    grey -= cv2.GaussianBlur(grey, (0, 0), 8)
    pitch = _common_pitch(grey, columns)
    if pitch is None:
        return None
    across, down = pitch
    strength = np.sqrt(_strength(grey, across) * _strength(np.ascontiguousarray(grey.T), down).T)
    mask = (strength > 0.3 * np.percentile(strength, 99.5)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((int(8 * down) | 1, int(20 * across) | 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    box = _corners_of(np.argwhere(labels == largest)[:, ::-1].astype(np.float32))
    wide, high = float(np.linalg.norm(box[1] - box[0])) / across, float(np.linalg.norm(box[3] - box[0])) / down
    if not 0.15 * columns < wide < 1.3 * columns or not 0.2 * rows < high < 1.7 * rows:
        return None
    more = np.array([max(2.0, 1.04 * columns - wide), max(1.0, 1.02 * rows - high)]) / 2
    return _around(box, (wide, high), more, shrink)


def _corners_of(points: NDArray[np.float32]) -> Floats:
    """The corners of the smallest box about the points, from the top left clockwise."""
    corners = cv2.boxPoints(cv2.minAreaRect(points)).astype(np.float64)
    middle = corners.mean(0)
    order = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    turned = corners[order]
    return np.roll(turned, -int((turned.sum(1)).argmin()), 0)


def _around(box: Floats, size: tuple[float, float], more: Floats, shrink: float) -> View:
    """A view of the box with so many dots more at each side."""
    right, below = (box[1] - box[0]) / size[0], (box[3] - box[0]) / size[1]
    grown = box + np.array([-right * more[0] - below * more[1], right * more[0] - below * more[1],
                            right * more[0] + below * more[1], -right * more[0] + below * more[1]])  # fmt: skip
    columns, rows = round(size[0] + 2 * more[0]), round(size[1] + 2 * more[1])
    pitch = min(_FINEST, float(max(np.linalg.norm(right), np.linalg.norm(below))) / shrink)
    width, height = round(columns * pitch), round(rows * pitch)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat - 0.5, (grown / shrink - 0.5).astype(np.float32))
    return View(
        to_picture=np.asarray(matrix, np.float64), width=width, height=height, columns=columns, rows=rows, exact=False
    )


def _common_pitch(grey: Grey, columns: int) -> tuple[float, float] | None:
    """The pitches, in pixels, at which rows and columns of the picture repeat most, if they are near each other."""
    pitches = np.geomspace(_COARSEST * 1.1, max(min(24.0, grey.shape[1] / columns * 1.2), 3.0), 240)
    across, down = _spectrum(grey, pitches), _spectrum(np.ascontiguousarray(grey.T), pitches)
    near = np.abs(np.log(pitches[:, None] / pitches[None])) < _SQUARE
    both = np.where(near, across[:, None] * down[None], 0)
    i, j = np.unravel_index(int(both.argmax()), both.shape)
    return (float(pitches[i]), float(pitches[j])) if both[i, j] > _PEAK else None


def _spectrum(grey: Grey, pitches: Floats) -> Floats:
    """Strength at each pitch against its neighbourhood, over all lines; tolerant of a slight lean."""
    lines = grey[:: max(1, grey.shape[0] // 160)]
    power = (np.abs(np.fft.rfft(lines * np.hanning(lines.shape[1])[None], axis=1)) ** 2).mean(0)
    at = np.clip(lines.shape[1] / pitches, 1, len(power) - 2)
    fine = np.interp(at, np.arange(len(power)), np.sqrt(power))
    fine = np.maximum(fine, np.maximum(np.interp(at * 1.01, np.arange(len(power)), np.sqrt(power)), 0))
    ground = cv2.blur(fine[None].astype(np.float32), (61, 1), borderType=cv2.BORDER_REFLECT)[0]
    return np.asarray(fine / np.maximum(ground, 1e-6), np.float64)


def _strength(grey: Grey, pitch: float) -> Grey:
    """How strongly each place repeats along its line at the pitch."""
    wave = np.exp(-2j * np.pi * np.arange(grey.shape[1]) / pitch)[None]
    size = (int(4 * pitch) | 1, int(3 * pitch) | 1)
    real = cv2.blur((grey * wave.real).astype(np.float32), size)
    return np.asarray(np.hypot(real, cv2.blur((grey * wave.imag).astype(np.float32), size)), np.float32)


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
