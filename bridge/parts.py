"""Parts that the agent's configuration and a machine's calibration share: points, corners, what a camera is fixed to.

Strict models of what stands in files. Invariant: a part that exists is finite, bounded and on one line.
"""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

Coordinate = Annotated[float, Field(ge=-100_000, le=100_000)]
Point = Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]


def _go_round(corners: tuple[Point, Point, Point, Point]) -> tuple[Point, Point, Point, Point]:
    for i in range(4):
        (a, b), (c, d), (e, f) = corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]
        if not (c - a) * (f - d) - (d - b) * (e - c) > 0:
            raise ValueError("the corners must go round: top left, top right, bottom right, bottom left")
    return corners


Corners = Annotated[tuple[Point, Point, Point, Point], Field(strict=False), AfterValidator(_go_round)]
"""Top left, top right, bottom right, bottom left, in pixels."""
Side = Annotated[int, Field(ge=1, le=100_000)]
Size = Annotated[tuple[Side, Side], Field(strict=False)]
"""Width and height in pixels."""
Gain = Annotated[float, Field(ge=0.1, le=32)]
Gains = Annotated[tuple[Gain, Gain], Field(strict=False)]


class Part(BaseModel):
    """One table of a file."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_control_characters(cls, value: object) -> object:
        if isinstance(value, str) and any(ord(sign) < 32 or ord(sign) == 127 for sign in value):
            raise ValueError("a text on one line is needed, without control characters")
        return value


class CameraPart(Part):
    """`[machine.camera]`: what the machine's camera is fixed to; what is not given stays automatic."""

    exposure_ms: Annotated[float, Field(ge=0.05, le=1000)] | None = None
    gain: Annotated[float, Field(ge=0, le=65535)] | None = None
    white_balance: Annotated[float, Field(ge=1000, le=20_000)] | Gains | None = None
    """Kelvin, or the gains of red and blue (the Pi's own cameras)."""
    focus: Annotated[float, Field(ge=0, le=65535)] | None = None
    refresh_hz: Annotated[float, Field(ge=10, le=5000)] | None = None
    """How often a second the display draws all of itself."""

    def options(self) -> dict[str, object]:
        """What is given, as options of a camera's address."""
        return self.model_dump(exclude_none=True)
