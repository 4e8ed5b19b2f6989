# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The pages on which a player reads where his numbers come from."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c
from server.core.venue.outcomes import Actor

Browse = Callable[[str | None], TestClient]
OFFICIAL = Actor(name="Olga Official", roles=frozenset({"official"}))


@pytest.fixture
def played(hall: Any) -> Any:
    """A hall in which two have played on Medieval Madness, one with a corrected score."""
    hall.do(c.RecordEntry(tournament="cup", entry={"game": "g1", "machine": "mm", "scores": {"p1": 500}}))
    hall.do(c.RecordEntry(tournament="cup", entry={"game": "g2", "machine": "mm", "scores": {"p3": 700}}))
    correct = {"correct": "g1", "scores": {"p1": 1_234_567}, "why": "<b>misread</b>"}
    hall.do(c.RecordEntry(tournament="cup", entry=correct), OFFICIAL)
    return hall


def text(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", page)))


def test_a_players_page_says_where_each_number_comes_from(played: Any, browse: Browse):
    assert played
    answer = browse(None).get("/explain/p1")
    assert answer.status_code == 200
    said = text(answer.text)
    assert "Ann Example" in said
    assert "corrected from 500 to 1,234,567" in said
    assert "rank 1 of 2 in" in said


def test_what_an_official_noted_is_shown_to_the_logged_in_alone_and_runs_nowhere(played: Any, browse: Browse):
    assert played
    assert "misread" not in browse(None).get("/explain/p1").text
    inside = browse("desk").get("/explain/p1").text
    assert "Olga Official" in inside
    assert "&lt;b&gt;misread&lt;/b&gt;" in inside
    assert "<b>misread" not in inside


def test_the_standings_lead_to_each_player_and_end_with_the_rules(played: Any, browse: Browse):
    assert played
    page = browse(None).get("/explain").text
    assert 'href="/explain/p1"' in page
    assert 'href="/explain/p3"' in page
    assert 'id="rules"' in page
    assert "All settings" in page


@pytest.mark.parametrize("who", ["nobody", "%3Cscript%3E", "x" * 500, "p1/p2"])
def test_a_player_who_is_not_there_gets_a_page_that_says_so(browse: Browse, who: str):
    answer = browse(None).get(f"/explain/{who}")
    assert answer.status_code == 404
    assert "There is no such player" in answer.text
    assert "<script>alert" not in answer.text


def test_a_player_who_has_not_played_has_a_page(browse: Browse):
    assert browse(None).get("/explain/p2").status_code == 200


def test_names_and_ids_run_nowhere_and_lead_to_their_page(hall: Any, browse: Browse):
    players = [{"id": "a/b?c#d", "name": "<img src=x onerror=alert(1)>"}, {"id": "{{7*7}}", "name": "{{7*7}}"}]
    head = {"tournament": "<script>alert(2)</script>", "preset": "uk-kids", "timezone": "Europe/London"}
    hall.do(c.OpenTournament(id="odd", head={**head, "players": players, "machines": [{"id": "tz", "name": "<b>"}]}))
    for who, score in (("a/b?c#d", 5), ("{{7*7}}", 7)):
        hall.do(c.RecordEntry(tournament="odd", entry={"game": f"g{score}", "machine": "tz", "scores": {who: score}}))
    client = browse(None)
    page = client.get("/explain").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    for address in re.findall(r'href="(/explain/[^"]+)"', page):
        answer = client.get(unescape(address))
        assert answer.status_code == 200
        assert "<img src=x" not in answer.text
        assert "49" not in re.sub(r"\?[0-9a-f]+", "", answer.text)


def test_conduct_is_told_to_the_logged_in_alone(played: Any, browse: Browse):
    played.do(c.RecordEntry(tournament="cup", entry={"penalty": "p1", "for": "violence", "why": "seen"}), OFFICIAL)
    assert "violence" not in browse(None).get("/explain/p1").text
    assert "violence" in browse("desk").get("/explain/p1").text
