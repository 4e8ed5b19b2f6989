"""A captured game counts as a typed one does wherever it belongs; rounds go on when people come and go."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .conftest import Agent, play
from .words import T, ok, ranks, say, stage, type_game

Login = Callable[[str | None], httpx2.Client]
EPC: dict[str, Any] = {
    "tournament": "EPC",
    "preset": "epc",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}"} for n in (1, 2, 3)],
}
ROUNDS: dict[str, Any] = {
    **EPC,
    "tournament": "Match play",
    "preset": "match-play",
    "rules": {"group_size": 2, "rounds": 3},
}


def entry_of(client: httpx2.Client, game: dict[str, Any]) -> dict[str, Any]:
    assert game["status"] == "posted", game
    [entry] = ok(client.get(f"{T}/log", params={"after": game["entry"] - 1, "limit": 1}))["log"]
    found: dict[str, Any] = entry["entry"]
    return found


@pytest.mark.usefixtures("toronto")
def test_in_a_group_and_round_and_to_break_a_tie_within_its_game(login: Login, agent: Agent):
    official = login("official")
    for n in range(1, 9):
        play(official, agent, "m1", {}, **{f"p{n}": 1000 - 100 * n})
    say(official, close="A/qualifying", qualifiers=6)
    place = {"stage": "A/semifinal", "group": "1", "round": 1}
    game = play(official, agent, "m2", place, p1=500, p3=400, p5=400)
    entry = entry_of(official, game)
    assert {name: entry[name] for name in place} == place
    [tie] = stage(official, "A/semifinal")["tiebreaks"]
    assert (tie["reason"], tie["who"]) == ("machine", ["p3", "p5"])
    broken = play(official, agent, "m2", {"stage": "A/semifinal", "tiebreak": entry["game"]}, p3=10, p5=20)
    assert entry_of(official, broken)["tiebreak"] == entry["game"]
    assert stage(official, "A/semifinal")["tiebreaks"] == []
    points = {row["who"]: row["points"] for row in stage(official, "A/semifinal")["standings"]}
    assert (points["p1"], points["p5"], points["p3"]) == (4, 2, 1)


@pytest.mark.usefixtures("toronto")
def test_to_break_a_tie_of_a_stage(login: Login, agent: Agent):
    official = login("official")
    scores = [900, 800, 700, 600, 500, 400, 400, 300]
    for n, score in enumerate(scores, 1):
        play(official, agent, "m1", {}, **{f"p{n}": score})
    say(official, close="A/qualifying", qualifiers=6)
    assert [tie["reason"] for tie in stage(official, "A/qualifying")["tiebreaks"]] == ["cut"]
    game = play(official, agent, "m2", {"stage": "A/qualifying", "tiebreak": True}, p6=5, p7=6)
    assert entry_of(official, game)["tiebreak"] is True
    assert stage(official, "A/qualifying")["advance"][-1] == "p7"


@pytest.mark.usefixtures("toronto")
def test_to_make_up_for_a_score_that_a_disabled_machine_lost(login: Login, agent: Agent):
    official = login("official")
    play(official, agent, "m1", {}, p1=900)
    say(official, machine="m1", status="disabled", scores="void", why="dead")
    game = play(official, agent, "m2", {"makeup": "m1"}, p1=70)
    assert entry_of(official, game)["makeup"] == "m1"
    held = play(official, agent, "m3", {"makeup": "m1"}, p1=80)
    assert (held["status"], "made up" in held["why"][0]) == ("waiting", True)


def test_as_a_joker(login: Login, agent: Agent):
    ok(login("admin").post("/tournaments", json={"id": "epc", "head": EPC}))
    official = login("official")
    play(official, agent, "m1", {}, p1=100)
    game = play(official, agent, "m1", {"joker": True}, p1=900)
    assert entry_of(official, game)["joker"] is True
    assert stage(official)["standings"][0]["machines"][0]["score"] == 900
    second = play(official, agent, "m1", {"joker": True}, p1=950)
    assert (second["status"], "joker" in second["why"][0]) == ("waiting", True)


def test_what_the_preset_does_not_know_is_held_with_the_reason(login: Login, agent: Agent):
    ok(login("admin").post("/tournaments", json={"id": "epc", "head": EPC}))
    held = play(login("official"), agent, "m1", {"match": "x1"}, p1=100)
    assert (held["status"], "match" in held["why"][0]) == ("waiting", True)
    assert held["scores"][0]["score"] == 100


def test_rounds_go_on_without_who_left_and_with_who_came(login: Login, agent: Agent):  # E06
    ok(login("admin").post("/tournaments", json={"id": "rounds", "head": ROUNDS}))
    official, desk = login("official"), login("desk")
    for n in range(1, 5):
        say(desk, register=f"p{n}")
    for game in drawn(official, 1):
        play(official, agent, game["machine"], {"round": 1}, **dict(zip(game["who"], (200, 100), strict=True)))
    before = {row["who"]: row["points"] for row in stage(official)["standings"]}
    gone = ok(desk.post(f"{T}/players/p4/withdraw", json={"why": "went home"}))["result"]
    assert gone["entry"] == "absent"
    ok(desk.post(f"{T}/players", json={"players": [{"id": "p5", "name": "Late"}]}))
    say(desk, register="p5")
    second = drawn(official, 2)
    assert sorted(who for game in second for who in game["who"]) == ["p1", "p2", "p3", "p5"]
    assert {row["who"]: row["points"] for row in stage(official)["standings"]} == before
    assert "p5" not in {who for _, who in ranks(official)}
    for game in second:
        play(official, agent, game["machine"], {"round": 2}, **dict(zip(game["who"], (200, 100), strict=True)))
    assert {who for _, who in ranks(official)} == {"p1", "p2", "p3", "p4", "p5"}
    points = {row["who"]: row["points"] for row in stage(official)["standings"]}
    assert points["p4"] == before["p4"]
    ok(desk.post(f"{T}/players/p4/return", json={"why": "forgot his hat"}))
    assert "p4" in {who for game in drawn(official, 3) for who in game["who"]}


def drawn(client: httpx2.Client, number: int) -> list[dict[str, Any]]:
    return [game for game in stage(client)["schedule"] if game["round"] == number and game["machine"]]


@pytest.mark.usefixtures("kids")
def test_typed_and_captured_games_stand_side_by_side(login: Login, agent: Agent):
    official = login("official")
    type_game(official, "m1", p1=10)
    play(official, agent, "m1", {}, p2=20)
    assert ranks(official) == [(1, "p2"), (2, "p1")]


def test_an_absence_from_the_rounds_frees_the_machine_too(login: Login, agent: Agent):
    ok(login("admin").post("/tournaments", json={"id": "rounds", "head": ROUNDS}))
    official, keeper = login("official"), login("scorekeeper")
    for n in range(1, 5):
        say(official, register=f"p{n}")
    ok(keeper.post("/machines/m1/assign", json={"players": ["p4"], "round": 1}))
    game = agent.starts("m1")
    say(keeper, absent="p4", why="ill")
    assert ok(official.get("/machines/m1"))["status"] == "idle"
    assert ok(official.get(f"/games/{game}"))["status"] == "waiting"
    assert ok(official.get(f"{T}/players/p4"))["withdrawn"]["why"] == "ill"
