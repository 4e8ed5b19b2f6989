"""How good and how quick the schedules and draws are, held against lower bounds.

    .venv/bin/python -m benchmarks.schedules [--most 64] [--rounds 6] [--draws]

For each number of rounds and players: the sum of the rank differences of opponents, its lower bound (each player's
nearest ranks; for small fields the exact least sum of disjoint rounds, without a thought of machines), the sum of the
ranks between best and last over the machines, its lower bound (2 x rounds - 1 on each), and processor seconds.
`--draws` plays match play instead: who meets again, who comes to a machine again, the slowest draw.
"""

import argparse
import time
from collections import Counter

from server.core.draws.pairing import Style, draw_groups
from server.core.draws.pairing_machines import draw_machines
from server.core.draws.schedule import Schedule, duel_schedule
from server.core.draws.schedule_rounds import Waiting, _ways

EXACT_UP_TO = 12


def check(schedule: Schedule, players: int, rounds: int) -> None:
    assert len(schedule.duels) == rounds * players // 2
    assert max(Counter((duel.round, who) for duel in schedule.duels for who in duel.players).values()) == 1
    assert max(Counter(frozenset(duel.players) for duel in schedule.duels).values()) == 1
    assert max(Counter((who, duel.machine) for duel in schedule.duels for who in duel.players).values()) == 1


def nearest(players: int, rounds: int) -> int:
    """Nobody can do better than to meet the ranks nearest to his own."""
    ends = sum(sum(sorted(abs(one - other) for other in range(players) if other != one)[:rounds])
               for one in range(players))  # fmt: skip
    return -(-ends // 2)


def exact(players: int, rounds: int, found: int) -> bool:
    """Say whether there are no disjoint rounds with a smaller sum than the one found: every way is tried."""
    layer: dict[Waiting, int] = {((),) * rounds: 0}
    for player in range(players):
        left = rounds * sum(1 for later in range(player + 1, players) if later % 2 == 0)
        following: dict[Waiting, int] = {}
        for state, cost in layer.items():
            for queues, _ in _ways(state, player, 0, players - player - 1):
                after = tuple(sorted(queues))
                total = cost + sum(map(len, after))
                if total + left < found and total < following.get(after, found):
                    following[after] = total
        layer = following
    return not layer


def schedules(most: int, most_rounds: int) -> None:
    print("rounds players  differences  bound          spreads  bound  seconds")
    for rounds in range(1, most_rounds + 1):
        for players in (*range(max(2, 2 * rounds), 33, 2), *range(40, most + 1, 8)):
            if players > most or (players, rounds) == (4, 2):
                continue
            names, machines = [str(n) for n in range(players)], [str(n) for n in range(players // 2)]
            begun = time.process_time()
            schedule = duel_schedule(names, machines, rounds, seed=1)
            seconds = time.process_time() - begun
            check(schedule, players, rounds)
            least = ""
            if players <= EXACT_UP_TO and rounds <= 4:
                least = "least" if exact(players, rounds, schedule.differences) else "not least"
            print(f"{rounds:6} {players:7} {schedule.differences:12} {nearest(players, rounds):6} {least:9}"
                  f" {schedule.spreads:11} {(2 * rounds - 1) * players // 2:6} {seconds:8.2f}", flush=True)  # fmt: skip


def draws() -> None:
    print("players size style     again                                on a machine again               slowest s")
    plans: list[tuple[int, int, Style, int]] = [
        (16, 4, "balanced", 5), (16, 4, "swiss", 5), (40, 4, "balanced", 8), (40, 4, "swiss", 8), (41, 2, "swiss", 8),
        (100, 4, "balanced", 8), (100, 4, "swiss", 8), (200, 4, "swiss", 6), (1000, 4, "swiss", 3),
    ]  # fmt: skip
    for count, size, style, rounds in plans:
        points = {str(number): 0 for number in range(count)}
        before: list[tuple[str, ...]] = []
        games: list[tuple[str, tuple[str, ...]]] = []
        again, same, slowest = [], [], 0.0
        for number in range(rounds):
            standing = sorted(points, key=points.__getitem__, reverse=True)
            begun = time.process_time()
            draw = draw_groups(standing, size, number, style=style, points=points, before=before)
            seats = draw_machines(draw.groups, [f"m{k}" for k in range(len(draw.groups) + 4)], number, before=games)
            slowest = max(slowest, time.process_time() - begun)
            before += [*draw.groups, *([(draw.bye,)] if draw.bye is not None else [])]
            games += [(seat.machine, seat.group) for seat in seats]
            again.append(len(draw.repeats))
            same.append(sum(len(seat.again) for seat in seats))
            for group in draw.groups:
                for place, who in enumerate(sorted(group, key=int)):
                    points[who] += (7, 5, 3, 1)[place]
        print(f"{count:7} {size:4} {style:9} {again!s:36} {same!s:32} {slowest:8.2f}", flush=True)


def main() -> None:
    """Print the table asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--draws", action="store_true")
    asked = parser.parse_args()
    if asked.draws:
        draws()
    else:
        schedules(asked.most, asked.rounds)


if __name__ == "__main__":
    main()
