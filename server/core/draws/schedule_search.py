"""The search for a schedule: pairs of ranks in cells (round, machine), bettered until nothing is broken.

Numbers only: players in order of rank, machines, rounds. Threshold accepting (Dueck, Scheuer 1990) from a start that is
good already; thresholds come from the bits of one fixed stream, so the answer hangs on the question alone.
Invariant: what is returned breaks nothing: no opponent twice, no machine twice, each player once a round.
"""

from dataclasses import dataclass

from server.core.draws.pairing_chance import Chance
from server.core.draws.pairing_match import cheapest
from server.core.draws.schedule_rounds import Pair, close_rounds

Cell = Pair | None
Grid = list[list[Cell]]
"""Round by round, for each machine, the pair that plays there."""

_BROKEN = 40
_DIFFERENCE = 4
_UNEVEN = 20
_STEPS = 15_000
_STEPS_WHEN_LARGE = 8_000
_LARGE = 80
"""Players times rounds from which on the start is so good already that fewer steps do."""
_HEATS = (64, 256, 64, *(256, 128, 512) * 8)
"""How much worse a step may be at first, in sixteenths, by attempt: two are made, more only while none succeeds."""

_ATTEMPTS_IF_BOUND = 12
"""What was played before may leave no schedule: then a shorter search must do."""
_FROM_GOOD = 2
_FIELDS = {4: 0b111, 8: 0b1011}
"""By size, the polynomial of the field with so many elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked for. `ghost` (the last number) is nobody: who is paired with him plays alone.

    `met` and `played` hold what came before: pairs, and (player, machine).
    """

    players: int
    ghost: bool
    machines: int
    rounds: int
    met: frozenset[Pair] = frozenset()
    played: frozenset[tuple[int, int]] = frozenset()


def search(question: Question) -> Grid | None:
    """Give a grid that breaks nothing, with small rank differences and spreads; None where none was found."""
    good = _start(question)
    steps = _STEPS if question.players * question.rounds <= _LARGE else _STEPS_WHEN_LARGE
    best, lowest = None, 0
    free = not question.met and not question.played
    for attempt, heat in enumerate(_HEATS if free else _HEATS[:_ATTEMPTS_IF_BOUND]):
        start = good if attempt < _FROM_GOOD else _woven(question) if attempt == _FROM_GOOD else _naive(question)
        table = _Table(question, [list(row) for row in start])
        found = _anneal(table, Chance(max(0, attempt - 3)), heat, steps)
        if found is not None:
            cost = _Table(question, found).cost()
            if best is None or cost < lowest:
                best, lowest = found, cost
        if best is not None and attempt >= _FROM_GOOD - 1:
            break
    return best


def measure(grid: Grid, real: int, machines: int) -> tuple[int, int]:
    """Give the sum of the rank differences of opponents, and that of the ranks between best and last on each machine.

    `real` is how many players there are without the ghost.
    """
    differences = 0
    here: list[list[int]] = [[] for _ in range(machines)]
    for row in grid:
        for machine, cell in enumerate(row):
            if cell is not None:
                here[machine] += [player for player in cell if player < real]
                differences += abs(cell[0] - cell[1]) if max(cell) < real else 0
    return differences, sum(max(players) - min(players) for players in here if players)


def _start(question: Question) -> Grid:
    """Pairs close in rank, each round's given to the machines so that they spread little; else just any pairs."""
    plain = not question.met and not question.played and not question.ghost
    rounds = close_rounds(question.players, question.rounds) if plain else None
    if rounds is None:
        return _naive(question)
    machines = question.machines
    grid: Grid = [[None] * machines for _ in rounds]
    for turn in range(5 * len(rounds)):
        number = turn % len(rounds)
        pairs: list[Cell] = [*rounds[number]]
        columns = [[row[machine] for other, row in enumerate(grid) if other != number] for machine in range(machines)]
        costs = [[_cost_there(pair, column, machine) for machine, column in enumerate(columns)]
                 for pair in rounds[number]]  # fmt: skip
        grid[number] = [None] * machines
        for pair, machine in zip(pairs, cheapest(costs), strict=True):
            grid[number][machine] = pair
    return grid


def _cost_there(pair: Pair, column: list[Cell], machine: int) -> int:
    here = [player for cell in column if cell is not None for player in cell]
    if not here:
        return abs(pair[0] - 2 * machine)
    broken = sum(player in here for player in pair)
    return max(*here, *pair) - min(*here, *pair) + 1000 * broken


def _naive(question: Question) -> Grid:
    """Neighbours in rank, a machine further on in each round."""
    pairs: list[Cell] = [(first, first + 1) for first in range(0, question.players, 2)]
    return [pairs[turn % len(pairs) :] + pairs[: turn % len(pairs)] + [None] * (question.machines - len(pairs))
            for turn in range(question.rounds)]  # fmt: skip


