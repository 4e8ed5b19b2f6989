"""Pictures of wheels, drawn: a strip of digits behind a window, one beside the other. For tests only."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
HIGH, WIDE = 96, 64
"""Pixels of one wheel's window."""


def draw_wheel(
    value: float, *, turns: str = "up", ink: int = 235, ground: int = 40, pitch: float = 1.15, face: int = 0
) -> Picture:
    """One wheel at `value`: 3.5 stands half way from 3 to 4. `pitch`: of the digits, in windows."""
    wheel = np.full((HIGH, WIDE), ground, np.uint8)
    sign = 1 if turns == "up" else -1
    step = pitch * HIGH
    for digit in range(int(np.floor(value)) - 1, int(np.floor(value)) + 3):
        middle = HIGH / 2 + sign * (digit - value) * step
        _draw_digit(wheel, str(digit % 10), middle, ink, face)
    shade = 1 - 0.35 * np.abs(np.linspace(-1, 1, HIGH)) ** 3
    return np.asarray(wheel * shade[:, None], np.uint8)


def draw_row(values: list[float], *, turns: str = "up", ink: int = 235, ground: int = 40, gap: int = 6) -> Picture:
    """Wheels side by side with dark gaps between them, as BGR with a little noise."""
    parts: list[Picture] = []
    bar = np.full((HIGH, gap), 15, np.uint8)
    for value in values:
        parts += [bar, draw_wheel(value, turns=turns, ink=ink, ground=ground), bar]
    return in_colour(np.hstack(parts))


def in_colour(grey: Picture, seed: int = 1) -> Picture:
    """BGR, softened by a lens, with a little noise."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.2).astype(np.float32)
    noisy = soft[..., None] + np.random.default_rng(seed).normal(0, 3, (*grey.shape, 3))
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _draw_digit(wheel: Picture, digit: str, middle: float, ink: int, face: int) -> None:
    """The digit's own middle comes to lie at `middle`, whatever the typeface's measures say."""
    faces = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX)
    paper = np.zeros((3 * HIGH, 3 * WIDE), np.uint8)
    cv2.putText(paper, digit, (WIDE, 2 * HIGH), faces[face], 2.6, 255, 7, cv2.LINE_AA)
    rows, columns = np.where(paper.max(1) > 99)[0], np.where(paper.max(0) > 99)[0]
    shift = np.array(
        [[1, 0, WIDE / 2 - (columns[0] + columns[-1] + 1) / 2], [0, 1, middle - (rows[0] + rows[-1] + 1) / 2]]
    )
    mask = cv2.warpAffine(paper, shift, (WIDE, HIGH)).astype(np.float32) / 255
    wheel[:] = np.asarray(wheel * (1 - mask) + ink * mask, np.uint8)
