"""A TCP port opens, hands on bytes, tells why it closed, and opens again."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.tcp import ConnectPort, ListenPort, Pauses
from tests.hardware.cables import PATIENCE, clock, quick, take


@contextlib.asynccontextmanager
async def machine(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], number: int = 0
) -> AsyncIterator[int]:
    """A machine that listens, and lets go of all its callers at the end."""
    writers: list[asyncio.StreamWriter] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await serve(reader, writer)
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", number)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


@contextlib.asynccontextmanager
async def dial(number: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """The machine calls us."""
    reader, writer = await asyncio.open_connection("127.0.0.1", number)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


async def test_it_hears_and_speaks_and_calls_again_after_the_line_was_cut():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello\n")
        writer.write(b"you said " + await reader.readline())
        await writer.drain()

    async with machine(serve) as number, ConnectPort("127.0.0.1", number, now=clock, pauses=quick()) as port:
        events = aiter(port)
        for _ in range(2):
            assert isinstance(await take(events), Opened)
            heard = b""
            await port.send(b"ping\n")
            while not isinstance(event := await take(events), Closed):
                assert isinstance(event, Chunk)
                heard += event.data
            assert heard == b"hello\nyou said ping\n"
            assert event.reason == "eof"
        await port.send(b"nobody hears this")


async def test_a_machine_that_is_not_there_is_refused_and_tried_again():
    number = free_port()
    async with ConnectPort("127.0.0.1", number, now=clock, pauses=quick()) as port:
        events = aiter(port)
        for _ in range(3):
            event = await take(events)
            assert isinstance(event, Closed)
            assert event.reason == "refused"
            assert "connection refused" in event.why

        async def serve(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
            await reader.read()

        async with machine(serve, number):
            while not isinstance(event := await take(events), Opened):
                assert isinstance(event, Closed)


async def test_a_name_that_does_not_exist_is_said_so():
    async with ConnectPort("no-such-host.invalid", 5051, now=clock, pauses=quick()) as port:
        event = await take(aiter(port))
        assert isinstance(event, Closed)
        assert event.reason == "refused"
        assert "no such host" in event.why or "no answer" in event.why


@pytest.mark.parametrize("kind", ["calls", "is called"])
async def test_leaving_the_port_ends_the_iteration_with_stopped(kind: str):
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"x")
        await reader.read()

    async with machine(serve) as number:
        port: Port
        if kind == "calls":
            port = ConnectPort("127.0.0.1", number, now=clock, pauses=quick())
        else:
            port = ListenPort("127.0.0.1", 0, now=clock, pauses=quick())
        seen: list[PortEvent] = []
        opened = asyncio.Event()

        async def follow() -> None:
            async for event in port:
                seen.append(event)
                if isinstance(event, Opened):
                    opened.set()

        async with contextlib.AsyncExitStack() as stack:
            async with port:
                following = asyncio.create_task(follow())
                if isinstance(port, ListenPort):
                    await stack.enter_async_context(dial(await listening(port)))
                await asyncio.wait_for(opened.wait(), PATIENCE)
            await asyncio.wait_for(following, PATIENCE)
        last = seen[-1]
        assert isinstance(last, Closed)
        assert last.reason == "stopped"


async def listening(port: ListenPort) -> int:
    async with asyncio.timeout(PATIENCE):
        while port.address is None:  # noqa: ASYNC110 - the port tells nobody
            await asyncio.sleep(0.005)
    return port.address[1]


async def test_a_machine_calls_us_and_calls_again():
    async with ListenPort("127.0.0.1", 0, now=clock) as port:
        events = aiter(port)
        first = asyncio.ensure_future(take(events))
        number = await listening(port)
        for _ in range(2):
            async with dial(number) as (_, writer):
                assert isinstance(await first, Opened)
                writer.write(b"hello\n")
                chunk = await take(events)
                assert isinstance(chunk, Chunk)
                assert chunk.data == b"hello\n"
            closed = await take(events)
            assert isinstance(closed, Closed)
            assert closed.reason == "eof"
            first = asyncio.ensure_future(take(events))
        first.cancel()


async def test_a_caller_waits_while_the_machine_talks_and_is_heard_when_it_has_gone(caplog: pytest.LogCaptureFixture):
    """A port scanner must not cut a machine off: MPF ends itself when its media controller hangs up."""
    async with ListenPort("127.0.0.1", 0, now=clock) as port:
        events = aiter(port)
        opening = asyncio.ensure_future(take(events))
        number = await listening(port)
        async with contextlib.AsyncExitStack() as stack:
            _, machine_writer = await stack.enter_async_context(dial(number))
            assert isinstance(await opening, Opened)
            machine_writer.write(b"hello\n")
            assert isinstance(await take(events), Chunk)
            with caplog.at_level(logging.WARNING):
                for _ in range(3):
                    async with dial(number) as (_, stray):
                        stray.write(b"GET / HTTP/1.0\r\n")
                _, again = await stack.enter_async_context(dial(number))
                again.write(b"again\n")
                coming = asyncio.ensure_future(take(events))
                machine_writer.write(b"more\n")
                chunk = await coming
            assert isinstance(chunk, Chunk)
            assert chunk.data == b"more\n"
            assert "has to wait" in caplog.text
            machine_writer.close()
            kinds = [await take(events) for _ in range(3)]
            assert [type(event) for event in kinds] == [Closed, Opened, Chunk]
            assert isinstance(kinds[2], Chunk)
            assert kinds[2].data == b"again\n"


async def test_a_program_that_answers_and_hangs_up_is_called_less_and_less_often():
    """Bytes alone do not make a good connection: a web server says something each time."""
    drawn: list[float] = []
    pauses = Pauses(lambda: 1.0)
    draw = pauses.draw

    def note() -> float:
        drawn.append(draw())
        return 0.01

    pauses.draw = note  # type: ignore[method-assign]

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n")
        await writer.drain()

    async with machine(serve) as number, ConnectPort("127.0.0.1", number, now=clock, pauses=pauses) as port:
        events = aiter(port)
        while len(drawn) < 5:
            await take(events)
    assert drawn[:5] == [0.5, 1, 2, 4, 8]


async def test_a_second_caller_takes_the_place_of_one_that_said_nothing(
    caplog: pytest.LogCaptureFixture,
):
    async with ListenPort("127.0.0.1", 0, now=clock) as port:
        events = aiter(port)
        opening = asyncio.ensure_future(take(events))
        number = await listening(port)
        async with contextlib.AsyncExitStack() as stack:
            old_reader, _ = await stack.enter_async_context(dial(number))
            assert isinstance(await opening, Opened)
            with caplog.at_level(logging.WARNING):
                _, writer = await stack.enter_async_context(dial(number))
                closed = await take(events)
            assert isinstance(closed, Closed)
            assert "new caller" in closed.why
            assert "takes the place of" in caplog.text
            assert isinstance(await take(events), Opened)
            with contextlib.suppress(ConnectionResetError):
                assert await asyncio.wait_for(old_reader.read(), PATIENCE) == b""
            writer.write(b"new\n")
            chunk = await take(events)
            assert isinstance(chunk, Chunk)
            assert chunk.data == b"new\n"


async def test_a_port_that_is_taken_is_busy_and_tried_again():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with ListenPort("127.0.0.1", taken.getsockname()[1], now=clock, pauses=quick()) as port:
            events = aiter(port)
            for _ in range(2):
                event = await take(events)
                assert isinstance(event, Closed)
                assert event.reason == "busy"


async def test_a_peer_that_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("hardware.ports.peer.SEND_SECONDS", 0.2)

    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()  # the system accepts, nobody ever reads
        async with ConnectPort("127.0.0.1", deaf.getsockname()[1], now=clock, pauses=quick()) as port:
            events = aiter(port)
            assert isinstance(await take(events), Opened)
            await port.send(b"x" * 50_000_000)
            assert isinstance(await take(events), Closed)


async def test_a_reader_that_is_cancelled_while_a_connection_closes_ends():
    """In each step of the closing: a cancellation that got lost would hang the agent when it stops."""
    for step in range(12):
        async with machine(_hang_up) as number, ConnectPort("127.0.0.1", number, now=clock) as port:
            events = aiter(port)
            while not isinstance(await take(events), Closed):
                pass
            reading = asyncio.ensure_future(anext(events))
            for _ in range(step):
                await asyncio.sleep(0)
            reading.cancel()
            done, _ = await asyncio.wait([reading], timeout=5)
            assert done, f"cancelled at step {step}, it still reads"
            assert reading.cancelled()


async def _hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"bye\n")
