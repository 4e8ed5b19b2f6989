"""Tournaments with their logs, and what is known of the people in them. Data only.

Frozen and replaced whole, as in `things`. The invariant: an entry that was recorded stays; what was done to it since
stands beside it.
"""

from dataclasses import dataclass

from server.core.venue.values import Json


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One entry of a tournament's log with what was done to it since.

    `origin` is its place in the log's order, `version` the tournament's version of its last change.
    `open` is what was open when an official closed a stage all the same; `follows` is the entry with which this one
    stands and falls. `recused` is the player that its author is himself, where he ruled on his own division.
    """

    number: int
    entry: Json
    at: int
    who: str
    position: int
    origin: int
    version: int
    capture: str | None = None
    replaces: tuple[int, ...] = ()
    replaced_by: int | None = None
    undone: bool = False
    why: str | None = None
    despite: str | None = None
    open: tuple[str, ...] = ()
    follows: int | None = None
    recused: str | None = None
    changed_by: str | None = None
    changed_at: int | None = None
    changed_why: str | None = None
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament: its head (the file without the log), how many entries it has, and its version.

    `members` are its teams and everybody who is or was on a roster.
    `disturbed` is the version of the last change other than an entry at the end: what a cache must not build over.
    """

    id: str
    name: str
    head: Json
    version: int = 1
    entries: int = 0
    games: int = 0
    disturbed: int = 1
    players: tuple[str, ...] = ()
    members: frozenset[str] = frozenset()
    machines: tuple[str, ...] = ()
    opened: int = 0
    opened_by: str = ""
    changed: int = 0
    changed_by: str = ""
    positions: tuple[int, ...] = ()

    def knows(self, who: str) -> bool:
        """Whether somebody, or a team, may be in a result here; for which team on which day, the rules say."""
        return who in self.players or who in self.members


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """A player who is not drawn, called or assigned any more; `entry` is the log entry that says so to the rules."""

    player: str
    why: str
    by: str
    at: int
    position: int
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """From when until when (ms since 1970 UTC, None where not said) a player was in the game that an entry records."""

    number: int
    start: int | None = None
    end: int | None = None
