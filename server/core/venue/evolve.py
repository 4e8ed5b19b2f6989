"""Folding: `evolve(state, happened)` writes one event into the state. Nothing is checked and nothing decided here.

The invariant: deterministic, and total over every event that the ledger can hold; an event about a thing that the
state does not know changes nothing but the position.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from server.core.venue import events as e
from server.core.venue.evolve_games import GAME_HANDLERS
from server.core.venue.evolve_import import IMPORT_HANDLERS
from server.core.venue.evolve_log import LOG_HANDLERS
from server.core.venue.filing import Happened
from server.core.venue.games import POSITIONS, TENURES
from server.core.venue.state import Assignment, Deed, Machine, State, Tenure, Trouble, Waiter
from server.core.venue.tables import changed


def evolve(state: State, happened: Happened) -> State:
    """The state after the event: the same object, written into."""
    handler = _HANDLERS.get(type(happened.event))
    if handler is not None:
        handler(state, happened, happened.event)
    state.position, state.at = happened.position, max(state.at, happened.at)
    if happened.key is not None:
        state.deeds[happened.key] = Deed(
            position=happened.position,
            who=happened.who,
            request=happened.request,
            result=happened.result or {},
        )
    return state


def fold(history: Iterable[Happened], state: State | None = None) -> State:
    """The state that a history gives."""
    state = State() if state is None else state
    for happened in history:
        evolve(state, happened)
    return state


def _assigned(state: State, happened: Happened, event: e.MachineAssigned) -> None:
    machine = state.machines.get(event.machine) or Machine(id=event.machine, name=event.machine)
    assignment = Assignment(
        id=event.assignment, place=event.place, players=event.players, at=happened.at, who=happened.who
    )
    tenure = Tenure(assignment=assignment)
    game = state.games.get(machine.game) if machine.game else None
    if game is not None and game.assignment is None:
        tenure = replace(tenure, game=game.id)
        state.games[game.id] = changed(
            game,
            assignment=assignment,
            place=assignment.place,
            players=tuple(assignment.players),
            version=game.version + 1,
            positions=(*game.positions, happened.position)[-POSITIONS:],
        )
    named = {(event.place.tournament, player) for player in event.players}
    state.machines[event.machine] = changed(
        machine,
        version=machine.version + 1,
        assignment=assignment,
        tenures=(*machine.tenures, tenure)[-TENURES:],
        since=happened.at,
        queue=tuple(w for w in machine.queue if (w.tournament, w.player) not in named),
    )
    for pair in named:
        state.assigned[pair] = event.machine


def _unassigned(state: State, happened: Happened, event: e.MachineUnassigned) -> None:
    machine = state.machines.get(event.machine)
    if machine is None or machine.assignment is None or machine.assignment.id != event.assignment:
        return
    game = state.games.get(machine.game) if machine.game else None
    if game is not None and game.assignment is not None and game.assignment.id == event.assignment:
        taken = f"{happened.who} took the players off during the game" + (f": {event.why}" if event.why else "")
        state.games[game.id] = changed(game, why=(*game.why, taken), version=game.version + 1)
    for player in machine.assignment.players:
        state.assigned.pop((machine.assignment.place.tournament, player), None)
    state.machines[event.machine] = changed(
        machine,
        version=machine.version + 1,
        assignment=None,
        since=happened.at,
        tenures=tuple(
            replace(t, until=happened.at) if t.assignment.id == event.assignment else t for t in machine.tenures
        ),
    )


def _queue(state: State, machine_id: str, queue: Callable[[Machine], tuple[Waiter, ...]]) -> None:
    machine = state.machines.get(machine_id) or Machine(id=machine_id, name=machine_id)
    state.machines[machine_id] = changed(machine, version=machine.version + 1, queue=queue(machine))


def _joined(state: State, happened: Happened, event: e.QueueJoined) -> None:
    waiter = Waiter(tournament=event.tournament, player=event.player, since=happened.at)
    _queue(state, event.machine, lambda machine: (*machine.queue, waiter))


def _called(state: State, happened: Happened, event: e.QueueCalled) -> None:
    def called(machine: Machine) -> tuple[Waiter, ...]:
        return tuple(
            replace(w, called=happened.at) if (w.tournament, w.player) == (event.tournament, event.player) else w
            for w in machine.queue
        )

    _queue(state, event.machine, called)


def _left(state: State, _: Happened, event: e.QueueLeft) -> None:
    gone = (event.tournament, event.player)
    _queue(state, event.machine, lambda m: tuple(w for w in m.queue if (w.tournament, w.player) != gone))


def _planned(state: State, happened: Happened, event: e.PowerCyclePlanned) -> None:
    for name in event.machines:
        machine = state.machines.get(name)
        if machine is None:
            continue
        # What was said meanwhile and comes late is explained by when it was said: the beginning stays.
        going_on = machine.planned if machine.planned_at(happened.at) is not None else None
        planned = (happened.at if going_on is None else going_on[0], event.until)
        state.machines[name] = changed(machine, planned=planned, version=machine.version + 1)
        for malfunction in machine.open:
            found = state.malfunctions[malfunction]
            if found.noted_until is not None:
                state.malfunctions[malfunction] = changed(found, noted_until=event.until)


def _quarantined(state: State, happened: Happened, event: e.FactQuarantined) -> None:
    state.troubles[happened.position] = Trouble(
        position=happened.position,
        at=happened.at,
        agent=event.agent,
        kind="quarantined",
        text=f"entry {event.seq} was not understood: {event.why}",
    )


def _gap(state: State, happened: Happened, event: e.StreamGap) -> None:
    state.troubles[happened.position] = Trouble(
        position=happened.position,
        at=happened.at,
        agent=event.agent,
        kind="gap",
        text=f"entries {event.first} to {event.through} are lost",
    )


_HANDLERS: dict[type[Any], Callable[[State, Happened, Any], None]] = {
    **GAME_HANDLERS,
    **LOG_HANDLERS,
    **IMPORT_HANDLERS,
    e.MachineAssigned: _assigned,
    e.MachineUnassigned: _unassigned,
    e.QueueJoined: _joined,
    e.QueueCalled: _called,
    e.QueueLeft: _left,
    e.PowerCyclePlanned: _planned,
    e.FactQuarantined: _quarantined,
    e.StreamGap: _gap,
}
