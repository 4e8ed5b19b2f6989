"""How long rounds and brackets take: played entry by entry as a desk records them, then folded whole.

Processor seconds of one core. `a game ms` is the mean of one game: asked whether the rules take it, recorded, and the
whole output after it, with the draws of all rounds.

    .venv/bin/python benchmarks/rounds.py [--players 100] [--rounds 10] [--bracket 256]
"""

import argparse
import random
import time
from typing import Any

from server.core.rules import Running, evaluate, parse, with_entry
from server.core.rules.rounds_draw import draw


def play(preset: str, players: int, rules: dict[str, object]) -> None:
    """Play a tournament to its end by what its output says is due, and print what it cost."""
    chance = random.Random(1)  # noqa: S311
    people, machines = [f"p{number:03}" for number in range(players)], [f"m{number:02}" for number in range(30)]
    head = {"inlane": 1, "tournament": "made up", "preset": preset, "rules": rules, "log": []}
    head |= {"players": [{"id": who} for who in people], "machines": [{"id": name} for name in machines]}
    tournament, running, games = parse(head), Running(), 0
    log: list[dict[str, object]] = []
    draw.cache_clear()
    before = time.process_time()
    state: dict[str, Any] = running.evaluate(tournament)
    while due := _due(state, rules):
        group = chance.choice(due)
        scores = dict(zip(group["who"], chance.sample(range(1, 10**6), len(group["who"])), strict=True))
        entry = {"game": f"g{games}", "machine": chance.choice(machines), "scores": scores}
        if (problem := running.refusal(tournament, entry)) is not None:
            raise SystemExit(problem)
        log.append(entry)
        tournament, games = with_entry(tournament, entry), games + 1
        state = running.evaluate(tournament)
    spent = time.process_time() - before
    draw.cache_clear()
    whole = parse(head | {"log": log})
    before = time.process_time()
    evaluate(whole)
    folded = time.process_time() - before
    print(f"{preset} {players} players, {games} games: {1000 * spent / games:.2f} a game ms, {folded:.3f} folded s")


def _due(state: dict[str, Any], rules: dict[str, object]) -> list[dict[str, Any]]:
    """Give the groups or matches that have a game to play."""
    wins = int(str(rules.get("best_of", 1))) // 2 + 1
    groups = next((stage["groups"] for stage in state["stages"] if stage.get("groups")), [])
    in_rounds = "best_of" not in rules
    return [
        group
        for group in groups
        if len(group["who"]) > 1
        and (not group["standings"] if in_rounds else all(row["points"] < wins for row in group["standings"]))
    ]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="How long rounds and brackets take.")
    asked.add_argument("--players", type=int, default=100)
    asked.add_argument("--rounds", type=int, default=10)
    asked.add_argument("--bracket", type=int, default=256)
    given = asked.parse_args()
    play("match-play", given.players, {"rounds": given.rounds})
    play("match-play", given.players, {"rounds": given.rounds, "group_size": 2, "group_points": [1, 0]})
    play("knockout", given.players, {"game_ties": "high"})
    play("single-elimination", given.bracket, {"best_of": 3})
