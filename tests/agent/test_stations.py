"""Stations in one loop with the real outbox: crashes stay alone, facts wait for room, a dead run is closed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest

from bridge import post as post_module
from bridge.clock import ManualClock, stamp
from bridge.evidence import EvidenceStore
from bridge.leftover import OpenGame
from bridge.loopback import LoopbackBroker, LoopbackLink
from bridge.outbox import Outbox
from bridge.post import Post
from bridge.scribe import Scribe
from bridge.station import Station
from bridge.wire.frame import Entry
from bridge.wire.topics import Topics
from capture.signals import BallEnded, FaultRaised, GameEnded, GameStarted, PlayerScore, Signal
from hardware.catalog import load_profile
from hardware.ports import open_port
from hardware.ports.base import Closed, Opened, Port, PortEvent

SIM = "sim://bcp?seed=1&speed=200&idle=0.05&calm=1&ball_seconds=5&players=2"


class Bench:
    """An outbox with stations beside it, in this test's loop."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock(mono_ms=1_000, wall_ms=1_796_000_000_000)
        broker = LoopbackBroker()
        self.post = Post(
            folder / "outbox.sqlite", lambda: LoopbackLink(broker), agent="pi-1", clock=self.clock, topics=Topics()
        )
        self.pictures = EvidenceStore(folder / "evidence", budget=10**6)
        self.folder = folder

    def scribe(self, machine: str) -> Scribe:
        note = OpenGame(self.folder / f"playing-{machine}.json")
        return Scribe(machine, self.post, self.pictures, note=note, stamp=partial(stamp, self.clock))

    def station(self, machine: str, opening: Callable[[], Port]) -> Station:
        loop = asyncio.get_running_loop()
        return Station(self.scribe(machine), load_profile("mpf-bcp"), opening, now=lambda: int(loop.time() * 1000))

    def entries(self, machine: str | None = None) -> list[Entry]:
        found = self.post.outbox.window(0, 10_000)
        return [entry for entry in found if machine in {None, entry.machine}]

    def kinds(self, machine: str | None = None) -> list[str]:
        return [entry.kind for entry in self.entries(machine)]


def sim() -> Port:
    loop = asyncio.get_running_loop()
    return open_port(SIM, now=lambda: int(loop.time() * 1000))


class Broken:
    """A port with a bug: it raises once it has been open for a moment; from the second time on it is a good one."""

    def __init__(self) -> None:
        self.opened = 0

    def __call__(self) -> Port:
        self.opened += 1
        return _Raising() if self.opened == 1 else sim()


class _Raising:
    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def send(self, data: bytes) -> None:
        pass

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        yield Opened(at=int(asyncio.get_running_loop().time() * 1000), port="bad://")
        raise ZeroDivisionError("a bug in a port")


class Spoken:
    """A port that says a few things and is over."""

    def __init__(self, *events: PortEvent) -> None:
        self._events = events

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def send(self, data: bytes) -> None:
        pass

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        for event in self._events:
            yield event


async def settle(true: Callable[[], Any], what: str) -> None:
    async with asyncio.timeout(40):
        while not true():  # noqa: ASYNC110 -- what is waited for is on disk
            await asyncio.sleep(0.02)
    assert true(), what


async def running(*stations: Station) -> tuple[asyncio.Event, list[asyncio.Task[None]]]:
    stop = asyncio.Event()
    return stop, [asyncio.create_task(station.run(stop)) for station in stations]


async def test_a_station_that_crashes_says_so_starts_anew_and_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    bench = Bench(tmp_path)
    stop, tasks = await running(bench.station("bad", Broken()), bench.station("good", sim))
    await settle(lambda: bench.kinds("bad").count("game.ended") and bench.kinds("good").count("game.ended"), "games")
    stop.set()
    await asyncio.gather(*tasks)
    bad = [(entry.kind, entry.body.get("fault")) for entry in bench.entries("bad")]
    assert bad[:3] == [
        ("fault.raised", "reader-failed"),
        ("fault.cleared", "reader-failed"),
        ("machine.attached", None),
    ]
    raised = next(entry for entry in bench.entries("bad"))
    assert "ZeroDivisionError: a bug in a port" in raised.body["detail"]
    lines = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(lines) == 1
    assert lines[0].exc_info is None
    bench.post.close()


async def test_faults_and_games_of_a_capture_that_crashed_are_not_left_open(tmp_path: Path):
    bench = Bench(tmp_path)
    scribe = bench.scribe("mm-1")
    scribe.begin_run()
    await scribe.write([*game(3)[:2], FaultRaised(at=40, fault="tilt", game="game-3", player=1, ball=1)])
    scribe.note_scores((PlayerScore(player=1, score=1500),), 41)
    await scribe.write(scribe.abandon(50))
    scribe.begin_run()
    assert scribe.abandon(60) == []
    last = bench.entries()[-2:]
    assert [entry.kind for entry in last] == ["game.aborted", "fault.cleared"]
    assert last[0].body["scores"] == [{"player": 1, "score": 1500, "confidence": 1.0}]
    bench.post.close()


async def test_a_clean_stop_in_mid_game_closes_the_game_with_its_last_scores(tmp_path: Path):
    bench = Bench(tmp_path)
    station = bench.station("mm-1", sim)
    stop, tasks = await running(station)
    await settle(lambda: "game.ball" in bench.kinds() and any(one.score for one in station.live()), "a ball played")
    stop.set()
    await asyncio.gather(*tasks)
    closed = [entry for entry in bench.entries() if entry.kind in {"game.aborted", "game.ended"}]
    assert closed
    assert bench.kinds()[-1] in {"game.aborted", "machine.detached", "fault.cleared"}
    assert bench.kinds().count("game.started") == len(closed)
    assert not (tmp_path / "playing-mm-1.json").exists()
    bench.post.close()


