# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The forms of /desk without a script, the error pages, and what the log and the board say afterwards."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c

Browse = Callable[..., TestClient]


def panel(client: TestClient, machine: str = "mm", query: str = "") -> dict[str, str]:
    """The fields of the first person's form in the panel."""
    page = client.get(f"/desk?machine={machine}&q={query}").text
    form = page.split('class="found-one"')[1].split("</form>")[0]
    return dict(re.findall(r'name="(players|key|version)" value="([^"]*)"', form))


def test_a_player_is_assigned_by_a_plain_form_and_the_page_says_so_once(browse: Browse):
    client = browse("scorekeeper")
    answer = client.post("/desk/assign/mm", data=panel(client, query="ben"))
    assert answer.status_code == 303
    assert "Ben Sample on Medieval Madness." in client.get("/desk").text
    assert "Ben Sample on Medieval Madness." not in client.get("/desk").text


def test_at_a_machine_without_a_reader_the_way_on_is_the_scorekeepers_page(hall: Any, browse: Browse):
    hall.do(c.AddMachines(tournament="cup", machines=({"id": "em", "name": "Old One"},)))
    client = browse("scorekeeper")
    for machine, expected in (("em", True), ("mm", False)):
        form = panel(client, machine, query="ben" if machine == "em" else "")
        said = client.post(f"/desk/assign/{machine}", data=form, headers={"HX-Request": "true"}).text
        assert (f'href="/scorekeeper/{machine}"' in said) is expected
    form = panel(browse("desk"), "em")
    assert "/scorekeeper/" not in browse("desk").post("/desk/assign/em", data=form, headers={"HX-Request": "true"}).text


def test_the_same_form_sent_twice_assigns_once(hall: Any, browse: Browse):
    client = browse("scorekeeper")
    form = panel(client)
    before = hall.desk.hub.position
    client.post("/desk/assign/mm", data=form)
    client.post("/desk/assign/mm", data=form)
    assert hall.desk.hub.position == before + 1


def test_a_stale_panel_changes_nothing_and_says_why(hall: Any, browse: Browse):
    client = browse("scorekeeper")
    form = panel(client)
    hall.assign("mm", "p2")
    answer = client.post("/desk/assign/mm", data=form, headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert 'class="note warn"' in answer.text
    assert "HX-Trigger" not in answer.headers
    assert "Ben Sample" in client.get("/desk").text


def test_a_player_on_another_machine_is_refused_in_one_line(hall: Any, browse: Browse):
    hall.assign("tz", "p1")
    client = browse("scorekeeper")
    form = {**panel(client, query="ben"), "players": "p1", "key": "k"}
    answer = client.post("/desk/assign/mm", data=form, headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert "Twilight Zone" in answer.text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"players": ""},
        {"players": "nobody"},
        {"players": "p1", "version": "x"},
        {"players": "p1", "version": "9" * 30},
        {"players": ",".join(["p1"] * 40)},
        {"players": "<script>"},
        {"players": "p1", "key": "k" * 90},
    ],
)
def test_a_form_that_makes_no_sense_is_refused_and_nothing_happens(hall: Any, browse: Browse, form: dict[str, str]):
    client = browse("scorekeeper")
    before = hall.desk.hub.position
    answer = client.post("/desk/assign/mm", data=form, headers={"HX-Request": "true"})
    assert 400 <= answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    assert hall.desk.hub.position == before


def test_people_are_found_by_any_part_of_their_name_or_number(browse: Browse):
    client = browse("desk")
    for query, names in {
        "ann": ["Ann Example"],
        "MÜL": ["Zoë Müller"],
        "nowak łuk": ["Łukasz Nowak"],
        "p2": ["Ben Sample"],
        "zzz": [],
    }.items():
        page = client.get("/desk/players/mm", params={"q": query}).text
        assert re.findall(r"<button[^>]*><bdi>([^<]*)</bdi>", page) == names


def test_an_entry_is_undone_and_restored_from_the_list_and_the_board_follows(hall: Any, browse: Browse):
    hall.plays("mm", "p1", scores=(640000,))
    official = browse("official")

    def send(button: str) -> None:
        form = official.get("/desk").text.split('action="/desk/undo/1"')[1].split("</form>")[0]
        fields = dict(re.findall(r'name="(tournament|state)" value="([^"]*)"', form))
        answer = official.post("/desk/undo/1", data={**fields, "do": button})
        assert answer.status_code == 303

    assert 'value="640000"' in official.get("/board").text
    send("undo")
    assert 'value="640000"' not in official.get("/board").text
    send("restore")
    assert 'value="640000"' in official.get("/board").text


