"""dmd-extensions' network stream: messages of a WebSocket, each of which the port hands on as u32 length and bytes.

Sources: freezy/dmd-extensions, LibDmd/Output/Network/README.md (messages begin with a tag), and its released program,
LibDmd/Output/Network/WebsocketSerializer.cs (messages begin with a name and a nought). All integers are little endian.
Grey planes are levels, whatever colours come with them; coloured planes and RGB24 are as bright as their colours.
Invariant: a picture counts only once its size was said, and only if it has that size.
"""

import re
from typing import NamedTuple

import numpy as np

from capture import hints as h
from capture.dialects import Setup
from capture.dialects.dots_framing import SENSELESS, UNKNOWN
from capture.dialects.dots_levels import MOST_DOTS, Levels, brightness, is_size, join_planes, rgb24, scale
from capture.dialects.dots_stream import DotStream, Size
from capture.errors import LineGarbled
from hardware.profile import MachineProfile

LENGTH = 4
"""Bytes of the length that the port puts before each message."""
_TAGS = {0x01: "size", 0x02: "colour", 0x03: "palette", 0x10: "planes", 0x11: "coloured", 0x12: "rgb", 0x20: "clear",
         0x21: "default", 0x22: "default"}  # fmt: skip
_NAMES = {
    b"dimensions": ("size", 0), b"color": ("colour", 0), b"palette": ("palette", 0), b"clearColor": ("default", 0),
    b"clearPalette": ("default", 0), b"gameName": ("game", 0), b"rgb24": ("rgb", 0), b"gray2Planes": ("planes", 2),
    b"gray4Planes": ("planes", 4), b"coloredGray2": ("coloured", 2), b"coloredGray4": ("coloured", 4),
    b"coloredGray6": ("coloured", 6),
}  # fmt: skip
_LONGEST_NAME = max(map(len, _NAMES)) + 1
_MOST_COLOURS, _MOST_NAME = 256, 200
_ROTATIONS = 24
"""Bytes that the program puts between the colours and the planes of coloredGray6."""
_HEADS = re.compile(
    rb"..[\x00-\x07]\x00(?:[\x01-\x03\x10-\x12\x20-\x22]|(?:" + b"|".join(_NAMES) + rb")\x00)", re.DOTALL
)


def make(profile: MachineProfile, setup: Setup) -> DotStream:
    """The dialect; nothing of the setup matters. Raises SourceUnsupported."""
    del setup
    return DmdExtStream(profile)


class DmdExtStream(DotStream):
    """One program's pictures. A recording may have one bare message a line: those are told from boxed ones."""

    def __init__(self, profile: MachineProfile) -> None:
        super().__init__(profile, _Messages())

    def feed(self, data: bytes, at: int) -> list[h.Hint]:
        """Take bytes as they came, cut anywhere; or exactly one message without its length."""
        return super().feed(boxed(data) if not self.holding and _is_bare(data) else data, at)


def boxed(message: bytes) -> bytes:
    """A message with its length before it."""
    return len(message).to_bytes(LENGTH, "little") + message


class _Kind(NamedTuple):
    what: str
    """`size`, `planes`, `coloured`, `rgb`, `clear`; or `colour`, `palette`, `default`, `game`, which show nothing."""
    start: int
    """Where in the message its own content begins, behind tag or name and time."""
    bits: int
    """Bit planes, where the name says how many."""
    tagged: bool

    def fits(self, length: int) -> bool:
        """Whether a message of this kind can be so long."""
        content = length - self.start
        count = 2 if self.tagged else 4
        if self.what == "palette":
            return count <= content <= count + 4 * _MOST_COLOURS and (content - count) % 4 == 0
        if self.what == "game":
            return 0 <= content <= _MOST_NAME
        exact = {"size": 2 * count, "colour": 4, "clear": 0, "default": 0}
        return content == exact[self.what] if self.what in exact else content > 0


