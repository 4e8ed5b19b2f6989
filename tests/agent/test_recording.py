"""What `inlane-agent record` writes, `replay` reads, and it says the same: for every form."""

import gzip
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bridge.cli import main
from bridge.errors import InputInvalid
from bridge.recorder import Recorder, RecordingFull
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Dots, Frame, Opened, Overheard, PortEvent
from hardware.ports.recordings import open_recording
from hardware.profile import MachineProfile

BCP = load_profile("mpf-bcp")
SAID = (Path(__file__).parents[1] / "machines" / "bcp" / "two_games.txt").read_bytes()


def record(
    path: Path, events: list[PortEvent], *, profile: MachineProfile = BCP, budget: int = 2**20, force: bool = False
) -> None:
    recorder = Recorder(path, profile, title="a test", budget=budget, force=force)
    try:
        for event in events:
            if isinstance(event, Overheard):
                recorder.sent(event.data, event.at)
            else:
                recorder.take(event)
    finally:
        recorder.close()


async def replayed(path: Path, profile: MachineProfile = BCP) -> list[PortEvent]:
    async with open_recording(path, profile) as port:
        events = list(port.events())
        assert port.damaged == 0
    assert isinstance(events[-1], Closed)
    return events[:-1]


def said(events: list[PortEvent], kind: type[Chunk | Overheard] = Chunk) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, kind))


def opened(at: int = 1000) -> Opened:
    return Opened(at=at, port="serial:///dev/x")


def gone(at: int, reason: str = "unplugged") -> Closed:
    return Closed(at=at, reason=reason, why="it is gone")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz"])
async def test_every_byte_of_text_comes_back_however_it_was_cut(seed: int, name: str, tmp_path: Path):
    chance = random.Random(seed)  # noqa: S311 -- the same each time
    rubbish = [b"\xff\x00\x80", b"a\rb\n", b"\r\r\n", b"\n", b"x" * 200_000, b"\xef\xbb\xbfP1=5\n"]
    rubbish += [b"  two \t\n", b"# no\n", b"1.0 < yes\n"]
    whole = b"".join(chance.choice([*rubbish, *SAID.splitlines(keepends=True)[:20]]) for _ in range(60))
    events: list[PortEvent] = [opened()]
    position, at = 0, 1000
    while position < len(whole):
        size = chance.choice([1, 7, 500, 90_000])
        at += chance.randrange(50)
        events.append(Chunk(at=at, data=whole[position : position + size]))
        position += size
    record(tmp_path / name, [*events, gone(at)], budget=2**26)
    back = await replayed(tmp_path / name)
    assert said(back).replace(b"\r\n", b"\n") == whole.replace(b"\r\n", b"\n")
    assert isinstance(back[0], Opened)
    assert isinstance(back[-1], Closed)
    assert back[-1].reason == "eof"


async def test_a_line_that_did_not_end_stays_one_that_did_not(tmp_path: Path):
    """As a whole line it would be another, shorter score."""
    first: list[PortEvent] = [opened(), Chunk(at=1500, data=b"whole\nP1=123"), gone(2000)]
    second: list[PortEvent] = [opened(2500), Chunk(at=2600, data=b"4560\n"), Chunk(at=3000, data=b"P1=9")]
    record(tmp_path / "x.txt", first + second)
    back = await replayed(tmp_path / "x.txt")
    ends = [index for index, event in enumerate(back) if isinstance(event, Closed)]
    assert said(back[: ends[0]]) == b"whole\nP1=123"
    assert said(back[ends[0] :]) == b"4560\nP1=9"


async def test_what_we_said_is_told_as_overheard(tmp_path: Path):
    events: list[PortEvent] = [opened(), Overheard(at=1100, data=b"ask\nmore\n"), Chunk(at=1200, data=b"answer\n")]
    record(tmp_path / "x.txt", events)
    back = await replayed(tmp_path / "x.txt")
    assert said(back, Overheard) == b"ask\nmore\n"
    assert [event.at for event in back] == [100, 100, 100, 200]


