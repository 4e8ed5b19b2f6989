"""Machines for groups: which group plays where in a round, and who has to wait for a machine.

Plain values in, frozen values out. Invariants: nobody comes to a machine again while one that is free would spare it
(the sum over all players is the least there is), no machine stands idle while a group waits, and equal questions with
equal seeds have equal answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.core.draws.pairing_chance import Chance
from server.core.draws.pairing_errors import PairingImpossible, check_names
from server.core.draws.pairing_match import cheapest

MOST_GROUPS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A group on a machine. `turn` 1 plays at once, 2 after turn 1 has ended there; `again` has been there before."""

    group: tuple[str, ...]
    machine: str
    turn: int
    again: tuple[str, ...]


def draw_machines(
    groups: Sequence[Sequence[str]],
    machines: Sequence[str],
    seed: int,
    *,
    before: Sequence[tuple[str, Sequence[str]]] = (),
) -> tuple[Seat, ...]:
    """Give each group a machine, in the order of the groups. `before` are the games played: machine and players.

    First as few as can be come to a machine again (k times before counts k x k), then the machines are used evenly,
    then chance decides. With fewer machines than groups some play in a second turn, the last ones where nothing
    above hangs on it: the seats say so. Raises PairingImpossible without machines, and beyond 500 groups.
    """
    check_names(machines, "machine")
    check_names([who for group in groups for who in group], "player", most=MOST_GROUPS * 8)
    if not machines:
        raise PairingImpossible("there is no machine to play on")
    if len(groups) > MOST_GROUPS:
        raise PairingImpossible(f"{len(groups)} groups are too many: at most {MOST_GROUPS}")
    played: dict[tuple[str, str], int] = {}
    used = dict.fromkeys(machines, 0)
    for machine, players in before:
        used[machine] = used.get(machine, 0) + 1
        for who in players:
            played[who, machine] = played.get((who, machine), 0) + 1
    turns = max(1, -(-len(groups) // len(machines)))
    places = [(machine, turn) for turn in range(1, turns + 1) for machine in machines]
    again = [
        {machine: sum(played.get((who, machine), 0) ** 2 for who in group) for machine in machines} for group in groups
    ]
    costs = _Costs(again=again, used=used, turns=turns)
    chosen = cheapest(costs.table(places, Chance(seed)))
    return tuple(
        Seat(
            group=tuple(group),
            machine=places[place][0],
            turn=places[place][1],
            again=tuple(who for who in group if (who, places[place][0]) in played),
        )
        for group, place in zip(groups, chosen, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Costs:
    """What a place costs a group: waiting, repeats, uneven use, who waits, chance; each outweighs all of the next.

    Only the last turn can have empty places, so waiting in it is what must be outweighed by nothing.
    """

    again: list[dict[str, int]]
    used: dict[str, int]
    turns: int

    def table(self, places: Sequence[tuple[str, int]], chance: Chance) -> list[list[int]]:
        count = len(self.again)
        most_again = 1 + max((max(row.values()) for row in self.again), default=0)
        most_used = 1 + max(self.used.values(), default=0) + self.turns
        lot = 1 << 10
        late = lot * count
        use = late * (count + 1) * count * self.turns
        repeat = use * most_used * count
        wait = repeat * most_again * count
        return [
            [
                wait * (turn == self.turns)
                + repeat * again[machine]
                + use * (self.used[machine] + turn)
                + late * (count - number) * (turn - 1)
                + chance.below(lot)
                for machine, turn in places
            ]
            for number, again in enumerate(self.again)
        ]
