"""What a camera's own troubles are called: moved, slow, frozen, dark; and what is concluded from them: nothing."""

import cv2
import numpy as np
import pytest

from capture import hints as h
from capture.vision import open_reader
from capture.watch import FROZEN_MS, GONE_MS, UNREADABLE_MS, DisplayWatch
from hardware.catalog import load_profile
from hardware.ports.base import Image
from hardware.sim.dmd import Display
from hardware.sim.lens import Lens
from hardware.sim.oracle import Event

PROFILE = load_profile("dmd-128x32")
LENS = Lens(3, width=960, height=540)


def picture(score: int = 1_234_560, wall: int = 0) -> Image:
    display = Display(4)
    display.tell(Event(at=0, kind="game-started", game=1, players=1))
    display.tell(Event(at=0, kind="ball-started", game=1, player=1, ball=2, scores=(score,)))
    display.tell(Event(at=900, kind="scored", game=1, player=1, ball=2, scores=(score,)))
    return np.asarray(LENS.picture(display.draw(2_000).astype(np.float32), wall), np.uint8)


def pushed(image: Image, dots: float) -> Image:
    left, right = LENS.corners[0][0], LENS.corners[1][0]
    shift = np.array([[1, 0, dots * (right - left) / 128], [0, 1, 0]], np.float32)
    return np.asarray(cv2.warpAffine(image, shift, image.shape[1::-1], flags=cv2.INTER_CUBIC), np.uint8)


def faults(hints: list[h.Hint]) -> list[str]:
    return [f"{'+' if isinstance(one, h.Trouble) else '-'}{one.fault}" for one in hints
            if isinstance(one, h.Trouble | h.Relief)]  # fmt: skip


def feed(watch: DisplayWatch, images: list[Image], start: int, step: int = 100) -> list[h.Hint]:
    return [hint for i, image in enumerate(images) for hint in watch.see(image, start + i * step)]


@pytest.fixture
def watch() -> DisplayWatch:
    return DisplayWatch(PROFILE, corners=LENS.corners)


def test_a_camera_that_is_bumped_by_a_third_of_a_dot_is_said_to_have_moved_until_it_is_put_back(watch: DisplayWatch):
    image = picture()
    assert faults(feed(watch, [image] * 25, 0)) == []
    assert faults(feed(watch, [pushed(image, 0.4)] * 45, 3_000)) == ["+camera-moved"]
    assert faults(feed(watch, [image] * 45, 8_000)) == ["-camera-moved"]


def test_a_camera_that_hardly_moves_has_not(watch: DisplayWatch):
    image = picture()
    feed(watch, [image] * 25, 0)
    assert faults(feed(watch, [pushed(image, 0.15)] * 45, 3_000)) == []


def test_a_reader_that_is_too_slow_is_said_so_and_ends_no_game(watch: DisplayWatch):
    image = picture()
    feed(watch, [image] * 12, 0)
    hints = feed(watch, [image, pushed(image, 0.01)] * 5, 5_000, step=4_000)
    assert faults(hints) == ["+display-unreadable"]
    assert any("slow" in (one.detail or "") for one in hints if isinstance(one, h.Trouble))
    assert not any(isinstance(one, h.GameOver) for one in hints)
    assert faults(feed(watch, [image] * 12, 46_000)) == ["-display-unreadable"]


def test_pictures_that_are_one_picture_for_half_a_minute_are_frozen_and_end_no_game(watch: DisplayWatch):
    image = picture()
    hints = feed(watch, [image] * 130, 0, step=1_000)
    assert faults(hints) == ["+display-frozen"]
    (frozen,) = [one for one in hints if isinstance(one, h.Trouble)]
    assert frozen.at == FROZEN_MS
    assert not any(isinstance(one, h.GameOver | h.GameGone) for one in hints)
    hints = watch.tick(129_000 + 6_000)
    assert faults(hints) == ["+camera-lost"]
    assert sorted(faults(watch.see(picture(wall=200_000), 200_000))) == ["-camera-lost", "-display-frozen"]


def test_a_dark_display_is_said_so_and_after_long_its_game_is_lost(watch: DisplayWatch):
    feed(watch, [picture()] * 20, 0)
    dark = [np.full_like(picture(), 3) for _ in range(230)]
    for i, one in enumerate(dark):
        one[0, 0] = i % 200
    hints = feed(watch, dark, 2_000)
    assert faults(hints)[:1] == ["+display-dark"]
    (raised,) = [one.at for one in hints if isinstance(one, h.Trouble)]
    assert raised == 2_000 + UNREADABLE_MS
    (gone,) = [one for one in hints if isinstance(one, h.GameGone)]
    assert (gone.how, gone.at) == ("display-lost", 2_000 + GONE_MS)


def test_exact_dots_stand_until_their_source_goes_and_then_their_game_is_lost():
    display, watch = Display(4), DisplayWatch(PROFILE)
    display.tell(Event(at=0, kind="game-started", game=1, players=1))
    display.tell(Event(at=900, kind="scored", game=1, player=1, ball=1, scores=(1_234_560,)))
    hints = watch.see_dots(display.draw(2_000).astype(np.float32) / 15, 0)
    for _ in range(200):
        due = watch.deadline()
        assert due is not None
        hints += watch.tick(due)
    assert any(isinstance(one, h.GameFound | h.GameOpened) for one in hints)
    assert due > 60_000
    watch.pause(due)
    hints = [one for at in range(due, due + 30_000, 1_000) for one in watch.tick(at)]
    assert faults(hints) == ["+camera-lost"]
    assert [one.how for one in hints if isinstance(one, h.GameGone)] == ["display-lost"]


def test_who_is_asked_about_a_number_is_shown_the_picture_that_says_it(watch: DisplayWatch):
    """Of two players, the one who was up last stands on the display; the other one's score is doubted as well."""
    first, other = picture(1_234_560), picture(9_870_210, wall=900)
    feed(watch, [first] * 3, 0)
    feed(watch, [other] * 3, 1_000)
    shown = [watch.picture((score,)) for score in (1_234_560, 9_870_210, 5)]
    assert all(shown)
    assert shown[0] != shown[1]
    assert shown[2] == shown[1] == watch.picture()
    flat = cv2.imdecode(np.frombuffer(shown[0].data, np.uint8), cv2.IMREAD_COLOR) if shown[0] else None
    reading = open_reader(PROFILE).read(np.asarray(flat, np.uint8))
    assert reading.scores[0].score == 1_234_560
