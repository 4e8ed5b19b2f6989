"""Score reels: settled wheels give one number, a turning wheel two candidates, and what is no wheel gives none."""

import csv
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from capture.vision import open_reader
from capture.vision.base import Reader
from capture.vision.reading import Reading
from capture.vision.reels.count import count_row
from capture.vision.reels.follow import Follow
from capture.vision.reels.nets import Said
from capture.vision.reels.wheel import Looked, Way, Wheel
from hardware.catalog import load_profile
from hardware.displays import Reels, Window
from tests.vision.wheels import Picture, draw_row, draw_wheel, in_colour

REAL = Path(__file__).parents[3] / "shared" / "data" / "displays" / "reel_digits"


def _reader(**changes: object) -> Reader:
    """A reader of a row of wheels; `changes` to the display's model."""
    return open_reader(load_profile("reels").model_copy(update={"display": Reels(type="reels", **changes)}))


def _read(values: list[float], *, turns: str = "up", **changes: object) -> Reading:
    return _reader(digits=len(values), **changes).read(draw_row(values, turns=turns))


def _wheel(digit: int, above: float = 0.0, **changes: object) -> Wheel:
    """A wheel as the networks would say it when they are sure."""
    still = 0.05 if abs(above) > 0.25 else 0.99
    said: dict[str, Any] = {
        "digit": digit, "above": above, "chance": 0.999, "still": still, "wheel": 0.999, "whole": 0.999, "up": 0.99,
        "agreed": True,
    }  # fmt: skip
    return Wheel(**(said | changes))


@pytest.mark.parametrize("values", [[2, 7, 4, 0], [1, 9, 9, 0], [5, 3, 8, 6], [0, 0, 0, 0], [6, 1, 2, 4, 9]])
def test_settled_wheels_give_their_number(values: list[float]):
    reading = _read(values)
    assert [score.score for score in reading.scores] == [int("".join(str(int(value)) for value in values))]
    assert reading.scores[0].state == "settled"


@pytest.mark.parametrize(("ink", "ground"), [(235, 40), (25, 225)])
def test_light_on_dark_and_dark_on_light_are_read_alike(ink: int, ground: int):
    reading = _reader(digits=4).read(draw_row([2, 7, 4, 0], ink=ink, ground=ground))
    assert reading.scores[0].score == 2740


def test_a_wheel_half_way_is_two_candidates_and_no_number():
    reading = _read([2, 7, 3.5, 0])
    assert reading.scores[0].state == "rolling"
    assert reading.scores[0].score is None
    assert set(reading.scores[0].candidates[:2]) == {2730, 2740}
    assert not reading.accepted
    assert "rolling" in reading.why


def test_after_the_turn_the_same_reader_gives_the_number():
    reader = _reader(digits=4)
    assert [reader.read(draw_row([2, 7, place, 0])).scores[0].score for place in (3.5, 4, 4)] == [None, 2740, 2740]


def test_a_carry_over_three_wheels_is_never_certain_and_never_a_mixed_number():
    reading = _read([1.5, 9.5, 9.5, 0])
    assert reading.scores[0].score is None
    assert not reading.accepted
    assert set(reading.scores[0].candidates[:2]) == {1990, 2000}
    assert _read([2, 0, 0, 0]).scores[0].score == 2000


@pytest.mark.parametrize(("place", "digit"), [(3.9, 4), (9.9, 0), (4.0, 4), (4.1, 4)])
def test_a_wheel_that_has_nearly_arrived_shows_the_next_digit(place: float, digit: int):
    reading = open_reader(load_profile("reel-digit")).read(in_colour(draw_wheel(place)))
    assert [score.score for score in reading.scores] == [digit]


@pytest.mark.parametrize("place", [3.3, 3.5, 3.7])
@pytest.mark.parametrize("turns", ["up", "down"])
def test_one_wheel_between_two_digits_is_rolling_whichever_way_it_turns(place: float, turns: str):
    reading = open_reader(load_profile("reel-digit")).read(in_colour(draw_wheel(place, turns=turns)))
    assert [(score.state, score.score) for score in reading.scores] == [("rolling", None)]
    assert {3, 4} <= set(reading.scores[0].candidates)


