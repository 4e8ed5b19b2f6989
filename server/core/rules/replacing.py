"""Machines that are closed or replaced within one stage: cancelled, standing or rescaled scores (U3, L14 to L16).

Presets with the cut-off of T13 have their own way in `machines`. Invariant: what becomes of a machine touches only
the stages that are being played then, never one that is closed (C3.3).
"""

from decimal import Decimal
from fractions import Fraction

from server.core.rules.accounts import give_free_entry
from server.core.rules.acts import MachineChange
from server.core.rules.attempts import counts_on
from server.core.rules.scores import score_in
from server.core.rules.state import Division, MachineState, Stage, State

MAX_FACTOR = 10**12


def take_out(state: State, machine: MachineState, stages: list[Stage], entry: int, act: MachineChange) -> str | None:
    """Close or replace a machine in the stages being played. Gives the reason when refused."""
    if act.status == "closed":
        return _close(state, machine, stages, entry, act)
    if state.head.preset.first == "opponents" and (act.substitute is None or act.scores is None):
        return _replace_labelled(state, machine, stages, entry, act)
    numbered = state.settings.bank > 0
    if problem := _cannot_replace(state, machine, stages, act):
        return problem
    other = state.machines[act.substitute or ""]
    if act.scores is None and not numbered:
        why = f"the scores on {machine.head.id} are cancelled, as it was not said what becomes of them"
        state.flag(entry, "needs-official", f"{why} (scores: void, stand or rescale)")
    _note_what_stays(state, machine, stages, entry, act)
    for stage in stages:
        stage.shut.add(machine.head.id)
        stage.shut_entry = entry
        stage.instead[machine.head.id] = other.head.id
        if act.scores == "rescale" and act.factor is not None:
            stage.rescaled[machine.head.id] = (act.factor, other.head.id)
        elif act.scores != "stand":
            _cancel(state, machine, stage, entry, free_game=numbered)
    other.division = machine.division
    if numbered and any(stage.form is None for stage in stages):  # after the close the places stay who they are (C3.3)
        other.number, machine.number = machine.number, 0
    return None


def _replace_labelled(
    state: State, machine: MachineState, stages: list[Stage], entry: int, act: MachineChange
) -> str | None:
    """CC2: another machine is assigned, or the scores are not used: either may be left open, and is told."""
    if act.scores == "rescale":
        return _not_complete(act)
    if act.substitute is not None and (problem := cannot_stand_in(state, machine, act.substitute)):
        return problem
    name = machine.head.id
    if act.scores is None:
        why = f"the scores on {name} stand, as it was not said what becomes of them (scores: void or stand, CC2)"
        state.flag(entry, "needs-official", why)
    if act.substitute is None:
        state.flag(entry, "needs-official", f"which machine replaces {name} was not said (with: ..., CC2)")
    for stage in stages:
        stage.shut.add(name)
        stage.shut_entry = entry
        if act.scores == "void":
            _cancel(state, machine, stage, entry, free_game=False)
    return None


def number_in(state: State, stage: Stage, machine: MachineState) -> int:
    """Give the number of a machine in a later stage: its own, or that of the machine that it replaced there (L15)."""
    before = {other: name for name, other in stage.instead.items()}
    name = machine.head.id
    while not state.machines[name].number and name in before:
        name = before.pop(name)
    return state.machines[name].number


def _cannot_replace(state: State, machine: MachineState, stages: list[Stage], act: MachineChange) -> str | None:
    numbered = state.settings.bank > 0
    problem = _not_replaceable(state, machine, stages, act) if numbered else _not_complete(act)
    if problem is None and act.substitute is not None:
        problem = cannot_stand_in(state, machine, act.substitute)
    if problem is None and act.scores == "rescale" and act.factor is not None:
        other = state.machines[act.substitute or ""]
        problem = next((found for stage in stages if (found := grows(stage, machine, other, act.factor))), None)
    return problem


