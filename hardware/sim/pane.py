"""A camera in front of any simulated display but a dot matrix: light from a flat face in, one BGR picture out.

The face is drawn flat, in its own pixels; here are perspective, bloom, blur, noise, exposure, room light and
reflections. Invariant: the same seed, light and time give the same bytes.
"""

import cv2
import numpy as np

from hardware.ports.base import Image
from hardware.sim.board import Light
from hardware.sim.trouble import REFLECTION_MS, Corners, Mishaps, Plane, Trouble, box_of, exposure, mount, rooms


class Pane:
    """One camera, mounted by seed, in front of a face of `size` (rows, columns of its flat pixels).

    `bloom`: how much of what shines spreads around it. `corners` are the true ones of the face.
    """

    def __init__(
        self, seed: int, size: tuple[int, int], *, width: int = 640, height: int = 360, trouble: Trouble | None = None,
        bloom: float = 0.3,
    ) -> None:  # fmt: skip
        chance = np.random.default_rng([seed, 0x2E])
        self._seed = seed
        self._trouble = trouble or Trouble()
        self._bloom = bloom
        rows, columns = size
        aspect = columns / rows
        widest = min(0.92, 0.86 * height * aspect / width)
        self.corners: Corners = mount(chance, width, height, aspect, spread=(widest * 0.85, widest))
        """Top left, top right, bottom right, bottom left, in pixels (x, y)."""
        self._left, self._top, right, bottom = box_of(self.corners, width, height)
        self._size = (right - self._left, bottom - self._top)
        flat = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        there = np.array(self.corners, np.float32) - np.array([self._left, self._top], np.float32)
        self._warp = cv2.getPerspectiveTransform(flat, there)
        self._scale = float(np.linalg.norm(there[1] - there[0])) / columns
        self._inside = cv2.warpPerspective(np.ones(size, np.float32), self._warp, self._size)
        self._blur = float(chance.uniform(0.35, 0.8)) * self._trouble.blur * width / 640
        self._phase = chance.uniform(0, 6.28, 3)
        self._veil = self._room_light(chance)
        self._rooms = rooms(chance, self.corners, width, height, self._trouble.noise)
        self._mishaps = Mishaps(seed, self._trouble, self.corners)

    def picture(self, light: Light, at: int) -> Image:
        """Take one picture (height x width x 3) at `at`, milliseconds since the camera was switched on."""
        chance = np.random.default_rng([self._seed, at])
        if self._scale < 0.8:  # the optics average what a sampling grid would skip
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.4 / self._scale), np.float32)
        seen = np.asarray(cv2.warpPerspective(light, self._warp, self._size), np.float32)
        if self._bloom:
            seen = seen + self._bloom * cv2.GaussianBlur(np.maximum(seen - 0.25, 0), (0, 0), 3.5 * self._size[0] / 540)
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), max(0.2, self._blur)), np.float32)
        seen *= np.float32(exposure(at, self._phase, self._trouble.drift))
        seen += self._veil[..., None]
        if (spot := self._reflection(at)) is not None:
            seen += spot[..., None]
        grain = np.empty(seen.shape, np.float32)
        cv2.setRNGSeed(int(chance.integers(2**31 - 1)))
        cv2.randn(grain, np.zeros(3), np.full(3, 0.013 * self._trouble.noise + 1e-6))
        seen += grain * (1 + 0.6 * np.minimum(seen, 1))
        frame = self._rooms[chance.integers(len(self._rooms))].copy()
        part = frame[self._top : self._top + self._size[1], self._left : self._left + self._size[0]]
        blend = self._inside[..., None]
        part[...] = np.clip(seen * 255 * blend + part * (1 - blend), 0, 255).astype(np.uint8)
        return self._mishaps.happen(frame, at)

    def _room_light(self, chance: np.random.Generator) -> Plane:
        """A veil with a slope, and a soft window's shine."""
        slope = chance.uniform(-1, 1, 2)
        high, wide = self._size[1], self._size[0]
        x, y = np.meshgrid(np.linspace(-1, 1, wide, dtype=np.float32), np.linspace(-1, 1, high, dtype=np.float32))
        plane = 0.5 + 0.25 * (slope[0] * x + slope[1] * y)
        u, v, soft = chance.uniform(-1, 1), chance.uniform(-1, 1), chance.uniform(0.3, 0.7)
        shine = 0.05 * np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * soft**2))
        trouble = self._trouble
        veil: Plane = (trouble.glare * (0.05 * plane + shine) + trouble.veil * (0.8 + 0.4 * plane)).astype(np.float32)
        return veil

    def _reflection(self, at: int) -> Plane | None:
        """A heavy reflection somewhere on the glass during some windows of time."""
        chance = np.random.default_rng([self._seed, 0x5F, at // REFLECTION_MS])
        if chance.random() >= self._trouble.reflection:
            return None
        high, wide = self._size[1], self._size[0]
        x, y = np.meshgrid(np.arange(wide, dtype=np.float32) / wide, np.arange(high, dtype=np.float32) / wide)
        u, v, size = chance.uniform(0.15, 0.85), chance.uniform(0.1, 0.9) * high / wide, chance.uniform(0.03, 0.08)
        spot: Plane = (2.0 * np.exp(-((x - u) ** 2 + ((y - v) * 1.3) ** 2) / (2 * size**2))).astype(np.float32)
        return spot
