"""`inlane-agent replay` reads recordings in any wrapping, and refuses what is none in one line."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from hardware.catalog import load_profile
from hardware.ports.base import Chunk
from hardware.ports.recordings import open_recording
from hardware.ports.replay import hides_text

OWN = Path(__file__).parent / "bcp"
GOOD = OWN / "two_games.txt"

Replay = Callable[..., list[dict[str, Any]]]


@pytest.mark.parametrize("wrapping", ["gz", "crlf", "bom", "gz of crlf", "blank lines", "no last line end"])
def test_a_recording_says_the_same_in_every_wrapping(wrapping: str, tmp_path: Path, replayed: Replay):
    data = GOOD.read_bytes()
    if "crlf" in wrapping:
        data = data.replace(b"\n", b"\r\n")
    if "blank" in wrapping:
        data = data.replace(b"\n", b"\n\n")
    if wrapping == "bom":
        data = b"\xef\xbb\xbf" + data
    if wrapping.startswith("no"):
        data = data.rstrip(b"\n")
    if wrapping.startswith("gz"):
        data = gzip.compress(data)
    file = tmp_path / "x.txt"
    file.write_bytes(data)

    def facts(path: Path) -> list[Any]:
        told = replayed(path)
        for fact in told:
            fact["body"].pop("port", None)
        return told

    assert facts(file) == facts(GOOD)


def test_damaged_lines_are_skipped_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    lines = GOOD.read_bytes().splitlines()
    for at, rubbish in ((5, b"\xff\xfe\x00"), (90, b"no time < hello"), (100, b"1.0 ? x"), (110, b"9" * 400 + b" < x")):
        lines.insert(at, rubbish)
    file = tmp_path / "x.txt"
    file.write_bytes(b"\n".join(lines))
    assert main(["replay", "--profile", "mpf-bcp", str(file), "--json"]) == 0
    out, error = capsys.readouterr()
    assert out.count("game.ended") == 2
    assert error == f"inlane-agent: {file}: 4 damaged lines were skipped\n"


def test_a_compressed_recording_that_is_cut_off_gives_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "x.gz"
    packed = gzip.compress(GOOD.read_bytes())
    file.write_bytes(packed[: len(packed) * 3 // 4])
    assert main(["replay", "--profile", "mpf-bcp", str(file), "--json"]) == 0
    out, error = capsys.readouterr()
    assert "game.started" in out
    assert "1 damaged lines" in error


def test_a_recording_whose_end_is_rubbish_gives_all_that_came_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The power failed while it was written: more rubbish than lines."""
    file = tmp_path / "x.txt"
    file.write_bytes(GOOD.read_bytes() + b"\x00\xff rubbish\n" * 5000)
    assert main(["replay", "--profile", "mpf-bcp", str(file), "--json"]) == 0
    out, error = capsys.readouterr()
    assert out.count("game.ended") == 2
    assert "5000 damaged lines were skipped" in error


BAD = {
    "empty": (b"", "is no recording"),
    "binary": (bytes(range(256)) * 400, "is no recording"),
    "a text": (b"Once upon a time\n" * 500, "is no recording"),
    "one endless line": (b"x" * 3_000_000, "is no recording"),
    "other times": (b"1e9999 < hello\n" * 10, "is no recording"),
    "mostly rubbish": (b"rubbish\n" * 150 + b"1.0 < hello\n", "is no recording"),
    "lines ended by CR alone": (GOOD.read_bytes().replace(b"\n", b"\r"), "is no recording"),
    "gz of nothing": (gzip.compress(b""), "is no recording"),
    "no gz": (b"\x1f\x8bnonsense", "is no recording"),
}


