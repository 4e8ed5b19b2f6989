"""Choosing machine and order, group by group (T11): `decide` gives events or a refusal, `evolve` applies an event.

Who says it and why is recorded around it; here is only what may be chosen and what follows. The order in which groups
and players are asked is in `choices_turn`. Invariants: no machine is held by two groups at a time, a position by two
players never; an official's word stands above every choice but not above that.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from server.core.draws.choices_acts import (
    Command,
    Declined,
    Event,
    MachineReported,
    MachineTaken,
    NameMachine,
    NameOrder,
    OrderNamed,
    PositionTaken,
    ReportMachine,
    TakeMachine,
    TakePosition,
)
from server.core.draws.choices_turn import (
    GroupChoice,
    Question,
    RoundChoice,
    free_again,
    holder,
    questions,
    waiting,
)
from server.core.draws.pairing_errors import PairingImpossible, check_names

MOST_GROUPS = 64
MOST_MACHINES = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why not, and what is possible instead."""

    why: str


def open_round(
    groups: Mapping[str, Sequence[str]],
    machines: Sequence[str],
    seeds: Sequence[str],
    *,
    played: Mapping[str, AbstractSet[str]] | None = None,
) -> RoundChoice:
    """Begin the choices of a round: `groups` by id, `seeds` all players by seed, `played` machines by group.

    Raises PairingImpossible where a player is in two groups or has no seed, a group is empty, or there are too many.
    """
    check_names(machines, "machine", MOST_MACHINES)
    check_names(seeds, "seed")
    check_names([who for group in groups.values() for who in group], "player")
    if len(groups) > MOST_GROUPS:
        raise PairingImpossible(f"{len(groups)} groups are too many: at most {MOST_GROUPS}")
    number = {who: place for place, who in enumerate(seeds)}
    found = []
    for name, members in groups.items():
        if not members:
            raise PairingImpossible(f"group {name} is empty")
        if stranger := next((who for who in members if who not in number), None):
            raise PairingImpossible(f"{stranger} of group {name} has no seed")
        by_seed = tuple(sorted(members, key=number.__getitem__))
        found.append(GroupChoice(id=name, seeds=by_seed, played=frozenset((played or {}).get(name, ()))))
    found.sort(key=lambda group: number[group.seeds[0]])
    return RoundChoice(groups=tuple(found), machines=tuple(machines))


def decide(state: RoundChoice, command: Command) -> tuple[Event, ...] | Refused:
    """Give what follows from a command: its event, then what settles itself (a last position, a machine to take)."""
    event = _event(state, command)
    if isinstance(event, Refused):
        return event
    events: list[Event] = [event]
    state = evolve(state, event)
    while (more := _settles(state)) is not None:
        events.append(more)
        state = evolve(state, more)
    return tuple(events)


def settle(state: RoundChoice) -> RoundChoice:
    """Give the round after what settles itself, for who changed it otherwise than by a command."""
    while (event := _settles(state)) is not None:
        state = evolve(state, event)
    return state


def evolve(state: RoundChoice, event: Event) -> RoundChoice:
    """Apply an event."""
    if isinstance(event, MachineReported):
        return _reported(state, event)
    machines = state.machines
    if isinstance(event, MachineTaken) and event.machine not in machines:
        machines = (*machines, event.machine)
    groups = tuple(_changed(group, event) if group.id == event.group else group for group in state.groups)
    return replace(state, groups=groups, machines=machines)


def _event(state: RoundChoice, command: Command) -> Event | Refused:
    if isinstance(command, ReportMachine):
        return _report(state, command)
    if isinstance(command, NameMachine | NameOrder):
        return _officials(state, command)
    group = next((group for group in state.groups if command.who in group.seeds), None)
    if group is None:
        return Refused(why=f"{command.who} is in no group of this round")
    question = next((question for question in questions(state) if question.group == group.id), None)
    if question is None:
        return Refused(why=_silence(state, group))
    if question.who != command.who:
        chooser = f"{question.who} chooses now" if question.who else "officials decide now"
        return Refused(why=f"in group {group.id}, {chooser}")
    if isinstance(command, TakeMachine):
        if command.machine not in question.machines:
            return Refused(why=_not_that(state, group, question, command.machine))
        return MachineTaken(group=group.id, machine=command.machine, who=command.who)
    if isinstance(command, TakePosition):
        if command.position not in question.positions:
            left = ", ".join(map(str, question.positions))
            return Refused(why=f"position {command.position} is not open: {left or 'the machine is to be chosen now'}")
        return PositionTaken(group=group.id, who=command.who, position=command.position)
    both = question.machines and question.positions
    return Declined(group=group.id, who=command.who,
                    what="first" if both else "machine" if question.machines else "order")  # fmt: skip


