"""Pictures that are nothing but the dots are told from those that a camera took, and read as they are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from capture.vision.bare import bare_dots
from capture.vision.dots import BRIGHTEST
from capture.vision.reader import DisplayReader

Panel = Any
NewReader = Callable[..., DisplayReader]


def _frame(panel: Panel, size: int = 1) -> np.ndarray:
    screen = panel().number(1_457_350, top=2, rows=18).words("BALL 2", top=24, left=4)
    return np.kron(screen.dots * 17, np.ones((size, size), np.uint8))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_saved_frame_is_read_dot_by_dot(panel: Panel, new_reader: NewReader, size: int):
    frame = _frame(panel, size)
    levels = bare_dots(frame, 128, 32)
    assert levels is not None
    assert np.allclose(levels, _frame(panel) / 255, atol=1e-3)
    assert new_reader().read(frame).scores[0].text == "1457350"


def test_a_saved_frame_in_colours_counts_by_its_brightest_channel(panel: Panel):
    frame = _frame(panel)
    levels = bare_dots(np.dstack([frame // 8, frame // 2, frame]), 128, 32)
    assert levels is not None
    assert np.allclose(levels, frame / 255, atol=1e-2)


def test_unlit_dots_drawn_in_a_dark_tone_are_dark(panel: Panel):
    levels = bare_dots(np.maximum(_frame(panel), 30), 128, 32)
    assert levels is not None
    assert levels.min() == 0


@pytest.mark.parametrize("shape", [(32, 127), (16, 128), (128, 32), (65, 256), (640, 2560)])
def test_other_shapes_are_no_saved_frames(shape: tuple[int, int]):
    assert bare_dots(np.zeros(shape, np.uint8), 128, 32) is None


def test_what_a_camera_took_is_no_saved_frame(panel: Panel):
    noise = np.random.default_rng(1).integers(0, 9, (128, 512))
    assert bare_dots((np.minimum(_frame(panel, 4), 246) + noise).astype(np.uint8), 128, 32) is None


def test_a_dark_frame_is_refused_as_dark(new_reader: NewReader):
    reading = new_reader().read(np.zeros((32, 128), np.uint8))
    assert reading.quality == "dark"
    assert reading.why


def test_a_frame_in_a_mirror_is_refused(panel: Panel, new_reader: NewReader):
    screen = panel().number(2_457_350, top=2, rows=12).words("BALL 2 EXTRA", top=24, left=4).dots * 17
    reading = new_reader().read(np.ascontiguousarray(screen[:, ::-1]))
    assert not reading.accepted


def test_dots_of_several_colours_are_all_seen(panel: Panel, new_reader: NewReader):
    image, corners = panel().number(1_457_350, top=2, rows=18).words("BALL 2", top=24, left=4).seen(1)
    grey = image.max(2).astype(np.float32)
    left = np.arange(image.shape[1]) < image.shape[1] // 2
    red = np.dstack([grey * 0.05, grey * 0.05, grey])
    green = np.dstack([grey * 0.05, grey, grey * 0.05])
    coloured = np.where(left[None, :, None], red, green).astype(np.uint8)
    reader = new_reader(corners)
    reading = reader.read(coloured)
    assert reader.sampler is not None
    assert reader.sampler.channel == BRIGHTEST
    assert reading.scores
    assert reading.scores[0].text == "1457350"
