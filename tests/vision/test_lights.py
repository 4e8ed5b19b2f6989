"""Scores in lights: lamps that shine add up; a lamp that is half lit makes the sum unknown."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from capture.vision import open_reader
from capture.vision.base import Reader
from capture.vision.reading import Reading
from hardware.catalog import load_profile
from hardware.displays import Lamp, Lights

_VALUES = (100_000, 200_000, 300_000, 400_000)


def _reader(players: int = 1) -> Reader:
    lamps = tuple(
        Lamp(
            value=value, player=player if players > 1 else None,
            left=place / 4, right=(place + 1) / 4, top=(player - 1) / players, bottom=player / players,
        )
        for player in range(1, players + 1)
        for place, value in enumerate(_VALUES)
    )  # fmt: skip
    return open_reader(load_profile("reels").model_copy(update={"display": Lights(type="lights", lamps=lamps)}))


def _shine(*lamps: float) -> NDArray[np.uint8]:
    """A row of lamps: 0 dark, 1 lit, each behind glass with a painted number."""
    image = np.full((60, 60 * len(lamps), 3), 18, np.uint8)
    for place, light in enumerate(lamps):
        glow = np.array((60, 120, 190)) * light + 22
        cv2.circle(image, (60 * place + 30, 30), 24, glow.tolist(), -1)
        cv2.putText(image, str(place + 1), (60 * place + 22, 38), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (12, 12, 12), 2)
    noisy = cv2.GaussianBlur(image, (0, 0), 3) + np.random.default_rng(1).normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("lit", "score"), [((0, 0, 1, 0), 300_000), ((1, 1, 0, 0), 300_000), ((0, 1, 0, 1), 600_000)])
def test_lamps_that_shine_add_up(lit: tuple[float, ...], score: int):
    reading = _reader().read(_shine(*lit))
    assert [one.score for one in reading.scores] == [score]
    assert reading.accepted


def test_a_half_lit_lamp_makes_the_sum_unknown():
    reading = _reader().read(_shine(0, 0.3, 1, 0))
    assert [one.score for one in reading.scores] == [None]
    assert reading.scores[0].candidates == (300_000, 500_000)
    assert not reading.accepted


def _decade(image: NDArray[np.uint8]) -> Reading:
    lamps = tuple(
        Lamp(value=100_000 * digit, left=(digit - 1) / 9, right=digit / 9, top=0.0, bottom=1.0)
        for digit in range(1, 10)
    )
    display = Lights(type="lights", lamps=lamps)
    return open_reader(load_profile("reels").model_copy(update={"display": display})).read(image)


def test_of_a_whole_decade_one_lamp_alone_is_lit():
    assert _decade(_shine(0, 0, 1, 0, 0, 0, 0, 0, 0)).accepted
    assert not _decade(_shine(0, 0, 1, 0, 0, 0, 1, 0, 0)).accepted


def test_a_reflection_that_reaches_beyond_a_lamp_is_no_lamp():
    image = _shine(0, 0, 1, 0, 0, 0)
    assert _reader().read(image[:, :240]).accepted
    cv2.ellipse(image, (30, 30), (45, 38), 0, 0, 360, (255, 255, 255), -1)
    reading = _reader().read(np.ascontiguousarray(image[:, :240]))
    assert reading.scores[0].score is None
    assert not reading.accepted


@pytest.mark.parametrize("level", [0, 1])
def test_lamps_that_are_all_alike_are_not_judged_by_one_picture(level: float):
    reading = _reader().read(_shine(*[level] * 4))
    assert reading.scores[0].score is None
    assert "look alike" in reading.why


def test_lamps_seen_before_are_judged_by_their_own_levels():
    reader = _reader()
    scores = [reader.read(_shine(*lit)).scores[0].score for lit in ((1, 1, 0, 0), (0, 0, 1, 1), (0, 0, 0, 0))]
    assert scores == [300_000, 700_000, 0]


def test_each_player_has_a_sum():
    reading = _reader(players=2).read(np.vstack([_shine(0, 1, 0, 0), _shine(1, 0, 0, 1)]))
    assert [(one.player, one.score) for one in reading.scores] == [(1, 200_000), (2, 500_000)]


@pytest.mark.parametrize("grey", [0, 255])
def test_a_black_or_white_picture_tells_nothing(grey: int):
    reading = _reader().read(np.full((60, 240, 3), grey, np.uint8))
    assert reading.scores == ()
    assert reading.quality
