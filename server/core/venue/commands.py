"""What people can want at the venue: one frozen class each. Nothing here checks or decides.

`based_on` is the version of the thing that the person saw (a machine's, game's, reading's, malfunction's, or the
tournament's); where it is given and the thing has changed since, the command meets a conflict.
"""

from dataclasses import dataclass

from server.core.venue.closing import Silence
from server.core.venue.hand_commands import EndGame, NoteBall, ReportMalfunction, RetypeGame, StartGame
from server.core.venue.head_commands import AddTeams, ChangeHead, EnterOfficial
from server.core.venue.values import Json, Place

__all__ = [
    "AddTeams", "ChangeHead", "EndGame", "EnterOfficial", "NoteBall",
    "ReportMalfunction", "RetypeGame", "StartGame",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament:
    """Open a tournament: `head` is a tournament file without its log; `id` matches `[a-z0-9-]{1,40}`."""

    id: str
    head: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTournament:
    """A whole tournament out of a file: `entries` is its log as the rules read it, `refused` what they refused of it.

    It becomes the running one where `current` says so, or where none is running.
    """

    id: str
    head: Json
    entries: tuple[Json, ...]
    refused: tuple[tuple[int, str], ...] = ()
    current: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportEntries:
    """Entries out of a table at the end of a log. The rules took them at exactly the version `based_on`."""

    tournament: str
    entries: tuple[Json, ...]
    based_on: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlayers:
    """Add people to a tournament, each as the tournament file's `players` has them.

    `same_name` says that somebody called like one who is there already is somebody else.
    """

    tournament: str
    players: tuple[Json, ...]
    same_name: bool = False
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """A player plays no more. `stage` where the rules want to know for which he is absent."""

    tournament: str
    player: str
    why: str
    stage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """A player who had withdrawn plays again."""

    tournament: str
    player: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleStage:
    """A closed stage is official although something is open. `silent` is filled in by the desk."""

    tournament: str
    stage: str
    why: str
    silent: tuple[Silence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AddMachines:
    """Add machines to a tournament, each as the tournament file's `machines` has them."""

    tournament: str
    machines: tuple[Json, ...]
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign:
    """Put players, in order of play, on a machine."""

    machine: str
    place: Place
    players: tuple[str, ...]
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unassign:
    """Take the assigned players off a machine; a game that runs is then held for an official when it ends."""

    machine: str
    why: str | None = None
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinQueue:
    """Stand in line for a machine."""

    machine: str
    tournament: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveQueue:
    """Leave the line for a machine."""

    machine: str
    tournament: str
    player: str
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlayer:
    """Call a player of the line to the machine."""

    machine: str
    tournament: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmReading:
    """The proposed score is what the picture shows. `score`, where given, must be the proposed one."""

    reading: str
    score: int | None = None
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectReading:
    """The score is this one."""

    reading: str
    score: int
    why: str | None = None
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectReading:
    """There is no score to be had from this reading: the slot counts for nobody."""

    reading: str
    why: str
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """Say whose game a captured game is: players by slot, None for a slot that is nobody's.

    `despite_rules` posts it although the rules object. `started`, where given, is when it began by an official's word
    (ms since 1970 UTC): for a game of which the desk cannot know whether that was before the close.
    """

    game: str
    place: Place
    players: tuple[str | None, ...]
    why: str | None = None
    started: int | None = None
    despite_rules: bool = False
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardGame:
    """A captured game is no result."""

    game: str
    why: str
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEntry:
    """Record one entry of the tournament file's log: a typed game, register, buy, close, correct, void, ruling …

    A `game` without an id gets one. `despite_rules` records it although the rules object, `despite_open` closes a stage
    although something is open that may change it, `despite_recusal` rules although one plays there oneself (officials).
    `silent` is filled in by the desk: agents not heard now.
    """

    tournament: str
    entry: Json
    why: str | None = None
    despite_rules: bool = False
    despite_open: bool = False
    despite_recusal: bool = False
    based_on: int | None = None
    silent: tuple[Silence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveGame:
    """A recorded game was somebody else's: the score of `who` becomes the score of `to`.

    `despite_rules` moves it although the rules would then refuse it, or something recorded later, `despite_recusal`
    although one plays there oneself.
    """

    tournament: str
    game: str
    who: str
    to: str
    why: str
    despite_rules: bool = False
    despite_recusal: bool = False
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoEntry:
    """Take an entry of the log out; what it replaced counts again, a captured game waits again."""

    tournament: str
    number: int
    why: str
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEntry:
    """Put an undone entry back in its old place."""

    tournament: str
    number: int
    why: str
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgeMalfunction:
    """I have seen it."""

    malfunction: str
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseMalfunction:
    """It is over, although no signal says so."""

    malfunction: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """Ask the machine's agent to keep the scores as they stand, with a picture."""

    machine: str
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPowerCycle:
    """These machines (all, where none is named) lose their power on purpose within so many minutes; 0 ends it."""

    machines: tuple[str, ...] = ()
    minutes: int = 5
    why: str | None = None


Command = (
    ImportTournament | ImportEntries | OpenTournament | AddPlayers | AddMachines | AddTeams | ChangeHead | EnterOfficial
    | RecordEntry | MoveGame | UndoEntry | RestoreEntry | Withdraw | Return | SettleStage
    | Assign | Unassign | JoinQueue | LeaveQueue | CallPlayer | Freeze
    | ConfirmReading | CorrectReading | RejectReading | MatchGame | DiscardGame
    | AcknowledgeMalfunction | CloseMalfunction | PlanPowerCycle
    | StartGame | NoteBall | EndGame | RetypeGame | ReportMalfunction
)  # fmt: skip
