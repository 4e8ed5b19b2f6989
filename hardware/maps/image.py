"""Memory images in files: PinMAME's `.nv` files, and dumps as text.

Here: from a file to bytes by the processor's address. Not here: what they mean. Source: `.nv` files hold the platform's
`nvram` regions one after the other and, in their last six bytes, the DIP switches. Invariant: no address is made up:
what an image does not hold is not there.
"""

import gzip
import re
import zlib
from pathlib import Path

from hardware.errors import MapInvalid
from hardware.files import read_file
from hardware.maps.cells import Memory, parse_dips_line, parse_dump_line
from hardware.maps.model import DIP_BYTES, MemoryMap
from hardware.maps.platform import MOST_MEMORY


def load_image(path: Path, memory_map: MemoryMap) -> Memory:
    """A memory image: PinMAME's `.nv`, a dump as text, either of them gzipped.

    Raises MapInvalid: unreadable, empty, cut off, or no image of this map's platform.
    """
    data = _unpack(path, read_file(path, "memory image", MOST_MEMORY + 4096, MapInvalid))
    if not data:
        raise MapInvalid(f"{path}: empty: this is no memory image")
    return parse_text(data, path) if looks_like_text(data) else parse_nv(data, memory_map, path)


def looks_like_text(data: bytes) -> bool:
    """Whether it is a dump in words: all printable, and its first line is one of a dump."""
    head = data[:8192]
    if any(sign >= 0x7F or (sign < 0x20 and sign not in b"\t\r\n") for sign in head.removeprefix(b"\xef\xbb\xbf")):
        return False
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()[:50]
    return any(parse_dump_line(line) is not None for line in lines)


def parse_text(data: bytes, path: Path) -> Memory:
    """A dump as text. Lines of other kinds are left out; an address that is told twice differently is refused."""
    memory = Memory()
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines():
        parsed = parse_dump_line(line)
        if parsed is None:
            memory.dips = parse_dips_line(line) or memory.dips
            if re.match(rb"\s*0[xX][0-9a-fA-F]+\s*:", line):
                raise MapInvalid(f"{path}: a damaged line: {line[:60].decode('ascii', 'replace')!r}")
            continue
        address, cells = parsed
        told = [memory.cells.get(address + place, cell) for place, cell in enumerate(cells)]
        if bytes(told) != cells:
            raise MapInvalid(
                f"{path}: more than one dump: address 0x{address:04X} is told twice, differently"
                " (a log of several is replayed with --baud N)"
            )
        memory.put(address, cells)
    return memory


def parse_nv(data: bytes, memory_map: MemoryMap, path: Path) -> Memory:
    """PinMAME's image file. Raises MapInvalid where it is shorter than the memory that it should hold."""
    platform = memory_map.platform
    memory = Memory()
    place = 0
    flat = not platform.name
    total = 0 if flat else sum(region.size for region in platform.kept)
    if len(data) < total or (not flat and not total):
        what = f"the memory of {platform.name} has {total}" if total else f"{platform.name} keeps no memory in a file"
        raise MapInvalid(f"{path}: {len(data)} bytes, but {what}: cut off, or another machine's image")
    for region in platform.kept:
        cells = data[place : place + region.size]
        memory.put(region.address, cells)
        place += len(cells)
    if flat or len(data) >= total + DIP_BYTES:
        memory.dips = tuple(data[-DIP_BYTES:])
    return memory


def _unpack(path: Path, data: bytes) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, MOST_MEMORY + 4096)
    except (zlib.error, gzip.BadGzipFile):
        raise MapInvalid(f"{path}: damaged: it cannot be unpacked") from None
    if not unpacker.eof:
        raise MapInvalid(f"{path}: cut off, or larger than {MOST_MEMORY >> 20} MB unpacked")
    return unpacked
