"""Entries about teams in words: what was recorded is said whole, with everybody's name."""

from typing import Any

import pytest

from server.web.views.team_words import place_of, team_entry

NAMES = {"K": "Kings", "L": "Lions", "k1": "Ann", "k2": "Ben", "mm": "Medieval Madness"}


def said(entry: dict[str, Any]) -> str | None:
    def name(of: object) -> str:
        return NAMES.get(str(of), str(of))

    return team_entry(entry, name, name)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            {"match": "x1", "home": "K", "away": "L", "week": 3, "venue": "v1"},
            "match x1: Kings against Lions, week 3, venue v1",
        ),
        (
            {"match": "x1", "home": "K", "away": "L", "tiebreak": True},
            "match x1: Kings against Lions, a tie-break match",
        ),
        (
            {
                "lineup": "x1",
                "round": 1,
                "team": "K",
                "games": [{"slot": "1", "machine": "mm", "players": ["k1", "k2"]}, {"slot": "2", "players": ["k9"]}],
            },
            "line-up of Kings for match x1, round 1: game 1 Ann and Ben on Medieval Madness; game 2 k9",
        ),
        ({"forfeit": "x1", "team": "L", "stayed": True}, "Lions forfeits match x1, the others stayed"),
        ({"forfeit": "x1", "team": "L", "round": 2, "slot": "4"}, "Lions forfeits a game in match x1, round 2, game 4"),
        ({"forfeit": "x1", "team": "L", "for": "no-show"}, "Lions forfeits match x1 (no-show)"),
        (
            {"roster": "K", "drop": "k1", "add": "k2", "role": "reserve"},
            "roster of Kings: without Ann and with Ben as reserve",
        ),
        (
            {"terms": "x1", "extra_balls": 0, "challenge_modes": True},
            "terms of match x1: extra balls 0 and challenge modes yes",
        ),
        ({"challenge": "g7", "team": "K"}, "Kings contests game g7"),
        ({"end": "x1"}, "match x1 is over"),
        ({"close": "season"}, None),
    ],
)  # fmt: skip
def test_an_entry_about_teams_is_one_sentence(entry: dict[str, Any], words: str | None):
    assert said(entry) == words


def test_a_game_says_its_place_in_the_match():
    assert place_of({"game": "g1", "match": "x1", "round": 2, "slot": "3"}) == " in match x1, round 2, game 3"
    assert place_of({"game": "g1"}) == ""
