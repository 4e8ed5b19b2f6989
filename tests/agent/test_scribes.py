"""Scribes with the real outbox: facts wait for room, games get their names, a dead run is closed, a file mended."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bridge import post as post_module
from bridge.outbox import Outbox
from capture.signals import BallEnded, FaultRaised, GameEnded, GameStarted, PlayerScore, Signal

Given = Any
"""What a fixture of conftest gives: `bench` makes a `Bench` on a folder."""


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


async def test_faults_and_games_of_a_capture_that_crashed_are_not_left_open(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    scribe = desk.scribe("mm-1")
    scribe.begin_run()
    await scribe.write([*game(3)[:2], FaultRaised(at=40, fault="tilt", game="game-3", player=1, ball=1)])
    scribe.note_scores((PlayerScore(player=1, score=1500),), 41)
    await scribe.write(scribe.abandon(50))
    scribe.begin_run()
    assert scribe.abandon(60) == []
    last = desk.entries()[-2:]
    assert [entry.kind for entry in last] == ["game.aborted", "fault.cleared"]
    assert last[0].body["scores"] == [{"player": 1, "score": 1500, "confidence": 1.0}]
    desk.post.close()


async def test_facts_wait_in_memory_while_there_is_no_room_and_none_is_doubled_or_lost(
    tmp_path: Path, bench: Given, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    class Small(Outbox):
        def __init__(self, path: Path) -> None:
            super().__init__(path, rows_limit=10)

    monkeypatch.setattr(post_module, "Outbox", Small)
    desk = bench(tmp_path)
    scribe = desk.scribe("mm-1")
    scribe.begin_run()
    for number in range(5):
        await scribe.write(game(number))
    assert len(desk.entries()) <= 10
    assert scribe.waiting
    assert scribe.trouble
    assert caplog.text.count("facts wait in memory") == 1
    scribe.begin_run()  # another run of capture, which names its games anew
    await scribe.write(game(0))
    seen = [(entry.seq, entry.kind, entry.body["game"]) for entry in desk.entries()]
    while scribe.waiting:  # the server takes what there is, and room comes back
        desk.post.outbox.mark(desk.post.outbox.head)
        await scribe.flush()
        known = {seq for seq, _, _ in seen}
        seen += [(e.seq, e.kind, e.body["game"]) for e in desk.entries() if e.seq not in known]
    assert [seq for seq, _, _ in seen] == list(range(1, 19))
    assert [kind for _, kind, _ in seen] == ["game.started", "game.ball", "game.ended"] * 6
    names = [name for _, _, name in seen]
    assert all(len(set(names[i : i + 3])) == 1 for i in range(0, 18, 3))
    assert len(set(names)) == 6
    desk.post.close()


async def test_two_stations_writing_at_once_never_name_two_games_alike(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    scribes = [desk.scribe(f"m-{number}") for number in range(6)]
    for scribe in scribes:
        scribe.begin_run()
    for number in range(10):
        await asyncio.gather(*(scribe.write(game(number)) for scribe in scribes))
    names = [entry.body["game"] for entry in desk.entries() if entry.kind == "game.started"]
    assert len(names) == len(set(names)) == 60
    desk.post.close()


async def test_what_a_dead_run_left_open_is_closed_with_the_scores_it_noted(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    scribe = desk.scribe("mm-1")
    scribe.begin_run()
    await scribe.write(game(1))
    await scribe.write(game(2)[:2])
    scribe.note_scores((PlayerScore(player=1, score=77_000),), 5_000)
    name = desk.entries()[-1].body["game"]
    desk.post.close()  # killed here
    again = bench(tmp_path)
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
    tmp_path: Path, bench: Given, caplog: pytest.LogCaptureFixture
):
    desk = bench(tmp_path)
    scribe = desk.scribe("mm-1")
    scribe.begin_run()
    await scribe.write(game(1))

    async def idle(_: object) -> None:
        await asyncio.Event().wait()

    posting = asyncio.create_task(desk.post.run(idle))
    await asyncio.sleep(0.05)
    stream = desk.post.outbox.stream
    desk.post.outbox._db.execute("DROP TABLE entry")  # the file is not what it was
    await scribe.write(game(2))
    assert scribe.waiting
    async with asyncio.timeout(30):
        while scribe.waiting:
            await asyncio.sleep(0.05)
            await scribe.flush()
    kinds = desk.kinds("mm-1")
    assert kinds[-3:] == ["game.started", "game.ball", "game.ended"]
    assert desk.post.outbox.stream != stream or kinds
    posting.cancel()
    with suppress(asyncio.CancelledError):
        await posting
    assert "Traceback" not in caplog.text
    desk.post.close()
