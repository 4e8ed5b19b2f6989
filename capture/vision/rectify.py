"""From a picture to the display in it, laid flat: by four corners. Where they are not given: `panel`.

Gives views (where to look), never copies of pictures that nobody asked for. Corners are top left, top right, bottom
right, bottom left, in pixels. Invariant: a view's flat picture has at most six pixels a dot, whatever the camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.errors import VisionInvalid
from capture.vision.lattice import Floats, Lattice, fit_lattice

Image = NDArray[np.uint8]
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

FINEST, COARSEST = 6.0, 2.0
"""Pixels a dot of a flat picture; fewer than the second in the camera's picture cannot be read."""
_FLAT = 12
"""Steps of 255 between darkest and brightest below which a channel shows nothing."""


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
    return view_of(np.array(corners, np.float32), columns, rows, exact=True)


def view_of(points: NDArray[np.float32], columns: int, rows: int, *, exact: bool) -> View:
    """The view of a quadrilateral that `columns` x `rows` dots fill. Raises VisionInvalid if it is too small."""
    sides = np.linalg.norm(points - np.roll(points, -1, 0), axis=1)
    pitch = min(FINEST, max(float(sides[[0, 2]].max()) / columns, float(sides[[1, 3]].max()) / rows))
    if min(float(sides[[0, 2]].min()) / columns, float(sides[[1, 3]].min()) / rows) < COARSEST:
        raise VisionInvalid(
            f"the corners enclose fewer than {COARSEST:.0f} pixels a dot: take the picture from closer by"
        )
    width, height = round(pitch * columns), round(pitch * rows)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat - 0.5, points - 0.5)
    return View(
        to_picture=np.asarray(matrix, np.float64), width=width, height=height, columns=columns, rows=rows, exact=exact
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


def channels_of(image: Image) -> tuple[int, ...]:
    """The channels in which dots are looked for: green first, for red saturates."""
    return (1,) if image.ndim == 2 else (1, 2, 0)


def lattice_in(image: Image, view: View, channel: int) -> Lattice | None:
    """The lattice of dots in one channel of the flat picture, None where nothing repeats or nothing shows at all."""
    flat = flatten(image, view, channel).astype(np.float32)
    if float(flat.max() - flat.min()) < _FLAT:
        return None
    return fit_lattice(flat, view.columns, view.rows, exact=view.exact)


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
