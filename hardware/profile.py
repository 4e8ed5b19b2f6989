"""What a machine is, as data: a strict profile, made from one TOML file.

Here: the fields, their types and limits, and errors that name file, line, key and what is allowed.
Not here: where profiles lie (`hardware.catalog`), and what a score means (`capture`).
Invariant: a `MachineProfile` that exists is whole and consistent; what is not known of a machine is None, not guessed.
"""

import difflib
import re
import tomllib
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from hardware.displays import DISPLAYS, Display
from hardware.errors import ProfileInvalid
from hardware.wires.lines import LinesTable
from hardware.wires.lisy import LisyTable
from hardware.wires.memory import MemoryTable
from hardware.wires.messages import MessagesTable

Dialect = Literal[
    "bcp", "vector", "dndp", "dmdreader", "libdmdutil", "dmd-extensions", "memory", "lisy", "lines", "json"
]
"""The wire protocols that `capture.dialects` understands."""
DOT_STREAMS = ("dndp", "dmdreader", "libdmdutil", "dmd-extensions")
"""Those that bring the pictures of a dot-matrix display: their profiles are of kind `display`."""
BINARY = (*DOT_STREAMS, "lisy")
"""Those that are no lines of text: recordings of them are hexadecimal."""

Source = Literal["camera", "bcp", "vector", "memory", "dots", "lisy", "lines", "json"]
"""A kind of source: the camera, a dialect, or any stream of dots."""

Word = Annotated[str, Field(min_length=1, max_length=40)]
Words = Annotated[tuple[Word, ...], Field(max_length=20)]


class DisplayWords(BaseModel):
    """Words on the display that mean something; `#` stands for a number. Compared without regard to case."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    game_over: Words = ("GAME OVER",)
    tilt: Words = ("TILT",)
    slam_tilt: Words = ("SLAM TILT", "SLAM")
    player: Words = ("PLAYER #",)
    ball: Words = ("BALL #",)


class UsualScores(BaseModel):
    """Between which scores nearly all games of this machine end: outside of it a score is looked at, never refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    low: int = Field(ge=0, le=10**18)
    """One game in a hundred ends below it."""
    median: int = Field(ge=0, le=10**18)
    high: int = Field(ge=1, le=10**18)
    """One game in a hundred ends above it."""
    games: int = Field(ge=1, le=10**9)
    """How many games this was counted over."""
    ends_in_zero: float | None = Field(default=None, ge=0, le=1)
    """The share of them whose score ends in nought: scores that were typed by hand end otherwise by mistake."""


class MachineProfile(BaseModel):
    """One kind of machine. `kind` wire: it says its score in a `dialect`; display: it shows it on a `display`.

    A display whose dots come by wire has both: its `dialect` is one of `DOT_STREAMS`.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9-]{1,40}$")
    name: str = Field(min_length=1, max_length=80)
    kind: Literal["wire", "display"]
    dialect: Dialect | None = None
    display: Display | None = None
    memory: MemoryTable | None = None
    lines: LinesTable | None = None
    lisy: LisyTable | None = None
    messages: MessagesTable | None = None
    words: DisplayWords = DisplayWords()
    players: int = Field(default=4, ge=1, le=16)
    """The most players a game can have."""
    balls: int | None = Field(default=None, ge=1, le=20)
    """Balls a game by the factory setting; a source that says its own number is believed before this one."""
    digits: int | None = Field(default=None, ge=1, le=19)
    """Digits the display has for one score: with them a rollover can be told."""
    score_quantum: int = Field(default=1, ge=1, le=10**9)
    """Every score is a multiple of this."""
    max_score: int = Field(default=10**18, ge=1, le=10**18)
    """No score of this machine can be larger."""
    hold_ms: int = Field(default=8_000, ge=0, le=60_000)
    """How long the scores must stand still before they are final, where the source does not say that they are."""
    dwell_ms: int = Field(default=1_000, ge=0, le=60_000)
    """How long a change of phase must last to be believed."""
    rolls_over: bool | None = None
    """Whether the score begins at nought again beyond `digits`; None: not known."""
    opdb: str | None = Field(default=None, pattern=r"^G[A-Za-z0-9]{3,6}(-M[A-Za-z0-9]{4,6}(-A[A-Za-z0-9]{4,6})?)?$")
    """The machine in the Open Pinball Database."""
    maker: str | None = Field(default=None, min_length=1, max_length=80)
    year: int | None = Field(default=None, ge=1930, le=2100)
    sources: tuple[Source, ...] = Field(default=(), max_length=10)
    """The ways in which this machine is known to be read, the best first."""
    usual: UsualScores | None = None
    facts: str | None = Field(default=None, max_length=400)
    """Where the facts of this profile come from."""

    @property
    def source(self) -> Literal["wire", "camera"]:
        """What `game.ended` says of its scores; dots that come by wire are no camera's."""
        return "camera" if self.dialect is None else "wire"

    @model_validator(mode="after")
    def _kind_has_its_part(self) -> "MachineProfile":
        if self.kind == "wire" and self.dialect is None:
            raise ValueError(f'a profile of kind "wire" needs dialect, one of: {_choices(get_args(Dialect))}')
        if self.kind == "display" and self.display is None:
            raise ValueError('a profile of kind "display" needs a [display] table with its type')
        if self.kind == "wire" and self.display is not None:
            raise ValueError('a profile of kind "wire" has no [display]; is kind = "display" meant?')
        if self.kind == "display" and self.dialect is not None and self.dialect not in DOT_STREAMS:
            raise ValueError(f'a profile of kind "display" may have as dialect: {_choices(DOT_STREAMS)}')
        if self.kind == "wire" and self.dialect in DOT_STREAMS:
            raise ValueError(f'dialect {self.dialect!r} brings pictures: a profile of kind "display" is needed')
        return self


