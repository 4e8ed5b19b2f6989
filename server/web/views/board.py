"""What the audience sees: standings as the rules give them, machine tops, last results, who plays where.

Ranks and points come from `server.core.rules.evaluate` and are shown as they are. The one invariant: a result that an
official has not decided yet stands apart and moves nobody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.core import rules
from server.core.venue.state import Game, State, Tournament
from server.web.views.explain import group_title, record_of, tables_of
from server.web.views.names import in_order, machine_name, people, person_name, stage_name, tournament_of
from server.web.views.scene import Scene, copied

ROWS = 12
"""Standings rows on one page of the projector: readable from ten metres."""
RECENT = 300
"""Captured games looked at for the newest results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the standings. `cut` marks the last one above the line; `tied` shares its rank."""

    rank: int
    who: str
    name: str
    points: int | None
    score: int | None
    machines: int
    tied: bool
    through: bool
    cut: bool
    pending: bool
    record: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage's standings in pages of `ROWS`."""

    id: str
    name: str
    open: bool
    pages: tuple[tuple[Row, ...], ...]
    playoffs: tuple[str, ...]
    by_score: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A captured score: `score` is None while it is being checked."""

    machine: str
    name: str
    score: int | None
    at: int | None
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """What later entries of the log say about a game."""

    scores: Mapping[str, Any] = field(default_factory=dict)
    ruled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """The best score on a machine."""

    machine: str
    name: str
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The whole board."""

    title: str
    stages: tuple[Stage, ...]
    tops: tuple[tuple[Top, ...], ...]
    last: tuple[Result, ...]
    provisional: int


def board(scene: Scene, standings: Mapping[str, Any] | None) -> Board:
    """The board of the running tournament; without one it says so. `standings` is the rules' output."""
    tournament = scene.tournament
    if tournament is None or standings is None:
        return Board(title="No tournament is running", stages=(), tops=(), last=results(scene, 8), provisional=0)
    pending = _pending(scene.state, tournament.id)
    size = field_size(standings)
    found = (table for stage in standings.get("stages") or () for table in tables_of(stage) if table.get("standings"))
    stages = [_stage(tournament, stage, pending, size) for stage in found]
    tops = _tops(scene.state, tournament, standings.get("stages") or ())
    return Board(
        title=tournament.name,
        stages=tuple(stages),
        tops=tuple(tuple(tops[first : first + ROWS]) for first in range(0, len(tops), ROWS)),
        last=results(scene, 8),
        provisional=len(pending),
    )


def results(scene: Scene, count: int) -> tuple[Result, ...]:
    """The newest scores, newest first; those that wait for an official have no number yet."""
    amended = _amended(scene.state)
    found: list[Result] = []
    recent = [game for game in copied(scene.state.games)[-RECENT:] if game.status in {"posted", "waiting", "unmatched"}]
    for game in sorted(recent, key=lambda game: game.ended or 0, reverse=True):
        found += _results_of(scene, game, amended)
        if len(found) >= count:
            break
    return tuple(found[:count])


def _results_of(scene: Scene, game: Game, amended: Mapping[tuple[str, str], Amended]) -> list[Result]:
    machine = machine_name(scene.state, game.machine)
    tournament = tournament_of(game)
    found = []
    for who, score in _counted(scene.state, game, amended):
        name = person_name(scene.state, tournament, who) if who is not None else "Nobody assigned"
        found.append(Result(machine=machine, name=name, score=score, at=game.ended, status=game.status))
    return found


def _counted(
    state: State, game: Game, amended: Mapping[tuple[str, str], Amended]
) -> list[tuple[str | None, int | None]]:
    """Who has which score in the game: the log's numbers, corrections included; None where rulings compose them."""
    tournament = tournament_of(game)
    entry = state.entries.get((tournament, game.entry)) if tournament is not None and game.entry is not None else None
    scores = entry.entry.get("scores") if entry is not None else None
    if game.status == "posted" and entry is not None and tournament is not None and isinstance(scores, Mapping):
        later = amended.get((tournament, str(entry.entry.get("game"))), Amended())
        found = {**scores, **later.scores}
        return [(str(who), None if later.ruled or type(score) is not int else score) for who, score in found.items()]
    return [(game.players[slot.player - 1] if slot.player <= len(game.players) else None, None) for slot in game.scores]


