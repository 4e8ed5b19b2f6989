"""`[lines]`: how the lines of a maker's own format are to be understood.

Here: the table. Not here: our own line format, and what lines mean (`capture.dialects.lines`).
"""

from pydantic import BaseModel, ConfigDict, Field


class LinesTable(BaseModel):
    """Patterns of a line format that is not ours."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    patterns: tuple[str, ...] = Field(default=(), max_length=50)
