# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

STAFF = {"admin", "official", "scorekeeper", "desk"}
OFFICIALS = {"admin", "official"}
EVERYBODY = {"admin", "official", "scorekeeper", "desk", "captain", "viewer"}
OPEN_TO = {
    "/desk": STAFF,
    "/review": OFFICIALS,
    "/machines": EVERYBODY,
    "/log": STAFF,
    "/setup": OFFICIALS,
    "/rounds": STAFF,
    "/rulings": STAFF,
    "/desk/assign/mm": STAFF,
    "/desk/players/mm": STAFF,
    "/review/next": OFFICIALS,
    "/review/reading/r1": OFFICIALS,
    "/review/game/none": OFFICIALS,
}
STREAMS = {"desk": STAFF, "review": OFFICIALS, "machines": EVERYBODY, "log": STAFF}


@pytest.mark.parametrize("path", ["/", "/board", "/login", "/static/app.css"])
def test_public_pages_open_for_strangers(browse: Callable[..., TestClient], path: str):
    assert browse(None).get(path).status_code == 200


@pytest.mark.parametrize("path", OPEN_TO)
def test_a_stranger_is_sent_to_the_login_and_comes_back(browse: Callable[..., TestClient], path: str):
    answer = browse(None).get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/login?next={path}"


@pytest.mark.parametrize("role", sorted(EVERYBODY))
def test_each_role_opens_its_pages_and_no_other(browse: Callable[..., TestClient], role: str):
    client = browse(role)
    for path, roles in OPEN_TO.items():
        status = client.get(path).status_code
        if role in roles:
            assert status in {200, 404}, (path, status)
        else:
            assert status == 403, (path, status)


@pytest.mark.parametrize("stream", STREAMS)
def test_streams_are_closed_to_strangers_and_to_other_roles(browse: Callable[..., TestClient], stream: str):
    assert browse(None).get(f"/live/{stream}").status_code == 401
    outsiders = EVERYBODY - STREAMS[stream]
    if outsiders:
        assert browse(min(outsiders)).get(f"/live/{stream}").status_code == 403


def test_the_menu_shows_only_the_doors_that_open(browse: Callable[..., TestClient]):
    text = browse("viewer").get("/").text
    assert 'href="/machines"' in text
    assert 'href="/desk"' not in text
    assert 'href="/review"' not in text


@pytest.mark.parametrize(
    "path", ["/desk/assign/mm", "/desk/unassign/mm", "/desk/alarms/f1", "/desk/undo/1", "/review/r1", "/review/game/g"]
)
def test_no_form_does_anything_for_strangers_or_viewers(browse: Callable[..., TestClient], hall: Any, path: str):
    before = hall.desk.hub.position
    assert browse(None).post(path, data={"players": "p1"}).status_code == 303
    assert browse("viewer").post(path, data={"players": "p1"}).status_code == 403
    assert hall.desk.hub.position == before


def test_pictures_are_for_staff_alone(browse: Callable[..., TestClient], hall: Any, display: Callable[..., bytes]):
    digest = hall.picture(display("48,213,340")).removeprefix("sha256:")
    assert browse(None).get(f"/evidence/{digest}").status_code == 401
    assert browse("viewer").get(f"/evidence/{digest}").status_code == 403
    answer = browse("official").get(f"/evidence/{digest}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    assert browse("official").get("/evidence/..%2f..%2fetc%2fpasswd").status_code == 404
