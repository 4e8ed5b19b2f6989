"""The season of a league: the ladder's order, tie-break matches over the cut, and what is kept of matches."""

from itertools import permutations
from random import Random
from typing import Any

import pytest

from server.core.rules import Running, evaluate, parse, with_entry
from server.core.rules.teams.ladder import Counted, ranked_by_record, records_of
from server.core.rules.teams.season_ties import TieBreak, decided, settle_cut
from tests.properties.league_made_up import season


def won(number: int, winner: str, loser: str, points: int = 9) -> Counted:
    return Counted(id=f"x{number}", points={winner: points, loser: 0}, winner=winner, losers=(loser,))


def ladder(teams: str, matches: list[Counted]) -> list[list[str]]:
    return ranked_by_record(records_of(teams, matches), matches)


def beat(winner: str, loser: str) -> TieBreak:
    return TieBreak(teams=frozenset((winner, loser)), winner=winner, over=True)


def test_the_order_of_teams_hangs_neither_on_the_order_of_matches_nor_on_names():
    chance = Random(7)  # noqa: S311 - the same matches each time
    for _ in range(60):
        matches = [won(number, *chance.sample("ABCDE", 2), points=chance.choice((9, 12))) for number in range(8)]
        once = ladder("ABCDE", matches)
        turned = dict(zip("ABCDE", chance.sample("VWXYZ", 5), strict=True))
        renamed = [
            won(number, turned[one.winner or ""], turned[one.losers[0]], max(one.points.values()))
            for number, one in enumerate(matches)
        ]
        chance.shuffle(renamed)
        assert ladder("VWXYZ", renamed) == [sorted(turned[team] for team in part) for part in once]


def test_one_win_of_one_is_level_with_two_of_two_and_points_decide():
    matches = [won(1, "A", "C", 12), won(2, "B", "C", 5), won(3, "B", "D", 5)]
    assert ladder("ABCD", matches)[:2] == [["A"], ["B"]]


def test_nobody_has_a_percentage_before_the_first_match():
    assert ladder("ABC", []) == [["A", "B", "C"]]
    assert ladder("ABC", [won(1, "A", "B", 0)]) == [["A"], ["B", "C"]]


def test_tie_break_matches_decide_nothing_while_one_is_running_or_a_team_has_not_played():
    assert decided("ABC", [beat("A", "B")]) == [["A", "B", "C"]]
    running = TieBreak(teams=frozenset("BC"), winner=None, over=False)
    assert decided("ABC", [beat("A", "B"), running]) == [["A", "B", "C"]]
    assert decided("AB", [TieBreak(teams=frozenset("AB"), winner=None, over=True)]) == [["A", "B"]]


@pytest.mark.parametrize(
    ("matches", "order"),
    [
        ("AB BC", [["A"], ["B"], ["C"]]),
        ("AB CA", [["C"], ["A"], ["B"]]),
        ("AB CB", [["A", "C"], ["B"]]),
        ("AB BC CA", [["A", "B", "C"]]),
        ("AB BC CA AB", [["A"], ["C"], ["B"]]),
        ("AB BA AB CA", [["C"], ["A"], ["B"]]),
        ("AB CD", [["A", "C"], ["B", "D"]]),
        ("AB CD AC", [["A"], ["B", "C"], ["D"]]),
    ],
)
def test_who_has_beaten_another_stands_above_also_by_way_of_a_third(matches: str, order: list[list[str]]):
    teams = sorted(set(matches) - {" "})
    for some in permutations([beat(*pair) for pair in matches.split()]):
        assert decided(teams, some) == order


def test_only_the_part_that_lies_over_the_cut_is_split_and_who_goes_on_stays_level():
    level = [["A"], ["B", "C", "D"], ["E", "F"]]
    matches = [beat("B", "C"), beat("C", "D"), beat("E", "F")]
    assert settle_cut(level, cut=3, skip=(), matches=matches) == [["A"], ["B", "C"], ["D"], ["E", "F"]]
    assert settle_cut(level, cut=2, skip=(), matches=matches) == [["A"], ["B"], ["C"], ["D"], ["E", "F"]]
    assert settle_cut(level, cut=4, skip=(), matches=matches) == level
    assert settle_cut(level, cut=2, skip={"B"}, matches=[beat("D", "C")]) == [["A"], ["D"], ["C"], ["B"], ["E", "F"]]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_of_matches_is_what_a_walk_over_the_whole_log_gives(seed: int):
    document: dict[str, Any] = season(seed)
    chance, running = Random(seed), Running()  # noqa: S311 - the same questions each time
    tournament = parse(document | {"log": []})
    for number, entry in enumerate(document["log"], 1):
        tournament = with_entry(tournament, entry)
        state = running.evaluate(tournament)
        if chance.random() < 0.05 or number == len(document["log"]):
            assert state == evaluate(tournament)
