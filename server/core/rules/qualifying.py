"""Qualifying: the standings by what the best scores on the machines come to, ties, and who goes on (C2, T6, T7, K2).

The machines' rankings are in `tables`. Invariant: nothing here changes the state.
"""

from collections.abc import Iterable, Sequence

from server.core.rules.groups import rounds_of
from server.core.rules.ladder_rows import bye_line
from server.core.rules.presets import StageForm, TiePolicy
from server.core.rules.ranking import classes, positions
from server.core.rules.results import OpenTie, StageResult, first_rung, going_on, how_many
from server.core.rules.state import Division, Flag, Stage, State
from server.core.rules.tables import out_of, ranked
from server.core.rules.ties import Tie, game_sizes, resolve

UNPLAYED = TiePolicy()


def qualifying_result(state: State, division: Division) -> StageResult:
    """Rank a division's qualifying, with its tie-breaks once it is closed (T7)."""
    stage = division.qualifying
    kept = ranked(state, division)
    totals, machines = kept.totals, kept.lines
    cut = how_many(stage, state.settings.qualifiers)
    out = {who for who in out_of(state, division) if who in totals}
    following, absent = _following(state, division, totals.keys() - out, cut)
    seeds = following.seeds if following is not None else None
    skip = (out | absent) - set(seeds or ())
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
        {"rank": rank, "who": who, value: totals[who], "machines": machines[who]} for who, rank in ranks.items()
    ]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, following=() if following is None else (following,))
    result.players, result.cut = tuple(ranks), cut
    if stage.closed:
        result.ties = play_offs(state, division.name, order.ties)
        result.advance = tuple(going_on(order, cut, skip))
        result.rest = tuple(who for group in order.groups for who in group if who not in skip)[cut:]
        result.settled = not order.ties
        size = min(cut, sum(who not in skip for who in totals))
        _note_draws(result, following, size, [ranks[who] for who in skip if who in ranks])
        result.flags += to_be_posted(stage, following, size)
    return result


def to_be_posted(stage: Stage, following: Stage | None, size: int) -> list[Flag]:
    """T7.3: tell officials where the stage that follows has no table of groups for so many players."""
    if following is None or following.form is None or not size or following.posted or _has_table(following.form, size):
        return []
    why = f"there is no table of groups for {size} players: officials post the groups of {following.id}"
    return [Flag(entry=stage.closed_entry, kind="needs-official", why=why)]


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


def _following(state: State, division: Division, field: set[str], cut: int) -> tuple[Stage | None, set[str]]:
    """Give the stage that follows a field of which so many go on, and who is passed over because he is absent.

    T8.1: he counts as not qualified, so that too few may be left for the stage from which he was absent (T9.1).
    """
    absent: set[str] = set()
    while True:
        following = first_final(state, division, min(cut, len(field - absent)))
        form = following.form if following is not None else None
        if following is None or form is None or form.vacancy != "skip":
            return following, set()
        if form.from_field_of is None or following.absent.keys() <= absent:
            return following, absent | following.absent.keys()
        absent |= following.absent.keys()


def first_final(state: State, division: Division, size: int) -> Stage | None:
    """Give the stage that follows qualifying for a field of that size (T9.1); one that has begun stays it."""
    finals = [stage for stage in division.stages.values() if stage.form is not None]
    if finals and finals[0].form is not None and finals[0].form.kind == "ladder":
        return first_rung(finals, size)
    always = next((n for n, stage in enumerate(finals) if stage.form and stage.form.from_field_of is None), len(finals))
    begun = next((stage for stage in finals[: always + 1] if stage.seeds is not None or stage.closed), None)
    if begun is not None:
        return begun
    for stage in finals:
        limit = stage.form.from_field_of if stage.form is not None else None
        if limit is None or (state.settings.quarterfinal == "auto" and size >= limit):
            return stage
    return None


def play_offs(
    state: State, division: str, ties: Iterable[Tie], *, group: str | None = None, machine: str | None = None
) -> list[OpenTie]:
    """Give ties that must be played off with the sizes of their games (C6.1)."""
    most = tiebreak_most(state, division, machine)
    return [OpenTie(tie=tie, sizes=game_sizes(len(tie.who), most), group=group, machine=machine) for tie in ties]


def tiebreak_most(state: State, division: str, machine: str | None = None) -> int:
    """C6.1: how many can play at once in a tie-break: as the setting says, fewer if no machine takes so many.

    `machine`: the one that it is played on, where that is known (L10).
    """
    most = state.settings.tiebreak_group_max
    heads = [one.head for one in state.machines.values() if one.division == division and machine in {None, one.head.id}]
    return min(most, max((head.players or most for head in heads), default=most))


def _has_table(form: StageForm, size: int) -> bool:
    return not form.in_groups or form.single_group or size in form.rows
