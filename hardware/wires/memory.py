"""`[memory]`: which memory map a machine's memory is read with, and how its bytes are asked for.

Here: the table. Not here: maps (`hardware.maps`), and what memory says (`capture.dialects.memory`).
"""

from pydantic import BaseModel, ConfigDict, Field


class MemoryTable(BaseModel):
    """How the memory is read."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    map: str | None = Field(default=None, min_length=1, max_length=400)
    """The map's file, beside the profile."""
    rom: str | None = Field(default=None, min_length=1, max_length=40)
    """The revision of the machine's program; one that the map does not list is unverified: an official looks."""
    poll_ms: int = Field(default=250, ge=50, le=10_000)
    """How often the memory is asked for."""
