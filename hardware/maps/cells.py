"""The bytes of a memory by the processor's address, and the lines in which memory readers tell them.

Here: plain data and one line at a time. Not here: files (`image`), and what the bytes mean. Source of the lines:
Protospace/pinballwizard, atmel.ino. Invariant: no address is made up: what was not told is not there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

LINE = 16
"""Bytes a line of a dump."""
MISFIT = b"misfit"
"""The line of a recording that says: the checksums of this sample do not fit the map."""
MOST_LINE = 4096
"""Signs of one line of a dump: 16 bytes take 88."""

_DUMP = re.compile(rb"\s*(?:0[xX])?([0-9a-fA-F]{1,8})\s*:((?:\s+(?:0[xX])?[0-9a-fA-F]{2})+)\s*\Z")
_DIPS = re.compile(rb"dips:((?: 0x[0-9a-fA-F]{2}){6})\s*\Z")


@dataclass(slots=True)
class Memory:
    """Bytes by address."""

    cells: dict[int, int] = field(default_factory=dict)
    dips: tuple[int, ...] | None = None
    """The six bytes of the DIP switches, where they are known."""

    def put(self, address: int, data: Iterable[int]) -> None:
        """Lay bytes into the memory from an address on."""
        self.cells.update(enumerate(data, start=address))


def parse_dump_line(line: bytes) -> tuple[int, bytes] | None:
    """Address and bytes of `0x0200: 0x00 0x12 …`; None where it is no such line."""
    found = _DUMP.match(line) if len(line) <= MOST_LINE else None
    if not found:
        return None
    data = bytes(int(token, 16) for token in found[2].split())
    address = int(found[1], 16)
    return (address, data) if address + len(data) <= 1 << 32 else None


def parse_dips_line(line: bytes) -> tuple[int, ...] | None:
    """The DIP switches of `dips: 0x01 …`, which an image made into lines has; None where it is no such line."""
    found = _DIPS.match(line)
    return tuple(int(token, 16) for token in found[1].split()) if found else None


def dump_lines(cells: Mapping[int, int], addresses: Iterable[int]) -> Iterator[bytes]:
    """These addresses, as far as the memory has them, as a reader would dump them: 16 bytes a line."""
    run: list[int] = []
    for address in sorted(addresses):
        if address not in cells:
            continue
        if run and (address != run[-1] + 1 or address % LINE == 0):
            yield _dump_line(run, cells)
            run = []
        run.append(address)
    if run:
        yield _dump_line(run, cells)


def _dump_line(run: list[int], cells: Mapping[int, int]) -> bytes:
    told = " ".join(f"0x{cells[address]:02X}" for address in run)
    return f"0x{run[0]:04X}: {told}\n".encode()
