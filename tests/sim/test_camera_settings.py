"""What is asked of a camera, what it does instead, and the pictures of odd kinds that cameras give."""

import asyncio
import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Closed, Frame, Opened, PortEvent
from hardware.ports.camera_options import CameraOptions, CameraSettings, parse_options, with_options
from hardware.ports.camera_shapes import Shaper
from hardware.ports.camera_v4l2 import apply_settings, read_settings, shape_stream
from tests.sim import picamera2_stand_in

Given = Any
"""The class `Camera` of the stand-in, or an option's value."""
AUTO, EXPOSURE, GAIN = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN
BALANCE, KELVIN = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE
SIZE = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)


class Webcam:
    """A camera's controls as Video4Linux shows them: values, what a driver clamps, and -1 for what there is not."""

    def __init__(self, limits: dict[int, tuple[float, float]], **given: float) -> None:
        self.limits = limits
        self.values: dict[int, float] = dict.fromkeys(limits, 0)
        self.values |= {getattr(cv2, f"CAP_PROP_{name}"): value for name, value in given.items()}

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        if propId not in self.limits:
            return False
        least, most = self.limits[propId]
        self.values[propId] = min(most, max(least, value))
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.values.get(propId, -1.0)


def good() -> Webcam:
    return Webcam({AUTO: (0, 3), EXPOSURE: (3, 2047), GAIN: (0, 255), BALANCE: (0, 1), KELVIN: (2800, 6500),
                   cv2.CAP_PROP_FOCUS: (0, 250), cv2.CAP_PROP_AUTOFOCUS: (0, 1)})  # fmt: skip


def test_a_camera_that_obeys_is_fixed_without_a_word_and_says_what_it_is_set_to():
    camera = good()
    assert apply_settings(camera, CameraOptions(exposure_ms=25, gain=16, white_balance=4600.0, focus=30)) == []
    assert camera.values[AUTO] == 1
    assert camera.values[EXPOSURE] == 250  # in 100 microseconds
    assert (camera.values[BALANCE], camera.values[cv2.CAP_PROP_AUTOFOCUS]) == (0, 0)
    assert read_settings(camera) == CameraSettings(exposure_ms=25, gain=16, white_balance=4600.0, focus=30)


def test_what_an_earlier_program_fixed_is_automatic_again_before_calibration():
    camera = good()
    apply_settings(camera, CameraOptions(exposure_ms=25, white_balance=4600.0, focus=30))
    assert apply_settings(camera, CameraOptions()) == []
    assert (camera.values[AUTO], camera.values[BALANCE], camera.values[cv2.CAP_PROP_AUTOFOCUS]) == (3, 1, 1)


@pytest.mark.parametrize(
    ("limits", "options", "told"),
    [
        ({AUTO: (3, 3), EXPOSURE: (3, 2047)}, {"exposure_ms": 25}, "stays automatic"),
        ({AUTO: (0, 3), EXPOSURE: (3, 156)}, {"exposure_ms": 25}, "exposure_ms 15.6 instead of 25"),
        ({AUTO: (0, 3), EXPOSURE: (3, 2047)}, {"exposure_ms": 25, "gain": 9}, "no gain"),
        ({BALANCE: (0, 1)}, {"white_balance": 4600.0}, "no white_balance"),
        ({KELVIN: (2800, 6500)}, {"white_balance": (1.8, 1.4)}, "kelvin"),
        ({}, {"focus": 30}, "no focus"),
    ],
)
def test_what_a_camera_ignores_or_bends_is_said(limits: Given, options: Given, told: str):
    (note,) = apply_settings(Webcam(limits), CameraOptions(**options))
    assert told in note


def test_a_camera_of_another_size_or_format_says_so():
    camera = Webcam({SIZE[0]: (640, 640), SIZE[1]: (480, 480), cv2.CAP_PROP_FPS: (15, 15)}, FOURCC=1)
    notes = shape_stream(camera, CameraOptions(width=1280, height=720, fps=30, format="mjpg"))
    assert ["mjpg" in notes[0], "640, not 1280" in notes[1], "480, not 720" in notes[2], "15" in notes[3]] == [True] * 4


def test_an_exposure_shorter_than_two_refresh_periods_is_doubted():
    assert CameraOptions(exposure_ms=20).doubts() == ()
    (doubt,) = CameraOptions(exposure_ms=20, refresh_hz=60).doubts()
    assert "two refresh periods" in doubt
    assert "33.3333 ms" in doubt