def parse_profile(text: str, *, file: str) -> MachineProfile:
    """Make a profile of TOML text. `file` is only named in errors.

    Raises ProfileInvalid with one line: file, line, key and what is allowed.
    """
    try:
        document = tomllib.loads(text)
    except ValueError as error:  # a number of 5,000 digits is no TOMLDecodeError
        raise ProfileInvalid(f"{file}: not valid TOML: {_first_line(str(error))}") from None
    except RecursionError:
        raise ProfileInvalid(f"{file}: not valid TOML: nested too deeply") from None
    try:
        return MachineProfile.model_validate(_with_tuples(document))
    except ValidationError as error:
        raise ProfileInvalid(_explain(error, document, text, file)) from None


def _with_tuples(part: object) -> object:
    """TOML has arrays, the strict model tuples."""
    if isinstance(part, dict):
        return {key: _with_tuples(inner) for key, inner in part.items()}
    return tuple(_with_tuples(inner) for inner in part) if isinstance(part, list) else part


def _explain(error: ValidationError, document: object, text: str, file: str) -> str:
    """The first mistake, as one line."""
    problem = error.errors(include_url=False)[0]
    path = [str(part) for part in problem["loc"]]
    if path[:1] == ["display"]:
        del path[1:2]  # pydantic names the kind of display there
    if problem["type"].startswith("union_tag"):
        where = f"{file}{_line_of(['display', 'type'], text)}: key 'display.type'"
        return f"{where}: one of {_choices([repr(kind) for kind in DISPLAYS])} is needed"
    if not path:
        return f"{file}: {str(problem['msg']).removeprefix('Value error, ')}"
    allowed = sorted(_fields(path[:-1], document))
    key = ".".join(path)
    where = f"{file}{_line_of(path, text)}: key {key!r}"
    if problem["type"] == "extra_forbidden":
        close = difflib.get_close_matches(path[-1], allowed, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        if path[0] == "display" and path[-1] in _fields(["display"], document):
            hint = f" here: {path[-1]} stands in [display], for all windows"
        return f"{where} is unknown{hint}; allowed: {_choices(allowed)}"
    if problem["type"] == "missing":
        return f"{file}: key {key!r} is missing"
    told = _first_line(str(problem["msg"])).removeprefix("Value error, ")
    return f"{where}: {told}, not {_shorten(problem['input'])}"


def _fields(path: list[str], document: object) -> list[str]:
    """The keys that there are at this place."""
    models: list[type[BaseModel]] = [MachineProfile]
    place = document
    for step in path:
        if step.isdecimal():  # a place in an array of tables
            place = place[int(step)] if isinstance(place, list) and int(step) < len(place) else None
            continue
        place = place.get(step) if isinstance(place, dict) else None
        inner = [model.model_fields[step].annotation for model in models if step in model.model_fields]
        models = [model for annotation in inner for model in _models(annotation)]
        if path[0] == step == "display":
            kind = place.get("type") if isinstance(place, dict) else None
            models = [DISPLAYS[kind]] if kind in DISPLAYS else []
    return [name for model in models for name in model.model_fields] or ["type"]


def _models(annotation: Any) -> list[type[BaseModel]]:  # noqa: ANN401 - any type
    """The models of tables in a field's type, such as those of `tuple[Window, ...] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]


def _line_of(path: list[str], text: str) -> str:
    """` line N` of the key in the text, or nothing where it cannot be told."""
    table: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*(\[\[?)\s*([\w.-]+)\s*\]", line):
            table = header[2].split(".")
            if header[1] == "[[":  # the table of an array: its place in it is part of the path
                seen[header[2]] = seen.get(header[2], -1) + 1
                table.append(str(seen[header[2]]))
            if path == table:
                return f", line {number}"
        elif path[: len(table) + 1] == [*table, _key_of(line)]:
            return f", line {number}"
    return ""


def _key_of(line: str) -> str:
    return line.partition("=")[0].strip().strip("\"'")


def _shorten(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return shown if len(shown) <= 60 else shown[:57] + "…"


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else text


def _choices(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names)
