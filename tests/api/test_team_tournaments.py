"""Groups of teams and of countries over HTTP: captured games of teams and of players, bonus games, finals."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .conftest import Agent, Running, play
from .teams import COUNTRY, UK_TEAM
from .words import T, ok, stage

Login = Callable[[str | None], httpx2.Client]


@pytest.fixture
def uk(running: Running) -> None:
    ok(running.client("admin").post("/tournaments", json={"id": "uk", "head": UK_TEAM}))


@pytest.fixture
def countries(running: Running) -> None:
    ok(running.client("admin").post("/tournaments", json={"id": "countries", "head": COUNTRY}))


def set_match(client: httpx2.Client, match: str, home: str, away: str, **more: object) -> None:
    ok(client.post(f"{T}/matches", json={"match": match, "home": home, "away": away, **more}))


def group(client: httpx2.Client, name: str) -> dict[str, int]:
    [found] = [one for one in stage(client)["groups"] if one["id"] == name]
    return {row["who"]: row["points"] for row in found["standings"]}


@pytest.mark.usefixtures("uk")
def test_a_group_of_teams_and_its_final(login: Login, agent: Agent):
    official = login("official")
    pairs = [("t1", "t6"), ("t1", "t9"), ("t1", "t13"), ("t6", "t9"), ("t6", "t13"), ("t9", "t13")]
    for number, (home, away) in enumerate(pairs, 1):
        match = f"x{number}"
        set_match(official, match, home, away)
        place = {"match": match}
        assigned = ok(official.post("/machines/m1/assign", json=place))["result"]["players"]
        assert assigned == [home, away]
        game = ok(official.get(f"/games/{agent.plays_together('m1', 200, 100)}"))
        assert game["status"] == "posted", game["why"]
    assert group(official, "A") == {"t1": 15, "t6": 10, "t9": 5, "t13": 0}
    for name, score in (("t1", 10), ("t6", 40), ("t9", 30), ("t13", 20)):
        play(official, agent, "m2", {"slot": "bonus"}, **{name: score})
    assert group(official, "A") == {"t1": 15, "t6": 19, "t9": 10, "t13": 2}
    again = play(official, agent, "m2", {"slot": "bonus"}, t1=50)
    assert (again["status"], "UT3" in again["why"][0]) == ("waiting", True)
    across = official.post(f"{T}/matches", json={"match": "y", "home": "t1", "away": "t2"})
    assert across.status_code == 422


@pytest.mark.usefixtures("countries")
def test_a_match_of_countries_on_two_machines_at_once(login: Login, agent: Agent):
    official = login("official")
    set_match(official, "x1", "c1", "c6")
    first, second = {"c1x1": 4, "c1x2": 3, "c6x1": 2, "c6x2": 1}, {"c6x3": 4, "c1x3": 3, "c6x4": 2, "c1x4": 1}
    left_out = official.post("/machines/m1/assign", json={"match": "x1"})
    assert (left_out.status_code, "kept by player" in left_out.json()["error"]) == (422, True)
    for machine, scores in (("m1", first), ("m2", second)):
        ok(official.post(f"/machines/{machine}/assign", json={"players": list(scores), "match": "x1"}))
    games = [agent.plays_together("m1", *first.values()), agent.plays_together("m2", *second.values())]
    for game in games:
        found = ok(official.get(f"/games/{game}"))
        assert found["status"] == "posted", found["why"]
    [match] = ok(official.get(f"{T}/matches"))["matches"]
    assert match["points"] == {"c1": 14 + 5, "c6": 2 + 11}
    third = play(official, agent, "m3", {"match": "x1"}, c1x1=1, c1x2=2, c6x1=3, c6x2=4)
    assert (third["status"], "EC2" in third["why"][0]) == ("waiting", True)


def at(minute: int) -> str:
    return f"2026-03-01T20:{minute:02}:00Z"


def typed(client: httpx2.Client, http: int, game: str, start: int, end: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    entry = {"game": game, "started_at": at(start), "at": at(end), **more}
    answer = client.post(f"{T}/log", json={"entry": entry})
    assert answer.status_code == http, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.usefixtures("countries")
def test_nobody_plays_for_his_country_and_for_himself_at_once(login: Login):
    official = login("official")
    set_match(official, "x1", "c1", "c6")
    scores = {"c1x1": 4, "c1x2": 3, "c6x1": 2, "c6x2": 1}
    typed(official, 200, "g1", 0, 10, machine="m1", match="x1", scores=scores)
    told = typed(official, 422, "g2", 5, 15, machine="m3", slot="bonus", scores={"c1": 100})
    assert "nobody plays two games at once" in told["error"]
    typed(official, 200, "g3", 11, 15, machine="m3", slot="bonus", scores={"c1": 100})
    other = {"c1x3": 4, "c1x4": 3, "c6x3": 2, "c6x4": 1}
    typed(official, 422, "g4", 12, 14, machine="m2", match="x1", scores=other)
    typed(official, 200, "g5", 0, 10, machine="m2", match="x1", scores=other)


@pytest.mark.usefixtures("uk")
def test_a_team_that_withdraws_is_put_on_no_machine(login: Login):
    official = login("official")
    set_match(official, "x1", "t1", "t6")
    ok(official.post(f"{T}/players/t6/withdraw", json={"why": "went home", "stage": "qualifying"}))
    told = official.post("/machines/m1/assign", json={"players": ["t1", "t6"], "match": "x1"})
    assert (told.status_code, "t6 has withdrawn" in told.json()["error"]) == (422, True)


@pytest.mark.usefixtures("uk")
def test_facts_of_a_team_are_changed_and_taken_back(login: Login):
    official = login("official")
    row = {"id": "t1", "captain": "t1x2", "name": "The Firsts"}
    changed = ok(official.patch(f"{T}", json={"teams": [row], "why": "they chose another"}))["result"]
    [first, *_] = ok(official.get(f"{T}/teams"))["teams"]
    assert (first["name"], first["captains"]) == ("The Firsts", ["t1x2"])
    ok(official.patch(f"{T}", json={**changed["back"], "why": "mistaken"}))
    [first, *_] = ok(official.get(f"{T}/teams"))["teams"]
    assert (first["name"], first["captains"]) == ("Team t1", ["t1x1"])
    bad = official.patch(f"{T}", json={"teams": [{"id": "t1", "captain": "zz"}], "why": "typo"})
    assert (bad.status_code, "zz is not in the roster" in bad.json()["error"]) == (422, True)
    assert official.patch(f"{T}", json={"teams": [{"id": "t99", "name": "x"}], "why": "typo"}).status_code == 422
