"""Machines without a reader, severity and what was kept at a freeze, and announced power cycles, over HTTP."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .conftest import Running

Login = Callable[[str | None], httpx2.Client]
Given = Any
"""Scores of any kind, and the agent of conftest."""


def test_a_game_by_hand_counts_once_however_often_it_is_sent(login: Login):
    keeper = login("scorekeeper")
    keeper.post("/machines/m1/assign", json={"players": ["p1"]})
    assert keeper.post("/machines/m1/start", json={}).status_code == 200
    sent = [
        keeper.post("/machines/m1/end", json={"scores": [12_345_678_910]}, headers={"Idempotency-Key": "k"})
        for _ in range(3)
    ]
    assert [answer.status_code for answer in sent] == [200, 200, 200]
    assert [answer.json()["again"] for answer in sent] == [False, True, True]
    [game] = keeper.get("/games").json()["games"]
    assert (game["source"], game["status"], game["agent"]) == ("manual", "posted", "manual")
    assert game["scores"][0]["score"] == 12_345_678_910
    explain = keeper.get(f"/games/{game['id']}").json()["explain"]
    assert {"fact.game.started", "fact.game.ended", "tournament.entry"} <= {one["kind"] for one in explain}
    assert {one["who"] for one in explain} == {"scorekeeper"}


@pytest.mark.parametrize("score", [2_147_483_647, 2_147_483_648, 4_294_967_296, 12_345_678_910, 0])
def test_scores_by_hand_are_exact(login: Login, score: int):
    keeper = login("scorekeeper")
    keeper.post("/machines/m1/assign", json={"players": ["p1"]})
    assert keeper.post("/machines/m1/end", json={"scores": [score]}).json()["result"]["status"] == "posted"
    assert keeper.get("/games").json()["games"][0]["scores"][0]["score"] == score


@pytest.mark.parametrize("scores", [[-500], ["0"], [1.0], [10**18 + 1], [], [1, 2], None])
def test_what_is_no_score_by_hand_is_refused(hall: Running, scores: Given):
    keeper = hall.client("scorekeeper")
    keeper.post("/machines/m1/assign", json={"players": ["p1"]})
    assert keeper.post("/machines/m1/end", json={"scores": scores}).status_code == 422
    assert keeper.get("/games").json()["games"] == []


def test_a_malfunction_carries_severity_class_and_what_was_kept(login: Login, agent: Given):
    keeper = login("scorekeeper")
    keeper.post("/machines/m1/assign", json={"players": ["p1"]})
    game = agent.starts("m1")
    digests = ["sha256:" + letter * 64 for letter in "abc"]
    scores = [{"player": 1, "score": 880120}]
    agent.says(
        ("fault.raised", "m1", {"fault": "reset", "game": game, "player": 1, "ball": 2, "scores": scores}),
        ("score.frozen", "m1", {
            "game": game, "scores": scores, "why": "reset", "recording": digests[2],
            "frames": [{"ago_ms": 900, "evidence": digests[0]}, {"ago_ms": 400, "evidence": digests[1]}],
        }),
        ("fault.raised", "m1", {"fault": "tilt-warning", "game": game}),
    )  # fmt: skip
    warning, reset = keeper.get("/malfunctions").json()["malfunctions"]
    assert (warning["severity"], reset["severity"]) == ("note", "alarm")
    assert reset["suggested"]["class"] == "catastrophic malfunction"
    assert all(rule["section"] and rule["says"] for rule in reset["suggested"]["rules"])
    [frozen] = keeper.get(f"/malfunctions/{reset['id']}").json()["frozen"]
    assert [frame["ago_ms"] for frame in frozen["frames"]] == [900, 400]
    assert frozen["recording"] == digests[2]
    assert frozen["scores"][0]["score"] == 880120


def test_an_announced_power_cycle_opens_nothing(login: Login, agent: Given):
    desk = login("desk")
    assert desk.post("/machines/m1/power-cycle", json={"minutes": 5, "why": "round two"}).status_code == 200
    agent.says(("fault.raised", "m1", {"fault": "power-lost"}))
    assert desk.get("/malfunctions?only=open").json()["malfunctions"] == []
    shown = desk.get("/machines/m1").json()
    assert shown["malfunctions"] == []
    assert shown["planned_until"] is not None
    [noted] = desk.get("/malfunctions").json()["malfunctions"]
    assert (noted["open"], noted["fault"]) == (False, "power-lost")
    desk.post("/power-cycles", json={"minutes": 0})
    assert len(desk.get("/malfunctions?only=open").json()["malfunctions"]) == 1
    assert desk.post("/machines/m1/power-cycle", json={"minutes": 241}).status_code == 422
