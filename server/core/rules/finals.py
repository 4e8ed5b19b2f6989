"""A stage after qualifying: the table of each group, totals over all groups, who goes on (T10).

Invariant: only games of this stage count; seeds stay in the order in which they came.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.core.rules.groups import GroupGame, groups_of, play_games, rounds_of
from server.core.rules.presets import StageForm
from server.core.rules.qualifying import UNPLAYED, play_offs
from server.core.rules.ranking import classes, positions
from server.core.rules.results import GroupResult, OpenTie, StageResult, field_from, going_on, how_many
from server.core.rules.state import Flag, Stage, State
from server.core.rules.ties import game_sizes, resolve


def finals_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank a stage of group games. Who has not played has 0 points (C2.5)."""
    seeds = field_from(stage, form, source)
    games = play_games(state, stage)
    totals = totals_of(seeds, games)
    groups = [
        GroupResult(id=name, who=who, rows=rows_of(totals_of(who, games, name), games))
        for name, who in groups_of(stage, form, seeds)
    ]
    within_games = [tie for game in games for tie in ties_within(state, game)]
    cut = cut_of(stage, form, len(seeds))
    later = {who for next_stage in following for who in next_stage.seeds or ()}
    skip = {who for who in seeds if state.players[who].is_out(stage.division)} - later
    decide = stage.closed and not within_games
    order = resolve(
        classes(totals),
        policy=form.ties if decide else UNPLAYED,
        cut=cut,
        rounds=rounds_of(state, stage.tiebreaks, stage.draws) if decide else {},
        skip=skip,
    )
    result = StageResult(
        stage=stage,
        rows=rows_of(totals, games, order.groups),
        ranks=positions(order.groups),
        ties=list(within_games),
        groups=groups,
        following=following,
        seeds=seeds,
        players=seeds,
    )
    if stage.closed:
        result.ties += play_offs(state, stage.division, order.ties)
        sure = surely_through([who for who in seeds if who not in skip], games, cut)
        through = set(sure if within_games else going_on(order, cut, skip))
        result.advance = tuple(who for who in seeds if who in through) if following else ()
        result.rest = tuple(who for who in seeds if who not in through and who not in skip)
        result.settled = not result.ties
    result.flags = same_machine_twice(stage, games)
    return result


def cut_of(stage: Stage, form: StageForm, size: int) -> int:
    """Give how many go on from a stage: as officials said, else by the table; everybody is placed in the last one."""
    if form.single_group:
        return size
    row = form.rows.get(size)
    return how_many(stage, row.go_on if row is not None else None, form.go_on)


@dataclass(frozen=True, slots=True)
class _Span:
    """The least and the most that a player can have once the ties within games are broken."""

    least: int
    most: int


def totals_of(who: Sequence[str], games: Sequence[GroupGame], group: str | None = None) -> dict[str, int]:
    """Give the points of some players in all games of a stage, or in those of one group."""
    totals = dict.fromkeys(who, 0)
    for game in games:
        for player, points in game.points.items():
            if player in totals and group in {None, game.group}:
                totals[player] += points
    return totals


def rows_of(
    totals: Mapping[str, int], games: Sequence[GroupGame], groups: Sequence[Sequence[str]] | None = None
) -> list[dict[str, object]]:
    """Give the rows of a table with each player's games; `groups` share a rank, else those of equal totals do."""
    groups = classes(totals) if groups is None else groups
    ranks = positions(groups)
    played: dict[str, list[dict[str, object]]] = {who: [] for who in totals}
    for game in games:
        for who, source in game.sources.items():
            if who in played:
                played[who].append(
                    {
                        "machine": source.machine.head.id,
                        "score": game.scores[who],
                        "rank": game.places[who],
                        "points": game.points[who],
                        "game": source.id,
                        "round": source.played.round,
                    }
                )
    return [
        {"rank": ranks[who], "who": who, "points": totals[who], "machines": played[who]}
        for group in groups
        for who in group
    ]


def ties_within(state: State, game: GroupGame) -> list[OpenTie]:
    """T10.3, MP7: the ties within one game that nobody has broken yet."""
    found = []
    for tie in game.ties:
        machine = game.sources[tie.who[0]].machine
        most = min(state.settings.tiebreak_group_max, machine.head.players or state.settings.tiebreak_group_max)
        found.append(
            OpenTie(
                tie=tie,
                sizes=game_sizes(len(tie.who), most),
                group=game.group or None,
                machine=machine.head.id,
                game=game.sources[tie.who[0]].id,
            )
        )
    return found


def surely_through(seeds: Sequence[str], games: Sequence[GroupGame], cut: int) -> list[str]:
    """Give who goes on however the open ties within games end."""
    spans = {
        who: _Span(sum(game.least.get(who, 0) for game in games), sum(game.points.get(who, 0) for game in games))
        for who in seeds
    }
    return [
        who
        for who, span in spans.items()
        if sum(other.most >= span.least for rival, other in spans.items() if rival != who) < cut
    ]


def same_machine_twice(stage: Stage, games: Sequence[GroupGame]) -> list[Flag]:
    """T10.1: the same machine twice in a group, where no ruling or void explains it."""
    flags = []
    seen: set[tuple[str, str]] = set()
    for game in games:
        if not game.scores or any(entry.said is not None and entry.said.rulings for entry in game.entries):
            continue
        place = game.group, game.entries[0].machine.head.id
        if place in seen:
            why = f"group {place[0]} of {stage.id} has played {place[1]} before"
            flags.append(Flag(entry=game.entries[0].entry, kind="needs-official", why=why))
        seen.add(place)
    return flags
