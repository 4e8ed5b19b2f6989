"""The camera port on what needs no camera: folders and videos of simulated pictures, and devices that are not there."""

import asyncio
import os
from collections.abc import Callable
from contextlib import aclosing
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
    assert frames[-1].at - frames[0].at >= 200  # of 420: a busy computer may have taken the first one late
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


async def test_what_is_no_picture_in_a_folder_costs_itself_alone_and_is_named(tmp_path: Path):
    folder = tmp_path / "f"
    pictures(folder, 0, 400)
    (folder / "000100.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    (folder / "000150.png").write_bytes(b"")
    os.mkfifo(folder / "000200.png")
    (folder / "000300.png").mkdir()
    seen = await events(f"camera://{folder}")
    assert [type(event) for event in seen] == [Opened, Frame, Frame, Closed]
    assert isinstance(seen[-1], Closed)
    assert (seen[-1].reason, "\n" in seen[-1].why) == ("ended", False)
    assert "4 pictures could not be read: 000100.png" in seen[-1].why


async def test_what_can_never_be_played_is_refused_and_not_waited_for(tmp_path: Path):
    pictures(tmp_path / "dates", 0)
    (tmp_path / "dates" / "frame-000000.png").rename(tmp_path / "dates" / "1.png")
    pictures(tmp_path / "dates", 999_999_999_999_999)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "1.png").write_bytes(b"none")
    os.mkfifo(tmp_path / "pipe")
    for name, why in (
        ("dates", "more than a day"), ("empty", "no picture"), ("broken", "1.png"), ("pipe", "neither a file"),
    ):  # fmt: skip
        closed = (await events(f"camera://{tmp_path / name}"))[-1]
        assert isinstance(closed, Closed)
        assert why in closed.why


@pytest.mark.parametrize("url", ["camera://[", "sim://["])
def test_an_address_that_is_none_is_refused(url: str):
    with pytest.raises(PortInvalid):
        open_port(url, now=lambda: 0)


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
