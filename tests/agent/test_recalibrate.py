"""The desk's `recalibrate` where somebody touched the camera: said, looked at anew, kept where that is allowed."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.clock import stamp
from bridge.leftover import OpenGame
from bridge.realign import realign
from bridge.scribe import Scribe
from bridge.source import Source
from bridge.station import Station
from capture.pipeline import Corners
from hardware.catalog import load_profile
from hardware.ports.base import Frame, Image, Opened, PortEvent
from hardware.sim.dmd import Display
from hardware.sim.lens import Lens
from hardware.sim.oracle import Event
from tests.agent.doors import Door

Given = Any
PROFILE = load_profile("dmd-128x32")
LENS = Lens(3)
CORNERS: Corners = tuple((x + 0.5, y + 0.5) for x, y in LENS.corners)  # type: ignore[assignment]
DOT = (CORNERS[1][0] - CORNERS[0][0]) / 128


def picture(at: int = 0, *, moved: float = 0.0) -> Image:
    """A game's screen, the camera moved by so many dots to the left."""
    display = Display(3)
    display.tell(Event(at=0, kind="game-started", game=1, player=1, ball=1, scores=(48_213_340,)))
    image = LENS.picture(display.draw(5_000), at)
    shift = np.array([[1, 0, moved * DOT], [0, 1, 0]], np.float64)
    return np.asarray(cv2.warpAffine(image, shift, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8)


class Touched(Door):
    """A camera that somebody touches: pictures every 200 ms of its own time, moved by `moved` dots."""

    def __init__(self) -> None:
        self.moved = 0.0
        self.at = 1_000

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        yield Opened(at=self.at, port="camera:test", notes=("the camera has no focus to set",))
        while True:
            self.at += 200
            yield Frame(at=self.at, image=picture(self.at, moved=self.moved))
            await asyncio.sleep(0.001)


async def test_a_moved_camera_is_a_fault_until_the_desk_has_it_looked_at_anew(
    tmp_path: Path, bench: Given, caplog: pytest.LogCaptureFixture
):
    desk, camera, kept = bench(tmp_path), Touched(), []
    note = OpenGame(tmp_path / "playing.json")
    scribe = Scribe("mm-1", desk.post, desk.pictures, note=note, stamp=partial(stamp, desk.clock))
    source = Source(
        profile=PROFILE, open_port=lambda: camera, corners=CORNERS, size=(1280, 720),
        keep_corners=lambda corners, size: kept.append((corners, size)),
    )  # fmt: skip
    station = Station(scribe, [source], now=lambda: camera.at)

    def faults(kind: str) -> list[str]:
        return [entry.body["fault"] for entry in desk.entries() if entry.kind == kind]

    async def until(true: Given) -> None:
        async with asyncio.timeout(90):
            while not true():  # noqa: ASYNC110 -- what is waited for is on disk
                await asyncio.sleep(0.02)

    stop = asyncio.Event()
    running = asyncio.create_task(station.run(stop))
    await until(lambda: "machine.attached" in desk.kinds())
    assert "the corners were set in pictures of 1280 x 720" in caplog.text
    assert "no focus to set" in caplog.text
    camera.moved = 0.42
    await until(lambda: "camera-moved" in faults("fault.raised"))
    assert "looked for" not in (told := await station.recalibrate())
    assert "the corners were moved" in told
    await until(lambda: "camera-moved" in faults("fault.cleared"))
    stop.set()
    await running
    ((corners, size),) = kept
    assert size == (640, 360)
    assert abs(corners[0][0] - CORNERS[0][0] - 0.42 * DOT) < 0.25 * DOT
    desk.post.close()


def test_corners_move_only_where_that_is_allowed_and_dots_are_seen():
    image = picture(moved=0.3)
    corners, told = realign(PROFILE, image, CORNERS, may_move=False)
    assert corners == CORNERS
    assert "off the corners" in told
    corners, _ = realign(PROFILE, image, CORNERS, may_move=True)
    assert corners is not None
    assert abs(corners[2][0] - CORNERS[2][0] - 0.3 * DOT) < 0.2 * DOT
    dark = np.zeros_like(image)
    corners, told = realign(PROFILE, dark, CORNERS, may_move=True)
    assert (corners, "calibrate" in told) == (CORNERS, True)
    assert realign(PROFILE, image, None, may_move=True)[0] is None
    assert realign(load_profile("seg7"), image, CORNERS, may_move=True)[0] == CORNERS
    assert "calibrate" in realign(PROFILE, image[:90, :160], CORNERS, may_move=True)[1]
