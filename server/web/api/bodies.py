"""What people may send to the API: strict models. Numbers are numbers, unknown fields are refused, all is bounded."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from server.core.venue.entries import HIGHEST
from server.core.venue.times import read_moment
from server.core.venue.values import Place


def _moment(value: str) -> str:
    if read_moment(value) is None:
        raise ValueError("a time with its offset is wanted, such as 2026-11-30T20:15:00Z")
    return value


Score = Annotated[int, Field(ge=0, le=HIGHEST)]
Id = Annotated[str, Field(min_length=1, max_length=80)]
Why = Annotated[str, Field(max_length=1000)]
Version = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Moment = Annotated[str, Field(max_length=80), AfterValidator(_moment)]
"""A time with its offset from UTC, as RFC 3339 writes it."""
DEEPEST = 16
"""Objects and lists within each other in what the rules read."""


def _plain(value: Any, allowed: int = DEEPEST) -> Any:  # noqa: ANN401 - JSON
    """JSON that can be kept, shown and exported: no NaN, no half characters, not too deep."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("NaN and Infinity are no numbers")
    if isinstance(value, str) and not _is_text(value):
        raise ValueError("half of a character (a lone surrogate) is no text")
    if isinstance(value, dict | list):
        if allowed == 0:
            raise ValueError(f"nested deeper than {DEEPEST}")
        for item in [*value, *value.values()] if isinstance(value, dict) else value:
            _plain(item, allowed - 1)
    return value


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


Document = Annotated[dict[str, Any], AfterValidator(_plain)]
"""A part of a tournament file: the rules say what is right in it."""


class Body(BaseModel):
    """The root of all."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Login(Body):
    """A name and a password."""

    name: Annotated[str, Field(max_length=200)]
    password: Annotated[str, Field(max_length=1000)]


class PlaceBody(Body):
    """Where a game counts; without `tournament` in the running one."""

    tournament: Id = "current"
    division: Id | None = None
    stage: Id | None = None
    group: Id | None = None
    match: Id | None = None
    round: int | Id | None = None
    slot: int | Id | None = None
    joker: bool = False
    tiebreak: bool | Id = False
    makeup: Id | None = None
    format: Id | None = None

    def place(self, tournament: str) -> Place:
        """As the core has it."""
        fields = {name: getattr(self, name) for name in PlaceBody.model_fields if name != "tournament"}
        return Place(tournament=tournament, **fields)


class AssignBody(PlaceBody):
    """Players, in order of play; for a game of a match without players those of its line-ups."""

    players: Annotated[list[Id], Field(max_length=16)] = Field(default_factory=list)
    based_on: Version | None = None


class WhyBody(Body):
    """A reason, where one is wanted."""

    why: Why | None = None
    based_on: Version | None = None


class MustBody(Body):
    """A reason."""

    why: Why
    based_on: Version | None = None


class PowerCycleBody(Body):
    """For how many minutes a power cycle is announced; 0 ends it."""

    minutes: Annotated[int, Field(ge=0, le=240)]
    why: Why | None = None


class PowerCyclesBody(PowerCycleBody):
    """The same for several machines; without names, for all."""

    machines: Annotated[list[Id], Field(max_length=500)] = Field(default_factory=list)


class BallBody(Body):
    """The scores after this player's ball, in order of play."""

    player: Annotated[int, Field(ge=1, le=16)]
    ball: Annotated[int, Field(ge=1, le=99)]
    scores: Annotated[list[Score], Field(min_length=1, max_length=16)]
    based_on: Version | None = None


class ScoresBody(Body):
    """Final scores, in order of play. `based_on`: the version of the machine, or of the game that is typed anew."""

    scores: Annotated[list[Score], Field(min_length=1, max_length=16)]
    based_on: Version | None = None


class ReportBody(Body):
    """A malfunction: its name as in docs/signals.md, a note, and the name of a photo that the server has."""

    fault: Id
    note: Annotated[str, Field(max_length=500)] | None = None
    evidence: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None