def _woven(question: Question) -> Grid:
    """Pairs of two halves that move past each other: nothing is broken with fewer rounds than duels in a round.

    In round r the one half has moved on by r places, the other by 2r, or 2r + 1 from the middle on where the number of
    places is even: both are different in each round, and so is the distance between the halves. With 4 or 8 places the
    same is done in the field of so many elements, and then there may be as many rounds as duels.
    """
    pairs = question.players // 2
    field = _FIELDS.get(pairs)
    grid: Grid = []
    for turn in range(question.rounds):
        if field is not None:
            twice = 2 * turn ^ (field if 2 * turn >= pairs else 0)
            row: list[Cell] = [(2 * (k ^ turn), 2 * (k ^ twice) + 1) for k in range(pairs)]
        else:
            further = 2 * turn + (pairs % 2 == 0 and turn >= pairs // 2)
            row = [(2 * ((k + turn) % pairs), 2 * ((k + further) % pairs) + 1) for k in range(pairs)]
        grid.append(row + [None] * (question.machines - pairs))
    return grid


class _Table:
    """A grid with the counts that say what is broken, and what each machine costs."""

    __slots__ = ("broken", "gap", "grid", "machines", "meetings", "nobody", "visits")

    def __init__(self, question: Question, grid: Grid) -> None:
        count, machines = question.players, question.machines
        self.grid = grid
        self.machines = machines
        self.nobody = count - 1 if question.ghost else -1
        self.gap = [[_DIFFERENCE * abs(one - other) * (self.nobody not in {one, other}) for other in range(count)]
                    for one in range(count)]  # fmt: skip
        self.meetings = [[0] * count for _ in range(count)]
        self.visits = [[0] * machines for _ in range(count)]
        self.broken = 0
        for one, other in question.met:
            self.meetings[one][other] = self.meetings[other][one] = 1
        for player, machine in question.played:
            self.visits[player][machine] = 1
        for row in grid:
            for machine, cell in enumerate(row):
                self.put(cell, machine)

    def put(self, cell: Cell, machine: int) -> int:
        """Count a pair in; give the difference in rank, weighed."""
        if cell is None:
            return 0
        one, other = cell
        meetings, first, second = self.meetings, self.visits[one], self.visits[other]
        self.broken += meetings[one][other]
        meetings[one][other] += 1
        meetings[other][one] += 1
        if one != self.nobody:
            self.broken += first[machine]
            first[machine] += 1
        if other != self.nobody:
            self.broken += second[machine]
            second[machine] += 1
        return self.gap[one][other]

    def take(self, cell: Cell, machine: int) -> int:
        """Count a pair out; give the difference in rank, weighed, to be taken off."""
        if cell is None:
            return 0
        one, other = cell
        meetings, first, second = self.meetings, self.visits[one], self.visits[other]
        meetings[one][other] -= 1
        meetings[other][one] -= 1
        self.broken -= meetings[one][other]
        if one != self.nobody:
            first[machine] -= 1
            self.broken -= first[machine]
        if other != self.nobody:
            second[machine] -= 1
            self.broken -= second[machine]
        return -self.gap[one][other]

    def cost(self) -> int:
        """What the whole grid costs, where nothing is broken."""
        differences = sum(self.gap[cell[0]][cell[1]] for row in self.grid for cell in row if cell is not None)
        return differences + sum(self.cost_of(machine) for machine in range(self.machines))

    def cost_of(self, machine: int) -> int:
        """How far the ranks on a machine lie apart, and more the more pairs it has: so all have equally many."""
        best, last, pairs = len(self.gap), -1, 0
        for row in self.grid:
            cell = row[machine]
            if cell is None:
                continue
            pairs += 1
            for player in cell:
                if player != self.nobody:
                    best = min(best, player)
                    last = max(last, player)
        return max(0, last - best) + _UNEVEN * pairs * pairs


def _anneal(table: _Table, chance: Chance, heat: int, steps: int) -> Grid | None:
    """Give the best unbroken grid met on a walk that takes steps for the worse ever more seldom."""
    grid = table.grid
    costs = [table.cost_of(machine) for machine in range(table.machines)]
    value = lowest = 0
    best = [list(row) for row in grid] if table.broken == 0 else None
    for step in range(steps):
        row = grid[chance.below(len(grid))]
        one, other = _two_machines(row, chance)
        if one == other:
            continue
        before = row[one], row[other]
        after = _exchange(before[0], before[1], chance)
        broken = table.broken
        change = table.take(before[0], one) + table.take(before[1], other)
        row[one], row[other] = after
        change += table.put(after[0], one) + table.put(after[1], other)
        new_one, new_other = table.cost_of(one), table.cost_of(other)
        change += new_one - costs[one] + new_other - costs[other]
        change += _BROKEN * (table.broken - broken)
        luck = chance.bits() | 1 << 63
        if change * 16 * steps <= heat * (steps - step) * ((luck & -luck).bit_length() - 1):
            costs[one], costs[other] = new_one, new_other
            value += change
            if table.broken == 0 and (best is None or value < lowest):
                best, lowest = [list(cells) for cells in grid], value
        else:
            table.take(after[0], one)
            table.take(after[1], other)
            row[one], row[other] = before
            table.put(before[0], one)
            table.put(before[1], other)
    return best


def _two_machines(row: list[Cell], chance: Chance) -> tuple[int, int]:
    """Give two machines to exchange between, the first one taken; the same twice where there is nothing to exchange."""
    one, other = chance.below(len(row)), chance.below(len(row))
    if row[one] is None:
        one, other = other, one
    return (one, one) if row[one] is None else (one, other)


def _exchange(here: Cell, there: Cell, chance: Chance) -> tuple[Cell, Cell]:
    """Exchange the pairs, or the partners of the pairs."""
    way = chance.below(5)
    if way == 0 or here is None or there is None:
        return there, here
    (a, b), (c, d) = here, there
    new = ((a, c), (b, d)) if way % 2 else ((a, d), (c, b))
    return new if way < 3 else (new[1], new[0])
