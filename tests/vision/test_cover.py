"""Something lies over a part of the display: a number that may go on beneath it does not count."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from capture.vision.cover import covered_beside
from capture.vision.reader import DisplayReader

Panel = Any
"""A screen drawn by hand: see conftest."""
Corners = tuple[tuple[float, float], ...]
GROUND, SKIN, BLACK = (70, 70, 75), (80, 110, 160), (0, 0, 0)


@pytest.mark.parametrize("colour", [GROUND, SKIN, BLACK])
@pytest.mark.parametrize("soft", [0.0, 4.0])
def test_a_number_whose_first_digit_is_covered_does_not_count(
    panel: Panel, new_reader: Callable[..., DisplayReader], colour: tuple[int, int, int], soft: float
):
    screen = panel().number(239_450, top=2, rows=18).words("BALL 2", top=24, left=4)
    image, corners = screen.seen(2)
    grain = np.random.default_rng(1).normal(22, 5, image.shape)
    image = np.clip(image + grain, 0, 255).astype(np.uint8)
    whole = new_reader(corners).read(image)
    assert (whole.accepted, whole.scores[0].score) == (True, 239_450), whole
    for hidden in (1.1, 1.2, 1.3):
        covered = new_reader(corners).read(_cover(image, corners, whole.scores[0].place, hidden, colour, soft))
        assert not covered.accepted, covered


def test_only_a_display_with_grain_tells_of_a_cover():
    dots = np.random.default_rng(2).normal(0, 3, (2, 32, 128)).astype(np.float32) + 40
    box = (0.5, 0.1, 0.8, 0.7)
    assert not covered_beside(dots, box, 5)
    hidden = dots.copy()
    hidden[0, :, 52:64] = 40
    hidden[1, :, 52:64] = 0
    assert covered_beside(hidden, box, 5)
    assert not covered_beside(np.zeros_like(dots), box, 5)


def _cover(
    image: np.ndarray,
    corners: Corners,
    place: tuple[float, ...],
    digits: float,
    colour: tuple[int, ...],
    soft: float,
) -> np.ndarray:
    """A strip of this colour over two digits' room before the number, and so many of its digits."""
    left, top, right, bottom = place
    width = (right - left) / 6.4
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))
    x0, x1 = left - 2 * width, left + digits * width
    strip = np.array([[(x0, top - 0.05)], [(x1, top - 0.05)], [(x1, bottom + 0.05)], [(x0, bottom + 0.05)]], np.float64)
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(cv2.perspectiveTransform(strip, matrix)).astype(np.int32)], 1.0)
    mask = (cv2.GaussianBlur(mask, (0, 0), soft) if soft else mask)[..., None]
    return (image * (1 - mask) + np.array(colour, np.float32) * mask).astype(np.uint8)
