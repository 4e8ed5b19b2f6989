"""Schedules: rounds of games of two, drawn before the stage begins (U4.1, U4.2, E3.9).

What lives here is the question in a tournament's words and the answer in them; the search is in `schedule_search`.
Invariants of every schedule: each player once a round, nobody meets a player twice, nobody comes to a machine twice,
no two pairs on a machine at a time; equal questions with equal seeds have equal answers.

Among those that keep the invariants, the aim is the least of 4 times the sum of the rank differences of opponents,
plus the sum over the machines of the ranks between the best and the last player on it (`benchmarks/schedules.py`
holds what is found against lower bounds). The seed draws the machines for the places, the order of the rounds, and
which end of the ranking is the search's first: all seeds are equally good.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from server.core.draws.pairing_chance import Chance
from server.core.draws.pairing_errors import PairingImpossible, check_names
from server.core.draws.schedule_search import Grid, Question, measure, search

MOST_PLAYERS = 128
MOST_ROUNDS = 8
MOST_MACHINES = 128

_NEED_MORE = {(4, 2): 4, (4, 3): 6, (6, 5): 6, (8, 5): 6}
"""Machines that (players, rounds) need where half the players, or the rounds, are too few: the Howell designs H(2,4),
H(3,4), H(5,6), H(5,8) do not exist; all others do (Anderson, Schellenberg, Stinson 1984)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """One game of two, or two games of the same two (E3.6). The better rank comes first; one player: he plays alone."""

    round: int
    machine: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The duels by round and the machines' order; `differences` and `spreads` are the two sums of the aim."""

    duels: tuple[Duel, ...]
    differences: int
    spreads: int


