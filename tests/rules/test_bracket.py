"""Single elimination for every field: byes, who meets whom, places."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.draws.bracket import Match, draw_bracket, seed_order
from server.core.draws.pairing_errors import PairingImpossible

Pair = tuple[str, str]
Choice = Callable[[str, str], str]


def names(count: int) -> list[str]:
    return [f"p{number}" for number in range(1, count + 1)]


def played(bracket: tuple[Match, ...], players: list[str], wins: Choice) -> tuple[dict[str, int], dict[str, Pair]]:
    """Play a bracket through in its order. Gives the places, and who met in which match."""
    there = {("seed", str(seed)): who for seed, who in enumerate(players, 1)}
    places: dict[str, int] = {}
    met: dict[str, Pair] = {}
    for match in bracket:
        one, other = (there[source.by, source.of] for source in match.sources)
        met[match.id] = one, other
        winner = wins(one, other)
        loser = other if winner == one else one
        there["winner", match.id], there["loser", match.id] = winner, loser
        if match.winner_to is None:
            places[winner] = match.loser_place - 1
        if match.loser_to is None:
            places[loser] = match.loser_place
    return places, met


def favourites(bracket: tuple[Match, ...], players: list[str]) -> tuple[dict[str, int], dict[str, Pair]]:
    """Let the better seed win every match."""
    return played(bracket, players, lambda one, other: min(one, other, key=players.index))


def test_the_seeds_stand_as_everybody_knows_them():
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert seed_order(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


@pytest.mark.parametrize("count", [*range(2, 34), 63, 64, 65, 100, 128, 200, 255, 256])
@pytest.mark.parametrize("third", [False, True])
def test_the_better_seeds_reach_the_places_of_their_seeds(count: int, third: bool):  # noqa: FBT001
    bracket = draw_bracket(count, third_place=third)
    assert len(bracket) == count - 1 + (third and count >= 4)
    places, _ = favourites(bracket, names(count))
    assert set(places) == set(names(count))
    for seed, who in enumerate(names(count), 1):
        size = 1 << (seed - 1).bit_length() if seed > 1 else 1
        exact = seed <= 2 or (third and seed <= 4)
        assert places[who] == (seed if exact else size // 2 + 1)


@pytest.mark.parametrize("count", range(2, 65))
def test_byes_go_to_the_best_seeds_and_the_first_two_meet_in_the_final(count: int):
    bracket = draw_bracket(count)
    first = {int(source.of) for match in bracket if match.round == 1 for source in match.sources}
    size = 1 << (count - 1).bit_length()
    assert first == set(range(size - count + 1, count + 1))
    assert favourites(bracket, names(count))[1]["final"] == ("p1", "p2")


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 32])
def test_every_match_leads_to_the_match_that_names_it(count: int):
    bracket = draw_bracket(count, third_place=True)
    by_id = {match.id: match for match in bracket}
    assert len(by_id) == len(bracket)
    for match in bracket:
        for target, way in ((match.winner_to, "winner"), (match.loser_to, "loser")):
            if target is not None:
                assert any(source.of == match.id and source.by == way for source in by_id[target].sources)
    assert all(one.round <= other.round for one, other in pairwise(bracket))


@settings(max_examples=60, deadline=None)
@given(count=st.integers(2, 20), third=st.booleans(), data=st.data())
def test_whoever_wins_everybody_ends_with_a_place_and_no_place_is_given_too_often(
    count: int, third: bool, data: st.DataObject,  # noqa: FBT001
):  # fmt: skip
    bracket, players = draw_bracket(count, third_place=third), names(count)
    places, _ = played(bracket, players, lambda *pair: data.draw(st.sampled_from(pair)))
    assert sorted(places) == sorted(players)
    given_places = sorted(places.values())
    assert all(place <= number for number, place in enumerate(given_places, 1))
    assert given_places[:2] == [1, 2]


def test_three_players_have_one_semifinal_and_its_loser_is_third():
    bracket = draw_bracket(3, third_place=True)
    assert [match.id for match in bracket] == ["r1-2", "final"]
    assert favourites(bracket, names(3))[0] == {"p1": 1, "p2": 2, "p3": 3}


@pytest.mark.parametrize("count", [-1, 0, 1, 257, 10**30])
def test_fields_that_are_none_are_refused_in_words(count: int):
    with pytest.raises(PairingImpossible, match="2 to 256 players"):
        draw_bracket(count)