@pytest.mark.parametrize("profile", ["lisy", "dndp", "dmdreader", "libdmdutil", "dmd-extensions"])
async def test_bytes_that_are_no_text_come_back_as_they_came(profile: str, tmp_path: Path):
    made = load_profile("mpf-bcp" if profile == "lisy" else "dmd-128x32").model_copy(update={"dialect": profile})
    pieces = [bytes([n]) * (n * 700) + b"\n\r\x00" for n in range(1, 150)]
    events: list[PortEvent] = [
        opened(),
        *(Chunk(at=1000 + n, data=piece) for n, piece in enumerate(pieces)),
        gone(1200),
    ]
    record(tmp_path / "x.rec", events, profile=made, budget=2**26)
    back = await replayed(tmp_path / "x.rec", made)
    assert said(back) == b"".join(pieces)
    assert sum(isinstance(event, Closed) for event in back) == 1


async def test_pictures_come_back_to_the_last_bit_with_their_times(tmp_path: Path):
    profile = load_profile("dmd-128x32")
    images = [np.random.default_rng(n).integers(0, 255, (40, 60, 3), np.uint8) for n in range(5)]
    frames: list[PortEvent] = [Frame(at=5000 + 333 * n, image=image) for n, image in enumerate(images)]
    record(tmp_path / "shots", [opened(5000), *frames], profile=profile)
    back = [event for event in await replayed(tmp_path / "shots", profile) if isinstance(event, Frame)]
    assert [frame.at for frame in back] == [0, 333, 666, 999, 1332]
    assert all(np.array_equal(frame.image, image) for frame, image in zip(back, images, strict=True))
    with pytest.raises(InputInvalid, match="is there already"):
        record(tmp_path / "shots", [], profile=profile)
    record(tmp_path / "shots", frames[:1], profile=profile, force=True)
    assert len(list((tmp_path / "shots").iterdir())) == 1


async def test_dots_come_back_as_a_dump(tmp_path: Path):
    profile = load_profile("dmd-128x32")
    levels = np.random.default_rng(1).integers(0, 16, (32, 128)).astype(np.float32) / 15
    dots: list[PortEvent] = [Dots(at=700 + 40 * n, levels=np.roll(levels, n)) for n in range(4)]
    record(tmp_path / "x.dump.gz", [opened(700), *dots], profile=profile)
    back = [event for event in await replayed(tmp_path / "x.dump.gz", profile) if isinstance(event, Dots)]
    assert [one.at for one in back] == [0, 40, 80, 120]
    assert np.allclose(back[3].levels, np.roll(levels, 3))


def test_a_recording_is_never_written_over_unless_asked(tmp_path: Path):
    (tmp_path / "x.txt").write_text("precious")
    with pytest.raises(InputInvalid, match="--force"):
        record(tmp_path / "x.txt", [opened()])
    assert (tmp_path / "x.txt").read_text() == "precious"
    record(tmp_path / "x.txt", [opened()], force=True)
    assert "a test" in (tmp_path / "x.txt").read_text()


@pytest.mark.parametrize("name", ["x.txt", "x.gz", "shots"])
async def test_a_recording_stops_at_its_budget_and_is_whole_until_then(name: str, tmp_path: Path):
    chance = np.random.default_rng(1)
    profile = load_profile("dmd-128x32") if name == "shots" else BCP
    events: list[PortEvent] = [opened()]
    for n in range(2000):
        noise = chance.integers(0, 255, 3000, np.uint8)
        one: PortEvent = Chunk(at=1000 + n * 50, data=noise.tobytes())
        events.append(Frame(at=1000 + n, image=noise.reshape(50, 60)) if name == "shots" else one)
    with pytest.raises(RecordingFull, match="--megabytes"):
        record(tmp_path / name, events, profile=profile)
    files = [tmp_path / name] if name != "shots" else list((tmp_path / name).iterdir())
    assert 2**20 <= sum(file.stat().st_size for file in files) < 2**20 + 100_000
    assert len(await replayed(tmp_path / name, profile)) > 200


async def test_what_was_recorded_a_second_ago_is_there_when_the_power_fails(tmp_path: Path):
    recorder = Recorder(tmp_path / "x.gz", BCP, title="a test", budget=2**20)
    recorder.take(opened())
    for n in range(50):
        recorder.take(Chunk(at=1000 + n * 100, data=b"line %d\n" % n))
    packed = (tmp_path / "x.gz").read_bytes()
    with gzip.open(tmp_path / "x.gz") as file, pytest.raises(EOFError):
        file.read()
    (tmp_path / "y.gz").write_bytes(packed)
    async with open_recording(tmp_path / "y.gz", BCP) as port:
        assert b"line 39\n" in said(list(port.events()))
    recorder.close()


