"""Parts of tournament files over HTTP: what JSON can carry and nobody can keep or show is refused in one line."""

import pytest

from .conftest import Running

T = "/tournaments/current"
JSON = {"content-type": "application/json"}
DEEP = "[" * 40 + "]" * 40
UNKEPT = ["NaN", "-Infinity", "1e999", r'"\ud800"', r'{"\udfff": 1}', DEEP]


@pytest.mark.parametrize("value", UNKEPT)
def test_what_cannot_be_kept_or_shown_is_refused_in_one_line(hall: Running, value: str):
    admin = hall.client("admin")
    before = admin.get(f"{T}/log").json()["last"]
    documents = {
        f"{T}/players": f'{{"players": [{{"id": "x", "name": {value}}}]}}',
        f"{T}/machines": f'{{"machines": [{{"id": {value}}}]}}',
        f"{T}/log": f'{{"entry": {{"register": "p1", "note": {value}}}}}',
        "/tournaments": f'{{"id": "x", "head": {{"tournament": {value}, "preset": "uk-kids"}}}}',
    }
    for path, text in documents.items():
        answer = admin.post(path, content=text.encode(), headers=JSON)
        assert answer.status_code == 422, (path, answer.text)
        assert "\n" not in answer.json()["error"]
    assert admin.get(f"{T}/log").json()["last"] == before
    assert admin.get("/export").status_code == 200


@pytest.mark.parametrize("why", [5, 1.5, True, [], ["x"], {"a": 1}])
def test_a_reason_is_a_text(hall: Running, why: object):
    official = hall.client("official")
    assert official.post(f"{T}/games", json={"machine": "m1", "scores": {"p1": 7}}).status_code == 200
    for kind, subject in (("penalty", "p1"), ("void", "g1"), ("ruling", "g1"), ("correct", "g1")):
        answer = official.post(f"{T}/log", json={"entry": {kind: subject, "why": why}})
        assert answer.status_code in {404, 422}, answer.text
