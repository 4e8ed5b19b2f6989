"""Displays of segments: right, or held, or nothing; whatever is dark, doubled, blank, found or only told."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from capture.vision import open_reader
from capture.vision.base import Reader
from capture.vision.reading import Reading
from capture.vision.segments.text import settle_signs
from hardware.catalog import load_profile
from hardware.displays import Segments, Window
from tests.vision.drawn_segments import draw_ink, draw_row

RED, GREEN, BLUE, PLASMA = (40, 60, 255), (90, 255, 60), (255, 120, 30), (60, 140, 255)


@pytest.fixture
def reader_of() -> Callable[..., Reader]:
    """A reader of a generic profile with so many cells."""

    def make(name: str, digits: int | None, corners: list[tuple[float, float]] | None) -> Reader:
        return open_reader(load_profile(name).model_copy(update={"digits": digits}), corners=corners)

    return make


@pytest.mark.parametrize(
    ("text", "colour", "score"),
    [
        ("4024510", RED, 4024510), ("   1230", PLASMA, 1230), ("0000000", GREEN, 0), ("9876540", BLUE, 9876540),
        ("     00", RED, 0), ("1111110", PLASMA, 1111110),
    ],
)  # fmt: skip
def test_a_lit_number_is_read_in_its_cells(
    reader_of: Callable[..., Reader], text: str, colour: tuple[int, int, int], score: int
) -> None:
    image, corners = draw_row(text, colour=colour, points=(0, 3) if text.strip() == text else ())
    reading = reader_of("seg7", 7, corners).read(image)
    assert [s.score for s in reading.scores] == [score], reading
    assert reading.accepted, reading


def test_dark_ink_on_light_glass_is_read(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_ink("21700")
    reading = reader_of("seg7-lcd", 5, corners).read(image)
    assert reading.scores[0].score == 21700


def test_corners_may_be_a_little_off(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_row("4024510")
    off = [(2.0, -2.0), (-1.5, 1.5), (2.0, 2.0), (-2.0, -1.5)]
    reading = reader_of("seg7", 7, [(x + a, y + b) for (x, y), (a, b) in zip(corners, off, strict=True)]).read(image)
    assert reading.scores[0].score == 4024510


def test_a_burst_of_a_multiplexed_display_never_loses_digits(reader_of: Callable[..., Reader]) -> None:
    """Group A, 05: places that are dark in one frame are unknown, not absent."""
    odd, corners = draw_row("417290", levels=[1, 0, 1, 0, 1, 0])
    even, _ = draw_row("417290", levels=[0, 1, 0, 1, 0, 1])
    whole, _ = draw_row("417290")
    reader = reader_of("seg7", 6, corners)
    for _ in range(3):
        first, second = reader.read(odd), reader.read(even)
        assert (first.scores[0].text, first.scores[0].score, first.accepted) == ("4?7?9?", None, False)
        assert (second.scores[0].score, second.accepted) == (None, False)
        assert reader.read(whole).scores[0].score == 417290


def test_two_figures_on_top_of_each_other_are_never_a_third(reader_of: Callable[..., Reader]) -> None:
    """Group A, 05: what one frame shows of two moments is unknown, or one of the two."""
    image, corners = draw_row("411290", also={2: "2"}, share=1.0)
    reading = reader_of("seg7", 6, corners).read(image)
    assert (reading.scores[0].text, reading.scores[0].score, reading.accepted) == ("41?290", None, False)
    for one, two in (("1", "7"), ("2", "6"), ("5", "4"), ("0", "3"), ("9", "1")):
        for share in (0.4, 0.6):
            image, corners = draw_row(f"41{one}290", also={2: two}, share=share)
            reading = reader_of("seg7", 6, corners).read(image)
            assert not reading.accepted or reading.scores[0].text in {f"41{one}290", f"41{two}290"}, reading


def test_empty_pictures_give_no_number_and_leave_nothing_behind(reader_of: Callable[..., Reader]) -> None:
    """Group A, 01."""
    first, corners = draw_row("1234560")
    last, _ = draw_row("1301220")
    reader = reader_of("seg7", 7, corners)
    rng = np.random.default_rng(1)
    assert reader.read(first).scores[0].score == 1234560
    for level in (0, 255, 128):
        for _ in range(5):
            noise = rng.normal(0, 3 if level == 128 else 0, first.shape)
            reading = reader.read(np.clip(level + noise, 0, 255).astype(np.uint8))
            assert not reading.accepted
            assert not any(score.score is not None for score in reading.scores), reading
    reading = reader.read(last)
    assert reading.scores[0].score == 1301220
    assert reading.accepted


def test_an_unlit_display_with_visible_bars_is_no_number(reader_of: Callable[..., Reader]) -> None:
    for ghost in (0.02, 0.2, 0.4):
        image, corners = draw_row("       ", ghost=ghost)
        reading = reader_of("seg7", 7, corners).read(image)
        assert not reading.accepted
    eights, corners = draw_row("8888888")
    assert not reader_of("seg7", 7, corners).read(eights).accepted


def test_a_sign_that_is_no_digit_is_unknown(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_row("41-290")
    reading = reader_of("seg7", 6, corners).read(image)
    assert (reading.scores[0].text, reading.scores[0].score) == ("41?290", None)


def test_each_window_has_its_own_player_and_the_ball_is_a_word() -> None:
    reading = read_windows(["  12340", " 567890", "  99990", "     00", "      3"])
    assert [(s.player, s.score) for s in reading.scores] == [(1, 12340), (2, 567890), (3, 99990), (4, 0)], reading
    assert reading.words == ("BALL 3",)


def test_one_number_in_every_window_is_no_score() -> None:
    """So machines show the high score between games."""
    reading = read_windows(["7300000", "7300000", "7300000", "7300000", "      0"])
    assert {s.score for s in reading.scores} == {7_300_000}, reading
    assert not reading.accepted
    assert not any(s.sound for s in reading.scores)


def read_windows(rows: list[str]) -> Reading:
    """A picture of four players' rows and one with the ball, read by a profile that knows them."""
    drawn = [draw_row(row) for row in rows]
    height, width = drawn[0][0].shape[:2]
    whole = len(rows) * height
    image: NDArray[np.uint8] = np.concatenate([picture for picture, _ in drawn])
    windows = []
    for place, (_, corners) in enumerate(drawn):
        x, y = [p[0] for p in corners], [p[1] + place * height for p in corners]
        windows.append(
            Window(
                shows="ball" if place == 4 else "score", player=None if place == 4 else place + 1, digits=7,
                left=min(x) / width, right=max(x) / width, top=min(y) / whole, bottom=max(y) / whole,
            )
        )  # fmt: skip
    display = Segments(type="segments", segments=7, windows=tuple(windows))
    profile = load_profile("seg7").model_copy(update={"display": display})
    corners = [(0.0, 0.0), (float(width), 0.0), (float(width), float(whole)), (0.0, float(whole))]
    return open_reader(profile, corners=corners).read(image)


