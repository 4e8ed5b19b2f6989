"""Deciding about machines: who plays on them, the line in front of them, their malfunctions.

The invariant: a player is on at most one machine of a tournament, and a running game keeps its players.
"""

from dataclasses import replace

from server.core.rules.teams.order import who_plays
from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.events import (
    Event,
    FreezeAsked,
    MachineAssigned,
    MachineUnassigned,
    MalfunctionAcknowledged,
    MalfunctionClosed,
    PowerCyclePlanned,
    QueueCalled,
    QueueJoined,
    QueueLeft,
)
from server.core.venue.leaving import refuse_withdrawn
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.posting import open_fault
from server.core.venue.review import DISPUTE
from server.core.venue.roles import OFFICIALS
from server.core.venue.state import Game, Machine, State, Tournament
from server.core.venue.stops import (
    conflict,
    invalid,
    need,
    need_players,
    need_role,
    need_tournament,
    need_up,
    refuse,
)
from server.core.venue.teams import bodies_of
from server.core.venue.values import Place

MOST_PLAYERS = 16
LONGEST_PLAN = 240
"""Minutes for which a power cycle may be announced."""


def assign(state: State, command: c.Assign, _actor: Actor, _at: int, book: Book) -> Decision:
    """Put players on a machine. Players assigned there who have not begun are taken off first.

    Without players those whom the line-ups of the match name, in order of play (PC11).
    """
    tournament = need_tournament(state, command.place.tournament)
    machine = _machine_of(state, tournament, command.machine)
    _check_version(state, machine, command.based_on)
    if not command.players and command.place.match is not None:
        command = replace(command, players=lined_up(state, command.place, machine.id, book))
    if not 1 <= len(command.players) <= MOST_PLAYERS:
        invalid(f"1 to {MOST_PLAYERS} players are needed")
    need_players(tournament, command.players)
    refuse_withdrawn(state, tournament, command.players)
    need_up(machine)
    game = _running(state, machine)
    if game is not None and game.assignment is not None:
        refuse(f"{', '.join(game.assignment.players)} is playing on {machine.name}")
    for player in (name for named in command.players for name in bodies_of(tournament, named)):
        elsewhere = state.assigned.get((tournament.id, player))
        if elsewhere is not None and elsewhere != machine.id:
            refuse(f"{player} is on {state.machines[elsewhere].name} already")
    events: list[Event] = []
    if machine.assignment is not None:
        events.append(MachineUnassigned(machine=machine.id, assignment=machine.assignment.id, why="others came"))
    assigned = MachineAssigned(
        machine=machine.id,
        assignment=f"a{state.position + 1}",
        place=command.place,
        players=command.players,
    )
    events.append(assigned)
    alarm = open_fault(state, machine, "unassigned-play", game.id) if game is not None else None
    if alarm is not None:
        events.append(MalfunctionClosed(malfunction=alarm, why=f"{', '.join(command.players)} assigned"))
    named = {"players": list(command.players)}
    return Decision(events=tuple(events), result={"assignment": assigned.assignment, "machine": machine.id, **named})


