"""Where a display may be in a picture of which no corners are known.

Candidates only: whether one is a display is for the lattice to say. Invariant: each costs little, and there are few.
"""

import contextlib
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.errors import VisionInvalid
from capture.vision.lattice import Floats, Grey
from capture.vision.rectify import COARSEST, FINEST, Image, View, view_of

_SQUARE, _PEAK = 0.26, 2.4
"""How much pitches across and down may differ (logarithm), and how far both together must stand out."""


def find_views(image: Image, columns: int, rows: int) -> Iterator[View]:
    """Where the display may be, likeliest first: the whole picture if it has a display's shape, dark panels
    of that shape, and a patch that repeats like dots. Each is looked for only when it is asked for.
    """
    height, width = image.shape[:2]
    if 0.78 < (width / height) / (columns / rows) < 1.28 and width / columns >= COARSEST:
        scale = max(1.0, width / columns / FINEST)
        matrix = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]])
        size = (round(width / scale), round(height / scale))
        yield View(to_picture=matrix, width=size[0], height=size[1], columns=columns, rows=rows, exact=False)
    for corners in _dark_panels(image, columns / rows):
        with contextlib.suppress(VisionInvalid):
            yield view_of(corners, columns, rows, exact=False)
    panel = _lit_panel(image, columns, rows)
    if panel is not None:
        yield panel


def _dark_panels(image: Image, shape: float) -> list[NDArray[np.float32]]:
    """Corners of dark four-sided areas of about a display's shape, the largest first."""
    shrink = min(1.0, 640 / max(image.shape[:2]))
    grey = image if image.ndim == 2 else image.max(2)
    small = cv2.GaussianBlur(cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), (0, 0), 1.5)
    found: list[tuple[float, NDArray[np.float32]]] = []
    for threshold in np.percentile(small, (6, 12, 20, 30, 45)):
        dark = cv2.morphologyEx((small <= threshold + 2).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        outlines, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            area = cv2.contourArea(outline)
            if area < 0.02 * small.size:
                continue
            box = _corners_of(outline.reshape(-1, 2).astype(np.float32))
            wide, high = float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[3] - box[0]))
            if high < 8 or not 0.7 < wide / high / shape < 1.3 or area < 0.75 * wide * high:
                continue
            corners = _four_sided(np.asarray(outline, np.int32), box)
            found.append((area / (wide * high), ((corners + 0.5) / shrink - 0.5).astype(np.float32)))
    best = sorted(found, key=lambda one: -one[0])[:3]
    return [corners for _, corners in best]


def _four_sided(outline: NDArray[np.int32], box: Floats) -> Floats:
    """The outline's own four corners if it has such, else the box about it."""
    around = cv2.convexHull(outline)
    for slack in (0.01, 0.02, 0.03):
        few = cv2.approxPolyDP(around, slack * cv2.arcLength(around, True), True).reshape(-1, 2)
        if len(few) == 4:
            return _in_order(few.astype(np.float64))
    return box


def _lit_panel(image: Image, columns: int, rows: int) -> View | None:
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
    # the blur of `_strength` makes the patch some dots larger than what is lit
    more = np.array([max(0.0, 1.03 * columns - wide), max(0.0, 1.03 * rows - high)]) / 2 - np.array([0.5, 0.5])
    return _around(box, (wide, high), more, shrink)


def _corners_of(points: NDArray[np.float32]) -> Floats:
    """The corners of the smallest box about the points, from the top left clockwise."""
    return _in_order(cv2.boxPoints(cv2.minAreaRect(points)).astype(np.float64))


def _in_order(corners: Floats) -> Floats:
    """From the top left clockwise."""
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
    pitch = min(FINEST, float(max(np.linalg.norm(right), np.linalg.norm(below))) / shrink)
    width, height = round(columns * pitch), round(rows * pitch)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat - 0.5, (grown / shrink - 0.5).astype(np.float32))
    return View(
        to_picture=np.asarray(matrix, np.float64), width=width, height=height, columns=columns, rows=rows, exact=False
    )


def _common_pitch(grey: Grey, columns: int) -> tuple[float, float] | None:
    """The pitches, in pixels, at which rows and columns of the picture repeat most, if they are near each other."""
    pitches = np.geomspace(COARSEST * 1.1, max(min(24.0, grey.shape[1] / columns * 1.2), 3.0), 240)
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
