"""What the fold over the log keeps: games, people, machines, stages, and what was refused or flagged.

Only data; how it begins is in `beginning`, the rules are in the other modules. Invariant: a refused entry has changed
nothing here but the list of what is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from server.core.draws.choices_acts import Command
from server.core.rules.acts import Pairing, Played, Ruling
from server.core.rules.presets import StageForm
from server.core.rules.settings import Settings
from server.core.rules.teams.state import Match, TeamState
from server.core.rules.tournament import Head, Machine, Player

if TYPE_CHECKING:
    from server.core.rules.groups import GroupGame
    from server.core.rules.knockout_matches import Known
    from server.core.rules.results import StageResult
    from server.core.rules.rounds_draw import Drawn, Question
    from server.core.rules.rounds_survey import Survey
    from server.core.rules.tables import Kept

ATTEMPT, FINALS, TIEBREAK, NAMED = "attempt", "finals", "tiebreak", "named"
Key = tuple[str | int | None, ...]
"""Names one game of a finals group: entries of equal key are one game (C4.3)."""


@dataclass(slots=True, kw_only=True)
class Said:
    """What officials have said about a game beyond its scores: the few games that need it have one of these.

    `lost` are the teams that lose it whatever the scores are, `offences` the entries by which a score of a match of
    teams became 0 or none, by whose it is. `wiped` are those who forfeited the whole tournament
    (CC5), `conduct` by player the entry of the penalty that made a score 0 or wiped it by the code of conduct.
    """

    void: bool = False
    voided: set[str] = field(default_factory=set)
    zeroed: set[str] = field(default_factory=set)
    disqualified: set[str] = field(default_factory=set)
    penalised: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    offences: dict[str, int] = field(default_factory=dict)
    wiped: set[str] = field(default_factory=set)
    conduct: dict[str, int] = field(default_factory=dict)
    rulings: list[Ruling] = field(default_factory=list)
    balls: dict[str, tuple[int, ...]] = field(default_factory=dict)
    strokes: dict[str, int] = field(default_factory=dict)

    def has_no_score(self, who: str) -> bool:
        """Say whether a player's score is void, disqualified or wiped."""
        return self.void or who in self.voided or who in self.disqualified or who in self.wiped


@dataclass(slots=True, kw_only=True)
class Game:
    """One recorded game. `scores` are the machine scores as corrected, `noted` says that roll-overs or rings
    come to them, `charged` are those who used an entry on it.
    """

    id: str
    entry: int
    played: Played
    machine: "MachineState"
    kind: str
    scores: Mapping[str, int]
    noted: bool = False
    who: tuple[str, ...] = ()
    division: str = ""
    stage: "Stage | None" = None
    key: Key = ()
    gone: bool = False
    charged: tuple[str, ...] = ()
    said: Said | None = None

    @property
    def is_void(self) -> bool:
        """Say whether the whole game was taken out."""
        return self.said is not None and self.said.void

    def about(self) -> Said:
        """Give the place for what officials say."""
        if self.said is None:
            self.said = Said()
        return self.said


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """One change of a player's account other than by a game: entries of a pool, a fee, and the log entry that did it.

    `what`: registration, purchase, free-entry, given-up, lapsed.
    """

    entry: int
    what: str
    pool: str = ""
    entries: int = 0
    fee: int = 0


@dataclass(slots=True, kw_only=True)
class PlayerState:
    """One player: division, money, entries by pool (a division, or "" where there is one pool), conduct.

    `bookings` say where fees and entries come from; entries that games used are those of `Game.charged`. `tried` are
    all machines on which an attempt was ever taken, whatever became of it. By the code of conduct (CC5): how many
    offences (`misconduct`), the entry that suspended him, whether his scores are `wiped`, which matches he has
    `forfeited` by which entry, and games of third offences whose match a later ruling tells (`unplaced`).
    """

    head: Player
    division: str | None
    registered: bool = False
    fees: int = 0
    entries: dict[str, int] = field(default_factory=dict)
    bookings: list[Booking] = field(default_factory=list)
    attempts: dict[str, list[Game]] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    makeups: dict[str, Game] = field(default_factory=dict)
    offences: dict[str, int] = field(default_factory=dict)
    owes_first_in: str | None = None
    barred_noted: bool = False
    ejected: bool = False
    out_of: set[str] = field(default_factory=set)
    misconduct: int = 0
    suspended: int = 0
    wiped: bool = False
    forfeited: dict[tuple[str, ...], int] = field(default_factory=dict)
    unplaced: dict[str, int] = field(default_factory=dict)

    def is_out(self, division: str) -> bool:
        """Say whether officials have put the player out, altogether or of this division."""
        return self.ejected or division in self.out_of


@dataclass(slots=True, kw_only=True)
class MachineState:
    """One machine: which division it serves, how it is, when it was down, what became of its scores.

    `number` is its place in the bank of presets that number their machines, 0 for the others and for spares.
    """

    head: Machine
    division: str | None
    status: str = "up"
    number: int = 0
    downs: list[tuple[datetime, datetime | None]] = field(default_factory=list)
    down_entry: int = 0
    out_entry: int = 0
    down_at: datetime | None = None
    changed_at: datetime | None = None
    scores_void: bool = False