class QueueBody(Body):
    """A player in a line."""

    player: Id
    tournament: Id = "current"
    why: Why | None = None


class ConfirmBody(Body):
    """The score that was seen, to be sure that it is the proposed one."""

    score: Score | None = None
    based_on: Version | None = None


class CorrectBody(Body):
    """The right score."""

    score: Score
    why: Why | None = None
    based_on: Version | None = None


class MatchBody(PlaceBody):
    """Whose game it is: players by slot, null for a slot that is nobody's; for a game of a match without players those
    of its line-ups. `started_at`: when it began, where only an official can tell.
    """

    players: Annotated[list[Id | None], Field(max_length=16)] = Field(default_factory=list)
    why: Why | None = None
    started_at: Moment | None = None
    despite_rules: bool = False
    based_on: Version | None = None


class NoteBody(Body):
    """A note."""

    note: Why | None = None


class TournamentBody(Body):
    """A tournament: `head` is a tournament file without its log."""

    id: Id
    head: Document


class PlayersBody(Body):
    """People, each as the tournament file has them. `same_name`: somebody called like another is somebody else."""

    players: Annotated[list[Document], Field(min_length=1, max_length=2000)]
    same_name: bool = False
    based_on: Version | None = None


class MachinesBody(Body):
    """Machines, each as the tournament file has them."""

    machines: Annotated[list[Document], Field(min_length=1, max_length=500)]
    based_on: Version | None = None


class EntryBody(Body):
    """One entry of the tournament file's log; its first key says what it is.

    `despite_open`: close a stage although something is open that may change it. `despite_recusal`: rule although one
    plays there oneself.
    """

    entry: Annotated[Document, Field(min_length=1, max_length=30)]
    why: Why | None = None
    despite_rules: bool = False
    despite_open: bool = False
    despite_recusal: bool = False
    based_on: Version | None = None


class TypedBody(PlaceBody):
    """A typed game: who had how many points, in order of play."""

    machine: Id
    scores: Annotated[dict[Id, Score], Field(min_length=1, max_length=16)]
    game: Id | None = None
    started_at: Id | None = None
    at: Id | None = None
    why: Why | None = None
    despite_rules: bool = False
    based_on: Version | None = None


class GameBody(TypedBody):
    """Any typed game; in pin golf also the scores after each ball, or the strokes."""

    balls: Annotated[dict[Id, Annotated[list[Score], Field(max_length=100)]], Field(max_length=16)] | None = None
    strokes: Annotated[dict[Id, Annotated[int, Field(ge=0, le=1000)]], Field(max_length=16)] | None = None


class BuyBody(Body):
    """Entries sold together."""

    player: Id
    entries: Annotated[int, Field(ge=1, le=1000)] = 1
    division: Id | None = None


class RegisterBody(Body):
    """A registration paid."""

    division: Id | None = None


class MoveBody(Body):
    """The score of `who` was that of `to`. `despite_rules`: also where the rules then refuse something;
    `despite_recusal`: although one plays there oneself.
    """

    who: Id
    to: Id
    why: Why
    despite_rules: bool = False
    despite_recusal: bool = False
    based_on: Version | None = None


class WithdrawBody(Body):
    """Why a player plays no more, and for which stage he is absent where the rules ask for it."""

    why: Why
    stage: Id | None = None


class FieldBody(Body):
    """Who plays in a stage, in order of seed; without names those whom the standings give now."""

    who: Annotated[list[Id], Field(min_length=1, max_length=2000)] | None = None
    why: Why
    based_on: Version | None = None


class RulingBody(Body):
    """An official's ruling on the game of a malfunction."""

    kind: Id
    who: Id | None = None
    games: Annotated[list[Id], Field(max_length=16)] | None = None
    factor: Annotated[str, Field(pattern=r"^[0-9]{1,4}(\.[0-9]{1,6})?$")] | None = None
    why: Why
    based_on: Version | None = None
