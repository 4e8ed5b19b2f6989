"""The venue's state: tables of its things by id, and what follows from several of them. Data only.

`draft` and `keep` let a transaction evolve without anybody seeing it before its commit. The invariant: everything here
came from `evolve`.
"""

from collections.abc import MutableMapping
from dataclasses import dataclass, field, fields
from typing import Any

from server.core.venue.records import LogEntry, Span, Tournament, Withdrawal
from server.core.venue.tables import Draft
from server.core.venue.things import (
    Assignment,
    BallScores,
    Deed,
    Game,
    Machine,
    Malfunction,
    Reading,
    Tenure,
    Trouble,
    Waiter,
    scores_of,
)

__all__ = [
    "Assignment",
    "BallScores",
    "Deed",
    "Game",
    "LogEntry",
    "Machine",
    "Malfunction",
    "Reading",
    "Span",
    "State",
    "Tenure",
    "Tournament",
    "Trouble",
    "Waiter",
    "Withdrawal",
    "scores_of",
]


@dataclass(slots=True)
class State:
    """Everything the desk knows. `waiting` lists what needs a person: `reading:r1`, `game:ID`, `malfunction:f2`;
    `heard` is the time of each machine's last fact. By tournament: `posted` is the entry of each game, `naming` the
    entries that speak of a game, `fixtures` the entry that set a match, `rosters` those that change rosters, `spans`
    when a player was in which game, `withdrawn` who left, `settled` the ledger position at which an official called a
    stage official although something was open, `entered` the player that somebody of the staff is himself.
    """

    position: int = 0
    at: int = 0
    current: str | None = None
    machines: MutableMapping[str, Machine] = field(default_factory=dict)
    heard: MutableMapping[str, int] = field(default_factory=dict)
    games: MutableMapping[str, Game] = field(default_factory=dict)
    readings: MutableMapping[str, Reading] = field(default_factory=dict)
    malfunctions: MutableMapping[str, Malfunction] = field(default_factory=dict)
    tournaments: MutableMapping[str, Tournament] = field(default_factory=dict)
    entries: MutableMapping[tuple[str, int], LogEntry] = field(default_factory=dict)
    posted: MutableMapping[tuple[str, str], int] = field(default_factory=dict)
    naming: MutableMapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    fixtures: MutableMapping[tuple[str, str], int] = field(default_factory=dict)
    rosters: MutableMapping[str, tuple[int, ...]] = field(default_factory=dict)
    spans: MutableMapping[tuple[str, str], tuple[Span, ...]] = field(default_factory=dict)
    withdrawn: MutableMapping[tuple[str, str], Withdrawal] = field(default_factory=dict)
    settled: MutableMapping[tuple[str, str], int] = field(default_factory=dict)
    entered: MutableMapping[tuple[str, str], str] = field(default_factory=dict)
    assigned: MutableMapping[tuple[str, str], str] = field(default_factory=dict)
    waiting: MutableMapping[str, int] = field(default_factory=dict)
    troubled: MutableMapping[str, tuple[str, ...]] = field(default_factory=dict)
    deeds: MutableMapping[str, Deed] = field(default_factory=dict)
    troubles: MutableMapping[int, Trouble] = field(default_factory=dict)

    def draft(self) -> "State":
        """A state on top of this one: what evolves in it is not seen here until `keep`."""
        tables: dict[str, Any] = {name: Draft(getattr(self, name)) for name in _TABLES}
        return State(position=self.position, at=self.at, current=self.current, **tables)

    def keep(self, draft: "State") -> None:
        """Take over what a draft of this state holds."""
        for name in _TABLES:
            getattr(draft, name).keep()
        self.position, self.at, self.current = draft.position, draft.at, draft.current

    def log(self, tournament: str) -> list[LogEntry]:
        """Every entry of a tournament in the order of its numbers, undone and replaced ones too."""
        count = self.tournaments[tournament].entries
        return [self.entries[tournament, number] for number in range(1, count + 1)]

    def about(self, tournament: str, game: str) -> list[LogEntry]:
        """The entries that speak of a recorded game in the order of their numbers, undone and replaced ones too."""
        return [self.entries[tournament, number] for number in self.naming.get((tournament, game), ())]

    def counts(self, entry: LogEntry, tournament: str) -> bool:
        """Whether the entry is part of what the rules see: neither undone nor replaced by one that is in force.

        One that was replaced in its turn is still in force: what it replaced does not come back by that.
        """
        if entry.undone:
            return False
        return entry.replaced_by is None or self.entries[tournament, entry.replaced_by].undone

    def seen_by_rules(self, tournament: str) -> list[LogEntry]:
        """The entries that count, in the order in which the rules read them."""
        counting = [entry for entry in self.log(tournament) if self.counts(entry, tournament)]
        return sorted(counting, key=lambda entry: (entry.origin, entry.number))


_TABLES = tuple(f.name for f in fields(State) if f.name not in {"position", "at", "current"})
