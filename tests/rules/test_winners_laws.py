"""The best of each machine go on (L6 to L10): random tournaments against a plain evaluator written from the clauses.

The evaluator knows nothing of ties: where there are any, only what must hold however they end is looked at.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from server.core.rules import evaluate
from server.core.rules.tournament import parse

MACHINES = range(1, 9)
Scores = Mapping[int, Mapping[str, int]]


def holders(scores: Scores, absent: set[str]) -> list[str]:
    """Give who holds a place, in the order of the machines: leaders, what they pass on, then what absent ones leave."""
    order = {machine: sorted(table, key=lambda who: -table[who]) for machine, table in scores.items()}
    held: dict[int, str] = {}

    def ahead(who: str, machine: int) -> tuple[bool, Fraction, int]:
        after = order[machine][order[machine].index(who) + 1 :]
        second = scores[machine][after[0]] if after else 0
        ratio = Fraction(scores[machine][who], second) if second else Fraction(0)
        return second == 0, ratio, -machine

    def give(passed: set[str]) -> None:
        while True:
            wanted: dict[str, list[int]] = {}
            for machine in MACHINES:
                free = [p for p in order[machine] if p not in passed and p not in held.values()]
                if machine not in held and free:
                    wanted.setdefault(free[0], []).append(machine)
            if not wanted:
                return
            for who, led in wanted.items():
                held[max(led, key=lambda machine: ahead(who, machine))] = who

    give(set())
    for machine in [machine for machine, who in held.items() if who in absent]:
        del held[machine]
    give(absent)
    return [held[machine] for machine in MACHINES if machine in held]


def qualifying(players: Sequence[str], log: Sequence[Mapping[str, object]]) -> dict[str, Any]:
    """Give the state of qualifying after a log in which nothing is refused."""
    head = {"inlane": 1, "preset": "epc-classic", "machines": [{"id": f"m{m}"} for m in MACHINES]}
    state: Any = evaluate(parse({**head, "players": [{"id": who} for who in players], "log": list(log)}))
    assert state["refused"] == []
    found: dict[str, Any] = state["stages"][0]
    return found


def played(chance: Random, most: int) -> tuple[list[str], dict[int, dict[str, int]], set[str], list[dict[str, object]]]:
    """Make up players, their scores up to `most` by machine, who is absent, and the log up to the close."""
    players = [f"p{number}" for number in range(chance.randint(1, 14))]
    scores: dict[int, dict[str, int]] = {}
    for machine in MACHINES:
        on = chance.sample(players, chance.randint(0, len(players)))
        scores[machine] = {who: chance.randint(0, most) for who in on}
    absent = set(chance.sample(players, min(len(players), chance.choice([0, 0, 1, 3]))))
    log: list[dict[str, object]] = [
        {"game": f"g{machine}{who}", "machine": f"m{machine}", "scores": {who: score}}
        for machine, table in scores.items()
        for who, score in table.items()
    ]
    log.append({"close": "qualifying"})
    log.extend({"absent": who, "stage": "semifinal"} for who in sorted(absent))
    return players, scores, absent, log


@pytest.mark.parametrize("seed", range(40))
def test_the_places_are_those_of_the_clauses(seed: int) -> None:
    players, scores, absent, log = played(Random(seed), 10**30)  # noqa: S311 - no secret
    assert qualifying(players, log)["advance"] == holders(scores, absent)


@pytest.mark.parametrize("seed", range(40))
def test_who_goes_on_for_certain_goes_on_however_the_ties_end_and_they_all_end(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    players, _, absent, log = played(chance, 4)
    certain: set[str] = set()
    for turn in range(40):
        state = qualifying(players, log)
        assert certain <= set(state["advance"])
        certain = set(state["advance"])
        if not state["tiebreaks"]:
            break
        tie = state["tiebreaks"][0]
        ends = dict(zip(tie["who"], chance.sample(range(99), len(tie["who"])), strict=True))
        log.append({"game": f"t{turn}", "machine": tie["machine"], "scores": ends, "tiebreak": True})
    assert state["tiebreaks"] == []
    assert len(certain) == len(state["advance"])
    assert not absent & certain
