"""The displays that a machine can have, as data: one model a kind, told apart by `type`.

Here: the fields and their limits. Not here: how any of it is read (`capture.vision`). Invariant: places are fractions
of the display within its four corners (0,0 top left to 1,1 bottom right), so that they hold for any camera.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from hardware.atlas import Atlas

FontFile = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,4}$", max_length=120)
]
"""A file or folder beside the profile: relative, in plain letters, and never above it."""
Fraction = Annotated[float, Field(ge=0, le=1, strict=False)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Window(_Part):
    """One place on the display that shows one thing, such as the score of player 2 or the number of the ball."""

    shows: Literal["score", "ball", "credits", "match", "timer"] = "score"
    """`score` is a player's; `ball` and `credits` share a small display on many machines: give each its own window."""
    player: int | None = Field(default=None, ge=1, le=16)
    """Whose score; not given: whoever is up."""
    left: Fraction = 0.0
    top: Fraction = 0.0
    right: Fraction = 1.0
    bottom: Fraction = 1.0
    digits: int | None = Field(default=None, ge=1, le=24)
    """Cells or reels in this window; not given: the display's own number."""

    @model_validator(mode="after")
    def _has_room(self) -> "Window":
        if self.right <= self.left or self.bottom <= self.top:
            raise ValueError("a window needs left < right and top < bottom")
        return self


Windows = Annotated[tuple[Window, ...], Field(min_length=1, max_length=24)]
WHOLE: Windows = (Window(),)
"""One score that fills the display."""


class DotMatrix(_Part):
    """Dots in rows and columns."""

    type: Literal["dmd"]
    columns: int = Field(ge=8, le=512)
    """Dots from left to right."""
    rows: int = Field(ge=5, le=256)
    """Dots from top to bottom."""
    windows: Annotated[tuple[Window, ...], Field(max_length=24)] = ()
    """Where this machine shows scores, if that is known: a number in such a window is a score, one outside is none.
    More than one layout may be given for one player. None given: judged from size, place and words alone."""
    fonts: Annotated[tuple[FontFile, ...], Field(max_length=16)] = ()
    """Font atlases (`hardware.atlas`) beside the profile: files, or folders of `.atlas` files, by names relative to it.
    `inlane-agent profiles teach` makes them."""
    _atlases: tuple[Atlas, ...] = PrivateAttr(default=())

    @property
    def atlases(self) -> tuple[Atlas, ...]:
        """What the files in `fonts` hold, as `hardware.catalog` has loaded it."""
        return self._atlases

    def with_atlases(self, atlases: tuple[Atlas, ...]) -> "DotMatrix":
        """The same display with its fonts loaded."""
        display = self.model_copy()
        display._atlases = atlases  # noqa: SLF001 - its own
        return display


class Segments(_Part):
    """Cells of 7, 14 or 16 segments, a number of them side by side."""

    type: Literal["segments"]
    segments: Literal[7, 14, 16]
    digits: int | None = Field(default=None, ge=1, le=24)
    """Cells in a window, as built, blank ones too; not given: counted in the picture."""
    glass: Literal["lit", "lcd"] = "lit"
    """`lit` shines (LED, plasma, VFD); `lcd` is dark on light."""
    slant: float | None = Field(default=None, ge=-30, le=30, strict=False)
    """Degrees that upright strokes lean to the right; not given: whatever fits."""
    windows: Windows = WHOLE


class Reels(_Part):
    """Wheels with the digits 0 to 9 (electromechanical machines)."""

    type: Literal["reels"]
    digits: int | None = Field(default=None, ge=1, le=10)
    """Wheels in a window; not given: counted in the picture."""
    zeros: int = Field(default=0, ge=0, le=4)
    """Noughts that are painted on behind the wheels."""
    turns: Literal["up", "down"] | None = None
    """Which way the digits travel as a wheel counts on; not given: either."""
    windows: Windows = WHOLE


class Monitor(_Part):
    """A screen of pixels (LCD): the score stands in a known box, in any typeface."""

    type: Literal["lcd"]
    windows: Windows = WHOLE


class Lamp(_Part):
    """One lit field of a score in lights: while it shines, it adds `value`."""

    value: int = Field(ge=1, le=10**9)
    player: int | None = Field(default=None, ge=1, le=16)
    left: Fraction
    top: Fraction
    right: Fraction
    bottom: Fraction


class Lights(_Part):
    """A score shown by lamps behind painted numbers (before reels, and the hundred thousands beside them)."""

    type: Literal["lights"]
    lamps: Annotated[tuple[Lamp, ...], Field(min_length=1, max_length=120)]


Display = Annotated[DotMatrix | Segments | Reels | Monitor | Lights, Field(discriminator="type")]
DISPLAYS: dict[object, type[BaseModel]] = {
    "dmd": DotMatrix, "segments": Segments, "reels": Reels, "lcd": Monitor, "lights": Lights
}  # fmt: skip
"""The kinds by their `type`."""
