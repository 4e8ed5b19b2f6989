"""Cells by the thousand, cut from drawn displays by the product's own code; corners as people click them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from segments_draw import Drawn, draw_display
from segments_text import NOTHING

from capture.vision.errors import VisionInvalid
from capture.vision.segments.strip import Strip, cut_cells, cut_strip, frames, grid

NOMINAL = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@dataclass(slots=True)
class Cells:
    """`seen` n x 2 x 48 x 32 (0..255 for -0.5..1.5), `bits` (-1 unknown, 2 half), `box` n x 8, weighed by `boxed`."""

    seen: np.ndarray
    kind: np.ndarray
    bits: np.ndarray
    point: np.ndarray
    box: np.ndarray
    boxed: np.ndarray


def make_cells(rng: np.random.Generator, segments: int, count: int, *, hard: float = 1.0) -> Cells:
    """At least `count` cells. `hard`: how far the corners are off, against people's usual 3 % of a digit's height."""
    parts: list[tuple[np.ndarray, ...]] = []
    total = 0
    while total < count:
        size = segments if segments == 7 else int(rng.choice([14, 16]))
        lit = size != 7 or rng.random() < 0.5
        for drawn in draw_display(rng, segments=size, lit=lit, takes=2):
            for _ in range(2):
                cut = cut_drawn(rng, drawn, hard)
                if cut is not None:
                    parts.append(cut)
                    total += len(cut[0])
    return Cells(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def cut_drawn(rng: np.random.Generator, drawn: Drawn, hard: float) -> tuple[np.ndarray, ...] | None:
    """One row of cells, with misplaced corners."""
    glass = "lit" if drawn.lit else "lcd"
    try:
        strip = cut_strip(drawn.image, click(rng, drawn, hard), glass=glass)
    except VisionInvalid:
        return None
    ratio = float(np.clip(drawn.ratio * np.exp(rng.normal(0, 0.09 * hard)), 0.4, 1.0))
    count = len(drawn.shown)
    corners = grid(strip, count, ratio, float(rng.normal(0, 0.07 * hard)))
    wrong = rng.random() < 0.04
    pitch = np.linalg.norm(corners[-1, 0] - corners[0, 0]) / max(1, count - 1) if count > 1 else 0.0
    corners += rng.normal(0, 0.03 * hard, (count, 1, 2)).astype(np.float32) * (corners[0, 1, 0] - corners[0, 0, 0])
    if wrong and count > 1:
        corners += np.array([rng.choice([-1, 1]) * pitch * rng.uniform(0.42, 0.58), 0], np.float32)
    seen = cut_cells(strip, corners)
    kind = np.array([shown.kind for shown in drawn.shown], np.int64)
    box = offsets(strip, corners, drawn.cells)
    boxed = np.array([shown.seen for shown in drawn.shown], np.float32)
    bits = np.array([shown.bits for shown in drawn.shown], np.int8)
    point = np.array([shown.point for shown in drawn.shown], np.int8)
    if wrong and count > 1:
        last = drawn.none
        kind = np.where(np.isin(kind, (NOTHING, last - 1)), NOTHING, last)
        bits, boxed = np.full_like(bits, -1), boxed * 0
    packed = np.clip((seen + 0.5) * 127.5, 0, 255).astype(np.uint8)
    return packed, kind, bits, point, box.reshape(count, 8), boxed * (np.abs(box).max((1, 2)) < 1.0)


def click(rng: np.random.Generator, drawn: Drawn, hard: float) -> np.ndarray:
    """The block's corners as somebody clicks them."""
    quad = np.stack([drawn.cells[0, 0], drawn.cells[-1, 1], drawn.cells[-1, 2], drawn.cells[0, 3]])
    height = float(np.linalg.norm(quad[3] - quad[0]))
    off = rng.normal(0, 0.03, (4, 2)) * rng.choice([0.4, 1.0, 1.8])
    off[:, 1] += rng.normal(0, 0.02) * np.array([1, 1, -1, -1])
    lean = rng.normal(0, 0.04)
    off[:2, 0] += lean
    off[2:, 0] -= lean
    return (quad + off * height * hard).astype(np.float32)


def offsets(strip: Strip, corners: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Where the true corners lie, in the frame of each cell as cut, less where they should: n x 4 x 2."""
    flat = cv2.perspectiveTransform((cells.reshape(-1, 1, 2) - 0.5).astype(np.float64), np.linalg.inv(strip.to_picture))
    true = flat.reshape(-1, 4, 2) + 0.5
    origin, across, down = frames(corners)
    base = np.stack([across, down], -1).astype(np.float64)
    places = np.linalg.solve(base[:, None], (true - origin[:, None])[..., None])[..., 0]
    return (places - NOMINAL).astype(np.float32)
