"""The code of conduct at the desk: games under a label, a victim's replay, the ladder to its end (CC1 to CC10)."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .words import T, ok, say

Login = Callable[[str | None], httpx2.Client]
HEAD: dict[str, Any] = {
    "tournament": "Code",
    "preset": "2cp",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)],
    "machines": [{"id": "m1", "name": "Machine One"}, {"id": "m2", "name": "Machine Two"}],
}


@pytest.fixture
def official(login: Login) -> httpx2.Client:
    ok(login("admin").post("/tournaments", json={"id": "code", "head": HEAD}))
    return login("official")


def row(client: httpx2.Client, who: str) -> dict[str, Any] | None:
    rows = ok(client.get(f"{T}/standings/qualifying"))["standings"]
    return next((one for one in rows if one["who"] == who), None)


def person(client: httpx2.Client, who: str) -> dict[str, Any]:
    players = ok(client.get(f"{T}/standings"))["players"]
    return next(one for one in players if one["id"] == who)


def test_a_victim_replays_and_the_offender_climbs_the_ladder_to_its_end(official: httpx2.Client):
    say(official, game="g1", match="r1", machine="m1", scores={"p1": 300, "p2": 800, "p3": 600})
    say(official, penalty="p2", game="g1", **{"for": "interference"}, why="tilted the ball of p1")
    say(official, game="g1r", machine="m1", scores={"p1": 750}, despite_rules=True, why="p1 asked to replay")
    say(official, ruling="g1", who="p1", kind="replay", games=["g1r"], why="p1 asked, before p3 began")
    assert [(row(official, who) or {})["points"] for who in ("p1", "p2", "p3")] == [2, 0, 1]
    say(official, game="g2", match="r1", machine="m2", scores={"p1": 1, "p2": 9, "p3": 5})
    for _ in range(2):
        say(official, penalty="p2", game="g2", **{"for": "interference"}, why="again")
    assert (person(official, "p2")["offences"], person(official, "p2")["status"]) == (3, "active")
    say(official, penalty="p2", **{"for": "vandalism"}, why="kicked the coin door")
    assert (person(official, "p2")["status"], row(official, "p2")) == ("suspended", None)
    refused = say(official, http=422, game="g3", match="r2", machine="m2", scores={"p2": 9, "p3": 5})
    assert "p2 is suspended (CC5)" in refused["error"]
    say(official, game="g3", match="r2", machine="m2", scores={"p3": 5})


def test_a_penalty_on_a_game_that_is_not_the_players_is_refused_with_what_is_wrong(official: httpx2.Client):
    say(official, game="g1", match="r1", machine="m1", scores={"p1": 300, "p2": 800})
    refused = say(official, http=422, penalty="p4", game="g1", **{"for": "interference"}, why="shouted")
    assert "p4 has no score in g1" in refused["error"]
    assert person(official, "p4")["offences"] == 0
