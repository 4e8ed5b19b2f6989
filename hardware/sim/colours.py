"""Colours of simulated displays: what a colour dot matrix makes of levels, and how the phosphors and LEDs shine.

Triples are blue, green, red, as everywhere in pictures. Invariant: colour changes no dot from lit to dark, but a colour
display has a dim picture behind its numbers.
"""

import numpy as np
from numpy.typing import NDArray

from hardware.sim.canvas import Dots

Plane = NDArray[np.float32]
Triple = tuple[float, float, float]

GLOW: dict[str, Triple] = {
    "plasma": (0.10, 0.52, 1.30),
    "red": (0.06, 0.10, 1.30),
    "blue": (1.30, 0.45, 0.12),
    "white": (1.00, 1.00, 0.92),
    "vfd": (0.80, 1.20, 0.35),
}
"""Light of segments: the strongest channel saturates first."""

_INKS: tuple[tuple[Triple, ...], ...] = (
    ((0.1, 0.9, 1.0), (1.0, 0.8, 0.2), (0.3, 0.3, 1.0)),
    ((1.0, 1.0, 1.0), (0.2, 0.7, 1.0), (0.3, 1.0, 0.4)),
    ((1.0, 0.6, 0.2), (1.0, 1.0, 0.7), (0.2, 0.5, 1.0)),
)


def paint(dots: Dots, seed: int, at: int) -> Plane:
    """Rows x columns x 3 of 0 to 15: each band of rows in an ink of its own, on a dim picture that drifts."""
    rows, columns = dots.shape
    inks = np.array(_INKS[seed % len(_INKS)], np.float32)
    band = (np.arange(rows) * 4 // rows + seed) % len(inks)
    lit = dots[..., None] * inks[band][:, None, :]
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    wave = np.sin(x / 9 + at / 1700) + np.sin(y / 5 - x / 23 + at / 2300)
    hills = np.stack([np.clip(wave, 0, 2), np.clip(-wave, 0, 2) * 0.5, np.clip(wave - 1, 0, 1)], axis=-1)
    behind = np.where(dots[..., None] > 0, 0, hills * 1.2)
    painted: Plane = np.clip(lit + behind, 0, 15).astype(np.float32)
    return painted
