# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""A malfunction's page, freezing from the desk with what came of it, and power cycles that are announced."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from bridge.wire.control import Reply
from server.core.venue import commands as c
from server.live import Notice
from server.observers import freeze_id
from server.web.pages import malfunctions

Browse = Callable[[str | None], TestClient]


def answering(hall: Any, *, ok: bool, detail: str) -> None:
    """The agent answers each freeze at once, as it would over the broker."""

    def answer(notices: list[Notice]) -> None:
        for notice in notices:
            if notice.kind == "machine.freeze":
                hall.desk.reply("pi-1", Reply(id=freeze_id(notice.position or 0), ok=ok, detail=detail))

    hall.desk.hub.listen(answer)


def freeze(client: TestClient) -> str:
    """The line that says what came of it."""
    answer = client.post("/desk/freeze/mm", headers={"hx-request": "true"})
    return " ".join(answer.text.split())


@pytest.mark.parametrize(
    ("ok", "detail", "tone"),
    [
        (True, "scores kept: player 1: 48,213,340", "good"),
        (False, "no game runs or ran: there is nothing to keep", "warn"),
    ],
)
def test_a_freeze_says_what_was_kept_or_why_not(hall: Any, browse: Browse, *, ok: bool, detail: str, tone: str):
    answering(hall, ok=ok, detail=detail)
    said = freeze(browse("scorekeeper"))
    assert f"Medieval Madness: {detail}." in said
    assert f"note {tone}" in said


def test_a_freeze_that_nobody_answers_says_so_and_a_fact_that_came_counts(
    hall: Any, browse: Browse, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(malfunctions, "ANSWER_S", 0.3)
    assert "pi-1 has not answered" in freeze(browse("desk"))
    hall.assign("mm", "p1")
    game = hall.starts("mm")

    def speak(notices: list[Notice]) -> None:
        if any(notice.kind == "machine.freeze" for notice in notices):
            scores = [{"player": 1, "score": 48_213_340}]
            threading.Thread(
                target=lambda: hall.says("score.frozen", "mm", game=game, scores=scores, why="asked for by the desk")
            ).start()

    hall.desk.hub.listen(speak)
    said = freeze(browse("desk"))
    assert "scores kept: 48,213,340" in said
    assert f'href="/kept/{game}"' in said
    assert "48" in browse("desk").get(f"/kept/{game}").text


def test_a_machine_without_an_agent_cannot_be_asked(hall: Any, browse: Browse):
    hall.do(c.AddMachines(tournament="cup", machines=({"id": "em", "name": "Old One"},)))
    answer = browse("desk").post("/desk/freeze/em", headers={"hx-request": "true"})
    assert answer.status_code == 409
    assert "No agent has been heard" in answer.text


def test_an_announced_power_cycle_is_shown_and_raises_no_alarm(hall: Any, browse: Browse):
    desk = browse("desk")
    form = {"machine": "mm", "minutes": "5", "why": "round two", "do": "announce"}
    desk.post("/desk/power", data=form)
    assert "announced for 5 min" in desk.get("/machines").text
    assert "power cycle until" in desk.get("/machines").text
    hall.says("fault.raised", "mm", fault="power-lost")
    hall.says("fault.raised", "mm", fault="slam-tilt")
    shown = desk.get("/desk").text
    assert "Power lost" not in shown
    assert "Slam tilt" in shown
    assert "a power cycle is announced" in desk.get("/log").text
    desk.post("/desk/power", data={"machine": "mm", "do": "end"})
    assert "Power lost" in desk.get("/desk").text
    assert browse("scorekeeper").post("/desk/power", data=form, headers={"hx-request": "true"}).status_code == 403


def test_a_malfunction_page_shows_what_is_suggested_and_closes_the_alarm(hall: Any, browse: Browse):
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    scores = [{"player": 1, "score": 880_120}]
    hall.says("fault.raised", "mm", fault="ball-missing", game=game, player=1, ball=3, scores=scores)
    hall.says("score.frozen", "mm", game=game, scores=scores, why="ball-missing")
    official = browse("official")
    with hall.desk.reading() as state:
        [found] = state.malfunctions
    shown = official.get(f"/malfunction/{found}").text
    assert "Stuck ball, or a lost one" in shown
    assert "UK Open" in shown  # the format has no rules of conduct of its own
    assert "Pinball Chicago" not in shown
    assert 'value="880120"' in shown
    assert "player 1, ball 3" in shown
    official.post(f"/desk/alarms/{found}", data={"do": "seen"})
    official.post(f"/desk/alarms/{found}", data={"do": "close"})
    assert "Over" in official.get(f"/malfunction/{found}").text


def test_a_call_for_an_official_that_is_over_at_once_stays_until_somebody_has_seen_it(hall: Any, browse: Browse):
    official = browse("official")
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    for fault in ("official-called", "reset", "tilt", "camera-lost"):
        hall.says("fault.raised", "mm", fault=fault, game=game)
        hall.says("fault.cleared", "mm", fault=fault)
    shown = official.get("/desk").text
    assert "Official called" in shown
    assert shown.count("nobody has seen it yet") == 2
    assert "Camera lost" not in shown
    with hall.desk.reading() as state:
        called = next(one.id for one in state.malfunctions.values() if one.fault == "official-called")
        lost = next(one.id for one in state.malfunctions.values() if one.fault == "camera-lost")
    assert 'value="seen"' in official.get(f"/malfunction/{called}").text  # as long as the desk waits for it
    assert 'value="seen"' not in official.get(f"/malfunction/{lost}").text
    official.post(f"/desk/alarms/{called}", data={"do": "seen"})
    assert 'value="seen"' not in official.get(f"/malfunction/{called}").text
    assert "Official called" not in official.get("/desk").text.split('id="deeds"', maxsplit=1)[0]
    assert official.get("/api/v1/malfunctions?only=open").json()["malfunctions"] == []


def test_that_nobody_is_assigned_is_said_once_and_not_as_playing_after_the_game(hall: Any, browse: Browse):
    game = hall.starts("mm")
    wall = browse("desk")
    tile = wall.get("/machines").text
    assert tile.count("Playing, nobody assigned") == 1
    assert ">Nobody assigned" not in tile
    hall.ends("mm", game, 5_000_000)
    tile = wall.get("/machines").text
    assert "Playing, nobody assigned" not in tile
    assert "Nobody assigned" in tile


def test_a_damaged_outbox_is_an_alarm_that_says_that_games_may_be_missing(hall: Any, browse: Browse):
    detail = "the outbox was damaged and set aside: facts may be missing"
    hall.says("fault.raised", None, fault="outbox-damaged", detail=detail)
    hall.says("fault.raised", None, fault="clock-unsynced", detail="the clock was never set")
    shown = browse("desk").get("/desk").text
    assert "Outbox damaged" in shown
    assert detail in shown
    assert "games may be missing, check the last ones" in shown
    noted = shown[shown.index("Noted") :]
    assert "Clock not set" in noted


@pytest.mark.parametrize("path", ["/malfunction/f99", "/kept/none"])
def test_what_is_not_there_is_said(browse: Browse, path: str):
    assert browse("official").get(path).status_code == 404
    assert browse("viewer").get(path).status_code == 403
    assert browse(None).get(path).status_code == 303
