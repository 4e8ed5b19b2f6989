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
    best, lowest = table.kept(), table.total()
    for _ in range(_ROUNDS):
        if lowest == 0 or table.work > _WORK or len(groups) < 2:
            break
        table.shake(chance)
        table.descend()
        total = table.total()
        if total < lowest:
            best, lowest = table.kept(), total
        else:
            table.come_back(best)
    return best[0]


class _Table:
    """The groups with the cost of each pair.

    `marks` tell one state of a group from every other, so that two groups between which nothing was to be gained are
    not looked at again (`settled`) until one of them has changed; `work` counts as if they were.
    """

    __slots__ = ("_fresh", "cost", "groups", "inside", "marks", "settled", "span", "wishes", "work")

    def __init__(self, wishes: Wishes, groups: Groups) -> None:
        self.wishes = wishes
        self.work = 0
        places = wishes.apart
        self.cost = [
            [abs(place - other) + wishes.repeat * times * times for other, times in zip(places, row, strict=True)]
            for place, row in zip(places, wishes.met, strict=True)
        ]
        self._fresh = 0
        self.settled: set[tuple[int, int]] = set()
        self.begin(groups)

    def begin(self, groups: Groups) -> None:
        """Take other groups."""
        self.groups = groups
        self.inside = [0] * len(self.cost)
        self.marks = [0] * len(groups)
        self.span = [(0, 0, 0)] * len(groups)
        for number in range(len(groups)):
            self._mark(number)

    def kept(self) -> tuple[Groups, list[int]]:
        """Give the groups as they are now, to come back to."""
        return [list(group) for group in self.groups], list(self.marks)

    def come_back(self, kept: tuple[Groups, list[int]]) -> None:
        """Take the groups as they were."""
        groups, marks = kept
        for number, mark in enumerate(marks):
            if self.marks[number] != mark:
                self.groups[number], self.marks[number] = list(groups[number]), mark
                self._weigh(number)

    def total(self) -> int:
        return sum(self.inside[player] for group in self.groups for player in group) // 2 + sum(
            self.wishes.short[player] for group in self.groups if len(group) < self.wishes.size for player in group
        )

    def descend(self) -> None:
        """Exchange two players of two groups as long as that makes the whole better."""
        groups, marks, settled = self.groups, self.marks, self.settled
        reach = len(groups) if len(self.wishes.apart) <= _ALL_REACHED else _REACH
        better = True
        while better:
            better = False
            for number, group in enumerate(groups):
                for other in range(number + 1, min(number + 1 + reach, len(groups))):
                    self.work += len(group) * len(groups[other])
                    if (marks[number], marks[other]) not in settled and self._may_gain(number, other):
                        better = self._exchange(number, other) or better

    def shake(self, chance: Chance) -> None:
        """Exchange three pairs of players by chance, those of groups near each other."""
        for _ in range(3):
            first = chance.below(len(self.groups))
            second = min(len(self.groups) - 1, max(0, first + chance.below(2 * _REACH + 1) - _REACH))
            one, other = self.groups[first], self.groups[second]
            here, there = chance.below(len(one)), chance.below(len(other))
            one[here], other[there] = other[there], one[here]
            self._mark(first)
            self._mark(second)

    def _mark(self, number: int) -> None:
        """Note that a group has changed."""
        self._fresh += 1
        self.marks[number] = self._fresh
        self._weigh(number)

    def _weigh(self, number: int) -> None:
        """Work out what each player of a group costs there, the most of it, and from where to where they stand."""
        group, apart = self.groups[number], self.wishes.apart
        for player in group:
            line = self.cost[player]
            self.inside[player] = sum([line[other] for other in group if other != player])
        places = [apart[player] for player in group]
        self.span[number] = max([self.inside[player] for player in group]), min(places), max(places)

    def _may_gain(self, number: int, next_to: int) -> bool:
        """Say whether an exchange may gain anything: no more can be spared than two players cost where they are.

        What it costs is at least the distance of the groups, for each of those whom they come to.
        """
        count = len(self.groups[number])
        if count != len(self.groups[next_to]):
            return True
        cost, low, high = self.span[number]
        cost_there, low_there, high_there = self.span[next_to]
        return cost + cost_there > 2 * (count - 1) * max(low_there - high, low - high_there, 0)

    def _exchange(self, number: int, next_to: int) -> bool:
        """Make the exchanges between two groups that better them; say whether there was one."""
        group, other = self.groups[number], self.groups[next_to]
        start = 0
        while max(gains := self._gains(group, other)) > 0:
            found = next((at for at in range(start, len(gains)) if gains[at] > 0), None)
            if found is None:
                break
            here, there = divmod(found, len(other))
            group[here], other[there] = other[there], group[here]
            self._mark(number)
            self._mark(next_to)
            start = found + 1
        if not start:
            self.settled.add((self.marks[number], self.marks[next_to]))
        return start > 0

    def _gains(self, group: list[int], other: list[int]) -> list[int]:
        """Give what is spared by exchanging the first of a group with the first of the other, then the second, …"""
        inside, short, size = self.inside, self.wishes.short, self.wishes.size
        across = [[line[two] for two in other] for line in [self.cost[one] for one in group]]
        ours = [inside[one] - sum(row) for one, row in zip(group, across)]  # noqa: B905 - every nanosecond counts here
        theirs = [inside[two] - sum(column) for two, column in zip(other, zip(*across))]  # noqa: B905
        uneven = (len(other) < size) - (len(group) < size)
        if uneven:
            ours = [spared - uneven * short[one] for one, spared in zip(group, ours, strict=True)]
            theirs = [spared + uneven * short[two] for two, spared in zip(other, theirs, strict=True)]
        return [mine + his + 2 * both for mine, row in zip(ours, across) for his, both in zip(theirs, row)]  # noqa: B905


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
    table.begin(sorted([*pairs, *([left[k], left[k + 1]] for k in range(0, len(left), 2))]))
    table.descend()
