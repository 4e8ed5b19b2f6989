"""A machine of a team tournament that breaks: what is finished counts, a substitute takes over (UT13, EC8).

Invariant: points of matches stay; only scores of the bonus game may be cancelled or rescaled, where the rules say so.
"""

from server.core.rules.acts import MachineChange
from server.core.rules.replacing import MAX_FACTOR, cannot_stand_in, grows
from server.core.rules.state import MachineState, Stage, State
from server.core.rules.teams.bonus import rank_bonus
from server.core.rules.teams.group_seats import play_of, under


def take_out_of_groups(
    state: State, machine: MachineState, stages: list[Stage], entry: int, act: MachineChange
) -> str | None:
    """Close or replace a machine in the stages being played. Gives the reason when refused."""
    if problem := _cannot(state, machine, stages, act):
        return problem
    first = state.divisions[""].qualifying
    touched = any(one.game.machine is machine for one in rank_bonus(state, state.teams).values())
    if act.scores is None and touched and first in stages and len(play_of(state).broken) > 1:
        why = f"it was not said what becomes of the bonus scores on {machine.head.id}: they stand"
        state.flag(entry, "needs-official", under(state, "machine", f"{why} (scores: void, stand or rescale)"))
    for stage in stages:
        stage.shut.add(machine.head.id)
        stage.shut_entry = entry
        if act.substitute is not None:
            stage.instead[machine.head.id] = act.substitute
        if stage is not first:
            continue
        if act.scores == "rescale" and act.factor is not None and act.substitute is not None:
            stage.rescaled[machine.head.id] = (act.factor, act.substitute)
        elif act.scores == "void":
            stage.cancelled.add(machine.head.id)
    return None


def _cannot(state: State, machine: MachineState, stages: list[Stage], act: MachineChange) -> str | None:
    first, name = state.divisions[""].qualifying, machine.head.id
    if act.scores is not None and act.scores not in play_of(state).broken:
        return under(
            state, "machine", f"what is finished on {name} counts: its scores stand, leave out `scores: {act.scores}`"
        )
    if act.scores in {"void", "rescale"} and first not in stages:
        return under(state, "close", f"{first.id} is closed: the bonus scores on {name} stand")
    if act.status == "closed":
        if act.substitute is not None:
            return f"{name} is closed without a substitute; `status: replaced` has one"
        return (
            None if act.scores != "rescale" else "scores are rescaled to a machine that replaces it (status: replaced)"
        )
    if act.substitute is None:
        return under(state, "machine", "say which machine replaces it (with: ...); without one it is `closed`")
    if problem := cannot_stand_in(state, machine, act.substitute):
        return problem
    if act.scores == "rescale":
        if act.factor is None or not 0 < act.factor <= MAX_FACTOR:
            return under(state, "machine", f"rescaled scores need a factor above 0, up to {MAX_FACTOR}")
        return grows(first, machine, state.machines[act.substitute], act.factor)
    return None
