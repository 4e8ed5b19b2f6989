"""Pin golf never guesses, and every ladder that can be read leads everybody to a place."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core.rules import TournamentInvalid, evaluate, parse
from server.core.rules.ladder_rows import read_ladder, snake

quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
State = dict[str, Any]


def golf(game: dict[str, Any], **rules: object) -> State:
    head = {"inlane": 1, "preset": "pingolf", "players": [{"id": "p"}, {"id": "q"}], "machines": [{"id": "m1"}]}
    state: State = evaluate(parse({**head, "rules": rules, "log": [{"game": "g", "machine": "m1"} | game]}))
    return state


def strokes(state: State) -> int | None:
    rows = state["stages"][0]["standings"]
    return rows[0]["strokes"] if rows else None


def truth(balls: list[int], target: int, most: int, missed: str) -> int:
    """Count the strokes of a whole game, as a person would."""
    for number, shown in enumerate(balls, 1):
        if shown >= target:
            return number
    if missed == "plus_one":
        return len(balls) + 1
    count = most
    while balls[-1] * (most - len(balls)) > target * (most - count + 1):
        count -= 1
    return count


games = st.lists(st.integers(0, 40), min_size=1, max_size=5).map(
    lambda parts: [sum(parts[: n + 1]) for n in range(len(parts))]
)


@quick
@given(games, st.integers(1, 120), st.integers(0, 5), st.integers(1, 6), st.sampled_from(["plus_one", "by_distance"]))
def test_strokes_are_what_a_person_counts_or_unknown(balls: list[int], target: int, noted: int, more: int, missed: str):
    rules = {"targets": {"m1": target}, "balls": len(balls), "max_strokes": len(balls) + more, "missed": missed}
    state = golf({"scores": {"p": balls[-1]}, "balls": {"p": balls[:noted]}}, **rules)
    found, expected = strokes(state), truth(balls, target, len(balls) + more, missed)
    assert state["refused"] == []
    if noted >= len(balls) - 1 or balls[-1] < target or any(shown >= target for shown in balls[:noted]):
        assert (found, state["flags"]) == (expected, [])
    else:
        assert found is None
        assert [row["who"] for row in state["stages"][0]["unranked"]] == ["p"]
        assert [flag["kind"] for flag in state["flags"]] == ["needs-official"]


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ({"targets": {"m9": 5}}, "rules.targets.m9: there is no machine m9"),
        ({"targets": {"m1": 0}}, "rules.targets.m1: must be more than 0"),
        ({"targets": {"m1": -3}}, "rules.targets.m1: must not be below 0"),
        ({"targets": [5]}, "rules.targets: must be a mapping"),
        ({"balls": 5, "max_strokes": 5}, "rules.max_strokes: must be more than balls, 5"),
        ({"missed": "never"}, "rules.missed: must be one of"),
        ({"scores": "best"}, "rules.scores: must be one of auto, balls, strokes"),
    ],
)
def test_impossible_settings_of_pin_golf_are_refused_in_one_line(rules: dict[str, Any], line: str):
    with pytest.raises(TournamentInvalid) as caught:
        golf({"scores": {"p": 1}}, **rules)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("balls", [{"p": [1] * 101}, {"p": [-1]}, {"p": 5}, {"p": ["1"]}, {"p": [1.5]}, [1, 2]])
def test_balls_that_are_no_lists_of_scores_cannot_be_read(balls: object):
    with pytest.raises(TournamentInvalid):
        golf({"scores": {"p": 1}, "balls": balls}, targets={"m1": 5})


@pytest.mark.parametrize("preset", ["tpc", "uk-open", "papa"])
def test_strokes_are_refused_where_nobody_counts_them(preset: str):
    head = {
        "inlane": 1,
        "preset": preset,
        "players": [{"id": "p", "division": "A"}],
        "machines": [{"id": "m1", "division": "A"}],
    }
    log = [{"game": "g", "machine": "m1", "scores": {"p": 5}, "strokes": {"p": 1}}]
    state = evaluate(parse({**head, "log": log}))
    assert state["refused"] == [{"entry": 1, "why": f"{preset} counts no strokes"}]


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({"field": 8, "groups": 2, "go_on": 2}, "ladder[1].stage: must be an id"),
        ({"stage": "a/b", "field": 8, "groups": 2, "go_on": 2}, "cannot be called a/b"),
        ({"stage": "qualifying", "field": 8, "groups": 2, "go_on": 2}, "cannot be called qualifying"),
        ({"stage": "x", "field": 1, "groups": 1}, "ladder[1].field: must be from 2 to 1000"),
        ({"stage": "x", "field": 8, "groups": 2}, "say how many of each group go on from x"),
        ({"stage": "x", "field": 8, "groups": 2, "go_on": 9}, "ladder[1].go_on: must be from 1 to 4"),
        ({"stage": "x", "field": 8, "groups": 2, "go_on": 3}, "6 go on from x: a later stage needs a row"),
        ({"stage": "x", "field": 8, "groups": [[1, 2], [2, 3]], "go_on": 2}, "must seat each seed once"),
        ({"stage": "x", "field": 8, "groups": [[1, 2, 9]], "go_on": 2}, "must be from 1 to 8"),
        ({"stage": "x", "field": 8, "groups": [[1, 2]], "byes": 6, "go_on": 2}, "goes without saying"),
        ({"stage": "x", "field": 8, "groups": 9, "go_on": 2}, "ladder[1].groups: must be from 1 to 4"),
        ({"stage": "x", "field": 8, "byes": 7, "groups": 1, "go_on": 1}, "ladder[1].byes: must be from 0 to 6"),
        ({"stage": "x", "field": 8, "sets": 1}, "is no part of a row of a ladder"),
    ],
)
def test_a_ladder_that_leads_nowhere_is_refused_in_one_line(row: dict[str, Any], line: str):
    with pytest.raises(TournamentInvalid) as caught:
        read_ladder([row, {"stage": "final", "field": 4, "groups": 1}], ("ladder",))
    assert line in str(caught.value)


@quick
@given(st.integers(1, 60), st.integers(1, 12))
def test_a_snake_deals_every_seed_once_and_evenly(seeds: int, groups: int):
    dealt = snake(range(1, seeds + 1), groups)
    assert sorted(seed for group in dealt for seed in group) == list(range(1, seeds + 1))
    sizes = sorted(len(group) for group in dealt)
    assert sizes[-1] - sizes[0] <= 1
    full = [sum(group) for group in dealt if len(group) % 2 == 0 and seeds % groups == 0]
    assert len(set(full)) <= 1


@st.composite
def ladders(draw: st.DrawFn) -> tuple[int, list[dict[str, Any]]]:
    """Make up a ladder that leads somewhere, and the size of its field."""
    size = first = draw(st.integers(5, 30))
    rows: list[dict[str, Any]] = []
    while size > 4:
        byes = draw(st.integers(0, size - 4))
        count = draw(st.integers(1, max(1, (size - byes) // 3)))
        least = (size - byes) // count
        row = {
            "stage": f"s{len(rows)}",
            "field": size,
            "byes": byes,
            "groups": count,
            "go_on": draw(st.integers(1, least - 1)),
        }
        size = byes + count * row["go_on"]
        rows.append(row)
        if size < 2 or len(rows) > 8:
            break
    if size < 2:
        rows[-1]["go_on"] += 1
        size += rows[-1]["groups"]
    return first, [*rows, {"stage": "final", "field": size, "groups": 1}]


@settings(quick, max_examples=40)
@given(ladders(), st.randoms(use_true_random=False))
def test_whoever_climbs_a_ladder_everybody_has_a_place_in_the_end(
    ladder: tuple[int, list[dict[str, Any]]], chance: Random
):
    size, rows = ladder
    players = [f"p{number:02}" for number in range(size + 2)]
    head = {
        "inlane": 1,
        "preset": "papa",
        "rules": {"ladder": rows, "qualifiers": size, "group_games": 1, "group_points": list(range(40, 0, -1))},
        "players": [{"id": who} for who in players],
        "machines": [{"id": "m1", "players": 100}],
    }
    log: list[dict[str, Any]] = [
        {"game": f"q{n}", "machine": "m1", "scores": {who: 1000 - n}} for n, who in enumerate(players)
    ]
    log.append({"close": "qualifying"})
    for row in rows:
        state: State = evaluate(parse({**head, "log": log}))
        stage = next(stage for stage in state["stages"] if stage["id"] == row["stage"])
        for group in stage["groups"]:
            order = chance.sample(group["who"], len(group["who"]))
            log.append(
                {"game": f"{row['stage']}-{group['id']}", "machine": "m1", "stage": row["stage"], "group": group["id"]}
                | {"scores": {who: 100 - n for n, who in enumerate(order)}}
            )
        log.append({"close": row["stage"]})
    state = evaluate(parse({**head, "log": log}))
    assert (state["refused"], state["flags"]) == ([], [])
    placed = sorted(player["place"] for player in state["players"])
    assert placed[0] == 1
    assert all(after == before or after == placed.index(after) + 1 for before, after in pairwise(placed))
    assert len(placed) == len(players)
    assert [player["place"] for player in state["players"]][-2:] == [size + 1, size + 2]
