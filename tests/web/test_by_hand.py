# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""/scorekeeper without a script: a machine by hand, asked about what is odd, sent twice, taken back, reported."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c
from server.web import forms

Browse = Callable[[str | None], TestClient]


def hidden(html: str, form: int = 0) -> dict[str, str]:
    """The hidden fields of a page's form that goes to the machine itself."""
    found = re.findall(r"<form[^>]*>.*?</form>", html, re.DOTALL)
    forms = [one for one in found if 'action="/scorekeeper/mm' in one]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', forms[form]))


def scores(hall: Any) -> list[dict[str, int]]:
    with hall.desk.reading() as state:
        return [dict(entry.entry["scores"]) for entry in state.seen_by_rules("cup") if "game" in entry.entry]


def page(client: TestClient) -> str:
    answer = client.get("/scorekeeper/mm")
    assert answer.status_code == 200
    return answer.text


def test_a_game_by_hand_from_start_to_count(hall: Any, browse: Browse):
    keeper = browse("scorekeeper")
    assert "Nobody is assigned" in page(keeper)
    hall.assign("mm", "p1", "p2")
    begun = keeper.post("/scorekeeper/mm", data={**hidden(page(keeper)), "do": "start"})
    assert begun.headers["location"] == "/scorekeeper/mm"
    assert "The game runs." in page(keeper)
    form = hidden(page(keeper)) | {"score-1": "12 345 678 910", "score-2": "1,020"}
    keeper.post("/scorekeeper/mm", data={**form, "do": "ball", "player": "1", "ball": "1"})
    assert "Scores after ball 1 kept." in page(keeper)
    keeper.post(
        "/scorekeeper/mm", data={**hidden(page(keeper)), **{k: form[k] for k in ("score-1", "score-2")}, "do": "end"}
    )
    assert "Counted: Ann Example 12,345,678,910, Ben Sample 1,020." in page(keeper)
    assert scores(hall) == [{"p1": 12_345_678_910, "p2": 1_020}]


def test_the_same_form_sent_three_times_counts_once_and_a_new_one_again(hall: Any, browse: Browse):
    keeper = browse("scorekeeper")
    hall.assign("mm", "p1")
    form = {**hidden(page(keeper)), "score-1": "640000", "do": "end"}
    answers = [keeper.post("/scorekeeper/mm", data=form).status_code for _ in range(3)]
    assert answers == [303, 303, 303]
    assert scores(hall) == [{"p1": 640_000}]
    assert "counted already" in page(keeper)
    hall.assign("mm", "p1")
    keeper.post("/scorekeeper/mm", data={**hidden(page(keeper)), "score-1": "640000", "do": "end"})
    assert scores(hall) == [{"p1": 640_000}, {"p1": 640_000}]


@pytest.mark.parametrize(
    ("typed", "question"),
    [("0", "0 points"), ("900,000,000", "far above"), ("45,000,003", "does not end in 0"), ("4500", "far below")],
)
def test_an_odd_score_is_asked_about_once(hall: Any, browse: Browse, typed: str, question: str):
    keeper = browse("scorekeeper")
    for score in (20_000_000, 35_000_010, 48_000_000):
        hall.plays("mm", "p2", scores=(score,))
    hall.assign("mm", "p1")
    form = {**hidden(page(keeper)), "score-1": typed, "do": "end"}
    asked = keeper.post("/scorekeeper/mm", data=form)
    assert asked.status_code == 422
    assert question in asked.text
    assert len(scores(hall)) == 3
    sure = {**hidden(asked.text), "score-1": typed, "do": "end"}
    assert sure["sure"] == re.sub(r"\D", "", typed)
    other = keeper.post("/scorekeeper/mm", data={**sure, "score-1": "0" if typed != "0" else "4500"})
    assert other.status_code == 422, "a yes is for the number that was asked about"
    assert keeper.post("/scorekeeper/mm", data=sure).status_code == 303
    assert len(scores(hall)) == 4


@pytest.mark.parametrize("typed", ["", "-500", "1.5e9x", "abc", "1" * 41])
def test_what_is_no_score_is_said_and_what_was_typed_stays(hall: Any, browse: Browse, typed: str):
    keeper = browse("scorekeeper")
    hall.assign("mm", "p1", "p2")
    form = {**hidden(page(keeper)), "score-1": "777", "score-2": typed, "do": "end"}
    answer = keeper.post("/scorekeeper/mm", data=form)
    assert answer.status_code == 422
    assert 'value="777"' in answer.text
    assert scores(hall) == []


