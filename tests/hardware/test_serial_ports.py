"""A serial port opens alone, hands on what comes, tells why it closed, and opens again: on pseudo-terminals."""

import asyncio
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.ports import serial_line
from hardware.ports.base import Chunk, Closed, Opened
from hardware.ports.serial import SerialPort
from hardware.ports.serial_address import parse_address
from tests.hardware.cables import PATIENCE, Cable, clock, hear, quick, take, until


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    cable = Cable(tmp_path / "machine")
    cable.plug()
    yield cable
    cable.pull()


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def port_of(cable: Cable, more: str = "") -> SerialPort:
    return SerialPort(parse_address(f"serial://{cable.name}{more}"), now=clock, pauses=quick())


async def test_it_hears_and_speaks_and_opens_again_under_another_number(cable: Cable):
    async with port_of(cable) as port:
        events = aiter(port)
        for _ in range(3):
            assert isinstance(await take(events), Opened)
            cable.say(b"hello\n")
            assert await hear(events, 6) == b"hello\n"
            await port.send(b"ping\n")
            assert cable.heard() == b"ping\n"
            cable.pull()
            closed = await take(events)
            assert isinstance(closed, Closed)
            assert (closed.reason, "unplugged" in closed.why) == ("unplugged", True)
            missing = await take(events)
            assert isinstance(missing, Closed)
            assert (missing.reason, "is not there" in missing.why) == ("unplugged", True)
            cable.plug()
            await port.send(b"nobody hears this")
            while not isinstance(event := await take(events), Opened):
                assert isinstance(event, Closed)
            cable.pull()
            assert isinstance(await take(events), Closed)
            cable.plug()


async def test_what_the_machine_said_before_we_came_is_kept(cable: Cable):
    cable.say(b"hello, this is a machine\n")
    async with port_of(cable) as port:
        events = aiter(port)
        assert isinstance(await take(events), Opened)
        assert await hear(events, 25) == b"hello, this is a machine\n"


async def test_there_is_one_reader_however_often_the_cable_drops(cable: Cable):
    async with port_of(cable) as port:
        events = aiter(port)
        fds, threads = 0, 0
        for turn in range(200):
            while not isinstance(await take(events), Opened):
                pass
            cable.say(b"x%d\n" % turn)
            assert await hear(events, len(b"x%d\n" % turn)) == b"x%d\n" % turn
            if turn == 20:
                fds, threads = open_files(), threading.active_count()
            cable.pull()
            assert isinstance(await take(events), Closed)
            cable.plug()
    assert open_files() < fds
    assert threading.active_count() <= max(threads, 8)


async def test_a_device_is_opened_by_one_alone(cable: Cable):
    async with port_of(cable) as first, port_of(cable) as second:
        mine, events = aiter(first), aiter(second)
        assert isinstance(await take(mine), Opened)
        for _ in range(3):
            closed = await take(events)
            assert isinstance(closed, Closed)
            assert (closed.reason, "in use by another" in closed.why) == ("busy", True)
        await first.__aexit__()
        while isinstance(event := await take(events), Closed):
            pass
        assert isinstance(event, Opened)


async def test_what_is_no_serial_device_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("text")
    for name in (tmp_path / "file", tmp_path, Path("/dev/null")):
        async with SerialPort(parse_address(f"serial://{name}"), now=clock, pauses=quick()) as port:
            closed = await take(aiter(port))
            assert isinstance(closed, Closed)
            assert closed.reason == "refused"
            assert closed.why == f"{name} is no serial device"


async def test_leaving_the_port_ends_the_iteration_with_stopped(cable: Cable):
    port, seen = port_of(cable), []

    async def follow() -> None:
        seen.extend([event async for event in port])

    async with port:
        following = asyncio.create_task(follow())
        await until(lambda: port._line is not None)
    await asyncio.wait_for(following, PATIENCE)
    assert isinstance(seen[-1], Closed)
    assert seen[-1].reason == "stopped"


async def test_a_machine_that_does_not_listen_is_heard_all_the_same(cable: Cable, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serial_line, "SEND_SECONDS", 0.05)
    async with port_of(cable) as port:
        events = aiter(port)
        assert isinstance(await take(events), Opened)
        for _ in range(100):
            await port.send(b"?" * 10_000)
        line = port._line
        assert line is not None
        assert len(line._unsent) <= serial_line.MOST_UNSENT
        await until(lambda: not line._unsent)
        cable.say(b"score\n")
        assert await hear(events, 6) == b"score\n"
        while cable.heard():
            pass
        await port.send(b"now?\n")
        assert cable.heard() == b"now?\n"


async def test_a_large_message_is_sent_whole_to_a_slow_machine(cable: Cable):
    async with port_of(cable) as port:
        events = aiter(port)
        assert isinstance(await take(events), Opened)
        await port.send(bytes(range(256)) * 200)
        heard = b""
        while len(heard) < 256 * 200:
            heard += cable.heard()
            await asyncio.sleep(0)
        assert heard == bytes(range(256)) * 200


async def test_a_flood_costs_no_memory_while_nobody_takes_it(cable: Cable):
    async with port_of(cable) as port:
        events = aiter(port)
        assert isinstance(await take(events), Opened)
        said = 0
        while said < 3 * serial_line.MOST_HELD:
            wrote = cable.say(b"\xff" * 4096)
            said += wrote
            if not wrote and port._line is not None and port._line._paused:
                break
            await asyncio.sleep(0)
        assert port._line is not None
        assert port._line._size <= serial_line.MOST_HELD + serial_line.MOST_CHUNK
        assert len(await hear(events, said)) == said
        cable.say(b"and on\n")
        assert await hear(events, 7) == b"and on\n"


async def test_a_board_that_starts_anew_is_given_time_and_loses_no_word(cable: Cable):
    async with port_of(cable, "?settle_ms=80") as port:
        cable.say(b"boot\n")
        begun = clock()
        events = aiter(port)
        opened = await take(events)
        assert isinstance(opened, Opened)
        assert opened.at - begun >= 75
        chunk = await take(events)
        assert isinstance(chunk, Chunk)
        assert (chunk.data, chunk.at >= opened.at) == (b"boot\n", True)


async def test_every_byte_comes_as_it_is_at_any_speed(cable: Cable):
    every = bytes(range(256))
    for more in ("?baud=921600", "?baud=300&bits=7&parity=even&stop=2", "?baud=250000&flow=rtscts&dtr=off&rts=on"):
        async with port_of(cable, more) as port:
            events = aiter(port)
            assert isinstance(await take(events), Opened), more
            cable.say(every)
            assert await hear(events, 256) == every


async def test_a_pseudo_terminal_can_be_opened_after_we_left(cable: Cable):
    async with port_of(cable) as port:
        assert isinstance(await take(aiter(port)), Opened)
    fd = os.open(cable.name, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(fd)


async def test_bytes_without_a_line_end_come_all_the_same_and_in_order(cable: Cable):
    async with port_of(cable) as port:
        events = aiter(port)
        assert isinstance(await take(events), Opened)
        said = b""
        for number in range(300):
            piece = bytes([number % 256]) * (number % 3 + 1)
            cable.say(piece)
            said += piece
            if number % 7 == 0:
                assert await hear(events, len(said)) == said
                said = b""
            if number % 11 == 0:
                await asyncio.sleep(0.003)
        assert await hear(events, len(said)) == said
