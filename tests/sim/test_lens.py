"""The simulated camera: true corners, repeatable pictures, the dots still in them, and cheap."""

import cv2
import numpy as np
import pytest

from hardware.sim.dmd import Display
from hardware.sim.lens import COLUMNS, ROWS, Lens, Trouble

PLAIN = Trouble(reflection=0.0)


def sample(picture: np.ndarray, corners: tuple[tuple[float, float], ...]) -> np.ndarray:
    """One value per dot (green), through the corners alone."""
    flat = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]], np.float32)
    there = cv2.getPerspectiveTransform(flat, np.array(corners, np.float32))
    middles = np.stack(np.meshgrid(np.arange(COLUMNS) + 0.5, np.arange(ROWS) + 0.5), axis=-1).astype(np.float32)
    places = cv2.perspectiveTransform(middles.reshape(1, -1, 2), there).reshape(ROWS, COLUMNS, 2)
    return cv2.remap(picture[:, :, 1], places[..., 0], places[..., 1], cv2.INTER_LINEAR)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [(640, 360), (1280, 720)])
def test_the_dots_are_found_again_through_the_true_corners(seed: int, size: tuple[int, int]):
    width, height = size
    lens = Lens(seed, width=width, height=height, trouble=PLAIN)
    dots = Display(seed).draw(1000)
    values = sample(lens.picture(dots, 4321), lens.corners).astype(float)
    lit, dark = values[dots > 0], values[dots == 0]
    threshold = (np.median(lit) + np.median(dark)) / 2
    wrong = (lit < threshold).sum() + (dark > threshold).sum()
    assert wrong / dots.size < 0.02
    assert np.median(lit) > np.median(dark) + 20


@pytest.mark.parametrize("seed", range(20))
def test_the_whole_display_is_in_the_picture(seed: int):
    corners = np.array(Lens(seed).corners)
    assert corners.min() >= 0
    assert (corners < (640, 360)).all()
    assert corners[0][0] < corners[1][0]
    assert corners[0][1] < corners[3][1]


def test_the_same_seed_dots_and_time_give_the_same_bytes_and_noise_is_never_the_same_twice():
    dots = Display(2).draw(1000)
    one, other = Lens(2), Lens(2)
    assert (one.picture(dots, 500) == other.picture(dots, 500)).all()
    assert (one.picture(dots, 500) != one.picture(dots, 700)).any()


def test_a_heavy_reflection_hides_dots_and_passes():
    dots = np.full((ROWS, COLUMNS), 0, np.uint8)
    dots[8:24, 10:118:2] = 15
    clear, hidden = Lens(1, trouble=PLAIN), Lens(1, trouble=Trouble(reflection=1.0))
    difference = hidden.picture(dots, 100).astype(int) - clear.picture(dots, 100)
    assert (difference > 150).sum() > 300
    sometimes = Lens(1, trouble=Trouble(reflection=0.3))
    under = [bool((sometimes.picture(dots * 0, at) > 200).any()) for at in range(0, 1_200_000, 20_000)]
    assert 5 < sum(under) < 35