async def test_a_recording_that_is_over_is_not_played_for_ever_at_once(tmp_path: Path):
    bench = Bench(tmp_path)
    opened = 0

    def opening() -> Port:
        nonlocal opened
        opened += 1
        return Spoken(Opened(at=1, port="replay:x"), Closed(at=2, reason="ended", why="over"))

    stop, tasks = await running(bench.station("mm-1", opening))
    await asyncio.sleep(0.3)
    stop.set()
    await asyncio.gather(*tasks)
    assert opened == 1
    bench.post.close()


def game(number: int) -> list[Signal]:
    scores = (PlayerScore(player=1, score=1000 + number),)
    name = f"game-{number}"
    return [
        GameStarted(at=number * 10, game=name, players=1),
        BallEnded(at=number * 10 + 1, game=name, player=1, ball=1, scores=scores),
        GameEnded(
            at=number * 10 + 2, game=name, how="normal", scores=scores, balls_played=1, source="wire", evidence=None
        ),
    ]


async def test_facts_wait_in_memory_while_there_is_no_room_and_none_is_doubled_or_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    class Small(Outbox):
        def __init__(self, path: Path) -> None:
            super().__init__(path, rows_limit=10)

    monkeypatch.setattr(post_module, "Outbox", Small)
    bench = Bench(tmp_path)
    scribe = bench.scribe("mm-1")
    scribe.begin_run()
    for number in range(5):
        await scribe.write(game(number))
    assert len(bench.entries()) <= 10
    assert scribe.waiting
    assert scribe.trouble
    assert caplog.text.count("facts wait in memory") == 1
    scribe.begin_run()  # another run of capture, which names its games anew
    await scribe.write(game(0))
    seen = [(entry.seq, entry.kind, entry.body["game"]) for entry in bench.entries()]
    while scribe.waiting:  # the server takes what there is, and room comes back
        bench.post.outbox.mark(bench.post.outbox.head)
        await scribe.flush()
        known = {seq for seq, _, _ in seen}
        seen += [(e.seq, e.kind, e.body["game"]) for e in bench.entries() if e.seq not in known]
    assert [seq for seq, _, _ in seen] == list(range(1, 19))
    assert [kind for _, kind, _ in seen] == ["game.started", "game.ball", "game.ended"] * 6
    names = [name for _, _, name in seen]
    assert all(len(set(names[i : i + 3])) == 1 for i in range(0, 18, 3))
    assert len(set(names)) == 6
    bench.post.close()


async def test_two_stations_writing_at_once_never_name_two_games_alike(tmp_path: Path):
    bench = Bench(tmp_path)
    scribes = [bench.scribe(f"m-{number}") for number in range(6)]
    for scribe in scribes:
        scribe.begin_run()
    for number in range(10):
        await asyncio.gather(*(scribe.write(game(number)) for scribe in scribes))
    names = [entry.body["game"] for entry in bench.entries() if entry.kind == "game.started"]
    assert len(names) == len(set(names)) == 60
    bench.post.close()


async def test_what_a_dead_run_left_open_is_closed_with_the_scores_it_noted(tmp_path: Path):
    bench = Bench(tmp_path)
    scribe = bench.scribe("mm-1")
    scribe.begin_run()
    await scribe.write(game(1))
    await scribe.write(game(2)[:2])
    scribe.note_scores((PlayerScore(player=1, score=77_000),), 5_000)
    name = bench.entries()[-1].body["game"]
    bench.post.close()  # killed here
    again = Bench(tmp_path)
    other = again.scribe("mm-1")
    other.close_leftovers(9_000)
    await other.flush()
    last = again.entries()[-1]
    assert (last.kind, last.body["game"], last.body["how"]) == ("game.aborted", name, "link-lost")
    assert [score["score"] for score in last.body["scores"]] == [77_000]
    other.close_leftovers(10_000)
    assert not other.waiting
    again.post.close()


async def test_an_outbox_that_breaks_while_in_use_is_opened_anew_and_the_waiting_facts_follow(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    bench = Bench(tmp_path)
    scribe = bench.scribe("mm-1")
    scribe.begin_run()
    await scribe.write(game(1))

    async def idle(_: object) -> None:
        await asyncio.Event().wait()

    posting = asyncio.create_task(bench.post.run(idle))
    await asyncio.sleep(0.05)
    stream = bench.post.outbox.stream
    bench.post.outbox._db.execute("DROP TABLE entry")  # the file is not what it was
    await scribe.write(game(2))
    assert scribe.waiting
    async with asyncio.timeout(30):
        while scribe.waiting:
            await asyncio.sleep(0.05)
            await scribe.flush()
    kinds = bench.kinds("mm-1")
    assert kinds[-3:] == ["game.started", "game.ball", "game.ended"]
    assert bench.post.outbox.stream != stream or kinds
    posting.cancel()
    with suppress(asyncio.CancelledError):
        await posting
    assert "Traceback" not in caplog.text
    bench.post.close()


async def test_freezing_keeps_the_scores_of_the_running_game(tmp_path: Path):
    bench = Bench(tmp_path)
    station = bench.station("mm-1", sim)
    stop, tasks = await running(station)
    await settle(lambda: any(one.score for one in station.live()), "a score")
    said = await station.freeze("the desk asks")
    assert [type(signal).__name__ for signal in said] == ["ScoreFrozen"]
    assert "score.frozen" in bench.kinds()
    stop.set()
    await asyncio.gather(*tasks)
    bench.post.close()
