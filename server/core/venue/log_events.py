"""What happened to a tournament: its head, its log, who left, which stage was called official.

Data only, as in `events`. The invariant: fields are only ever added, with a default, never renamed.
"""

from dataclasses import dataclass

from server.core.venue.codec import event
from server.core.venue.values import Json


@event("tournament.opened")
@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened:
    """A tournament with its head: the tournament file without its log. `kept`: another one goes on running."""

    tournament: str
    head: Json
    kept: bool = False


@event("tournament.players")
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersAdded:
    """People added to the head's `players`."""

    tournament: str
    players: tuple[Json, ...]


@event("tournament.machines")
@dataclass(frozen=True, slots=True, kw_only=True)
class MachinesAdded:
    """Machines added to the head's `machines`."""

    tournament: str
    machines: tuple[Json, ...]


@event("tournament.teams")
@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsAdded:
    """Teams added to the head's `teams`, or instead of those of the same id, which had no roster."""

    tournament: str
    teams: tuple[Json, ...]


@event("tournament.withdrawn")
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerWithdrawn:
    """A player plays no more; his results stay. `entry` is the log entry that tells the rules."""

    tournament: str
    player: str
    why: str
    entry: int


@event("tournament.returned")
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReturned:
    """A player who had withdrawn plays again."""

    tournament: str
    player: str
    why: str


@event("tournament.head")
@dataclass(frozen=True, slots=True, kw_only=True)
class HeadChanged:
    """Settings, names or facts of a head have changed: `before` and `after` hold what changed, rows whole."""

    tournament: str
    before: Json
    after: Json
    why: str


@event("tournament.entered")
@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialEntered:
    """Somebody of the staff is this player himself, and recused from rulings in his division; None: he is nobody."""

    tournament: str
    user: str
    player: str | None = None


@event("tournament.settled")
@dataclass(frozen=True, slots=True, kw_only=True)
class StageSettled:
    """An official calls a closed stage official although something is open (`open`) that might change it."""

    tournament: str
    stage: str
    why: str
    open: tuple[str, ...] = ()


@event("tournament.entry")
@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRecorded:
    """One entry of the tournament's log, exactly as the tournament file has it.

    `number` counts the tournament's entries from 1. `capture` is the captured game it posts. The entries in
    `replaces` no longer count while this one does; this one then stands in the place of the first of them.
    `despite` is the rules' objection that an official overrode, or with which a late game is kept. `open` is what was
    open when an official closed a stage all the same. `recused` is the player that the author is himself, where he
    ruled on his own division all the same. An entry that `follows` another is undone and restored with it.
    """

    tournament: str
    number: int
    entry: Json
    capture: str | None = None
    replaces: tuple[int, ...] = ()
    why: str | None = None
    despite: str | None = None
    open: tuple[str, ...] = ()
    follows: int | None = None
    recused: str | None = None


@event("tournament.undone")
@dataclass(frozen=True, slots=True, kw_only=True)
class EntryUndone:
    """An entry no longer counts, and what it replaced counts again."""

    tournament: str
    number: int
    why: str


@event("tournament.restored")
@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRestored:
    """An undone entry counts again."""

    tournament: str
    number: int
    why: str
