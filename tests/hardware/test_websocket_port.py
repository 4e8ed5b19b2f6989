"""A WebSocket as a port: messages stay apart, one program at a time, and none can harm it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Chunk, Closed, Opened
from hardware.ports.websocket import MOST_MESSAGE, WebSocketPort
from tests.hardware.ears import Ear


class Heard(Ear[WebSocketPort]):
    """The events of a port that somebody takes."""

    async def url(self, path: str = "/dmd") -> str:
        async with asyncio.timeout(10):
            while self.port.address is None:  # noqa: ASYNC110 - a port tells nobody that it listens
                await asyncio.sleep(0.005)
        host, port = self.port.address
        return f"ws://{host}:{port}{path}"


@asynccontextmanager
async def heard(path: str = "/dmd") -> AsyncIterator[Heard]:
    port = WebSocketPort("127.0.0.1", 0, path, now=lambda: 5)
    async with port:
        ear = Heard(port)
        task = asyncio.ensure_future(ear.listen())
        try:
            yield ear
        finally:
            await port.__aexit__(None, None, None)
            async with asyncio.timeout(10):
                await task


async def test_each_message_is_a_chunk_with_its_length_before_it():
    async with heard() as ear, connect(await ear.url()) as program:
        await program.send(b"\x01\x02\x03")
        await program.send(b"")
        await program.send("text")
        await ear.until(4)
        assert isinstance(ear.events[0], Opened)
        chunks = [event.data for event in ear.events if isinstance(event, Chunk)]
        assert chunks == [b"\3\0\0\0\1\2\3", b"\0\0\0\0", b"\4\0\0\0text"]
        await ear.port.send(b"\0")
        assert await program.recv() == b"\0"
        await program.close()
        assert isinstance((await ear.until(5))[4], Closed)


async def test_who_calls_while_a_program_talks_is_sent_away_and_may_come_back_when_it_has_gone():
    async with heard() as ear:
        async with connect(await ear.url()) as first:
            await first.send(b"one")
            await ear.until(2)
            async with connect(await ear.url()) as second:
                with pytest.raises(ConnectionClosed, match="another program is connected"):
                    await second.recv()
            await first.send(b"two")
            await ear.until(3)
        async with connect(await ear.url()) as second:
            await second.send(b"three")
            await ear.until(6)
        assert [type(event) for event in ear.events[:6]] == [Opened, Chunk, Chunk, Closed, Opened, Chunk]


async def test_who_has_never_said_a_word_gives_its_place_up():
    async with heard() as ear, connect(await ear.url()):
        await ear.until(1)
        async with connect(await ear.url()) as second:
            await second.send(b"one")
            await ear.until(4)
    assert [type(event) for event in ear.events[:4]] == [Opened, Closed, Opened, Chunk]


async def test_a_message_without_end_costs_its_sender_the_connection():
    async with heard() as ear, connect(await ear.url(), compression=None) as program:
        with contextlib.suppress(ConnectionClosed):
            await program.send(bytes(MOST_MESSAGE + 1))
        closed = (await ear.until(2))[1]
        assert isinstance(closed, Closed)
        assert "more than 1 MiB" in closed.why


async def test_another_path_and_what_is_no_websocket_do_no_harm(caplog: pytest.LogCaptureFixture):
    async with heard() as ear:
        with pytest.raises(InvalidStatus):
            await connect(await ear.url("/other"))
        assert ear.port.address
        reader, writer = await asyncio.open_connection(*ear.port.address)
        writer.write(b"\x16\x03\x01 this is no request\r\n\r\n" * 50)
        await reader.read()
        writer.close()
        async with connect(await ear.url()) as program:
            await program.send(b"one")
            assert [type(event) for event in await ear.until(2)] == [Opened, Chunk]
    assert "Traceback" not in caplog.text


async def test_an_address_in_use_is_told_and_tried_again():
    async with heard() as ear:
        await ear.url()
        assert ear.port.address
        other = open_port(f"ws-listen://127.0.0.1:{ear.port.address[1]}/dmd", now=lambda: 5)
        async with other:
            async for event in other:
                assert isinstance(event, Closed)
                assert event.reason == "busy"
                break


@pytest.mark.parametrize("url", ["ws-listen://", "ws-listen://0.0.0.0", "ws-listen://a:b", "ws-listen://x:99999/dmd",
                                 "ws-listen://[::/dmd"])  # fmt: skip
def test_addresses_that_make_no_sense_are_refused(url: str):
    with pytest.raises(PortInvalid, match="ws-listen://HOST:PORT/PATH"):
        open_port(url, now=lambda: 0)
