"""`inlane-agent read` as seen from outside: its JSON, its status, and one line for each bad file."""

import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.cli import main

Panel = Any


@pytest.fixture
def shot(panel: Panel, tmp_path: Path) -> tuple[Path, str]:
    """A picture file, and the corners to give."""
    image, corners = panel(1).number(1_457_350, top=2, rows=18).words("BALL 2", top=24, left=4).seen(3)
    file = tmp_path / "shot.png"
    cv2.imwrite(str(file), image)
    return file, " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], list[str]]:
    try:
        status = main(["read", "--profile", "dmd-128x32", *words])
    except SystemExit as stop:
        status = int(stop.code or 0)
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err.splitlines()


def test_one_json_object_a_picture_with_the_agreed_keys(shot: tuple[Path, str], capsys: pytest.CaptureFixture[str]):
    status, out, err = run(capsys, "--json", "--corners", shot[1], str(shot[0]), str(shot[0]))
    assert (status, err, len(out)) == (0, [], 2)
    answer = json.loads(out[0])
    assert {"file", "display", "scores", "accepted", "why"} <= set(answer)
    assert answer["file"] == str(shot[0])
    assert set(answer["scores"][0]) == {"player", "score", "text", "state", "candidates", "confidence"}
    assert answer["scores"][0]["score"] == 1_457_350
    assert answer["scores"][0]["state"] == "settled"
    assert isinstance(answer["accepted"], bool)


def test_a_line_for_people(shot: tuple[Path, str], capsys: pytest.CaptureFixture[str]):
    status, out, _ = run(capsys, "--corners", shot[1], str(shot[0]))
    assert status == 0
    assert "1,457,350" in out[0]


