"""Serial lines behind the network: RFC 2217 against pyserial's own server side, `socket://` and `loop://`."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
import serial
import serial.rfc2217
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import PortInvalid
from hardware.ports import open_port, serial_remote
from hardware.ports.base import Chunk, Closed, Opened, PortEvent
from hardware.ports.serial_address import Settings
from hardware.ports.serial_telnet import BAD_LINE, COM_PORT, DO, IAC, LINE_STATE, SB, SE, SERVER, Telnet, escape
from tests.hardware.cables import PATIENCE, clock, hear, take


class Box:
    """A box with a serial line that is looped back, served by pyserial's PortManager, one caller after another."""

    def __init__(self) -> None:
        self.device = serial.serial_for_url("loop://", timeout=0.02)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.number = self.listener.getsockname()[1]
        self._caller: socket.socket | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def write(self, data: bytes) -> None:
        if self._caller is not None:
            with contextlib.suppress(OSError):
                self._caller.sendall(data)

    def _serve(self) -> None:
        while not self._done.is_set():
            try:
                self._caller, _ = self.listener.accept()
            except OSError:
                return
            manager = serial.rfc2217.PortManager(self.device, self)
            self._caller.settimeout(0.02)
            while not self._done.is_set():
                with contextlib.suppress(TimeoutError):
                    try:
                        if not (data := self._caller.recv(1024)):
                            break
                    except ConnectionError:
                        break
                    self.device.write(b"".join(manager.filter(data)))
                if waiting := self.device.in_waiting:
                    self.write(b"".join(manager.escape(self.device.read(waiting))))
            self._caller.close()

    def cut(self) -> None:
        if self._caller is not None:
            self._caller.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._done.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._thread.join(PATIENCE)
        if self._caller is not None:
            self._caller.close()


@pytest.fixture
def box() -> Iterator[Box]:
    box = Box()
    yield box
    box.close()


async def test_a_box_is_set_to_the_speed_and_passes_every_byte_both_ways(box: Box):
    every = bytes(range(256)) * 3
    async with open_port(f"rfc2217://127.0.0.1:{box.number}?baud=19200&parity=even&bits=7", now=clock) as port:
        events = aiter(port)
        for _ in range(2):
            while not isinstance(opened := await take(events), Opened):
                pass
            assert opened.notes == ()
            assert (box.device.baudrate, box.device.parity, box.device.bytesize) == (19200, "E", 7)
            await port.send(every)
            assert await hear(events, len(every)) == every
            box.cut()
            assert isinstance(closed := await take(events), Closed)
            assert closed.reason == "eof"


async def test_who_does_not_speak_rfc_2217_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serial_remote, "AGREE_SECONDS", 0.1)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SCORE 1000\n")
        await reader.read(1000)
        with contextlib.suppress(OSError):
            await reader.read()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    number = server.sockets[0].getsockname()[1]
    async with open_port(f"rfc2217://127.0.0.1:{number}", now=clock) as port:
        closed = await take(aiter(port))
        assert isinstance(closed, Closed)
        assert (closed.reason, "does not speak RFC 2217" in closed.why) == ("refused", True)
    server.close()


async def test_a_banner_sent_at_once_is_not_lost():
    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    number = server.sockets[0].getsockname()[1]
    async with open_port(f"socket://127.0.0.1:{number}", now=clock) as port:
        events = aiter(port)
        opened = await take(events)
        assert isinstance(opened, Opened)
        assert opened.port == f"socket://127.0.0.1:{number}"
        assert await hear(events, 6) == b"hello\n"
        assert isinstance(await take(events), Closed)
    server.close()


async def test_a_loop_gives_back_what_is_sent_and_is_bounded():
    async with open_port("loop://", now=clock) as port:
        events: AsyncIterator[PortEvent] = aiter(port)
        assert isinstance(await take(events), Opened)
        for _ in range(5000):
            await port.send(b"x")
        for _ in range(999):
            assert isinstance(await take(events), Chunk)
    assert isinstance(await take(events), Closed)


@pytest.mark.parametrize("url", ["rfc2217://", "rfc2217://h", "rfc2217://h:0", "socket://h:1/x", "rfc2217://h:1?speed=9",
                                 "rfc2217://h:1?baud=fast", "loop://?x=1", "rfc2217://[::1"])  # fmt: skip
def test_an_address_that_makes_no_sense_is_refused_in_one_line(url: str):
    with pytest.raises(PortInvalid) as caught:
        open_port(url, now=lambda: 0)
    assert "\n" not in str(caught.value)


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_no_box_can_make_the_conversation_fail_or_grow(pieces: list[bytes]):
    telnet = Telnet(Settings())
    replies = 0
    for piece in pieces * 50:
        heard, reply = telnet.feed(piece)
        assert len(heard) <= len(piece)
        replies += len(reply)
    assert replies <= 3 * 4 * 256 + 100
    assert len(telnet._aside) <= 64


@given(st.binary(max_size=200), st.integers(1, 7))
def test_what_the_machine_says_passes_telnet_unchanged(data: bytes, size: int):
    telnet = Telnet(Settings())
    sent = escape(data)
    heard = b"".join(telnet.feed(sent[at : at + size])[0] for at in range(0, len(sent), size))
    assert heard == data


def test_framing_errors_are_counted_where_the_box_tells_them():
    telnet = Telnet(Settings())
    _, orders = telnet.feed(bytes((IAC, DO, COM_PORT)))
    assert telnet.agreed
    assert orders.startswith(bytes((IAC, SB, COM_PORT, 1, 0, 1, 0xC2, 0, IAC, SE)))
    telnet.feed(bytes((IAC, SB, COM_PORT, SERVER + LINE_STATE, BAD_LINE, IAC, SE)) * 3)
    assert telnet.bad == 3
