"""The SPI port clocks out what is there, to the byte, and never raises for what the device or its cable does."""

import asyncio
import ctypes
import struct
from collections import deque
from pathlib import Path

import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Chunk, Closed, Opened
from hardware.ports.spi import MESSAGE, MOST_TRANSFER, WR_HZ, WR_MODE, SpiPort, Wiring
from hardware.ports.tcp import Pauses
from tests.capture import dot_wires as w
from tests.capture.test_dot_streams import OTHER, PICTURE


class Device:
    """A slave on the other end of spidev's requests: what it holds is shifted out, and then its last bit again."""

    def __init__(self, *messages: bytes) -> None:
        self.messages = deque(messages)
        self.held = bytearray()
        self.settings: dict[int, bytes] = {}
        self.transfers: list[int] = []
        self.closed = 0
        self.broken = False

    def ioctl(self, file: int, request: int, argument: bytearray) -> int:
        assert file > 2
        if self.broken:
            raise OSError(19, "No such device")
        if request != MESSAGE:
            self.settings[request] = bytes(argument)
            return 0
        _, room, count, *_ = struct.unpack("=QQIIHBBBBBB", argument)
        self.transfers.append(count)
        got = bytes(self.held[:count])
        del self.held[:count]
        ctypes.memmove(room, got.ljust(count, b"\xff"), count)
        return count

    def open_line(self, pin: int) -> "Device":
        assert pin == 25
        return self

    def wait(self, seconds: float) -> bool:
        del seconds
        if not self.held and self.messages:
            self.held += self.messages.popleft()
        return bool(self.held) or self.broken

    def is_high(self) -> bool:
        return bool(self.held)

    def close(self) -> None:
        self.closed += 1


def port_of(device: Device, path: Path, pauses: Pauses | None = None) -> SpiPort:
    path.touch()
    wiring = Wiring(path=str(path), irq=25, hz=2_000_000, mode=1)
    return SpiPort(wiring, now=lambda: 7, open_line=device.open_line, ioctl=device.ioctl, pauses=pauses)


async def take(port: SpiPort, count: int) -> list[object]:
    events: list[object] = []
    async with asyncio.timeout(10):
        async with port:
            async for event in port:
                events.append(event)
                if len(events) == count:
                    break
    return events


async def test_each_message_comes_whole_in_transfers_that_the_driver_takes(tmp_path: Path):
    large = w.dmdreader(OTHER.repeat(2, 0).repeat(2, 1), 4)
    device = Device(w.dmdreader(PICTURE), large)
    opened, first, second = await take(port_of(device, tmp_path / "spidev0.0"), 3)
    assert isinstance(opened, Opened)
    assert isinstance(first, Chunk)
    assert isinstance(second, Chunk)
    assert (first.data, second.data) == (w.dmdreader(PICTURE), large)
    assert max(device.transfers) <= MOST_TRANSFER
    assert sum(device.transfers) == len(first.data) + len(large)
    assert device.settings[WR_MODE] == b"\1"
    assert struct.unpack("=I", device.settings[WR_HZ]) == (2_000_000,)


async def test_what_makes_no_sense_is_clocked_out_until_the_line_falls(tmp_path: Path):
    device = Device(b"\x12\x34" * 333, w.dmdreader(PICTURE))
    _, noise, good = await take(port_of(device, tmp_path / "spidev0.0"), 3)
    assert isinstance(noise, Chunk)
    assert isinstance(good, Chunk)
    assert noise.data.startswith(b"\x12\x34" * 333)
    assert good.data == w.dmdreader(PICTURE)


async def test_a_device_that_goes_closes_the_port_and_is_tried_again(tmp_path: Path):
    device = Device(w.dmdreader(PICTURE))
    port = port_of(device, tmp_path / "spidev0.0", Pauses(lambda: 0.0))
    events: list[object] = []
    async with asyncio.timeout(10):
        async with port:
            async for event in port:
                events.append(event)
                device.broken = isinstance(event, Chunk)
                if isinstance(event, Closed):
                    device.messages.append(w.dmdreader(OTHER))
                if len(events) == 5:
                    break
    assert [type(event) for event in events] == [Opened, Chunk, Closed, Opened, Chunk]
    assert isinstance(events[2], Closed)
    assert events[2].reason == "unplugged"
    assert device.closed >= 1


async def test_a_device_that_is_not_there_is_told_with_what_to_do(tmp_path: Path):
    port = SpiPort(Wiring(path=str(tmp_path / "spidev0.0"), irq=25), now=lambda: 7)
    (closed,) = await take(port, 1)
    assert isinstance(closed, Closed)
    assert "raspi-config" in closed.why


@pytest.mark.parametrize(
    "url",
    ["spi:///dev/spidev0.0", "spi://dev/spidev0.0?irq=25", "spi:///dev/spidev0.0?irq=99", "spi:///dev/x?irq=2&hz=1",
     "spi:///dev/x?irq=2&speed=9", "spi:///dev/x?irq=two", "spi://[", "spi:"],
)  # fmt: skip
def test_addresses_that_make_no_sense_are_refused(url: str):
    with pytest.raises(PortInvalid, match="irq=25"):
        open_port(url, now=lambda: 0)


def test_an_address_that_makes_sense_is_a_port():
    assert open_port("spi:///dev/spidev0.0?irq=25&hz=500000", now=lambda: 0)
