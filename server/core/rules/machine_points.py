"""A stage in which pairs play several machines and all scores of a machine are ranked together (U4, E3).

Invariant: the best score of a player on a machine counts; equal totals stand in order of the stage before.
"""

from collections.abc import Sequence

from server.core.rules.duels import odd_duels
from server.core.rules.groups import rounds_of
from server.core.rules.presets import StageForm, TiePolicy
from server.core.rules.qualifying import UNPLAYED, play_offs
from server.core.rules.ranking import classes, positions, rank_machine
from server.core.rules.results import GroupResult, StageResult, field_from, going_on, how_many
from server.core.rules.seats import Filled, deal, fill
from server.core.rules.state import Flag, Stage, State
from server.core.rules.tables import best_of
from server.core.rules.ties import resolve


def machine_points_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank a stage of duels by the points that all scores of a machine earn together. All of the field is listed."""
    seeds = field_from(stage, form, source)
    filled = _filled(state, stage, form, seeds, source)
    players = tuple(who for who in filled.seats if who is not None)
    ranked = _in_rank(seeds, filled, source)
    totals, machines = _totals(state, stage, ranked)
    skip = {who for who in players if state.players[who].is_out(stage.division)}
    skip -= {who for later in following for who in later.seeds or ()}
    cut = _cut(state, stage, form)
    played_off = state.settings.quarterfinal_ties == "playoff" and form.go_on_setting == "quarterfinal_qualifiers"
    policy = TiePolicy(cut="cut", inside="seed") if played_off and stage.closed else UNPLAYED
    place = {who: index for index, who in enumerate(ranked)}
    tied = [sorted(group, key=place.__getitem__) for group in classes(totals)]
    if not played_off:
        tied = [[who] for group in tied for who in group]
    draws = [draw for draw in stage.draws if draw[0] > stage.closed_entry]  # earlier ones are of stand-bys
    rounds = rounds_of(state, stage.tiebreaks, draws) if stage.closed else {}
    order = resolve(tied, policy=policy, cut=cut, rounds=rounds, skip=skip)
    ranks = positions(order.groups)
    rows: list[dict[str, object]] = [
        {"rank": ranks[who], "who": who, "points": totals[who], "machines": machines[who]}
        for group in order.groups
        for who in sorted(group)
    ]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, following=following, seeds=seeds, players=players)
    result.groups = [
        GroupResult(id=name, who=who, rows=[row for row in rows if row["who"] in who])
        for name, who in deal(form, filled.seats)
    ]
    result.seats, result.cut = filled.seats, cut
    if filled.undrawn:
        names = ", ".join(filled.undrawn)
        why = f"{names} are tied stand-bys: draw who takes the next seat (decision: draw, or absent: ... with:)"
        result.flags.append(Flag(entry=max(stage.absent.values()), kind="needs-official", why=why))
    result.flags += odd_duels(state, stage)
    result.flags += _no_longer_behind(stage, filled, source)
    if stage.closed:
        result.ties = play_offs(state, stage.division, order.ties)
        result.advance = tuple(going_on(order, cut, skip))
        result.rest = tuple(who for group in order.groups for who in group if who not in skip)[cut:]
        result.settled = not result.ties
    return result


def _cut(state: State, stage: Stage, form: StageForm) -> int:
    """Give how many go on: as the close or officials said, else the setting that the form names."""
    setting = getattr(state.settings, form.go_on_setting) if form.go_on_setting is not None else form.go_on or 0
    return how_many(stage, setting)


def _filled(state: State, stage: Stage, form: StageForm, seeds: tuple[str, ...], source: StageResult) -> Filled:
    if form.vacancy != "standby" or not stage.absent:
        return Filled(seats=seeds, stand_ins={})
    return fill(form, stage, seeds, standby_of(state, stage, source, seeds), most=state.settings.standby)


def standby_of(state: State, stage: Stage, source: StageResult, seeds: Sequence[str]) -> list[list[str]]:
    """Give the stand-bys of a stage, groups of equal rank, the best first (E2.7): the ranks right below the field.

    Who was put out is passed over (T8.4). What was played off or drawn among them since orders them (E2.8); a draw
    may be noted for the stage that they come from or, before its close, for the one that they go to.
    """
    division = source.stage.division
    there = [who for who in source.ranks if who not in seeds and not state.players[who].is_out(division)]
    behind = positions(classes({who: -source.ranks[who] for who in there}))
    waiting = {who: -rank for who, rank in behind.items() if rank <= state.settings.standby}
    drawn_here = [draw for draw in stage.draws if not stage.closed or draw[0] < stage.closed_entry]
    rounds = rounds_of(state, source.stage.tiebreaks, [*source.stage.draws, *drawn_here])
    drawn = TiePolicy(cut="draw", inside="draw")
    return resolve(classes(waiting), policy=drawn, cut=len(waiting), rounds=rounds).groups


def _no_longer_behind(stage: Stage, filled: Filled, source: StageResult) -> list[Flag]:
    """Tell officials of a stand-by who has played, and by what was corrected since has no rank to swap (E3.5)."""
    lost = [who for who in filled.stand_ins.values() if who not in source.ranks]
    why = f"{source.stage.id} has changed: {', '.join(lost)} plays {stage.id} as a stand-by, but has no rank there now"
    entry = source.stage.touched or source.stage.closed_entry
    return [Flag(entry=entry, kind="needs-official", why=why)] if lost else []


def _in_rank(seeds: Sequence[str], filled: Filled, source: StageResult) -> list[str]:
    """Give the players in order of their rank in the stage before; stand-ins have their own (E3.8)."""
    order = {who: index for index, who in enumerate(seeds)}
    there = [who for who in filled.seats if who is not None]
    behind = {who: index for index, who in enumerate(filled.stand_ins.values())}
    return sorted(there, key=lambda who: (order.get(who, len(seeds) + source.ranks.get(who, 0)), behind.get(who, 0)))


def _totals(
    state: State, stage: Stage, players: Sequence[str]
) -> tuple[dict[str, int], dict[str, list[dict[str, object]]]]:
    table = best_of(state, stage, stage.games)
    totals = dict.fromkeys(players, 0)
    machines: dict[str, list[dict[str, object]]] = {who: [] for who in players}
    for name in state.machines:
        scores, sources = table.get(name, ({}, {}))
        standing = rank_machine(scores, state.settings.machine_points, state.settings.tie_points)
        for who, score in scores.items():
            if who in totals:
                rank, points = standing[who]
                totals[who] += points
                row = {"machine": name, "score": score, "rank": rank, "points": points, "game": sources[who].id}
                machines[who].append(row)
    return totals, machines