def test_a_device_that_is_not_there_is_noted_once(tmp_path: Path):
    record(tmp_path / "x.txt", [gone(1000 + n * 2000) for n in range(500)])
    assert len((tmp_path / "x.txt").read_text().splitlines()) == 2


def test_the_command_records_what_replay_then_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    truth = tmp_path / "truth.jsonl"
    port = f"sim://bcp?seed=4&speed=400&players=2&idle=0.1&calm=1&truth={truth}"
    call = ["--profile", "mpf-bcp", "--port", port, str(tmp_path / "x.txt.gz")]
    assert main(["record", *call, "--seconds", "2.5"]) == 0
    out, error = capsys.readouterr()
    assert out == ""
    assert "games: " in error
    assert main(["replay", "--profile", "mpf-bcp", str(tmp_path / "x.txt.gz"), "--json"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    ended = [[one["score"] for one in fact["body"]["scores"]] for fact in facts if fact["kind"] == "game.ended"]
    true = [json.loads(line) for line in truth.read_text().splitlines()]
    finals = [event["scores"] for event in true if event["kind"] == "scores-final"]
    assert ended
    assert finals[: len(ended)] == ended
    assert main(["record", *call]) == 2
    assert "--force" in capsys.readouterr().err


def test_a_machine_of_agent_toml_is_recorded_by_its_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "agent.toml"
    head = 'agent = "pi-1"\ndata = "data"\n[broker]\nhost = "x"\n'
    machines = [f'[[machine]]\nid = "mm-{n}"\nprofile = "mpf-bcp"\nport = "sim://bcp?seed={n}"\n' for n in (1, 2)]
    file.write_text(head + "".join(machines))
    assert main(["record", "--config", str(file), str(tmp_path / "x")]) == 2
    assert "one of: mm-1, mm-2" in capsys.readouterr().err
    call = ["record", "--config", str(file), "--machine", "mm-2", "--seconds", "0.5", str(tmp_path / "x")]
    assert main(call) == 0
    assert b"< hello" in (tmp_path / "x").read_bytes()
    file.write_text(file.read_text() + '[[machine.also]]\nprofile = "dmd-128x32"\nport = "camera://0"\n')
    capsys.readouterr()
    assert main([*call, "--force"]) == 0
    assert "only sim://bcp?seed=2 is recorded; by --profile and --port also: camera://0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--seconds", "0"], "--seconds must be"),
        (["--megabytes", "0"], "--megabytes must be"),
        (["--port", "serial:///dev/ttyUSB0"], "may be another device"),
        (["--profile", "nobody"], "nobody"),
        (["--port", "serial:///tmp/tty*"], "--device must say"),
        (["--config", "agent.toml"], "for a call without --config"),
        (["--port", ""], "--profile and --port are needed"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(
    more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    call = ["record", "--profile", "mpf-bcp", "--port", "loop://", "--seconds", "1", str(tmp_path / "x"), *more]
    assert main(call) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_where_nothing_came_the_reason_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    call = ["--port", f"serial://{tmp_path}/none", "--seconds", "0.3", str(tmp_path / "x.txt")]
    assert main(["record", "--profile", "mpf-bcp", *call]) == 1
    assert "nothing came from the port: " in capsys.readouterr().err
    assert not (tmp_path / "x.txt").exists()  # or the next try would ask for --force


def test_ctrl_c_ends_it_in_good_order(tmp_path: Path):
    file = tmp_path / "x.txt"
    call = ["record", "--profile", "mpf-bcp", "--port", "sim://bcp?seed=4&speed=100&idle=0.1", str(file)]
    with subprocess.Popen([sys.executable, "-m", "bridge.cli", *call], stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 40
        while time.monotonic() < end and not (file.exists() and b" < " in file.read_bytes()):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=40)
    assert process.returncode == 0
    assert "Traceback" not in error
    assert "bytes, games: " in error
    assert file.read_text().endswith("\n")
