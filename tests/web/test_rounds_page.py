# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""What is to be played next on one page: put on a machine with its place, called, drawn, closed, absent, and clocks."""

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c

Browse = Callable[..., TestClient]


def forms(page: str, action: str) -> list[dict[str, str]]:
    found = [part.split("</form>", maxsplit=1)[0] for part in page.split(f'action="/rounds/{action}"')[1:]]
    return [{n: html.unescape(v) for n, v in re.findall(r'name="(\w+)" value="([^"]*)"', form)} for form in found]


@pytest.fixture
def eight(hall: Any) -> Any:
    """Nine players of whom eight qualify for a final of groups."""
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 10)]
    machines = [{"id": f"m{n}", "name": f"Machine {n}"} for n in range(1, 5)]
    rules = {"qualifiers": 8}
    hall.open(players=players, machines=machines, name="papa-cup", preset="papa", rules=rules)
    return hall


@pytest.fixture
def kids(hall: Any) -> Any:
    """Two of four go on, and the second place is tied."""
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)]
    machines = [{"id": f"m{n}", "name": f"Machine {n}"} for n in range(1, 3)]
    hall.open(players=players, machines=machines, name="kids", rules={"qualifiers": 2})
    return hall


def test_a_tie_is_offered_put_on_a_machine_and_the_captured_game_decides_it(kids: Any, browse: Browse):
    for who, score in (("p1", 400), ("p2", 300), ("p3", 300), ("p4", 100)):
        kids.do(c.RecordEntry(tournament="kids", entry={"game": "", "machine": "m1", "scores": {who: score}}))
    kids.do(c.RecordEntry(tournament="kids", entry={"close": "qualifying"}))
    client = browse("scorekeeper")
    page = client.get("/rounds").text
    assert "Play-off for places 2 to 3" in page
    assert "ties to play</span>" in page
    form = forms(page, "assign")[0]
    assert form["tiebreak"] == "true"
    assert client.post("/rounds/assign", data={**form, "machine": "m2"}).status_code == 303
    assert "Player 2 and Player 3 on Machine 2" in client.get("/rounds").text
    game = kids.starts("m2", players=2)
    kids.ends("m2", game, 5_000, 7_000)
    assert kids.desk.standings.of("kids").outcome["stages"][0]["advance"] == ["p1", "p3"]
    assert "final</span>" in client.get("/rounds").text


def test_groups_of_a_later_stage_carry_their_stage_and_group_to_the_machine(eight: Any, browse: Browse):
    for number in range(1, 10):
        entry = {"game": "", "machine": "m1", "scores": {f"p{number}": 1000 - number}}
        eight.do(c.RecordEntry(tournament="papa-cup", entry=entry))
    client = browse("official")
    assert client.post("/rounds/close", data={"stage": "qualifying"}).status_code == 303
    assert "Qualifying is closed." in client.get("/rounds").text
    found = forms(client.get("/rounds").text, "assign")
    assert len(found) == 2
    client.post("/rounds/assign", data={**found[0], "machine": "m3"})
    with eight.desk.reading() as state:
        held = state.machines["m3"].assignment
        assert (held.place.stage, held.place.group, held.place.round) == ("semifinal", "1", 1)
        assert list(held.players) == found[0]["players"].split(",")


def test_who_chooses_is_asked_and_what_he_chose_asks_the_next(eight: Any, browse: Browse):
    for number in range(1, 10):
        entry = {"game": "", "machine": "m1", "scores": {f"p{number}": 1000 - number}}
        eight.do(c.RecordEntry(tournament="papa-cup", entry=entry))
    eight.do(c.RecordEntry(tournament="papa-cup", entry={"close": "qualifying"}))
    client = browse("scorekeeper")
    page = client.get("/rounds").text
    assert "Player 1 chooses now" in page
    form = next(form for form in forms(page, "choose") if form["topic"] == "machine" and form["who"] == "p1")
    client.post("/rounds/choose", data={**form, "machine": "m2"})
    page = client.get("/rounds").text
    assert "Chosen." in page
    assert "Player 1 chooses now" not in page
    orders = [form for form in forms(page, "choose") if form["topic"] == "order"]
    client.post("/rounds/choose", data={**orders[0], "position": "2"})
    client.post("/rounds/choose", data={**form, "machine": "m3"})
    topics = [entry["decision"] for entry in eight.log("papa-cup") if "decision" in entry]
    assert topics == ["machine", "order"]