@dataclass(slots=True, kw_only=True)
class RoundBook:
    """What a first stage in rounds keeps: the games of each round, what it was drawn from when its first game counted,
    from which round to before which who was not there (None: he is not back), which round officials let begin before
    its time, and which games were changed by which entry. `draws`, `played` (with how many entries) and `surveyed`
    (after how many changes, with draws or without) keep what has been computed from the rest.
    """

    games: dict[int, list[Game]] = field(default_factory=dict)
    drawn: dict[int, "Question"] = field(default_factory=dict)
    away: dict[str, tuple[tuple[int, int | None], ...]] = field(default_factory=dict)
    begin: int = 0
    changed: list[tuple[int, str]] = field(default_factory=list)
    draws: dict[int, "Drawn"] = field(default_factory=dict)
    played: dict[int, tuple[int, list["GroupGame"]]] = field(default_factory=dict)
    surveyed: tuple[int, bool, "Survey"] | None = None


@dataclass(slots=True, kw_only=True)
class Stage:
    """One stage of one division. `seeds` (and `seats`, where they are more than the seeds) are frozen when its first
    game counts, or as officials set the field (`fielded`). `machines` are those that officials named for it, `bank`
    those that were there when it began. `shut`, `instead`, `cancelled` and `rescaled` say what became of machines in
    this stage (U3): no more games, who serves instead, no scores, scores that count on another machine times a factor.
    `draws` are orders that officials drew, with the number of the entry; `pairings` by round and `posted` groups are
    theirs where they replace what the rules propose. `chosen` are choices of machine and order by round (T11).
    `known` keeps the matches of a bracket as computed from the rest.
    """

    id: str
    name: str
    division: str
    form: StageForm | None = None
    closed: bool = False
    closed_at: datetime | None = None
    closed_entry: int = 0
    qualifiers: int | None = None
    games: list[Game] = field(default_factory=list)
    tiebreaks: list[Game] = field(default_factory=list)
    game_ties: dict[Key, list[Game]] = field(default_factory=dict)
    seeds: tuple[str, ...] | None = None
    fielded: tuple[str, ...] | None = None
    seats: tuple[str | None, ...] | None = None
    absent: dict[str, int] = field(default_factory=dict)
    stand_ins: dict[str, str] = field(default_factory=dict)
    machines: tuple[str, ...] = ()
    bank: tuple[str, ...] = ()
    shut: set[str] = field(default_factory=set)
    shut_entry: int = 0
    instead: dict[str, str] = field(default_factory=dict)
    cancelled: set[str] = field(default_factory=set)
    rescaled: dict[str, tuple[Decimal, str]] = field(default_factory=dict)
    draws: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    pairings: dict[int, tuple[Pairing, ...]] = field(default_factory=dict)
    posted: tuple[tuple[str, ...], ...] = ()
    chosen: dict[int, list[tuple[int, Command]]] = field(default_factory=dict)
    wanted: int | None = None
    touched: int = 0
    book: RoundBook = field(default_factory=RoundBook)
    known: "Known | None" = None


@dataclass(slots=True, kw_only=True)
class Division:
    """A division with its stages in order; a preset without divisions has one, named ""."""

    name: str
    skill: bool
    qualifying: Stage
    stages: dict[str, Stage]
    attempts: list[Game] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Something that an official has to see."""

    entry: int
    kind: str
    why: str
    who: str | None = None


Told = tuple[tuple[int, str, str], dict[str, object]]
"""What orders a flag in the output, and the flag as the output has it."""


@dataclass(slots=True, kw_only=True)
class State:
    """The whole. `named` are the games that some ruling names, `known` all games that the log records anywhere.

    `walks` says how often the log was walked until the rulings agreed with the games, `chains`, `tables` and
    `told` (flags in order) keep what has been computed from the rest.
    """

    head: Head
    settings: Settings
    named: frozenset[str]
    known: frozenset[str]
    players: dict[str, PlayerState]
    machines: dict[str, MachineState]
    divisions: dict[str, Division]
    stages: dict[str, Stage]
    teams: dict[str, TeamState] = field(default_factory=dict)
    matches: dict[str, Match] = field(default_factory=dict)
    games: dict[str, Game] = field(default_factory=dict)
    given_up: set[str] = field(default_factory=set)
    places_taken: dict[str, int] = field(default_factory=dict)
    first_game_at: datetime | None = None
    first_entry_at: datetime | None = None
    last_at: datetime | None = None
    refused: list[tuple[int, str]] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    changes: int = 0
    walks: int = 1
    chains: dict[str, tuple[int, list["StageResult"]]] = field(default_factory=dict)
    tables: dict[str, "Kept"] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)

    def flag(self, entry: int, kind: str, why: str, who: str | None = None) -> None:
        """Note something for an official."""
        self.flags.append(Flag(entry=entry, kind=kind, why=why, who=who))
