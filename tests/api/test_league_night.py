"""A whole night of the league over HTTP: line-ups by captains, captured games, a forfeit, a challenge, a correction."""

from collections.abc import Callable

import httpx2
import pytest

from server.core import rules
from server.tournament_file import loads

from .conftest import Agent, Running
from .teams import LEAGUE, captain, lined_up, send, sheet
from .words import T, ok, say, stage

Login = Callable[[str | None], httpx2.Client]


@pytest.fixture
def league(running: Running) -> None:
    """The league with its first match set."""
    ok(running.client("admin").post("/tournaments", json={"id": "league", "head": LEAGUE}))
    match = {"match": "x1", "home": "H", "away": "A", "week": 1, "venue": "v1"}
    ok(running.client("desk").post(f"{T}/matches", json=match))


def captured(client: httpx2.Client, agent: Agent, machine: str, number: int, slot: int, *scores: int) -> list[str]:
    """A game of the slot by those whom the line-ups name, in order of play; says who they were."""
    place = {"match": "x1", "round": number, "slot": slot}
    players: list[str] = ok(client.post(f"/machines/{machine}/assign", json=place))["result"]["players"]
    assert len(players) == len(scores), players
    game = agent.plays_together(machine, *scores)
    found = ok(client.get(f"/games/{game}"))
    assert found["status"] == "posted", found["why"]
    return players


def comes_back_from_the_file(client: httpx2.Client) -> None:
    again = rules.evaluate(loads(client.get(f"{T}/export").text))
    assert again["matches"] == ok(client.get(f"{T}/standings"))["matches"]
    assert again["refused"] == []


@pytest.mark.usefixtures("league")
def test_a_league_night(running: Running, login: Login, agent: Agent):
    home, away = captain(running, "h1"), captain(running, "a1")
    keeper, official = login("scorekeeper"), login("official")
    send(home, "terms", challenge_modes=False)

    assert sheet(home)["rounds"][0]["to_declare"] == "A"
    assert "PC7" in send(home, "lineups", round=1, games=lined_up("h1 h2", "h3 h4"), http=422)["error"]
    send(away, "lineups", round=1, games=lined_up("a1 a2", "a3 a4", machines="m1 two"))
    seen = sheet(home)["rounds"][0]
    assert (seen["to_declare"], seen["slots"][0]["players"]) == ("H", {"H": None, "A": ["a1", "a2"]})
    send(home, "lineups", round=1, games=lined_up("h1 h2", "h3 h4"))
    assert captured(keeper, agent, "m1", 1, 1, 100, 50, 100, 50) == ["h1", "a1", "h2", "a2"]
    assert captured(keeper, agent, "two", 1, 2, 10, 90) == ["h3", "a3"]
    assert sheet(home)["points"] == {"H": 2, "A": 0}
    assert captured(keeper, agent, "two", 1, 2, 60, 10) == ["h4", "a4"]
    assert sheet(home)["points"] == {"H": 2, "A": 2}

    send(home, "lineups", round=2, games=lined_up("h1", "h2", "h3", "h5", machines="m1 m2 one m3"))
    send(away, "lineups", round=2, games=lined_up("a1", "a2", "a3", "a5"))
    assert captured(keeper, agent, "m1", 2, 1, 5, 9) == ["a1", "h1"]
    assert captured(keeper, agent, "m2", 2, 2, 9, 5) == ["a2", "h2"]
    assert captured(keeper, agent, "one", 2, 3, 7) == ["a3"]
    assert captured(keeper, agent, "one", 2, 3, 8) == ["h3"]
    send(away, "forfeits", round=2, slot=4)
    assert sheet(home)["points"] == {"H": 5, "A": 3}

    contested = sheet(home)["rounds"][1]["slots"][1]["games"][0]
    send(home, "challenges", game=contested, why="he was logged in")
    assert [one["game"] for one in sheet(away)["challenges"]] == [contested]

    send(away, "lineups", round=3, games=lined_up("a1", "a2", "a3", "a4", machines="m1 m2 m3 m4"))
    send(home, "lineups", round=3, games=lined_up("h1", "h2", "h3", "h4"))
    for slot, scores in enumerate([(1, 2), (1, 2), (2, 1), (2, 1)], 1):
        captured(keeper, agent, f"m{slot}", 3, slot, *scores)
    assert "PC31" in send(home, "challenges", game=contested, why="again", http=422)["error"]

    send(home, "lineups", round=4, games=lined_up("h1 h3", "h2 h4", machines="m1 m2"))
    send(away, "lineups", round=4, games=lined_up("a1 a3", "a2 a4"))
    assert captured(keeper, agent, "m1", 4, 1, 10, 20, 10, 20) == ["a1", "h1", "a3", "h3"]
    send(away, "games", machine="m2", round=4, slot=2, scores={"a2": 30, "h2": 20, "a4": 30, "h4": 20})
    now = sheet(home)
    assert now["points"] == {"H": 9, "A": 7}

    typed = now["rounds"][3]["slots"][1]["games"][0]
    send(away, "confirm")
    assert set(sheet(home)["confirmed"]) == {"A"}
    say(official, correct=typed, scores={"a2": 3, "h2": 20, "a4": 3, "h4": 20}, why="a digit too many")
    now = sheet(home)
    assert (now["points"], now["confirmed"]) == ({"H": 11, "A": 5}, {})
    send(away, "confirm")
    assert "who challenges does not sign" in send(home, "confirm", http=422)["error"]
    assert "has not confirmed" in send(away, "end", http=422)["error"]
    send(official, "end")
    over = sheet(home)
    assert (over["status"], over["winner"]) == ("final", "H")
    assert [(row["who"], row["points"], row["wins"]) for row in stage(home, "season")["standings"][:2]] == [
        ("H", 11, 1),
        ("A", 5, 0),
    ]
    comes_back_from_the_file(official)


