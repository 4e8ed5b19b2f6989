"""How long the rules take: generated tournaments of growing length, folded whole, and carried on by one game at a time.

Processor seconds of one core, with the garbage collector at rest as `inlane-server standings` has it (`all s`) and at
work (`collecting s`). `next ms` is what new standings cost after one more game, the mean of many games in a row, and
`worst ms` the dearest of them; `corrected ms` the same after a correction of an old game.

    .venv/bin/python benchmarks/fold.py [--games 100000] [--players 1000] [--machines 100] [--presets tpc] [--file]

Prints one line a size, doubling up to the one asked for. `--file` also times the YAML file.
"""

import argparse
import gc
import random
import time
from collections.abc import Iterable
from typing import Any

from server.core.rules import Running, Tournament, evaluate, parse, with_entry
from server.tournament_file import dump, loads

RULES: dict[str, dict[str, object]] = {
    "tpc": {},
    "uk-open": {"machines_per_player": 100_000, "places_pre": None, "places_day": None},
    "epc-classic": {},
}
"""Where a preset allows a player six machines, it has to allow as many games here."""
MORE = 200
CORRECTIONS = 20


def generate(preset: str, games: int, players: int, machines: int) -> dict[str, object]:
    """Make a document of a tournament in which one game in a hundred needs an official."""
    chance = random.Random(1)  # noqa: S311
    people = [f"p{number}" for number in range(players)]
    bank = [f"m{number}" for number in range(machines)]
    log: list[dict[str, object]] = []
    if preset != "epc-classic":
        log += [{"register": who} for who in people]
    if preset != "uk-open":
        log += [{"buy": who, "entries": max(games // players, 1)} for who in people]
    order = list(range(players * machines))
    chance.shuffle(order)
    for number in range(games):
        if preset == "uk-open":  # a machine once each
            who, where = people[order[number] % players], bank[order[number] // players]
        else:
            who, where = chance.choice(people), chance.choice(bank)
        log += _game(preset, number, games, who, where, chance)
    division = {} if preset != "tpc" else {"division": "A"}
    return {
        "inlane": 1,
        "tournament": "generated",
        "preset": preset,
        "rules": RULES[preset] | ({"bank": machines} if preset == "epc-classic" else {}),
        "timezone": "America/Toronto",
        "players": [{"id": who, "name": who.upper(), **division} for who in people],
        "machines": [{"id": name, "name": name.upper(), **division} for name in bank],
        "log": log,
    }


def _game(preset: str, number: int, games: int, who: str, where: str, chance: random.Random) -> list[dict[str, object]]:
    score = int(chance.lognormvariate(16, 1.2))
    minute = f"2010-05-{13 + number * 3 // games:02}T{10 + number % 9:02}:{number % 60:02}"
    log: list[dict[str, object]] = [{"game": f"g{number}", "machine": where, "scores": {who: score}, "at": minute}]
    if number % 200 == 100:
        log.append({"correct": f"g{number}", "scores": {who: score + 1}, "why": "a digit"})
    elif number % 200 == 150 and preset != "epc-classic":
        log.append({"ruling": f"g{number}", "kind": "fraction", "factor": "0.8", "why": "extra ball"})
    return log


def seconds(repeat: int, tournament: Tournament) -> float:
    """Give the best of a few runs."""
    best = float("inf")
    for _ in range(repeat):
        begun = time.process_time()
        state = evaluate(tournament)
        best = min(best, time.process_time() - begun)
        assert state["refused"] == []
    return best


def carried_on(tournament: Tournament, entries: Iterable[dict[str, Any]]) -> list[float]:
    """Give the seconds from each further entry, read already, to the whole output."""
    running = Running()
    running.evaluate(tournament)
    taken = []
    for entry in entries:
        tournament = with_entry(tournament, entry)
        begun = time.process_time()
        state = running.evaluate(tournament)
        taken.append(time.process_time() - begun)
        assert state["refused"] == []
    assert state == evaluate(tournament)
    return taken


def further(preset: str, games: int, players: int, machines: int) -> list[dict[str, object]]:
    """Give more games of such a tournament, on a day of their own."""
    chance = random.Random(2)  # noqa: S311
    found: list[dict[str, object]] = []
    for number in range(games, games + MORE):
        who, where = f"p{chance.randrange(players)}", f"m{chance.randrange(machines)}"
        found += _game(preset, number, games + MORE, who, where, chance)[:1]
    return found


def measure(preset: str, size: int, options: argparse.Namespace) -> str:
    """Give one line of figures."""
    document = generate(preset, size, options.players, options.machines)
    begun = time.process_time()
    tournament = parse(document)
    parsed = time.process_time() - begun
    collecting = seconds(2, tournament)
    gc.collect()
    gc.disable()
    folded = seconds(3, tournament)
    room = options.players * options.machines
    gc.enable()
    gc.freeze()
    more = further(preset, size, options.players, options.machines) if preset != "uk-open" or size < room // 2 else []
    if preset == "uk-open":  # the next of the machines that each has not played
        longer = generate(preset, min(size + MORE, room), options.players, options.machines)["log"]
        more = [entry for entry in longer if "game" in entry][size:]  # type: ignore[attr-defined]
    taken = carried_on(tournament, more) if more else [float("nan")]
    fixes = [
        {"correct": f"g{number}", "scores": {next(iter(entry["scores"])): 7}}
        for number, entry in enumerate(e for e in document["log"] if "game" in e)  # type: ignore[attr-defined]
    ][3 :: size // CORRECTIONS]
    corrected = carried_on(tournament, fixes)
    mean, worst = sum(taken) / len(taken) * 1e3, max(taken) * 1e3
    line = f"{preset:>12} {size:>8} {parsed:>8.3f} {folded:>7.3f} {folded / size * 1e6:>8.2f} {collecting:>12.3f}"
    line += f" {mean:>8.2f} {worst:>8.2f} {sum(corrected) / len(corrected) * 1e3:>12.2f}"
    if options.file:
        text = dump(tournament)
        begun = time.process_time()
        loads(text)
        line += f"  {time.process_time() - begun:.3f}"
    return line


def main() -> None:
    """Print seconds by size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--machines", type=int, default=100)
    parser.add_argument("--presets", default=",".join(RULES))
    parser.add_argument("--file", action="store_true")
    options = parser.parse_args()
    sizes = [options.games // 2**step for step in (3, 2, 1, 0)]
    print(
        f"{'':>12} {'games':>8} {'parse s':>8} {'all s':>7} {'us/game':>8} {'collecting s':>12}"
        f" {'next ms':>8} {'worst ms':>8} {'corrected ms':>12}" + ("  load s" if options.file else "")
    )
    for preset in options.presets.split(","):
        for size in sizes:
            print(measure(preset, size, options), flush=True)


if __name__ == "__main__":
    main()