def machines_needed(players: int, rounds: int) -> int:
    """Give how many machines a schedule needs at least: one a pair, one a round, and more for a few small fields."""
    even = players + players % 2
    return max(even // 2, rounds, _NEED_MORE.get((even, rounds), 0))


def duel_schedule(
    players: Sequence[str],
    machines: Sequence[str],
    rounds: int,
    seed: int,
    *,
    before: Sequence[Duel] = (),
) -> Schedule:
    """Draw rounds of duels (U4.1, U4.2). `players` in order of rank, `machines` in the organisers' order.

    As many machines are used as there are duels in a round, the first of those given, so that as many scores come
    together on each; more of them only where there is no schedule otherwise. `before` are duels that stand (of players
    who are still there or not): nobody meets or plays again what is in them, and the rounds are numbered on.

    Raises PairingImpossible, with the reason, for an odd number of players, too few machines, more rounds than there
    are opponents or machines, and where no schedule exists or is found.
    """
    _check(players, machines, rounds)
    if len(players) % 2:
        raise PairingImpossible(
            f"{len(players)} players cannot all play duels at once: leave one out, or let one more in"
        )
    if not before:
        _check_exists(players, machines, rounds)
    need = machines_needed(len(players), rounds)
    return _draw(players, machines, rounds, Chance(seed), min(need, len(machines)), before)


def partner_schedule(
    players: Sequence[str],
    machines: Sequence[str],
    seed: int,
    *,
    rounds: int = 3,
    before: Sequence[Duel] = (),
) -> Schedule:
    """Draw the partners and machines of a quarterfinal group (E3.9): `rounds` turns on the machines given.

    `players` in order of rank, without the empty seats. All machines are used, as evenly as can be, because the scores
    of every group are ranked together on them (E3.7). With an odd number one plays alone in each round, nobody twice.
    `before` is as in `duel_schedule`.

    Raises PairingImpossible as `duel_schedule` does, but not for an odd number.
    """
    _check(players, machines, rounds)
    if not before:
        _check_exists(players, machines, rounds)
    return _draw(players, machines, rounds, Chance(seed), len(machines), before)


def _check(players: Sequence[str], machines: Sequence[str], rounds: int) -> None:
    check_names(players, "player", MOST_PLAYERS)
    check_names(machines, "machine", MOST_MACHINES)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise PairingImpossible(f"a schedule has 1 to {MOST_ROUNDS} rounds, not {rounds}")
    if len(players) < 2:
        raise PairingImpossible(f"a duel needs two players: there {'is 1' if players else 'are none'}")
    opponents = len(players) - 1 + len(players) % 2
    if rounds > opponents:
        raise PairingImpossible(
            f"{len(players)} players can play at most {opponents} {_rounds(opponents)} without meeting again:"
            f" {rounds} are asked for"
        )
    if rounds > len(machines):
        raise PairingImpossible(
            f"{rounds} rounds without coming to a machine twice need {rounds} machines: there are {len(machines)}"
        )
    duels = (len(players) + 1) // 2
    if duels > len(machines):
        turns = -(-duels // len(machines))
        raise PairingImpossible(
            f"{duels} duels at once need {duels} machines: there are {len(machines)}"
            f" (they would do if a round may take {turns} turns)"
        )


def _check_exists(players: Sequence[str], machines: Sequence[str], rounds: int) -> None:
    """Refuse at once the few small fields that need more machines than they have duels or rounds."""
    need = machines_needed(len(players), rounds)
    if len(players) % 2 == 0 and len(players) // 2 <= len(machines) < need:
        raise PairingImpossible(
            f"{len(players)} players can play {rounds} {_rounds(rounds)} without coming to a machine or an opponent"
            f" twice on {need} machines or more: there are {len(machines)}"
        )


def _draw(
    players: Sequence[str], machines: Sequence[str], rounds: int, chance: Chance, least: int, before: Sequence[Duel]
) -> Schedule:
    """Ask for the least number of machines, then for more, until there is a schedule."""
    _check_left(players, machines, rounds, before)
    for count in range(least, len(machines) + 1):
        used = chance.shuffled(machines[:count])
        question = _question(players, used, rounds, before)
        found = _search(question)
        if found is not None:
            grid = _turn_about(found, question, chance)
            return _schedule(grid, players, machines, used, 1 + max((duel.round for duel in before), default=0))
        if count - least == (1 if before else 3):
            break
    more = " more, after what was played before" if before else ""
    raise PairingImpossible(
        f"no schedule was found for {len(players)} players on {len(machines)} machines in {rounds}"
        f" {_rounds(rounds)}{more}: draw fewer rounds, or add machines"
    )


def _check_left(players: Sequence[str], machines: Sequence[str], rounds: int, before: Sequence[Duel]) -> None:
    """Refuse at once where somebody has not enough opponents or machines left."""
    there, bank = set(players), set(machines)
    for who in players:
        mine = [duel for duel in before if who in duel.players]
        met = {other for duel in mine for other in duel.players} & there - {who}
        alone = len(players) % 2 and not any(len(duel.players) == 1 for duel in mine)
        opponents = len(players) - 1 - len(met) + alone
        fresh = len(bank - {duel.machine for duel in mine})
        for left, noun in ((opponents, "opponent"), (fresh, "machine")):
            if left < rounds:
                many = noun if left == 1 else f"{noun}s"
                raise PairingImpossible(f"{who} has {left} new {many} left: too few for {rounds} {_rounds(rounds)}")


def _question(players: Sequence[str], machines: Sequence[str], rounds: int, before: Sequence[Duel]) -> Question:
    ranks = {who: rank for rank, who in enumerate(players)}
    numbers = {name: number for number, name in enumerate(machines)}
    duels = (len(players) + 1) // 2
    ghost = len(players) % 2 == 1
    met: set[tuple[int, int]] = set()
    for duel in before:
        here = sorted(ranks.get(who, -1) for who in duel.players)
        if ghost and len(here) == 1:
            here.append(len(players))
        if len(here) == 2 and here[0] >= 0:
            met.add((here[0], here[1]))
    return Question(
        players=2 * duels,
        ghost=ghost,
        machines=len(machines),
        rounds=rounds,
        met=frozenset(met),
        played=frozenset(
            (ranks[who], numbers[duel.machine])
            for duel in before
            if duel.machine in numbers
            for who in duel.players
            if who in ranks
        ),
    )


@lru_cache(maxsize=1024)
def _search(question: Question) -> Grid | None:
    return search(question)


def _turn_about(grid: Grid, question: Question, chance: Chance) -> Grid:
    """Draw the order of the rounds, and, where all ranks are alike to the rules, which end of the ranking is first."""
    last = question.players - 1
    turned: Grid = chance.shuffled(grid)
    if question.ghost or question.met or question.played or chance.below(2):
        return turned
    return [[None if cell is None else (last - cell[0], last - cell[1]) for cell in row] for row in turned]


def _schedule(grid: Grid, players: Sequence[str], machines: Sequence[str], used: Sequence[str], first: int) -> Schedule:
    order = {name: number for number, name in enumerate(machines)}
    duels = [
        Duel(
            round=first + number,
            machine=used[place],
            players=tuple(players[rank] for rank in sorted(cell) if rank < len(players)),
        )
        for number, row in enumerate(grid)
        for place, cell in enumerate(row)
        if cell is not None
    ]
    duels.sort(key=lambda duel: (duel.round, order[duel.machine]))
    differences, spreads = measure(grid, len(players), len(used))
    return Schedule(duels=tuple(duels), differences=differences, spreads=spreads)


def _rounds(count: int) -> str:
    return "round" if count == 1 else "rounds"
