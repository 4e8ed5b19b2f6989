"""What is being calibrated, as data: profile, digits, players, places of scores, corners, the camera's settings.

Pure: edits in, drafts out; undo is the drafts before. Invariant: a draft that exists can be read with and saved.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field, ValidationError

from bridge.errors import InputInvalid
from bridge.parts import CameraPart, Corners, Part
from capture.vision.errors import VisionInvalid
from capture.vision.rectify import check_corners
from hardware.catalog import load_profile, profile_names
from hardware.displays import Lights, Window
from hardware.errors import ProfileInvalid
from hardware.profile import MachineProfile

MOST_STEPS = 100


class Edit(Part):
    """A change from the page; what is not given stays. `hold`: more of one movement follows (one undo takes all)."""

    base: Annotated[str, Field(max_length=80)] | None = None
    digits: Annotated[int, Field(ge=1, le=19)] | None = None
    players: Annotated[int, Field(ge=1, le=16)] | None = None
    corners: Corners | None = None
    windows: Annotated[tuple[Window, ...], Field(max_length=24, strict=False)] | None = None
    camera: CameraPart | None = None
    clear: Annotated[tuple[str, ...], Field(max_length=4, strict=False)] = ()
    """Of `digits`, `players`, `corners` and `windows`: back to what the profile says."""
    hold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One state of the page. None: as the profile says; `corners` None: the display is looked for."""

    base: str
    digits: int | None = None
    players: int | None = None
    windows: tuple[Window, ...] | None = None
    corners: Corners | None = None
    camera: CameraPart = field(default_factory=CameraPart)

    @property
    def is_plain(self) -> bool:
        """Nothing differs from the profile but corners and camera."""
        return self.digits is None and self.players is None and self.windows is None

    def profile(self) -> MachineProfile:
        """The profile to read with. Raises InputInvalid."""
        return _profile(self.base, self.digits, self.players, self.windows)


class Drafts:
    """The draft and those before it."""

    def __init__(self, first: Draft, *, choices: tuple[str, ...] = ()) -> None:
        first.profile()
        self._steps: list[Draft] = []
        self._held = False
        self.now = first
        self.choices = tuple(dict.fromkeys((first.base, *choices, *_displays())))
        """Profiles that the page may choose; files of its own choice it may not open."""
        self.names = {name: load_profile(name).name for name in self.choices}

    @property
    def steps(self) -> int:
        """How many steps can be undone."""
        return len(self._steps)

    def edit(self, change: Edit) -> Draft:
        """Take a change. Raises InputInvalid, and changes nothing, where it makes no sense."""
        given: dict[str, Any] = {name: getattr(change, name) for name in change.model_fields_set - {"clear", "hold"}}
        given = {name: value for name, value in given.items() if value is not None}
        given |= dict.fromkeys(change.clear)
        draft = replace(self.now, **given)
        if draft.base not in self.choices:
            raise InputInvalid(f"no profile {draft.base[:80]!r} can be chosen here")
        if draft.base != self.now.base and "windows" not in given:
            draft = replace(draft, windows=None, digits=given.get("digits"))
        if draft.windows is not None:
            draft = replace(draft, windows=tuple(map(_rounded, draft.windows)) or None)
        draft.profile()
        if draft.corners is not None:
            try:
                check_corners(draft.corners)
            except VisionInvalid as error:
                raise InputInvalid(str(error)) from None
        self._keep(hold=change.hold)
        self.now = draft
        return draft

    def put(self, draft: Draft) -> None:
        """Take another draft as one step."""
        self._keep(hold=False)
        self.now = draft

    def undo(self) -> Draft:
        """The draft before; the same where there is none."""
        self._held = False
        if self._steps:
            self.now = self._steps.pop()
        return self.now

    def _keep(self, *, hold: bool) -> None:
        if not self._held:
            self._steps = [*self._steps, self.now][-MOST_STEPS:]
        self._held = hold


def parse_edit(document: object) -> Edit:
    """Raises InputInvalid: one line that names the key."""
    try:
        edit = Edit.model_validate(document)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(step) for step in problem["loc"])
        told = str(problem["msg"]).removeprefix("Value error, ").splitlines()[0]
        raise InputInvalid(f"{key or 'the edit'}: {told}") from None
    if set(edit.clear) - {"digits", "players", "corners", "windows"}:
        raise InputInvalid("clear: digits, players, corners or windows")
    return edit


@lru_cache(maxsize=4)
def _profile(base: str, digits: int | None, players: int | None, windows: tuple[Window, ...] | None) -> MachineProfile:
    try:
        profile = load_profile(base)
    except ProfileInvalid as error:
        raise InputInvalid(str(error)) from None
    if profile.display is None:
        raise InputInvalid(f"profile {profile.id!r} has no display: it is heard by wire")
    given = (("digits", digits), ("players", players))
    changes: dict[str, Any] = {key: value for key, value in given if value is not None}
    if windows is not None:
        if isinstance(profile.display, Lights):
            raise InputInvalid("a display of lights has its lamps in its profile, and no windows")
        changes["display"] = profile.display.model_copy(update={"windows": windows})
    return profile.model_copy(update=changes)


def _rounded(window: Window) -> Window:
    """To a hundredth of a hundredth of the display, as a person would write it."""
    return window.model_copy(
        update={side: round(getattr(window, side), 4) for side in ("left", "top", "right", "bottom")}
    )


def _displays() -> list[str]:
    return [name for name in profile_names() if load_profile(name).kind == "display"]