@pytest.mark.parametrize(("data", "said"), BAD.values(), ids=BAD.keys())
def test_what_is_no_recording_is_refused_in_one_line(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "x"
    file.write_bytes(data)
    assert main(["replay", "--profile", "mpf-bcp", str(file)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("profile", ["lines", "vector", "dndp", "libdmdutil"])
def test_bytes_without_sense_are_given_up_in_one_line(profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "x.gz"
    file.write_bytes(gzip.compress(b"\0" * (9 << 20)))
    assert main(["replay", "--profile", profile, "--json", str(file)]) == 2
    error = capsys.readouterr().err
    assert "nothing in the first 8 MiB makes sense" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("profile", ["lines", "mpf-bcp", "dndp", "dmd-128x32", "sim-memory"])
def test_a_pipe_is_refused_and_not_waited_for(profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    os.mkfifo(tmp_path / "pipe")
    assert main(["replay", "--profile", profile, str(tmp_path / "pipe")]) == 2
    assert "a pipe, not a recording" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--profile", "mpf-bcp", "/nowhere/x.txt"], "No such file"),
        (["--profile", "mpf-bcp", "/"], "it is a folder"),
        (["--profile", "mpf-bcp", "a\0b"], "that is no file name"),
        (["--profile", "twilight", str(GOOD)], "there are: "),
        (["--profile", "mpf-bcp", str(GOOD), "--machine", "Mad Mouse"], "1 to 40 of a-z"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_display_profile_has_no_lines_to_replay(capsys: pytest.CaptureFixture[str]):
    assert main(["replay", "--profile", "dmd-128x32", str(GOOD)]) == 2
    assert "is a display's" in capsys.readouterr().err


def test_readable_lines_name_players_and_scores(capsys: pytest.CaptureFixture[str]):
    assert main(["replay", "--profile", "mpf-bcp", str(OWN / "slam_of_four.txt")]) == 0
    out = capsys.readouterr().out
    assert "how slam-tilt  scores P1=1,250,000, P2=570, P3=0, P4=0" in out


def test_a_recording_that_says_nothing_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "quiet.txt"
    file.write_text("0.000 # opened tcp://10.0.0.1:5051\n")
    assert main(["replay", "--profile", "mpf-bcp", "--json", str(file)]) == 0
    out, error = capsys.readouterr()
    assert (out, error) == ("", f"inlane-agent: {file}: says nothing that profile mpf-bcp understands\n")


def test_a_reader_that_goes_away_is_no_error():
    script = f"{sys.executable} -m bridge.cli replay --profile mpf-bcp {GOOD} --json | head -1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.startswith('{"kind": "machine.attached"')


def test_a_recording_of_another_device_than_the_one_that_belongs_there_gives_no_score(tmp_path: Path, replayed: Replay):
    lines = ["HELLO device=A", "GAME players=1 game=1", "PLAYER 1 BALL 1", "SCORE 1 500", "END 1=500 game=1"]
    file = tmp_path / "x.txt"
    file.write_text("".join(f"{at}.5 < {line}\n" for at, line in enumerate(lines)))
    kinds = [fact["kind"] for fact in replayed(file, "--device", "A", profile="lines")]
    assert kinds[-1] == "game.ended"
    told = replayed(file, "--device", "B", profile="lines")
    assert [(fact["kind"], fact["body"]["fault"]) for fact in told] == [("fault.raised", "wrong-device")]


FORMS = {
    "hexadecimal": b"0.5 < 4142\n0.75 < 43 44\n0.8 > ff\n1.0 # EOF\n1.5 < 45\n",
    "hexadecimal of others": b"0.5 < 0x41 0x42\n0.6 < 43:44\n0.7 <  45\n",
    "raw": b"ABCDE",
    "raw gz": gzip.compress(b"ABCDE"),
    "hexadecimal crlf": b"\xef\xbb\xbf0.5 < 41424344\r\n0.5 < 45\r\n",
    "damaged": b"0.5 < 4142\n0.6 < 4\n0.6 < zz\n0.7 < 434445\n",
}


@pytest.mark.parametrize("form", FORMS)
async def test_bytes_are_read_in_each_form(form: str, tmp_path: Path):
    profile = load_profile("mpf-bcp").model_copy(update={"dialect": "lisy"})
    (tmp_path / "x").write_bytes(FORMS[form])
    async with open_recording(tmp_path / "x", profile) as port:
        events = list(port.events())
    assert b"".join(event.data for event in events if isinstance(event, Chunk)) == b"ABCDE"
    assert port.damaged == (2 if form == "damaged" else 0)


GAME = b"HELLO device=A\nGAME players=1 game=1\nPLAYER 1 BALL 1\nSCORE 1 500\nEND 1=500 game=1\n"


@pytest.mark.parametrize("form", ["raw", "hexadecimal", "hexadecimal with noise", "hexadecimal in pieces"])
def test_text_of_a_serial_line_is_read_from_bytes(form: str, tmp_path: Path, replayed: Replay):
    pieces = {
        "hexadecimal": GAME.splitlines(keepends=True),
        "hexadecimal with noise": [b"\xff" * 4096 + b"\n", b"\x825\xff\n", *GAME.splitlines(keepends=True)],
        "hexadecimal in pieces": [GAME[at : at + 7] for at in range(0, len(GAME), 7)],
    }
    file = tmp_path / "x"
    if form == "raw":
        file.write_bytes(GAME)
    else:
        file.write_text("".join(f"{at}.25 < {piece.hex(' ')}\n" for at, piece in enumerate(pieces[form])))
    (ended,) = [fact for fact in replayed(file, profile="lines") if fact["kind"] == "game.ended"]
    assert ended["body"]["scores"] == [{"player": 1, "score": 500, "confidence": 1.0}]


def test_lines_that_are_all_numbers_are_no_hexadecimal(tmp_path: Path):
    (tmp_path / "x").write_text("".join(f"{at}.0 < {at:08d}\n" for at in range(30)))
    assert not hides_text(tmp_path / "x")


async def test_raw_bytes_come_as_fast_as_was_said(tmp_path: Path):
    (tmp_path / "x").write_bytes(b"x" * 11_520)
    for rate, seconds in ((11_520, 1), (100, 115.2), (10**9, 0)):
        async with open_recording(tmp_path / "x", load_profile("mpf-bcp"), rate=rate) as port:
            *_, last = port.events()
        assert last.at == seconds * 1000


async def test_other_directions_of_other_writers_are_from_the_machine(tmp_path: Path):
    text = b'1.0 UDP 10.0.0.1:6809 {"a": 1}\n2.0 console  two words \n3.0 console\n4.0 <x 610a62\n5.0 UDP\n'
    (tmp_path / "x").write_bytes(text)
    async with open_recording(tmp_path / "x", load_profile("mpf-bcp")) as port:
        chunks = [event for event in port.events() if isinstance(event, Chunk)]
    assert [chunk.data for chunk in chunks] == [b'{"a": 1}\n', b" two words \n", b"\n", b"a\nb"]
    assert port.damaged == 1


@pytest.mark.parametrize(
    "more", [["--rate", "0"], ["--baud", "1"], ["--rate", "5", "--baud", "300"], ["--rate", "1e9999"]]
)
def test_a_speed_that_makes_no_sense_is_one_line(more: list[str], capsys: pytest.CaptureFixture[str]):
    try:
        status = main(["replay", "--profile", "mpf-bcp", str(GOOD), *more])
    except SystemExit as error:
        status = int(error.code or 0)
    assert status == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("times", "placed"),
    [
        ([0, 1, 1, 2.5], [0, 1000, 1000, 2500]),
        ([1796000000.5, 1796000001], [1796000000500, 1796000001000]),  # seconds of the calendar
        ([5, 4.9, 5.1], [5000, 5000, 5100]),  # overtaken
        ([5, 99999, 6, 7], [5000, 5000, 6000, 7000]),  # one time is damaged
        ([99999, 6, 7], [99999000, 99999000, 100000000]),
        ([50, 0, 51, 52], [50000, 50000, 51000, 52000]),
        ([50, 10, 11, 12], [50000, 50000, 51000, 52000]),  # the clock was set back
        ([1, 2, 0, 1, 0, 3], [1000, 2000, 2000, 3000, 3000, 5000]),
        ([7], [7000]),
    ],
)
async def test_times_rise_whatever_became_of_the_clock(times: list[float], placed: list[int], tmp_path: Path):
    (tmp_path / "x").write_text("".join(f"{time} < {number}\n" for number, time in enumerate(times)))
    async with open_recording(tmp_path / "x", load_profile("mpf-bcp")) as port:
        chunks = [event for event in port.events() if isinstance(event, Chunk)]
    assert [int(chunk.data) for chunk in chunks] == list(range(len(times)))
    assert [chunk.at for chunk in chunks] == placed
