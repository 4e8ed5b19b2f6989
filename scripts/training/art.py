"""Pictures that are no text: blobs, hatching, bars, outlines, rain. They teach what a sign is not."""

from __future__ import annotations

import cv2
import numpy as np


def draw_art(rng: np.random.Generator, light: np.ndarray) -> None:
    """Draw one to three things onto the dots, in place."""
    for _ in range(int(rng.integers(1, 4))):
        canvas = np.zeros(light.shape, np.uint8)
        _KINDS[rng.integers(len(_KINDS))](rng, canvas)
        level = float(rng.choice([1.0, 0.66, 0.33]))
        np.maximum(light, canvas.astype(np.float32) * level, out=light)
    if rng.random() < 0.3:
        light *= (np.add.outer(np.arange(light.shape[0]), np.arange(light.shape[1])) % 2).astype(np.float32)


def _polygon(rng: np.random.Generator, canvas: np.ndarray) -> None:
    rows, columns = canvas.shape
    centre = rng.uniform((0, 0), (columns, rows))
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 10))))
    radius = rng.uniform(3, 30, angles.size)
    points = centre + np.stack([np.cos(angles) * radius, np.sin(angles) * radius * 0.6], 1)
    if rng.random() < 0.5:
        cv2.polylines(canvas, [points.astype(np.int32)], True, 1, int(rng.integers(1, 3)))
    else:
        cv2.fillPoly(canvas, [points.astype(np.int32)], 1)


def _ellipses(rng: np.random.Generator, canvas: np.ndarray) -> None:
    rows, columns = canvas.shape
    for _ in range(int(rng.integers(1, 10))):
        centre = (int(rng.integers(columns)), int(rng.integers(rows)))
        axes = (int(rng.integers(1, 16)), int(rng.integers(1, 12)))
        cv2.ellipse(canvas, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1, int(rng.choice([-1, 1, 1, 2])))


def _bars(rng: np.random.Generator, canvas: np.ndarray) -> None:
    rows, columns = canvas.shape
    for _ in range(int(rng.integers(1, 5))):
        if rng.random() < 0.6:
            top, left = int(rng.integers(rows)), int(rng.integers(-20, columns))
            canvas[top : top + int(rng.integers(1, 6)), max(0, left) : max(0, left + int(rng.integers(8, 128)))] = 1
        else:
            left = int(rng.integers(columns))
            canvas[:, left : left + int(rng.integers(1, 8))] = 1


def _waves(rng: np.random.Generator, canvas: np.ndarray) -> None:
    rows, columns = canvas.shape
    x = np.arange(columns)
    y = rows * rng.random() + rng.uniform(2, 12) * np.sin(x / rng.uniform(4, 30) + rng.uniform(0, 6))
    thick = rng.uniform(1, 8)
    canvas[np.abs(np.arange(rows)[:, None] - y[None]) < thick / 2] = 1


def _rain(rng: np.random.Generator, canvas: np.ndarray) -> None:
    small = rng.random((canvas.shape[0] // 2 + 1, canvas.shape[1] // 2 + 1)) < rng.uniform(0.1, 0.6)
    top = int(rng.integers(canvas.shape[0] - 4))
    canvas[top:] = np.kron(small, np.ones((2, 2)))[: canvas.shape[0] - top, : canvas.shape[1]]


def _strokes(rng: np.random.Generator, canvas: np.ndarray) -> None:
    rows, columns = canvas.shape
    for _ in range(int(rng.integers(2, 14))):
        start = (int(rng.integers(columns)), int(rng.integers(rows)))
        stop = (start[0] + int(rng.integers(-20, 21)), start[1] + int(rng.integers(-10, 11)))
        cv2.line(canvas, start, stop, 1, int(rng.integers(1, 3)))


_KINDS = (_polygon, _ellipses, _bars, _waves, _rain, _strokes)