@pytest.mark.parametrize(
    ("text", "words"),
    [("GAME OVER", ("GAME OVER",)), (" PLAYER 2 ", ("PLAYER 2",)), ("BALL 3", ("BALL 3",)), ("  TILT  ", ("TILT",))],
)
def test_words_in_sixteen_segments_are_words(
    reader_of: Callable[..., Reader], text: str, words: tuple[str, ...]
) -> None:
    image, corners = draw_row(text, segments=16)
    reading = reader_of("seg16", len(text), corners).read(image)
    assert reading.scores[0].text == text.strip()
    assert reading.scores[0].score is None
    assert reading.words == words


def test_digits_alone_are_a_score_in_sixteen_segments(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_row("  1234560", segments=16, colour=PLASMA)
    reading = reader_of("seg16", 9, corners).read(image)
    assert (reading.scores[0].score, reading.scores[0].text) == (1234560, "1234560")


def test_a_row_is_found_when_only_the_number_of_digits_is_told(reader_of: Callable[..., Reader]) -> None:
    image, _ = draw_row("4024510")
    reading = reader_of("seg7", 7, None).read(image)
    assert reading.scores[0].score == 4024510


def test_a_moved_camera_is_followed(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_row("4024510")
    reader = reader_of("seg7", 7, corners)
    for step in range(60):
        moved = np.roll(image, step // 15, 1)
        reading = reader.read(np.asarray(moved, np.uint8))
    assert reading.scores[0].score == 4024510


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        ("10 5KYWAY T0LL5", "10 SKYWAY TOLLS"), ("BALL 1", "BALL 1"), ("PLAYER 5", "PLAYER 5"), ("1ST", "1ST"),
        ("REPLAY 1500000", "REPLAY 1500000"), ("GAME 0VER", "GAME OVER"), ("T1LT", "TILT"), ("2ND", "2ND"),
    ],
)  # fmt: skip
def test_twins_are_told_apart_by_their_neighbours(signs: str, said: str) -> None:
    assert "".join(settle_signs(list(signs))) == said


def test_two_players_in_one_row_of_sixteen_cells_have_a_window_each() -> None:
    image, corners = draw_row("1234560       00", segments=16)
    half = (8 * 38 - 6) / (15 * 38 + 26)
    windows = (
        Window(player=1, left=0, right=half, digits=8),
        Window(player=2, left=1 - half, right=1, digits=8),
    )
    display = Segments(type="segments", segments=16, windows=windows)
    profile = load_profile("seg16").model_copy(update={"display": display})
    reading = open_reader(profile, corners=corners).read(image)
    assert [(s.player, s.score) for s in reading.scores] == [(1, 1234560), (2, 0)], reading


def test_nothing_is_accepted_upside_down_or_in_a_mirror(reader_of: Callable[..., Reader]) -> None:
    for text in ("4024510", "2500000", "5882050"):
        image, _ = draw_row(text)
        for turned in (image[::-1, ::-1], image[:, ::-1], image.transpose(1, 0, 2)):
            assert not reader_of("seg7", 7, None).read(np.ascontiguousarray(turned)).accepted


@pytest.mark.parametrize(
    ("text", "cells"), [("4024510", 6), ("4024510", 5), ("123", 1), ("417290", 4), ("03", 4), ("00", 3), ("417290", 8)]
)
def test_a_wrong_number_of_cells_makes_no_other_number_count(
    reader_of: Callable[..., Reader], text: str, cells: int
) -> None:
    """Told one cell too few or too many, with corners and without."""
    image, corners = draw_row(text)
    for given in (corners, None):
        reading = reader_of("seg7", cells, given).read(image)
        assert not reading.accepted or reading.scores[0].score == int(text), reading


def test_a_cover_over_half_a_digit_makes_no_1_of_it(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_row("4024510")
    image[:, round(corners[1][0]) - 17 :] = (20, 90, 60)
    assert not reader_of("seg7", 7, None).read(image).accepted


def test_small_and_faint_digits_are_for_a_person(reader_of: Callable[..., Reader]) -> None:
    image, corners = draw_row("4024510")
    shrink = 24 / (corners[3][1] - corners[0][1])
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    faint = np.asarray(60 + (small.astype(np.float32) - 60) * 0.16, np.uint8).clip(0, 255)
    reading = reader_of("seg7", 7, [(x * shrink, y * shrink) for x, y in corners]).read(faint)
    assert not reading.accepted, reading
    assert "faint" in reading.why
