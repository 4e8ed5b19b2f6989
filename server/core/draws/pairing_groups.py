"""Bettering groups: exchanges between groups until none makes the whole better, again and again from near by.

Numbers only, no names. Pairs are brought to the fewest repeats there can be by an exact matching; larger groups have no
such method. Invariant: the sizes of the groups never change, and the answer is never worse than the groups given.
"""

from dataclasses import dataclass

from server.core.draws.pairing_chance import Chance
from server.core.draws.pairing_match import most_pairs

Groups = list[list[int]]

_WORK = 400_000
_ROUNDS = 60
_REACH = 8
_ALL_REACHED = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is unwelcome. `apart[player]` is a place in the standings: the distances inside a group are added up.

    `met[one][other]` counts meetings: k of them cost k x k x `repeat` more. `short[player]` is what it costs to put him
    into a group smaller than `size`.
    """

    apart: list[int]
    met: list[list[int]]
    repeat: int
    short: list[int]
    size: int


def arrange(groups: Groups, wishes: Wishes, chance: Chance) -> Groups:
    """Give groups of the same sizes that are as welcome as was found."""
    table = _Table(wishes, [list(group) for group in groups])
    table.descend()
    if wishes.size == 2:
        _fewest_repeats(table)
    best, lowest = table.copied(), table.total()
    for _ in range(_ROUNDS):
        if lowest == 0 or table.work > _WORK or len(groups) < 2:
            break
        table.shake(chance)
        table.descend()
        total = table.total()
        if total < lowest:
            best, lowest = table.copied(), total
        else:
            table.groups = [list(group) for group in best]
    return best


class _Table:
    """The groups with the cost of each pair."""

    __slots__ = ("cost", "groups", "wishes", "work")

    def __init__(self, wishes: Wishes, groups: Groups) -> None:
        self.groups = groups
        self.wishes = wishes
        self.work = 0
        places = wishes.apart
        self.cost = [
            [abs(place - other) + wishes.repeat * times * times for other, times in zip(places, row, strict=True)]
            for place, row in zip(places, wishes.met, strict=True)
        ]

    def copied(self) -> Groups:
        return [list(group) for group in self.groups]

    def total(self) -> int:
        return sum(self.share(player, group) for group in self.groups for player in group) // 2 + sum(
            self.wishes.short[player] for group in self.groups if len(group) < self.wishes.size for player in group
        )

    def share(self, player: int, group: list[int]) -> int:
        line = self.cost[player]
        return sum(line[other] for other in group if other != player)

    def descend(self) -> None:
        """Exchange two players of two groups as long as that makes the whole better."""
        reach = len(self.groups) if len(self.wishes.apart) <= _ALL_REACHED else _REACH
        better = True
        while better:
            better = False
            for number, group in enumerate(self.groups):
                for other in self.groups[number + 1 : number + 1 + reach]:
                    better = self._exchange(group, other) or better

    def _exchange(self, group: list[int], other: list[int]) -> bool:
        """Make the exchanges between two groups that better them; say whether there was one."""
        done = False
        short = self.wishes.short
        uneven = (len(other) < self.wishes.size) - (len(group) < self.wishes.size)
        for here in range(len(group)):
            for there, two in enumerate(other):
                one = group[here]
                self.work += 1
                burdens = self.share(one, group) + self.share(two, other)
                if burdens == 0 and not uneven:
                    continue
                line, row = self.cost[one], self.cost[two]
                after = sum(row[who] for who in group) - row[one] + sum(line[who] for who in other) - line[two]
                if after + uneven * (short[one] - short[two]) < burdens:
                    group[here], other[there] = two, one
                    done = True
        return done

    def shake(self, chance: Chance) -> None:
        """Exchange three pairs of players by chance, those of groups near each other."""
        for _ in range(3):
            first = chance.below(len(self.groups))
            second = min(len(self.groups) - 1, max(0, first + chance.below(2 * _REACH + 1) - _REACH))
            one, other = self.groups[first], self.groups[second]
            here, there = chance.below(len(one)), chance.below(len(other))
            one[here], other[there] = other[there], one[here]


def _fewest_repeats(table: _Table) -> None:
    """Where pairs meet again, see whether that can be helped: an exact matching of who has not met."""
    met = table.wishes.met
    again = sum(met[one][other] > 0 for one, other in table.groups)
    if not again:
        return
    count = len(met)
    near = [
        sorted(
            (other for other in range(count) if other != one and not met[one][other]), key=table.cost[one].__getitem__
        )
        for one in range(count)
    ]
    partner = most_pairs(near)
    left = [one for one in range(count) if partner[one] < 0]
    if len(left) // 2 >= again:
        return
    pairs = [[one, other] for one, other in enumerate(partner) if one < other]
    table.groups = sorted([*pairs, *([left[k], left[k + 1]] for k in range(0, len(left), 2))])
    table.descend()
