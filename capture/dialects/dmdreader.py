"""PPUC dmdreader: a microcontroller on the ribbon cable of a dot-matrix display hands on each changed picture.

Source: PPUC/dmdreader, src/dmdreader.cpp (the sender's 32-bit words go out highest bit first, so that halves of a word
are swapped against the sender's structs). As the bytes come, all big endian: u16 length of the whole, u16 type (0xcc33,
or 0x44ee with a sum), u16 rows, u16 columns, u16 nothing, u16 bits a dot (2 or 4), with 0x44ee a u32 CRC-32 of the
pixels as the sender has them in memory (each four bytes the other way round), then the pixels, filled up to four bytes.
Invariant: a picture whose sum is wrong is never shown.
"""

import re
import struct
import zlib

import numpy as np

from capture.dialects import Setup
from capture.dialects.dots_framing import SENSELESS, UNKNOWN
from capture.dialects.dots_levels import MOST_DOTS, Levels, is_size, packed_bytes, unpack
from capture.dialects.dots_stream import DotStream
from capture.errors import LineGarbled
from hardware.profile import MachineProfile

PLAIN, SUMMED = 0xCC33, 0x44EE
_TYPES = re.compile(rb"\xcc\x33|\x44\xee")
_TYPE_AT = 2
_HEAD, _SUM = 12, 4


def make(profile: MachineProfile, setup: Setup) -> DotStream:
    """The dialect; nothing of the setup matters. Raises SourceUnsupported."""
    del setup
    return DotStream(profile, _Messages())


def sum_of(pixels: bytes) -> int:
    """The CRC-32 that goes with these bytes (a multiple of four of them)."""
    return zlib.crc32(np.frombuffer(pixels, ">u4").astype("<u4").tobytes())


class _Messages:
    name = "dmdreader"
    repeats = False
    tears = True
    greeting = b""
    head = _HEAD
    most = _HEAD + _SUM + MOST_DOTS // 2

    def reset(self) -> None:
        """Each picture says all that is needed to understand it."""

    def find(self, data: bytearray, start: int) -> int:
        found = _TYPES.search(data, start + _TYPE_AT)
        return -1 if found is None else found.start() - _TYPE_AT

    def measure(self, data: bytearray, start: int, *, inside: bool = False) -> int:
        del inside  # it makes no difference: there is enough to check
        head = bytes(data[start : start + _HEAD])
        kind = head[2:4]
        if not any(known.to_bytes(2, "big").startswith(kind) for known in (PLAIN, SUMMED)):
            return SENSELESS
        if len(head) < _HEAD:
            return UNKNOWN
        length, what, rows, columns, nothing, bits = struct.unpack(">6H", head)
        if bits not in {2, 4} or nothing or not is_size(columns, rows):
            return SENSELESS
        wanted = _HEAD + (_SUM if what == SUMMED else 0) + -(-packed_bytes(columns, rows, bits) // 4) * 4
        return length if length == wanted else SENSELESS

    def is_proven(self, message: bytes) -> bool:
        return int.from_bytes(message[2:4], "big") == SUMMED and _is_right(message)

    def understand(self, message: bytes) -> Levels | None:
        rows, columns, bits = (int.from_bytes(message[at : at + 2], "big") for at in (4, 6, 10))
        summed = int.from_bytes(message[2:4], "big") == SUMMED
        if summed and not _is_right(message):
            raise LineGarbled("a picture whose sum is wrong")
        start = _HEAD + (_SUM if summed else 0)
        return unpack(message[start : start + packed_bytes(columns, rows, bits)], columns, rows, bits=bits)


def _is_right(message: bytes) -> bool:
    return sum_of(message[_HEAD + _SUM :]) == int.from_bytes(message[_HEAD : _HEAD + _SUM], "big")