def test_painted_noughts_stand_behind_the_wheels():
    reading = _read([2, 7, 4], zeros=2)
    assert (reading.scores[0].text, reading.scores[0].score) == ("27400", 27400)


def test_wheels_are_counted_where_the_gaps_show():
    reading = _reader().read(draw_row([2, 7, 4, 0, 8]))
    assert [score.score for score in reading.scores] == [27408]


def test_where_the_count_is_not_clear_the_reader_says_how_to_give_it():
    reading = _reader().read(in_colour(np.full((60, 700), 90, np.uint8) + np.arange(700, dtype=np.uint8) % 40))
    assert reading.scores == ()
    assert not reading.accepted
    assert reading.why


def test_a_ball_window_becomes_the_word_of_the_profile():
    row, ball = draw_row([2, 7, 4, 0]), draw_row([3])
    both = np.hstack([row, ball])
    share = row.shape[1] / both.shape[1]
    windows = (Window(right=share, digits=4), Window(shows="ball", left=share, digits=1))
    reading = _reader(windows=windows).read(both)
    assert reading.scores[0].score == 2740
    assert reading.words == ("BALL 3",)


def test_the_row_that_moved_last_is_the_score_of_who_is_up():
    def both(a: list[float], b: list[float]) -> Picture:
        return np.vstack([draw_row(a), draw_row(b)])

    reader = _reader(windows=(Window(player=1, bottom=0.5, digits=3), Window(player=2, top=0.5, digits=3)))
    first = reader.read(both([2, 7, 4], [0, 0, 0]))
    second = reader.read(both([2, 7, 4], [0, 5, 0]))
    assert [(score.player, score.score) for score in first.scores] == [(1, 274), (2, 0)]
    assert [(score.player, score.score) for score in second.scores] == [(2, 50), (1, 274)]


def _bars() -> Picture:
    bars = np.full((96, 64), 40, np.uint8)
    for top in range(6, 96, 18):
        cv2.rectangle(bars, (8, top), (56, top + 8), 230, -1)
    return bars


@pytest.mark.parametrize(
    "picture",
    [
        in_colour(_bars()),
        in_colour(_bars().T[:, :64].copy()),
        in_colour(np.full((96, 64), 120, np.uint8)),
        in_colour(draw_wheel(4)[:, ::-1].copy()),
        in_colour(cv2.rotate(np.asarray(draw_wheel(4)), cv2.ROTATE_90_CLOCKWISE)),
        np.zeros((96, 64, 3), np.uint8),
        np.full((96, 64, 3), 255, np.uint8),
        np.full((96, 64), 128, np.uint8),
        np.zeros((3, 2, 3), np.uint8),
        np.random.default_rng(3).integers(0, 255, (96, 64, 3), np.uint8),
    ],
    ids=["bars", "bars aside", "bare", "mirrored", "on its side", "black", "white", "grey", "tiny", "noise"],
)
def test_what_is_no_wheel_is_never_accepted_and_has_a_reason(picture: Picture):
    reading = open_reader(load_profile("reel-digit")).read(picture)
    assert not reading.accepted
    assert reading.why


@pytest.mark.parametrize(
    ("wheels", "turns", "candidates"),
    [
        ([_wheel(2), _wheel(3, 0.4)], "up", [23, 24]),
        ([_wheel(2), _wheel(3, 0.4)], "down", [23, 22]),
        ([_wheel(2), _wheel(4, -0.4)], "up", [24, 23]),
        ([_wheel(1, 0.45), _wheel(9, 0.45)], "up", [19, 20, 10, 29]),
        ([_wheel(0, -0.4)], "up", [0, 9]),
        ([_wheel(9, 0.4, up=0.5)], None, [9, 0, 8]),
    ],
)
def test_candidates_are_what_the_turn_comes_from_and_goes_to(
    wheels: list[Wheel], turns: Way | None, candidates: list[int]
):
    counted = count_row(wheels, zeros=0, turns=turns, player=None)
    assert list(counted.score.candidates) == candidates
    assert counted.score.score is None
    assert counted.doubt


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"wheel": 0.3}, "no wheel"),
        ({"wheel": 0.8}, "may be no wheel"),
        ({"contrast": 10.0}, "too faint"),
        ({"whole": 0.3}, "cut or covered"),
        ({"agreed": False}, "looks from slightly different places differ"),
        ({"above": 0.18}, "may be rolling"),
        ({"chance": 0.7}, "not sure enough"),
    ],
)
def test_one_doubtful_wheel_holds_the_whole_number(change: dict[str, Any], why: str):
    counted = count_row([_wheel(2), _wheel(7, **change), _wheel(4)], zeros=0, turns=None, player=None)
    assert why in counted.doubt


