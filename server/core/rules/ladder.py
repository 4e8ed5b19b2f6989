"""Finals as a ladder: for each size of field a row says which stage it plays, in which groups, and how many go on.

Who sits in no group of a stage has a bye: he goes on without playing. Games are those of `groups`; here it is decided
who goes on from each group, and who came where. Invariant: nobody goes on, and no place is given, while a tie that can
change it is open.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from server.core.rules.finals import rows_of, same_machine_twice, surely_through, ties_within, totals_of
from server.core.rules.groups import Group, GroupGame, groups_of, play_games, rounds_of
from server.core.rules.presets import StageForm
from server.core.rules.qualifying import UNPLAYED, play_offs
from server.core.rules.ranking import classes, positions, without
from server.core.rules.results import GroupResult, OpenTie, StageResult, field_from, first_rung, going_on
from server.core.rules.state import Division, Flag, Stage, State
from server.core.rules.ties import Order, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """One group as it stands: its games, its order, who goes on for certain, and the ties within its games."""

    group: Group
    games: list[GroupGame]
    order: Order
    through: frozenset[str]
    game_ties: list[OpenTie]


def ladder_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank a stage of a ladder (P5 to P8). Standings list who plays in it; `advance` has those with byes too."""
    seeds = field_from(stage, form, source)
    groups = groups_of(stage, form, seeds)
    playing = {who for _, members in groups for who in members}
    byes = [who for who in seeds if who not in playing] if groups else []
    following = _next(state.divisions[stage.division], stage, form, groups, len(byes))
    later = {who for other in following for who in other.seeds or ()}
    out = {who for who in seeds if state.players[who].is_out(stage.division) or who in stage.absent} - later
    games = play_games(state, stage)
    tables = [_table(state, stage, form, group, games, out, last=not following) for group in groups]
    totals = totals_of([who for who in seeds if who in playing], games)
    ranked = classes(totals)
    if not following:
        ranked = [tied for table in tables for tied in table.order.groups]
    result = StageResult(stage=stage, rows=rows_of(totals, games, ranked), ranks=positions(ranked))
    result.seeds = result.players = seeds
    result.following = following
    result.ties = [tie for table in tables for tie in table.game_ties]
    result.groups = [
        GroupResult(
            id=table.group[0],
            who=table.group[1],
            rows=rows_of(totals_of(table.group[1], table.games), games, table.order.groups),
        )
        for table in tables
    ]
    if stage.closed:
        for table in tables:
            result.ties += play_offs(state, stage.division, table.order.ties, group=table.group[0])
        through = {who for table in tables for who in table.through} | (set(byes) - out)
        result.advance = tuple(who for who in seeds if who in through) if following else ()
        result.rest = tuple(who for who in seeds if who not in through and who not in out)
        result.settled = not result.ties and bool(groups)
        result.places = _places(result, totals, out)
    result.flags = same_machine_twice(stage, games) + _no_groups(stage, source, groups, seeds)
    if stage.closed:
        result.flags += [flag for table in tables if (flag := _too_few(state, stage, table))]
    return result


def _next(division: Division, stage: Stage, form: StageForm, groups: Sequence[Group], byes: int) -> tuple[Stage, ...]:
    """Give the stage after this one: the next that has a row for as many as go on from it."""
    each = form.go_on_each or 0
    size = byes + sum(min(each, len(members)) for _, members in groups)
    stages = list(division.stages.values())
    rung = first_rung(stages[stages.index(stage) + 1 :], size)
    return () if rung is None or not each else (rung,)


def _table(
    state: State,
    stage: Stage,
    form: StageForm,
    group: Group,
    games: Sequence[GroupGame],
    out: AbstractSet[str],
    *,
    last: bool,
) -> _Table:
    """Order one group once the stage is closed, by its points and the tie-breaks (P7, P8)."""
    name, members = group
    own = [game for game in games if game.group == name]
    open_games = [tie for game in own for tie in ties_within(state, game)]
    skip = out & set(members)
    cut = len(members) if last else form.go_on_each or 0
    decide = stage.closed and not open_games
    order = resolve(
        classes(totals_of(members, own)),
        policy=form.ties if decide else UNPLAYED,
        cut=cut,
        rounds=rounds_of(state, stage.tiebreaks, stage.draws) if decide else {},
        skip=skip,
    )
    sure = surely_through([who for who in members if who not in skip], own, cut)
    through = sure if open_games else going_on(order, cut, skip)
    return _Table(group=group, games=own, order=order, through=frozenset(through), game_ties=open_games)


def _places(result: StageResult, totals: dict[str, int], out: AbstractSet[str]) -> dict[str, int]:
    """P8: who does not go on is placed behind all who do, by the points of this stage; the last stage by its order.

    Where the next stage has begun, who plays there has gone on, whatever has been corrected since.
    """
    if not result.following:
        waiting = {who for tie in result.ties for who in tie.tie.who}
        if any(tie.game is not None for tie in result.ties):
            return {}
        return {who: place for who, place in without(result.ranks, out).items() if who not in waiting}
    begun = next((stage.seeds for stage in result.following if stage.seeds is not None), None)
    if not (result.settled or begun is not None):
        return {}
    on = result.advance if begun is None else begun
    behind = {who: points for who, points in totals.items() if who not in on and who not in out}
    return {who: len(on) + place for who, place in positions(classes(behind)).items()}


def _too_few(state: State, stage: Stage, table: _Table) -> Flag | None:
    """Tell officials of a group that was closed before it had all its games (P7)."""
    played, most = sum(bool(game.scores) for game in table.games), state.settings.group_games
    if played >= most or not table.group[1]:
        return None
    why = f"group {table.group[0]} of {stage.id} was closed after {played} of {most} games: who goes on hangs on those"
    return Flag(entry=stage.closed_entry, kind="needs-official", why=why)


def _no_groups(stage: Stage, source: StageResult, groups: Sequence[Group], seeds: Sequence[str]) -> list[Flag]:
    """Tell officials to post groups where no row is of that size; after qualifying they are told by its close."""
    if groups or source.stage.form is None:
        return []
    why = f"there is no table of groups for {len(seeds)} players: officials post the groups of {stage.id}"
    return [Flag(entry=source.stage.closed_entry, kind="needs-official", why=why)]
