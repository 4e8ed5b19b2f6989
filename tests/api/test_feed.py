"""The event feed, the pictures and the login, over a real socket."""

import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable

import httpx2
import pytest

from .conftest import PASSWORD, Agent, Running

Login = Callable[[str | None], httpx2.Client]
T = "/tournaments/current"
PNG = b"\x89PNG\r\n\x1a\n" + b"a picture" * 100
DEADLINE = 60.0


def events(client: httpx2.Client, last: int | None, count: int) -> list[dict]:
    """The next events that have an id."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    found: list[dict] = []
    with client.stream("GET", "/events", headers=headers, timeout=DEADLINE) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                event = json.loads(line[6:])
                if event["position"] is not None:
                    found.append(event)
            if len(found) == count:
                return found
    return found


def test_who_reconnects_gets_what_was_missed_once(login: Login, running: Running):
    client = login("scorekeeper")
    for n in range(1, 6):
        assert client.post(f"{T}/games", json={"machine": "m1", "scores": {f"p{n}": n}}).status_code == 200
    head = running.desk.hub.position
    assert [e["position"] for e in events(client, 0, head)] == list(range(1, head + 1))
    assert [e["position"] for e in events(client, head - 2, 2)] == [head - 1, head]
    assert [e["kind"] for e in events(client, head - 1, 1)] == ["tournament.entry"]


def test_what_happens_meanwhile_arrives_in_order_without_holes(login: Login, running: Running):
    writer, begin = login("scorekeeper"), running.desk.hub.position
    got: list[int] = []
    reader = login(None)
    thread = threading.Thread(target=lambda: got.extend(e["position"] for e in events(reader, begin, 40)))
    thread.start()
    for n in range(40):
        assert writer.post(f"{T}/games", json={"machine": "m1", "scores": {"p1": n}}).status_code == 200
    thread.join(DEADLINE)
    assert got == list(range(begin + 1, begin + 41))


def test_a_stream_ends_in_time_and_the_next_goes_on_where_it_ended(
    login: Login, running: Running, monkeypatch: pytest.MonkeyPatch
):
    """Report D02: a viewer that is dead without a word is let go; the living ones miss nothing."""
    monkeypatch.setattr("server.web.api.feed.LIFE", 0.5)
    monkeypatch.setattr("server.web.api.feed.BEAT", 0.1)
    begin = running.desk.hub.position
    with login(None).stream("GET", "/events", timeout=DEADLINE) as stream:
        lines = list(stream.iter_lines())
    assert f"id: {begin}" in lines
    assert not any(line.startswith("data: ") for line in lines)
    assert login("scorekeeper").post(f"{T}/games", json={"machine": "m1", "scores": {"p1": 5}}).status_code == 200
    assert [event["position"] for event in events(login(None), begin, 1)] == [begin + 1]
    deadline = time.monotonic() + DEADLINE
    while running.desk.hub.viewers:
        assert time.monotonic() < deadline, "viewers stay"
        time.sleep(0.02)


def test_more_than_the_hub_remembers_comes_from_the_ledger(login: Login, running: Running):
    running.desk.hub._recent.clear()
    client = login("scorekeeper")
    for n in range(3):
        client.post(f"{T}/games", json={"machine": "m1", "scores": {"p1": n}})
    running.desk.hub._recent.popleft()
    head = running.desk.hub.position
    assert [e["position"] for e in events(client, 0, head)] == list(range(1, head + 1))


def test_names_of_people_are_for_staff(login: Login, running: Running):
    login("scorekeeper").post(f"{T}/games", json={"machine": "m1", "scores": {"p1": 1}})
    head = running.desk.hub.position
    assert "who" not in events(login(None), head - 1, 1)[0]
    assert "who" not in events(login("viewer"), head - 1, 1)[0]
    assert events(login("desk"), head - 1, 1)[0]["who"] == "scorekeeper"


def test_a_last_event_id_that_is_no_number_is_refused(login: Login):
    for bad in ("x", "-1", "1" * 21):
        assert login(None).get("/events", headers={"Last-Event-ID": bad}).status_code == 422
    assert login(None).get("/events?after=-1").status_code == 422


def test_a_viewer_that_went_away_is_let_go(running: Running, login: Login):
    host, port = running.base.removeprefix("http://").split(":")
    for _ in range(20):
        with socket.create_connection((host, int(port))) as line:
            line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 200")
    deadline = time.monotonic() + DEADLINE
    while running.desk.hub.viewers and time.monotonic() < deadline:
        login("scorekeeper").post(f"{T}/games", json={"machine": "m1", "scores": {"p1": 1}})
        time.sleep(0.1)
    assert running.desk.hub.viewers == 0


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_picture_is_kept_under_its_hash_and_shown_to_people(running: Running, login: Login):
    headers = {"Authorization": f"Bearer {running.accounts.add_agent('pi-1', now=1)}"}
    sender = login(None)
    first = sender.put(f"/evidence/{digest(PNG)}", content=PNG, headers=headers)
    again = sender.put(f"/evidence/{digest(PNG)}", content=PNG, headers=headers)
    assert (first.status_code, again.status_code) == (201, 200)
    shown = login("viewer").get(f"/evidence/{digest(PNG)}")
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    assert login(None).get(f"/evidence/{digest(PNG)}").status_code == 401


def test_a_recording_is_a_file_to_keep_and_never_a_page(running: Running, login: Login):
    headers = {"Authorization": f"Bearer {running.accounts.add_agent('pi-1', now=1)}"}
    sender, viewer = login(None), login("viewer")
    recording = b"12.500 # mm-1: kept because of reset\n12.501 < hello?version=1.1\n12.502 <x 00ff<script>\n"
    assert sender.put(f"/evidence/{digest(recording)}", content=recording, headers=headers).status_code == 201
    shown = viewer.get(f"/evidence/{digest(recording)}")
    assert shown.content == recording
    assert shown.headers["content-type"].startswith("text/plain")
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert shown.headers["content-disposition"].startswith("attachment")
    for no in (b"12.5 < \x00\x01", b"hello", b"<html>", b"12.5 <html>", b" 1 < x"):
        assert sender.put(f"/evidence/{digest(no)}", content=no, headers=headers).status_code == 422, no


def test_what_is_no_picture_is_refused_with_a_reason(running: Running, login: Login):
    headers = {"Authorization": f"Bearer {running.accounts.add_agent('pi-1', now=1)}"}
    sender = login(None)
    html = b"<script>alert(1)</script>"
    huge = PNG + bytes(5 * 2**20)
    fat = PNG + bytes(4 * 2**20 - len(PNG) + 1)
    cases = [
        (digest(PNG), b"other", 422),
        (digest(html), html, 422),
        (digest(b""), b"", 422),
        (digest(huge), huge, 413),
        (digest(fat), fat, 422),
        ("..%2f..%2fetc", PNG, 404),
        ("A" * 64, PNG, 422),
    ]
    for name, data, status in cases:
        answer = sender.put(f"/evidence/{name}", content=data, headers=headers)
        assert answer.status_code == status, (name, answer.status_code, answer.text)
    for n in range(2):
        part = PNG + bytes([n]) * (3 * 2**20)
        answer = sender.put(f"/evidence/{digest(part)}", content=part, headers=headers)
        assert answer.status_code == 201
    full = PNG + bytes([9]) * (3 * 2**20)
    assert sender.put(f"/evidence/{digest(full)}", content=full, headers=headers).status_code == 507


def test_only_an_agent_sends_pictures(login: Login, running: Running):
    token = running.accounts.add_agent("pi-1", now=1)
    renewed = running.accounts.add_agent("pi-1", now=1, renew=True)
    path = f"/evidence/{digest(PNG)}"
    for header in ("", f"Bearer {token}", "Bearer x", f"Basic {renewed}"):
        assert login("admin").put(path, content=PNG, headers={"Authorization": header}).status_code == 401
    assert login(None).put(path, content=PNG, headers={"Authorization": f"Bearer {renewed}"}).status_code == 201


def test_a_reading_says_whether_its_picture_has_come(running: Running, login: Login, agent: Agent):
    official = login("official")
    assert login("scorekeeper").post("/machines/m1/assign", json={"players": ["p1"]}).status_code == 200
    game = agent.starts("m1")
    said = [{"player": 1, "score": 7, "confidence": 0.5}]
    ended = {"game": game, "how": "normal", "scores": said, "source": "camera", "evidence": "sha256:" + digest(PNG)}
    agent.says(("game.ended", "m1", ended))
    assert official.get("/readings/r1").json()["picture"] is False
    headers = {"Authorization": f"Bearer {running.accounts.add_agent('pi-1', now=1)}"}
    login(None).put(f"/evidence/{digest(PNG)}", content=PNG, headers=headers)
    assert official.get("/readings/r1").json()["picture"] is True


def test_a_wrong_password_opens_nothing_and_is_slowed_down(login: Login):
    client = login(None)
    wrong = {"name": "admin", "password": "wrong wrong"}
    statuses = [client.post("/login", json=wrong).status_code for _ in range(8)]
    assert statuses[0] == 401
    assert statuses[-1] == 429
    assert client.get("/me").status_code == 401
    assert client.post("/login", json={"name": "admin", "password": 5}).status_code == 422


def test_logging_out_ends_the_session(login: Login):
    client = login("admin")
    cookies = dict(client.cookies)
    assert client.get("/me").json()["roles"] == ["admin"]
    client.post("/logout")
    client.cookies.update(cookies)
    assert client.get("/me").status_code == 401


def test_a_new_password_ends_every_session(login: Login, running: Running):
    client = login("admin")
    running.accounts.set_password("admin", PASSWORD + "!")
    assert client.get("/me").status_code == 401


def test_another_site_cannot_write(login: Login):
    answer = login("admin").post(f"{T}/log", json={"entry": {"close": "qualifying"}}, headers={"Origin": "http://evil"})
    assert answer.status_code == 403