def test_a_wheel_that_stands_is_looked_at_a_few_times_and_one_that_moves_again():
    reader = _reader(digits=3)
    first = [_seen(reader, draw_row([2, 7, 4])) for _ in range(6)][-1]
    same = _seen(reader, draw_row([2, 7, 4]))
    moved = _seen(reader, draw_row([2, 7, 4.4]))
    assert [a is b for a, b in zip(first, same, strict=True)] == [True, True, True]
    assert [a is b for a, b in zip(first, moved, strict=True)] == [True, True, False]


def test_two_figures_that_mix_in_one_picture_are_no_third_one():
    """A wheel that comes to a digit counts from the second picture on."""
    reader = _reader(digits=2)
    accepted = [reader.read(draw_row(list(values))).accepted for values in ((2, 7), (2, 7), (2, 8), (2, 8), (3, 8))]
    assert accepted == [True, True, False, True, False]


def test_a_wheel_that_stood_by_its_digits_a_little_askew_is_at_rest_there():
    follow = Follow()
    homes = [_follow(follow, digit, 0.1) for digit in (3, 4, 5, 6, 7)]
    assert [wheel.at_home for wheel in homes] == [False] * 4 + [True]
    assert not _follow(follow, 8, -0.1).at_home


def _follow(follow: Follow, digit: int, above: float) -> Wheel:
    """The wheel in the last of three pictures in which it stands."""
    places = np.full((5, 100), 1e-5, np.float32)
    places[:, (10 * digit + round(10 * above)) % 100] = 1
    sure, none = np.ones(5, np.float32), np.zeros(5, np.float32)
    said = Said(places=places / places.sum(1, keepdims=True), wheel=sure, cut=none, up=sure)
    picture = np.random.default_rng(digit).integers(0, 255, (32, 20, 3), np.uint8)
    return [follow.see(picture, Looked((said, said), 200.0)) for _ in range(3)][-1]


def _seen(reader: Reader, picture: Picture) -> list[Any]:
    reader.read(picture)
    return [follow._wheel for follow in reader._seen[0]]  # type: ignore[attr-defined]


@pytest.mark.shared
def test_measured_wheels_are_read_or_held_and_none_is_accepted_wrongly():
    labels = REAL / "labels.csv"
    if not labels.exists():
        pytest.skip("the measured data lies beside the project: ../shared/data is not there")
    reader = open_reader(load_profile("reel-digit"))
    exact, settled, marked, rolling = 0, 0, 0, 0
    for row in csv.DictReader(labels.read_text(encoding="utf-8").splitlines()):
        tenths = round(float(row["right_value"]) * 10)
        reading = reader.read(cv2.imread(str(REAL / row["file"])))
        score = reading.scores[0] if reading.scores else None
        digit = (tenths + 5) // 10 % 10
        if row["note"].startswith("UNREADABLE"):
            continue
        assert not reading.accepted or (score is not None and score.score == digit and abs((tenths + 5) % 10 - 5) < 3)
        if tenths % 10 in {9, 0, 1}:
            settled, exact = settled + 1, exact + (score is not None and score.score == digit)
        elif 3 <= tenths % 10 <= 7:
            rolling, marked = rolling + 1, marked + (score is not None and score.state == "rolling")
    assert (exact / settled, marked / rolling) >= (0.9, 0.9)
