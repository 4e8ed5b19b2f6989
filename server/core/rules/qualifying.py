"""Qualifying: the best score of each player on each machine, ranked, and what that adds up to (C2, T6, K2).

Invariant: one pass over the attempts of the division, one sort a machine; nothing here changes the state.
"""

from collections.abc import Iterable, Mapping, Sequence

from server.core.rules.attempts import counts_on, rescale
from server.core.rules.groups import rounds_of
from server.core.rules.ladder_rows import bye_line
from server.core.rules.presets import StageForm, TiePolicy
from server.core.rules.ranking import classes, positions, rank_machine
from server.core.rules.results import OpenTie, StageResult, first_rung, going_on
from server.core.rules.scores import official
from server.core.rules.state import Division, Flag, Game, Stage, State
from server.core.rules.ties import game_sizes, resolve

Table = dict[str, tuple[dict[str, int], dict[str, Game]]]
"""machine → the best score of each player that counts, and the game it comes from."""

UNPLAYED = TiePolicy()


def best_scores(state: State, division: Division) -> Table:
    """Give the best official score of each player on each machine; of equal ones the earlier (C2.1)."""
    return best_of(state, division.qualifying, division.attempts)


def best_of(state: State, stage: Stage, played: Iterable[Game]) -> Table:
    """Give the best official score of each player on each machine among some games of a stage (C2.1, U3)."""
    table: Table = {}
    games, bonus = state.games, state.settings.ring_bonus
    moved = stage.cancelled | stage.rescaled.keys()
    for game in played:
        machine = game.machine
        if game.gone or machine.scores_void:
            continue
        name: str | None = machine.head.id
        shifted = name in moved
        if shifted:
            name = counts_on(stage, machine.head.id)
            if name is None:
                continue
        best = table.get(name)  # type: ignore[arg-type]
        if best is None:
            best = table[name] = ({}, {})  # type: ignore[index]
        scores, sources = best
        plain = game.said is None and not game.noted and machine.head.max_score is None
        for who in game.who:
            score = game.scores.get(who) if plain else official(game, who, games, bonus)
            if score is not None:
                if shifted:
                    score = rescale(stage, machine.head.id, score)
                known = scores.get(who)
                if known is None or score > known:
                    scores[who] = score
                    sources[who] = game
    return table


def qualifying_result(state: State, division: Division) -> StageResult:
    """Rank a division's qualifying, with its tie-breaks once it is closed (T7)."""
    stage = division.qualifying
    table = best_scores(state, division)
    totals, machines = (_by_points if state.head.preset.rank_by == "points" else _by_score)(state, table)
    cut = next(number for number in (stage.qualifiers, stage.wanted, state.settings.qualifiers) if number is not None)
    out = {who for who in totals if state.players[who].is_out(division.name)}
    following = first_final(state, division, min(cut, len(totals) - len(out)))
    seeds = following.seeds if following is not None else None
    skips = following is not None and following.form is not None and following.form.vacancy == "skip"
    skip = (out | set(following.absent if following is not None and skips else ())) - set(seeds or ())
    order = resolve(
        classes(totals),
        policy=state.head.preset.ties if stage.closed else UNPLAYED,
        cut=cut,
        rounds=rounds_of(state, stage.tiebreaks, stage.draws) if stage.closed else {},
        skip=skip,
    )
    ranks = positions(order.groups)
    value = "points" if state.head.preset.rank_by == "points" else "score"
    rows: list[dict[str, object]] = [
        {"rank": ranks[who], "who": who, value: totals[who], "machines": machines[who]}
        for group in order.groups
        for who in group
    ]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, following=() if following is None else (following,))
    result.players, result.cut = tuple(ranks), cut
    if stage.closed:
        most = tiebreak_most(state, division.name)
        result.ties = [OpenTie(tie=tie, sizes=game_sizes(len(tie.who), most)) for tie in order.ties]
        result.advance = tuple(going_on(order, cut, skip))
        result.rest = tuple(who for group in order.groups for who in group if who not in skip)[cut:]
        result.settled = not order.ties
        size = min(cut, sum(who not in skip for who in totals))
        _note_draws(result, following, size, [ranks[who] for who in skip if who in ranks])
        known = following is None or following.form is None or following.posted or _has_table(following.form, size)
        if following is not None and size and not known:
            why = f"there is no table of groups for {size} players: officials post the groups of {following.id}"
            result.flags.append(Flag(entry=stage.closed_entry, kind="needs-official", why=why))
    return result