def test_who_typed_takes_back_and_types_anew(hall: Any, browse: Browse):
    keeper = browse("scorekeeper")
    hall.assign("mm", "p1")
    keeper.post("/scorekeeper/mm", data={**hidden(page(keeper)), "score-1": "100", "do": "end"})
    keeper.post("/scorekeeper/mm", data={**hidden(page(keeper)), "do": "undo"})
    shown = page(keeper)
    assert "type it anew" in shown
    assert scores(hall) == []
    keeper.post("/scorekeeper/mm", data={**hidden(shown), "score-1": "1000", "do": "anew"})
    assert scores(hall) == [{"p1": 1_000}]
    assert "1" in page(keeper)


def test_a_malfunction_is_reported_with_a_note_and_a_photo(hall: Any, browse: Browse, display: Callable[..., bytes]):
    keeper, photo = browse("scorekeeper"), display("880120")
    hall.assign("mm", "p1")
    page(keeper)
    form = {"fault": "ball-search", "note": "<b>left ramp</b>", "key": "k"}
    files = {"photo": ("a.png", photo, "image/png")}
    assert keeper.post("/scorekeeper/mm/malfunction", data=form, files=files).status_code == 303
    assert "Ball stuck: reported." in page(keeper)
    with hall.desk.reading() as state:
        [found] = state.malfunctions.values()
    assert found.fault == "ball-search"
    assert found.detail == "<b>left ramp</b>"
    shown = browse("official").get(f"/malfunction/{found.id}").text
    assert "&lt;b&gt;left ramp" in shown
    assert found.evidence is not None
    assert f"/evidence/{found.evidence.removeprefix('sha256:')}" in shown
    assert "stuck ball" in shown.lower()
    keeper.post("/scorekeeper/mm/malfunction", data=form, files=files)
    again = keeper.post("/scorekeeper/mm/malfunction", data={**form, "key": "other"})
    assert again.status_code == 409
    with hall.desk.reading() as state:
        assert len(state.malfunctions) == 1


def test_a_photo_that_is_none_or_too_large_is_left_out_or_refused_in_one_line(hall: Any, browse: Browse):
    keeper = browse("scorekeeper")
    hall.assign("mm", "p1")
    page(keeper)
    html = {"photo": ("a.jpg", b"<script>alert(1)</script>", "image/jpeg")}
    assert keeper.post("/scorekeeper/mm/malfunction", data={"fault": "reset"}, files=html).status_code == 303
    assert "neither JPEG nor PNG" in page(keeper)
    huge = {"photo": ("a.jpg", b"\xff\xd8\xff" + bytes(6 * 2**20), "image/jpeg")}
    assert keeper.post("/scorekeeper/mm/malfunction", data={"fault": "slam-tilt"}, files=huge).status_code == 413
    nonsense = keeper.post("/scorekeeper/mm/malfunction", data={"fault": "x"})
    assert nonsense.status_code == 422


def test_strangers_and_viewers_do_nothing_here(browse: Browse):
    for role, status in (("viewer", 403), ("desk", 403), (None, 303)):
        client = browse(role)
        assert client.get("/scorekeeper/mm").status_code == status
        assert client.post("/scorekeeper/mm", data={"do": "end", "score-1": "5"}).status_code in {status, 303}
        assert client.post("/scorekeeper/mm/malfunction", data={"fault": "reset"}).status_code in {status, 303}


def test_a_machine_of_any_name_is_played_by_hand(hall: Any, browse: Browse):
    keeper, name = browse("scorekeeper"), "Attack from <Mars> #1?"
    hall.do(c.AddMachines(tournament="cup", machines=({"id": name, "name": name},)))
    hall.assign(name, "p1")
    listed = keeper.get("/scorekeeper").text
    address = re.search(r'href="(/scorekeeper/Attack[^"]+)"', listed)
    assert address is not None
    found = keeper.get(address[1]).text
    form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', found.split("<form", 3)[-1]))
    sent = keeper.post(address[1], data={"key": form.get("key", "k"), "score-1": "5", "do": "end"})
    assert sent.headers["location"] == address[1]
    assert scores(hall) == [{"p1": 5}]


def test_an_unknown_machine_is_said(browse: Browse):
    assert browse("scorekeeper").get("/scorekeeper/none").status_code == 404
    assert browse("scorekeeper").post("/scorekeeper/none", data={"do": "end"}).status_code == 404


@pytest.mark.parametrize(
    ("typed", "meant"), [("1.234.567", 1_234_567), ("1,234,567 ", 1_234_567), ("12\u202f345", 12_345), ("0", 0)]
)
def test_a_typed_score_may_have_gaps_as_displays_have_them(typed: str, meant: int):
    assert forms.score(typed) == meant


@pytest.mark.parametrize(
    "typed", ["12.5", "1,23", "1 234 56", "1234,567", ".5", "1,,", "1２3", "-500", str(10**18 + 1)]
)
def test_a_typed_score_that_may_have_lost_a_digit_is_asked_for_again(typed: str):
    with pytest.raises(forms.FieldInvalid):
        forms.score(typed)
