"""Bytes of pictures to levels: rows x columns, 0 dark to 1 brightest, as the reader of displays takes them.

Plain functions, no messages. Invariant: each takes exactly the bytes that the size asks for; the caller has measured.
"""

import numpy as np
from numpy.typing import NDArray

from hardware.colours import brightness as brightness  # noqa: PLC0414 - part of this door
from hardware.colours import rgb565 as rgb565  # noqa: PLC0414 - part of this door

Levels = NDArray[np.float32]
Bytes = NDArray[np.uint8]

MOST_COLUMNS, MOST_ROWS = 512, 256
"""No display is larger; the largest there are have 256 x 64 dots."""
MOST_DOTS = MOST_COLUMNS * MOST_ROWS


def is_size(columns: int, rows: int) -> bool:
    """Whether a display can have this size."""
    return 1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_ROWS


def packed_bytes(columns: int, rows: int, bits: int) -> int:
    """How many bytes a picture of so many bits a dot takes, packed without gaps."""
    return (columns * rows * bits + 7) // 8


def unpack(data: bytes, columns: int, rows: int, *, bits: int) -> Levels:
    """2, 4 or 8 bits a dot, the first dot in the highest bits; rows follow each other without padding."""
    raw = np.frombuffer(data, np.uint8)
    shifts = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
    values = (raw[:, None] >> shifts & (2**bits - 1)).reshape(-1)[: columns * rows]
    return scale(values.reshape(rows, columns), 2**bits - 1)


def join_planes(data: bytes, columns: int, rows: int, *, planes: int) -> Bytes:
    """Bit planes one after the other, the lowest bit's first, the first dot in each byte's lowest bit: the values."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8).reshape(planes, -1), axis=1, bitorder="little")
    values = (bits[:, : columns * rows] << np.arange(planes, dtype=np.uint8)[:, None]).sum(0, dtype=np.uint8)
    return np.asarray(values.reshape(rows, columns), np.uint8)


def scale(values: NDArray[np.uint8], most: int) -> Levels:
    """Values of 0 to `most` as levels."""
    return np.asarray(np.minimum(values * np.float32(1 / most), 1), np.float32)


def rgb24(data: bytes, columns: int, rows: int) -> Bytes:
    """8 bits each of red, green and blue a dot."""
    return np.frombuffer(data, np.uint8).reshape(rows, columns, 3)
