"""The calibration page against strangers and bad luck: it answers every request, and who has the PIN gets through."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.calibrate.bench import Bench
from bridge.calibrate.draft import Draft
from bridge.calibrate.gate import Gate
from bridge.calibrate.room import Room
from bridge.calibrate.save import Target
from bridge.calibrate.web import MOST_AT_ONCE, PageServer

Given = Any


class Page:
    """A served bench whose camera is a folder of pictures of 160 x 90."""

    def __init__(self, folder: Path) -> None:
        (folder / "seen").mkdir()
        cv2.imwrite(str(folder / "seen" / "1.png"), np.full((90, 160, 3), 90, np.uint8))
        self.pins: list[str] = []
        target = Target(machine="mm-2", port=f"camera://{folder / 'seen'}", profile="seg7", folder=folder)
        self.bench = Bench(target, Draft(base="seg7"), now=lambda: int(time.monotonic() * 1000))
        self.server = PageServer(("127.0.0.1", 0), self.bench, Gate(self.pins.append, now=time.monotonic))
        self.port = int(self.server.server_address[1])
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.cookie = ""

    def ask(self, method: str, path: str, body: Given = None) -> tuple[int, Given]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        connection.request(method, path, None if method == "GET" else json.dumps(body), headers)
        answer = connection.getresponse()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        read = answer.read()
        connection.close()
        return answer.status, json.loads(read) if answer.getheader("Content-Type") == "application/json" else read

    def enter(self) -> None:
        assert self.ask("POST", "/enter", {"pin": self.pins[-1]})[0] == 200

    def until_seen(self) -> None:
        end = time.monotonic() + 30
        while not self.ask("GET", "/state")[1]["number"]:
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    page = Page(tmp_path)
    page.bench.start()
    page.thread.start()
    yield page
    page.server.shutdown()
    page.server.server_close()
    page.bench.close()


def test_connections_that_say_nothing_keep_nobody_out(page: Page):
    with contextlib.ExitStack() as stack:
        for number in range(3 * MOST_AT_ONCE):
            silent = stack.enter_context(socket.create_connection(("127.0.0.1", page.port), timeout=20))
            if number % 2:
                silent.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        page.enter()
        for _ in range(5):
            assert page.ask("GET", "/state")[0] == 200


def test_who_is_let_in_does_not_make_room_and_the_oldest_stranger_does():
    pairs = [socket.socketpair() for _ in range(4)]
    room = Room(2)
    guest, stranger, newer, last = (pair[0] for pair in pairs)
    assert room.take(guest)
    room.trust(guest)
    assert room.take(stranger)
    assert room.take(newer)
    assert pairs[1][1].recv(1) == b""
    room.trust(newer)
    assert not room.take(last)
    room.leave(guest)
    assert room.take(last)
    for pair in pairs:
        for end in pair:
            end.close()


@pytest.mark.parametrize("request_line", ["GET http://[ HTTP/1.1", "GET //[/state HTTP/1.1"])
def test_an_address_that_is_none_is_answered(page: Page, request_line: str):
    with socket.create_connection(("127.0.0.1", page.port), timeout=20) as talk:
        talk.sendall(f"{request_line}\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert talk.recv(100).startswith(b"HTTP/1.1 404")


def test_letters_that_are_none_are_answered(page: Page):
    assert page.ask("POST", "/enter", {"pin": "\ud800"})[0] == 403
    time.sleep(1.1)
    page.enter()
    assert page.ask("POST", "/edit", {"base": "\ud800"})[0] == 422
    assert page.ask("POST", "/edit", {"\ud800": 1})[0] == 422


def test_a_setting_with_many_places_does_not_end_the_page(page: Page):
    page.enter()
    told = page.ask("POST", "/edit", {"camera": {"gain": 0.012345678901234567, "exposure_ms": 20.000000000000004}})[1]
    assert told["draft"]["camera"]["gain"] == 0.012345678901234567
    assert page.ask("GET", "/state")[0] == 200


def test_corners_that_are_not_in_the_picture_are_not_saved(page: Page, tmp_path: Path):
    page.enter()
    page.until_seen()
    page.ask("POST", "/edit", {"corners": [[170, 10], [300, 10], [300, 45], [170, 45]]})
    status, told = page.ask("POST", "/save", {})
    assert status == 422
    assert "outside the picture of 160 x 90" in told["error"]
    assert not (tmp_path / "calibration").exists()


def test_two_pages_of_one_computer_keep_their_browsers_apart(page: Page):
    page.enter()
    assert page.cookie.startswith(f"inlane_calibrate_{page.port}=")


def test_the_page_ends_while_it_is_busy_and_while_others_are_connected(page: Page):
    page.enter()
    page.until_seen()
    told = f"GET /picture?after=99999999 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {page.cookie}\r\n\r\n"
    with contextlib.ExitStack() as stack:
        for number in range(4):
            talk = stack.enter_context(socket.create_connection(("127.0.0.1", page.port), timeout=20))
            if number:
                talk.sendall(told.encode())
        page.server.shutdown()
        page.server.server_close()
        assert not [thread for thread in threading.enumerate() if "process_request_thread" in thread.name]


@pytest.mark.parametrize("held", [False, True])
def test_the_exit_status_is_kept_though_a_thread_is_held_in_a_library(held: bool):  # noqa: FBT001
    lines = [
        "import threading, time", "from bridge.leaving import leave",
        f"threading.Thread(target=time.sleep, args=(60,), daemon=True).start() if {held} else None",
        "print('said')", "raise SystemExit(leave(3))",
    ]  # fmt: skip
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"said\n", b"")
