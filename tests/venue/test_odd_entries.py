"""Whatever stands in a field of an entry about teams, the answer is one short line or a decision, never a fault."""

from typing import Any

import pytest

from server.core.venue import commands as c
from server.core.venue.decide import decide
from server.core.venue.outcomes import Refused

from .conftest import World
from .league import HOME, LEAGUE, PLAYER, declare, say

SCORES = {"h3": 1, "a3": 2, "h4": 3, "a4": 4}
ENTRIES: list[dict[str, Any]] = [
    {"lineup": "x1", "round": 2, "team": "H", "games": [{"slot": "1", "machine": "m1", "players": ["h1"]}]},
    {"forfeit": "x1", "team": "H", "round": 2, "slot": "4", "for": "left-early", "stayed": True},
    {"roster": "H", "add": "zz", "drop": "h6", "set": "h2", "role": "reserve"},
    {"terms": "x1", "balls": 3, "extra_balls": 1, "challenge_modes": True},
    {"challenge": "g1", "team": "H", "why": "w"},
    {"end": "x1"},
    {"decision": "confirmed", "match": "x1", "team": "H"},
    {"game": "g7", "match": "x1", "round": 1, "slot": "2", "machine": "m2", "scores": SCORES, "tiebreak": False},
    {"penalty": "h1", "for": "late", "match": "x1", "game": "g1", "round": 1, "slot": "1", "why": "w"},
    {"ruling": "g1", "kind": "zero", "who": "h1", "games": ["g1"], "why": "w"},
    {"absent": "H", "match": "x1", "with": "B", "why": "w"},
    {"match": "x9", "home": "H", "away": "A", "week": 2, "venue": "v1", "stage": "season", "tiebreak": False},
]
ODD: list[Any] = [
    None, True, -1, 0, 3.5, 10**30, "", "x" * 100_000, [], ["a"], [[]], {}, {"a": 1}, "zz", "H", "x1", "g1",
    [{"slot": 1}], [{"slot": "1", "players": ["h1", "h1"]}], "a\nb",
]  # fmt: skip


@pytest.fixture(scope="module")
def begun() -> World:
    """A match with line-ups and a game; nothing that is decided here is kept."""
    world = World()
    world.done(c.OpenTournament(id="league", head=LEAGUE))
    say(world, match="x1", home="H", away="A", week=1, venue="v1")
    declare(world, 1)
    scores = {"h1": 4, "a1": 3, "h2": 2, "a2": 1}
    say(world, game="g1", match="x1", round=1, slot="1", machine="m1", scores=scores)
    return world


@pytest.mark.parametrize("entry", ENTRIES, ids=[next(iter(entry)) for entry in ENTRIES])
def test_an_odd_value_in_any_field_is_answered_in_one_line(begun: World, entry: dict[str, Any]):
    for name in entry:
        for value in ODD:
            command = c.RecordEntry(tournament="league", entry={**entry, name: value}, why="so")
            for actor in (HOME, PLAYER):
                outcome = decide(begun.state, command, actor, begun.now, begun.book)
                if isinstance(outcome, Refused):
                    assert len(outcome.why) < 600, (name, value)
                    assert "\n" not in outcome.why, (name, value)
