"""A Vector board asked by HTTP: the same lines as on USB, whatever answers there."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port, vector_http
from hardware.ports.base import Chunk, Closed, Opened, PortEvent
from hardware.ports.tcp import Pauses
from hardware.ports.vector_http import VectorHttpPort
from hardware.sim.vector_board import Board
from hardware.sim.vector_net import Rig
from tests.hardware.cables import clock
from tests.hardware.ears import Ear, hearing

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Asked(Ear[VectorHttpPort]):
    """A port and what came of it."""

    patience = 20.0

    def __init__(self, number: int) -> None:
        super().__init__(VectorHttpPort("127.0.0.1", number, now=clock, pauses=Pauses(chance=lambda: 0.0)))

    async def last(self, kind: type[PortEvent], count: int = 1) -> PortEvent:
        await self.until(count, kind)
        return self.of(kind)[-1]

    async def ask(self, route: str) -> dict[str, object]:
        before = len(self.of(Chunk))
        await self.port.send(route.encode() + b"||\n")
        chunk = await self.last(Chunk, before + 1)
        assert isinstance(chunk, Chunk)
        return read(chunk.data)


def read(line: bytes) -> dict[str, object]:
    assert line.endswith(b"\n")
    told: dict[str, object] = json.loads(line.removeprefix(b"USB API RESPONSE-->"))
    return told


def asking(number: int) -> contextlib.AbstractAsyncContextManager[Asked]:
    return hearing(Asked(number))


@contextlib.asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[int]:
    async def guarded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            await serve(reader, writer)
        writer.close()

    server = await asyncio.start_server(guarded, "127.0.0.1", 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()


def saying(answer: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    return serve


async def test_what_a_board_answers_by_http_is_the_line_it_would_write_on_usb():
    board = Board(name="Bücher")
    async with Rig(board, now=clock, http=0) as rig, asking(rig.http_port) as asked:
        opened = await asked.last(Opened)
        assert opened == Opened(at=opened.at, port=f"vector-http://127.0.0.1:{rig.http_port}")
        first = await asked.last(Chunk)
        assert isinstance(first, Chunk)
        assert read(first.data)["body"] == '{"version": "1.11.28"}'
        assert (await asked.ask("/api/game/name"))["body"] == "Bücher"  # its length is counted in characters
        told = await asked.ask("/api/game/status")
        assert (told["route"], told["status"]) == ("/api/game/status", 200)
        assert json.loads(str(told["body"]))["Scores"] == [0, 0, 0, 0]
        assert (await asked.ask("/api/nope"))["status"] == 404


async def test_questions_may_be_cut_anywhere_and_what_is_no_question_is_left_out():
    async with Rig(Board(), now=clock, http=0) as rig, asking(rig.http_port) as asked:
        await asked.last(Chunk)
        for part in (b"\n\nnonsense\n/api/x y||\n|||||\n/api/fau", b"lt|", b"|\n", b"\xff" * 20_000):
            await asked.port.send(part)
        chunk = await asked.last(Chunk, 2)
        assert isinstance(chunk, Chunk)
        assert read(chunk.data)["body"] == "[]"
        assert len(asked.port._half) <= vector_http.MOST_LINE


async def test_a_server_that_keeps_its_connection_is_asked_by_it_again():
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        with contextlib.suppress(asyncio.IncompleteReadError):
            for _ in range(3):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")

    async with serving(serve) as number, asking(number) as asked:
        await asked.last(Chunk)
        for _ in range(5):
            assert (await asked.ask("/api/fault"))["body"] == "[]"
    assert connections == 2


async def test_an_answer_in_pieces_is_put_together():
    pieces = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1;a=b\r\n]\r\n0\r\n\r\n"
    async with serving(saying(pieces)) as number, asking(number) as asked:
        chunk = await asked.last(Chunk)
        assert isinstance(chunk, Chunk)
        assert read(chunk.data)["body"] == "[]"


async def test_a_board_that_is_not_there_is_said_and_found_when_it_comes():
    async with serving(saying(b"")) as number:
        pass
    async with asking(number) as asked:
        closed = await asked.last(Closed)
        assert isinstance(closed, Closed)
        assert closed.reason == "refused"
        assert "connection refused" in closed.why
        async with Rig(Board(), now=clock, http=number):
            await asked.last(Opened)


async def test_a_board_that_goes_away_closes_the_port_once_and_opens_it_again():
    async with Rig(Board(), now=clock, http=0) as rig:
        number = rig.http_port
        async with asking(number) as asked:
            await asked.last(Chunk)
            await rig.__aexit__()
            await asked.port.send(b"/api/fault||\n")
            await asked.last(Closed)
            async with Rig(Board(), now=clock, http=number):
                await asked.last(Opened, 2)
                assert (await asked.ask("/api/fault"))["body"] == "[]"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "hangs up without an answer"),
        (b"SSH-2.0-OpenSSH\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFF\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 1000, "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"x" * 100_000, "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1_000_000, "does not speak HTTP"),
    ],
    ids=range(10),
)
async def test_what_is_no_board_is_closed_with_one_line(answer: bytes, why: str):
    async with serving(saying(answer)) as number, asking(number) as asked:
        closed = await asked.last(Closed)
        assert isinstance(closed, Closed)
        assert why in closed.why
        assert "\n" not in closed.why


async def test_who_does_not_answer_is_silent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vector_http, "ANSWER_SECONDS", 0.2)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del writer
        await reader.read()

    async with serving(serve) as number, asking(number) as asked:
        closed = await asked.last(Closed)
        assert isinstance(closed, Closed)
        assert (closed.reason, "does not answer within 0.2 s" in closed.why) == ("silent", True)


@pytest.mark.parametrize("url", ["vector-http://", "vector-http://h:0", "vector-http://h:x", "vector-http://h/path",
                                 "vector-http://u@h", "vector-http://[::1"])  # fmt: skip
def test_an_address_that_makes_no_sense_is_refused(url: str):
    with pytest.raises(PortInvalid, match="such an address is vector-http://HOST"):
        open_port(url, now=clock)


def test_port_80_is_meant_where_none_is_given():
    port = open_port("vector-http://192.168.1.42", now=clock)
    assert isinstance(port, VectorHttpPort)
    assert (port.url, port._port_number) == ("vector-http://192.168.1.42", 80)
