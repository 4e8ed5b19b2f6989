"""Boxes of a screen: two voices must say the same, in several pictures; whatever is missing is said in one line."""

import cv2
import numpy as np
import pytesseract
import pytest
from numpy.typing import NDArray

from capture.vision import open_reader, tesseract
from capture.vision.base import Reader
from capture.vision.monitor.signs import find_line
from hardware.catalog import load_profile
from hardware.displays import Monitor, Window


@pytest.fixture
def no_tesseract(monkeypatch: pytest.MonkeyPatch):
    """A computer on which Tesseract is not installed."""
    tesseract._module()
    tesseract._language.cache_clear()
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "/nowhere/tesseract")
    yield
    tesseract._language.cache_clear()


def _reader(*windows: Window) -> Reader:
    profile = load_profile("lcd")
    return open_reader(
        profile.model_copy(update={"display": Monitor(type="lcd", windows=windows)}) if windows else profile
    )


def _screen(text: str, *, seed: int = 1, light: bool = True) -> NDArray[np.uint8]:
    """A box of a screen with a number in it."""
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 2.0, 6)
    image = np.full((high + 60, wide + 80, 3), (60, 30, 20) if light else (220, 230, 225), np.uint8)
    ink = (235, 240, 245) if light else (30, 20, 25)
    cv2.putText(image, text, (40, high + 30), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 6, cv2.LINE_AA)
    noisy = image + np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(noisy, (0, 0), 1.0), 0, 255).astype(np.uint8)


def test_one_picture_proposes_and_several_in_a_row_are_accepted():
    reader = _reader()
    readings = [reader.read(_screen("1,234,560", seed=seed)) for seed in range(3)]
    assert [reading.scores[0].score for reading in readings] == [1_234_560] * 3
    assert [reading.accepted for reading in readings] == [False, False, True]
    assert "one picture alone" in readings[0].why


def test_another_number_starts_from_the_beginning():
    reader = _reader()
    for seed in range(3):
        reader.read(_screen("1,234,560", seed=seed))
    reading = reader.read(_screen("1,301,220", seed=9))
    assert reading.scores[0].score == 1_301_220
    assert not reading.accepted


@pytest.mark.usefixtures("no_tesseract")
def test_without_tesseract_the_number_is_proposed_and_the_reason_says_how_to_install_it():
    reader = _reader()
    readings = [reader.read(_screen("1,234,560", seed=seed)) for seed in range(4)]
    assert {reading.scores[0].score for reading in readings} == {1_234_560}
    assert not any(reading.accepted for reading in readings)
    assert "apt-get install tesseract-ocr" in readings[-1].why
    assert "\n" not in readings[-1].why


@pytest.mark.usefixtures("no_tesseract")
def test_each_players_box_is_read_and_the_one_that_moved_is_up():
    reader = _reader(Window(player=1, right=0.5), Window(player=2, left=0.5))
    first = reader.read(np.hstack([_screen("123,450"), _screen("660,820")]))
    second = reader.read(np.hstack([_screen("123,450"), _screen("660,920")]))
    assert [(one.player, one.score) for one in first.scores] == [(1, 123_450), (2, 660_820)]
    assert [(one.player, one.score) for one in second.scores] == [(2, 660_920), (1, 123_450)]


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (_screen("1,23,456"), "group marks stand in the wrong places"),
        (_screen("REPLAY"), ""),
        (_screen("123,450")[:, :180], ""),
        (np.zeros((80, 300, 3), np.uint8), "dark"),
        (np.full((80, 300, 3), 255, np.uint8), "white"),
        (np.full((80, 300), 90, np.uint8), "blank"),
        (np.random.default_rng(2).integers(0, 255, (80, 300, 3), np.uint8), ""),
    ],
    ids=["marks", "word", "cut", "black", "white", "grey", "noise"],
)
@pytest.mark.usefixtures("no_tesseract")
def test_what_is_no_plain_number_is_held_with_its_reason(picture: NDArray[np.uint8], why: str):
    reading = _reader().read(picture)
    assert not reading.accepted
    assert why in reading.why
    assert reading.why


@pytest.mark.parametrize(("light", "text"), [(True, "1,234,560"), (False, "98,700")])
def test_signs_and_group_marks_are_found_light_on_dark_and_dark_on_light(light: bool, text: str):  # noqa: FBT001
    line = find_line(_screen(text, light=light))
    digits = text.replace(",", "")
    assert len(line.boxes) == len(digits)
    assert line.marks == tuple(range(len(digits) % 3 or 3, len(digits), 3))
    assert not line.doubt


def test_signs_that_touch_are_cut_apart_and_held():
    image = np.full((100, 260, 3), 25, np.uint8)
    for place, digit in enumerate("8380"):
        cv2.putText(image, digit, (40 + 40 * place, 75), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (240, 240, 240), 7, cv2.LINE_AA)
    cv2.line(image, (60, 50), (170, 50), (240, 240, 240), 6)
    line = find_line(image)
    assert len(line.boxes) == 4


@pytest.mark.usefixtures("no_tesseract")
def test_a_ball_box_becomes_the_word_of_the_profile_once_it_stands():
    score, ball = _screen("123,450"), _screen("BALL 3")
    both = np.hstack([score, ball])
    share = score.shape[1] / both.shape[1]
    reader = _reader(Window(right=share), Window(shows="ball", left=share))
    assert [reader.read(both).words for _ in range(3)] == [(), (), ("BALL 3",)]