def _silence(state: RoundChoice, group: GroupChoice) -> str:
    if group.complete:
        return f"group {group.id} has chosen"
    if group in waiting(state):
        return f"group {group.id} waits until a machine is free"
    return f"the groups with better seeds choose before group {group.id}"


def _not_that(state: RoundChoice, group: GroupChoice, question: Question, machine: str) -> str:
    if not question.machines:
        return f"in group {group.id}, a position is to be chosen now, not a machine"
    if machine not in state.machines:
        return f"there is no machine {machine} in this round"
    if machine in state.out:
        return f"{machine} is out of order"
    if machine in group.played:
        return f"group {group.id} has played {machine} in this stage already"
    taker = next(other.id for other in state.groups if other.machine == machine)
    return f"group {taker} has taken {machine} in this round"


def _officials(state: RoundChoice, command: NameMachine | NameOrder) -> Event | Refused:
    group = next((group for group in state.groups if group.id == command.group), None)
    if group is None:
        return Refused(why=f"there is no group {command.group} in this round")
    if group.ended:
        return Refused(why=f"the game of group {group.id} in this round is over")
    if isinstance(command, NameOrder):
        if sorted(command.order) != sorted(group.seeds):
            return Refused(why=f"the order of group {group.id} needs each of {', '.join(group.seeds)} once")
        return OrderNamed(group=group.id, order=command.order)
    if command.machine in state.out:
        return Refused(why=f"{command.machine} is out of order: report it in first")
    other = holder(state, command.machine)
    if other is not None:
        still = "has it" if other is group else f"waits until group {other.id} has ended on it"
        return Refused(why=f"{command.machine} cannot be named: group {group.id} {still}")
    if len(state.machines) >= MOST_MACHINES and command.machine not in state.machines:
        return Refused(why=f"there are {MOST_MACHINES} machines in this round already")
    return MachineTaken(group=group.id, machine=command.machine, who=None)


def _report(state: RoundChoice, command: ReportMachine) -> Event | Refused:
    name = command.machine
    if command.now == "in":
        if name in state.machines and name not in state.out:
            return Refused(why=f"{name} is in already")
        if name not in state.machines and len(state.machines) >= MOST_MACHINES:
            return Refused(why=f"there are {MOST_MACHINES} machines in this round already")
    elif name not in state.machines:
        return Refused(why=f"there is no machine {name} in this round")
    elif command.now == "out" and name in state.out:
        return Refused(why=f"{name} is out of order already")
    elif command.now == "free":
        group = holder(state, name)
        if group is None:
            return Refused(why=f"no group is on {name}")
        if not group.complete:
            return Refused(why=f"group {group.id} has not chosen its order on {name} yet")
    return MachineReported(machine=name, now=command.now)


def _settles(state: RoundChoice) -> Event | None:
    """Give what needs no choice: the next group must take a machine that is free again; a last position is left."""
    free = free_again(state)
    for group in waiting(state):
        machine = next((name for name in free if name not in group.played), None)
        if machine is not None:
            return MachineTaken(group=group.id, machine=machine, who=None, must=True)
    for group in state.groups:
        begun = group.machine is not None or group.order_by is not None
        if begun and len(group.open_positions) == 1:
            who = next(who for who in group.seeds if who not in group.order)
            return PositionTaken(group=group.id, who=who, position=group.open_positions[0], left_over=True)
    return None


def _changed(group: GroupChoice, event: MachineTaken | PositionTaken | Declined | OrderNamed) -> GroupChoice:
    if isinstance(event, MachineTaken):
        return replace(group, machine=event.machine, machine_by=event.who or group.machine_by)
    if isinstance(event, OrderNamed):
        return replace(group, positions=tuple(enumerate(event.order, 1)))
    if isinstance(event, PositionTaken):
        begins = group.machine is None and group.order_by is None
        positions = (*group.positions, (event.position, event.who))
        return replace(group, positions=positions, order_by=event.who if begins else group.order_by)
    if event.what == "first":
        return replace(group, passed=group.passed | {event.who})
    if event.what == "machine":
        return replace(group, passed_machine=group.passed_machine | {event.who})
    return replace(group, passed_order=group.passed_order | {event.who})


def _reported(state: RoundChoice, event: MachineReported) -> RoundChoice:
    if event.now == "free":
        over = holder(state, event.machine)
        groups = tuple(replace(group, ended=True) if group is over else group for group in state.groups)
        return replace(state, groups=groups)
    if event.now == "out":
        return replace(state, out=state.out | {event.machine})
    machines = state.machines if event.machine in state.machines else (*state.machines, event.machine)
    return replace(state, out=state.out - {event.machine}, machines=machines)
