"""Pictures whose pixels are the dots themselves: frames that an emulator or a recorder saved, perhaps enlarged.

No lattice is looked for and no light weighed. Invariant: a picture that a camera took is never mistaken for one.
"""

import numpy as np

from capture.vision.networks import Values
from capture.vision.rectify import Image

_LARGEST = 16
"""Pixels a side of an enlarged dot."""
_EVEN = 3.0
"""Steps of 255 by which the pixels of one enlarged dot may differ: a saved frame's hardly do, a camera's all do."""
_DARKEST = 24
"""Brightness of the brightest dot, below which nothing is lit."""


def bare_dots(image: Image, columns: int, rows: int) -> Values | None:
    """The dots' levels, rows x columns, 0 to 1 (all 0: nothing is lit); None where the picture is not just them."""
    height, width = image.shape[:2]
    size = width // columns
    if not 1 <= size <= _LARGEST or (width, height) != (size * columns, size * rows):
        return None
    light = np.asarray(image if image.ndim == 2 else image.max(2), np.uint8)
    blocks = light.reshape(rows, size, columns, size).astype(np.float32)
    levels = np.asarray(blocks.mean((1, 3)), np.float32)
    if size > 1 and float(np.abs(blocks - levels[:, None, :, None]).max()) > _EVEN:
        return None
    low, high = float(levels.min()), float(levels.max())
    if high < _DARKEST:
        return np.zeros_like(levels)
    low = low if low < 0.3 * high else 0.0  # unlit dots may be drawn in a dark tone
    return np.asarray((levels - low) / (high - low), np.float32)
