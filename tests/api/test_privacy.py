"""Whoever is not logged in reads no official's name and nothing that one wrote."""

import json
from collections.abc import Callable

import httpx2
import pytest

from .conftest import Agent
from .words import T, ok, say, type_game

Login = Callable[[str | None], httpx2.Client]
PUBLIC = ("standings", "standings/qualifying", "games", "players", "players/p1", "players/p2", "players/p4", "explain",
          "rules", "calls", "queues", "matches")  # fmt: skip


@pytest.mark.usefixtures("kids")
def test_what_officials_write_is_in_nothing_that_is_public(login: Login, agent: Agent) -> None:
    official, public = login("official"), login(None)
    for number in (1, 2, 3):
        type_game(official, "m1", **{f"p{number}": number * 1000})
    say(official, penalty="p2", **{"for": "card", "why": "SECRET shouting"}, despite_rules=True)
    say(official, correct="g1", scores={"p1": 5}, why="SECRET misread")
    number = say(official, void="g2", who="p2", why="SECRET void")["result"]["number"]
    ok(official.post(f"{T}/log/{number}/undo", json={"why": "SECRET undone"}))
    game = type_game(official, "m2", p4=44)["result"]["number"]
    ok(official.post(f"{T}/log/{game}/undo", json={"why": "SECRET typed for the wrong one"}))
    ok(official.post("/machines/m2/assign", json={"players": ["p4"], "tournament": "kids"}))
    agent.starts("m2")
    ok(official.post(f"{T}/players/p4/withdraw", json={"why": "SECRET illness"}))
    say(official, close="qualifying", despite_open=True, why="SECRET hurry")
    for path in PUBLIC:
        told = json.dumps(ok(public.get(f"{T}/{path}")))
        assert "SECRET" not in told, path
        assert '"official"' not in told.replace('"official":', ""), path
    assert ok(official.get(f"{T}/players/p4"))["withdrawn"]["why"] == "SECRET illness"
    assert "SECRET illness" in ok(official.get(f"{T}/standings/qualifying"))["open"][0]["why"]
