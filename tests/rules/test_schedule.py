"""Schedules of duels: what holds for every field, and what is refused in words (U4.1, U4.2, E3.9)."""

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.draws.pairing_errors import PairingImpossible
from server.core.draws.schedule import Duel, Schedule, duel_schedule, partner_schedule

FIELDS = [
    *((24, rounds) for rounds in (1, 3, 4, 6, 8)),
    *((players, 4) for players in (8, 10, 14, 20, 48)),
    *((2, 1), (4, 1), (6, 2), (6, 3), (8, 3), (10, 5), (12, 6), (14, 6), (14, 7), (16, 8), (64, 6), (128, 1)),
]


def names(count: int, letter: str = "p") -> list[str]:
    return [f"{letter}{number}" for number in range(1, count + 1)]


def held(schedule: Schedule, players: list[str], before: tuple[Duel, ...] = ()) -> None:
    """Every invariant of a schedule, each by itself."""
    duels = (*before, *schedule.duels)
    for number in {duel.round for duel in schedule.duels}:
        playing = [who for duel in schedule.duels if duel.round == number for who in duel.players]
        assert sorted(playing) == sorted(players)
    assert max(Counter(frozenset(duel.players) for duel in duels).values()) == 1
    assert max(Counter((who, duel.machine) for duel in duels for who in duel.players).values()) == 1
    assert max(Counter((duel.round, duel.machine) for duel in duels).values()) == 1
    rank = {who: place for place, who in enumerate(players)}
    for duel in schedule.duels:
        assert list(duel.players) == sorted(duel.players, key=rank.__getitem__)


