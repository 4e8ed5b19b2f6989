"""What colours of dots are as levels of brightness: for pictures by wire and for dumps of them.

Plain functions. Invariant: black is 0, white is 1, and no colour that shines is dark.
"""

import numpy as np
from numpy.typing import NDArray

Levels = NDArray[np.float32]
Bytes = NDArray[np.uint8]


def rgb565(data: bytes, columns: int, rows: int, *, order: str = ">") -> Bytes:
    """16 bits a dot, 5 red, 6 green, 5 blue: rows x columns x 3 of 0 to 255. `order` is > or <."""
    word = np.frombuffer(data, f"{order}u2").reshape(rows, columns).astype(np.uint16)
    red, green, blue = word >> 11, word >> 5 & 63, word & 31
    return np.stack([red * 255 // 31, green * 255 // 63, blue * 255 // 31], axis=-1).astype(np.uint8)


def brightness(colours: Bytes) -> Levels:
    """Colours (... x 3) as levels: the mean of the brightest part and of what an eye makes of them.

    The brightest part alone would show red on yellow as nothing, the eye's alone would leave blue nearly dark.
    """
    parts = colours.astype(np.float32)
    eye = parts @ np.array([0.299, 0.587, 0.114], np.float32)
    return np.asarray((parts.max(-1) + eye) * np.float32(0.5 / 255), np.float32)
