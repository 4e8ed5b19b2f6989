# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""A machine by hand on a phone, and a malfunction's last seconds walked by keys, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
PHONE = {"width": 390, "height": 844}


def photo(width: int, height: int) -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    done, data = cv2.imencode(".jpg", cv2.resize(noise, (width, height)), [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    return data.tobytes()


def sideways(page: Page) -> int:
    return int(page.locator("html").evaluate("element => element.scrollWidth - element.clientWidth"))


def test_a_whole_game_by_hand_on_a_phone(open_as: Open, served: Any, tmp_path: Path):
    hall = served.hall
    for score in (20_000_000, 35_000_000, 48_000_000):
        hall.plays("mm", "p4", scores=(score,))
    hall.assign("mm", "p1", "p2")
    page = open_as("scorekeeper", "/scorekeeper", **PHONE)
    assert sideways(page) <= 0
    page.screenshot(path=tmp_path / "list.png")
    page.get_by_role("link", name="Medieval Madness").click()
    page.get_by_role("button", name="The game begins").click()
    expect(page.locator("#notice")).to_contain_text("The game runs.")
    first, second = page.locator("#score-1"), page.locator("#score-2")
    first.press_sequentially("48213340")
    expect(first).to_have_value("48\u202f213\u202f340")
    first.press("ArrowLeft")
    first.press("Backspace")
    first.press_sequentially("5")
    expect(first).to_have_value("48\u202f213\u202f350")
    second.fill("")
    second.press_sequentially("900000000")
    assert sideways(page) <= 0
    page.screenshot(path=tmp_path / "typed.png")
    second.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("far above the best here so far")
    expect(first).to_have_value("48\u202f213\u202f350")
    page.screenshot(path=tmp_path / "asked.png")
    page.get_by_role("button", name="Yes, that is right").dblclick()
    expect(page.locator("#notice")).to_contain_text("Counted: Ann Example 48,213,350, Ben Sample 900,000,000.")
    with hall.desk.reading() as state:
        games = [entry.entry["scores"] for entry in state.seen_by_rules("cup")]
    assert games[3:] == [{"p1": 48_213_350, "p2": 900_000_000}]
    expect(page.get_by_text("Typed last")).to_be_visible()
    page.screenshot(path=tmp_path / "counted.png")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("h2").first).to_have_text("Taken back: type it anew")
    assert sideways(page) <= 0


def test_a_malfunction_with_a_photo_from_a_phone_is_made_small(open_as: Open, served: Any, tmp_path: Path):
    hall = served.hall
    hall.assign("mm", "p1")
    file = tmp_path / "photo.jpg"
    file.write_bytes(photo(4000, 3000))
    page = open_as("scorekeeper", "/scorekeeper/mm", live=False, **PHONE)
    page.get_by_text("Malfunction…").click()
    page.get_by_text("Ball stuck").click()
    page.locator("#note").fill("left ramp")
    page.locator("#photo").set_input_files(file)
    expect(page.locator("form[enctype]")).not_to_have_attribute("data-sent", "1")
    page.screenshot(path=tmp_path / "report.png", full_page=True)
    assert sideways(page) <= 0
    page.get_by_role("button", name="Report it").click()
    expect(page.locator("#notice")).to_contain_text("Ball stuck: reported.")
    with hall.desk.reading() as state:
        [found] = state.malfunctions.values()
    assert found.evidence is not None
    kept = hall.evidence.get(found.evidence.removeprefix("sha256:"))
    picture = cv2.imread(str(kept.path))
    assert picture is not None
    assert max(picture.shape[:2]) == 1600


def frozen(hall: Any, display: Callable[..., bytes]) -> str:
    """A game with a malfunction and its last seconds; the malfunction's id."""
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    scores = [{"player": 1, "score": 48_213_340}]
    frames = [
        {"ago_ms": 9_600 - 480 * n, "evidence": hall.picture(display(str(48_000_000 + n * 10)))} for n in range(21)
    ]
    recording = hall.picture(b"1.000 # mm\n1.100 < hello?version=1.1\n")
    hall.says("fault.raised", "mm", fault="reset", game=game, player=1, ball=2, scores=scores, detail="it started anew")
    hall.says("score.frozen", "mm", game=game, scores=scores, why="reset", frames=frames, recording=recording)
    with hall.desk.reading() as state:
        return str(next(iter(state.malfunctions)))


@pytest.fixture(name="display")
def draw(served: Any) -> Callable[..., bytes]:
    """`display(text)`: a picture of a dot-matrix display."""
    import sys  # noqa: PLC0415 -- the hall's module is loaded by its path

    del served
    found: Callable[..., bytes] = sys.modules["inlane_test_hall"].display
    return found


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_last_seconds_are_walked_by_keys(
    open_as: Open, served: Any, display: Callable[..., bytes], width: int, height: int, tmp_path: Path
):
    malfunction = frozen(served.hall, display)
    page = open_as("official", f"/malfunction/{malfunction}", width=width, height=height, live=False)
    expect(page.locator(".suggested")).to_contain_text("Catastrophic malfunction")
    strip = page.locator("[data-strip]")

    def shown() -> int:
        return int(strip.evaluate("s => Math.round(s.scrollLeft / s.clientWidth)"))

    expect(strip.locator("img")).to_have_count(21)
    assert shown() == 20
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert shown() == 18
    page.get_by_role("button", name="Later").click()
    assert shown() == 19
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert shown() == 20
    strip.scroll_into_view_if_needed()
    page.wait_for_function("[...document.querySelectorAll('.shot img')].at(-1).naturalWidth > 0")
    page.screenshot(path=tmp_path / "malfunction.png")
    page.set_viewport_size({"width": height, "height": width})  # the phone is turned
    page.wait_for_function("s => Math.round(s.scrollLeft / s.clientWidth) === 20", arg=strip.element_handle())
    assert sideways(page) <= 0
    with page.expect_download() as download:
        page.get_by_role("link", name="Recording").click()
    assert download.value.suggested_filename.endswith(".txt")


def test_an_official_who_is_called_stands_first_and_a_tilt_warning_is_no_alarm(
    open_as: Open, served: Any, tmp_path: Path
):
    hall = served.hall
    hall.assign("mm", "p1")
    hall.starts("mm")
    hall.says("fault.raised", "mm", fault="official-called", detail="the button at the machine")
    hall.says("fault.raised", "tz", fault="reset")
    hall.says("fault.raised", "afm", fault="tilt-warning", detail="1 left")
    page = open_as("official", "/desk", width=1440, height=900)
    alarms = page.locator("#alarms .alarm")
    expect(alarms).to_have_count(2)
    expect(alarms.first).to_contain_text("Official called")
    expect(page.locator("#alarms")).to_contain_text("Noted")
    expect(page.locator("#alarms h2 .badge")).to_have_text("2")
    page.screenshot(path=tmp_path / "desk.png")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.screenshot(path=tmp_path / "projector.png")


def test_f_on_a_tile_asks_for_a_freeze(open_as: Open, served: Any):
    hall = served.hall
    hall.says("machine.attached", "mm", port="sim://bcp")
    hall.assign("mm", "p1")
    hall.starts("mm")
    page = open_as("official", "/desk", width=1440, height=900)
    page.locator("#m-mm .tile-act").focus()
    page.keyboard.press("f")
    expect(page.locator("#notice")).to_contain_text("pi-1 has not answered within 5 s")
    with hall.desk.reading() as state:
        assert state.position > 0


def test_what_was_kept_comes_onto_the_open_page_of_its_malfunction(
    open_as: Open, served: Any, display: Callable[..., bytes]
):
    hall = served.hall
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    hall.says("fault.raised", "mm", fault="ball-missing", game=game)
    with hall.desk.reading() as state:
        malfunction = str(next(iter(state.malfunctions)))
    page = open_as("official", f"/malfunction/{malfunction}", width=390, height=844, live=False)
    expect(page.locator(".empty")).to_have_text("Nothing was kept of this game.")
    frames = [{"ago_ms": ago, "evidence": hall.picture(display(str(ago)))} for ago in (2_000, 1_000, 0)]
    scores = [{"player": 1, "score": 48_213_340}]
    hall.says("score.frozen", "mm", game=game, scores=scores, why="ball-missing", frames=frames)
    strip = page.locator("[data-strip]")
    expect(strip.locator("img")).to_have_count(3)
    page.wait_for_function("s => Math.round(s.scrollLeft / s.clientWidth) === 2", arg=strip.element_handle())
    page.keyboard.press("ArrowLeft")
    hall.says("fault.cleared", "mm", fault="ball-missing")
    expect(page.locator(".note.good")).to_contain_text("the signal cleared")
    assert strip.evaluate("s => Math.round(s.scrollLeft / s.clientWidth)") == 1
