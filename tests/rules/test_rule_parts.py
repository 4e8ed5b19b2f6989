"""The small parts of the rules, one table each."""

from decimal import Decimal

import pytest

from server.core.rules import PRESETS
from server.core.rules.accounts import price_of
from server.core.rules.presets import TiePolicy
from server.core.rules.ranking import classes, positions, rank_machine
from server.core.rules.setting_values import Price
from server.core.rules.ties import Tie, game_sizes, resolve


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, [2]), (4, [4]), (5, [3, 2]), (6, [3, 3]), (7, [4, 3]), (8, [4, 4]), (9, [3, 3, 3]), (10, [4, 3, 3]),
        (13, [4, 3, 3, 3]),
    ],
)  # fmt: skip
def test_tied_players_play_in_games_as_equal_as_possible(players: int, sizes: list[int]):
    assert game_sizes(players, 4) == sizes


def test_two_position_machines_make_games_of_two():
    assert game_sizes(5, 2) == [2, 2, 1]


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([500, 500, 400, 300], [1, 1, 3, 4]),
        ([7, 7, 7, 7, 7, 1], [1, 1, 1, 1, 1, 6]),
        ([2**53 + 1, 2**53, 2**31, 2**64], [2, 3, 4, 1]),
        ([0, 0], [1, 1]),
    ],
)
def test_equal_scores_share_a_rank_and_the_next_is_skipped(scores: list[int], ranks: list[int]):
    found = positions(classes({f"p{index}": score for index, score in enumerate(scores)}))
    assert [found[f"p{index}"] for index in range(len(scores))] == ranks


def test_a_zero_takes_no_position_and_earns_nothing():
    assert rank_machine({"a": 5, "b": 0, "c": 0}, (50, 42), "high") == {"a": (1, 50), "b": (None, 0), "c": (None, 0)}


@pytest.mark.parametrize(
    ("entries", "price", "amount"),
    [
        (7, Price(single=4, bundle=4, bundle_price=10), 22),
        (8, Price(single=4, bundle=4, bundle_price=10), 20),
        (3, Price(single=4, bundle=4, bundle_price=10), 12),
        (13, Price(single=1, bundle=6, bundle_price=5), 11),
        (6, Price(single=1), 6),
    ],
)
def test_bundles_are_whole_and_never_rounded_up(entries: int, price: Price, amount: int):
    assert price_of(entries, price) == amount


def test_a_tie_as_long_as_the_day_is_resolved_without_recursion():
    rounds = {"a": [1] * 5000, "b": [1] * 5000}
    order = resolve([["a", "b"]], policy=TiePolicy(cut="cut", inside="seed"), cut=1, rounds=rounds)
    assert order.ties == [Tie(reason="cut", who=("a", "b"), places=(1, 2))]


def test_after_the_tie_break_only_what_still_matters_is_played_on():
    policy = TiePolicy(cut="cut", inside="seed")
    rounds = {"a": [9], "b": [9], "c": [5], "d": [5], "e": [5]}
    order = resolve([["a", "b", "c", "d", "e"]], policy=policy, cut=3, rounds=rounds)
    assert order.ties == [
        Tie(reason="seed", who=("a", "b"), places=(1, 2)),
        Tie(reason="cut", who=("c", "d", "e"), places=(3, 4, 5)),
    ]
    done = resolve([["a", "b", "c", "d", "e"]], policy=policy, cut=2, rounds=rounds | {"a": [9, 1], "b": [9, 2]})
    assert (done.ties, done.groups) == ([], [["b"], ["a"], ["c", "d", "e"]])


def test_the_points_of_tpc_are_those_of_its_table():
    points = PRESETS["tpc"].read({}).machine_points
    assert points[:3] == (50, 42, 37)
    assert points[3:] == tuple(40 - place for place in range(4, 40))


def test_a_decimal_is_exact():
    numerator, denominator = Decimal("0.8").as_integer_ratio()
    assert 90071992547409935 * numerator // denominator == 72057594037927948
