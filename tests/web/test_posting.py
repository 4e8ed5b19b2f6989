# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""Groups and pairings as officials post them: the proposal is filled in, reads back, and bad lines do nothing."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c

Browse = Callable[..., TestClient]


def proposal(page: str) -> dict[str, str]:
    """The fields of the first form that posts."""
    form = page.split('action="/rounds/post"')[1].split("</form>", maxsplit=1)[0]
    found = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    (text,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", form, re.DOTALL)
    found.pop("despite_recusal")
    return {**found, "lines": html.unescape(text), "why": "agreed"}


def stage(hall: Any, name: str, number: int) -> Any:
    return hall.desk.standings.of(name).outcome["stages"][number]


@pytest.fixture
def five(hall: Any) -> Any:
    """Match play in pairs; two players are called the same, one has a comma in his name."""
    names = ["Ann", "Ben", "Cox, Carl", "Dee", "Dee", "Eve"]
    players = [{"id": f"p{n}", "name": name} for n, name in enumerate(names, 1)]
    machines = [{"id": "m1", "name": "Taxi"}, {"id": "m2", "name": "Taxi"}, {"id": "m3", "name": "Centaur"}]
    rules = {"rounds": 3, "group_size": 2}
    hall.open(players=players, machines=machines, name="mp", preset="match-play", rules=rules)
    return hall


@pytest.fixture
def papa(hall: Any) -> Any:
    """Nine players of whom eight go on to a semifinal of two groups."""
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 10)]
    machines = [{"id": f"m{n}", "name": f"Machine {n}"} for n in range(1, 5)]
    hall.open(players=players, machines=machines, name="papa", preset="papa", rules={"qualifiers": 8})
    for number in range(1, 10):
        entry = {"game": "", "machine": "m1", "scores": {f"p{number}": 1000 - number}}
        hall.do(c.RecordEntry(tournament="papa", entry=entry))
    hall.do(c.RecordEntry(tournament="papa", entry={"close": "qualifying"}))
    return hall


def test_what_is_proposed_reads_back_as_what_was_drawn(five: Any, browse: Browse):
    before = [(game["who"], game["machine"]) for game in stage(five, "mp", 0)["schedule"]]
    client = browse("official")
    form = proposal(client.get("/rounds").text)
    assert (form["topic"], form["round"], form["stage"]) == ("pairings", "1", "qualifying")
    assert client.post("/rounds/post", data=form).status_code == 303
    assert "Round 1 of Qualifying is posted." in client.get("/rounds").text
    assert [(game["who"], game["machine"]) for game in stage(five, "mp", 0)["schedule"]] == before


def test_what_officials_type_is_played_and_comes_to_the_board(five: Any, browse: Browse):
    client = browse("official")
    form = proposal(client.get("/rounds").text)
    typed = " ann ,BEN@ centaur\r\n\r\np3, p4\r\np5,Eve @ m2\r\n"
    client.post("/rounds/post", data={**form, "lines": typed, "why": "the machine is free"})
    schedule = [(game["who"], game["machine"]) for game in stage(five, "mp", 0)["schedule"]]
    assert [who for who, _ in schedule] == [["p1", "p2"], ["p3", "p4"], ["p5", "p6"]]
    assert schedule[0][1] == "m3"
    assert schedule[2][1] == "m2"
    assert "Cox, Carl" in browse(None).get("/board").text
    assert five.log("mp")[-1]["games"][0] == {"players": ["p1", "p2"], "machine": "m3"}


def test_the_groups_of_a_stage_are_posted_until_it_has_begun(papa: Any, browse: Browse):
    client = browse("official")
    form = proposal(client.get("/rounds").text)
    assert (form["topic"], form["stage"]) == ("groups", "semifinal")
    first, second = (line.split(", ") for line in form["lines"].splitlines())
    mixed = [first[0], *second[1:]], [second[0], *first[1:]]
    client.post("/rounds/post", data={**form, "lines": "\n".join(", ".join(group) for group in mixed)})
    groups = [sorted(group["who"]) for group in stage(papa, "papa", 1)["groups"]]
    assert groups == [sorted(name.lower().replace("player ", "p") for name in group) for group in mixed]
    entry = {"game": "", "stage": "semifinal", "group": "1", "machine": "m1"}
    scores = {who: 100 + number for number, who in enumerate(groups[0])}
    papa.do(c.RecordEntry(tournament="papa", entry={**entry, "scores": scores}))
    assert "/rounds/post" not in client.get("/rounds").text
    client.post("/rounds/post", data={**form, "key": "other"})
    assert "has begun" in client.get("/rounds").text


