"""Checksums that a machine's program keeps in its memory: whether an image is of the program that the map is for.

Here: reading them from the map, and counting those that do not fit. Source: the Pinball Memory Maps project's README,
section "Checksums". They are a help and no more: what is wrong or too large among them is left out. Invariant: an image
whose checksums fit proves nothing, one where several do not is of another program, another revision, or damaged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hardware.maps.cells import Memory
from hardware.maps.numbers import whole_of

MOST_SUMS = 2048
MOST_CELLS = 1 << 16
"""Bytes under all checksums together."""
_FEW, _SHARE = 2, 0.04
"""A checksum may be caught while it is written, or be one that the map has wrong: so many, or this share of all."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Cells `start` to `end` and, where it stands elsewhere, the checksum's address; `size` 1 or 2 bytes."""

    start: int
    end: int
    size: int
    apart: int | None = None


def parse_sums(document: dict[str, Any]) -> tuple[Sum, ...]:
    """The checksums of a map, as far as they make sense."""
    found: list[Sum] = []
    cells = 0
    for key, size in (("checksum8", 1), ("checksum16", 2)):
        entries = document.get(key)
        for entry in entries if isinstance(entries, list) else []:
            for one in _groups(entry, size) if isinstance(entry, dict) else ():
                cells += one.end - one.start + 1
                if len(found) >= MOST_SUMS or cells > MOST_CELLS:
                    return ()
                found.append(one)
    return tuple(found)


def misfit(sums: tuple[Sum, ...], memory: Memory) -> str | None:
    """Why this memory is none of the map's program; None where nothing speaks against it."""
    fits = [fit for one in sums if (fit := _fits(one, memory)) is not None]
    wrong = fits.count(False)
    if wrong <= max(_FEW, int(len(fits) * _SHARE)):
        return None
    return f"{wrong} of {len(fits)} checksums do not fit: another revision's memory, or it is damaged"


def _groups(entry: dict[str, Any], size: int) -> Iterator[Sum]:
    start, end, length = (whole_of(entry.get(name)) for name in ("start", "end", "length"))
    if start is None or start < 0 or (end is None and length is None):
        return
    end = end if end is not None else start + (length or 1) - 1
    apart = whole_of(entry.get("checksum"))
    step = whole_of(entry.get("groupings")) or end - start + 1
    if not size <= end - start + 1 <= MOST_CELLS or step < size + (apart is None):
        return
    for place in range(start, end + 2 - step, step):
        yield Sum(place, place + step - 1, size, apart)


def _fits(one: Sum, memory: Memory) -> bool | None:
    cells = [memory.cells.get(place) for place in range(one.start, one.end + 1)]
    if one.apart is not None:
        cells += [memory.cells.get(one.apart + place) for place in range(one.size)]
    known = [cell for cell in cells if cell is not None]
    if len(known) < len(cells) or not any(known):  # memory that was never written says nothing
        return None
    if one.size == 1:
        return sum(known) & 0xFF == 0xFF
    return (0xFFFF - sum(known[:-2])) & 0xFFFF == known[-2] << 8 | known[-1]
