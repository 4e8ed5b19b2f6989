"""What may happen in a tournament: one frozen act for each kind of log entry.

An act says what happened; how it is written is in `entries`, and whether the rules accept it is decided elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A player's registration is paid."""

    player: str
    division: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Buy:
    """Entries sold together in one purchase."""

    player: str
    entries: int
    division: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player moves to another division."""

    player: str
    division: str
    permission: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A finished game, with its scores as the machine showed them, in order of play."""

    game: str
    machine: str
    scores: Mapping[str, int]
    division: str | None = None
    stage: str | None = None
    group: str | None = None
    match: str | None = None
    round: int | None = None
    slot: str | None = None
    format: str | None = None
    joker: bool = False
    tiebreak: bool | str = False
    makeup: str | None = None
    started_at: datetime | None = None
    rollovers: Mapping[str, int] | None = None
    rings: Mapping[str, int] | None = None
    balls: Mapping[str, tuple[int, ...]] | None = None
    strokes: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Abandon:
    """A player gives an entry up before it is turned in."""

    player: str
    machine: str | None = None
    game: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct:
    """An official corrects recorded scores."""

    game: str
    scores: Mapping[str, int]
    balls: Mapping[str, tuple[int, ...]] | None = None
    strokes: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Void:
    """An official voids a game, or one player's score in it."""

    game: str
    who: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """An official composes an official score; without `who` it is for everybody in the game."""

    game: str
    kind: str
    who: str | None = None
    games: tuple[str, ...] = ()
    factor: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """An offence."""

    who: str
    offence: str
    game: str | None = None
    match: str | None = None
    round: int | None = None
    slot: str | None = None
    division: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineChange:
    """A machine's state changes."""

    machine: str
    status: str
    substitute: str | None = None
    scores: str | None = None
    factor: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """Somebody was not there when called."""

    who: str
    stage: str | None = None
    match: str | None = None
    substitute: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """A stage is closed."""

    stage: str
    qualifiers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One game that is to be played: who against whom, and where it is known the machine and the group."""

    players: tuple[str, ...]
    machine: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Officials have decided something that the rules leave to them; `topic` says what it is about."""

    topic: str
    stage: str | None = None
    who: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    games: tuple[Pairing, ...] = ()
    round: int | None = None
    qualifiers: int | None = None
    machine: str | None = None
    machines: tuple[str, ...] = ()
    group: str | None = None
    position: int | None = None
    game: str | None = None
    match: str | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMatch:
    """A match of two teams is scheduled. Without `stage` it belongs to the first stage."""

    match: str
    home: str
    away: str
    week: int | None = None
    venue: str | None = None
    stage: str | None = None
    tiebreak: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinedUp:
    """One game of a line-up: who plays it for the team, and on which machine where the team names it."""

    slot: str
    players: tuple[str, ...]
    machine: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareLineup:
    """A team says who plays which game of a round of a match."""

    match: str
    round: int
    team: str
    games: tuple[LinedUp, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A team gives a match up, or one game of it (`round` and `slot`); `offence` is why (`for` in the file)."""

    match: str
    team: str
    stayed: bool = False
    offence: str | None = None
    round: int | None = None
    slot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRoster:
    """One change of a roster, checked as a whole: who comes (`add`), who goes (`drop`), whose role changes (`set`)."""

    team: str
    add: str | None = None
    drop: str | None = None
    set: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeTerms:
    """What was agreed before a match."""

    match: str
    extra_balls: int | None = None
    balls: int | None = None
    challenge_modes: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A team contests a game."""

    game: str
    team: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndMatch:
    """A match is over."""

    match: str


TeamAct = SetMatch | DeclareLineup | Forfeit | ChangeRoster | AgreeTerms | Challenge | EndMatch
"""What only team systems know."""

Act = (
    Register
    | Buy
    | Move
    | Played
    | Abandon
    | Correct
    | Void
    | Ruling
    | Penalty
    | MachineChange
    | Absent
    | Close
    | Decision
    | TeamAct
)
