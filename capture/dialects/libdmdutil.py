"""libdmdutil's network stream: pinball programs (VPX standalone, PPUC) send the pictures of their display to us.

Source: vpinball/libdmdutil, README (dmdserver), include/DMDUtil/DMD.h and src/DMD.cpp (StreamHeader, PathsHeader,
Update, QueueUpdate). A head of 25 bytes in network byte order: `DMDStream` and a nought, u8 version 1, i32 mode, u16
width, u16 height, u8 buffered, u8 disconnect others, u32 length; then the content. Mode RGB24 has 3 bytes a dot, RGB16
a u16; mode Data, which those programs use, says length 0 and is followed by names and paths (534 bytes) and an Update
(82,198 bytes). What follows the README's example sends the numbers the other way round: which way it is, the mode
tells. Invariant: what is no picture of dots (alphanumeric, colour commands) is passed over by its length.
"""

import struct
from typing import NamedTuple

import numpy as np

from capture.dialects import Setup
from capture.dialects.dots_framing import SENSELESS, UNKNOWN
from capture.dialects.dots_levels import MOST_DOTS, Levels, brightness, is_size, rgb24, rgb565, scale
from capture.dialects.dots_stream import DotStream
from capture.errors import LineGarbled
from hardware.profile import MachineProfile

MARKER = b"DMDStream\x00"
DATA, RGB24, RGB16 = 1, 2, 3
PATHS = b"Paths\x00"
PATHS_BYTES = 6 + 16 + 256 + 256
UPDATE_DOTS = 256 * 64
UPDATE_BYTES = 12 + 3 * UPDATE_DOTS + 2 * UPDATE_DOTS + 2 * 128 + 6 + 4
_MOST_MODE = 64
_HEAD = 25


def make(profile: MachineProfile, setup: Setup) -> DotStream:
    """The dialect; nothing of the setup matters. Raises SourceUnsupported."""
    del setup
    return DotStream(profile, _Messages())


class _Head(NamedTuple):
    order: str
    mode: int
    columns: int
    rows: int
    length: int


class _Messages:
    name = "DMDStream"
    repeats = False
    tears = True
    greeting = b""
    head = _HEAD + len(PATHS)
    most = _HEAD + 4 * MOST_DOTS

    def reset(self) -> None:
        """Each picture says all that is needed to understand it."""

    def find(self, data: bytearray, start: int) -> int:
        return data.find(MARKER, start)

    def measure(self, data: bytearray, start: int, *, inside: bool = False) -> int:
        del inside  # it makes no difference: there is enough to check
        raw = bytes(data[start : start + self.head])
        if not MARKER.startswith(raw[:10]):
            return SENSELESS
        if len(raw) < _HEAD:
            return UNKNOWN
        head = _parse(raw)
        if head is None or head.length > self.most - _HEAD:
            return SENSELESS
        if head.mode in {RGB24, RGB16}:
            whole = head.columns * head.rows * (3 if head.mode == RGB24 else 2)
            return _HEAD + head.length if head.length == whole and is_size(head.columns, head.rows) else SENSELESS
        if head.mode == DATA and not head.length:
            follows = raw[_HEAD:]
            if not PATHS.startswith(follows):
                return _HEAD
            return UNKNOWN if len(follows) < len(PATHS) else _HEAD + PATHS_BYTES + UPDATE_BYTES
        return _HEAD + head.length

    def is_proven(self, message: bytes) -> bool:
        del message
        return False  # it has no sum

    def understand(self, message: bytes) -> Levels | None:
        head, content = _parse(message), message[_HEAD:]
        if head is None:
            raise LineGarbled("no head")
        if head.mode == RGB24:
            return brightness(rgb24(content, head.columns, head.rows))
        if head.mode == RGB16:
            return brightness(rgb565(content, head.columns, head.rows, order=head.order))
        if head.mode == DATA and content.startswith(PATHS) and len(content) == PATHS_BYTES + UPDATE_BYTES:
            return _update(content[PATHS_BYTES:], head.order)
        return None


def _parse(raw: bytes) -> _Head | None:
    """The head; None where it is none. Network byte order, or the other one where only that gives a mode."""
    for order in (">", "<"):
        version, mode, columns, rows, _, _, length = struct.unpack_from(f"{order}BiHHBBI", raw, 10)
        if version == 1 and 0 < mode <= _MOST_MODE:
            return _Head(order, mode, columns, rows, length)
    return None


def _update(raw: bytes, order: str) -> Levels | None:
    """The picture in an Update; None where it holds none. Levels (one byte a dot, `depth` bits) or colours."""
    mode, _, depth = struct.unpack_from(f"{order}iii", raw, 0)
    has_dots, *_, columns, rows = struct.unpack_from(f"{order}BBBBBBHH", raw, UPDATE_BYTES - 10)
    dots = columns * rows
    if not has_dots or mode not in {DATA, RGB24, RGB16}:
        return None
    if dots > UPDATE_DOTS or not is_size(columns, rows):
        raise LineGarbled("a picture larger than its room")
    start = 12
    if mode == RGB16:
        start += 3 * UPDATE_DOTS
        return brightness(rgb565(raw[start : start + 2 * dots], columns, rows, order=order))
    if mode == RGB24 and depth == 24:
        return brightness(rgb24(raw[start : start + 3 * dots], columns, rows))
    if not 1 <= depth <= 8:
        raise LineGarbled("a depth that no picture has")
    return scale(np.frombuffer(raw[start : start + dots], np.uint8).reshape(rows, columns), 2**depth - 1)