def test_after_a_game_off_the_draw_nobody_is_proposed_twice(hall: Any, browse: Browse):
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)]
    rules = {"rounds": 2, "group_size": 2, "games_per_round": 3}
    hall.open(players=players, machines=[{"id": "m1"}, {"id": "m2"}], name="mp", preset="match-play", rules=rules)
    drawn = [game["who"] for game in stage(hall, "mp", 0)["schedule"]]
    scores = {drawn[0][0]: 5, drawn[1][0]: 4}
    hall.do(c.RecordEntry(tournament="mp", entry={"game": "", "machine": "m1", "scores": scores}))
    client = browse("official")
    client.post("/rounds/post", data=proposal(client.get("/rounds").text))
    games = [game["players"] for game in hall.log("mp")[-1]["games"]]
    assert games[0] == list(scores)
    assert sorted(who for game in games for who in game) == ["p1", "p2", "p3", "p4"]


def test_the_matches_of_a_bracket_are_not_posted(hall: Any, browse: Browse):
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)]
    hall.open(players=players, machines=[{"id": "m1"}], name="ko", preset="single-elimination")
    assert "/rounds/post" not in browse("official").get("/rounds").text


def test_an_official_who_plays_himself_posts_only_when_he_says_so(five: Any, browse: Browse):
    five.do(c.EnterOfficial(tournament="mp", user="official", player="p1"))
    client = browse("official")
    form = proposal(client.get("/rounds").text)
    before = five.desk.hub.position
    refused = client.post("/rounds/post", data=form, headers={"HX-Request": "true"})
    assert (refused.status_code, five.desk.hub.position) == (409, before)
    assert client.post("/rounds/post", data={**form, "despite_recusal": "yes"}).status_code == 303
    assert five.log("mp")[-1]["decision"] == "pairings"


@pytest.mark.usefixtures("five")
def test_only_officials_post(browse: Browse):
    form = proposal(browse("official").get("/rounds").text)
    client = browse("scorekeeper")
    assert "/rounds/post" not in client.get("/rounds").text
    assert client.post("/rounds/post", data=form, headers={"HX-Request": "true"}).status_code == 403


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lines": "p1, p2", "why": ""}, "A reason is needed."),
        ({"lines": ""}, "Nothing is written"),
        ({"lines": "p1, p1"}, "Ann is named twice."),
        ({"lines": "p1, p2\np3, p1"}, "Ann is named twice."),
        ({"lines": "Dee, Ann"}, "2 players are called Dee: give the id."),
        ({"lines": "Zed, Ann"}, "There is no player Zed."),
        ({"lines": "p1, p2 @ Taxi"}, "2 machines are called Taxi: give the id."),
        ({"lines": "p1, p2 @ Flipper"}, "There is no machine Flipper."),
        ({"lines": "@ m1"}, "Nobody plays in the line @ m1."),
        ({"lines": "p1\n" * 501}, "At most 500 lines"),
        ({"lines": "x" * 40_001}, "at most 40000 characters"),
        ({"lines": "p1, p2", "round": "0"}, "pairings: the round"),
        ({"lines": "p1, p2", "round": ""}, "pairings: the round"),
        ({"lines": "p1, p2", "round": "two"}, "round must be a whole number"),
        ({"lines": "p1, p2", "stage": "moon"}, "there is no stage moon"),
        ({"lines": "p1, p2", "topic": "weather"}, "Choose whether groups or pairings"),
        ({"lines": "p1, p2", "topic": "groups"}, "groups: lists of the players"),
    ],
)
def test_bad_lines_post_nothing_and_say_what_is_wrong(five: Any, browse: Browse, change: dict[str, str], said: str):
    before = five.desk.hub.position
    form = {"topic": "pairings", "stage": "qualifying", "round": "1", "lines": "", "why": "agreed", **change}
    answer = browse("official").post("/rounds/post", data=form, headers={"HX-Request": "true"})
    assert answer.status_code in {409, 422}
    assert said.casefold() in html.unescape(answer.text).casefold()
    assert five.desk.hub.position == before
