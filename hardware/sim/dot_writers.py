"""How programs write the pictures of a dot-matrix display, one class a protocol.

Sources as in `capture/dialects/{dndp,dmdreader,libdmdutil,dmdext}.py`, which read the same; written apart from them, so
that a mistake in the one shows against the other. Invariant: what a writer returns is one write of the program.
"""

import struct
import zlib
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.sim.canvas import Dots

LARGEST = 256 * 64
"""Dots for which libdmdutil has room."""
TINT = (255, 140, 0)


class Drawn(NamedTuple):
    """One picture: levels of 0 to 15, and red, green and blue of 0 to 15 where the display has colours."""

    dots: Dots
    colours: NDArray[np.float32] | None

    def rgb(self) -> NDArray[np.uint8]:
        """Eight bits a colour; a display of one colour is tinted, as such programs do."""
        if self.colours is not None:
            return np.asarray(np.clip(self.colours * 17, 0, 255), np.uint8)
        return np.asarray(self.dots[..., None] * (np.array(TINT, np.float32) / 15), np.uint8)


class Writer(Protocol):
    """One program."""

    repeated: bytes
    """What it says each second whatever happens; nothing where it does not."""

    def greet(self) -> list[bytes]:
        """What it says to who begins to listen."""
        ...

    def write(self, drawn: Drawn, at: int) -> bytes:
        """One picture."""
        ...

    def essence(self, written: bytes) -> bytes:
        """What of it the picture makes (and not its time)."""
        ...


class _Dndp:
    """dmd-extensions on a serial port: 4 bits a dot, or colours."""

    def __init__(self, columns: int, rows: int, seed: int) -> None:
        del seed
        self.repeated = _dndp(0x01, struct.pack("<HH", columns, rows))

    def greet(self) -> list[bytes]:
        return [self.repeated]

    def write(self, drawn: Drawn, at: int) -> bytes:
        del at
        if drawn.colours is not None:
            return _dndp(0x83, drawn.rgb().tobytes())
        return _dndp(0x81, _pack4(drawn.dots))

    def essence(self, written: bytes) -> bytes:
        return written


class _Reader:
    """PPUC dmdreader: 2 bits a dot with an even seed, 4 with an odd one; always with a sum."""

    repeated = b""

    def __init__(self, columns: int, rows: int, seed: int) -> None:
        self._shape = (rows, columns)
        self._bits = 4 if seed % 2 else 2

    def greet(self) -> list[bytes]:
        return []

    def write(self, drawn: Drawn, at: int) -> bytes:
        del at
        pixels = _pack4(drawn.dots) if self._bits == 4 else _pack2(np.asarray(drawn.dots >> 2, np.uint8))
        pixels += bytes(-len(pixels) % 4)
        memory = np.frombuffer(pixels, np.uint32).byteswap().tobytes()
        head = struct.pack(">6HI", 16 + len(pixels), 0x44EE, *self._shape, 0, self._bits, zlib.crc32(memory))
        return head + pixels

    def essence(self, written: bytes) -> bytes:
        return written


class _Stream:
    """libdmdutil: as VPX standalone (an Update of levels) with seeds that 3 divides, else RGB24 or RGB16."""

    repeated = b""

    def __init__(self, columns: int, rows: int, seed: int) -> None:
        self._columns, self._rows, self._mode = columns, rows, (1, 2, 3)[seed % 3]

    def greet(self) -> list[bytes]:
        return []

    def write(self, drawn: Drawn, at: int) -> bytes:
        del at
        if self._mode == 1 and drawn.colours is None:
            return self._head(1, 0) + b"Paths\0".ljust(534, b"\0") + self._update(drawn.dots)
        rgb = drawn.rgb()
        if self._mode == 3:
            parts = rgb.astype(np.uint16)
            words = (parts[..., 0] >> 3 << 11 | parts[..., 1] >> 2 << 5 | parts[..., 2] >> 3).astype(">u2")
            return self._head(3, words.nbytes) + words.tobytes()
        return self._head(2, rgb.nbytes) + rgb.tobytes()

    def essence(self, written: bytes) -> bytes:
        return written

    def _head(self, mode: int, length: int) -> bytes:
        size = (self._columns, self._rows) if length else (0, 0)
        return b"DMDStream\0" + struct.pack(">BiHHBBI", 1, mode, *size, 0, 0, length)

    def _update(self, dots: Dots) -> bytes:
        data = dots.tobytes().ljust(3 * LARGEST, b"\0") + bytes(2 * LARGEST + 2 * 128)
        tail = struct.pack(">6B2H", 1, 0, 0, 255, 140, 0, self._columns, self._rows)
        return struct.pack(">3i", 1, 0, 4) + data + tail


class _Ext:
    """dmd-extensions over a WebSocket: messages with tags with an even seed, with names with an odd one.

    Each message is written as the port hands it on: u32 length and bytes.
    """

    repeated = b""

    def __init__(self, columns: int, rows: int, seed: int) -> None:
        self._size, self._names = (columns, rows), bool(seed % 2)

    def greet(self) -> list[bytes]:
        if self._names:
            return [_boxed(b"dimensions\0" + struct.pack("<2i", *self._size)), _boxed(b"color\0\x00\x8c\xff\x00")]
        return [_boxed(struct.pack("<BI2H", 1, 0, *self._size)), _boxed(struct.pack("<BII", 2, 0, 0xFF8C00))]

    def write(self, drawn: Drawn, at: int) -> bytes:
        time = struct.pack("<I", at % 2**32)
        if drawn.colours is not None:
            return _boxed((b"rgb24\0" if self._names else b"\x12") + time + drawn.rgb().tobytes())
        planes = b"".join(np.packbits(drawn.dots >> bit & 1, bitorder="little").tobytes() for bit in range(4))
        return _boxed(b"gray4Planes\0" + time + planes if self._names else b"\x10" + time + b"\x04" + planes)

    def essence(self, written: bytes) -> bytes:
        return written[4 + (16 if self._names else 6) :]


WRITERS: dict[str, type[_Dndp | _Reader | _Stream | _Ext]] = {
    "dndp": _Dndp, "dmdreader": _Reader, "libdmdutil": _Stream, "dmd-extensions": _Ext
}  # fmt: skip
"""The kind in `sim://KIND`: who writes."""


def _dndp(kind: int, content: bytes) -> bytes:
    return b"DNDP" + struct.pack("<IBB", len(content) + 2, kind, 0) + content


def _boxed(message: bytes) -> bytes:
    return struct.pack("<I", len(message)) + message


def _pack4(dots: Dots) -> bytes:
    flat = dots.reshape(-1)
    return np.asarray(flat[0::2] << 4 | flat[1::2], np.uint8).tobytes()


def _pack2(dots: Dots) -> bytes:
    flat = dots.reshape(-1, 4)
    return np.asarray(flat[:, 0] << 6 | flat[:, 1] << 4 | flat[:, 2] << 2 | flat[:, 3], np.uint8).tobytes()
