"""The black box: the last seconds before a freeze, bounded, and recordings that replay says the same of."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.blackbox import BUDGET_BYTES, PICTURES_BYTES, SAID_BYTES, BlackBox
from bridge.source import Source
from bridge.station import Station
from bridge.witness import Witness
from capture.pipeline import Capture
from capture.signals import GameEnded, GameStarted, PlayerScore, ScoreFrozen
from hardware.catalog import load_profile
from hardware.ports import open_port
from hardware.ports.base import Chunk, Closed, Frame, Opened, Overheard, PortEvent
from hardware.ports.replay import ReplayPort
from hardware.profile import BINARY
from tests.agent.doors import Door, now, settle, sim

Given = Any


def frame(at: int, *, noisy: bool = False) -> Frame:
    image = np.full((72, 128, 3), at % 251, np.uint8)
    if noisy:
        image = np.random.default_rng(at).integers(0, 255, (720, 1280, 3), np.uint8)
    return Frame(at=at, image=image)


def heard(path: Path, *, binary: bool = False) -> tuple[bytes, int]:
    """What the machine said in a recording, and how many lines of it were damaged."""
    port = ReplayPort(path, binary=binary)
    said = b"".join(event.data for event in port.events() if isinstance(event, Chunk))
    return said, port.damaged


def box(dialect: str | None = "bcp") -> BlackBox:
    return BlackBox("mm-1", "mpf-bcp", dialect=dialect)


def test_pictures_of_the_last_ten_seconds_are_kept_two_a_second():
    one = box(None)
    for at in range(0, 30_000, 100):
        one.see(frame(at))
    kept = one.keep(30_000, "ball-search")
    agos = [ago for ago, _ in kept.pictures]
    assert agos == sorted(agos, reverse=True)
    assert max(agos) <= 10_000
    assert 15 <= len(agos) <= 24
    assert min(agos) <= 500
    assert kept.recording is None


def test_neither_ring_grows_beyond_its_bytes():
    one = box()
    for at in range(0, 9_000, 450):
        one.see(frame(at, noisy=True))
        for _ in range(50):
            one.hear(Chunk(at=at, data=b"x" * 5_000))
    one.hear(Chunk(at=9_000, data=b"y" * 3_000_000))
    assert one.size <= PICTURES_BYTES + SAID_BYTES
    for at in range(20_000):
        one.hear(Chunk(at=9_000 + at, data=b"z"))
    assert one.size <= PICTURES_BYTES + SAID_BYTES


def test_a_fault_that_comes_and_goes_all_day_cannot_fill_the_disk():
    one = box(None)
    spent = 0
    for at in range(0, 3_000_000, 450):
        one.see(frame(at, noisy=at % 9_000 < 450))
        if at % 5_000 < 450:
            kept = one.keep(at, "display-dark")
            spent += sum(len(picture.data) for _, picture in kept.pictures[:-1])
    assert spent <= BUDGET_BYTES


@pytest.mark.parametrize("pieces", [1, 7, 4_000])
def test_a_recording_says_what_was_said_however_it_was_cut(tmp_path: Path, pieces: int):
    said = "".join(f"trigger?name=ball_{n}&score=int:{n * 1234567}\n" for n in range(200)).encode()
    one = box()
    one.hear(Opened(at=1_000, port="tcp://127.0.0.1:5051"))
    for place in range(0, len(said), pieces):
        one.hear(Chunk(at=1_000 + place // 10, data=said[place : place + pieces]))
    recording = one.keep(60_000, "reset").recording
    assert recording
    assert recording.media == "text/plain"
    (tmp_path / "r.txt").write_bytes(recording.data)
    again, damaged = heard(tmp_path / "r.txt")
    assert damaged == 0
    if pieces == 1:  # so many pieces are not kept: it begins later, and with a whole line
        assert said.endswith(again)
        assert again.startswith(b"trigger?name=ball_")
        assert len(again) > 4_000
    else:
        assert again == said


def test_a_line_that_is_cut_off_at_either_end_is_no_line_of_the_recording(tmp_path: Path):
    one = box("lines")
    one.hear(Chunk(at=0, data=b"x" * (SAID_BYTES - 10) + b" 1"))
    one.hear(Chunk(at=70_000, data=b"234,560\n"))
    one.hear(Chunk(at=70_100, data=b"P1 77\nP1 123"))
    recording = one.keep(70_200, "reset").recording
    assert recording
    (tmp_path / "r.txt").write_bytes(recording.data)
    again, damaged = heard(tmp_path / "r.txt")
    assert (again, damaged) == (b"P1 77\nP1 123", 0)


def test_garbage_is_recorded_to_the_last_bit(tmp_path: Path):
    garbage = np.random.default_rng(5).bytes(3_000) + b"\n\r\n \n" + b"\xff" * 100_000 + b"\nplain\n"
    one = box("lines")
    for place in range(0, len(garbage), 700):
        one.hear(Chunk(at=place // 10, data=garbage[place : place + 700]))
    recording = one.keep(12_000, "data-garbled").recording
    assert recording
    (tmp_path / "r.txt").write_bytes(recording.data)
    again, damaged = heard(tmp_path / "r.txt")
    assert damaged == 0
    assert again == garbage.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("dialect", sorted(BINARY))
def test_binary_dialects_are_recorded_to_the_last_bit(tmp_path: Path, dialect: str):
    said = np.random.default_rng(7).bytes(90_000)
    one = box(dialect)
    one.hear(Opened(at=0, port="serial:///dev/x"))
    for place in range(0, len(said), 1_000):
        one.hear(Chunk(at=place // 100, data=said[place : place + 1_000]))
    one.hear(Overheard(at=900, data=b"\x00\x01"))
    recording = one.keep(1_000, "reset").recording
    assert recording
    (tmp_path / "r.txt").write_bytes(recording.data)
    assert heard(tmp_path / "r.txt", binary=True) == (said, 0)


async def test_a_frozen_score_of_a_wire_machine_carries_its_own_bug_report(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    station = desk.station("mm-1", sim)
    stop = asyncio.Event()
    task = asyncio.create_task(station.run(stop))
    await settle(lambda: any(one.score for one in station.live()), "a score shows")
    await station.freeze("asked for by the desk")
    stop.set()
    await task
    frozen = next(entry.body for entry in desk.entries() if entry.kind == "score.frozen")
    assert "frames" not in frozen
    [file] = [file for file in desk.pictures.waiting() if file.stem in frozen["recording"]]
    assert file.suffix == ".txt"
    capture, said = Capture(load_profile("mpf-bcp")), []
    port = ReplayPort(file)
    for event in port.events():
        said += capture.feed(event)
    assert port.damaged == 0
    assert [type(signal).__name__ for signal in said][:2] == ["MachineAttached", "GameStarted"]
    desk.post.close()


class Seen(Door):
    """A camera that shows a few pictures and then nothing new."""

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        yield Opened(at=0, port="camera://0")
        for at in range(0, 5_000, 500):
            yield frame(at)
        yield Closed(at=5_000, reason="ended", why="over")


async def test_pictures_are_remembered_beside_the_reading(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    profile = load_profile("dmd-128x32")
    station = Station(desk.scribe("tz-1"), [Source(profile=profile, open_port=Seen)], now=lambda: 5_000)
    stop = asyncio.Event()
    task = asyncio.create_task(station.run(stop))
    await settle(lambda: station.frame is not None and station.frame.at == 4_500, "all pictures seen")
    stop.set()
    await task
    assert len(station._witness.keep(5_000, "x").pictures) == 10
    desk.post.close()


def test_exact_dots_are_kept_as_they_stood_and_drawn_when_wanted():
    one = box("dndp")
    still, last = np.zeros((32, 128), np.float32), np.zeros((32, 128), np.float32)
    last[3, 5] = 1
    for at in range(0, 12_000, 100):
        one.see_dots(still if at < 11_500 else last, at)
    pictures = [picture for _, picture in one.keep(12_000, "reset").pictures]
    assert 15 <= len(pictures) <= 24
    assert len({picture.digest for picture in pictures}) == 2
    shown = cv2.imdecode(np.frombuffer(pictures[-1].data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert pictures[-1].media == "image/png"
    assert np.array_equal(shown[3::6, 3::6] / 255, last)


def test_the_largest_display_by_wire_takes_no_more_than_the_rings_bytes():
    one = box("libdmdutil")
    for at in range(0, 20_000, 450):
        one.see_dots(np.full((256, 512), at, np.float32), at)
    assert one.size <= PICTURES_BYTES
    assert len(one.moment().pictures) > 5


@pytest.mark.parametrize("first", ["mpf-bcp", "dndp"])
async def test_dots_by_wire_leave_their_last_pictures_whichever_source_they_are(
    tmp_path: Path, bench: Given, first: str
):
    desk = bench(tmp_path)
    address = {"mpf-bcp": "bcp", "dndp": "dndp"}
    sources = [
        Source(
            name=name,
            profile=load_profile(name),
            open_port=partial(open_port, f"sim://{address[name]}?seed=1&speed=20&calm=1&idle=0.1", now=now),
        )
        for name in dict.fromkeys([first, "dndp"])
    ]
    station = Station(desk.scribe("mm-1"), sources, now=now)
    stop = asyncio.Event()
    task = asyncio.create_task(station.run(stop))
    await settle(lambda: len(station._witness.moment().pictures) >= 3, "dots are seen")
    stop.set()
    await task
    kept = station._witness.keep(now(), "asked for by the desk")
    assert {picture.media for _, picture in kept.pictures} == {"image/png"}
    assert kept.recording
    assert (b"trigger" in kept.recording.data) == (first == "mpf-bcp")
    desk.post.close()


async def test_who_is_cancelled_while_the_recording_is_made_still_writes_the_facts(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    scribe = desk.scribe("mm-1")
    scribe.begin_run()
    witness = Witness(scribe, load_profile("mpf-bcp"))
    scores = (PlayerScore(player=1, score=5),)
    await witness.write([GameStarted(at=1, game="g", players=1)])
    for at in range(5_000):
        witness.hear(Chunk(at=at, data=b"trigger?name=x\n"))
    ends = [
        ScoreFrozen(at=2, game="g", scores=scores, why="reset"),
        GameEnded(at=3, game="g", how="normal", scores=scores, balls_played=3, source="wire"),
    ]
    task = asyncio.create_task(witness.write(ends))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert desk.kinds() == ["game.started", "score.frozen", "game.ended"]
    desk.post.close()
