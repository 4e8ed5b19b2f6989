"""What has happened at the venue: every event of the ledger, frozen, with its kind and its JSON body.

An event says what is the case from now on; who did it, when, and under which idempotency key stand beside it in
`filing.Happened`. Nothing here decides. The invariant: fields are only ever added, with a default, never renamed.
"""

from dataclasses import dataclass, field

from server.core.venue.codec import event
from server.core.venue.import_events import EntriesImported
from server.core.venue.log_events import (
    EntryRecorded,
    EntryRestored,
    EntryUndone,
    HeadChanged,
    MachinesAdded,
    OfficialEntered,
    PlayerReturned,
    PlayersAdded,
    PlayerWithdrawn,
    StageSettled,
    TeamsAdded,
    TournamentOpened,
)
from server.core.venue.malfunction_events import (
    MalfunctionAcknowledged,
    MalfunctionClosed,
    MalfunctionNoted,
    MalfunctionOpened,
    PowerCyclePlanned,
)
from server.core.venue.values import Json, Place

__all__ = [
    "EntriesImported",
    "EntryRecorded",
    "EntryRestored",
    "EntryUndone",
    "HeadChanged",
    "MachinesAdded",
    "MalfunctionAcknowledged",
    "MalfunctionClosed",
    "MalfunctionNoted",
    "MalfunctionOpened",
    "OfficialEntered",
    "PlayerReturned",
    "PlayerWithdrawn",
    "PlayersAdded",
    "PowerCyclePlanned",
    "StageSettled",
    "TeamsAdded",
    "TournamentOpened",
]


@dataclass(frozen=True, kw_only=True)
class FactTaken:
    """A fact of an agent, as it came, with the server's time for it. Its kind is `fact.` and the fact's own kind.

    `when` is milliseconds since 1970 UTC by the server's clock, true to `uncertain` ms either way; `certain` is False
    where the agent's clock could not be converted and `when` is the time of receipt: then, or at any time before.
    """

    fact: str
    agent: str
    machine: str | None
    entry: str
    stream: str
    seq: int
    boot: str
    mono_ms: int
    when: int
    certain: bool = True
    body: Json = field(default_factory=dict)
    uncertain: int = 0


@event("fact.quarantined")
@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuarantined:
    """An entry that this server cannot understand: acknowledged, kept raw, shown at the desk."""

    agent: str
    stream: str
    seq: int
    why: str
    raw: str


@event("stream.gap")
@dataclass(frozen=True, slots=True, kw_only=True)
class StreamGap:
    """Entries of an agent that are lost for ever: `first` to `through`."""

    agent: str
    stream: str
    first: int
    through: int


@event("game.matched")
@dataclass(frozen=True, slots=True, kw_only=True)
class GameMatched:
    """The players of a captured game by slot (None: nobody of this tournament) and where it counts.

    `started`, where it is given, is when an official says that it began (ms since 1970 UTC).
    """

    game: str
    place: Place
    players: tuple[str | None, ...]
    assignment: str | None = None
    why: str | None = None
    started: int | None = None


@event("game.unmatched")
@dataclass(frozen=True, slots=True, kw_only=True)
class GameUnmatched:
    """A game is over and nobody was assigned: kept and shown until somebody matches or discards it."""

    game: str
    why: str


@event("game.held")
@dataclass(frozen=True, slots=True, kw_only=True)
class GameHeld:
    """A matched game that does not count by itself: an official decides. `why` are reasons for people."""

    game: str
    why: tuple[str, ...]


@event("game.noted")
@dataclass(frozen=True, slots=True, kw_only=True)
class GameNoted:
    """Something that an official should know when this running game is over: its scores then wait for him."""

    game: str
    why: str


@event("game.discarded")
@dataclass(frozen=True, slots=True, kw_only=True)
class GameDiscarded:
    """Somebody decided that this captured game is no result of anybody; it stays in the ledger."""

    game: str
    why: str
    before: str


@event("reading.opened")
@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOpened:
    """A score that waits for an official's eyes. `proposed` is None where digits are unknown."""

    reading: str
    game: str
    player: int
    machine: str
    who: str | None
    proposed: int | None
    text: str | None = None
    candidates: tuple[int, ...] = ()
    confidence: float = 1.0
    evidence: str | None = None
    why: tuple[str, ...] = ()


@event("reading.decided")
@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingDecided:
    """`decision`: confirmed, corrected, rejected, or settled (its game was discarded or matched anew)."""

    reading: str
    decision: str
    before: int | None
    after: int | None
    why: str | None = None


@event("machine.assigned")
@dataclass(frozen=True, slots=True, kw_only=True)
class MachineAssigned:
    """These players, in order of play, are to play on this machine now."""

    machine: str
    assignment: str
    place: Place
    players: tuple[str, ...]


@event("machine.unassigned")
@dataclass(frozen=True, slots=True, kw_only=True)
class MachineUnassigned:
    """The assignment is over without a game of its own."""

    machine: str
    assignment: str
    why: str | None = None


@event("machine.freeze")
@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeAsked:
    """Somebody asked the machine's agent to keep the scores as they stand."""

    machine: str
    agent: str
    why: str | None = None


@event("queue.joined")
@dataclass(frozen=True, slots=True, kw_only=True)
class QueueJoined:
    """A player stands in line for a machine."""

    machine: str
    tournament: str
    player: str


@event("queue.called")
@dataclass(frozen=True, slots=True, kw_only=True)
class QueueCalled:
    """A player was called to the machine; the clock of the call starts now."""

    machine: str
    tournament: str
    player: str


@event("queue.left")
@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLeft:
    """A player no longer stands in line."""

    machine: str
    tournament: str
    player: str
    why: str | None = None


Event = (
    FactTaken | FactQuarantined | StreamGap
    | GameMatched | GameUnmatched | GameHeld | GameNoted | GameDiscarded | ReadingOpened | ReadingDecided
    | PlayerWithdrawn | PlayerReturned | StageSettled
    | TournamentOpened | PlayersAdded | MachinesAdded | TeamsAdded
    | HeadChanged | EntryRecorded | EntryUndone | EntryRestored
    | OfficialEntered
    | EntriesImported
    | MachineAssigned | MachineUnassigned | FreezeAsked | QueueJoined | QueueCalled | QueueLeft
    | MalfunctionOpened | MalfunctionNoted | MalfunctionClosed | MalfunctionAcknowledged | PowerCyclePlanned
)  # fmt: skip
