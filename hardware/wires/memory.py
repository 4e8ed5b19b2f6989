"""`[memory]`: which memory map a machine's memory is read with, and how its bytes are asked for.

Here: the table. Not here: maps (`hardware.maps`), and what memory says (`capture.dialects.memory`). Invariant: the map
that was loaded belongs to the file that is named.
"""

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from hardware.maps.model import MemoryMap


class MemoryTable(BaseModel):
    """How the memory is read."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    map: str | None = Field(default=None, min_length=1, max_length=400)
    """The map's file, or a folder of maps with an index.json, beside the profile; `own:NAME`: one that comes with
    Inlane."""
    rom: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_]{1,40}$")
    """The revision of the machine's program; one that the map does not list is unverified: an official looks."""
    poll_ms: int = Field(default=250, ge=50, le=10_000)
    """How often the memory is asked for."""
    _loaded: MemoryMap | None = PrivateAttr(default=None)

    @property
    def loaded(self) -> MemoryMap | None:
        """What the map's file says, as `hardware.catalog` has loaded it."""
        return self._loaded

    def with_map(self, loaded: MemoryMap) -> "MemoryTable":
        """The same table with its map loaded."""
        table = self.model_copy()
        table._loaded = loaded  # noqa: SLF001 - its own
        return table
