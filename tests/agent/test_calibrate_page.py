"""The calibration page's other side over real HTTP: who may, what is bounded, what the buttons do."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.calibrate.bench import Bench
from bridge.calibrate.draft import Draft, Drafts, Edit, parse_edit
from bridge.calibrate.exposure import ExposureWatch
from bridge.calibrate.gate import MOST_WRONG, Gate, foreign
from bridge.calibrate.save import Target
from bridge.calibrate.web import LARGEST_BODY, PageServer
from bridge.cli import main
from bridge.errors import InputInvalid

Given = Any
"""What JSON holds, or what an edit is made of."""
CORNERS = [[10, 10], [150, 10], [150, 45], [10, 45]]


class Visitor:
    """Talks to the page as a browser would."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""

    def ask(self, method: str, path: str, body: Given = None, **headers: str) -> tuple[int, Given]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        told = {"Content-Type": "application/json", "Cookie": self.cookie}
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, data if method == "POST" else None, told)
        answer = connection.getresponse()
        read = answer.read()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        connection.close()
        return answer.status, json.loads(read) if answer.getheader("Content-Type") == "application/json" else read

    def until(self, true: Given, what: str) -> Given:
        end = time.monotonic() + 30
        while not true(state := self.ask("GET", "/state")[1]):
            assert time.monotonic() < end, f"not in time: {what}: {state}"
            time.sleep(0.05)
        return state


@contextmanager
def serving(folder: Path) -> Iterator[tuple[Visitor, list[str], Bench]]:
    pins: list[str] = []
    target = Target(machine="mm-2", port=f"camera://{folder / 'seen'}", profile="seg7", folder=folder)
    bench = Bench(target, Draft(base="seg7"), now=lambda: int(time.monotonic() * 1000))
    server = PageServer(("127.0.0.1", 0), bench, Gate(pins.append, now=time.monotonic))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    bench.start()
    thread.start()
    try:
        yield Visitor(server.server_address[1]), pins, bench
    finally:
        server.shutdown()
        server.server_close()
        bench.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Visitor, list[str], Bench]]:
    seen = tmp_path / "seen"
    seen.mkdir()
    for number in range(4):
        grey = np.full((90, 160, 3), 20 + number, np.uint8)
        cv2.imwrite(str(seen / f"{number * 100:06d}.png"), cv2.rectangle(grey, (20, 20), (60, 40), (200, 210, 220), 3))
    with serving(tmp_path) as given:
        yield given


def test_only_who_has_the_pin_sees_anything_and_a_pin_opens_once(served: Given):
    visitor, pins, _ = served
    for method, path in (("GET", "/state"), ("GET", "/picture"), ("POST", "/save"), ("POST", "/edit")):
        assert visitor.ask(method, path)[0] == 401
    assert visitor.ask("GET", "/")[0] == 200
    pin = pins[-1]
    assert visitor.ask("POST", "/enter", {"pin": f"{pin[:3]} {pin[3:]}"})[0] == 200
    assert visitor.ask("GET", "/state")[0] == 200
    other = Visitor(visitor.port)
    assert other.ask("POST", "/enter", {"pin": pin})[0] == 403
    assert other.ask("GET", "/state")[0] == 401
    other.cookie = f'inlane_calibrate_{visitor.port}="; broken'
    assert other.ask("GET", "/state")[0] == 401


def test_guessing_the_pin_is_slow_and_in_vain():
    now, pins = [0.0], []
    gate = Gate(pins.append, now=lambda: now[0])
    wrong = "000000" if pins[-1] != "000000" else "000001"
    assert gate.enter(wrong) is None
    assert gate.enter(pins[-1]) is None  # the gate is closed for a moment
    for _ in range(MOST_WRONG - 1):
        now[0] += 2
        gate.enter(wrong)
    assert len(pins) == 2
    now[0] += 2
    assert gate.enter("x" * 10_000) is None
    now[0] += 2
    token = gate.enter(pins[-1])
    assert token is not None
    assert gate.knows(token)
    assert not gate.knows("é")


@pytest.mark.parametrize(
    ("headers", "mischief"),
    [
        ({"Host": "192.168.1.7:8765", "Origin": "http://192.168.1.7:8765"}, False),
        ({"Host": "pi-mm.local:8765", "Sec-Fetch-Site": "same-origin"}, False),
        ({"Host": "[fe80::1]:8765"}, False),
        ({"Host": "evil.example:8765"}, True),
        ({"Host": "192.168.1.7:8765", "Origin": "http://evil.example"}, True),
        ({"Host": "192.168.1.7:8765", "Origin": "null"}, True),
        ({"Host": "192.168.1.7:8765", "Sec-Fetch-Site": "cross-site"}, True),
        ({}, True),
    ],
)
def test_no_other_origin_may_post_and_no_other_name_may_point_here(headers: dict[str, str], mischief: Given):
    assert bool(foreign(headers, {"pi-mm"}, writes=True)) is mischief


@pytest.mark.parametrize(
    "path", ["/../agent.toml", "/%2e%2e/agent.toml", "/page/../page.css", "//etc/passwd", "/page.html"]
)
def test_no_path_leads_to_a_file(served: Given, path: str):
    assert served[0].ask("GET", path)[0] == 404