def unassign(state: State, command: c.Unassign, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Take the assigned players off."""
    machine = _machine(state, command.machine)
    _check_version(state, machine, command.based_on)
    if machine.assignment is None:
        refuse(f"nobody is assigned to {machine.name}")
    event = MachineUnassigned(machine=machine.id, assignment=machine.assignment.id, why=command.why)
    return Decision(events=(event,), result={"machine": machine.id})


def join_queue(state: State, command: c.JoinQueue, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Stand in line: in one line of a tournament at a time."""
    tournament = need_tournament(state, command.tournament)
    machine = _machine_of(state, tournament, command.machine)
    need_players(tournament, (command.player,))
    refuse_withdrawn(state, tournament, (command.player,))
    for other in state.machines.values():
        if any((w.tournament, w.player) == (tournament.id, command.player) for w in other.queue):
            refuse(f"{command.player} is in line for {other.name} already")
    event = QueueJoined(machine=machine.id, tournament=tournament.id, player=command.player)
    return Decision(events=(event,), result={"machine": machine.id, "place": len(machine.queue) + 1})


def leave_queue(state: State, command: c.LeaveQueue, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Leave the line."""
    machine = _in_line(state, command)
    event = QueueLeft(machine=machine.id, tournament=command.tournament, player=command.player, why=command.why)
    return Decision(events=(event,), result={"machine": machine.id})


def call_player(state: State, command: c.CallPlayer, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Call somebody of the line: the clock of the call starts."""
    machine = _in_line(state, command)
    event = QueueCalled(machine=machine.id, tournament=command.tournament, player=command.player)
    return Decision(events=(event,), result={"machine": machine.id})


def freeze(state: State, command: c.Freeze, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Ask the agent of the machine to keep the scores as they stand."""
    machine = _machine(state, command.machine)
    if machine.agent is None:
        refuse(f"no agent has been heard for {machine.name}")
    return Decision(events=(FreezeAsked(machine=machine.id, agent=machine.agent, why=command.why),))


def acknowledge(state: State, command: c.AcknowledgeMalfunction, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Say that it was seen; the first word stands."""
    found = need(state.malfunctions.get(command.malfunction), f"malfunction {command.malfunction}")
    if found.acknowledged_by is not None:
        conflict(
            f"{found.acknowledged_by} has acknowledged it",
            version=found.version,
            by=found.acknowledged_by,
            at=found.acknowledged_at,
        )
    return Decision(events=(MalfunctionAcknowledged(malfunction=found.id, note=command.note),))


def close_malfunction(state: State, command: c.CloseMalfunction, actor: Actor, _at: int, _book: Book) -> Decision:
    """Say that it is over."""
    found = need(state.malfunctions.get(command.malfunction), f"malfunction {command.malfunction}")
    if not found.open:
        conflict(f"it is over already: {found.closed_why}", version=found.version, at=found.closed)
    if found.fault == DISPUTE:
        need_role(actor, OFFICIALS, "settling what the sources of a machine disagree about")
    return Decision(events=(MalfunctionClosed(malfunction=found.id, why=command.why),))


def plan_power_cycle(state: State, command: c.PlanPowerCycle, _actor: Actor, at: int, _book: Book) -> Decision:
    """Announce that machines lose their power on purpose, or that it is over."""
    if not 0 <= command.minutes <= LONGEST_PLAN:
        invalid(f"a power cycle is announced for 1 to {LONGEST_PLAN} minutes; 0 ends it")
    named = tuple(dict.fromkeys(command.machines)) or tuple(state.machines)
    for machine in named:
        _machine(state, machine)
    until = at + command.minutes * 60_000
    event = PowerCyclePlanned(machines=named, until=until, why=command.why)
    return Decision(events=(event,), result={"machines": list(named), "until": until})


def lined_up(state: State, place: Place, machine: str, book: Book) -> tuple[str, ...]:
    """Those whom the line-ups of a match name for a game, in order of play (PC11); stops where that is not known."""
    known = book.rules_of(state, place.tournament)
    number = place.round if type(place.round) is int else None
    slot = None if place.slot is None else str(place.slot)
    found = who_plays(known, str(place.match), number, slot, machine)
    return refuse(found) if isinstance(found, str) else found


def _machine(state: State, machine: str) -> Machine:
    return need(state.machines.get(machine), f"machine {machine}")


def _machine_of(state: State, tournament: Tournament, machine: str) -> Machine:
    found = _machine(state, machine)
    if machine not in tournament.machines:
        refuse(f"{found.name} is no machine of {tournament.name}")
    return found


def _running(state: State, machine: Machine) -> Game | None:
    game = state.games.get(machine.game) if machine.game else None
    return game if game is not None and game.status == "running" else None


def _in_line(state: State, command: c.LeaveQueue | c.CallPlayer) -> Machine:
    machine = _machine(state, command.machine)
    if not any((w.tournament, w.player) == (command.tournament, command.player) for w in machine.queue):
        refuse(f"{command.player} is not in line for {machine.name}")
    return machine


def _check_version(state: State, machine: Machine, based_on: int | None) -> None:
    if based_on is None or based_on == machine.version:
        return
    assignment = machine.assignment
    conflict(
        f"{machine.name} has changed since you looked",
        version=machine.version,
        players=list(assignment.players) if assignment else [],
        by=assignment.who if assignment else None,
        at=assignment.at if assignment else machine.since,
        playing=_running(state, machine) is not None,
    )