def test_a_match_is_offered_until_it_has_its_winner(hall: Any, browse: Browse):
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)]
    machines = [{"id": "m1", "name": "Machine 1"}]
    hall.open(players=players, machines=machines, name="ko", preset="single-elimination", rules={"best_of": 3})
    client = browse("official")

    def offered() -> list[str]:
        return [form["group"] for form in forms(client.get("/rounds").text, "assign")]

    def play(one: str, other: str) -> None:
        entry = {"game": "", "machine": "m1", "scores": {one: 900, other: 100}, "stage": "bracket"}
        hall.do(c.RecordEntry(tournament="ko", entry=entry))

    assert offered() == ["r1-1", "r1-2"]
    play("p1", "p4")
    assert offered() == ["r1-1", "r1-2"]
    play("p1", "p4")
    assert offered() == ["r1-2"]
    play("p2", "p3")
    play("p2", "p3")
    assert offered() == ["final"]


def test_a_group_of_one_game_is_offered_until_it_has_played(hall: Any, browse: Browse):
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 9)]
    machines = [{"id": f"m{n}", "name": f"Machine {n}"} for n in range(1, 9)]
    rules = {"qualifying_closes": ""}
    hall.open(players=players, machines=machines, name="cl", preset="epc-classic", rules=rules)
    for number in range(1, 9):
        entry = {"game": "", "machine": f"m{number}", "scores": {f"p{number}": 1000}}
        hall.do(c.RecordEntry(tournament="cl", entry=entry, despite_rules=True))
    hall.do(c.RecordEntry(tournament="cl", entry={"close": "qualifying"}))
    client = browse("official")
    found = forms(client.get("/rounds").text, "assign")
    assert [form["group"] for form in found] == ["1", "2"]
    scores = dict.fromkeys(found[0]["players"].split(","), 0) | {"p1": 5, "p2": 4, "p3": 3, "p4": 2}
    entry = {"game": "", "machine": "m1", "scores": scores, "stage": "semifinal", "group": "1"}
    hall.do(c.RecordEntry(tournament="cl", entry=entry))
    assert [form["group"] for form in forms(client.get("/rounds").text, "assign")] == ["2"]


def test_who_sits_out_is_named_for_his_round_and_put_on_no_machine(hall: Any, browse: Browse):
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 4)]
    rules = {"rounds": 2, "group_size": 2}
    hall.open(players=players, machines=[{"id": "m1"}], name="mp", preset="match-play", rules=rules)
    for who in players:
        hall.do(c.RecordEntry(tournament="mp", entry={"register": who["id"]}))
    client = browse("official")
    for number in (1, 2):
        page = client.get("/rounds").text
        (form,) = forms(page, "assign")
        assert (form["round"], page.count("Sits out")) == (str(number), 1)
        scores = dict.fromkeys(form["players"].split(","), 0) | {form["players"].split(",")[0]: 9}
        hall.do(c.RecordEntry(tournament="mp", entry={"game": "", "machine": "m1", "scores": scores}))
    assert "Sits out" not in client.get("/rounds").text


def test_a_call_runs_on_every_page_until_the_player_comes(kids: Any, browse: Browse):
    client = browse("scorekeeper")
    client.post("/rounds/call", data={"players": "p1,p2", "stage": "qualifying"})
    kids.ahead = 12 * 60_000
    for path in ("/rounds", "/desk", "/board"):
        page = client.get(path).text
        assert "Player 1 and Player 2 called to Qualifying" in page, path
        assert "for 12 min" in page, path
    kids.assign("m1", "p1", tournament="kids")
    assert "Player 2 called to Qualifying" in client.get("/rounds").text
    client.post("/rounds/absent", data={"who": "p2", "why": "did not come"})
    assert "called to Qualifying" not in client.get("/rounds").text


