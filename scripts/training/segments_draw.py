"""Draw displays of segments as cameras see them: any maker's bars, colour, ghosts, bloom, glare; lit or liquid crystal.

Everything comes from a random generator. A drawn display knows where each cell lies and what it shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from segments_bars import Style, bars, make_style, point
from segments_light import UNIT, photograph, shade, shine
from segments_text import SEVEN_KINDS, SIXTEEN_KINDS, Shown, compose


@dataclass(slots=True)
class Drawn:
    """`image` BGR; `cells` n x 4 x 2 corners of the digits in pixels; `shown` what each says."""

    image: np.ndarray
    cells: np.ndarray
    shown: list[Shown]
    lit: bool
    ratio: float
    none: int


def draw_display(
    rng: np.random.Generator, *, segments: int, lit: bool, room: tuple[float, float] = (0.35, 0.5), takes: int = 1
) -> list[Drawn]:
    """One display, photographed so many times. `room`: least and most digit heights of surroundings."""
    style = make_style(rng, segments)
    shown, intensity, strongest = compose(rng, segments, lit=lit)
    lefts, ratio = place_cells(rng, style, len(shown), lit=lit)
    block = lefts[-1] + style.width
    margins = rng.uniform(room[0], room[1], 4) if room[1] < 1 else room[0] + (room[1] - room[0]) * rng.random(4) ** 2
    to_canvas, size = camera(rng, block, margins)
    emit, cells = draw_cells(rng, style, segments, shown, intensity, lefts, to_canvas, size)
    around = np.array([(-0.15, -0.15), (block + 0.15, -0.15), (block + 0.15, 1.15), (-0.15, 1.15)], np.float64)
    inside = cv2.perspectiveTransform(around[:, None], to_canvas).reshape(4, 2)
    if rng.random() < 0.6:  # most windows do not lean with the digits
        inside[[0, 3], 0], inside[[1, 2], 0] = inside[[0, 3], 0].min(), inside[[1, 2], 0].max()
    light = shine(rng, emit, inside, size, strongest) if lit else shade(rng, emit, inside, size)
    drawn = []
    for _ in range(takes):
        image, scale = photograph(rng, light)
        drawn.append(
            Drawn(
                image=image,
                cells=(cells * scale).astype(np.float32),
                shown=shown,
                lit=lit,
                ratio=ratio,
                none=(len(SEVEN_KINDS) if segments == 7 else len(SIXTEEN_KINDS)) + 1,
            )
        )
    return drawn


def place_cells(rng: np.random.Generator, style: Style, count: int, *, lit: bool) -> tuple[np.ndarray, float]:
    """Left edges in digit heights: evenly, but for groups and points that take room on some displays."""
    ratio = rng.uniform(0.55, 0.93)
    pitch = style.width / ratio
    steps = np.full(count, pitch)
    odd = rng.random()
    if odd < 0.10:
        steps[(count - np.arange(count)) % 3 == 0] += pitch * rng.uniform(0.05, 0.3)
    elif odd < (0.15 if lit else 0.4):
        steps[rng.integers(count)] += pitch * rng.uniform(0.1, 0.4)
    lefts = np.concatenate([[0.0], np.cumsum(steps[1:])]) if count > 1 else np.zeros(1)
    return lefts, ratio


def camera(rng: np.random.Generator, block: float, margins: np.ndarray) -> tuple[np.ndarray, tuple[int, int]]:
    """From block coordinates (digit heights) to the canvas: slant, turn, perspective; and the canvas's size."""
    slant = 0.0 if rng.random() < 0.25 else rng.uniform(0.0, 0.26)
    if rng.random() < 0.05:
        slant = -slant
    turn = rng.normal(0, 2.2) * np.pi / 180
    left, top, right, bottom = margins
    corners = np.array([(-left, -top), (block + right, -top), (block + right, 1 + bottom), (-left, 1 + bottom)])
    shear = np.array([[1, -slant], [0, 1]])
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    places = (corners - (block / 2, 0.5)) @ (rotate @ shear).T * (1, rng.uniform(0.88, 1.12))
    places = places + rng.normal(0, 0.035, (4, 2)) * (1, 1)
    places = (places - places.min(0)) * UNIT
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), places.astype(np.float32))
    # the outermost strip beyond the block's own slant is filled by the background
    width, height = np.ceil(places.max(0)).astype(int) + 1
    return np.asarray(matrix, np.float64), (int(width), int(height))


def draw_cells(rng, style, segments, shown, intensity, lefts, to_canvas, size):  # noqa: ANN001, ANN201, PLR0913, PLR0917
    """Light of the segments (0 to 1, by segment) on the canvas, and the corners of the cells there."""
    names = shown[0].names
    emit = np.zeros((size[1], size[0]), np.uint8)
    shape = bars(style, segments, rng)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    cells = []
    for left, sign, levels in zip(lefts, shown, intensity, strict=True):
        for name, level in zip(names, levels, strict=False):
            if level > 0.004 and name in shape and not (segments == 7 and name == "i" and not sign.bits[7]):
                paint(emit, shape[name] * (style.width, 1) + (left, 0), to_canvas, level)
        if levels[-1] > 0.004:
            paint(emit, point(style, sign) * (1, 1) + (left + style.width, 0), to_canvas, levels[-1])
        cells.append(cv2.perspectiveTransform((square * (style.width, 1) + (left, 0))[:, None], to_canvas)[:, 0])
    return emit.astype(np.float32) / 255, np.array(cells)


def paint(emit: np.ndarray, polygon: np.ndarray, to_canvas: np.ndarray, level: float) -> None:
    """Fill a polygon of block coordinates with a level of 0 to 1."""
    places = cv2.perspectiveTransform(polygon[:, None].astype(np.float64), to_canvas)[:, 0] - 0.5
    cv2.fillPoly(emit, [np.round(places * 16).astype(np.int32)], int(np.clip(level, 0, 1) * 255), cv2.LINE_AA, 4)
