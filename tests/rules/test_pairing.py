"""Draws of match play: groups by chance, by standing, evenly; byes; who came late and who left."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.draws.pairing import Draw, Style, draw_groups, group_sizes
from server.core.draws.pairing_errors import PairingImpossible

STYLES: tuple[Style, ...] = ("random", "swiss", "balanced")
Before = list[tuple[str, ...]]


def names(count: int) -> list[str]:
    return [f"p{number}" for number in range(1, count + 1)]


def note(before: Before, draw: Draw) -> None:
    before += [*draw.groups, *([(draw.bye,)] if draw.bye is not None else [])]


def play(count: int, size: int, style: Style, rounds: int) -> tuple[list[Draw], Before]:
    """Rounds in which the lower number always wins."""
    points = dict.fromkeys(names(count), 0)
    draws: list[Draw] = []
    before: Before = []
    for number in range(rounds):
        standing = sorted(points, key=lambda who: -points[who])
        draws.append(draw_groups(standing, size, number, style=style, points=points, before=before))
        note(before, draws[-1])
        for group in draws[-1].groups:
            for place, who in enumerate(sorted(group, key=lambda who: int(who[1:]))):
                points[who] += (7, 5, 3, 1)[place]
    return draws, before


@pytest.mark.parametrize(("players", "size", "sizes"), [
    (0, 4, []), (1, 4, []), (2, 4, [2]), (3, 4, [3]), (4, 4, [4]), (5, 4, [3, 2]), (6, 4, [3, 3]), (7, 4, [4, 3]),
    (8, 4, [4, 4]), (9, 4, [3, 3, 3]), (10, 4, [4, 3, 3]), (11, 4, [4, 4, 3]), (13, 4, [4, 3, 3, 3]),
    (4, 3, [2, 2]), (5, 3, [3, 2]), (7, 3, [3, 2, 2]), (7, 2, [2, 2, 2]), (8, 2, [2, 2, 2, 2]),
])  # fmt: skip
def test_groups_are_as_full_as_can_be(players: int, size: int, sizes: list[int]):
    assert group_sizes(players, size) == sizes


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 30), size=st.integers(2, 5), style=st.sampled_from(STYLES), seed=st.integers())
def test_everybody_is_drawn_once_in_groups_of_the_right_sizes(count: int, size: int, style: Style, seed: int):
    first = draw_groups(names(count), size, seed, style=style)
    before: Before = []
    note(before, first)
    for draw in (first, draw_groups(names(count), size, seed, style=style, before=before)):
        drawn = [who for group in draw.groups for who in group] + ([draw.bye] if draw.bye else [])
        assert sorted(drawn) == sorted(names(count))
        assert sorted(map(len, draw.groups), reverse=True) == group_sizes(count, size)
        assert draw.short == tuple(k for k, group in enumerate(draw.groups) if len(group) < size)


def test_equal_seeds_give_equal_draws_and_other_seeds_others():
    first, again, other = (draw_groups(names(20), 4, seed, style="random") for seed in (1, 1, 2))
    assert first == again != other


def test_a_draw_does_not_hang_on_names():
    before = [("p1", "p2", "p3", "p4"), ("p5", "p6", "p7", "p8")]
    draw = draw_groups(names(8), 4, 3, style="swiss", before=before)
    renamed = {who: f"z{9 - int(who[1:])}" for who in names(8)}
    other = draw_groups([renamed[who] for who in names(8)], 4, 3, style="swiss",
                        before=[tuple(renamed[who] for who in group) for group in before])  # fmt: skip
    assert other.groups == tuple(tuple(renamed[who] for who in group) for group in draw.groups)


def test_winners_meet_winners():
    points = {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1, "f": 1, "g": 0, "h": 0}
    before = [("a", "c"), ("b", "d"), ("e", "g"), ("f", "h")]
    standing = sorted(points, key=lambda who: -points[who])
    draw = draw_groups(standing, 2, 1, style="swiss", points=points, before=before)
    assert all(points[one] == points[other] for one, other in draw.groups)
    assert draw.repeats == ()


def test_after_a_first_round_of_sixteen_the_four_winners_form_a_group():
    _, before = play(16, 4, "swiss", 1)
    points = {who: (7, 5, 3, 1)[place] for group in before
              for place, who in enumerate(sorted(group, key=lambda who: int(who[1:])))}  # fmt: skip
    standing = sorted(points, key=lambda who: -points[who])
    draw = draw_groups(standing, 4, 2, style="swiss", points=points, before=before)
    assert [{points[who] for who in group} for group in draw.groups] == [{7}, {5}, {3}, {1}]


@pytest.mark.parametrize("style", ["swiss", "balanced"])
@pytest.mark.parametrize("count", [4, 6, 8, 9, 13])
def test_head_to_head_nobody_meets_again_and_byes_go_round(count: int, style: Style):
    draws, before = play(count, 2, style, count // 2 + 1)
    assert [draw.repeats for draw in draws] == [()] * len(draws)
    byes = Counter(group[0] for group in before if len(group) == 1)
    assert max(byes.values(), default=0) <= 1
    assert sum(byes.values()) == (len(draws) if count % 2 else 0)


def test_a_meeting_that_can_be_avoided_only_by_pairing_far_apart_is_avoided():
    before = [("a", "b"), ("a", "c"), ("a", "d"), ("a", "e"), ("b", "c"), ("d", "e")]
    draw = draw_groups(list("abcdef"), 2, 1, style="swiss", before=before)
    assert draw.repeats == ()
    assert ("a", "f") in draw.groups


def test_where_meeting_again_cannot_be_avoided_it_is_as_rare_as_can_be_and_told():
    before = [("a", "b"), ("c", "d"), ("a", "c"), ("b", "d"), ("a", "d"), ("b", "c"), ("a", "b"), ("c", "d")]
    draw = draw_groups(list("abcd"), 2, 1, style="balanced", before=before)
    assert len(draw.repeats) == 2
    assert set(draw.groups) != {("a", "b"), ("c", "d")}


def test_balanced_rounds_let_everybody_meet_everybody_about_as_often():
    _, before = play(12, 4, "balanced", 11)
    meetings = Counter(pair for group in before for pair in combinations(sorted(group), 2))
    counts = [meetings[pair] for pair in combinations(sorted(names(12)), 2)]
    assert max(counts) - min(counts) <= 3
    assert min(counts) >= 1


def test_short_groups_fall_to_others_each_time():
    for style in ("random", "balanced"):
        _, before = play(7, 4, style, 7)
        short = Counter(who for group in before if len(group) == 3 for who in group)
        assert max(short.values()) - min(short[who] for who in names(7)) <= 2


def test_who_left_is_not_drawn_and_who_came_late_has_no_bye_before_the_others():
    before: Before = [("a", "b"), ("c", "d"), ("e",), ("a", "c"), ("e", "b"), ("d",)]
    draw = draw_groups(["a", "b", "c", "d", "late"], 2, 1, style="swiss", before=before)
    assert "e" not in {who for group in draw.groups for who in group}
    assert draw.bye == "c"
    alone = draw_groups(["a"], 4, 1, style="swiss", before=before)
    assert (alone.groups, alone.bye) == ((), "a")


def test_a_lower_placed_player_has_the_bye_first():
    assert draw_groups(names(7), 2, 1, style="swiss").bye == "p7"
    points = {"p1": 3, "p2": 3, "p3": 1, "p4": 1, "p5": 1}
    byes = {draw_groups(names(5), 2, seed, style="swiss", points=points).bye for seed in range(40)}
    assert byes == {"p3", "p4", "p5"}


@pytest.mark.parametrize(("players", "size", "words"), [
    ([], 4, "there is nobody to draw"),
    (["a", "b", "a"], 2, "player a is named twice"),
    (names(8), 1, "a group has 2 to 8 players, not 1"),
    (names(8), 10**12, "a group has 2 to 8 players"),
    (names(1001), 4, "1001 players are too many"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused_in_words(players: list[str], size: int, words: str):
    with pytest.raises(PairingImpossible, match=words):
        draw_groups(players, size, 1, style="swiss")
