"""What a director changes while a tournament runs: settings, names, facts; told, kept, and taken back."""

from collections.abc import Callable

import httpx2
import pytest

from .conftest import Running
from .words import T, ok, say, stage, type_game

Login = Callable[[str | None], httpx2.Client]


@pytest.mark.usefixtures("kids")
def test_a_setting_changes_with_what_it_was_who_and_why_and_back_again(login: Login):
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    for who, score in (("p1", 500), ("p2", 400), ("p3", 300), ("p4", 200)):
        type_game(keeper, "m1", **{who: score})
    say(official, close="qualifying")
    assert stage(public)["advance"] == ["p1", "p2"]
    answer = ok(official.patch(T, json={"rules": {"qualifiers": None}, "why": "the third trophy came"}))
    assert stage(public)["advance"] == ["p1", "p2", "p3"]
    changed = answer["result"]
    assert (changed["before"], changed["after"]) == ({"rules": {"qualifiers": 2}}, {"rules": {}})
    assert "p3" in str(answer["told"])
    ok(official.patch(T, json={**changed["before"], "why": "it was the wrong one"}))
    assert stage(public)["advance"] == ["p1", "p2"]


@pytest.mark.usefixtures("kids")
def test_facts_of_people_and_machines_and_the_name_change_by_id(login: Login):
    official, public = login("official"), login(None)
    changes = {
        "tournament": "Club night, second part",
        "players": [{"id": "p1", "name": "Zoë Müller", "country": "DE"}],
        "machines": [{"id": "m1", "max_score": 999}],
        "why": "as they are",
    }
    ok(official.patch(T, json=changes))
    assert ok(public.get(T))["name"] == "Club night, second part"
    assert ok(public.get(f"{T}/players"))["players"][0] == {"id": "p1", "name": "Zoë Müller", "country": "DE"}
    type_game(login("scorekeeper"), "m1", p1=5000)
    assert stage(public)["standings"][0]["score"] == 999


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": {"ball_count": 3}}, "ball_count"),
        ({"rules": {"qualifiers": -1}}, "qualifiers"),
        ({"timezone": "Mars/Olympus"}, "Mars"),
        ({"players": [{"id": "stranger", "name": "X"}]}, "there is no stranger"),
        ({"players": [{"id": "p1", "shoe": 44}]}, "shoe"),
        ({"machines": [{"id": "m1"}, {"id": "m1", "name": "x"}, {"id": "m1", "name": "y"}]}, "twice"),
        ({"rules": {}}, "nothing would change"),
        ({}, "say what changes"),
    ],
)
def test_what_cannot_be_changed_is_told_and_nothing_is(hall: Running, changes: dict[str, object], words: str):
    official = hall.client("official")
    before = ok(official.get(T))["version"]
    answer = official.patch(T, json={**changes, "why": "try"})
    assert answer.status_code == 422
    assert words in answer.text
    assert ok(official.get(T))["version"] == before


@pytest.mark.usefixtures("kids")
def test_only_officials_change_a_head_and_not_on_an_old_version(login: Login):
    change = {"rules": {"qualifiers": 3}, "why": "try"}
    assert login("scorekeeper").patch(T, json=change).status_code == 403
    official = login("official")
    version = ok(official.get(T))["version"]
    ok(official.patch(T, json={**change, "based_on": version}))
    stale = official.patch(T, json={**change, "rules": {"qualifiers": 1}, "based_on": version})
    assert stale.status_code == 409
    assert official.patch(T, json={"rules": {"qualifiers": 1}, "why": " "}).status_code == 422