def test_a_machine_is_drawn_once_and_what_was_drawn_is_on_record(kids: Any, browse: Browse):
    client = browse("scorekeeper")
    form = {"players": "p1,p2", "stage": "qualifying", "key": "k1"}
    client.post("/rounds/draw", data=form)
    for _ in range(8):  # a double tap: whichever machine would come out now
        again = client.post("/rounds/draw", data=form, headers={"HX-Request": "true"})
        assert "drawn already" in again.text
    drawn = [entry for entry in kids.log("kids") if entry.get("decision") == "machine-drawn"]
    assert len(drawn) == 1
    assert drawn[0]["machine"] in {"m1", "m2"}
    assert drawn[0]["who"] == ["p1", "p2"]
    assert drawn[0]["why"] == "drawn by lot among 2"


def test_an_absence_is_recorded_and_only_officials_close(kids: Any, browse: Browse):
    client = browse("scorekeeper")
    assert client.post("/rounds/close", data={"stage": "qualifying"}, headers={"HX-Request": "true"}).status_code == 403
    assert "Close Qualifying" not in client.get("/rounds").text
    client.post("/rounds/absent", data={"who": "p2", "why": "ill"})
    with kids.desk.reading() as state:
        assert ("kids", "p2") in state.withdrawn


def test_the_announced_closing_counts_down_in_the_venues_time_over_a_change_of_clocks(hall: Any, browse: Browse):
    """Toronto's clocks go back on 1 November 2026 at 2:00: from 1:30 EDT to 3:00 EST are two and a half hours."""
    at = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    hall.ahead = 0
    hall.ahead = int(at.timestamp() * 1000) - hall.now()
    players = [{"id": "p1", "name": "Ann"}]
    rules = {"qualifying_closes": "03:00", "date": "2026-11-01"}
    hall.open(players=players, machines=[{"id": "m1"}], name="epc", preset="epc", rules=rules)
    page = browse("desk").get("/rounds").text
    assert "Qualifying closes" in page
    assert re.search(r"2 h (29|30) left", page)
    hall.ahead += int(timedelta(hours=2, minutes=45).total_seconds() * 1000)
    assert re.search(r"1[45] min over", browse("desk").get("/rounds").text)
    assert "over</span>" in browse(None).get("/board").text


def test_a_machine_that_is_down_shows_how_long_the_rules_allow(hall: Any, browse: Browse):
    players = [{"id": "p1", "name": "Ann", "division": "A"}]
    machines = [{"id": "m1", "name": "Machine One", "division": "A"}]
    hall.open(players=players, machines=machines, name="tpc", preset="tpc")
    hall.do(c.RecordEntry(tournament="tpc", entry={"machine": "m1", "status": "down"}))
    for path in ("/rounds", "/desk", "/board"):
        assert "Machine One is down: officials decide" in browse("desk").get(path).text, path


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("assign", {}),
        ("assign", {"machine": "m1", "players": "p1," * 40}),
        ("assign", {"machine": "m1", "players": "p1", "round": "first"}),
        ("assign", {"machine": "m9", "players": "p1"}),
        ("call", {"players": "p99"}),
        ("choose", {"topic": "flippers"}),
        ("choose", {"topic": "machine", "who": "p1", "stage": "semifinal", "machine": "m1"}),
        ("call", {"players": "p1", "stage": "moon"}),
        ("close", {}),
        ("close", {"stage": "final"}),
        ("absent", {"who": "p99"}),
        ("close", {"stage": "x" * 1000}),
    ],
)
def test_bad_input_records_nothing(kids: Any, browse: Browse, path: str, data: dict[str, str]):
    before = kids.desk.hub.position
    answer = browse("official").post(f"/rounds/{path}", data=data)
    assert answer.status_code in {303, 422}
    assert kids.desk.hub.position == before