def _amended(state: State) -> dict[tuple[str, str], Amended]:
    """What was done later to the games of the logs: corrected scores, and whether a void or a ruling touches them."""
    found: dict[tuple[str, str], Amended] = {}
    for (tournament, _), entry in list(state.entries.items()):
        kind = next(iter(entry.entry), "")
        if kind in {"correct", "void", "ruling"} and state.counts(entry, tournament):
            game = (tournament, str(entry.entry[kind]))
            before = found.get(game, Amended())
            scores = entry.entry.get("scores") if kind == "correct" else None
            found[game] = Amended(scores={**before.scores, **(scores or {})}, ruled=before.ruled or kind != "correct")
    return found


def _pending(state: State, tournament: str) -> frozenset[str]:
    waiting = [game for game in copied(state.games) if game.status == "waiting" and tournament_of(game) == tournament]
    return frozenset(who for game in waiting for who in game.players if who is not None)


def field_size(standings: Mapping[str, Any]) -> int | None:
    """How many go on from qualifying by the tournament's own rules or its preset's; None where they do not say."""
    own = (standings.get("rules") or {}).get("qualifiers")
    preset = rules.PRESETS.get(str(standings.get("preset")))
    size = own if own is not None else (preset.settings.get("qualifiers") if preset is not None else None)
    return size if type(size) is int else None


def _stage(tournament: Tournament, stage: Mapping[str, Any], pending: frozenset[str], size: int | None) -> Stage:
    names = people(tournament)
    rows: Sequence[Mapping[str, Any]] = stage["standings"]
    shared = _shared_ranks(rows)
    through = _through(stage, rows, size)
    last = max((number for number, row in enumerate(rows) if row["who"] in through), default=None)
    found = [
        Row(
            rank=row["rank"],
            who=row["who"],
            name=names.get(row["who"], row["who"]),
            points=row.get("points"),
            score=row.get("score"),
            machines=len(row.get("machines") or ()),
            tied=row["rank"] in shared,
            through=row["who"] in through,
            cut=number == last and number + 1 < len(rows),
            pending=row["who"] in pending,
            record=record_of(row),
        )
        for number, row in enumerate(rows)
    ]
    return Stage(
        id=str(stage["id"]),
        name=stage_name(str(stage["id"])) + group_title(stage),
        open=not stage.get("official", stage.get("status") != "open"),
        pages=tuple(tuple(found[first : first + ROWS]) for first in range(0, len(found), ROWS)),
        playoffs=tuple(_playoff(tie, names) for tie in stage.get("tiebreaks") or ()),
        by_score=all(row.get("points") is None for row in rows),
    )


def _through(stage: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], size: int | None) -> frozenset[str]:
    """Who goes on: as the rules have settled it; while qualifying is open, who would if it closed now.

    A tie across the cut is above the line as a whole: its `=` says that the place is not anybody's yet.
    """
    settled = frozenset(who for who in stage.get("advance") or () if isinstance(who, str))
    first = str(stage["id"]).endswith(("qualifying", "season"))
    if settled or stage.get("status") != "open" or size is None or not first:
        return settled
    return frozenset(row["who"] for row in rows if row["rank"] <= size)


def _shared_ranks(rows: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    ranks = [row["rank"] for row in rows]
    return frozenset(rank for rank in ranks if ranks.count(rank) > 1)


def _playoff(tie: Mapping[str, Any], names: Mapping[str, str]) -> str:
    who = ", ".join(names.get(player, player) for player in tie.get("who") or ())
    reason = {"cut": "for the cut", "seed": "for seeding", "place": "for places", "machine": "on a machine"}
    return f"Play-off {reason.get(str(tie.get('reason')), '')}: {who}"


def _tops(state: State, tournament: Tournament, stages: Sequence[Mapping[str, Any]]) -> list[Top]:
    """The best official score on each machine, as the rules' output has it."""
    best: dict[str, tuple[int, str]] = {}
    for row in (row for stage in stages for row in stage.get("standings") or ()):
        for result in row.get("machines") or ():
            score, machine = result.get("score"), str(result.get("machine"))
            if type(score) is int and score > best.get(machine, (-1, ""))[0]:
                best[machine] = (score, str(row["who"]))
    names = people(tournament)
    tops = [
        Top(machine=machine_name(state, machine), name=names.get(who, who), score=score)
        for machine, (score, who) in best.items()
    ]
    return sorted(tops, key=lambda top: in_order(top.machine))
