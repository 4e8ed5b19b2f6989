"""What a stage has come to: its rows, who goes on, which ties are open. Shared by qualifying and finals.

Invariant: `advance` holds only who is through for certain, in order of seed.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.core.rules.presets import StageForm
from server.core.rules.state import Flag, Stage
from server.core.rules.ties import Order, Tie

if TYPE_CHECKING:
    from server.core.rules.knockout_matches import Bout


@dataclass(slots=True, kw_only=True)
class OpenTie:
    """A tie to be played off, with the sizes of its games, and the game that it is in, if it is in one.

    `draw`: no game is needed, a drawn order is enough (P5).
    """

    tie: Tie
    sizes: list[int]
    group: str | None = None
    machine: str | None = None
    game: str | None = None
    draw: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledGame:
    """A game that is to be played, or was (`game`): in which round, by whom, and where it is known on what machine."""

    round: int
    who: tuple[str, ...]
    machine: str | None = None
    group: str | None = None
    game: str | None = None


@dataclass(slots=True, kw_only=True)
class GroupResult:
    """The table of one group."""

    id: str
    who: tuple[str, ...]
    rows: list[dict[str, object]]


@dataclass(slots=True, kw_only=True)
class StageResult:
    """One stage as it stands. `settled`: over, and nothing left to be played off, so that the next can begin.

    `seeds` are those whom the stage before sent, `players` those who may play (stand-ins instead of who is absent),
    `rest` those of them who do not go on; `seats` are the seats of the next stage where some stay empty.
    `cut` is how many go on, where that is one number. `complete`: nothing is left to be played, so that no close is
    needed. `tables` are rankings of single machines.
    `places` are final places, where a kind of stage gives them itself, else None; `unranked` are rows of those who
    cannot be ranked yet; `bouts` are the matches of a bracket.
    """

    stage: Stage
    rows: list[dict[str, object]]
    ranks: dict[str, int]
    ties: list[OpenTie] = field(default_factory=list)
    advance: tuple[str, ...] = ()
    settled: bool = False
    groups: list[GroupResult] | None = None
    following: tuple[Stage, ...] = ()
    flags: list[Flag] = field(default_factory=list)
    seeds: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    seats: tuple[str | None, ...] = ()
    cut: int = 0
    complete: bool = False
    schedule: list[ScheduledGame] | None = None
    unscheduled: str | None = None
    tables: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    places: dict[str, int] | None = None
    unranked: list[dict[str, object]] = field(default_factory=list)
    bouts: Mapping[str, "Bout"] = field(default_factory=dict)


def field_from(stage: Stage, form: StageForm, source: StageResult) -> tuple[str, ...]:
    """Give who plays in a stage in order of seed: as frozen by its first game, else as the stage before sends them."""
    if stage.seeds is not None:
        return stage.seeds
    return source.rest if form.takes == "rest" else source.advance


def how_many(stage: Stage, *known: int | None) -> int:
    """Give how many go on from a stage: as its close said, else as officials decided before, else what is known."""
    return next((number for number in (stage.qualifiers, stage.wanted, *known) if number is not None), 0)


def first_rung(stages: Sequence[Stage], size: int) -> Stage | None:
    """Give the first stage of a ladder that has a row for a field of that size (P6); where none has, the first of all.

    One that has begun stays it.
    """
    begun = next((stage for stage in stages if stage.seeds is not None), None)
    if begun is not None:
        return begun
    fitting = (stage for stage in stages if stage.form is not None and size in stage.form.rows)
    return next(fitting, next(iter(stages), None))


def going_on(order: Order, cut: int, skip: AbstractSet[str]) -> list[str]:
    """Give who is through: within the cut and in no open tie (C4.9); who is in `skip` is passed over (T8.1)."""
    tied = {who for tie in order.ties for who in tie.who}
    through: list[str] = []
    before = 0
    for group in order.groups:
        playing = [who for who in group if who not in skip]
        if before + len(playing) <= cut:
            through += [who for who in playing if who not in tied]
        before += len(playing)
    return through
