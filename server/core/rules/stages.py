"""The chain of a division's stages: when each is there, with whom, and how it is closed (C3.2, C4.6, T7, T8, T9).

Invariant: a stage appears when the one before is closed and everything that must be played off has been; once it has
begun its seeds stand, and what would have changed them is an official's matter.
"""

from collections.abc import Callable
from datetime import datetime

from server.core.rules import conduct
from server.core.rules.acts import Close
from server.core.rules.finals import cut_of, finals_result
from server.core.rules.holes import holes_result
from server.core.rules.knockout_bracket import bracket_result, entrants_result, seats_of
from server.core.rules.ladder import ladder_result
from server.core.rules.machine_points import machine_points_result
from server.core.rules.one_game import one_game_result
from server.core.rules.opponents import opponents_result
from server.core.rules.presets import StageForm
from server.core.rules.qualifying import qualifying_result
from server.core.rules.results import StageResult, field_from
from server.core.rules.rounds import rounds_result
from server.core.rules.state import Division, Flag, Stage, State
from server.core.rules.teams.group_tables import team_groups_result
from server.core.rules.teams.playoffs import playoffs_result
from server.core.rules.teams.season import season_result
from server.core.rules.teams.team_final import team_game_result, team_matches_result
from server.core.rules.winners import winners_result

MOST_QUALIFIERS = 100_000
ANY_NUMBER = frozenset({"group_games", "machine_points"})
"""Kinds of later stages whose close may say how many go on; from the others it follows from how they are played."""

FIRST_STAGES: dict[str, Callable[[State, Division], StageResult]] = {
    "attempts": qualifying_result,
    "winners": winners_result,
    "entrants": entrants_result,
    "holes": holes_result,
    "rounds": rounds_result,
    "strikes": rounds_result,
    "season": season_result,
    "team_groups": team_groups_result,
    "opponents": opponents_result,
}
"""How the first stage of a division is ranked, by the preset's `first`."""

LATER_STAGES: dict[str, Callable[[State, Stage, StageForm, StageResult, tuple[Stage, ...]], StageResult]] = {
    "group_games": finals_result,
    "ladder": ladder_result,
    "bracket": bracket_result,
    "machine_points": machine_points_result,
    "one_game": one_game_result,
    "playoffs": playoffs_result,
    "team_game": team_game_result,
    "team_matches": team_matches_result,
}
"""How a later stage is ranked, by its form's `kind`."""


def chain(state: State, division: Division) -> list[StageResult]:
    """Give the results of the stages that there are, in order."""
    known = state.chains.get(division.name)
    if known is not None and known[0] == state.changes:
        return known[1]
    results = [FIRST_STAGES[state.head.preset.first](state, division)]
    _keep_seeds(results[0])
    for stage in division.stages.values():
        source = next((result for result in results if stage in result.following), None)
        if source is None or stage.form is None:
            continue
        if stage.seeds is None and not (source.settled and field_from(stage, stage.form, source)):
            continue
        result = LATER_STAGES[stage.form.kind](state, stage, stage.form, source, followers(division, stage))
        if source is not results[0] and stage.form.vacancy == "skip":
            result.flags += [_absent_later(stage, who) for who in stage.absent if who in result.players]
        _keep_seeds(result)
        conduct.leave_out(state, result)
        results.append(result)
    state.chains[division.name] = (state.changes, results)
    return results


def result_of(state: State, stage: Stage) -> StageResult | None:
    """Give the result of one stage, None where it is not there yet."""
    results = chain(state, state.divisions[stage.division])
    return next((result for result in results if result.stage is stage), None)


def field_of(state: State, stage: Stage) -> tuple[str, ...] | None:
    """Give the players of a stage after the first in order of seed, None where it is not there yet."""
    form = stage.form
    if stage.seeds is not None and form is not None and form.vacancy == "skip":
        return stage.seeds
    if stage.seeds is not None and form is not None and form.kind == "bracket":
        return seats_of(stage, stage.seeds)
    result = result_of(state, stage)
    return result.players if result is not None else None


def followers(division: Division, stage: Stage) -> tuple[Stage, ...]:
    """Give the stages that take their field from one: those that name it, else the next in order."""
    stages = list(division.stages.values())
    named = tuple(other for other in stages if other.form is not None and other.form.after == stage.name)
    if named:
        return named
    following = stages[stages.index(stage) + 1 :]
    return (following[0],) if following and following[0].form is not None and following[0].form.after is None else ()


