"""A window of a display, laid flat: for displays whose score stands in a known place (reels, screens, lamps).

Without corners the whole picture is the display. Gives copies of bounded size, never a view that nobody asked for.
Invariant: a flat picture is never finer than the camera's, but for pictures of a few pixels.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.signals import Picture
from capture.vision.errors import VisionInvalid
from capture.vision.evidence import encode_jpeg
from capture.vision.rectify import Image, check_corners
from hardware.displays import Lamp, Window

LEAST, MOST = 8, 4000
"""Pixels a side: less shows nothing, more is shrunk."""

Corners = Sequence[tuple[float, float]]


def flat_window(
    image: Image, corners: Corners | None, place: Window | Lamp | None = None, *, high: int, margin: float = 0.0
) -> NDArray[np.uint8]:
    """What `place` shows (None: the whole display), at most `high` pixels high, BGR.

    `margin`: so much of the window's height and width more on every side. Raises VisionInvalid when the corners lie
    outside the picture, or the place is smaller than 8 pixels in it.
    """
    quad = _quad(image, corners, place, margin)
    wide = float(max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])))
    tall = float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])))
    if min(wide, tall) < LEAST:
        raise VisionInvalid("the window is smaller than 8 pixels in the picture: take it from closer by")
    shrink = max(1.0, tall / high, wide / MOST)
    size = (max(1, round(wide / shrink)), max(1, round(tall / shrink)))
    colour = image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if _upright(quad):
        left, top, right, bottom = (round(float(value)) for value in (*quad[0], *quad[2]))
        cut = colour[max(0, top) : bottom, max(0, left) : right]
        return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA if shrink > 1 else cv2.INTER_LINEAR))
    flat = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(flat - 0.5, quad.astype(np.float32) - 0.5), np.float64)
    if shrink > 1.5:  # more camera pixels than flat ones: blur first, so that no stroke falls between them
        colour, matrix = _blurred(colour, quad, matrix, 0.4 * shrink)
    return np.asarray(
        cv2.warpPerspective(
            colour, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        ), np.uint8,
    )  # fmt: skip


def photograph(image: Image, corners: Corners | None) -> Picture:
    """The display laid flat as a JPEG: the evidence."""
    try:
        flat = flat_window(image, corners, high=720)
    except VisionInvalid:
        flat = image
    return encode_jpeg(flat, 88)


def alike(a: NDArray[np.uint8], b: NDArray[np.uint8], *, block: int, most: float) -> bool:
    """Whether two flat pictures show the same: no block of so many pixels differs by more than `most` of 255.

    Blocks are averaged before they are compared, so that noise counts for little and one changed stroke for much.
    """
    if a.shape != b.shape:
        return False
    size = (max(1, a.shape[1] // block), max(1, a.shape[0] // block))
    means = [cv2.resize(flat, size, interpolation=cv2.INTER_AREA).astype(np.int16) for flat in (a, b)]
    return int(np.abs(means[0] - means[1]).max()) <= most


def refuse_flat(flat: NDArray[np.uint8]) -> tuple[str, str] | None:
    """The quality word and the reason where a window shows nothing at all, else None."""
    grey = flat.max(2) if flat.ndim == 3 else flat
    low, middle, high = (float(value) for value in np.percentile(grey, (2, 50, 98)))
    if high < 12:
        return "dark", "dark: nothing is lit, or the lens is covered"
    if low > 250:
        return "white", "white: exposed far too long"
    if high - low < 8:
        return "blank", f"blank: one shade of grey ({middle:.0f} of 255)"
    return None


def _quad(image: Image, corners: Corners | None, place: Window | Lamp | None, margin: float) -> NDArray[np.float64]:
    height, width = image.shape[:2]
    points = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    if corners is not None:
        check_corners(corners, (width, height))
        points = np.array(corners, np.float64)
    left, top, right, bottom = (0.0, 0.0, 1.0, 1.0)
    if place is not None:
        left, top, right, bottom = place.left, place.top, place.right, place.bottom
    aside, above = margin * (right - left), margin * (bottom - top)
    left, right, top, bottom = left - aside, right + aside, top - above, bottom + above
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, points.astype(np.float32))
    part = np.array([[(left, top), (right, top), (right, bottom), (left, bottom)]], np.float64)
    return np.asarray(cv2.perspectiveTransform(part, matrix)[0], np.float64)


def _upright(quad: NDArray[np.float64]) -> bool:
    """Whether a plain cut does, without bending anything."""
    box = np.array([quad[0], (quad[2][0], quad[0][1]), quad[2], (quad[0][0], quad[2][1])])
    return bool(np.abs(box - quad).max() < 0.01)


def _blurred(
    image: NDArray[np.uint8], quad: NDArray[np.float64], matrix: NDArray[np.float64], sigma: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The part of the picture that is needed, blurred, and the homography into it."""
    low = np.maximum(np.floor(quad.min(0)).astype(int) - 4, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 4, (image.shape[1], image.shape[0]))
    part = cv2.GaussianBlur(image[low[1] : high[1], low[0] : high[0]], (0, 0), sigma)
    move = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64)
    return np.asarray(part, np.uint8), move @ matrix
