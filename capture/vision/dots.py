"""One value per dot, from a picture and a lattice: one remap over places worked out once, and small means.

Two channels per dot: the plain sample at its middle, and that less the gaps around it, which cancels glow, veil and
reflections. Nothing is decided here. Invariant: reading a frame costs one remap of a few samples a dot, no more.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.lattice import Floats, Lattice

_SPREAD = 0.16
"""Half the side of the square of four samples at each dot's middle, in dots."""

BRIGHTEST = -1
"""In place of a channel: whichever of the three is brightest, dot by dot."""
_MISSED = 0.12
"""Part of the lit dots that one channel misses on a display of many colours; on an orange one green misses 0.09 at most
(glare on the glass)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampler:
    """Where to look in the picture. `places` is one map for cv2.remap: four per dot, then one per gap corner."""

    columns: int
    rows: int
    places: NDArray[np.float32]
    channel: int
    in_view: float
    """Part of the columns that lie in the picture, by their middle dots."""

    def sample(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        """2 x rows x columns, in the picture's own brightness (0..255): plain, and less the gaps."""
        # with both coordinates in one map the second is None, which OpenCV's own stubs do not know
        seen = cv2.remap(image, self.places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        if seen.ndim == 3:
            seen = seen.max(2) if self.channel == BRIGHTEST else seen[:, :, self.channel]
        return self._measure(np.asarray(seen, np.uint8).reshape(-1))

    def coloured(self, image: NDArray[np.uint8]) -> bool:
        """Whether dots of several colours are lit in this picture (BGR), so that the channel misses some of them."""
        if self.channel == BRIGHTEST:
            return True
        edges = [replace(self, channel=channel).sample(image)[1].ravel() for channel in range(3)]
        most = [max(float(np.percentile(edge, 99)), 1.0) for edge in edges]
        parts = [edge / strength for edge, strength in zip(edges, most, strict=True)]
        strong = [part for part, strength in zip(parts, most, strict=True) if strength > 0.4 * max(most) + 8]
        if len(strong) < 2:
            return False
        lit = np.maximum.reduce(strong) > 0.5
        return bool(lit.sum() >= 40) and float((parts[self.channel][lit] < 0.2).mean()) > _MISSED

    def _measure(self, values: NDArray[np.uint8]) -> NDArray[np.float32]:
        dots = self.rows * self.columns
        middle = values[: 4 * dots].reshape(4, self.rows, self.columns).sum(0, dtype=np.uint16).astype(np.float32) / 4
        gaps = values[4 * dots : 4 * dots + (self.rows + 1) * (self.columns + 1)]
        corner = gaps.reshape(self.rows + 1, self.columns + 1).astype(np.int16)
        four = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]])
        between = (four.sum(0) - four.max(0) - four.min(0)).astype(np.float32) / 2
        return np.stack([middle, middle - between])


def make_sampler(lattice: Lattice, to_picture: Floats, channel: int, size: tuple[int, ...]) -> Sampler:
    """Work out the places once: the lattice in the flat picture, and the homography from there to the real one.

    `size` is the real picture's shape (height, width).
    """
    columns, rows = lattice.x.count, lattice.y.count
    middles_x, middles_y = np.arange(columns, dtype=np.float64) + 0.5, np.arange(rows, dtype=np.float64) + 0.5
    parts = [
        lattice.place(middles_x + dx, middles_y + dy)
        for dx, dy in ((-_SPREAD, -_SPREAD), (_SPREAD, -_SPREAD), (-_SPREAD, _SPREAD), (_SPREAD, _SPREAD))
    ]
    parts.append(lattice.place(np.arange(columns + 1.0), np.arange(rows + 1.0)))
    x = np.concatenate([part[0].ravel() for part in parts])
    y = np.concatenate([part[1].ravel() for part in parts])
    scale = to_picture @ np.stack([x, y, np.ones_like(x)])
    places = (scale[:2] / scale[2]).T.astype(np.float32)
    middle = places[rows // 2 * columns : (rows // 2 + 1) * columns]
    inside = ((middle > -0.5) & (middle < np.array([size[1], size[0]]) - 0.5)).all(1)
    width = 2 * columns
    padded = np.zeros((-(-len(places) // width) * width, 2), np.float32)
    padded[: len(places)] = places
    return Sampler(
        columns=columns, rows=rows, places=padded.reshape(-1, width, 2), channel=channel, in_view=float(inside.mean())
    )


def normalise(dots: NDArray[np.float32]) -> NDArray[np.float32]:
    """Dark to 0 and bright to 1 by quantiles over the display, as the networks were taught (training/camera.py)."""
    plain, edge = dots[0].ravel() / 255, dots[1].ravel() / 255
    low_at, high_at = int(0.1 * plain.size), int(0.995 * plain.size) - 1
    sorted_plain = np.partition(plain, (low_at, high_at))
    low, high = sorted_plain[low_at], sorted_plain[high_at]
    bright = np.partition(edge, high_at)[high_at]
    scaled = np.stack([(plain - low) / max(high - low, 0.04), edge / max(bright, 0.04)])
    return np.asarray(np.clip(scaled, -0.5, 1.5).reshape(dots.shape), np.float32)


def level(dots: NDArray[np.float32], box: tuple[float, float, float, float]) -> float:
    """Brightness of the lit dots in a box (x0, y0, x1, y1) of 2 x rows x columns."""
    x0, y0, x1, y1 = (max(0, round(place)) for place in box)
    body = dots[0][y0:y1, x0:x1]
    return float(np.percentile(body, 85)) if body.size else 0.0
