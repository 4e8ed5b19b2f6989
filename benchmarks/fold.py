"""How long the rules take: a generated tournament of growing length, read, folded and described (processor seconds).

Folded twice: with the garbage collector at rest, as `inlane-server standings` does it, and with the collector at work.

    .venv/bin/python benchmarks/fold.py [--games 100000] [--players 1000] [--machines 100] [--file]

Prints one line a size, doubling up to the one asked for. `--file` also times the YAML file.
"""

import argparse
import gc
import random
import time

from server.core.rules import Tournament, evaluate, parse
from server.tournament_file import dump, loads


def generate(games: int, players: int, machines: int) -> dict[str, object]:
    """Make a document of a tournament in which one game in a hundred needs an official."""
    chance = random.Random(1)  # noqa: S311
    people = [f"p{number}" for number in range(players)]
    bank = [f"m{number}" for number in range(machines)]
    log: list[dict[str, object]] = [{"register": who} for who in people]
    log += [{"buy": who, "entries": games // players} for who in people]
    for number in range(games):
        who, score = chance.choice(people), int(chance.lognormvariate(16, 1.2))
        minute = f"2010-05-{13 + number * 3 // games:02}T{10 + number % 9:02}:{number % 60:02}"
        log.append({"game": f"g{number}", "machine": chance.choice(bank), "scores": {who: score}, "at": minute})
        if number % 200 == 100:
            log.append({"correct": f"g{number}", "scores": {who: score + 1}, "why": "a digit"})
        elif number % 200 == 150:
            log.append({"ruling": f"g{number}", "kind": "fraction", "factor": "0.8", "why": "extra ball"})
    return {
        "inlane": 1,
        "tournament": "generated",
        "preset": "tpc",
        "timezone": "America/Toronto",
        "players": [{"id": who, "name": who.upper(), "division": "A"} for who in people],
        "machines": [{"id": name, "name": name.upper(), "division": "A"} for name in bank],
        "log": [*log, {"close": "A/qualifying", "at": "2010-05-15T22:00"}],
    }


def seconds(repeat: int, tournament: Tournament) -> float:
    """Give the best of a few runs."""
    best = float("inf")
    for _ in range(repeat):
        begun = time.process_time()
        state = evaluate(tournament)
        best = min(best, time.process_time() - begun)
    assert state["refused"] == []
    return best


def main() -> None:
    """Print seconds by size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--machines", type=int, default=100)
    parser.add_argument("--file", action="store_true")
    options = parser.parse_args()
    sizes = [options.games // 2**step for step in (3, 2, 1, 0)]
    print(
        f"{'games':>8} {'parse s':>8} {'evaluate s':>10} {'us/game':>8} {'collecting s':>12}"
        + ("  load s" if options.file else "")
    )
    for size in sizes:
        document = generate(size, options.players, options.machines)
        begun = time.process_time()
        tournament = parse(document)
        parsed = time.process_time() - begun
        collecting = seconds(3, tournament)
        gc.disable()
        folded = seconds(3, tournament)
        gc.enable()
        line = f"{size:>8} {parsed:>8.3f} {folded:>10.3f} {folded / size * 1e6:>8.2f} {collecting:>12.3f}"
        if options.file:
            text = dump(tournament)
            begun = time.process_time()
            loads(text)
            line += f"  {time.process_time() - begun:.3f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
