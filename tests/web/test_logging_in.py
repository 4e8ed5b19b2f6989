# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.web.sessions import ABSOLUTE_MS, IDLE_MS

PASSWORD = "correct horse battery"
WRONG = "That name and password do not belong together."


def post_login(client: TestClient, name: str, password: str, **more: str) -> Any:
    return client.post("/login", data={"name": name, "password": password, **more})


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(browse: Callable[..., TestClient]):
    client = browse(None)
    wrong = post_login(client, "official", "no")
    unknown = post_login(client, "nobody-at-all", "no")
    assert wrong.status_code == unknown.status_code == 401
    assert WRONG in wrong.text
    assert wrong.text.replace("official", "") == unknown.text.replace("nobody-at-all", "")
    assert "set-cookie" not in wrong.headers


def test_the_cookie_is_unreadable_by_scripts_and_stays_on_this_site(browse: Callable[..., TestClient]):
    answer = post_login(browse(None), "official", PASSWORD)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("inlane=")
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "Path=/" in cookie
    assert "Domain" not in cookie


def test_under_https_the_cookie_is_bound_to_this_host(hall: Any):
    client = TestClient(hall.app(), base_url="https://desk.local", follow_redirects=False)
    answer = post_login(client, "official", PASSWORD)
    assert answer.headers["set-cookie"].startswith("__Host-inlane=")
    assert "Secure" in answer.headers["set-cookie"]
    assert client.get("/desk").status_code == 200


def test_the_token_is_256_bits_and_only_its_hash_is_stored(hall: Any, browse: Callable[..., TestClient]):
    client = browse(None)
    post_login(client, "official", PASSWORD)
    token = client.cookies["inlane"]
    assert len(token) >= 43
    database = b"".join(path.read_bytes() for path in hall.evidence._folder.parent.glob("inlane.sqlite3*"))
    assert token.encode() not in database


def test_each_login_makes_a_new_session_and_ends_the_browsers_old_one(browse: Callable[..., TestClient]):
    client = browse(None)
    post_login(client, "official", PASSWORD)
    old = client.cookies["inlane"]
    post_login(client, "desk", PASSWORD)
    assert client.cookies["inlane"] != old
    other = browse(None)
    other.cookies.set("inlane", old)
    assert other.get("/desk").status_code == 303


def test_logging_out_ends_the_session_everywhere_it_was_copied_to(browse: Callable[..., TestClient]):
    client = browse("official")
    copied = browse(None)
    copied.cookies.set("inlane", client.cookies["inlane"])
    assert copied.get("/desk").status_code == 200
    assert client.post("/logout").status_code == 303
    assert copied.get("/desk").status_code == 303


@pytest.mark.parametrize("ahead", [IDLE_MS + 1000, ABSOLUTE_MS + 1000])
def test_an_idle_or_old_session_is_none(hall: Any, browse: Callable[..., TestClient], ahead: int):
    client = browse("official")
    assert client.get("/desk").status_code == 200
    hall.ahead = ahead
    assert client.get("/desk").status_code == 303


def test_a_session_in_use_lives_on_but_not_for_ever(hall: Any, browse: Callable[..., TestClient]):
    client = browse("official")
    while hall.ahead < ABSOLUTE_MS - IDLE_MS:
        hall.ahead += IDLE_MS - 1000
        assert client.get("/desk").status_code == 200
    hall.ahead = ABSOLUTE_MS + 1000
    assert client.get("/desk").status_code == 303


def test_too_many_wrong_passwords_must_wait_and_are_told_how_long(browse: Callable[..., TestClient]):
    client = browse(None)
    answers = [post_login(client, "official", "no") for _ in range(6)]
    assert answers[-1].status_code == 429
    assert re.search(r"Too many wrong passwords. Try again in \d+ seconds.", answers[-1].text)
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert post_login(client, "official", PASSWORD).status_code == 429
    assert post_login(client, "desk", PASSWORD).status_code == 303


@pytest.mark.parametrize(
    "onward",
    ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "evil", "/" + "a" * 400],
)
def test_nobody_is_sent_to_another_site_after_the_login(browse: Callable[..., TestClient], onward: str):
    assert post_login(browse(None), "official", PASSWORD, next=onward).headers["location"] == "/"


def test_after_the_login_one_is_where_one_wanted_to_be(browse: Callable[..., TestClient]):
    answer = post_login(browse(None), "official", PASSWORD, next="/review?reading=r1")
    assert answer.headers["location"] == "/review?reading=r1"


@pytest.mark.parametrize("cookie", ["x", "a" * 5000, "é", "'; drop table session; --"])
def test_a_made_up_cookie_is_nobody(browse: Callable[..., TestClient], cookie: str):
    client = browse(None)
    answer = client.get("/desk", headers={"cookie": f"inlane={cookie}".encode()})
    assert answer.status_code == 303


def test_a_write_from_another_site_is_refused_before_it_is_looked_at(hall: Any, browse: Callable[..., TestClient]):
    client = browse("official")
    before = hall.desk.hub.position
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        answer = client.post("/desk/assign/mm", data={"players": "p1"}, headers=headers)
        assert answer.status_code == 403
    assert hall.desk.hub.position == before
    headers = {"origin": "http://testserver"}
    assert client.post("/desk/assign/mm", data={"players": "p1"}, headers=headers).status_code == 303
    assert hall.desk.hub.position > before


def test_pages_allow_no_script_but_our_own(browse: Callable[..., TestClient]):
    answer = browse("official").get("/review")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)", answer.text)
    assert not re.search(r"\son\w+=|\sstyle=", answer.text)
