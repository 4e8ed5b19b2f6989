# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""Decisions on a page: recorded by those who may, found by words; who plays is warned before he rules."""

import html
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

Browse = Callable[..., TestClient]


def test_a_decision_is_recorded_with_people_by_name_and_found_again(hall: Any, browse: Browse):
    client = browse("scorekeeper")
    form = {"topic": "warning", "stage": "qualifying", "who": "zoë müller, p1", "machine": "mm", "why": "leant on it"}
    assert client.post("/rulings", data=form).status_code == 303
    recorded = hall.log()[0]
    assert (recorded["decision"], recorded["who"], recorded["machine"]) == ("warning", ["p3", "p1"], "mm")
    assert "leant on it" in client.get("/rulings", params={"words": "LEANT warning"}).text
    assert "Nothing decided has all of these words" in client.get("/rulings", params={"words": "ball"}).text


def test_what_changes_the_rules_is_for_officials_and_needs_a_reason(hall: Any, browse: Browse):
    form = {"topic": "qualifiers", "stage": "qualifying", "qualifiers": "2", "why": "two cups"}
    keeper = browse("scorekeeper")
    assert 'value="qualifiers"' not in keeper.get("/rulings").text
    keeper.post("/rulings", data=form)
    browse("official").post("/rulings", data={**form, "why": ""})
    assert hall.log() == []
    browse("official").post("/rulings", data=form)
    assert hall.log()[0]["qualifiers"] == 2


def test_an_official_who_plays_is_warned_on_the_page_and_may_say_although(hall: Any, browse: Browse):
    client = browse("official")
    client.post("/rulings/me", data={"player": "Ann Example"})
    page = html.unescape(client.get("/rulings").text)
    assert "official</bdi> plays as <bdi>Ann Example" in page
    form = {"topic": "qualifiers", "stage": "qualifying", "qualifiers": "2", "why": "two cups"}
    client.post("/rulings", data=form)
    assert "You play there yourself as p1" in html.unescape(client.get("/rulings").text)
    assert hall.log() == []
    client.post("/rulings", data={**form, "despite_recusal": "yes"})
    assert "recused: the author plays here" in client.get("/rulings").text
    assert "an official who plays there as Ann Example" in html.unescape(client.get("/log").text)


def test_what_was_decided_alike_is_shown_before_a_decision_is_recorded(hall: Any, browse: Browse):
    client = browse("scorekeeper")
    client.post("/rulings", data={"topic": "warning", "who": "p1", "machine": "mm", "why": "leant on it"})
    before = hall.desk.hub.position
    asked = {"alike": "yes", "topic": "warning", "machine": "mm", "why": "he leant on <it>"}
    page = client.get("/rulings", params=asked).text
    assert "Decided alike before" in page
    assert page.count("leant on it</bdi>") == 2
    assert 'value="he leant on &lt;it&gt;"' in page
    assert "Nothing alike" in client.get("/rulings", params={"alike": "yes", "topic": "deal"}).text
    assert hall.desk.hub.position == before
    everywhere = client.get("/rulings", params={"words": "leant", "everywhere": "yes"}).text
    assert everywhere.count("leant on it</bdi>") == 2


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("", {}),
        ("", {"topic": "flippers"}),
        ("", {"topic": "warning", "who": "Nobody Here"}),
        ("", {"topic": "warning", "who": "p1," * 3000}),
        ("", {"topic": "warning", "round": "x"}),
        ("", {"topic": "warning", "stage": "moon"}),
        ("", {"topic": "warning", "machine": "m99"}),
        ("/me", {"player": "p1, p2"}),
        ("/me", {"player": "", "user": ""}),
    ],
)
def test_bad_input_records_nothing(hall: Any, browse: Browse, path: str, form: dict[str, str]):
    before = hall.desk.hub.position
    answer = browse("official").post(f"/rulings{path}", data=form)
    assert answer.status_code in {303, 422}
    assert hall.desk.hub.position == before