def test_what_is_too_large_or_no_json_is_refused_in_one_line(served: Given):
    visitor, pins, _ = served
    visitor.ask("POST", "/enter", {"pin": pins[-1]})
    assert visitor.ask("POST", "/edit", b"x" * (LARGEST_BODY + 1))[0] == 413
    assert visitor.ask("POST", "/edit", b"{")[0] == 400
    assert visitor.ask("POST", "/edit", b"[" * 20_000)[0] == 400
    assert visitor.ask("POST", "/edit", b'{"digits": NaN}')[0] == 400
    assert visitor.ask("POST", "/edit", {}, Content_Type="text/plain")[0] == 415
    assert visitor.ask("POST", "/edit", {}, Origin="http://evil.example")[0] == 403
    assert visitor.ask("POST", "/nothing", {})[0] == 404
    status, told = visitor.ask("POST", "/edit", {"digits": 0})
    assert status == 422
    assert "digits" in told["error"]
    assert visitor.ask("GET", "/state", Host="evil.example")[0] == 421


def test_a_picture_comes_once_and_the_buttons_do_what_they_say(served: Given):
    visitor, pins, _ = served
    visitor.ask("POST", "/enter", {"pin": pins[-1]})
    state = visitor.until(lambda told: told["number"] and told["look"]["number"], "a picture that was looked at")
    assert state["size"] == [160, 90]
    status, picture = visitor.ask("GET", "/picture?after=0")
    assert status == 200
    assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape == (90, 160, 3)
    assert visitor.ask("GET", "/picture?after=999999999")[0] == 204
    told = visitor.ask("POST", "/edit", {"corners": CORNERS, "digits": 7})[1]
    assert (told["draft"]["corners"], told["draft"]["digits"], told["undo"]) == (CORNERS, 7, 1)
    told = visitor.ask("POST", "/undo")[1]
    assert (told["draft"]["corners"], told["saved"]) == (None, True)
    for button in ("/fit", "/freeze"):
        status, told = visitor.ask("POST", button)
        assert status == 422
        assert told["error"]
    assert visitor.ask("POST", "/loosen")[0] == 200


def test_saving_says_where_and_only_then_a_file_is_written(served: Given, tmp_path: Path):
    visitor, pins, _ = served
    visitor.ask("POST", "/enter", {"pin": pins[-1]})
    visitor.until(lambda told: told["number"], "a picture")
    visitor.ask("POST", "/edit", {"corners": CORNERS, "windows": [{"player": 2, "left": 0.5}]})
    assert not (tmp_path / "calibration").exists()
    told = visitor.ask("POST", "/save")[1]
    assert told["saved"]
    assert str(tmp_path / "calibration" / "mm-2.toml") in told["said"]
    assert "size = [160, 90]" in (tmp_path / "calibration" / "mm-2.toml").read_text("utf-8")
    assert "player = 2" in (tmp_path / "profiles" / "mm-2.toml").read_text("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        "", "--port sim://dmd --profile dmd-128x33", "--port x --profile seg7", "--config none.toml",
        "--port sim://dmd --profile mpf-bcp", "--port sim://dmd --profile seg7 --host 192.0.2.1",
        "--port sim://dmd --profile seg7 --listen 99999", "--port sim://dmd --profile seg7 --machine Mine",
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_meant_is_one_line(words: str, capsys: pytest.CaptureFixture[str]):
    assert main(["calibrate", *words.split()]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert said.startswith("inlane-agent: ")


def test_one_movement_is_one_step_back_and_a_wrong_edit_changes_nothing():
    drafts = Drafts(Draft(base="seg7"))
    first = Edit(corners=((0, 0), (9, 0), (9, 9), (0, 9)))
    drafts.edit(first)
    for x in range(1, 6):
        drafts.edit(Edit(corners=((x, 0), (9, 0), (9, 9), (0, 9)), hold=x < 5))
    assert drafts.steps == 2
    for wrong in (
        {"corners": [[0, 0], [9, 9], [9, 0], [0, 9]]}, {"base": "/etc/passwd"}, {"base": "mpf-bcp"}, {"x": 1}, [1],
        {"windows": [{"left": 0.9, "right": 0.1}]}, {"clear": ["base"]},
        {"corners": [[1e999, 0], [9, 0], [9, 9], [0, 9]]},
    ):  # fmt: skip
        with pytest.raises(InputInvalid):
            drafts.edit(parse_edit(wrong))
    assert drafts.undo().corners == first.corners
    assert drafts.undo().corners is None
    assert drafts.undo().corners is None
    assert drafts.edit(parse_edit({"base": "reels", "digits": 5})).base == "reels"


def test_exposure_hints_say_dark_bright_and_flicker():
    def hints(*levels: int, spread: int = 0) -> list[str]:
        watch = ExposureWatch()
        image = np.zeros((60, 160, 3), np.uint8)
        for number, level in enumerate(levels):
            image = np.full((60, 160, 3), level, np.uint8)
            image[10:50, 20:140] = min(255, level + spread)
            if number % 2 and spread < 0:
                image[:30] //= 3
            watch.see(image, None)
        return [kind for kind, _ in watch.hints(image, None)]

    assert hints(0) == ["dark"]
    assert hints(40) == ["dark"]
    assert hints(20, spread=240) == ["bright"]
    assert hints(*[30] * 16, spread=150) == []
    assert "flicker" in hints(*[100, 160] * 8, spread=40)
    assert "flicker" in hints(*[200] * 16, spread=-60)
