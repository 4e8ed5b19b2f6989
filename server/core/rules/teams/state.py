"""What the fold keeps of teams and of their matches.

Only data. Invariant: what a match comes to is computed from what is kept here and from its games, never kept itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING

from server.core.rules.acts import Challenge, Forfeit, LinedUp, Penalty
from server.core.rules.teams.heads import Team

if TYPE_CHECKING:
    from server.core.rules.state import Game, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """That somebody is on a roster: from a day on (None: from the beginning), and to before another (None: still).

    `entry` is the log entry that brought him in, 0 where the head lists him. A change of role ends one and begins one.
    """

    who: str
    role: str
    entry: int = 0
    since: date | None = None
    until: date | None = None


@dataclass(slots=True, kw_only=True)
class TeamState:
    """One team: its group, who has been on its roster, whether officials have put it out (`out` is the entry).

    `place` is the id under which it sits in its group: another team's, where it came in for that one; `instead` the
    team that came in for this one.
    """

    head: Team
    group: str = ""
    roster: list[Membership] = field(default_factory=list)
    out: int = 0
    place: str | None = None
    instead: str | None = None
    offences: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineup:
    """What a team has declared for a round; `games` by slot, `entry` the log entry of each slot."""

    games: Mapping[str, LinedUp]
    entry: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An offence in a match of a league: by which team, by whom of it (None: the team), in which game or slot.

    `key` is the round and the slot, where it is known; `game` the game that it is about, once there is one.
    """

    entry: int
    offence: str
    team: str
    who: str | None = None
    game: str | None = None
    key: tuple[int, str] | None = None


@dataclass(slots=True, kw_only=True)
class Match:
    """A match of two teams. `venue` is None where it is not known, as long as nobody has named a neutral one.

    `games` are all that were taken for it, its tie-break games apart in `tiebreaks`; `lineups` by round and team;
    `barred` machines take no game of this match any more, from a moment on; `lost` are teams that officials or the
    clock put out of the match, with the entry; `penalties` are those that name it or its games. `ended` is the entry
    that ended it, or 0. `taken_over` is the entry with which one of the teams came in for another, or 0.
    Of a league: `sides` says by game for which team each of its scores counts, `given_up` which teams have forfeited a
    slot (round, slot), with the entry, `incidents` are its offences, `decided` whom officials gave a level match,
    `played_on` the last day of which a game of it is known to be,
    `challenged_at` when a challenge came, by its entry. `known` and `shown` keep what it has come to and how
    the output shows it, as computed from the rest (`matches_keeping`).
    """

    id: str
    entry: int
    at: datetime | None
    home: str
    away: str
    stage: "Stage"
    week: int | None = None
    venue: str | None = None
    tiebreak: bool = False
    games: list["Game"] = field(default_factory=list)
    tiebreaks: list["Game"] = field(default_factory=list)
    lineups: dict[tuple[int, str], Lineup] = field(default_factory=dict)
    forfeits: list[tuple[int, Forfeit]] = field(default_factory=list)
    lost: dict[str, int] = field(default_factory=dict)
    penalties: list[tuple[int, Penalty]] = field(default_factory=list)
    challenges: list[tuple[int, Challenge]] = field(default_factory=list)
    confirmed: dict[str, int] = field(default_factory=dict)
    terms: dict[str, object] = field(default_factory=dict)
    barred: dict[str, datetime | None] = field(default_factory=dict)
    sides: dict[str, Mapping[str, str]] = field(default_factory=dict)
    given_up: dict[tuple[int, str], dict[str, int]] = field(default_factory=dict)
    incidents: list[Incident] = field(default_factory=list)
    decided: str | None = None
    played_on: date | None = None
    taken_over: int = 0
    challenged_at: dict[int, datetime] = field(default_factory=dict)
    known: "Outcome | None" = None
    shown: dict[str, object] | None = None
    ended: int = 0

    @property
    def teams(self) -> tuple[str, str]:
        """The two teams, home first."""
        return self.home, self.away

    def opponent(self, team: str) -> str:
        """Give the other team."""
        return self.away if team == self.home else self.home


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a match has come to: points by team, who has won it (None: nobody, or not yet), who has lost it, and its
    drawn games.

    `status`: `scheduled` (nothing of it has happened), `open`, `final`. `level` are games without a winner because
    their scores are equal, each the id of its first recorded game; `unplayed` are rounds and slots of which nothing, or
    not everything, is played.
    """

    points: Mapping[str, int]
    winner: str | None = None
    losers: tuple[str, ...] = ()
    status: str = "open"
    level: tuple[str, ...] = ()
    unplayed: tuple[tuple[int, str], ...] = ()
