"""`[lisy]`: which display of a LISY or APC board shows what, and how its bytes are to be read.

Here: the table. Not here: the protocol and what displays mean (`capture.dialects.lisy`).
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Number = Annotated[int, Field(ge=0, le=6)]
Cells = Annotated[tuple[Annotated[int, Field(ge=1, le=32)], ...], Field(max_length=2)]
"""First and last; none: it is not shown."""


class LisyTable(BaseModel):
    """Which display shows what. The defaults are those of a machine with four scores and one status display."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    players: tuple[Number, ...] = Field(default=(1, 2, 3, 4), min_length=1, max_length=7)
    """The display of each player, in order."""
    status: Number = 0
    """The display with credits and ball."""
    credits: Cells = (1, 2)
    """The cells of the credits on it."""
    ball: Cells = (3, 4)
    """The cells of the ball in play on it; between games they are blank, 0, or show a match of 10 to 90."""
    zeros: int = Field(default=0, ge=0, le=4)
    """Painted noughts behind each score."""
    framing: Literal["auto", "length", "text"] = "auto"
    """How a display's text ends: with a length before it (API 0.9 and later), or with a nought byte (before)."""
    counted: bool | None = None
    """Whether each command is followed by its length (MPF's `send_length_after_command`); None: it is found out."""
    encoding: Literal["auto", "ascii", "bcd", "seg7", "seg14"] = "auto"
    """How a cell is written."""

    @model_validator(mode="after")
    def _displays_are_apart(self) -> "LisyTable":
        shown = [*self.players, self.status]
        if len(set(shown)) < len(shown):
            raise ValueError("players and status: each display shows one thing")
        for name, cells in (("credits", self.credits), ("ball", self.ball)):
            if cells and (len(cells) != 2 or cells[0] > cells[1]):
                raise ValueError(f"{name}: the first cell and the last, or nothing: []")
        return self