def test_a_corrected_score_is_what_board_and_results_show(hall: Any, browse: Browse):
    game = hall.plays("mm", "p1", scores=(640000,))
    with hall.desk.reading() as state:
        entry = state.entries["cup", state.games[game].entry].entry["game"]
    hall.do(c.RecordEntry(tournament="cup", entry={"correct": entry, "scores": {"p1": 650000}, "why": "misread"}))
    board = browse(None).get("/board").text
    assert 'value="650000"' in board
    assert 'value="640000"' not in board


def test_alarms_are_seen_and_closed(hall: Any, browse: Browse):
    hall.says(
        "fault.raised", "mm", fault="ball-search", detail="no switch for 25 s", scores=[{"player": 1, "score": 5}]
    )
    client = browse("desk")
    page = client.get("/desk").text
    assert "Ball search" in page
    assert "no switch for 25 s" in page
    name = re.findall(r'action="/desk/alarms/([^"]+)"', page)[0]
    client.post(f"/desk/alarms/{name}", data={"do": "seen"})
    assert "Seen by <bdi>desk</bdi>" in client.get("/desk").text
    client.post(f"/desk/alarms/{name}", data={"do": "close"})
    assert "No alarms" in client.get("/desk").text


def test_equal_scores_share_their_place_and_the_next_is_skipped(hall: Any, browse: Browse):
    for player, score in (("p1", 500), ("p2", 500), ("p3", 400)):
        hall.plays("mm", player, scores=(score,))
    page = browse(None).get("/board").text
    ranks = re.findall(r'<span class="rank n">(.*?)</span>\s*<span class="player">', page, re.DOTALL)
    assert [re.sub(r"<.*?>", "", rank) for rank in ranks] == ["=1", "=1", "3"]


def test_scores_beyond_any_machine_word_are_exact_on_every_page(hall: Any, browse: Browse):
    hall.plays("mm", "p1", scores=(12345678910,))
    hall.plays("mm", "p2", scores=(10**18,))
    client = browse("official")
    for path in ("/board", "/desk", "/log"):
        text = client.get(path).text
        assert 'value="12345678910"' in text, path
        assert f'value="{10**18}"' in text, path


@pytest.mark.parametrize("path", ["/nothing", "/desk/nothing", "/live/nothing", "/static/nothing.js", "/evidence/zz"])
def test_what_is_not_there_is_said_plainly(browse: Browse, path: str):
    answer = browse("official").get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text


def test_a_number_that_is_none_in_an_address_is_no_error_of_ours(browse: Browse):
    assert browse("official").post("/desk/undo/abc", data={}).status_code == 422
    assert browse("official").get("/log?before=abc").status_code == 200
    assert browse("official").get("/log?group=nonsense&before=-1").status_code == 200


def test_when_the_ledger_cannot_be_written_the_page_says_that_nothing_was_stored(hall: Any, browse: Browse):
    client = browse("scorekeeper")
    form = panel(client)
    hall.desk.close()
    answer = client.post("/desk/assign/mm", data=form)
    assert answer.status_code == 503
    assert "Nothing was stored" in answer.text


def test_every_kind_of_event_has_words_in_the_log(hall: Any, browse: Browse):
    hall.plays("mm", "p1", scores=(500,))
    hall.doubt("tz", "p2", "9?0", (900,), None)
    hall.says("fault.raised", "mm", fault="slam-tilt", scores=[{"player": 1, "score": 5}])
    hall.says("fault.cleared", "mm", fault="slam-tilt")
    hall.says("machine.detached", "mm", port="sim://dmd", detail="unplugged")
    hall.says("clock.stepped", None, by_ms=-600000)
    game = hall.starts("mm")
    hall.says("game.ball", "mm", game=game, player=1, ball=1, scores=[{"player": 1, "score": 100}])
    hall.says("score.frozen", "mm", game=game, scores=[{"player": 1, "score": 100}], why="ball-search")
    hall.says("game.aborted", "mm", game=game, how="link-lost", scores=[{"player": 1, "score": 100}])
    client = browse("official")
    text = client.get("/log").text
    for words in (
        "Ann Example put on Medieval Madness", "A game started on Medieval Madness", "A reading on Twilight Zone waits",
        "Slam tilt", "is no longer heard on sim://dmd", "was set by", "player 1, ball 1 over",
        "Scores kept", "A game vanished",
        "Nobody knows whose the game on Medieval Madness was", "Harbour Cup opened",
    ):  # fmt: skip
        assert words in text, words
    assert not re.search(r"<bdi>[A-Z][a-z]+[A-Z]\w+</bdi>", text), "an event is shown by the name of its class"
    assert "Harbour Cup opened" in client.get("/log?group=tournament").text
    assert "Harbour Cup opened" not in client.get("/log?group=fault").text
