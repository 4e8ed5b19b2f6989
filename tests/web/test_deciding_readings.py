# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The forms of /review without a script: what is typed, chosen, rejected, stale or nonsense."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

Browse = Callable[..., TestClient]


def form_of(page: str) -> dict[str, str]:
    """The hidden fields of the reading's form."""
    return dict(
        re.findall(
            r'<input type="hidden" name="(version|key|sure)" value="([^"]*)"', page.split("reject", maxsplit=1)[0]
        )
    )


def state_of(hall: Any, reading: str) -> tuple[str, int | None]:
    with hall.desk.reading() as state:
        found = state.readings[reading]
        return found.status, found.score


@pytest.fixture
def reading(hall: Any) -> str:
    found: str = hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), None)
    return found


@pytest.mark.parametrize("typed", ["48213340", "48,213,340", "48 213 340", "48.213.340", "48\u202f213\u202f340"])
def test_a_typed_score_may_be_grouped_in_any_way(hall: Any, browse: Browse, reading: str, typed: str):
    client = browse("official")
    form = form_of(client.get("/review").text)
    answer = client.post(f"/review/{reading}", data={**form, "do": "decide", "typed": typed})
    assert answer.status_code == 303
    assert state_of(hall, reading) == ("corrected", 48213340)
    assert 'value="48213340"' in client.get("/board").text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Type the score in digits only"),
        ("-500", "Type the score in digits only"),
        ("4821334o", "Type the score in digits only"),
        ("1e9", "Type the score in digits only"),
        ("٤٨٢", "Type the score in digits only"),
        ("9" * 19, "No machine shows a number that long"),
        ("9" * 60, "No machine shows a number that long"),
        ("9" * 500, "That is too long"),
        ("NaN", "Type the score in digits only"),
    ],
)
def test_what_is_no_score_is_refused_in_one_line_and_the_reading_waits(
    hall: Any, browse: Browse, reading: str, typed: str, said: str
):
    client = browse("official")
    form = form_of(client.get("/review").text)
    answer = client.post(f"/review/{reading}", data={**form, "do": "decide", "typed": typed})
    assert answer.status_code == 422
    assert said in answer.text
    assert "Traceback" not in answer.text
    assert state_of(hall, reading) == ("waiting", None)


def test_a_score_of_zero_is_a_score(hall: Any, browse: Browse):
    reading = hall.doubt("mm", "p1", "?", (), None)
    client = browse("official")
    form = form_of(client.get("/review").text)
    assert client.post(f"/review/{reading}", data={**form, "do": "decide", "typed": "0"}).status_code == 303
    assert state_of(hall, reading) == ("corrected", 0)
    assert '<data class="n" value="0">0</data>' in client.get("/desk").text


def test_the_proposed_number_is_confirmed_not_corrected(hall: Any, browse: Browse):
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    hall.ends("mm", game, {"score": 48213340, "confidence": 0.7, "text": "48,213,340"})
    with hall.desk.reading() as state:
        reading = state.games[game].readings[0]
    client = browse("official")
    page = client.get("/review").text
    assert re.search(r'name="choice" value="48213340" checked', page)
    client.post(f"/review/{reading}", data={**form_of(page), "do": "decide", "choice": "48213340", "typed": ""})
    assert state_of(hall, reading) == ("confirmed", 48213340)


def test_nothing_is_chosen_beforehand_where_several_numbers_are_possible(browse: Browse, reading: str):
    page = browse("official").get("/review").text
    assert f'data-reading="{reading}"' in page
    assert "checked" not in page.split("reject")[0].split("<form")[-1]


def test_a_rejection_needs_its_reason(hall: Any, browse: Browse, reading: str):
    client = browse("official")
    form = form_of(client.get("/review").text)
    refused = client.post(f"/review/{reading}", data={**form, "do": "reject", "why": "  "})
    assert refused.status_code == 422
    assert "Say why it is rejected" in refused.text
    assert client.post(f"/review/{reading}", data={**form, "do": "reject", "why": "attract mode"}).status_code == 303
    assert state_of(hall, reading) == ("rejected", None)
    assert "attract mode" in client.get("/log").text


def test_a_stale_decision_gets_the_newer_one_shown(hall: Any, browse: Browse, reading: str):
    one, other = browse("official"), browse("admin")
    form, stale = form_of(one.get("/review").text), form_of(other.get(f"/review?reading={reading}").text)
    one.post(f"/review/{reading}", data={**form, "do": "decide", "choice": "48213340"})
    answer = other.post(f"/review/{reading}", data={**stale, "do": "decide", "choice": "48243340"})
    assert answer.status_code == 409
    assert "Corrected" in answer.text
    assert 'value="48213340"' in answer.text
    assert "official" in answer.text
    assert state_of(hall, reading) == ("corrected", 48213340)


def test_a_double_send_and_one_more_after_back_decide_once(hall: Any, browse: Browse, reading: str):
    client = browse("official")
    form = form_of(client.get("/review").text)
    sent = {**form, "do": "decide", "choice": "48213340", "typed": ""}
    before = hall.desk.hub.position
    answers = [client.post(f"/review/{reading}", data=sent) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 303]
    with hall.desk.reading() as state:
        assert state.tournaments["cup"].entries == 1
    events = hall.desk.hub.position - before
    client.post(f"/review/{reading}", data=sent)
    assert hall.desk.hub.position - before == events


def test_unknown_readings_and_games_are_told_apart_from_errors(browse: Browse):
    client = browse("official")
    assert client.get("/review/reading/none").status_code == 200
    assert client.post("/review/none", data={"do": "decide", "typed": "5"}).status_code == 404
    assert client.get("/review/game/none").status_code == 404
    assert client.post("/review/game/none", data={"do": "discard", "why": "x"}).status_code == 404


def test_a_skipped_reading_comes_again_after_the_others(hall: Any, browse: Browse, reading: str):
    second = hall.doubt("tz", "p2", "1?", (), None)
    client = browse("official")
    assert f'data-reading="{reading}"' in client.get("/review").text
    assert f'data-reading="{second}"' in client.get("/review/next", params={"skip": reading}).text
    assert f'data-reading="{reading}"' in client.get("/review/next", params={"skip": second}).text


def test_a_game_without_players_is_given_to_somebody(hall: Any, browse: Browse):
    game = hall.starts("mm")
    hall.ends("mm", game, 777000)
    client = browse("official")
    page = client.get(f"/review/game/{game}").text
    assert "nobody was assigned" in page
    form = form_of(page)
    for typed, said in (("Nobody Such", "Nobody in this tournament"), ("", "Name at least one player")):
        refused = client.post(f"/review/game/{game}", data={**form, "do": "match", "who": typed})
        assert refused.status_code == 422
        assert said in refused.text
    assert client.post(f"/review/game/{game}", data={**form, "do": "match", "who": "zoë"}).status_code == 303
    assert "Zoë Müller" in client.get("/board").text
    assert client.get(f"/review/game/{game}").text.count("decided by") == 1


def test_a_game_without_players_is_discarded_with_a_reason(hall: Any, browse: Browse):
    game = hall.starts("mm")
    hall.ends("mm", game, 777000)
    client = browse("official")
    form = form_of(client.get(f"/review/game/{game}").text)
    assert client.post(f"/review/game/{game}", data={**form, "do": "discard"}).status_code == 422
    done = client.post(f"/review/game/{game}", data={**form, "do": "discard", "why": "free play"})
    assert done.status_code == 303
    assert "free play" in client.get("/log?group=game").text
    assert "777" not in client.get("/board").text
