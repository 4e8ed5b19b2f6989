"""The calibration page in a real browser on a simulated machine; what it saves is what the agent then uses."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridge.calibration import load_calibration
from hardware.catalog import load_profile
from hardware.ports.sim import corners_of

Given = Any
SIM = "sim://dmd?seed=1&speed=2&idle=0.5&calm=1&players=1&ball_seconds=60&fps=8"
WAIT_MS = 60_000

pytestmark = [pytest.mark.browser, pytest.mark.broker, pytest.mark.timeout(300)]


class Calibrating:
    """`inlane-agent calibrate` as a process, with what it printed."""

    def __init__(self, config: Path) -> None:
        self.log = config.parent / "calibrate.log"
        command = [sys.executable, "-m", "bridge.cli", "calibrate", "--config", str(config)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([*command, "--host", "127.0.0.1", "--listen", "0"], stdout=log, stderr=log)

    def told(self, pattern: str) -> str:
        end = time.monotonic() + 90
        while not (found := re.findall(pattern, self.log.read_text())):
            assert time.monotonic() < end, self.log.read_text()
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        return str(found[-1])

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(60)


@pytest.fixture
def calibrate() -> Iterator[Callable[[Path], Calibrating]]:
    """Starts one on a configuration; whatever happens, it is gone afterwards."""
    made: list[Calibrating] = []

    def start(config: Path) -> Calibrating:
        made.append(Calibrating(config))
        return made[-1]

    yield start
    for one in made:
        one.process.kill()
        one.process.wait()


def centre(page: Page, name: str) -> tuple[float, float]:
    box = page.get_by_role("button", name=name, exact=True).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, name: str, by: tuple[float, float]) -> None:
    x, y = centre(page, name)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=5)
    expect(page.locator("#loupe")).to_be_visible()
    page.mouse.up()


def enter(page: Page, calibrating: Calibrating) -> None:
    page.goto(calibrating.told(r"open (http://\S+)"))
    page.get_by_label("PIN").fill(calibrating.told(r"PIN[^:]*: (\d+ \d+)"))
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("button", name="top left corner", exact=True)).to_be_visible(timeout=WAIT_MS)


def test_corners_are_found_dragged_undone_and_saved_and_the_agent_uses_them(
    browser: Given, make_agent: Callable[..., Given], broker: Given, tmp_path: Path, calibrate: Given
):
    agent = make_agent(broker_port=broker.port, machines={"mm-1": ("dmd-128x32", SIM)})
    calibrating = calibrate(agent.write())
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.set_default_timeout(WAIT_MS)
    expect.set_options(timeout=WAIT_MS)
    enter(page, calibrating)
    sits = page.locator("#sits")
    expect(page.locator("#read")).to_have_text(re.compile(r"\d"))
    page.get_by_role("button", name="Find the display").click()
    expect(sits).to_have_text(re.compile(r"0\.0\d dots off"))
    place = page.get_by_role("button", name="top left corner", exact=True).get_attribute("transform")
    drag(page, "top left corner", (150, 60))
    expect(sits).to_have_text(re.compile("no dots within|loose"))
    expect(page.locator("#verdict")).not_to_have_class(re.compile("good"))
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="top left corner", exact=True)).to_have_attribute("transform", place or "")
    expect(sits).to_have_text(re.compile(r"0\.0\d dots off"))
    expect(page.locator("#read")).to_have_text(re.compile(r"\d"))
    page.get_by_role("button", name="bottom right corner", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#save")).to_be_enabled()
    page.get_by_role("button", name="Fit to the dots").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#save")).to_have_text("Saved")
    page.close()
    assert calibrating.end() == 0
    saved = load_calibration(tmp_path / "calibration" / "mm-1.toml")
    assert saved is not None
    assert saved.corners is not None
    assert saved.size == (640, 360)
    true = corners_of(SIM)
    off = [
        max(abs(a - b) for a, b in zip(one, other, strict=True)) for one, other in zip(saved.corners, true, strict=True)
    ]
    assert max(off) < 6 * (true[1][0] - true[0][0]) / 128  # dots that never light cannot be told from none
    agent.start()
    end = time.monotonic() + 90
    while "heard on" not in agent.said:
        assert time.monotonic() < end, agent.said
        time.sleep(0.05)
    assert "mm-1: calibrated by" in agent.said
    assert agent.end() == 0
    assert "Traceback" not in agent.said
    assert "Traceback" not in calibrating.log.read_text()


def test_on_a_phone_nothing_is_cut_off_and_a_finger_drags_a_place(
    browser: Given, make_agent: Callable[..., Given], calibrate: Given
):
    agent = make_agent(broker_port=1, machines={"mm-1": ("dmd-128x32", SIM)})
    calibrating = calibrate(agent.write())
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, color_scheme="dark")
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    enter(page, calibrating)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        "() => [...document.querySelectorAll('button, select, input')]"
        ".filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.id)"
    )
    assert small == []
    page.get_by_role("button", name="whole display", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Add a place").click()
    expect(page.get_by_role("button", name="place 1", exact=True)).to_be_visible(timeout=WAIT_MS)
    before = page.get_by_role("button", name="place 1", exact=True).get_attribute("points")
    page.locator("#stage").scroll_into_view_if_needed()
    x, y = centre(page, "place 1")
    touch = context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [(x, y)]), ("touchMove", [(x + 20, y + 5)]), ("touchMove", [(x + 40, y + 8)]), ("touchEnd", []),
    ):  # fmt: skip
        told = {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]}
        touch.send("Input.dispatchTouchEvent", told)
    expect(page.get_by_role("button", name="place 1", exact=True)).not_to_have_attribute("points", before or "")
    page.get_by_role("combobox", name="What place 1 shows").select_option("Player 2")
    expect(page.locator("#over .name")).to_have_text("P2")
    page.get_by_role("button", name="Remove place 1").click()
    expect(page.locator("#over .place")).to_have_count(0)
    context.close()
    assert calibrating.end() == 0


def test_the_first_place_takes_the_whole_display_away_and_several_are_saved(
    browser: Given, make_agent: Callable[..., Given], tmp_path: Path, calibrate: Given
):
    agent = make_agent(broker_port=1, machines={"mm-1": ("seg7", "sim://segments?seed=3&players=4&idle=0.5&calm=1")})
    calibrating = calibrate(agent.write())
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.set_default_timeout(WAIT_MS)
    enter(page, calibrating)
    page.get_by_role("button", name="whole display", exact=True).focus()
    page.keyboard.press("ArrowDown")
    for player in range(1, 5):
        page.wait_for_timeout(600)  # a second tap is one again
        page.get_by_role("button", name="Add a place").click()
        expect(page.locator("#over .name")).to_have_text([f"P{n}" for n in range(1, player + 1)], timeout=WAIT_MS)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#save")).to_have_text("Saved", timeout=WAIT_MS)
    page.close()
    assert calibrating.end() == 0
    saved = load_profile(str(tmp_path / "profiles" / "mm-1.toml"))
    assert [window.player for window in getattr(saved.display, "windows", ())] == [1, 2, 3, 4]


def test_a_double_tap_counts_once_and_a_page_left_alone_says_so(
    browser: Given, make_agent: Callable[..., Given], calibrate: Given
):
    agent = make_agent(broker_port=1, machines={"godzilla-pro-2": ("dmd-128x32", SIM)})
    calibrating = calibrate(agent.write())
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.set_default_timeout(WAIT_MS)
    enter(page, calibrating)
    assert page.evaluate(
        "() => { const name = document.querySelector('h1'); return name.scrollWidth <= name.clientWidth; }"
    )
    page.get_by_role("button", name="whole display", exact=True).focus()
    page.keyboard.press("ArrowDown")
    add = page.get_by_role("button", name="Add a place")
    add.dblclick()
    expect(page.locator("#over .place")).to_have_count(1, timeout=WAIT_MS)
    page.wait_for_timeout(600)  # a second tap is one again
    add.click()
    expect(page.locator("#over .place")).to_have_count(2, timeout=WAIT_MS)
    page.get_by_role("button", name="Remove place 1").dblclick()
    expect(page.locator("#over .place")).to_have_count(1, timeout=WAIT_MS)
    assert calibrating.end() == 0
    expect(page.locator("#trouble")).to_contain_text("No answer from the agent's computer", timeout=WAIT_MS)
    expect(page.locator("#now")).to_have_class(re.compile("stale"))
    page.close()
