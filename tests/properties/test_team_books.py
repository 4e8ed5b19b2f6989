"""Leagues, team systems and the code of conduct, compared with evaluators written from the rule pages alone.

More of them: INLANE_EXAMPLES=10000 pytest -n0 tests/properties/test_team_books.py
"""

import os
from typing import Any

import pytest

from server.core.rules import evaluate, parse
from tests.properties import (
    conduct_book,
    groups_compare,
    groups_made_up,
    league_compare,
    league_made_up,
    league_results,
)
from tests.properties.by_the_book import Book

EXAMPLES = int(os.environ.get("INLANE_EXAMPLES", "0"))
SLICES = 4


def seeds(few: int, part: int) -> range:
    """One slice of the seeds that are tried: few of them, or as many as the environment says."""
    many = (EXAMPLES or few) // SLICES
    return range(part * many, (part + 1) * many)


@pytest.mark.parametrize("part", range(SLICES))
def test_the_table_of_a_league_is_that_of_the_book(part: int):
    for seed in seeds(80, part):
        assert league_compare.differences(league_results.results(seed)) == [], f"season {seed}"


@pytest.mark.parametrize("part", range(SLICES))
def test_matches_of_a_league_are_taken_refused_and_counted_as_in_the_book(part: int):
    for seed in seeds(8, part):
        assert league_compare.differences(league_made_up.season(seed)) == [], f"season {seed}"


@pytest.mark.parametrize("preset", ["uk-team", "epc-country"])
def test_groups_of_teams_and_who_goes_on_are_those_of_the_book(preset: str):
    for seed in seeds(200, 0):
        document = groups_made_up.tournament(seed, preset)
        assert groups_compare.differences(document) == [], f"tournament {seed}"


@pytest.mark.parametrize("part", range(SLICES))
def test_scores_and_suspensions_are_those_of_the_code_of_conduct(part: int):
    for seed in seeds(100, part):
        document = conduct_book.event(seed)
        state: Any = evaluate(parse(document))
        refused = {item["entry"] for item in state["refused"]}
        book = Book(document, [entry for number, entry in enumerate(document["log"], 1) if number not in refused])
        shown = {
            row["who"]: sorted((kept["machine"], kept["score"], kept["rank"]) for kept in row["machines"])
            for row in state["stages"][0]["standings"]
        }
        assert shown == {who: sorted(kept) for who, kept in conduct_book.rows(book).items()}, f"event {seed}"
        for player in state["players"]:
            assert (player["status"] == "suspended") == conduct_book.is_suspended(book, player["id"]), f"event {seed}"
        for number, entry in enumerate(document["log"], 1):
            if next(iter(entry)) == "game" and number in refused:
                assert conduct_book.may_not_count(document, number), f"event {seed}, entry {number}"