def test_bad_files_cost_one_line_each_and_the_good_ones_are_read(
    shot: tuple[Path, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    """Counted on the file descriptor: what OpenCV's libraries say there is not for people either."""
    bad = _bad_files(tmp_path, shot[0])
    status, out, err = run(capfd, "--json", "--corners", shot[1], *map(str, bad), str(shot[0]))
    assert status == 1
    assert len(out) == 1
    assert json.loads(out[0])["scores"][0]["score"] == 1_457_350
    assert len(err) == len(bad)
    for line, (file, why) in zip(err, bad.items(), strict=True):
        assert str(file).replace("\n", "?") in line
        assert why in line


def test_a_jpeg_with_a_flaw_is_accepted_only_with_the_right_number(
    shot: tuple[Path, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    """The decoder goes on after a gap with what it makes up; it says so only where the code makes no sense at all."""
    _, data = cv2.imencode(".jpg", cv2.imread(str(shot[0])), (cv2.IMWRITE_JPEG_QUALITY, 95))
    jpeg = data.tobytes()
    for at in range(20, 29):
        cut = len(jpeg) * at // 30
        (tmp_path / f"gap{at}.jpg").write_bytes(jpeg[:cut] + bytes(4) + jpeg[cut + 4 :])
    files = sorted(map(str, tmp_path.glob("gap*.jpg")))
    status, out, err = run(capfd, "--json", "--corners", shot[1], *files)
    assert status in {0, 1}
    assert len(out) + len(err) == len(files)
    answers = [json.loads(line) for line in out]
    assert all(answer["scores"][0]["score"] == 1_457_350 for answer in answers if answer["accepted"])
    assert any("damaged" in answer["why"] for answer in answers) or err


def test_corners_that_do_not_fit_one_picture_cost_the_others_nothing(
    shot: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    noise = np.random.default_rng(1).integers(0, 256, (100, 300, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "small.png"), noise)
    status, out, err = run(capsys, "--json", "--corners", shot[1], str(tmp_path / "small.png"), str(shot[0]))
    assert (status, len(out), len(err)) == (2, 1, 1)
    assert "outside" in err[0]


def test_a_name_that_is_no_text_still_makes_valid_json(
    shot: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "shot\udcff.png"
    file.write_bytes(shot[0].read_bytes())
    _, out, _ = run(capsys, "--json", "--corners", shot[1], str(file))
    json.loads(out[0])["file"].encode("utf-8")


def test_a_pipe_that_nothing_comes_from_is_not_waited_for(
    shot: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    os.mkfifo(tmp_path / "pipe.png")
    status, out, err = run(
        capsys, "--json", "--corners", shot[1], str(tmp_path / "pipe.png"), "/dev/zero", str(shot[0])
    )
    assert (status, len(out), len(err)) == (1, 1, 2)
    assert all("not a picture" in line for line in err)


def _bad_files(folder: Path, good: Path) -> dict[Path, str]:
    _, jpeg = cv2.imencode(".jpg", cv2.imread(str(good)))
    png = good.read_bytes()
    files = {
        "empty.jpg": (b"", "empty"),
        "words.png": (b"this is no picture at all", "not a picture"),
        "cut.jpg": (jpeg.tobytes()[: jpeg.size // 2], "cut off"),
        "cut.png": (png[: len(png) // 2], "cut off"),
        "head.png": (png[:8], "cut off"),
        "hole.png": (png[: len(png) // 2] + png[-12:], "not a picture"),
        "hole.jpg": (jpeg.tobytes()[: jpeg.size * 3 // 4] + b"\xff\xd9", "damaged"),
        "new\nline.jpg": (b"", "empty"),
        "huge.png": (_png_header(10_000, 10_001), "million"),
        "huge.jpg": (_jpeg_of_size(jpeg.tobytes(), 20_000, 20_000), "million"),
    }
    found: dict[Path, str] = {folder / "missing.png": "No such file", folder: "folder"}
    for name, (data, why) in files.items():
        (folder / name).write_bytes(data)
        found[folder / name] = why
    return found


def _png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


def _jpeg_of_size(data: bytes, width: int, height: int) -> bytes:
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def test_sixteen_bits_and_grey_are_read_like_any_other(
    shot: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    image = cv2.imread(str(shot[0]))
    cv2.imwrite(str(tmp_path / "deep.png"), image.astype(np.uint16) * 257)
    cv2.imwrite(str(tmp_path / "grey.png"), image[:, :, 1])
    cv2.imwrite(str(tmp_path / "deep.tiff"), image.astype(np.uint16) * 257)
    files = [str(tmp_path / name) for name in ("deep.png", "grey.png", "deep.tiff")]
    status, out, _ = run(capsys, "--json", "--corners", shot[1], *files)
    assert status == 0
    assert [json.loads(line)["scores"][0]["score"] for line in out] == [1_457_350] * 3


def test_a_picture_that_a_phone_has_turned_is_turned_back(
    shot: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """EXIF orientation 6: the camera stood on its side, so the file's pixels lie turned by 90 degrees."""
    turned = cv2.rotate(cv2.imread(str(shot[0])), cv2.ROTATE_90_COUNTERCLOCKWISE)
    _, data = cv2.imencode(".jpg", turned, (cv2.IMWRITE_JPEG_QUALITY, 95))
    exif = b"Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)
    marker = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    file = tmp_path / "turned.jpg"
    file.write_bytes(data.tobytes()[:2] + marker + data.tobytes()[2:])
    status, out, _ = run(capsys, "--json", "--corners", shot[1], str(file))
    assert status == 0
    assert json.loads(out[0])["scores"][0]["score"] == 1_457_350


@pytest.mark.parametrize(
    "words",
    [
        ["--corners", "1,2 3,4 5,6"],
        ["--corners", "a,b c,d e,f g,h"],
        ["--corners", "0,0 10,0 nan,5 0,5"],
        ["--corners", "100,100 50,100 50,50 100,50 1,1"],
        ["--corners", "0,0 0,30 100,30 100,0"],
        ["--corners", "0,0 99999,0 99999,25000 0,25000"],
        ["--digits", "0"],
        ["--players", "99"],
        ["--digits", "seven"],
        ["--profile", "no-such-machine"],
        ["--profile", "mpf-bcp"],
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(
    shot: tuple[Path, str], capsys: pytest.CaptureFixture[str], words: list[str]
):
    status, out, err = run(capsys, *words, str(shot[0]))
    assert status == 2
    assert out == []
    assert len(err) == 1


def test_digits_of_the_machine_refuse_longer_numbers(shot: tuple[Path, str], capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, "--json", "--digits", "6", "--corners", shot[1], str(shot[0]))
    answer = json.loads(out[0])
    assert not answer["accepted"]


def test_an_image_of_a_memory_is_sent_to_its_own_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "afm_113b.nv").write_bytes(bytes(12_288))
    status, _, err = run(capsys, str(tmp_path / "afm_113b.nv"))
    assert status == 1
    assert "needs --profile pinmame-map --map FILE" in err[0]
