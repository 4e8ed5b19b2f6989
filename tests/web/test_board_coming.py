# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""What comes next on the board: rounds, groups with who chooses, matches, ties; everybody is on a sheet that fits."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c
from server.web.views.coming import COLUMNS, LINES, coming
from server.web.views.matches import Choice, Match
from server.web.views.rounds import Stage

Browse = Callable[..., TestClient]
MACHINES = [{"id": f"m{n}", "name": f"Machine {n}"} for n in range(1, 5)]


def people(count: int) -> list[dict[str, str]]:
    return [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, count + 1)]


def sheets(page: str) -> list[str]:
    """The text of each sheet of what comes next, without tags."""
    found = page.split('class="sheet coming"')[1:]
    plain = [re.sub(r"<[^>]+>", " ", part.split("</ul></div>", maxsplit=1)[0].split(">", 1)[1]) for part in found]
    return [" ".join(text.split()) for text in plain]


def a_match(*who: str, title: str = "Group 1", **more: Any) -> Match:
    return Match(title=title, who=tuple((one, one) for one in who), fields=more.pop("fields", {}), **more)


def a_stage(*matches: Match, ties: tuple[Match, ...] = ()) -> Stage:
    more: dict[str, Any] = {"open": (), "advance": (), "played": 0, "left_out": 0, "status": "open"}
    return Stage(id="final", name="Final", ties=ties, matches=matches, **more)


def test_the_round_that_is_on_is_shown_with_machines_and_who_sits_out(hall: Any, browse: Browse):
    rules = {"rounds": 3, "group_size": 2}
    hall.open(players=people(5), machines=MACHINES, name="mp", preset="match-play", rules=rules)
    for who in people(5):
        hall.do(c.RecordEntry(tournament="mp", entry={"register": who["id"]}))
    (sheet,) = sheets(browse(None).get("/board").text)
    assert sheet.startswith("Qualifying: round 1 2 to play")
    assert {f"Player {n}" for n in range(1, 6)} == set(re.findall(r"Player \d", sheet))
    assert len(re.findall(r"Machine \d", sheet)) == 2
    assert sheet.count("sits out") == 1


def test_a_game_that_is_over_goes_and_the_next_round_comes(hall: Any, browse: Browse):
    rules = {"rounds": 2, "group_size": 4}
    hall.open(players=people(4), machines=MACHINES, name="mp", preset="match-play", rules=rules)
    for number in (1, 2):
        (sheet,) = sheets(browse(None).get("/board").text)
        assert f"round {number}" in sheet
        entry = {"game": "", "machine": "m1", "scores": {f"p{n}": n for n in range(1, 5)}}
        hall.do(c.RecordEntry(tournament="mp", entry=entry))
    assert sheets(browse(None).get("/board").text) == []


def test_groups_say_who_chooses_now_and_where_they_are(hall: Any, browse: Browse):
    rules = {"qualifiers": 8}
    hall.open(players=people(9), machines=MACHINES, name="papa", preset="papa", rules=rules)
    for number in range(1, 10):
        entry = {"game": "", "machine": "m1", "scores": {f"p{number}": 1000 - number}}
        hall.do(c.RecordEntry(tournament="papa", entry=entry))
    hall.do(c.RecordEntry(tournament="papa", entry={"close": "qualifying"}))
    (sheet,) = sheets(browse(None).get("/board").text)
    assert "Player 1 chooses" in sheet
    assert sheet.count("chooses") == 1
    assert "machine follows" in sheet
    choice = {"decision": "machine", "stage": "semifinal", "who": ["p1"], "machine": "m2"}
    hall.do(c.RecordEntry(tournament="papa", entry=choice))
    assert "Group 1, game 1 Machine 2" in sheets(browse(None).get("/board").text)[0]


def test_matches_of_a_bracket_and_ties_are_named_in_words(hall: Any, browse: Browse):
    hall.open(players=people(4), machines=MACHINES, name="ko", preset="single-elimination")
    assert "Round 1, match 2" in sheets(browse(None).get("/board").text)[0]
    hall.open(players=people(4), machines=MACHINES, name="kids", rules={"qualifiers": 2})
    for who, score in (("p1", 400), ("p2", 300), ("p3", 300), ("p4", 100)):
        hall.do(c.RecordEntry(tournament="kids", entry={"game": "", "machine": "m1", "scores": {who: score}}))
    hall.do(c.RecordEntry(tournament="kids", entry={"close": "qualifying"}))
    (sheet,) = sheets(browse(None).get("/board").text)
    assert sheet.startswith("Qualifying: to be played off 1 to play For places 2 to 3 Player 2 Player 3")


@pytest.mark.parametrize("size", [2, 3, 4, 5, 11, 40])
def test_everybody_stands_on_a_sheet_and_no_sheet_is_longer_than_the_screen(size: int):
    who = [f"q{n}" for n in range(80)]
    matches = [a_match(*who[first : first + size]) for first in range(0, 80, size)]
    found = coming([a_stage(*matches)])
    shown = [name for sheet in found for column in sheet.columns for card in column for name, _ in card.who]
    assert shown == who
    assert all(len(sheet.columns) <= COLUMNS for sheet in found)
    assert all(sum(card.lines for card in column) <= LINES for sheet in found for column in sheet.columns)


def test_two_groups_with_schedules_of_their_own_each_show_their_round():
    def game(group: str, number: int, *who: str) -> Match:
        fields = {"round": str(number), "group": group}
        title = f"Round {number}, group {group}"
        return a_match(*who, title=title, fields=fields, scheduled=True, grouped=True)

    found = coming([a_stage(game("1", 2, "a", "b"), game("1", 3, "a", "c"), game("2", 3, "d", "e"))])
    assert [sheet.title for sheet in found] == ["Final: round 2", "Final: round 3"]
    assert [card.title for sheet in found for column in sheet.columns for card in column] == ["Group 1", "Group 2"]


def test_where_officials_decide_the_card_says_so():
    choice = Choice(who=None, machines=(), positions=())
    (sheet,) = coming([a_stage(a_match("a", "b", choice=choice, note="Officials decide now"))])
    assert sheet.columns[0][0].where == "officials decide"
