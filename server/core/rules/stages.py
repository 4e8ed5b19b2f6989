"""The chain of a division's stages: when each is there, with whom, and how it is closed (C3.2, C4.6, T7, T8, T9).

Invariant: a stage appears when the one before is closed and everything that must be played off has been; once it has
begun its seeds stand, and what would have changed them is an official's matter.
"""

from datetime import datetime
from itertools import pairwise

from server.core.rules.acts import Close
from server.core.rules.finals import cut_of, finals_result
from server.core.rules.qualifying import qualifying_result
from server.core.rules.results import StageResult
from server.core.rules.state import Division, Flag, Stage, State

MOST_QUALIFIERS = 100_000


def chain(state: State, division: Division) -> list[StageResult]:
    """Give the results of the stages that there are, in order."""
    known = state.chains.get(division.name)
    if known is not None and known[0] == state.changes:
        return known[1]
    results = [qualifying_result(state, division)]
    following = results[0].following
    while following is not None and following.form is not None:
        previous = results[-1]
        if following.seeds is not None:
            _keep_seeds(previous, following)
        elif not previous.settled or not previous.advance:
            break
        seeds = following.seeds if following.seeds is not None else previous.advance
        results.append(finals_result(state, following, following.form, seeds, _after(division, following)))
        if len(results) > 2:
            results[-1].flags += [_absent_later(following, who) for who in following.absent if who in seeds]
        following = results[-1].following
    state.chains[division.name] = (state.changes, results)
    return results


def field_of(state: State, stage: Stage) -> tuple[str, ...] | None:
    """Give the players of a stage after qualifying in order of seed, None where it is not there yet."""
    if stage.seeds is not None:
        return stage.seeds
    results = chain(state, state.divisions[stage.division])
    for previous, result in pairwise(results):
        if result.stage is stage:
            return previous.advance
    return None


def left_out(state: State, stage: Stage) -> Stage | None:
    """Give the stage that comes right after a closed qualifying in the place of one that is not played (T9.1)."""
    division = state.divisions[stage.division]
    if not division.qualifying.closed:
        return None
    first = chain(state, division)[0].following
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
        least = state.settings.qualifiers_min
        if act.qualifiers is not None and act.qualifiers < least:
            return f"at least {least} go on from {stage.id}"
    else:
        field = field_of(state, stage)
        if field is None:
            return f"{stage.id} has not begun"
        if act.qualifiers is None and not cut_of(stage, stage.form, len(field)):
            return f"say how many go on from {stage.id} (qualifiers: ...): there is no table for {len(field)} players"
    stage.closed = True
    stage.closed_at = at
    stage.closed_entry = entry
    stage.qualifiers = act.qualifiers
    return None


def too_late(state: State, stage: Stage, begun: datetime | None, game: str) -> str | None:
    """C3.2: with `in_progress_counts` a game counts that began strictly before the close."""
    if not stage.closed:
        return None
    if not state.settings.in_progress_counts:
        return f"{stage.id} is closed"
    if begun is None or stage.closed_at is None:
        return f"{stage.id} is closed, and it is not known that {game} began before that"
    return None if begun < stage.closed_at else f"{stage.id} was closed when {game} began"


def _after(division: Division, stage: Stage) -> Stage | None:
    stages = list(division.stages.values())
    index = stages.index(stage) + 1
    return stages[index] if index < len(stages) else None


def _keep_seeds(previous: StageResult, following: Stage) -> None:
    """The next stage has begun: who is in it went on, whatever has been corrected since."""
    seeds = following.seeds or ()
    if previous.advance != seeds:
        entry = previous.stage.touched or previous.stage.closed_entry
        why = f"{previous.stage.id} has changed, but {following.id} has begun: its seeds stand until officials decide"
        previous.flags.append(Flag(entry=entry, kind="needs-official", why=why))
    previous.advance = seeds
    previous.ties = [tie for tie in previous.ties if tie.tie.reason not in {"cut", "seed"}]
    previous.settled = True


def _absent_later(stage: Stage, who: str) -> Flag:
    why = f"{who} is absent from {stage.id}: his seat stays empty, officials decide"
    return Flag(entry=stage.absent[who], kind="needs-official", why=why)
