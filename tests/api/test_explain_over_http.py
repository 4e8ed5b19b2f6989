"""Explanations and rules over HTTP: for everybody, with the desk's own numbers, and names only for the logged in."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from .conftest import Running
from .words import T, ok, say, type_game

Login = Callable[[str | None], httpx2.Client]
Line = dict[str, Any]


def parts(lines: list[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from parts(line.get("parts", []))


def explained(client: httpx2.Client, query: str = "") -> dict[str, Any]:
    return ok(client.get(f"{T}/explain{query}"))


@pytest.mark.usefixtures("kids")
def test_a_number_names_the_entries_by_the_desks_numbers_and_their_places_in_the_ledger(login: Login):
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    wrong = type_game(keeper, "m1", p1=900)
    ok(official.post(f"{T}/log/{wrong['result']['number']}/undo", json={"why": "nobody's"}))
    right = type_game(keeper, "m1", p1=500)["result"]
    say(official, correct=right["game"], scores={"p1": 550}, why="a misread digit")
    found = explained(public, "?who=p1")
    steps = {line["what"]: line for line in parts(found["explain"])}
    assert steps["total"]["value"] == steps["score"]["value"] == 550
    assert steps["machine-score"]["entries"] == [right["number"]]
    number = steps["correction"]["entries"][0]
    log = {entry["number"]: entry for entry in ok(official.get(f"{T}/log"))["log"]}
    assert log[number]["kind"] == "correct"
    assert found["positions"][str(number)] == log[number]["positions"][0]


@pytest.mark.usefixtures("kids")
def test_who_decided_and_why_is_told_to_the_logged_in_alone(login: Login):
    game = type_game(login("scorekeeper"), "m1", p1=500)["result"]["game"]
    say(login("official"), correct=game, scores={"p1": 550}, why="a misread digit")
    public = [line for line in parts(explained(login(None), "?who=p1")["explain"]) if line["what"] == "correction"]
    inside = [line for line in parts(explained(login("viewer"), "?who=p1")["explain"]) if line["what"] == "correction"]
    assert [("by" in line, "reason" in line) for line in public] == [(False, False)]
    assert [(line["by"], line["reason"]) for line in inside] == [("official", "a misread digit")]


@pytest.mark.usefixtures("kids")
def test_a_stage_a_machine_and_the_whole_are_explained(login: Login):
    for who, score in (("p1", 500), ("p2", 700), ("p3", 700)):
        type_game(login("scorekeeper"), "m1", **{who: score})
    public = login(None)
    assert [line["value"] for line in explained(public, "?stage=qualifying")["explain"] if line["what"] == "rank"] == [
        1,
        1,
        3,
    ]
    machine = explained(public, "?machine=m1")["explain"]
    assert [(line["who"], line["value"]) for line in machine] == [("p2", 1), ("p3", 1), ("p1", 3)]
    assert [line["what"] for line in explained(public)["explain"]] == ["close"]


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        ("?who=nobody", 404, "there is no player nobody"),
        ("?machine=none", 404, "there is no machine none"),
        ("?stage=nowhere", 404, "there is no stage nowhere; there are qualifying"),
        ("?player=p1", 422, "unknown"),
        (f"?who={'x' * 81}", 422, "at most 80"),
        ("?who=", 422, "at least 1"),
    ],
)
def test_what_is_not_there_is_said(hall: Running, query: str, status: int, text: str):
    answer = hall.client(None).get(f"{T}/explain{query}")
    assert answer.status_code == status
    assert text in answer.json()["error"]


def test_the_rules_tell_every_setting_with_its_clause_and_what_the_director_changed(login: Login):
    head = {"tournament": "Toronto", "preset": "tpc", "rules": {"qualifiers": 12}, "players": [], "machines": []}
    ok(login("admin").post("/tournaments", json={"id": "toronto", "head": head}))
    found = ok(login(None).get(f"{T}/rules"))
    assert (found["preset"], found["title"]) == ("tpc", "Toronto Pinball Championship")
    changed = [each for each in found["settings"] if each["changed"]]
    assert changed == [{"name": "qualifiers", "value": 12, "preset": 8, "rule": "T7.2", "changed": True}]
    assert all(each["rule"] for each in found["settings"])


def test_a_tournament_that_is_not_there_is_not_explained(login: Login):
    for path in ("explain", "rules"):
        assert login(None).get(f"/tournaments/nothing/{path}").status_code == 404
