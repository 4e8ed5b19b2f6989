"""`inlane-agent replay` reads dumps of dots, folders of pictures and videos; bad ones cost one line."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from bridge.cli import main
from hardware.ports.base import Closed, Dots, Frame
from hardware.ports.replay_dots import DotsPort
from hardware.ports.replay_pictures import FolderPort, VideoPort
from hardware.sim import fonts


def screen(*, peak: int = 15, rows: int = 32, columns: int = 128) -> np.ndarray:
    dots = np.zeros((rows, columns), np.uint8)
    glyph = fonts.number(1_234_560, 13, fonts.HANDS[0])
    dots[3 : 3 + glyph.shape[0], 10 : 10 + glyph.shape[1]][glyph] = peak
    return dots


def dump(*frames: tuple[int, np.ndarray], end: str = "\n") -> bytes:
    text = ""
    for at, dots in frames:
        text += f"0x{at:08x}{end}" + "".join("".join(f"{dot:x}" for dot in row) + end for row in dots) + end
    return text.encode()


async def dots_of(path: Path) -> tuple[list[Dots], DotsPort]:
    async with DotsPort(path) as port:
        events = [event async for event in port]
    assert isinstance(events[-1], Closed)
    return [event for event in events if isinstance(event, Dots)], port


@pytest.mark.parametrize("wrapping", ["plain", "gz", "crlf", "no last line end", "bom", "capital digits", "no blank"])
async def test_a_dump_says_the_same_in_every_wrapping(wrapping: str, tmp_path: Path):
    data = dump((1000, screen()), (1040, screen(peak=7)), (99_000, screen()))
    if wrapping == "crlf":
        data = data.replace(b"\n", b"\r\n")
    if wrapping.startswith("no last"):
        data = data.rstrip(b"\n")
    if wrapping == "bom":
        data = b"\xef\xbb\xbf" + data
    if wrapping.startswith("capital"):
        data = data.upper()
    if wrapping == "no blank":
        data = data.replace(b"\n\n", b"\n")
    if wrapping == "gz":
        data = gzip.compress(data)
    (tmp_path / "x.txt").write_bytes(data)
    dots, port = await dots_of(tmp_path / "x.txt")
    assert [one.at for one in dots] == [1000, 1040, 99_000]
    assert port.damaged == 0
    assert port.size == (128, 32)
    assert np.allclose(dots[0].levels, screen() / 15)


@pytest.mark.parametrize(("peak", "shown"), [(1, 1), (2, 2 / 3), (3, 1), (8, 8 / 15), (15, 1)])
async def test_levels_scale_by_what_the_dump_uses(peak: int, shown: float, tmp_path: Path):
    (tmp_path / "x.txt").write_bytes(dump((0, screen(peak=peak))))
    (one,), _ = await dots_of(tmp_path / "x.txt")
    assert float(one.levels.max()) == pytest.approx(shown)


async def test_damaged_frames_are_skipped_and_counted(tmp_path: Path):
    frames = [dump((at, screen())) for at in range(0, 1000, 100)]
    frames[1] = frames[1].replace(b"f", b"g", 1)  # no hex digit
    frames[3] = frames[3].split(b"\n", 1)[1]  # no time
    frames[5] = frames[5][:3000] + b"\n\n"  # rows are missing, the last is short
    frames[7] = b"\x00\xff" * 70_000 + b"\n\n"
    frames[6] = dump((5_000_000, screen()))  # a time outside of those around it
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"".join(frames))[:-12])
    dots, port = await dots_of(tmp_path / "x.gz")
    assert [one.at for one in dots] == [0, 200, 400, 800]
    assert port.damaged >= 5


async def test_a_clock_that_begins_anew_goes_on(tmp_path: Path):
    top = 0xFFFF_FFF0
    times = [top - 100, top, 50, 150]
    (tmp_path / "x.txt").write_bytes(dump(*((at, screen()) for at in times)))
    dots, _ = await dots_of(tmp_path / "x.txt")
    assert [b.at - a.at for a, b in pairwise(dots)] == [100, 66, 100]


def replay(path: Path, capsys: pytest.CaptureFixture[str], *more: str, profile: str = "dmd-128x32"):
    status = main(["replay", "--profile", profile, str(path), "--json", *more])
    out, error = capsys.readouterr()
    assert "Traceback" not in error
    assert len(error.splitlines()) <= 1
    return status, [json.loads(line) for line in out.splitlines()], error


def test_a_dump_of_another_size_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "x.txt").write_bytes(dump((0, screen(rows=64, columns=192))))
    status, _, error = replay(tmp_path / "x.txt", capsys)
    assert (status, "192 x 64" in error) == (2, True)


@pytest.mark.parametrize(
    "content", [b"", b"hello\n" * 50, b"0x00000001\n", b"\x1f\x8b\x08rubbish", bytes(range(256)) * 40]
)
def test_what_is_no_recording_is_refused_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "x.bin").write_bytes(content)
    status, told, error = replay(tmp_path / "x.bin", capsys)
    assert (status, told) == (2, [])
    assert "no recording" in error


def test_a_missing_file_and_an_empty_folder_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for path in (tmp_path / "nothing", tmp_path):
        status, _, error = replay(path, capsys)
        assert (status, error.count("\n")) == (2, 1)


async def test_a_folder_of_pictures_goes_by_the_milliseconds_in_their_names(tmp_path: Path):
    for at in (40, 1000, 200):
        cv2.imwrite(str(tmp_path / f"shot-{at}.png"), np.full((40, 60), at % 256, np.uint8))
    (tmp_path / "300.png").write_bytes(b"rubbish")
    (tmp_path / "notes.txt").write_text("400")
    async with FolderPort(tmp_path) as port:
        events = [event async for event in port]
    frames = [(one.at, int(one.image[0, 0, 0])) for one in events if isinstance(one, Frame)]
    assert frames == [(40, 40), (200, 200), (1000, 232)]
    assert port.damaged == 1


async def test_a_video_that_ends_in_mid_frame_gives_what_is_there(tmp_path: Path):
    file = tmp_path / "x.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    chance = np.random.default_rng(5)
    for _ in range(20):
        writer.write(chance.integers(0, 255, (120, 160, 3), np.uint8))
    writer.release()
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    async with VideoPort(file) as port:
        events = [event async for event in port]
    frames = [one for one in events if isinstance(one, Frame)]
    assert 8 <= len(frames) <= 11
    assert [one.at for one in frames[:4]] == [0, 100, 200, 300]
    assert isinstance(events[-1], Closed)
