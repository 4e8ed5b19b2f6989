"""`[lines]`: how the lines of a maker's own format are to be understood.

Here: the table, and the check of its patterns (`patterns`). Not here: our own line format, and what lines mean
(`capture.dialects.lines`). Invariant: a table that exists has only patterns that are quick on any line, with groups
that their kind of line can have.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from hardware.wires.patterns import check_pattern

Pattern = Annotated[str, Field(min_length=1, max_length=500)]
MOST_PLAYERS = 16

_SCORES = {f"score{number}" for number in range(1, MOST_PLAYERS + 1)}
_NUMBERS = {"player", "players", "ball", "balls", "game"}
_STATE = _NUMBERS | _SCORES | {"playing", "credits", "tilt", "slam", "warnings"}
GROUPS: dict[str, set[str]] = {
    "hello": {"device", "machine", "boot"},
    "start": {"players", "balls", "game"},
    "join": {"players"},
    "turn": {"player", "ball"},
    "score": {"player", "score"},
    "ball_over": set(),
    "over": {"game"} | _SCORES,
    "abort": {"why"},
    "state": _STATE,
    "tilt": set(),
    "slam": set(),
    "warning": {"warnings"},
    "door_open": set(),
    "door_closed": set(),
    "power_lost": set(),
    "power_back": set(),
    "drain": set(),
    "start_button": set(),
    "call": set(),
    "ping": set(),
}
"""Each kind of line, and the groups that its patterns may name."""
_NEEDED = {"score": {"score"}, "turn": {"player", "ball"}, "join": {"players"}, "hello": {"device"}}
"""One of these is needed."""


class LinesTable(BaseModel):
    """Patterns of a line format that is not ours: each a regular expression that the whole line has to fit."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    hello: Pattern | None = None
    start: Pattern | None = None
    join: Pattern | None = None
    turn: Pattern | None = None
    score: Pattern | None = None
    ball_over: Pattern | None = None
    over: Pattern | None = None
    abort: Pattern | None = None
    state: Pattern | None = None
    tilt: Pattern | None = None
    slam: Pattern | None = None
    warning: Pattern | None = None
    door_open: Pattern | None = None
    door_closed: Pattern | None = None
    power_lost: Pattern | None = None
    power_back: Pattern | None = None
    drain: Pattern | None = None
    start_button: Pattern | None = None
    call: Pattern | None = None
    ping: Pattern | None = None
    separators: str = Field(default="", max_length=4)
    """Signs that may stand between the digits of a score and mean nothing, such as `,` or `.`."""
    ask: str | None = Field(default=None, min_length=1, max_length=100, pattern=r"^[\x20-\x7e]*$")
    """What the device is asked when the line opens."""
    ask_ms: int | None = Field(default=None, ge=100, le=600_000)
    """How often it is asked again."""

    @field_validator(*GROUPS)
    @classmethod
    def _pattern_is_safe(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is not None:
            _check(info.field_name or "", text)
        return text

    @field_validator("separators")
    @classmethod
    def _separators_are_no_digits(cls, signs: str) -> str:
        if any(sign.isalnum() or sign in "+-*" for sign in signs):
            raise ValueError("signs such as , . ' or a space are needed, no digits, letters or signs of a number")
        return signs

    @model_validator(mode="after")
    def _asks_something(self) -> "LinesTable":
        if self.ask_ms is not None and self.ask is None:
            raise ValueError("ask_ms needs ask")
        return self

    @property
    def foreign(self) -> bool:
        """There are patterns: the lines are of another format than ours."""
        return any(getattr(self, kind) is not None for kind in GROUPS)


def _check(kind: str, text: str) -> None:
    groups = set(check_pattern(text).groupindex)
    if unknown := groups - GROUPS[kind]:
        allowed = ", ".join(sorted(GROUPS[kind] - _SCORES)) or "none"
        more = ", score1 to score16" if _SCORES & GROUPS[kind] else ""
        raise ValueError(f"no group {min(unknown)!r} here; there are: {allowed}{more}")
    needed = _NEEDED.get(kind)
    if needed and not groups & needed:
        raise ValueError(f"a group is missing: (?P<{min(needed)}>…)")
