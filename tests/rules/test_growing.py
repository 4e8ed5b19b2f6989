"""A sequence that grows by sharing what it has holds for ever what it held when it was made."""

from hypothesis import given
from hypothesis import strategies as st

from server.core.rules.growing import Growing


@given(st.lists(st.tuples(st.integers(0, 20), st.lists(st.integers(), max_size=3)), max_size=20))
def test_whichever_is_made_longer_all_others_stay_as_they_were(steps: list[tuple[int, list[int]]]):
    made: list[tuple[Growing[int], tuple[int, ...]]] = [(Growing(), ())]
    for which, more in steps:
        grown, meant = made[which % len(made)]
        made.append((grown + more, (*meant, *more)))
    for grown, meant in made:
        assert tuple(grown) == meant == grown
        assert (len(grown), grown[1:], grown[::-1]) == (len(meant), meant[1:], meant[::-1])
        for other, items in made:
            assert grown.begins_with(other) == (meant[: len(items)] == items)
            assert (grown == other) == (meant == items)