def _close(state: State, machine: MachineState, stages: list[Stage], entry: int, act: MachineChange) -> str | None:
    if act.substitute is not None:
        return f"{machine.head.id} is closed without a substitute; `status: replaced` has one"
    if act.scores == "rescale":
        return "scores are rescaled to a machine that replaces this one (status: replaced, with: ...)"
    for stage in stages:
        stage.shut.add(machine.head.id)
        stage.shut_entry = entry
        if act.scores == "void":
            _cancel(state, machine, stage, entry, free_game=False)
    return None


def _cancel(state: State, machine: MachineState, stage: Stage, entry: int, *, free_game: bool) -> None:
    if free_game and stage.form is None:
        for who in players_on(state, state.divisions[stage.division], machine):
            give_free_entry(state, who, entry)
    stage.cancelled.add(machine.head.id)


def _not_complete(act: MachineChange) -> str | None:
    if act.substitute is None:
        return "say which machine replaces it (with: ...); without one it is `closed`"
    if act.scores == "rescale" and (act.factor is None or not 0 < act.factor <= MAX_FACTOR):
        return f"rescaled scores need a factor above 0, up to {MAX_FACTOR}"
    return None


def grows(stage: Stage, machine: MachineState, other: MachineState, factor: Decimal) -> str | None:
    """Say where a score that is rescaled from machine to machine would grow beyond every use."""
    least = Fraction(MAX_FACTOR)
    for name in (*stage.rescaled, machine.head.id):
        total, on = Fraction(1), name
        while on in stage.rescaled:
            total, on = total * Fraction(stage.rescaled[on][0]), stage.rescaled[on][1]
        if on == machine.head.id and total * Fraction(factor) > least:
            return f"scores of {name} would count more than {MAX_FACTOR} times on {other.head.id}"
    return None


def _note_what_stays(state: State, machine: MachineState, stages: list[Stage], entry: int, act: MachineChange) -> None:
    """U3 is about scores ranked together: a game of a group or a match that is over stays, officials are told."""
    if act.scores == "stand":
        return
    for stage in stages:
        if stage.form is not None and stage.form.kind != "machine_points":
            for game in stage.games:
                if game.machine is machine and not game.is_void:
                    why = f"{game.id} was played on {machine.head.id} and stands: void it if it is to be played again"
                    state.flag(entry, "needs-official", why)


def _not_replaceable(state: State, machine: MachineState, stages: list[Stage], act: MachineChange) -> str | None:
    """L14, L15: only with few players, by a spare, and then the scores are wiped."""
    if act.substitute is None:
        return "say which machine replaces it (with: ...); without one it is `closed` (L16)"
    if act.scores in {"stand", "rescale"}:
        return f"{state.head.preset.name} wipes the scores of a machine that is replaced; `closed` lets them stand"
    if machine.number == 0 and not any(number_in(state, stage, machine) for stage in stages):
        return f"{machine.head.id} is a spare that is not played"
    other = state.machines.get(act.substitute)
    if other is not None and other.number:
        return f"{act.substitute} is machine {other.number} itself"
    limit = state.settings.replace_below
    for stage in stages:
        if stage.form is None:
            count = len(players_on(state, state.divisions[stage.division], machine))
            if count >= limit:
                return f"{count} players have a score on {machine.head.id}: from {limit} on it is closed, scores stand"
    return None


def players_on(state: State, division: Division, machine: MachineState) -> list[str]:
    """Give the players who have a score that counts on a machine, in the order of their first game."""
    stage = division.qualifying
    name = machine.head.id
    found: dict[str, None] = {}
    for game in division.attempts:
        if counts_on(stage, game.machine.head.id) == name:
            found |= {who: None for who in game.who if score_in(state, game, who) is not None}
    return list(found)


def cannot_stand_in(state: State, machine: MachineState, name: str) -> str | None:
    """Say why a machine cannot take the place of another, None where it can (U3, L15, T13.7)."""
    other = state.machines.get(name)
    if other is None:
        return f"there is no machine {name}"
    if other is machine:
        return f"{name} cannot stand in for itself"
    return None if other.status == "up" else f"{name} is {other.status}"