@pytest.mark.usefixtures("league")
def test_a_game_captured_for_a_match_that_has_ended_is_held_with_the_reason(login: Login, agent: Agent):
    keeper, official = login("scorekeeper"), login("official")
    players = ["h1", "a1", "h2", "a2"]
    ok(keeper.post("/machines/m1/assign", json={"players": players, "match": "x1", "round": 1, "slot": 1}))
    say(official, forfeit="x1", team="A", why="they went home")
    game = agent.plays_together("m1", 1, 2, 3, 4)
    found = ok(official.get(f"/games/{game}"))
    assert (found["status"], "x1 is over" in found["why"][0]) == ("waiting", True)
    assert [one["score"] for one in found["scores"]] == [1, 2, 3, 4]


@pytest.mark.usefixtures("league")
def test_a_captured_compensation_ball_counts_once_a_ruling_names_it(login: Login, agent: Agent):
    keeper, official = login("scorekeeper"), login("official")
    players = ["h1", "a1", "h2", "a2"]
    ok(keeper.post("/machines/m1/assign", json={"players": players, "match": "x1", "round": 1, "slot": 1}))
    agent.plays_together("m1", 1, 2, 3, 4)
    ok(keeper.post("/machines/m2/assign", json={"players": ["h1"]}))
    ball = agent.plays_together("m2", 40)
    waits = ok(official.post(f"/games/{ball}/match", json={"players": ["h1"]}))["result"]["waits"]
    assert "counts only once a ruling names it" in waits[0]
    ok(official.post(f"/games/{ball}/match", json={"players": ["h1"], "despite_rules": True, "why": "ball 3"}))
    kept = ok(official.get(f"/games/{ball}"))
    assert (kept["status"], kept["counts"], kept["against"]) == ("posted", False, waits[0])
    say(official, ruling="g1", who="h1", kind="add-ball", games=["g2"], why="PC35")
    kept = next(game for game in ok(official.get("/games"))["games"] if game["id"] == ball)
    assert (kept["counts"], kept["against"]) == (True, None)
    assert sheet(official)["rounds"][0]["slots"][0]["sums"] == {"H": 44, "A": 6}
