"""Seasons of a league made of results alone: forfeits of every kind and matches cut short, so that many are level.

A seed gives always the same season. Tie-break matches are set where the product asks for them.
"""

from random import Random
from typing import Any

from server.core.rules import evaluate, parse
from tests.properties.tournaments import Document


def results(seed: int) -> Document:
    """Make up a season whose table is decided low on the ladder, and its close."""
    chance = Random(seed)  # noqa: S311 - the same seed, the same season
    count = chance.randrange(2, 7)
    names = [chr(ord("A") + index) for index in range(count)]
    conferences = count > 3 and chance.random() < 0.3
    head: Document = {
        "inlane": 1,
        "tournament": "results alone",
        "preset": "pinball-chicago",
        "rules": {},
        "players": [],
        "teams": [
            {"id": name, "name": name, "home": f"v{name}"} | ({"division": "ab"[index % 2]} if conferences else {})
            for index, name in enumerate(names)
        ],
        "machines": [],
    }
    log: list[Document] = []
    rounds = chance.randrange(1, 4)
    pairs = [(one, other) for _ in range(rounds) for one in names for other in names if one < other]
    chance.shuffle(pairs)
    for number, pair in enumerate(pairs[: chance.randrange(1, len(pairs) + 1)]):
        home, away = chance.sample(pair, 2)
        log.append({"match": f"x{number}", "home": home, "away": away, "week": number + 1})
        log += ending(chance, f"x{number}", home, away)
    if chance.random() < 0.85:
        log.append({"close": "season", "qualifiers": chance.randrange(1, count + 1)})
        play_off(chance, head, log)
    return {**head, "log": log}


def ending(chance: Random, name: str, home: str, away: str) -> list[Document]:
    """How a match ends without a game."""
    one, other = chance.sample((home, away), 2)
    return chance.choice(
        (
            [{"forfeit": name, "team": one}],
            [{"forfeit": name, "team": one}],
            [{"forfeit": name, "team": one, "stayed": True}],
            [{"forfeit": name, "team": one, "for": "venue-closed"}],
            [{"forfeit": name, "team": one}, {"forfeit": name, "team": other}],
            [{"forfeit": name, "team": one, "for": "left-early"}],
            [{"forfeit": name, "team": home, "for": "moved-venue"}],
            [],
        )
    )


def play_off(chance: Random, head: Document, log: list[Document]) -> None:
    """Set a match for the first tie of two over the cut."""
    state: Any = evaluate(parse({**head, "log": log}))
    for tie in [tie for stage in state["stages"] for tie in stage["tiebreaks"]]:
        if tie["reason"] == "cut" and len(tie["who"]) == 2 and chance.random() < 0.7:
            home, away = chance.sample(tie["who"], 2)
            log.append({"match": f"t{len(log)}", "home": home, "away": away, "tiebreak": True, "venue": "v9"})
            log.append({"forfeit": log[-1]["match"], "team": chance.choice((home, away))})