@pytest.mark.parametrize(("count", "rounds"), FIELDS)
def test_nobody_meets_an_opponent_or_a_machine_twice(count: int, rounds: int):
    players, machines = names(count), names(count // 2, "m")
    schedule = duel_schedule(players, machines, rounds, seed=count)
    held(schedule, players)
    assert Counter(duel.machine for duel in schedule.duels) == dict.fromkeys(machines, rounds)


def test_opponents_and_the_players_of_a_machine_are_close_in_rank():
    schedule = duel_schedule(names(24), names(12, "m"), 4, seed=1)
    rank = {who: number for number, who in enumerate(names(24))}
    differences = [rank[duel.players[1]] - rank[duel.players[0]] for duel in schedule.duels]
    assert sum(differences) == schedule.differences <= 96
    assert max(differences) <= 6
    by_machine = [[rank[who] for duel in schedule.duels if duel.machine == m for who in duel.players] for m in
                  names(12, "m")]  # fmt: skip
    assert sum(max(ranks) - min(ranks) for ranks in by_machine) == schedule.spreads <= 130
    assert max(max(ranks) - min(ranks) for ranks in by_machine) <= 16


def test_equal_seeds_give_equal_schedules_and_other_seeds_others_as_good():
    players, machines = names(24), names(12, "m")
    first, again, other = (duel_schedule(players, machines, 4, seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first.duels != other.duels
    assert (first.differences, first.spreads) == (other.differences, other.spreads)
    for seed in (-1, 0, 10**40):
        held(duel_schedule(players, machines, 4, seed=seed), players)


def test_a_schedule_is_the_same_on_every_computer():
    schedule = duel_schedule(names(6), names(3, "m"), 2, seed=5)
    assert [(duel.round, duel.machine, *duel.players) for duel in schedule.duels] == SIX


def test_of_more_machines_the_first_are_used():
    schedule = duel_schedule(names(12), names(9, "m"), 3, seed=1)
    assert {duel.machine for duel in schedule.duels} == set(names(6, "m"))


@pytest.mark.parametrize(
    ("count", "rounds", "need"), [(4, 2, 4), (4, 3, 6), (6, 5, 6), (8, 5, 6), (6, 4, 4), (8, 6, 6)]
)
def test_where_half_the_players_are_too_few_machines_more_are_used(count: int, rounds: int, need: int):
    players = names(count)
    held(duel_schedule(players, names(need + 2, "m"), rounds, seed=1), players)
    with pytest.raises(PairingImpossible, match=rf"(on {need} machines or more|need {need} machines|twice)"):
        duel_schedule(players, names(need - 1, "m"), rounds, seed=1)


def test_a_round_needs_a_machine_for_each_duel():
    with pytest.raises(PairingImpossible, match="12 duels at once need 12 machines: there are 11"):
        duel_schedule(names(24), names(11, "m"), 4, seed=1)


def test_rounds_that_were_played_stand_when_a_machine_is_lost():
    players, machines = names(24), names(12, "m")
    before = tuple(duel for duel in duel_schedule(players, machines, 4, seed=1).duels if duel.round <= 2)
    rest = duel_schedule(players, [*machines[1:], "spare"], 2, seed=1, before=before)
    held(rest, players, before)
    assert {duel.round for duel in rest.duels} == {3, 4}


@pytest.mark.parametrize(("count", "machines", "rounds", "words"), [
    (23, 12, 4, "23 players cannot all play duels at once"),
    (0, 12, 4, "a duel needs two players: there are none"),
    (1, 12, 1, "a duel needs two players: there is 1"),
    (24, 0, 4, "need 4 machines: there are 0"),
    (24, 12, 0, "1 to 8 rounds, not 0"),
    (24, 12, 10**9, "1 to 8 rounds"),
    (4, 12, 4, "at most 3 rounds"),
    (2, 1, 2, "at most 1 round "),
    (10, 5, 6, r"10 players can play 6 rounds .* on 6 machines or more|6 rounds .* need 6 machines"),
    (5000, 12, 4, "5000 players are too many: at most 128"),
    (24, 5000, 4, "5000 machines are too many"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(count: int, machines: int, rounds: int, words: str):
    with pytest.raises(PairingImpossible, match=words):
        duel_schedule(names(count), names(machines, "m"), rounds, seed=1)


def test_a_name_that_is_there_twice_is_refused():
    with pytest.raises(PairingImpossible, match="player p1 is named twice"):
        duel_schedule(["p1", "p2", "p1", "p3"], names(3, "m"), 1, seed=1)
    with pytest.raises(PairingImpossible, match="machine m1 is named twice"):
        duel_schedule(names(4), ["m1", "m1"], 1, seed=1)


@pytest.mark.parametrize("count", [5, 8, 11, 13, 14, 15, 16])
def test_a_quarterfinal_group_with_empty_seats_has_three_turns_on_all_machines(count: int):
    players, machines = names(count), names(8, "m")
    schedule = partner_schedule(players, machines, seed=3)
    held(schedule, players)
    alone = [duel.players[0] for duel in schedule.duels if len(duel.players) == 1]
    assert len(alone) == (3 if count % 2 else 0)
    assert len(set(alone)) == len(alone)
    uses = Counter(duel.machine for duel in schedule.duels)
    assert max(uses.values()) - min(uses[machine] for machine in machines) <= 1


def test_a_full_quarterfinal_group_plays_its_neighbours():
    schedule = partner_schedule(names(16), names(8, "m"), seed=3)
    assert Counter(duel.machine for duel in schedule.duels) == dict.fromkeys(names(8, "m"), 3)
    assert schedule.differences <= 48
    assert set(chain.from_iterable(duel.players for duel in schedule.duels)) == set(names(16))


def test_too_few_players_for_three_turns_are_told_so():
    with pytest.raises(PairingImpossible, match="2 players can play at most 1 round "):
        partner_schedule(names(2), names(8, "m"), seed=3)


def test_a_group_of_four_is_told_how_many_machines_three_turns_need():
    with pytest.raises(PairingImpossible, match=r"4 players can play 3 rounds .* on 6 machines or more: there are 5"):
        partner_schedule(names(4), names(5, "m"), seed=3)
    held(partner_schedule(names(4), names(6, "m"), seed=3), names(4))


@settings(max_examples=8, deadline=None)
@given(count=st.integers(8, 11), seeds=st.tuples(st.integers(), st.integers()), left=st.integers(0, 2))
def test_what_was_played_stands_whoever_leaves(count: int, seeds: tuple[int, int], left: int):
    machines = names(12, "m")
    before = partner_schedule(names(count), machines, seeds[0], rounds=2).duels
    players = names(count)[left:]
    rest = partner_schedule(players, machines, seeds[1], rounds=1, before=before)
    held(rest, players, before)
    assert {duel.round for duel in rest.duels} == {3}


def test_who_has_met_everybody_or_played_everything_is_named():
    before = [Duel(round=1, machine="m1", players=("p1", "p2"))]
    with pytest.raises(PairingImpossible, match="p1 has 2 new opponents left: too few for 3 rounds"):
        duel_schedule(names(4), names(8, "m"), 3, seed=1, before=before)
    with pytest.raises(PairingImpossible, match="p1 has 1 new machine left: too few for 2 rounds"):
        duel_schedule(names(4), names(2, "m"), 2, seed=1, before=before)


SIX = [
    (1, "m1", "p1", "p2"),
    (1, "m2", "p4", "p6"),
    (1, "m3", "p3", "p5"),
    (2, "m1", "p5", "p6"),
    (2, "m2", "p1", "p3"),
    (2, "m3", "p2", "p4"),
]