def _note_draws(result: StageResult, following: Stage | None, size: int, skipped: Sequence[int]) -> None:
    """P5: in a ladder a drawn order is enough for a tie inside the field, but where it is on the line of the byes."""
    form = following.form if following is not None else None
    if form is None or form.kind != "ladder":
        return
    row = form.rows.get(size)
    line = bye_line(row.groups, size) if row is not None else 0
    for tie in result.ties:
        above = sum(rank < tie.tie.places[0] for rank in skipped)
        first, last = tie.tie.places[0] - above, tie.tie.places[-1] - above
        tie.draw = tie.tie.reason == "seed" and not first <= line < last


def first_final(state: State, division: Division, size: int) -> Stage | None:
    """Give the stage that follows qualifying for a field of that size (T9.1); one that has begun stays it."""
    finals = [stage for stage in division.stages.values() if stage.form is not None]
    if finals and finals[0].form is not None and finals[0].form.kind == "ladder":
        return first_rung(finals, size)
    always = next((n for n, stage in enumerate(finals) if stage.form and stage.form.from_field_of is None), len(finals))
    begun = next((stage for stage in finals[: always + 1] if stage.seeds is not None), None)
    if begun is not None:
        return begun
    for stage in finals:
        limit = stage.form.from_field_of if stage.form is not None else None
        if limit is None or (state.settings.quarterfinal == "auto" and size >= limit):
            return stage
    return None


def tiebreak_most(state: State, division: str) -> int:
    """C6.1: how many can play at once in a tie-break: as the setting says, fewer if no machine takes so many."""
    most = state.settings.tiebreak_group_max
    positions_of = [machine.head.players or most for machine in state.machines.values() if machine.division == division]
    return min(most, max(positions_of, default=most))


def _has_table(form: StageForm, size: int) -> bool:
    return not form.in_groups or form.single_group or size in form.rows


def _by_points(state: State, table: Table) -> tuple[dict[str, int], dict[str, list[dict[str, object]]]]:
    """T6.4: the total over all machines of the points for places."""
    totals: dict[str, int] = {}
    machines: dict[str, list[dict[str, object]]] = {}
    settings = state.settings
    for name in state.machines:
        scores, sources = table.get(name, ({}, {}))
        standing = rank_machine(scores, settings.machine_points, settings.tie_points)
        for who, score in scores.items():
            rank, points = standing[who]
            totals[who] = totals.get(who, 0) + points
            row = {"machine": name, "score": score, "rank": rank, "points": points, "game": sources[who].id}
            machines.setdefault(who, []).append(row)
    if settings.machines_counted:
        best = {who: sorted(map(_points_of, rows), reverse=True) for who, rows in machines.items()}
        totals = {who: sum(points[: settings.machines_counted]) for who, points in best.items()}
    return totals, machines


def _points_of(row: Mapping[str, object]) -> int:
    points = row["points"]
    return points if isinstance(points, int) else 0


def _by_score(state: State, table: Table) -> tuple[dict[str, int], dict[str, list[dict[str, object]]]]:
    """K2: the best score of each player."""
    totals: dict[str, int] = {}
    machines: dict[str, list[dict[str, object]]] = {}
    for name in state.machines:
        scores, sources = table.get(name, ({}, {}))
        ranks = positions(classes(scores))
        for who, score in scores.items():
            totals[who] = max(score, totals.get(who, score))
            row = {"machine": name, "score": score, "rank": ranks[who], "game": sources[who].id}
            machines.setdefault(who, []).append(row)
    return totals, machines
