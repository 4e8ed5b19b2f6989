"""A camera in front of a simulated dot-matrix display: dots in, one BGR picture out.

Perspective, dots that bleed, bloom, blur, sensor noise, flicker of the display's scan, exposure that drifts, room light
on the glass, and now and then a reflection that hides a few digits. Everything that stands still is computed once, so
a picture costs a few milliseconds. Invariant: the same seed, dots and time give the same bytes.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.ports.base import Image

ROWS, COLUMNS = 32, 128
Plane = NDArray[np.float32]

REFLECTION_MS = 20_000
"""A reflection comes and goes in windows of this length."""
_AMBER = (0.12, 0.62, 1.25)
"""The plasma's colour, blue to red; red saturates first, as cameras see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """How bad the camera's view is, 1.0 an ordinary venue. `reflection` is the share of time under a heavy one."""

    blur: float = 1.0
    noise: float = 1.0
    flicker: float = 1.0
    drift: float = 1.0
    glare: float = 1.0
    reflection: float = 0.02


class Lens:
    """One camera, mounted by seed. `corners` are the true ones of the dots' area."""

    def __init__(self, seed: int, *, width: int = 640, height: int = 360, trouble: Trouble | None = None) -> None:
        chance = np.random.default_rng([seed, 0x1E])
        self._seed = seed
        self._trouble = trouble or Trouble()
        self.corners = _mount(chance, width, height)
        """Top left, top right, bottom right, bottom left, in pixels (x, y): the outer edge of the outermost dots."""
        self._left, self._top, right, bottom = _box(self.corners, width, height)
        self._u, self._v = _coordinates(self.corners, self._left, self._top, right, bottom)
        inside = (self._u >= 0) & (self._u < COLUMNS) & (self._v >= 0) & (self._v < ROWS)
        column, row = np.clip(self._u.astype(int), 0, COLUMNS - 1), np.clip(self._v.astype(int), 0, ROWS - 1)
        self._dot = (row * COLUMNS + column).ravel()
        spread = chance.uniform(0.24, 0.34)
        away = (self._u - column - 0.5) ** 2 + (self._v - row - 0.5) ** 2
        self._shape = np.where(inside, np.exp(-away / (2 * spread**2)), 0).astype(np.float32)
        self._bleed = float(chance.uniform(0.15, 0.4))
        self._blur = float(chance.uniform(0.4, 0.9)) * self._trouble.blur * width / 640
        self._phase = chance.uniform(0, 6.28, 3)
        self._veil = self._room_light(chance)
        self._rooms = _rooms(chance, self.corners, width, height, self._trouble.noise)
        self._grain = _grain(chance, self._shape.shape, self._trouble.noise)

    def picture(self, dots: NDArray[np.uint8] | Plane, at: int) -> Image:
        """Take one picture (height x width x 3) of 32 x 128 levels from 0 to 15 (fractions where two screens blend)."""
        chance = np.random.default_rng([self._seed, at])
        lit = (np.asarray(dots, np.float32) / 15.0) ** 0.8
        glow = cv2.GaussianBlur(lit, (0, 0), 1.3)
        light = lit.ravel().take(self._dot).reshape(self._shape.shape)
        light *= self._shape
        light += self._bleed * cv2.remap(glow, self._u - 0.5, self._v - 0.5, cv2.INTER_LINEAR)
        light *= self._scan(at)
        light = cv2.GaussianBlur(light, (0, 0), max(0.2, self._blur))
        exposure = 1 + 0.15 * self._trouble.drift * np.sin(at / 7000 + self._phase[0]) * np.sin(
            at / 1900 + self._phase[1]
        )
        light += self._veil
        if (spot := self._reflection(at)) is not None:
            light += spot
        light += self._grain[chance.integers(len(self._grain))]
        return self._expose(light, float(exposure), chance)

    def _expose(self, light: Plane, exposure: float, chance: np.random.Generator) -> Image:
        frame = self._rooms[chance.integers(len(self._rooms))].copy()
        part = frame[self._top : self._top + light.shape[0], self._left : self._left + light.shape[1]]
        channels = [cv2.convertScaleAbs(np.maximum(light, 0), alpha=190 * exposure * gain) for gain in _AMBER]
        part[...] = cv2.add(part, cv2.merge(channels))
        return frame

    def _scan(self, at: int) -> Plane:
        """The bands that a display drawn row by row leaves in a short exposure."""
        rows = np.arange(self._shape.shape[0], dtype=np.float32) / self._shape.shape[0]
        band = np.sin(2 * np.pi * (rows * 1.5 - at / 173.0) + self._phase[2])
        bright: Plane = (1 - 0.1 * self._trouble.flicker * (1 + band)).astype(np.float32)
        return bright[:, None]

    def _room_light(self, chance: np.random.Generator) -> Plane:
        slope = chance.uniform(-1, 1, 2)
        plane = 0.5 + 0.25 * (slope[0] * (self._u / COLUMNS * 2 - 1) + slope[1] * (self._v / ROWS * 2 - 1))
        veil: Plane = (0.06 * self._trouble.glare * plane).astype(np.float32)
        return veil

    def _reflection(self, at: int) -> Plane | None:
        """A heavy reflection somewhere on the glass during some windows of time."""
        chance = np.random.default_rng([self._seed, 0x5F, at // REFLECTION_MS])
        if chance.random() >= self._trouble.reflection:
            return None
        x, y, size = chance.uniform(20, 108), chance.uniform(6, 26), chance.uniform(5, 11)
        spot = 2.5 * np.exp(-((self._u - x) ** 2 + ((self._v - y) * 1.3) ** 2) / (2 * size**2))
        reflected: Plane = spot.astype(np.float32)
        return reflected


def _mount(chance: np.random.Generator, width: int, height: int) -> tuple[tuple[float, float], ...]:
    wide = width * chance.uniform(0.72, 0.9)
    x, y = wide / 2, wide / 8
    angle, squeeze = chance.uniform(-0.05, 0.05), chance.uniform(0.85, 1.0)
    middle = np.array(
        [width / 2 + chance.uniform(-0.02, 0.02) * width, height / 2 + chance.uniform(-0.12, 0.12) * height]
    )
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.array([[-x, -y * squeeze], [x, -y * squeeze], [x, y * squeeze], [-x, y * squeeze]])
    lean = 1 + chance.uniform(-0.06, 0.06) * np.sign(flat[:, :1]) * np.array([[0, 1]])
    corners = middle + (flat * lean) @ turn.T
    return tuple((float(point[0]), float(point[1])) for point in corners)


def _box(corners: tuple[tuple[float, float], ...], width: int, height: int) -> tuple[int, int, int, int]:
    xs, ys, margin = [p[0] for p in corners], [p[1] for p in corners], width // 50
    left, top = max(0, int(min(xs)) - margin), max(0, int(min(ys)) - margin)
    return left, top, min(width, int(max(xs)) + margin), min(height, int(max(ys)) + margin)


def _coordinates(
    corners: tuple[tuple[float, float], ...], left: int, top: int, right: int, bottom: int
) -> tuple[Plane, Plane]:
    """For every pixel of the box, where it lies in dots (column, row)."""
    area = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]], np.float32)
    back = cv2.getPerspectiveTransform(np.array(corners, np.float32), area)
    x, y = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
    place = np.stack([x, y, np.ones_like(x)]).reshape(3, -1)
    u, v, w = back @ place
    return (u / w).reshape(x.shape).astype(np.float32), (v / w).reshape(x.shape).astype(np.float32)


def _rooms(
    chance: np.random.Generator, corners: tuple[tuple[float, float], ...], width: int, height: int, noise: float
) -> list[Image]:
    """What the camera sees besides the display: the same machine, under a few patterns of sensor noise."""
    coarse = chance.integers(10, 90, (9, 16, 3)).astype(np.uint8)
    room = cv2.GaussianBlur(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), (0, 0), 3)
    middle = np.mean(corners, axis=0)
    glass = [[int(c) for c in middle + (np.array(point) - middle) * (1.04, 1.12)] for point in corners]
    room = cv2.fillConvexPoly(room, np.array(glass, np.int32), (9, 8, 10))
    rooms = []
    for _ in range(6):
        grain = chance.normal(0, 2.5 * noise, room.shape)
        rooms.append(np.clip(room + grain, 0, 255).astype(np.uint8))
    return rooms


def _grain(chance: np.random.Generator, shape: tuple[int, ...], noise: float) -> list[Plane]:
    return [chance.normal(0, 0.02 * noise, shape).astype(np.float32) for _ in range(7)]
