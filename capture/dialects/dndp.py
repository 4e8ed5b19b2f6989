"""DNDP, the device-neutral protocol of dmd-extensions: the pictures of a display over a serial port or TCP.

Source: kappasims/dmd-extensions, LibDmd/Output/DeviceNeutral/PROTOCOL.md and SERIAL.md, with the parameters of the
complete section there: `DNDP`, u32 length (little endian), u8 type, u8 panel, content. Size comes at least once a
second, pictures only when they change; nothing is said back. Invariant: a picture whose length does not fit its
panel's size is none.
"""

from capture.dialects import Setup
from capture.dialects.dots_framing import SENSELESS, UNKNOWN
from capture.dialects.dots_levels import MOST_DOTS, Levels, brightness, is_size, packed_bytes, rgb24, unpack
from capture.dialects.dots_stream import DotStream, Size
from capture.errors import LineGarbled, SourceUnsupported
from hardware.profile import MachineProfile

MARKER = b"DNDP"
SIZE, CLEAR = 0x01, 0x02
BITS = {0x80: 2, 0x81: 4, 0x82: 8, 0x83: 24}
"""Bits a dot of each type of picture: Gray2, Gray4, Gray8, Rgb24."""
_BEFORE, _FIELDS = 8, 2
"""Bytes before what `length` counts; bytes of it before the content."""


def make(profile: MachineProfile, setup: Setup) -> DotStream:
    """The dialect. `setup.device` may be the panel's number where it is not 0. Raises SourceUnsupported."""
    panel = setup.device or "0"
    if not (panel.isascii() and panel.isdecimal() and int(panel) < 256):
        raise SourceUnsupported(f"device {panel!r}: DNDP's device is the number of a panel, 0 to 255")
    return DotStream(profile, _Messages(int(panel)))


class _Messages:
    name = "DNDP"
    repeats = True
    tears = True
    greeting = b""
    head = _BEFORE + _FIELDS
    most = _BEFORE + _FIELDS + 3 * MOST_DOTS

    def __init__(self, panel: int) -> None:
        self._panel = panel
        self._sizes: dict[int, Size] = {}

    def reset(self) -> None:
        self._sizes.clear()

    def find(self, data: bytearray, start: int) -> int:
        return data.find(MARKER, start)

    def measure(self, data: bytearray, start: int, *, inside: bool = False) -> int:
        head = bytes(data[start : start + self.head])
        if not MARKER.startswith(head[:4]):
            return SENSELESS
        if len(head) < self.head:
            return UNKNOWN
        length, kind, panel = int.from_bytes(head[4:8], "little"), head[8], head[9]
        if not _FIELDS <= length <= self.most - _BEFORE:
            return SENSELESS
        if kind in {SIZE, CLEAR}:
            return _BEFORE + length if length == _FIELDS + (4 if kind == SIZE else 0) else SENSELESS
        if inside and not (
            kind in BITS and length - _FIELDS == packed_bytes(*self._sizes.get(panel, (0, 0)), BITS[kind])
        ):
            return SENSELESS
        return _BEFORE + length

    def is_proven(self, message: bytes) -> bool:
        del message
        return False  # it has no sum

    def understand(self, message: bytes) -> Levels | Size | None:
        kind, panel, content = message[8], message[9], message[self.head :]
        if kind == SIZE:
            size = (int.from_bytes(content[:2], "little"), int.from_bytes(content[2:], "little"))
            self._sizes[panel] = size
            return size if panel == self._panel else None
        if panel != self._panel or panel not in self._sizes or kind not in {CLEAR, *BITS}:
            return None
        columns, rows = self._sizes[panel]
        if not is_size(columns, rows):
            return None  # the size itself was refused
        if kind == CLEAR:
            return unpack(bytes(columns * rows), columns, rows, bits=8)
        if len(content) != packed_bytes(columns, rows, BITS[kind]):
            raise LineGarbled("a picture of another length than its size asks for")
        if BITS[kind] == 24:
            return brightness(rgb24(content, columns, rows))
        return unpack(content, columns, rows, bits=BITS[kind])
