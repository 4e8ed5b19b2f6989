"""Machines for groups, and the exact matchings that draws rest on, held against trying everything."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.draws.pairing_chance import Chance
from server.core.draws.pairing_errors import PairingImpossible
from server.core.draws.pairing_machines import draw_machines
from server.core.draws.pairing_match import cheapest, most_pairs

GROUPS = [("a", "b"), ("c", "d"), ("e", "f")]


@settings(deadline=None)
@given(st.integers(1, 5).flatmap(lambda rows: st.lists(
    st.lists(st.integers(-50, 50), min_size=rows + 1, max_size=rows + 1), min_size=rows, max_size=rows)))  # fmt: skip
def test_the_cheapest_assignment_is_the_cheapest_of_all(costs: list[list[int]]):
    chosen = cheapest(costs)
    assert len(set(chosen)) == len(costs)
    best = min(
        sum(row[column] for row, column in zip(costs, way, strict=False))
        for way in permutations(range(len(costs) + 1), len(costs))
    )
    assert sum(row[column] for row, column in zip(costs, chosen, strict=True)) == best


@settings(deadline=None, max_examples=200)
@given(count=st.integers(0, 9), edges=st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=16))
def test_no_pairing_makes_more_pairs(count: int, edges: set[tuple[int, int]]):
    allowed = [[other for other in range(count) if other != one and ((one, other) in edges or (other, one) in edges)]
               for one in range(count)]  # fmt: skip
    partner = most_pairs(allowed)
    for one, other in enumerate(partner):
        assert other < 0 or (partner[other] == one and other in allowed[one])
    assert sum(other >= 0 for other in partner) // 2 == most(allowed, frozenset(range(count)))


def most(allowed: list[list[int]], free: frozenset[int]) -> int:
    if not free:
        return 0
    one = min(free)
    rest = free - {one}
    return max([most(allowed, rest), *(1 + most(allowed, rest - {other}) for other in allowed[one] if other in rest)])


def test_nobody_comes_to_a_machine_again_while_another_is_free():
    before = [("m1", "ac"), ("m2", "ad"), ("m3", "e")]
    for seed in range(20):
        seats = draw_machines(GROUPS, ["m1", "m2", "m3", "m4"], seed, before=before)
        assert not any(seat.again for seat in seats)
        tight = draw_machines(GROUPS, ["m1", "m2", "m3"], seed, before=before)
        assert sum(len(seat.again) for seat in tight) == 1


def test_where_somebody_must_play_a_machine_again_it_is_told():
    seats = draw_machines([("a", "b")], ["m1"], 1, before=[("m1", ("b", "c"))])
    assert seats[0].again == ("b",)


def test_machines_are_used_evenly():
    before: list[tuple[str, tuple[str, ...]]] = []
    for number in range(10):
        seats = draw_machines([(f"x{number}", f"y{number}"), (f"z{number}",)], ["m1", "m2", "m3", "m4"], number,
                              before=before)  # fmt: skip
        before += [(seat.machine, seat.group) for seat in seats]
    assert set(Counter(machine for machine, _ in before).values()) == {5}


def test_with_fewer_machines_than_groups_the_last_groups_wait_and_no_machine_stands_idle():
    groups = [(f"a{number}", f"b{number}") for number in range(7)]
    seats = draw_machines(groups, ["m1", "m2", "m3"], 1)
    assert [seat.turn for seat in seats] == [1, 1, 1, 2, 2, 2, 3]
    assert all(Counter(seat.machine for seat in seats if seat.turn == turn).most_common(1)[0][1] == 1
               for turn in (1, 2, 3))  # fmt: skip


def test_equal_seeds_give_equal_seats():
    first, again, other = (draw_machines(GROUPS, [f"m{k}" for k in range(9)], seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(("groups", "machines", "words"), [
    (GROUPS, [], "there is no machine to play on"),
    (GROUPS, ["m1", "m1"], "machine m1 is named twice"),
    ([("a", "b"), ("a", "c")], ["m1"], "player a is named twice"),
    ([(str(number),) for number in range(501)], ["m1"], "501 groups are too many"),
])  # fmt: skip
def test_what_cannot_be_seated_is_refused_in_words(groups: list[tuple[str, ...]], machines: list[str], words: str):
    with pytest.raises(PairingImpossible, match=words):
        draw_machines(groups, machines, 1)


def test_chance_is_the_same_everywhere_and_even():
    assert [Chance(0).bits(), Chance(1).bits()] == [16294208416658607535, 10451216379200822465]
    dice = Chance(7)
    counts = Counter(dice.below(6) for _ in range(6000))
    assert min(counts.values()) > 900
    assert Chance(3).shuffled("abcdef") == Chance(3).shuffled("abcdef")
