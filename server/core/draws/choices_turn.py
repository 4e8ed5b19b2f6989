"""The choice of machine and order in a round of groups (T11): how it stands, and who may choose what now.

Only the state and what can be read from it live here; `choices` changes it. Invariant: for each group there is at most
one question at a time, and it is put to one player, or to the officials where nobody else is left to ask.
"""

from dataclasses import dataclass
from typing import Literal

Turn = Literal["has", "now", "waits", "later"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChoice:
    """One group. `seeds` best first; `played` are the machines that it has played in this stage.

    `positions` are taken places in the order of play, from 1. `machine_by` and `order_by` say who took which choice
    first; `passed` has declined the first choice, `passed_machine` and `passed_order` the later ones. `ended`: its game
    of this round is over.
    """

    id: str
    seeds: tuple[str, ...]
    played: frozenset[str]
    machine: str | None = None
    machine_by: str | None = None
    order_by: str | None = None
    positions: tuple[tuple[int, str], ...] = ()
    passed: frozenset[str] = frozenset()
    passed_machine: frozenset[str] = frozenset()
    passed_order: frozenset[str] = frozenset()
    ended: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """The players in order of play, as far as it is chosen."""
        return tuple(who for _, who in sorted(self.positions))

    @property
    def open_positions(self) -> tuple[int, ...]:
        """The positions nobody has taken."""
        taken = {position for position, _ in self.positions}
        return tuple(position for position in range(1, len(self.seeds) + 1) if position not in taken)

    @property
    def complete(self) -> bool:
        """Machine and order are known: the group can play."""
        return self.machine is not None and not self.open_positions


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundChoice:
    """A round: groups in the order of their best seeds, the machines, and those of them that are out of order."""

    groups: tuple[GroupChoice, ...]
    machines: tuple[str, ...]
    out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Who may choose what now. `who` is None where officials decide; what may not be chosen is empty."""

    group: str
    who: str | None
    machines: tuple[str, ...]
    positions: tuple[int, ...]


def questions(state: RoundChoice) -> tuple[Question, ...]:
    """Give what is to be chosen now, by group in turn; nothing for groups that wait, or have chosen."""
    asked = (_question(state, group, turn) for group, turn in zip(state.groups, turns(state), strict=True))
    return tuple(question for question in asked if question is not None)


def waiting(state: RoundChoice) -> tuple[GroupChoice, ...]:
    """Give the groups that must wait for a machine to become free, the next in turn first (T11.4)."""
    return tuple(group for group, turn in zip(state.groups, turns(state), strict=True) if turn == "waits")


def turns(state: RoundChoice) -> list[Turn]:
    """Say of each group: it `has` its machine, it is `now` its turn, it `waits` for a machine, or its turn is `later`.

    A group waits when its turn has come and each machine that it has not played is taken in this round.
    """
    found: list[Turn] = []
    for group in state.groups:
        if group.machine is not None:
            found.append("has")
        elif "now" in found:
            found.append("later")
        elif _machine_is_next(group) and playable(state, group) and not choosable(state, group):
            found.append("waits")
        else:
            found.append("now")
    return found


def playable(state: RoundChoice, group: GroupChoice) -> tuple[str, ...]:
    """Give the machines in order that the group has not played in this stage."""
    return tuple(name for name in state.machines if name not in state.out and name not in group.played)


def choosable(state: RoundChoice, group: GroupChoice) -> tuple[str, ...]:
    """Give those of them that no group has taken in this round (T11.1)."""
    taken = {other.machine for other in state.groups}
    return tuple(name for name in playable(state, group) if name not in taken)


def holder(state: RoundChoice, machine: str) -> GroupChoice | None:
    """Give the group that plays, or will play, on a machine in this round; None where no group does (any more)."""
    return next((group for group in state.groups if group.machine == machine and not group.ended), None)


def free_again(state: RoundChoice) -> tuple[str, ...]:
    """Give the machines in order on which a game of this round is over and none has followed."""
    over = {group.machine for group in state.groups if group.ended}
    return tuple(
        name for name in state.machines if name in over and name not in state.out and holder(state, name) is None
    )


def _machine_is_next(group: GroupChoice) -> bool:
    return group.order_by is None or not group.open_positions


def _question(state: RoundChoice, group: GroupChoice, turn: Turn) -> Question | None:
    if turn in {"waits", "later"} or group.ended:
        return None
    lost = group.machine is not None and group.machine in state.out
    if lost or (turn == "now" and not playable(state, group)):
        return Question(group=group.id, who=None, machines=choosable(state, group), positions=())
    if turn == "now" and group.order_by is None:
        first = next((who for who in group.seeds if who not in group.passed), None)
        return Question(group=group.id, who=first, machines=choosable(state, group), positions=group.open_positions)
    if group.open_positions:
        return Question(group=group.id, who=_position_chooser(group), machines=(), positions=group.open_positions)
    if turn == "now":
        return Question(group=group.id, who=_machine_chooser(group), machines=choosable(state, group), positions=())
    return None


def _machine_chooser(group: GroupChoice) -> str | None:
    """T11.2: after the order the machine goes to the next seed."""
    declined = group.passed | group.passed_machine | {group.order_by}
    return next((who for who in group.seeds if who not in declined), None)


def _position_chooser(group: GroupChoice) -> str | None:
    """By seed; who declined the first choice after those who did not, who took the machine last of all."""
    if set(group.seeds) == group.passed:
        return None
    placed = {who for _, who in group.positions}
    asked = [who for who in group.seeds if who not in placed and who not in group.passed_order]
    return min(asked, key=lambda who: (who == group.machine_by, who in group.passed), default=None)
