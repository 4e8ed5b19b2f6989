"""The shape of one maker's digit: each segment as a polygon in the digit's unit square, and its point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from segments_text import Shown


@dataclass(slots=True)
class Style:
    """Shape of one maker's digit, in digit heights (its width), and in digits' own widths and heights (the rest)."""

    width: float
    thick: float
    gap: float
    mitred: bool
    bevel: float
    waist: float
    point: str
    inner: float


def make_style(rng: np.random.Generator, segments: int) -> Style:
    """One maker's digit."""
    thick = rng.uniform(0.07, 0.17)
    return Style(
        width=rng.uniform(0.42, 0.72) if segments == 7 else rng.uniform(0.45, 0.8),
        thick=thick if segments == 7 else thick * 0.8, gap=rng.uniform(0.0, 0.035), mitred=bool(rng.random() < 0.6),
        bevel=rng.uniform(0.0, 1.0), waist=rng.uniform(-0.04, 0.04),
        point=str(rng.choice(["round", "square", "comma"])),
        inner=rng.uniform(0.6, 1.0),
    )  # fmt: skip


def bars(style: Style, segments: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Each segment as a polygon in the digit's unit square."""
    tx, ty = min(style.thick / style.width, 0.3), style.thick
    middle, gap, across = 0.5 + style.waist, style.gap, style.gap / style.width
    inset = across if style.mitred else tx * (0.25 + 0.75 * rng.random()) * 0.7 + across
    left, right = inset, 1 - inset
    top = gap if style.mitred else ty * 0.5 * style.bevel + gap
    shape = {
        "f": _upright(style, tx, top, middle - gap, left=True),
        "e": _upright(style, tx, 1 - top, middle + gap, left=True),
        "b": _upright(style, tx, top, middle - gap, left=False),
        "c": _upright(style, tx, 1 - top, middle + gap, left=False),
    }
    start, stop = tx / 2 + across, 1 - tx / 2 - across
    if segments == 7:
        shape |= {"a": _edge(style, tx, left, right), "d": _edge(style, tx, left, right) * (1, -1) + (0, 1)}
        shape |= {"g": _waist(style, tx, start, stop, middle), "i": _box(0.5 - tx / 2, gap, 0.5 + tx / 2, 1 - gap)}
        return shape
    half = across if segments == 16 else 0.0
    for name, low, high in (("1", left, 0.5 - half), ("2", 0.5 + half, right)):
        shape["a" + name] = _edge(style, tx, low, high)
        shape["d" + name] = _edge(style, tx, low, high) * (1, -1) + (0, 1)
    shape["g1"] = _waist(style, tx, start, 0.5 - across, middle)
    shape["g2"] = _waist(style, tx, 0.5 + across, stop, middle)
    return shape | _inner(style, tx, middle, across)


def _inner(style: Style, tx: float, m: float, gx: float) -> dict[str, np.ndarray]:
    """The uprights in the middle and the four diagonals."""
    g, ty, w, n = style.gap, style.thick, tx / 2 * style.inner, style.thick / 2
    upper = np.array([(0.5 - w, ty + g), (0.5 + w, ty + g), (0.5 + w, m - n - g), (0.5, m), (0.5 - w, m - n - g)])
    lower = [(0.5 - w, 1 - ty - g), (0.5 + w, 1 - ty - g), (0.5 + w, m + n + g), (0.5, m), (0.5 - w, m + n + g)]
    left, right, up, low = tx + gx * 1.5, 0.5 - w - gx * 1.5, ty + g * 1.5, m - n - g * 1.5
    fat_x, fat_y = min(w * 1.5, (right - left) * 0.6), min(w * 2.4 * style.width, (low - up) * 0.5)
    h = np.array(
        [(left, up), (left + fat_x, up), (right, low - fat_y), (right, low), (right - fat_x, low), (left, up + fat_y)]
    )
    flip = np.array([(x, m + (m - y) * ((1 - m) / m)) for x, y in h])
    mirrored = (-1, 1), (1, 0)
    return {
        "i": upper, "l": np.array(lower), "h": h, "j": h * mirrored[0] + mirrored[1],
        "m": flip, "k": flip * mirrored[0] + mirrored[1],
    }  # fmt: skip


def _edge(style: Style, tx: float, x0: float, x1: float) -> np.ndarray:
    """The top bar."""
    k = tx * (1.0 if style.mitred else style.bevel * 0.4)
    return np.array([(x0, 0.0), (x1, 0.0), (x1 - k, style.thick), (x0 + k, style.thick)])


def _waist(style: Style, tx: float, x0: float, x1: float, y: float) -> np.ndarray:
    """A bar in the middle, pointed or blunt."""
    h, k = style.thick / 2, tx / 2 * style.bevel
    return np.array([(x0, y), (x0 + k, y - h), (x1 - k, y - h), (x1, y), (x1 - k, y + h), (x0 + k, y + h)])


def _upright(style: Style, tx: float, end: float, waist: float, *, left: bool) -> np.ndarray:
    """A bar at the side, from the top or the foot (`end`) to the waist."""
    down = 1.0 if end < waist else -1.0
    k = down * style.thick * (1.0 if style.mitred else style.bevel * 0.4)
    q = down * style.thick / 2 * (1.0 if style.mitred else style.bevel)
    shape = np.array([(0, end), (0, waist), (tx / 2, waist), (tx, waist - q), (tx, end + k)])
    return shape if left else shape * (-1, 1) + (1, 0)


def _box(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def point(style: Style, sign: Shown) -> np.ndarray:
    """A point or comma at the right foot of a digit (heights, from its right edge)."""
    r = style.thick * 0.62
    x, y = sign.point_at, 1 - r
    turn = np.linspace(0, 2 * np.pi, 9)[:-1]
    if style.point == "square":
        return np.array([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)])
    dot = np.stack([x + r * np.cos(turn), y + r * np.sin(turn)], 1)
    if style.point == "comma":
        dot[1:4] += (-0.6 * r, 1.8 * r)
    return dot