def being_played(state: State, division: Division) -> list[Stage]:
    """Give the stages that are open now: the first until its close, then those that are there and not over."""
    if not (division.qualifying.closed or chain(state, division)[0].complete):
        return [division.qualifying]
    there = chain(state, division)[1:]
    if not there:
        return [stage for stage in division.stages.values() if stage.form is not None][:1]
    return [result.stage for result in there if not (result.stage.closed or (result.complete and result.settled))]


def left_out(state: State, stage: Stage) -> Stage | None:
    """Give the stage that comes right after a closed qualifying in the place of one that is not played (T9.1)."""
    division = state.divisions[stage.division]
    if not division.qualifying.closed:
        return None
    first = next(iter(chain(state, division)[0].following), None)
    order = list(division.stages.values())
    return first if first is not None and order.index(stage) < order.index(first) else None


def close(state: State, entry: int, at: datetime | None, act: Close) -> str | None:
    """Close a stage (C3.2, T7.2). Gives the reason when refused."""
    stage = state.stages.get(act.stage)
    if stage is None:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    if stage.closed:
        return f"{stage.id} is closed already"
    if act.qualifiers is not None and not 1 <= act.qualifiers <= MOST_QUALIFIERS:
        return f"qualifiers: a number from 1 to {MOST_QUALIFIERS}"
    if stage.form is None:
        if act.qualifiers is not None and (problem := _not_so_many(state, stage, act.qualifiers)):
            return problem
        _note_number(state, entry, act.qualifiers)
    else:
        field = field_of(state, stage)
        if field is None:
            return f"{stage.id} has not begun"
        known = stage.form.kind != "group_games" or cut_of(stage, stage.form, len(field))
        if act.qualifiers is not None and stage.form.kind not in ANY_NUMBER:
            return f"how many go on from {stage.id} is not open to choice: close it without `qualifiers`"
        if act.qualifiers is None and not known:
            return f"say how many go on from {stage.id} (qualifiers: ...): there is no table for {len(field)} players"
    stage.closed = True
    stage.closed_at = at
    stage.closed_entry = entry
    stage.qualifiers = act.qualifiers
    return None


def _note_number(state: State, entry: int, qualifiers: int | None) -> None:
    """L6: tell officials of a number that changes nothing."""
    if state.head.preset.first == "winners" and qualifiers not in {None, state.settings.bank}:
        state.flag(entry, "needs-official", "the best of each machine go on (L6): `qualifiers` changes nothing")


def _not_so_many(state: State, stage: Stage, qualifiers: int) -> str | None:
    """T7.2: say why so many cannot go on from a first stage, None where they can."""
    least = state.settings.qualifiers_min
    play = state.head.preset.group_play
    if play is not None and play.ranked == "apart":
        return f"the first of each group goes on from {stage.id} (UT6): close it without `qualifiers`"
    if state.head.preset.first in {"strikes", "opponents"}:
        return f"nobody goes on from {stage.id}: close it without `qualifiers`"
    return f"at least {least} go on from {stage.id}" if qualifiers < least else None


def too_late(state: State, stage: Stage, begun: datetime | None, game: str) -> str | None:
    """C3.2: with `in_progress_counts` a game counts that began strictly before the close."""
    if not stage.closed:
        return None
    if not state.settings.in_progress_counts:
        return f"{stage.id} is closed"
    if begun is None or stage.closed_at is None:
        return f"{stage.id} is closed, and it is not known that {game} began before that"
    return None if begun < stage.closed_at else f"{stage.id} was closed when {game} began"


def _keep_seeds(previous: StageResult) -> None:
    """Where the next stage has begun, who is in it went on, whatever has been corrected since."""
    playing = {*previous.advance, *previous.rest}
    for following in previous.following:
        seeds, form = following.seeds, following.form
        if seeds is None or form is None:
            continue
        rest = form.takes == "rest"
        if (previous.rest if rest else previous.advance) != seeds:
            entry = previous.stage.touched or previous.stage.closed_entry
            why = (
                f"{previous.stage.id} has changed, but {following.id} has begun: its seeds stand until officials decide"
            )
            previous.flags.append(Flag(entry=entry, kind="needs-official", why=why))
        others = tuple(who for who in previous.players if who in playing and who not in seeds)
        if rest:
            previous.rest, previous.advance = seeds, others
        else:
            previous.advance, previous.rest = seeds, others
        previous.ties = [tie for tie in previous.ties if tie.tie.reason not in {"cut", "seed"}]
        previous.settled = True


def _absent_later(stage: Stage, who: str) -> Flag:
    why = f"{who} is absent from {stage.id}: his seat stays empty, officials decide"
    return Flag(entry=stage.absent[who], kind="needs-official", why=why)
