"""The things of the venue: machines, captured games, readings, malfunctions. Data only; tournaments are in `records`.

Each thing is frozen and is replaced whole (by `tables.changed`, which is why they have no slots). `version` counts the
changes of a thing, `positions` are the ledger positions that made it what it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from server.core.venue.codec import build
from server.core.venue.events import FactTaken
from server.core.venue.values import Json, Place, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Who is to play on a machine, in order of play, and where the game will count."""

    id: str
    place: Place
    players: tuple[str, ...]
    at: int
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenure:
    """How long an assignment held a machine, and the game that used it up. `until` is None while it lasts."""

    assignment: Assignment
    until: int | None = None
    game: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiter:
    """A player in the line for a machine; `called` is when the call was made."""

    tournament: str
    player: str
    since: int
    called: int | None = None


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine of the venue. `game` runs now; `condition` is up, down, disabled, replaced or closed."""

    id: str
    name: str
    version: int = 0
    agent: str | None = None
    attached: bool | None = None
    port: str | None = None
    assignment: Assignment | None = None
    tenures: tuple[Tenure, ...] = ()
    game: str | None = None
    last_game: str | None = None
    since: int | None = None
    condition: str = "up"
    queue: tuple[Waiter, ...] = ()
    open: tuple[str, ...] = ()
    max_score: int | None = None
    quantum: int | None = None
    posted: int = 0
    top: int | None = None
    planned: tuple[int, int] | None = None
    """From when until when its power may go and come, as the desk announced."""

    def planned_at(self, when: int) -> int | None:
        """Until when a power cycle is announced, if one is at this time."""
        return self.planned[1] if self.planned is not None and self.planned[0] <= when < self.planned[1] else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BallScores:
    """The scores when a turn was over, the bonus counted: what a compensation ball or a ruling needs."""

    player: int | None
    ball: int | None
    scores: tuple[Score, ...]
    at: int
    position: int
    why: str | None = None
    evidence: str | None = None
    frames: tuple[tuple[int, str], ...] = ()
    """Pictures of the seconds before: milliseconds before it, and the evidence, oldest first."""
    recording: str | None = None


@dataclass(frozen=True, kw_only=True)
class Game:
    """A captured game with its whole life.

    `status`: running, ended (in the act of being decided), unmatched, waiting, posted, discarded. `ending` is the
    agent's `how`: normal, slam-tilt, ended-early, link-lost, reset, …; `aborted` tells the two apart. `players` are
    the people by slot; `late` says that they were assigned or taken off before the game was heard of. `entry` is the
    number of the tournament entry that posts it, `against` what the rules have against that one: it is kept there and
    does not count. `started_within` and `ended_within` are how uncertain the times are, in ms either way.
    """

    id: str
    machine: str
    agent: str
    status: str = "running"
    version: int = 1
    started: int | None = None
    started_certain: bool = True
    started_within: int = 0
    ended: int | None = None
    ended_certain: bool = True
    ended_within: int = 0
    joined_late: bool = False
    slots: int | None = None
    player: int | None = None
    ball: int | None = None
    said: tuple[Json, ...] = ()
    ending: str | None = None
    aborted: bool = False
    balls_played: int | None = None
    rollovers: int = 0
    source: str | None = None
    evidence: str | None = None
    place: Place | None = None
    players: tuple[str | None, ...] = ()
    assignment: Assignment | None = None
    late: bool = False
    ball_facts: tuple[tuple[int, FactTaken], ...] = ()
    frozen_facts: tuple[tuple[int, FactTaken], ...] = ()
    reads: tuple[Json, ...] = ()
    readings: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    entry: int | None = None
    against: str | None = None
    decided_by: str | None = None
    decided_at: int | None = None
    positions: tuple[int, ...] = ()

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores as last said, in order of the slots: those of the end, once there is one."""
        return scores_of(self.said)

    @property
    def turns(self) -> tuple[BallScores, ...]:
        """The scores after each turn."""
        return tuple(_kept(position, fact) for position, fact in self.ball_facts)

    @property
    def frozen(self) -> tuple[BallScores, ...]:
        """The scores that were frozen at malfunctions or on the desk's command."""
        return tuple(_kept(position, fact) for position, fact in self.frozen_facts)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A score that waited or waits for eyes. `status`: waiting, confirmed, corrected, rejected, settled."""

    id: str
    game: str
    machine: str
    player: int
    who: str | None
    proposed: int | None
    score: int | None = None
    text: str | None = None
    candidates: tuple[int, ...] = ()
    confidence: float = 1.0
    evidence: str | None = None
    why: tuple[str, ...] = ()
    status: str = "waiting"
    version: int = 1
    since: int = 0
    decided_by: str | None = None
    decided_at: int | None = None
    decided_why: str | None = None
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Malfunction:
    """A malfunction signal or desk alarm with the scores that stood then."""

    id: str
    fault: str
    source: str
    machine: str | None
    agent: str | None
    game: str | None
    player: int | None
    ball: int | None
    scores: tuple[Score, ...]
    evidence: str | None
    detail: str | None
    since: int
    open: bool = True
    closed: int | None = None
    closed_why: str | None = None
    acknowledged_by: str | None = None
    acknowledged_at: int | None = None
    note: str | None = None
    version: int = 1
    positions: tuple[int, ...] = ()
    noted_until: int | None = None  # an announced power cycle explains it until then
    closed_by: str | None = None

    def raised(self, now: int) -> bool:
        """Whether it is open and calls somebody."""
        return self.open and (self.noted_until is None or now >= self.noted_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What came of a command, kept under its idempotency key."""

    position: int
    who: str
    request: str | None
    result: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """An entry that could not be understood, or entries that are lost: shown at the desk."""

    position: int
    at: int
    agent: str
    kind: str
    text: str


def scores_of(said: Iterable[Json]) -> tuple[Score, ...]:
    """Scores as a fact's body has them, in order of the slots."""
    return tuple(sorted((build(Score, score) for score in said), key=lambda score: score.player))


def _kept(position: int, fact: FactTaken) -> BallScores:
    body = fact.body
    return BallScores(
        player=body.get("player"),
        ball=body.get("ball"),
        scores=scores_of(body.get("scores") or ()),
        at=fact.when,
        position=position,
        why=body.get("why"),
        evidence=body.get("evidence"),
        frames=tuple((frame["ago_ms"], frame["evidence"]) for frame in body.get("frames") or ()),
        recording=body.get("recording"),
    )
