# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""Changing the rules of a running tournament on a page: seen before it is done, done with why, taken back."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c

Browse = Callable[..., TestClient]


def games(hall: Any, *scores: int) -> None:
    for who, score in enumerate(scores, 1):
        hall.do(c.RecordEntry(tournament="cup", entry={"game": "", "machine": "mm", "scores": {f"p{who}": score}}))


def form_of(page: str) -> dict[str, str]:
    form = page.split('action="/setup" class="stack">')[1].split("</form>", maxsplit=1)[0]
    return {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}


def test_a_change_is_shown_with_what_it_does_then_made_and_taken_back(hall: Any, browse: Browse):
    games(hall, 400, 300, 200, 100)
    hall.do(c.RecordEntry(tournament="cup", entry={"close": "qualifying"}))
    client = browse("official")
    asked = {"what": "rule", "setting": "qualifiers", "value": "2", "why": "two cups"}
    shown = client.get("/setup", params=asked).text
    assert "Qualifying: there go on Ann Example and Ben Sample" in html.unescape(shown)
    assert hall.desk.standings.of("cup").outcome["rules"] == {}
    assert client.post("/setup", data={**form_of(shown), "why": "two cups"}).status_code == 303
    assert hall.desk.standings.of("cup").outcome["rules"] == {"qualifiers": 2}
    page = client.get("/setup").text
    assert "qualifiers as the rules have it → 2" in page
    assert "two cups" in page
    back = re.search(r'href="(/setup\?back=\d+)"', page)
    assert back is not None
    client.post("/setup", data={**form_of(client.get(back[1]).text), "why": "there are three"})
    assert hall.desk.standings.of("cup").outcome["rules"] == {}


def test_a_fact_of_a_player_is_changed_by_name_and_digits_stay_words(hall: Any, browse: Browse):
    client = browse("official")
    asked = {"what": "players", "id": "p2", "fact": "name", "value": "1978"}
    client.post("/setup", data={**form_of(client.get("/setup", params=asked).text), "why": "called so"})
    with hall.desk.reading() as state:
        assert state.tournaments["cup"].head["players"][1] == {"id": "p2", "name": "1978"}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"what": "rule", "setting": "qualifiers", "value": "many"}, "qualifiers"),
        ({"what": "rule", "setting": "qualifiers", "value": "NaN"}, "qualifiers"),
        ({"what": "rule", "setting": "qualifiers", "value": "[" * 3000}, "qualifiers"),
        ({"what": "rule", "setting": "flippers", "value": "2"}, "flippers"),
        ({"what": "players", "id": "p9", "fact": "name", "value": "X"}, "there is no p9"),
        ({"what": "timezone", "value": "Mars"}, "Mars"),
        ({"what": "rule", "setting": "skill_divisions", "value": '["\\ud800"]'}, "surrogate"),
        ({"back": "99999"}, "no such change"),
        ({"back": "x"}, "no such change"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(browse: Browse, asked: dict[str, str], words: str):
    answer = browse("official").get("/setup", params=asked)
    assert answer.status_code == 200
    assert words in html.unescape(answer.text)
    assert "This would change" not in answer.text


def test_a_change_seen_on_an_older_version_is_not_made(hall: Any, browse: Browse):
    client = browse("official")
    asked = {"what": "rule", "setting": "qualifiers", "value": "2"}
    form = form_of(client.get("/setup", params=asked).text)
    games(hall, 400)
    client.post("/setup", data={**form, "why": "two"})
    assert hall.desk.standings.of("cup").outcome["rules"] == {}
    assert "has changed since you looked" in client.get("/setup").text


def test_rubbish_in_place_of_a_change_changes_nothing(hall: Any, browse: Browse):
    client = browse("official")
    before = hall.desk.hub.position
    for changes in ("", "7", "[]", "{", '{"tournament": "\\ud800"}', '{"players": 3}', '{"rules": []}', '{"log": []}'):
        client.post("/setup", data={"tournament": "cup", "changes": changes, "why": "x"})
    assert hall.desk.hub.position == before
