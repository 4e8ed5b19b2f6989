"""What spoils a camera's view of a display, and what all simulated cameras share: the mount, the room, what goes wrong.

Each kind of display has its own optics (`lens` for dots, `pane` for everything else); both stand in this room. Numbers
of `Trouble` are the addresses' own (docs/agent.md). Invariant: the same seed and time spoil a picture the same way.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.ports.base import Image

Plane = NDArray[np.float32]
Corners = tuple[tuple[float, float], ...]

REFLECTION_MS = 20_000
"""A reflection comes and goes in windows of this length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """How bad the camera's view is, 1.0 an ordinary venue where nothing else is said; 0: none of it."""

    blur: float = 1.0
    noise: float = 1.0
    flicker: float = 1.0
    drift: float = 1.0
    """Of the exposure."""
    glare: float = 1.0
    reflection: float = 0.02
    """The share of time under a heavy one."""
    veil: float = 0.0
    """Grey room light over all of the glass: 1 is as bright as what shines."""
    jpeg: int = 0
    """The quality (1 to 100) with which each picture was squeezed; 0: not at all."""
    bands: float = 0.0
    """Depth (0 to 1) of the dark bands of a shutter that is too short for the display's refresh."""
    shutter: float = 33.0
    """Milliseconds: two screens blend that show while it is open."""
    bump: float = 0.0
    """The camera moves once, by so many dots (other displays: 128ths of their width) ..."""
    bump_at: float = 60.0
    """... at this second."""
    dead: float = 0.0
    """Share of the dots or segments that never light."""
    dim: float = 0.0
    """Share of the rows of dots, or of the segments, that shine weakly."""
    cut: float = 0.0
    """Share of the display's width that something in front of it hides, from the left or the right."""
    dark_at: float = 0.0
    """The display goes dark at this second; 0: never."""
    frozen_at: float = 0.0
    """From this second on the camera delivers the same picture; 0: never."""
    wipes: float = 0.0
    """Share of a dot-matrix display's changes of screen that come as a wipe, a push or a fade."""


NORMAL = Trouble()
HARD = Trouble(
    blur=1.3, noise=2.0, flicker=1.5, drift=2.0, glare=1.5, reflection=0.15, veil=0.12, jpeg=60, bands=0.25, dim=0.03,
    bump=0.3, bump_at=45, wipes=0.4,
)  # fmt: skip
"""Everything at once, and still a display that a person can read."""


def mount(
    chance: np.random.Generator, width: int, height: int, aspect: float, *, spread: tuple[float, float] = (0.72, 0.9)
) -> Corners:
    """Corners of a display `aspect` times as wide as high, seen by a camera that nobody aligned."""
    wide = width * chance.uniform(*spread)
    x, y = wide / 2, wide / 2 / aspect
    angle, squeeze = chance.uniform(-0.05, 0.05), chance.uniform(0.85, 1.0)
    aside, lift = 0.02 * width, max(0.0, min(0.12 * height, 0.46 * height - y * 1.06 - wide * 0.03))
    middle = np.array([width / 2 + chance.uniform(-1, 1) * aside, height / 2 + chance.uniform(-1, 1) * lift])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.array([[-x, -y * squeeze], [x, -y * squeeze], [x, y * squeeze], [-x, y * squeeze]])
    lean = 1 + chance.uniform(-0.06, 0.06) * np.sign(flat[:, :1]) * np.array([[0, 1]])
    corners = middle + (flat * lean) @ turn.T
    return tuple((float(point[0]), float(point[1])) for point in corners)


def box_of(corners: Corners, width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the pixels around the corners, with a little margin, within the picture."""
    xs, ys, margin = [p[0] for p in corners], [p[1] for p in corners], width // 50
    left, top = max(0, int(min(xs)) - margin), max(0, int(min(ys)) - margin)
    return left, top, min(width, int(max(xs)) + margin), min(height, int(max(ys)) + margin)


def rooms(chance: np.random.Generator, corners: Corners, width: int, height: int, noise: float) -> list[Image]:
    """What the camera sees besides the display: the same machine, under a few patterns of sensor noise."""
    coarse = chance.integers(10, 90, (9, 16, 3)).astype(np.uint8)
    room = cv2.GaussianBlur(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), (0, 0), 3)
    middle = np.mean(corners, axis=0)
    glass = [[int(c) for c in middle + (np.array(point) - middle) * (1.04, 1.12)] for point in corners]
    room = cv2.fillConvexPoly(room, np.array(glass, np.int32), (9, 8, 10))
    seen = []
    for _ in range(6):
        grain = chance.normal(0, 2.5 * noise, room.shape)
        seen.append(np.clip(room + grain, 0, 255).astype(np.uint8))
    return seen


def exposure(at: int, phase: NDArray[np.float64], drift: float) -> float:
    """How the camera's exposure wanders, around 1."""
    return float(1 + 0.15 * drift * np.sin(at / 7000 + phase[0]) * np.sin(at / 1900 + phase[1]))


class Mishaps:
    """What happens to the finished picture: something stands in front, the camera was bumped, the file is squeezed."""

    def __init__(self, seed: int, trouble: Trouble, corners: Corners, *, columns: int = 128) -> None:
        chance = np.random.default_rng([seed, 0xB0])
        self._trouble = trouble
        self._corners = np.array(corners, np.float64)
        across = float(np.linalg.norm(self._corners[1] - self._corners[0]))
        angle = chance.uniform(0, 2 * np.pi)
        self._step = np.array([np.cos(angle), np.sin(angle)]) * trouble.bump * across / columns
        self._side = bool(chance.integers(2))
        self._shade = [int(value) for value in chance.integers(10, 110, 3)]

    def happen(self, image: Image, at: int) -> Image:
        """The picture as it arrives. `at`: milliseconds since the camera was switched on."""
        if self._trouble.cut:
            image = self._hide(image)
        if self._trouble.bump and at >= self._trouble.bump_at * 1000:
            shift = np.array([[1, 0, self._step[0]], [0, 1, self._step[1]]])
            size = (image.shape[1], image.shape[0])
            image = np.asarray(
                cv2.warpAffine(image, shift, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        if self._trouble.jpeg:
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self._trouble.jpeg])
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return image

    def _hide(self, image: Image) -> Image:
        """An arm, a poster, the machine beside it: opaque, over the whole height."""
        inner, outer = (0, 1) if self._side else (1, 0)
        top = self._corners[inner] + (self._corners[outer] - self._corners[inner]) * self._trouble.cut
        lower = (3, 2) if self._side else (2, 3)
        low = self._corners[lower[0]] + (self._corners[lower[1]] - self._corners[lower[0]]) * self._trouble.cut
        away = (self._corners[inner] - self._corners[outer]) * 2
        points = np.array([top + (top - low), top + (top - low) + away, low + (low - top) + away, low + (low - top)])
        return np.asarray(cv2.fillConvexPoly(image.copy(), points.astype(np.int32), self._shade), np.uint8)
