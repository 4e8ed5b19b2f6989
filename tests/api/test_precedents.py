"""Earlier decisions of all tournaments are found again when the next one like them is made (CC9)."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .words import KIDS, TPC, T, ok, say, type_game

Login = Callable[[str | None], httpx2.Client]


def earlier(client: httpx2.Client, **asked: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ok(client.get("/precedents", params=asked))["precedents"]
    return found


@pytest.fixture
def two_events(login: Login) -> httpx2.Client:
    """The kids' tournament with a penalty and a ruling, and after it another in which nothing was decided yet."""
    admin, official = login("admin"), login("official")
    ok(admin.post("/tournaments", json={"id": "kids", "head": KIDS}))
    game = type_game(login("scorekeeper"), "m1", p1=500)["result"]["game"]
    say(official, penalty="p1", game=game, **{"for": "interference"}, why="nudged during a ball of p2")
    say(official, ruling=game, who="p1", kind="stand", why="kickback failed, no major malfunction")
    say(official, decision="warning", who=["p2"], machine="m2", why="leant on the glass")
    ok(admin.post("/tournaments", json={"id": "toronto", "head": TPC}))
    return official


def test_a_penalty_finds_the_earlier_ones_for_the_same_offence_in_another_tournament(two_events: httpx2.Client):
    assert ok(two_events.get(f"{T}/decisions"))["decisions"] == []
    first = earlier(two_events, kind="penalty", **{"for": "interference"}, machine="m1", why="Nudged while p2 played")[
        0
    ]
    assert (first["tournament_id"], first["tournament"], first["machine"]) == ("kids", "Kids", "m1")
    assert first["shared"] == ["offence", "kind", "machine", "nudged"]
    assert (first["why"], first["counts"]) == ("nudged during a ball of p2", True)


def test_what_has_nothing_in_common_is_not_offered(two_events: httpx2.Client):
    assert [one["kind"] for one in earlier(two_events, who="p2")] == ["decision"]
    assert [one["kind"] for one in earlier(two_events, machine="m2")] == ["decision"]
    assert earlier(two_events, **{"for": "violence"}) == []


def test_all_words_must_be_there_also_the_tournaments_name(two_events: httpx2.Client):
    assert [one["kind"] for one in earlier(two_events, words="KICKBACK kids")] == ["ruling"]
    assert earlier(two_events, words="kickback toronto") == []
    assert len(earlier(two_events)) == 3


def test_what_was_undone_since_is_offered_as_undone(two_events: httpx2.Client, login: Login):
    number = earlier(two_events, kind="ruling")[0]["number"]
    ok(login("admin").post(f"/tournaments/kids/log/{number}/undo", json={"why": "mistaken"}))
    assert [(one["undone"], one["counts"]) for one in earlier(two_events, kind="ruling")] == [(True, False)]


@pytest.mark.usefixtures("two_events")
def test_precedents_are_for_the_staff_and_their_questions_are_bounded(login: Login):
    assert login("viewer").get("/precedents").status_code == 403
    assert login(None).get("/precedents").status_code in {401, 403}
    for bad in ({"limit": "0"}, {"limit": "201"}, {"words": "x" * 201}, {"why": "x" * 401}, {"machine": ""}):
        assert login("official").get("/precedents", params=bad).status_code == 422