def test_options_go_into_an_address_and_come_out_again():
    url = with_options(
        "camera:///dev/video0?width=640&gain=3", {"gain": None, "exposure_ms": 20.5, "white_balance": (2, 1.5)}
    )
    assert url == "camera:///dev/video0?width=640&exposure_ms=20.5&white_balance=2,1.5"
    assert parse_options(url, url.partition("?")[2]) == CameraOptions(
        width=640, exposure_ms=20.5, white_balance=(2, 1.5)
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("exposure_ms=0", "exposure_ms"), ("exposure_ms=nan", "exposure_ms"), ("gain=-1", "gain"),
        ("white_balance=20", "white_balance"), ("white_balance=1,99", "white_balance"), ("format=rgb", "format"),
        ("zoom=1", "exposure_ms"), ("&".join(["width=640"] * 50), "40 options"),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_meant_is_refused(query: str, names: str):
    with pytest.raises(PortInvalid, match=names):
        parse_options(f"camera://0?{query}", query)


def test_pictures_of_every_kind_become_grey_or_colour_of_8_bit():
    shape = Shaper().shape
    grey = np.full((6, 8), 99, np.uint8)
    assert shape(grey).shape == (6, 8)
    assert shape(grey[:, :, None]).shape == (6, 8)
    assert shape(np.dstack([grey] * 4)).shape == (6, 8, 3)
    assert shape(np.full((6, 8, 2), 128, np.uint8)).shape == (6, 8, 3)
    assert shape(np.full((6, 8, 3), 0.5, np.float32))[0, 0, 0] == 127
    jpeg = cv2.imencode(".jpg", np.dstack([grey] * 3))[1]
    assert abs(int(shape(jpeg)[0, 0, 0]) - 99) < 4
    assert shape(jpeg.reshape(1, -1)).shape == (6, 8, 3)


def test_a_16_bit_camera_keeps_one_scale_from_picture_to_picture():
    shape = Shaper().shape
    bright, dim = np.full((4, 4), 1000, np.uint16), np.full((4, 4), 100, np.uint16)
    assert shape(bright)[0, 0] == 250  # a camera of 10 bit
    assert shape(dim)[0, 0] == 25  # not stretched


@pytest.mark.parametrize("array", [np.zeros((4, 4, 5), np.uint8), np.zeros(3, np.uint8), np.zeros((0, 4), np.uint8),
                                   np.zeros((4, 4), np.int64), np.zeros((2, 2, 2, 2), np.uint8)])  # fmt: skip
def test_what_is_no_picture_is_said_in_one_line(array: Given):
    with pytest.raises(OSError, match="camera") as caught:
        Shaper().shape(array)
    assert "\n" not in str(caught.value)


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "picamera2.py").write_text(picamera2_stand_in.SOURCE, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    yield importlib.import_module("picamera2").Camera
    sys.modules.pop("picamera2", None)


async def events(url: str, *, most: int, then: Callable[[PortEvent], None] = lambda _: None) -> list[PortEvent]:
    loop, seen = asyncio.get_running_loop(), []
    port = open_port(url, now=lambda: int(loop.time() * 1000))
    async with asyncio.timeout(30), port, aclosing(aiter(port)) as coming:
        async for event in coming:
            seen.append(event)
            then(event)
            if len(seen) >= most:
                break
    return seen


async def test_the_pis_camera_gives_pictures_with_what_was_asked_and_is_let_go(pi: Given):
    seen = await events("camera://picamera/0?width=641&height=360&exposure_ms=20&gain=2&rate=100", most=3)
    assert [type(event) for event in seen] == [Opened, Frame, Frame]
    assert isinstance(seen[0], Opened)
    assert seen[0].notes == ()
    assert isinstance(seen[1], Frame)
    assert seen[1].image.shape == (360, 640, 3)
    assert pi.asked["ExposureTime"] == 20_000
    assert pi.asked["AeEnable"] is False
    assert pi.configuration["queue"] is False
    assert pi.configuration["main"]["format"] == "RGB888"
    assert pi.opened == 0


async def test_what_the_pis_camera_did_instead_is_said(pi: Given):
    pi.bends = {"ExposureTime": 16_000}
    seen = await events("camera://picamera/0?exposure_ms=20&focus=3", most=1)
    assert isinstance(seen[0], Opened)
    notes = " ".join(seen[0].notes)
    assert "exposure_ms 16 instead of 20" in notes
    assert "focus cannot be set" in notes


async def test_a_pi_camera_that_hangs_or_is_busy_or_absent_is_closed_with_a_reason_and_tried_again(pi: Given):
    def unplug(event: PortEvent) -> None:
        pi.hangs = isinstance(event, Frame)

    seen = await events("camera://picamera/0?rate=100", most=5, then=unplug)
    kinds = [type(event) for event in seen]
    assert kinds.count(Opened) == 2
    assert Closed in kinds
    pi.hangs, pi.plugged = False, 0
    (closed,) = await events("camera://picamera/0", most=1)
    assert isinstance(closed, Closed)
    assert "0 camera(s)" in closed.why
    pi.plugged, pi.opened = 1, 1
    (closed,) = await events("camera://picamera/0", most=1)
    assert isinstance(closed, Closed)
    assert "another program" in closed.why


async def test_without_picamera2_the_port_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    (closed,) = await events("camera://picamera/0", most=1)
    assert isinstance(closed, Closed)
    assert "python3-picamera2" in closed.why
    assert not any(thread.name.startswith("camera picamera") for thread in threading.enumerate())
