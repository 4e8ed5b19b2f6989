"""Rounds of pairs close in rank: who meets whom, before anybody thinks of machines.

Players are numbers in order of rank. Walking down the ranks, each player either takes as partner somebody above who
still waits, or waits himself. The sum of all rank differences is the number of those waiting, added up over the ranks,
and all that the ranks below need to know is who waits in which round: a dynamic programme over that, cut off at a beam
of the best states. Invariant: nobody meets the same player twice.
"""

from collections import Counter
from dataclasses import dataclass

Pair = tuple[int, int]
Waiting = tuple[tuple[int, ...], ...]
"""Who waits for a partner, round by round; as rounds are alike, they are kept sorted."""

_Way = tuple[list[tuple[int, ...]], tuple[int, ...]]

_TOGETHER = 4
_BEAM = 60
_BEAM_ALONE = 200
_LONGEST_QUEUE = 5


def close_rounds(players: int, rounds: int) -> list[list[Pair]] | None:
    """Give rounds of pairs with a small sum of rank differences, None where the search finds none.

    `players` is even. Up to four rounds are found together, each further one by itself.
    """
    met = [0] * players
    found: list[list[Pair]] = []
    while len(found) < rounds:
        some = _search(players, 1 if found else min(rounds, _TOGETHER), met, _LONGEST_QUEUE + len(found))
        if some is None:
            return None
        found += some
        for one, other in (pair for pairs in some for pair in pairs):
            met[one] |= 1 << other
            met[other] |= 1 << one
    return found


@dataclass(frozen=True, slots=True)
class _Step:
    """The cheapest way to a state: the state before, whom the player took in each round, how the rounds were sorted."""

    cost: int
    before: Waiting
    taken: tuple[int, ...]
    order: tuple[int, ...]


def _search(players: int, rounds: int, met: list[int], queue: int) -> list[list[Pair]] | None:
    nobody: Waiting = ((),) * rounds
    layers: list[dict[Waiting, _Step]] = [{nobody: _Step(0, nobody, (), ())}]
    for player in range(players):
        reached: dict[Waiting, _Step] = {}
        longest = min(queue, players - player - 1)
        for state, step in layers[-1].items():
            for waiting, taken in _ways(state, player, met[player], longest):
                order = tuple(sorted(range(rounds), key=waiting.__getitem__))
                after = tuple(waiting[number] for number in order)
                cost = step.cost + sum(map(len, after))
                known = reached.get(after)
                if known is None or cost < known.cost:
                    reached[after] = _Step(cost, state, taken, order)
        layers.append(_best(reached, _BEAM_ALONE if any(met) else _BEAM))
    return _read_back(layers, nobody) if nobody in layers[-1] else None


def _ways(state: Waiting, player: int, met: int, longest: int) -> list[_Way]:
    """Give each way on: the queues afterwards, and whom the player takes in each round (-1: he waits)."""
    ways: list[_Way] = [([], ())]
    for queue in state:
        further: list[_Way] = []
        for queues, taken in ways:
            for partner in queue:
                if partner not in taken and not met >> partner & 1:
                    rest = tuple(other for other in queue if other != partner)
                    further.append(([*queues, rest], (*taken, partner)))
            if len(queue) < longest:
                further.append(([*queues, (*queue, player)], (*taken, -1)))
        ways = further
    return ways


def _best(reached: dict[Waiting, _Step], beam: int) -> dict[Waiting, _Step]:
    """Keep the most promising states: who waits in k rounds needs k different partners, so pays 0, 1, 2 … more."""
    if len(reached) <= beam:
        return reached

    def promise(state: Waiting) -> tuple[int, Waiting]:
        times = Counter(player for queue in state for player in queue)
        return reached[state].cost + sum(k * (k - 1) // 2 for k in times.values()), state

    return {state: reached[state] for state in sorted(reached, key=promise)[:beam]}


def _read_back(layers: list[dict[Waiting, _Step]], state: Waiting) -> list[list[Pair]]:
    """Follow the steps back from the last player, undoing the sorting of the rounds as we go."""
    rounds: list[list[Pair]] = [[] for _ in state]
    names = list(range(len(state)))
    for player in range(len(layers) - 2, -1, -1):
        step = layers[player + 1][state]
        earlier = [0] * len(names)
        for place, number in enumerate(step.order):
            earlier[number] = names[place]
        names, state = earlier, step.before
        for number, partner in enumerate(step.taken):
            if partner >= 0:
                rounds[names[number]].append((partner, player))
    return [sorted(pairs) for pairs in rounds]