class _Messages:
    name = "dmd-extensions"
    repeats = False
    tears = False
    greeting = b"\x00"
    head = LENGTH + _LONGEST_NAME
    most = LENGTH + 3 * MOST_DOTS + 4096

    def __init__(self) -> None:
        self._size: Size | None = None

    def reset(self) -> None:
        self._size = None

    def find(self, data: bytearray, start: int) -> int:
        found = _HEADS.search(data, start)
        return -1 if found is None else found.start()

    def measure(self, data: bytearray, start: int, *, inside: bool = False) -> int:
        del inside  # never asked
        head = bytes(data[start : start + self.head])
        if len(head) <= LENGTH:
            return UNKNOWN
        length = int.from_bytes(head[:LENGTH], "little")
        if not 1 <= length <= self.most - LENGTH:
            return SENSELESS
        begins = head[LENGTH : LENGTH + length]
        kind = _kind_of(begins)
        if kind is None:
            cut = b"\x00" not in begins and len(begins) < min(length, _LONGEST_NAME)
            return UNKNOWN if cut and any(name.startswith(begins) for name in _NAMES) else SENSELESS
        return LENGTH + length if kind.fits(length) else SENSELESS

    def is_proven(self, message: bytes) -> bool:
        del message
        return False

    def understand(self, message: bytes) -> Levels | Size | None:
        kind = _kind_of(message[LENGTH : LENGTH + _LONGEST_NAME])
        if kind is None:
            raise LineGarbled("no message")
        content = message[LENGTH + kind.start :]
        if kind.what == "size":
            half = len(content) // 2
            self._size = (int.from_bytes(content[:half], "little"), int.from_bytes(content[half:], "little"))
            return self._size
        if kind.what in {"colour", "palette", "default", "game"} or self._size is None or not is_size(*self._size):
            return None
        columns, rows = self._size
        if kind.what == "clear":
            return np.zeros((rows, columns), np.float32)
        if kind.what == "rgb":
            if len(content) != 3 * columns * rows:
                raise LineGarbled("a picture of another length than its size asks for")
            return brightness(rgb24(content, columns, rows))
        return _planes(kind, content, columns, rows)


def _is_bare(data: bytes) -> bool:
    """Whether bytes are one message without its length, and nothing that begins with a length."""
    kind = _kind_of(data[:_LONGEST_NAME])
    heads = _Messages()
    if kind is None or heads.measure(bytearray(data[: heads.head]), 0) > 0:
        return False
    content = len(data) - kind.start
    if kind.what in {"planes", "coloured"} and kind.tagged:
        return content > 1 and data[kind.start] in range(1, 9)
    return kind.fits(len(data)) and content <= heads.most


def _kind_of(begins: bytes) -> _Kind | None:
    """What a message is, from its first bytes; None where it is none that we know."""
    if not begins:
        return None
    if begins[0] in _TAGS:
        return _Kind(_TAGS[begins[0]], 5, 0, tagged=True)
    name, ended, _ = begins.partition(b"\x00")
    if not ended or name not in _NAMES:
        return None
    what, bits = _NAMES[name]
    time = 4 if what in {"rgb", "planes", "coloured"} else 0
    return _Kind(what, len(name) + 1 + time, bits, tagged=False)


def _planes(kind: _Kind, content: bytes, columns: int, rows: int) -> Levels:
    """Bit planes, with colours of their own or without. Raises LineGarbled where the bytes are too few or too many."""
    bits, content = (content[0], content[1:]) if kind.tagged else (kind.bits, content)
    colours = 0
    if kind.what == "coloured":
        colours = 2**bits if kind.tagged else int.from_bytes(content[:4], "little")
        content = content if kind.tagged else content[4:]
    plane = -(-columns * rows // 8)
    start = 4 * colours
    if bits == 6 and len(content) == start + _ROTATIONS + bits * plane:
        start += _ROTATIONS
    if not 1 <= bits <= 8 or colours > _MOST_COLOURS or len(content) != start + bits * plane:
        raise LineGarbled("planes of another length than their size asks for")
    values = join_planes(content[start:], columns, rows, planes=bits)
    if not colours:
        return scale(values, 2**bits - 1)
    palette = np.frombuffer(content[: 4 * colours], "<u4")
    parts = np.stack([palette >> 16 & 255, palette >> 8 & 255, palette & 255], axis=-1).astype(np.uint8)
    if int(values.max()) >= colours:
        raise LineGarbled("a dot of a colour that there is not")
    return brightness(parts[values])
