"""A camera in front of a simulated dot-matrix display: dots in, one BGR picture out.

Perspective, dots that bleed, bloom, blur, sensor noise, flicker of the display's scan, exposure that drifts, room light
on the glass, and now and then a reflection that hides a few digits. Everything that stands still is computed once, so
a picture costs a few milliseconds. Invariant: the same seed, dots and time give the same bytes.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.ports.base import Image
from hardware.sim.trouble import REFLECTION_MS, Corners, Mishaps, Plane, Trouble, box_of, exposure, mount, rooms

ROWS, COLUMNS = 32, 128
_AMBER = (0.12, 0.62, 1.25)
"""The plasma's colour, blue to red; red saturates first, as cameras see it."""
_COLOURS = {"amber": _AMBER, "red": (0.1, 0.16, 1.3), "white": (0.95, 1.0, 0.95), "blue": (1.3, 0.55, 0.2)}


class Lens:
    """One camera, mounted by seed. `corners` are the true ones of the dots' area."""

    def __init__(
        self, seed: int, *, width: int = 640, height: int = 360, trouble: Trouble | None = None,
        columns: int = COLUMNS, rows: int = ROWS, colour: str = "amber",
    ) -> None:  # fmt: skip
        chance = np.random.default_rng([seed, 0x1E])
        self._seed = seed
        self._columns, self._rows = columns, rows
        self._colour = _COLOURS[colour]
        self._trouble = trouble or Trouble()
        self.corners: Corners = mount(chance, width, height, columns / rows)
        """Top left, top right, bottom right, bottom left, in pixels (x, y): the outer edge of the outermost dots."""
        self._left, self._top, right, bottom = box_of(self.corners, width, height)
        self._u, self._v = self._coordinates(right, bottom)
        inside = (self._u >= 0) & (self._u < columns) & (self._v >= 0) & (self._v < rows)
        column, row = np.clip(self._u.astype(int), 0, columns - 1), np.clip(self._v.astype(int), 0, rows - 1)
        self._dot = (row * columns + column).ravel()
        spread = chance.uniform(0.24, 0.34)
        away = (self._u - column - 0.5) ** 2 + (self._v - row - 0.5) ** 2
        self._shape = np.where(inside, np.exp(-away / (2 * spread**2)), 0).astype(np.float32)
        self._bleed = float(chance.uniform(0.15, 0.4))
        self._blur = float(chance.uniform(0.4, 0.9)) * self._trouble.blur * width / 640 * min(1.0, 128 / columns)
        self._phase = chance.uniform(0, 6.28, 3)
        self._veil = self._room_light(chance)
        self._rooms = rooms(chance, self.corners, width, height, self._trouble.noise)
        self._grain = [chance.normal(0, 0.02 * self._trouble.noise, inside.shape).astype(np.float32) for _ in range(7)]
        self._health = self._wear(np.random.default_rng([seed, 0xDE]))
        self._mishaps = Mishaps(seed, self._trouble, self.corners, columns=columns)

    def picture(self, dots: NDArray[np.uint8] | Plane, at: int) -> Image:
        """Take one picture (height x width x 3) of the levels from 0 to 15 (fractions where two screens blend).

        `dots`: rows x columns, or with three channels more (blue, green, red) for a display in colours.
        """
        chance = np.random.default_rng([self._seed, at])
        lit = (np.asarray(dots, np.float32) / 15.0) ** 0.8
        lit *= self._health if lit.ndim == 2 else self._health[..., None]
        planes = [lit] if lit.ndim == 2 else [np.ascontiguousarray(lit[..., channel]) for channel in range(3)]
        scan, spot = self._scan(at), self._reflection(at)
        grain = self._grain[chance.integers(len(self._grain))]
        light = []
        for plane in planes:
            seen = self._shine(plane) * scan
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), max(0.2, self._blur)), np.float32)
            seen += self._veil
            if spot is not None:
                seen += spot
            seen += grain
            light.append(seen)
        brightness = exposure(at, self._phase, self._trouble.drift)
        return self._mishaps.happen(self._expose(light, brightness, chance), at)

    def _shine(self, lit: Plane) -> Plane:
        """What leaves the glass: each dot's own light, and the glow around it."""
        glow = cv2.GaussianBlur(lit, (0, 0), 1.3)
        light = lit.ravel().take(self._dot).reshape(self._shape.shape)
        light *= self._shape
        light += self._bleed * cv2.remap(glow, self._u - 0.5, self._v - 0.5, cv2.INTER_LINEAR)
        return np.asarray(light, np.float32)

    def _expose(self, light: list[Plane], brightness: float, chance: np.random.Generator) -> Image:
        frame = self._rooms[chance.integers(len(self._rooms))].copy()
        part = frame[self._top : self._top + light[0].shape[0], self._left : self._left + light[0].shape[1]]
        gains = self._colour if len(light) == 1 else (1.0, 1.0, 1.0)
        planes = light * 3 if len(light) == 1 else light
        channels = [
            cv2.convertScaleAbs(np.maximum(plane, 0), alpha=190 * brightness * gain)
            for plane, gain in zip(planes, gains, strict=True)
        ]
        part[...] = cv2.add(part, cv2.merge(channels))
        return frame

    def _scan(self, at: int) -> Plane:
        """The bands that a display drawn row by row leaves in a short exposure."""
        rows = np.arange(self._shape.shape[0], dtype=np.float32) / self._shape.shape[0]
        band = np.sin(2 * np.pi * (rows * 1.5 - at / 173.0) + self._phase[2])
        bright: Plane = (1 - 0.1 * self._trouble.flicker * (1 + band)).astype(np.float32)
        if self._trouble.bands:
            gap = np.sin(2 * np.pi * (rows * 1.1 + at / 311.0) + self._phase[1])
            bright *= (1 - self._trouble.bands * np.clip(gap * 4 - 2.6, 0, 1)).astype(np.float32)
        return bright[:, None]

    def _wear(self, chance: np.random.Generator) -> Plane:
        """What each dot still gives: old displays have dim rows and dead dots."""
        health = np.ones((self._rows, self._columns), np.float32)
        health[chance.random(self._rows) < self._trouble.dim] = 0.35
        health[chance.random(health.shape) < self._trouble.dead] = 0
        return health

    def _room_light(self, chance: np.random.Generator) -> Plane:
        slope = chance.uniform(-1, 1, 2)
        across, down = self._u / self._columns * 2 - 1, self._v / self._rows * 2 - 1
        plane = 0.5 + 0.25 * (slope[0] * across + slope[1] * down)
        glass = (np.abs(across) < 1.05) & (np.abs(down) < 1.2)
        grey = self._trouble.veil * (0.8 + 0.4 * plane) * glass
        veil: Plane = (0.06 * self._trouble.glare * plane + grey).astype(np.float32)
        return veil

    def _reflection(self, at: int) -> Plane | None:
        """A heavy reflection somewhere on the glass during some windows of time."""
        chance = np.random.default_rng([self._seed, 0x5F, at // REFLECTION_MS])
        if chance.random() >= self._trouble.reflection:
            return None
        x, y, size = chance.uniform(20, 108), chance.uniform(6, 26), chance.uniform(5, 11)
        u, v = self._u * (COLUMNS / self._columns), self._v * (ROWS / self._rows)
        spot = 2.5 * np.exp(-((u - x) ** 2 + ((v - y) * 1.3) ** 2) / (2 * size**2))
        reflected: Plane = spot.astype(np.float32)
        return reflected

    def _coordinates(self, right: int, bottom: int) -> tuple[Plane, Plane]:
        """For every pixel of the box, where it lies in dots (column, row)."""
        wide, high = self._columns, self._rows
        area = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        back = cv2.getPerspectiveTransform(np.array(self.corners, np.float32), area)
        x, y = np.meshgrid(np.arange(self._left, right), np.arange(self._top, bottom))
        place = np.stack([x, y, np.ones_like(x)]).reshape(3, -1)
        u, v, w = back @ place
        return (u / w).reshape(x.shape).astype(np.float32), (v / w).reshape(x.shape).astype(np.float32)
