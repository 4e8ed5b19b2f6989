"""The camera port on what needs no camera: folders and videos of simulated pictures, and devices that are not there."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Closed, Frame, Opened, PortEvent


def clock() -> Callable[[], int]:
    loop = asyncio.get_running_loop()
    return lambda: int(loop.time() * 1000)


async def events(url: str, *, most: int = 100, pause: float = 0.0) -> list[PortEvent]:
    seen: list[PortEvent] = []
    async with asyncio.timeout(30), open_port(url, now=clock()) as port, aclosing(aiter(port)) as coming:
        async for event in coming:
            seen.append(event)
            if len(seen) >= most:
                break
            await asyncio.sleep(pause)
    return seen


def pictures(folder: Path, *moments: int) -> None:
    folder.mkdir(exist_ok=True)
    for number, at in enumerate(moments):
        cv2.imwrite(str(folder / f"frame-{at:06d}.png"), np.full((90, 160, 3), number * 25, np.uint8))


async def test_a_folder_plays_once_in_its_own_time_and_order(tmp_path: Path):
    pictures(tmp_path / "f", 0, 120, 300, 420)
    seen = await events(f"camera://{tmp_path / 'f'}")
    assert [type(event) for event in seen] == [Opened, Frame, Frame, Frame, Frame, Closed]
    frames = [event for event in seen if isinstance(event, Frame)]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [0, 25, 50, 75]
    gaps = [after.at - before.at for before, after in pairwise(frames)]
    assert all(got >= want - 5 for got, want in zip(gaps, (120, 180, 120), strict=True))
    assert seen[-1].reason == "ended"


async def test_a_slow_reader_gets_the_newest_picture_and_no_queue(tmp_path: Path):
    pictures(tmp_path / "f", *range(0, 900, 100))
    seen = await events(f"camera://{tmp_path / 'f'}", pause=0.35)
    frames = [event for event in seen if isinstance(event, Frame)]
    assert 2 <= len(frames) < 7
    assert [frame.at for frame in frames] == sorted(frame.at for frame in frames)


async def test_a_video_is_played(tmp_path: Path):
    file = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (160, 90))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no video")
    for number in range(6):
        writer.write(np.full((90, 160, 3), number * 40, np.uint8))
    writer.release()
    seen = await events(f"camera://{file}")
    assert isinstance(seen[0], Opened)
    assert sum(isinstance(event, Frame) for event in seen) >= 2
    assert isinstance(seen[-1], Closed)


async def test_a_broken_picture_ends_the_folder_with_its_name(tmp_path: Path):
    pictures(tmp_path / "f", 0)
    (tmp_path / "f" / "000100.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    seen = await events(f"camera://{tmp_path / 'f'}")
    assert isinstance(seen[-1], Closed)
    assert "000100.png" in seen[-1].why
    assert "\n" not in seen[-1].why


async def test_a_camera_that_is_not_there_is_tried_again_and_says_so():
    seen = await events("camera://97", most=2)
    assert [type(event) for event in seen] == [Closed, Closed]
    assert seen[0].reason == "refused"
    assert "camera://97" in seen[0].why


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("camera://front", "camera://0"),
        ("camera://", "camera://0"),
        ("camera:///nowhere/at/all", "/nowhere/at/all"),
        ("camera://0?zoom=2", "zoom"),
        ("camera://0?fps=0", "fps"),
        ("camera://0?width=1e3", "width"),
    ],
)
async def test_an_address_that_cannot_be_meant_is_refused(url: str, names: str):
    with pytest.raises(PortInvalid, match=names):
        open_port(url, now=clock())
