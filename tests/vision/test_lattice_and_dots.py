"""Where the dots are, to a fraction of a dot, and what they say."""

from typing import Any

import cv2
import numpy as np
import pytest

from capture.vision.dots import make_sampler, normalise
from capture.vision.errors import VisionInvalid
from capture.vision.lattice import Lattice, drift, fit_lattice
from capture.vision.panel import find_views
from capture.vision.rectify import View, flatten, view_by_corners

Panel = Any
"""A screen drawn by hand: see conftest."""


def _off(lattice: Lattice, view: View, corners: tuple, lit: np.ndarray) -> float:
    """Largest error on lit dots (95 of 100), in dots, whole dots of shift aside."""
    columns, rows = np.arange(lattice.x.count) + 0.5, np.arange(lattice.y.count) + 0.5
    x, y = lattice.place(columns, rows)
    place = view.to_picture @ np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    area = np.array([[0, 0], [128, 0], [128, 32], [0, 32]], np.float32)
    back = cv2.getPerspectiveTransform(np.array(corners, np.float32), area)
    true = back @ np.vstack([place[:2] / place[2], np.ones(x.size)])
    across = true[0] / true[2] - np.tile(columns, len(rows))
    down = true[1] / true[2] - np.repeat(rows, len(columns))
    shift = np.round(np.median(across)), np.round(np.median(down))
    seen = lit.ravel() > 0
    return max(np.percentile(np.abs(across - shift[0])[seen], 95), np.percentile(np.abs(down - shift[1])[seen], 95))


@pytest.mark.parametrize("seed", range(6))
def test_corners_given_to_a_pixel_or_two_become_a_lattice_good_to_a_fifth_of_a_dot(panel: Panel, seed: int):
    screen = panel(seed % 3).number(1_234_560 + seed * 77_770, top=2, rows=18).words("BALL 2", top=24, left=4)
    image, corners = screen.seen(seed)
    shaken = [tuple(np.array(corner) + np.random.default_rng(seed).normal(0, 1.2, 2)) for corner in corners]
    view = view_by_corners(shaken, 128, 32, (image.shape[1], image.shape[0]))
    lattice = fit_lattice(flatten(image, view, 1).astype(np.float32), 128, 32, exact=True)
    assert lattice is not None
    assert lattice.quality > 0.4
    assert _off(lattice, view, corners, screen.dots) < 0.2


@pytest.mark.parametrize("seed", range(3))
def test_a_picture_cropped_by_eye_needs_no_corners(panel: Panel, seed: int):
    screen = panel(seed).number(8_618_490, top=2, rows=18).words("FREE PLAY", top=24, right=124)
    image, corners = screen.seen(seed)
    area = np.array([[0, 0], [1240, 0], [1240, 310], [0, 310]], np.float32)
    upright = cv2.getPerspectiveTransform(np.array(corners, np.float32), area + 8)
    crop = cv2.warpPerspective(image, upright, (1256, 326))
    view = next(find_views(crop, 128, 32))
    lattice = fit_lattice(flatten(crop, view, 1).astype(np.float32), view.columns, view.rows, exact=False)
    assert lattice is not None
    assert abs(lattice.x.count - 128) <= 4
    dots = make_sampler(lattice, view.to_picture, 1, crop.shape).sample(crop)[0]
    best = max(
        np.corrcoef(dots[dy : dy + 28, dx : dx + 120].ravel(), screen.dots[2:30, 4:124].ravel())[0, 1]
        for dy in range(max(1, dots.shape[0] - 28))
        for dx in range(max(1, dots.shape[1] - 120))
    )
    assert best > 0.93


def test_noise_has_no_lattice():
    noise = np.random.default_rng(3).integers(0, 255, (256, 1024)).astype(np.float32)
    lattice = fit_lattice(noise, 128, 32, exact=False)
    assert lattice is None or lattice.quality < 0.15


def test_a_picture_that_is_partly_black_has_no_lattice_either():
    """A display at a slant leaves black corners: the strength of nothing must not fall below none."""
    half = np.zeros((256, 1024), np.float32)
    half[:, :512] = np.random.default_rng(3).integers(0, 255, (256, 512))
    lattice = fit_lattice(half, 128, 32, exact=False)
    assert lattice is None or lattice.quality < 0.22


def test_movement_of_a_third_of_a_dot_is_seen_and_its_direction(panel: Panel):
    screen = panel().number(5_040_320, top=2, rows=18)
    image, corners = screen.seen(4)
    view = view_by_corners(corners, 128, 32, (image.shape[1], image.shape[0]))
    lattice = fit_lattice(flatten(image, view, 1).astype(np.float32), 128, 32, exact=True)
    pitch = np.linalg.norm(np.array(corners[1]) - np.array(corners[0])) / 128
    still = drift(flatten(image, view, 1).astype(np.float32), lattice)
    moved = cv2.warpAffine(image, np.array([[1, 0, 0.33 * pitch], [0, 1, 0]]), (image.shape[1], image.shape[0]))
    across, down, sure = drift(flatten(moved, view, 1).astype(np.float32), lattice)
    assert abs(still[0]) < 0.06
    assert abs(still[1]) < 0.06
    assert 0.2 < across < 0.45
    assert abs(down) < 0.08
    assert sure > 0.4


def test_one_value_a_dot_tells_lit_from_unlit(panel: Panel):
    screen = panel(1).number(726_840, top=1, rows=20).words("BALL 3", top=24, left=2)
    image, corners = screen.seen(2)
    view = view_by_corners(corners, 128, 32, (image.shape[1], image.shape[0]))
    lattice = fit_lattice(flatten(image, view, 1).astype(np.float32), 128, 32, exact=True)
    dots = normalise(make_sampler(lattice, view.to_picture, 1, image.shape).sample(image))
    assert dots.shape == (2, 32, 128)
    wrong = (dots[0] > 0.5) != (screen.dots > 0)
    assert wrong.mean() < 0.01


def test_corners_that_are_none_are_refused():
    good = [(10, 10), (500, 12), (498, 130), (12, 131)]
    assert view_by_corners(good, 128, 32, (640, 360)).exact
    for bad in (good[:3], [good[0], good[2], good[1], good[3]], good[::-1], [(float("nan"), 0), *good[1:]]):
        with pytest.raises(VisionInvalid):
            view_by_corners(bad, 128, 32, (640, 360))
    with pytest.raises(VisionInvalid, match="outside"):
        view_by_corners(good, 128, 32, (320, 200))
    with pytest.raises(VisionInvalid, match="pixels a dot"):
        view_by_corners([(1, 1), (120, 1), (120, 31), (1, 31)], 128, 32, (640, 360))
