"""What a memory map says, as plain data.

Here: fields, regions, the map. Not here: files (`load`, `platform`), the bytes of a memory (`image`) and what they
come to. Invariant: every address that a field names has been bounded, and the most significant one stands first.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from hardware.maps.cells import Memory
from hardware.maps.sums import Sum, misfit

Encoding = Literal["int", "bcd", "bits", "bool", "enum", "ch", "dipsw", "wpc_rtc", "raw"]
Nibble = Literal["both", "high", "low"]

DIP_BYTES = 6
"""PinMAME keeps the DIP switches in the last six bytes of an image: 48 of them, the first in the lowest bit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Where one value stands, and how it is to be read."""

    key: str
    """Its place in the map: `game_state.scores[0]`."""
    encoding: Encoding
    addresses: tuple[int, ...]
    """The processor's addresses, the most significant first; of `dipsw` the switches' numbers, from 1."""
    nibble: Nibble = "both"
    mask: int = 0xFF
    """Laid over each byte before it is read."""
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    """Added after the scale."""
    invert: bool = False
    values: tuple[int | str, ...] = ()
    special: tuple[int, ...] = ()
    """Values that are no number, but say something in words, as `n/a`."""

    @property
    def plain(self) -> bool:
        """The number in the memory is the value."""
        return self.scale == 1 and self.offset == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One part of the memory that can be read; `kept`: it is in PinMAME's image file (`nvram`)."""

    address: int
    size: int
    kept: bool
    nibble: Nibble = "both"

    def __contains__(self, address: int) -> bool:
        return self.address <= address < self.address + self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A kind of board: its memory, in the order in which an image file holds it."""

    name: str
    little: bool = False
    """Numbers of several bytes begin with the least significant one."""
    regions: tuple[Region, ...] = ()

    @property
    def kept(self) -> tuple[Region, ...]:
        """The regions that an image file holds, one after the other."""
        return tuple(region for region in self.regions if region.kept)

    def region_of(self, address: int) -> Region | None:
        """The region of an address; None: nothing that can be read is there."""
        return next((region for region in self.regions if address in region), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryMap:
    """The fields of one machine's program that a tournament needs; what the map does not say is None or empty."""

    file: str
    platform: Platform
    roms: tuple[str, ...] = ()
    """The revisions of the program that the map is for, by PinMAME's names."""
    rom: str | None = None
    """The revision that is read, where it is known."""
    several: tuple[str, ...] = ()
    """Other maps of the same game beside it: without a revision none of them is certain."""
    scores: tuple[Field, ...] = ()
    finals: tuple[Field, ...] = ()
    """The last game's scores, where the machine keeps them apart when the game is over."""
    sums: tuple[Sum, ...] = ()
    misfit: str | None = None
    """Why the memory that is read is not of the map's program, where its checksums say so."""
    fields: dict[str, Field] = field(default_factory=dict)
    """By the map's own names: `player_count`, `current_player`, `current_ball`, `game_over` and the like."""

    @property
    def doubt(self) -> str | None:
        """Why an official must look at whatever is read with this map; None where it is listed for the revision."""
        if self.misfit is not None:
            return self.misfit
        if self.rom is None:
            if not self.several:
                return None
            others = ", ".join(self.several[:3])
            return f"the revision is not given, and there are several maps of this game ({self.file}, {others})"
        if self.rom in self.roms:
            return None
        listed = ", ".join(self.roms[:6]) + (", …" if len(self.roms) > 6 else "")
        return f"revision {self.rom!r} is not among those that {self.file} is for ({listed or 'none'})"

    def of(self, rom: str | None) -> "MemoryMap":
        """The same map, for this revision of the program."""
        return replace(self, rom=rom)

    def judged_by(self, memory: Memory) -> "MemoryMap":
        """The same map, doubted where the checksums of this memory do not fit it."""
        return replace(self, misfit=misfit(self.sums, memory))

    def all_fields(self) -> tuple[Field, ...]:
        """Every field there is."""
        return (*self.scores, *self.finals, *self.fields.values())

    def addresses(self) -> tuple[int, ...]:
        """Every address that is needed and can be read, in order."""
        fields = [one for one in self.all_fields() if one.encoding != "dipsw"]
        wanted = {address for one in fields for address in one.addresses}
        return tuple(sorted(address for address in wanted if self.platform.region_of(address)))
