"""Whole small tournaments over HTTP: papa with byes, pin golf from what an agent heard, single elimination."""

import itertools
import uuid
from collections.abc import Callable
from typing import Any

import httpx2

from .conftest import Agent
from .conftest import play as captured
from .words import T, ok, ranks, say, stage

Login = Callable[[str | None], httpx2.Client]


def head(preset: str, people: int, **rules: object) -> dict[str, Any]:
    return {
        "tournament": preset,
        "preset": preset,
        "rules": rules,
        "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, people + 1)],
        "machines": [{"id": f"m{n}", "name": f"Machine {n}"} for n in (1, 2, 3)],
    }


def play(client: httpx2.Client, agent: Agent, machine: str, place: dict[str, Any], **scores: int) -> None:
    """A game that an agent captures, and that counts at once."""
    assert captured(client, agent, machine, place, **scores)["status"] == "posted"


def places(client: httpx2.Client) -> dict[str, int]:
    found = ok(client.get(f"{T}/standings"))["players"]
    return {player["id"]: player["place"] for player in found if player.get("place") is not None}


def test_papa_of_twelve_from_qualifying_to_the_final(login: Login, agent: Agent):
    official = login("official")
    ok(login("admin").post("/tournaments", json={"id": "papa", "head": head("papa", 13)}))
    for n in range(1, 14):
        play(official, agent, "m1", {}, **{f"p{n}": 10_000_000 - 500_000 * n})
    say(official, close="qualifying", qualifiers=12)
    for name in ("round1", "semifinal", "final"):
        for group in stage(official, name)["groups"]:
            for number in (1, 2, 3):
                place = {"stage": name, "group": group["id"], "round": number}
                scores = {who: 3_000_000 - 500_000 * index for index, who in enumerate(group["who"])}
                play(official, agent, f"m{number}", place, **scores)
        say(official, close=name)
    assert places(official) == {
        "p1": 1, "p2": 2, "p3": 3, "p4": 4, "p5": 5, "p6": 5, "p7": 7, "p8": 7,
        "p9": 9, "p10": 9, "p11": 11, "p12": 11, "p13": 13,
    }  # fmt: skip
    assert [row["who"] for row in stage(official, "round1")["standings"]][:2] == ["p5", "p6"]


def test_pin_golf_from_the_balls_that_an_agent_heard(login: Login, agent: Agent):
    official = login("official")
    targets = {"m1": 5_000_000, "m2": 1_000_000}
    ok(login("admin").post("/tournaments", json={"id": "golf", "head": head("pingolf", 3, targets=targets)}))

    def hole(machine: str, who: str, *balls: int, heard: int | None = None) -> None:
        ok(official.post(f"/machines/{machine}/assign", json={"players": [who]}))
        game = str(uuid.uuid4())
        agent.says(("game.started", machine, {"game": game, "players": 1, "joined_late": False}))
        for number, score in itertools.islice(enumerate(balls, 1), heard):
            said = [{"player": 1, "score": score, "confidence": 1.0}]
            agent.says(("game.ball", machine, {"game": game, "player": 1, "ball": number, "scores": said}))
        said = [{"player": 1, "score": balls[-1], "confidence": 1.0}]
        agent.says(("game.ended", machine, {"game": game, "how": "normal", "scores": said, "source": "wire"}))

    hole("m1", "p1", 1_000_000, 6_000_000)
    hole("m2", "p1", 10, 20, 30)
    hole("m1", "p2", 7_000_000)
    hole("m2", "p2", 10, 900_000, 1_000_000)
    hole("m1", "p3", 9_000_000, heard=0)
    hole("m2", "p3", 2_000_000)
    assert ranks(official) == [(1, "p2"), (2, "p1")]
    assert [row["who"] for row in stage(official)["unranked"]] == ["p3"]
    say(official, close="qualifying")
    assert places(official) == {}
    log = ok(official.get(f"{T}/log", params={"limit": 50}))["log"]
    game = next(one["entry"] for one in log if one["entry"].get("scores") == {"p3": 9_000_000})
    say(official, correct=game["game"], scores={"p3": 9_000_000}, strokes={"p3": 1}, why="the scorekeeper saw it")
    assert ranks(official) == [(1, "p3"), (2, "p2"), (3, "p1")]
    assert places(official) == {"p3": 1, "p2": 2, "p1": 3}


def test_pin_golf_typed_with_balls_or_strokes(login: Login):
    keeper = login("scorekeeper")
    ok(login("admin").post("/tournaments", json={"id": "golf", "head": head("pingolf", 2, targets={"m1": 500})}))
    one = {"machine": "m1", "scores": {"p1": 900, "p2": 100}, "balls": {"p1": [100, 600]}}
    ok(keeper.post(f"{T}/games", json=one))
    assert [(row["who"], row["points"]) for row in stage(keeper)["standings"]] == [("p1", 2), ("p2", 4)]
    late = keeper.post(f"{T}/games", json={"machine": "m2", "scores": {"p1": 9}, "strokes": {"p1": 1}})
    assert (late.status_code, "no hole" in late.text) == (422, True)


def test_single_elimination_with_a_correction_on_the_way(login: Login, agent: Agent):
    official = login("official")
    rules = {"best_of": 3, "third_place": True}
    ok(login("admin").post("/tournaments", json={"id": "cup", "head": head("single-elimination", 5, **rules)}))
    bracket = {"stage": "bracket"}
    for machine in ("m1", "m2"):
        play(official, agent, machine, bracket, p4=800_000, p5=500_000)
        play(official, agent, machine, bracket, p2=800_000, p3=500_000)
    say(official, absent="p4", stage="bracket")
    assert {match["id"]: match["who"] for match in stage(official, "bracket")["groups"]} == {
        "r1-2": ["p4", "p5"],
        "r2-1": ["p1", "p4"],
        "r2-2": ["p2", "p3"],
        "final": ["p1", "p2"],
        "third": ["p4", "p3"],
    }
    play(official, agent, "m1", bracket | {"group": "final"}, p1=900_000, p2=800_000)
    log = ok(official.get(f"{T}/log", params={"limit": 50}))["log"]
    for one in [one["entry"] for one in log if set(one["entry"].get("scores", ())) == {"p2", "p3"}]:
        say(official, correct=one["game"], scores={"p3": 990_000}, why="misread")
    assert next(one for one in stage(official, "bracket")["groups"] if one["id"] == "final")["who"] == ["p1", "p2"]
    play(official, agent, "m2", bracket | {"group": "final"}, p1=700_000, p2=800_000)
    play(official, agent, "m3", bracket | {"group": "final"}, p1=700_000, p2=800_000)
    assert stage(official, "bracket")["status"] == "closed"
    assert places(official) == {"p2": 1, "p1": 2, "p3": 3, "p4": 4, "p5": 5}
