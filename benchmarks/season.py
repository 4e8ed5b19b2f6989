"""How long a league's season takes: 40 teams, 20 weeks, 12 games a match with its line-ups, folded and described.

Processor seconds of one core, the best of a few runs with the garbage collector at rest. `next ms` is what new
standings cost after one more game, the mean of the games of one more match; `corrected ms` the same after a correction
of an old game, and `playoff ms` after each entry of a playoff match.

    .venv/bin/python -m benchmarks.season [--teams 40] [--weeks 20]

Prints one line for 5, 10, 20 ... weeks.
"""

import argparse
import gc
import random
from collections.abc import Iterator
from typing import Any

from benchmarks.fold import carried_on, seconds
from server.core.rules import Tournament, evaluate, parse, with_entry

Entry = dict[str, Any]
ROUNDS = ((1, 2, 2), (2, 4, 1), (3, 4, 1), (4, 2, 2))
"""Number, games, and players of a team in a game of each round."""
CORRECTIONS = 20


def season(teams: int, weeks: int) -> Entry:
    """Make up a season: every week each team meets another one, at the venue of one of them."""
    chance = random.Random(1)  # noqa: S311
    names = [f"t{number:02}" for number in range(teams)]
    log = [
        entry for week in range(1, weeks + 1) for pair in _pairs(names, week) for entry in _match(chance, week, pair)
    ]
    return {
        "inlane": 1,
        "tournament": "made up",
        "preset": "pinball-chicago",
        "teams": [
            {"id": team, "home": f"v-{team}", "captain": f"{team}-1", "roster": [_member(team, n) for n in range(1, 9)]}
            for team in names
        ],
        "machines": [{"id": _machine(team, n), "players": 4, "venue": f"v-{team}"} for team in names for n in range(4)],
        "log": log,
    }


def _member(team: str, number: int) -> Entry:
    return {"id": f"{team}-{number}", "role": "starter" if number <= 6 else "reserve"}


def _machine(team: str, number: int) -> str:
    return f"{team}-m{number}"


def _pairs(names: list[str], week: int) -> Iterator[tuple[str, str]]:
    """Turn the circle: the first stands, the others move on by one a week."""
    rest = names[1:]
    turn = week % len(rest)
    circle = [names[0], *rest[turn:], *rest[:turn]]
    for one, other in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
        yield (one, other) if week % 2 else (other, one)


def _match(chance: random.Random, week: int, pair: tuple[str, str], stage: str | None = None) -> Iterator[Entry]:
    home, away = pair
    name = f"w{week}-{home}-{away}"
    lead = 0
    yield {"match": name, "home": home, "away": away} | ({"week": week} if stage is None else {"stage": stage})
    for number, games, side in ROUNDS:
        first, second = (away, home) if number % 2 else (home, away)
        for team in (first, second):
            yield {
                "lineup": name,
                "round": number,
                "team": team,
                "games": [
                    {"slot": str(slot + 1), "players": _players(team, number, slot, side)}
                    | ({"machine": _machine(home, slot)} if team == first else {})
                    for slot in range(games)
                ],
            }
        for slot in range(games):
            sides = zip(_players(second, number, slot, side), _players(first, number, slot, side), strict=True)
            scores = {who: int(chance.lognormvariate(16, 1.2)) for both in sides for who in both}
            ahead = sum(score if who.startswith(home) else -score for who, score in scores.items()) > 0
            lead += (2 if side == 2 else 1) * (1 if ahead else -1)
            game = f"{name}-{number}-{slot}"
            yield {
                "game": game,
                "match": name,
                "round": number,
                "slot": str(slot + 1),
                "machine": _machine(home, slot),
                "scores": scores,
            }
    if lead == 0:
        scores, machine = {away: 1, home: 2}, _machine(home, 0)
        yield {"game": f"{name}-tb", "match": name, "tiebreak": True, "machine": machine, "scores": scores}
    yield {"end": name}


def _players(team: str, number: int, slot: int, side: int) -> list[str]:
    """Give who plays a game, so that no pair plays twice in a match."""
    numbers = {1: ((1, 2), (3, 4)), 4: ((1, 3), (2, 4))}[number][slot] if side == 2 else (slot + number - 1,)
    return [f"{team}-{one}" for one in numbers]


def measure(teams: int, weeks: int) -> str:
    """Give one line of figures."""
    document = season(teams, weeks)
    tournament = parse(document)
    gc.collect()
    gc.disable()
    folded = seconds(3, tournament)
    gc.enable()
    chance = random.Random(2)  # noqa: S311
    more = _match(chance, weeks + 1, ("t00", "t01"))
    fixed = [entry for entry in document["log"] if "game" in entry and "tiebreak" not in entry]
    fixes = [{"correct": one["game"], "scores": {next(iter(one["scores"])): 7}} for one in fixed]
    carried = carried_on(tournament, more)
    corrected = carried_on(tournament, fixes[:: max(1, len(fixes) // CORRECTIONS)])
    games = len(fixed)
    playoffs = carried_on(tournament, _playoffs(tournament))
    line = f"{teams:>5} {weeks:>5} {games:>6} {folded:>7.3f} {folded / games * 1e6:>8.1f}"
    return (
        line + f" {_mean(carried):>8.2f} {max(carried) * 1e3:>8.2f} {_mean(corrected):>12.2f} {_mean(playoffs):>10.2f}"
    )


def _mean(seconds: list[float]) -> float:
    return sum(seconds) / len(seconds) * 1e3


def _playoffs(tournament: Tournament) -> Iterator[Entry]:
    """Close the season and play one match of the first two that go on."""
    close = {"close": "season"}
    stage: Any = evaluate(with_entry(tournament, close))["stages"]
    first, second = stage[0]["advance"][:2]
    yield close
    yield from _match(random.Random(3), 99, (first, second), "playoffs")  # noqa: S311


def main() -> None:
    """Print seconds by the length of the season."""
    parser = argparse.ArgumentParser(description="How long a league's season takes.")
    parser.add_argument("--teams", type=int, default=40)
    parser.add_argument("--weeks", type=int, default=20)
    options = parser.parse_args()
    print("teams weeks  games   all s  us/game  next ms worst ms corrected ms playoff ms")
    for step in (2, 1, 0):
        print(measure(options.teams, max(1, options.weeks // 2**step)), flush=True)


if __name__ == "__main__":
    main()
