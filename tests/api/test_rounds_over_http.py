"""Match play and a knockout, from registration to the winner, driven over HTTP as a desk does it."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .words import T, ok, say, stage

Login = Callable[[str | None], httpx2.Client]
HEAD: dict[str, Any] = {
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 8)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}"} for n in (1, 2, 3)],
}
STRENGTH = {f"p{n}": 1000 - 100 * n for n in range(1, 8)}


def open_tournament(login: Login, preset: str, rules: dict[str, Any]) -> httpx2.Client:
    head = {**HEAD, "tournament": preset, "preset": preset, "rules": rules}
    ok(login("admin").post("/tournaments", json={"id": preset, "head": head}))
    desk = login("desk")
    for player in HEAD["players"]:
        say(desk, register=player["id"])
    return login("official")


def play_round(official: httpx2.Client, name: str) -> int:
    """Type all games that are drawn, the stronger player always ahead; gives how many there were."""
    open_games = [game for game in stage(official, name)["schedule"] if game["game"] is None and len(game["who"]) > 1]
    for game in open_games:
        scores = {who: STRENGTH[who] for who in game["who"]}
        place = {"machine": game["machine"], "round": game["round"], "group": game["group"], "stage": name}
        ok(official.post(f"{T}/games", json={**place, "scores": scores}))
    return len(open_games)


def test_match_play_from_the_draw_to_the_last_place(login: Login):
    official = open_tournament(login, "match-play", {"rounds": 4})
    for _ in range(4):
        assert play_round(official, "qualifying") == 2  # 4 + 3
    over = stage(official)
    assert (over["status"], play_round(official, "qualifying")) == ("closed", 0)
    points = {row["who"]: row["points"] for row in over["standings"]}
    assert sum(points.values()) == 4 * (4 + 2 + 1 + 0 + 4 + 2 + 1)
    assert points["p1"] == 16  # the strongest wins each game
    places = {player["id"]: player.get("place") for player in ok(official.get(f"{T}/standings"))["players"]}
    assert places["p1"] == 1
    assert None not in places.values()


def test_a_correction_in_a_round_that_is_past_is_told_and_undone(login: Login):
    official = open_tournament(login, "match-play", {"rounds": 2})
    play_round(official, "qualifying")
    play_round(official, "qualifying")
    before = stage(official)
    [line, _] = before["standings"][0]["machines"]
    said = say(official, correct=line["game"], scores={"p1": 1}, why="misread")
    after = stage(official)
    points = {row["who"]: row["points"] for row in after["standings"]}
    assert points["p1"] < 8
    assert sum(points.values()) == sum(row["points"] for row in before["standings"])
    flags = ok(official.get(f"{T}/standings"))["flags"]
    assert [flag["why"] for flag in flags if "round 2 has begun" in flag["why"]]
    ok(official.post(f"{T}/log/{said['result']['number']}/undo", json={"why": "it was right"}))
    assert stage(official)["standings"] == before["standings"]


@pytest.mark.parametrize("size", [2, 4])
def test_a_knockout_to_the_last_one_standing(login: Login, size: int):
    official = open_tournament(login, "knockout", {"strikes": 2, "group_size": size})
    rounds = 0
    while play_round(official, "knockout"):
        rounds += 1
        assert rounds < 30
    over = stage(official, "knockout")
    assert over["status"] == "closed"
    assert [row["who"] for row in over["standings"] if row["out"] is None] == ["p1"]
    assert over["standings"][0]["strikes"] == 0
    places = {player["id"]: player.get("place") for player in ok(official.get(f"{T}/standings"))["players"]}
    assert places["p1"] == 1
    assert None not in places.values()
