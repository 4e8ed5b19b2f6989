"""What is to be said of a stage and of a machine as a whole: open or closed, how many go on, which ties are open.

Invariant: a machine that is up and of which the log says nothing gets no line.
"""

from server.core.explain.cuts import explain_cut
from server.core.explain.grounds import Grounds
from server.core.explain.lines import Line
from server.core.explain.log import Note
from server.core.explain.ties import explain_open_tie
from server.core.rules.acts import Close, MachineChange
from server.core.rules.machines import cut_off
from server.core.rules.results import StageResult


def explain_stage_state(grounds: Grounds, result: StageResult) -> list[Line]:
    """Give the line of a stage: whether it is over, how many go on from it, and the ties that are open."""
    stage = result.stage
    parts = [*explain_cut(grounds, result), *(explain_open_tie(grounds, result, tie) for tie in result.ties)]
    note = next((n for n in grounds.history.stages.get(stage.id, ()) if isinstance(n.act, Close)), None)
    if stage.closed:
        because = f"{stage.id} is closed"
    elif result.complete and result.settled:
        because = f"{stage.id} is over: everybody in it has played"
    else:
        because = f"{stage.id} is open"
    if result.advance:
        because += f"; go on: {grounds.people(result.advance, most=1000)}"
    status = "closed" if stage.closed or (result.complete and result.settled) else "open"
    return [grounds.line("close", because, status, stage=stage, note=note, parts=parts)]


def explain_machine_state(grounds: Grounds, name: str) -> list[Line]:
    """Give the line of a machine of which the log says something: each change, and what became of its scores."""
    machine = grounds.state.machines[name]
    notes = grounds.history.machines.get(name, ())
    parts = [_change(grounds, name, note, note.act) for note in notes if isinstance(note.act, MachineChange)]
    if not parts:
        return []
    because = f"{grounds.machine(name)} is {machine.status}"
    if machine.scores_void:
        because += ": all scores on it are void"
    elif machine.status == "disabled":
        because += ": its scores stand"
    return [grounds.line("machine", because, machine.status, machine=name, parts=parts)]


def _change(grounds: Grounds, name: str, note: Note, act: MachineChange) -> Line:
    if act.substitute == name:
        because = f"takes the place of {grounds.machine(act.machine)}"
        return grounds.line("machine", because, act.status, machine=name, note=note)
    because = act.status
    if act.substitute is not None:
        because += f", {grounds.machine(act.substitute)} instead"
    if act.scores is not None:
        because += f", scores: {act.scores}" + (f" times {act.factor}" if act.factor is not None else "")
    elif act.status == "disabled" and (limit := cut_off(grounds.state, None)) is not None:
        local = limit.astimezone(grounds.state.head.zone)
        because += f" (what counts is whether before {local:%a %Y-%m-%d %H:%M})"
        return grounds.line("machine", because, act.status, setting="disable_cutoff", machine=name, note=note)
    return grounds.line("machine", because, act.status, machine=name, note=note)
