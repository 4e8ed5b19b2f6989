"""Explanations of games of opponents (CC10): who met in one game is compared, not all of the machine."""

from typing import Any

from server.core.explain.explanations import Explanations
from server.core.explain.lines import Line, walk
from server.core.rules import parse

HEAD: dict[str, Any] = {
    "inlane": 1,
    "tournament": "opponents",
    "preset": "2cp",
    "players": [{"id": who} for who in "abcd"],
    "machines": [{"id": "m", "players": 4}],
}


def points_of(who: str, *games: dict[str, int]) -> list[Line]:
    log = [{"game": f"g{n}", "match": f"n{n}", "machine": "m", "scores": scores} for n, scores in enumerate(games)]
    lines = Explanations(parse({**HEAD, "log": log})).about(who=who)
    return [line for line in walk(lines) if line.what == "points" and line.game is not None]


def test_a_place_is_shared_only_with_those_of_the_same_game() -> None:
    first, second = points_of("a", {"a": 10, "b": 9, "c": 5}, {"a": 8, "d": 7})
    assert "shared" not in first.because + second.because
    assert [line.because for line in walk([first]) if line.what == "position"] == ["position 1 of 3: 2 with less"]
    assert [line.because for line in walk([second]) if line.what == "position"] == ["position 1 of 2: 1 with less"]


def test_equal_scores_earn_a_point_for_each_opponent_with_less() -> None:
    (line,) = points_of("a", {"a": 10, "b": 10, "c": 5, "d": 1})
    assert line.value == 2
    assert line.because.endswith("shared by 2: each opponent with less is a point")
