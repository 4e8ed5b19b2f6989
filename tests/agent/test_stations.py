"""Stations in one loop with the real outbox: crashes stay alone, facts wait for room, a dead run is closed."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bridge.station import Station
from hardware.ports.base import Closed, Opened, Port, PortEvent
from tests.agent.doors import Door, Spoken, settle, sim

Given = Any
"""What a fixture of conftest gives: `bench` makes a `Bench` on a folder."""


class Broken:
    """A port with a bug: it raises once it has been open for a moment; from the second time on it is a good one."""

    def __init__(self) -> None:
        self.opened = 0

    def __call__(self) -> Port:
        self.opened += 1
        return _Raising() if self.opened == 1 else sim()


class _Raising(Door):
    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        yield Opened(at=int(asyncio.get_running_loop().time() * 1000), port="bad://")
        raise ZeroDivisionError("a bug in a port")


async def running(*stations: Station) -> tuple[asyncio.Event, list[asyncio.Task[None]]]:
    stop = asyncio.Event()
    return stop, [asyncio.create_task(station.run(stop)) for station in stations]


async def test_a_station_that_crashes_says_so_starts_anew_and_stops_no_other(
    tmp_path: Path, bench: Given, caplog: pytest.LogCaptureFixture
):
    desk = bench(tmp_path)
    stop, tasks = await running(desk.station("bad", Broken()), desk.station("good", sim))
    await settle(lambda: desk.kinds("bad").count("game.ended") and desk.kinds("good").count("game.ended"), "games")
    stop.set()
    await asyncio.gather(*tasks)
    bad = [(entry.kind, entry.body.get("fault")) for entry in desk.entries("bad")]
    assert bad[:3] == [
        ("fault.raised", "reader-failed"),
        ("fault.cleared", "reader-failed"),
        ("machine.attached", None),
    ]
    raised = next(entry for entry in desk.entries("bad"))
    assert "ZeroDivisionError: a bug in a port" in raised.body["detail"]
    lines = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(lines) == 1
    assert lines[0].exc_info is None
    desk.post.close()


async def test_a_clean_stop_in_mid_game_closes_the_game_with_its_last_scores(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    station = desk.station("mm-1", sim)
    stop, tasks = await running(station)
    await settle(lambda: "game.ball" in desk.kinds() and any(one.score for one in station.live()), "a ball played")
    stop.set()
    await asyncio.gather(*tasks)
    closed = [entry for entry in desk.entries() if entry.kind in {"game.aborted", "game.ended"}]
    assert closed
    assert desk.kinds()[-1] in {"game.aborted", "machine.detached", "fault.cleared"}
    assert desk.kinds().count("game.started") == len(closed)
    assert not (tmp_path / "playing-mm-1.json").exists()
    desk.post.close()


async def test_a_recording_that_is_over_is_not_played_for_ever_at_once(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    opened = 0

    def opening() -> Port:
        nonlocal opened
        opened += 1
        return Spoken(Opened(at=1, port="replay:x"), Closed(at=2, reason="ended", why="over"))

    stop, tasks = await running(desk.station("mm-1", opening))
    await asyncio.sleep(0.3)
    stop.set()
    await asyncio.gather(*tasks)
    assert opened == 1
    desk.post.close()


async def test_freezing_keeps_the_scores_of_the_running_game(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    station = desk.station("mm-1", sim)
    stop, tasks = await running(station)
    await settle(lambda: any(one.score for one in station.live()), "a score")
    said = await station.freeze("the desk asks")
    assert [type(signal).__name__ for signal in said] == ["ScoreFrozen"]
    assert "score.frozen" in desk.kinds()
    stop.set()
    await asyncio.gather(*tasks)
    desk.post.close()
