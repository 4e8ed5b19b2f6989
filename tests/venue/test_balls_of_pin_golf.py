"""Captured games of a tournament that counts strokes carry the scores after each ball."""

from typing import Any

import pytest

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.values import Place

from .conftest import World

GOLF = {
    "inlane": 1,
    "preset": "pingolf",
    "rules": {"targets": {"m1": 500}},
    "players": [{"id": "p1"}, {"id": "p2"}],
    "machines": [{"id": "m1"}, {"id": "m2"}],
}


def play(world: World, *balls: dict[str, Any], final: int = 700) -> dict[str, Any]:
    """Play a game of p1 of which these balls were heard. Gives its entry in the log."""
    world.done(c.OpenTournament(id="golf", head=GOLF))
    world.done(c.Assign(machine="m1", place=Place(tournament="golf"), players=("p1",)))
    world.start("G1")
    for ball in balls:
        world.fact("game.ball", game="G1", **ball)
    world.end("G1", final)
    [entry] = [dict(entry.entry) for entry in world.state.seen_by_rules("golf")]
    return entry


def heard(ball: int, score: int | None, confidence: float = 1.0) -> dict[str, Any]:
    return {"player": 1, "ball": ball, "scores": [{"player": 1, "score": score, "confidence": confidence}]}


def strokes(entry: dict[str, Any]) -> int | None:
    """What the rules make of the entry."""
    state: Any = rules.evaluate(rules.parse(GOLF | {"log": [entry]}))
    rows = state["stages"][0]["standings"]
    return rows[0]["points"] if rows else None


def test_the_ball_that_reached_the_target_is_known_from_what_was_heard(world: World):
    entry = play(world, heard(1, 200), heard(2, 650))
    assert entry["balls"] == {"p1": [200, 650]}
    assert strokes(entry) == 2


@pytest.mark.parametrize(
    "balls",
    [
        (heard(2, 650),),
        (heard(1, None), heard(2, 650)),
        (heard(1, 200, 0.5), heard(2, 650)),
        (heard(1, 300), heard(2, 250)),
        (heard(1, 900),),
        (),
    ],
)
def test_a_ball_missing_or_doubtful_is_never_guessed(world: World, balls: tuple[dict[str, Any], ...]):
    entry = play(world, *balls)
    assert "balls" not in entry
    assert strokes(entry) is None


def test_an_extra_ball_counts_as_the_ball_that_it_follows(world: World):
    entry = play(world, heard(1, 200), heard(1, 600), heard(2, 650))
    assert entry["balls"] == {"p1": [600, 650]}
    assert strokes(entry) == 1
