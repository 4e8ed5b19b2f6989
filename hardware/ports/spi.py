"""A microcontroller on the Raspberry Pi's SPI as a port: `spi:///dev/spidev0.0?irq=GPIO&hz=1000000`.

Here: waiting for the line that says that something is ready, and clocking out exactly what is there: two bytes of
length (big endian, of the whole), two of type, the rest. Nothing more is understood. The device is a slave without
select: a byte too many, or too few, and the next ones are shifted. Invariant: what makes no sense is clocked out until
the line falls, so that the next message begins at a whole byte. Sources: Linux, include/uapi/linux/spi/spidev.h;
PPUC/dmdreader, src/dmdreader.cpp.
"""

import asyncio
import contextlib
import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.tcp import Pauses

WR_MODE, WR_BITS, WR_HZ, MESSAGE = 0x4001_6B01, 0x4001_6B03, 0x4004_6B04, 0x4020_6B00
"""Requests of spidev: mode, bits a word, speed, and one transfer."""
MOST_TRANSFER = 4096
"""Bytes of one transfer, spidev's own limit unless it was raised."""
TYPES = (b"\xcc\x33", b"\x44\xee")
"""Types of a message whose length is believed."""
WAIT_SECONDS = 0.5
DRAIN, DRAINS = 64, 1024
"""Bytes that are clocked out at once where nothing makes sense, and how often at the most."""

Ioctl = Callable[[int, int, bytearray], object]
"""As `fcntl.ioctl`: a file, a request of spidev, its argument."""


class Line(Protocol):
    """The line that the device holds high while something is ready."""

    def wait(self, seconds: float) -> bool:
        """Wait until it is high, so long at the most; whether it is."""
        ...

    def is_high(self) -> bool:
        """Whether it is high now."""
        ...

    def close(self) -> None:
        """Let go of the line."""
        ...


def open_url(url: str, *, now: Callable[[], int]) -> "SpiPort":
    """`spi:///dev/spidevBUS.CHIP?irq=GPIO[&hz=1000000][&mode=0]`. Raises PortInvalid."""
    try:
        parts = urlsplit(url)
        asked = dict(parse_qsl(parts.query, keep_blank_values=True))
        irq, hz, mode = int(asked.get("irq", "-1")), int(asked.get("hz", "1000000")), int(asked.get("mode", "0"))
    except ValueError:
        parts, asked, irq, hz, mode = urlsplit(""), {}, -1, 0, 0
    right = 0 <= irq <= 27 and 10_000 <= hz <= 50_000_000 and 0 <= mode <= 3
    if not parts.path.startswith("/dev/") or parts.netloc or not right or not set(asked) <= {"irq", "hz", "mode"}:
        raise PortInvalid(
            f"{url!r}: such an address is spi:///dev/spidev0.0?irq=25, with the number (0 to 27) of the GPIO that the"
            " device raises, and perhaps &hz=1000000 (10000 to 50000000) and &mode=0 (0 to 3)"
        )
    return SpiPort(Wiring(path=parts.path, irq=irq, hz=hz, mode=mode), now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Where the device is."""

    path: str
    irq: int
    """The number of the GPIO that it raises."""
    hz: int = 1_000_000
    mode: int = 0


class SpiPort(Port):
    """Hears one device. `open_line` and `ioctl` are the hardware's own unless others are given."""

    def __init__(
        self,
        wiring: Wiring,
        *,
        now: Callable[[], int],
        open_line: Callable[[int], Line] | None = None,
        ioctl: Ioctl | None = None,
        pauses: Pauses | None = None,
    ) -> None:
        self._wiring = wiring
        self._now = now
        self._open_line = open_line or _gpio_line
        self._ioctl = ioctl or fcntl.ioctl
        self._pauses = pauses or Pauses()
        self._stopped = asyncio.Event()
        self.url = f"spi://{wiring.path}?irq={wiring.irq}"

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set():
            try:
                device = await asyncio.to_thread(self._open)
            except (OSError, ImportError) as error:
                yield Closed(at=self._now(), reason="refused", why=_explain(self._wiring.path, error))
                await self._pauses.rest(self._stopped)
                continue
            self._pauses.reset()
            yield Opened(at=self._now(), port=self.url)
            try:
                async for event in self._hear(device):
                    yield event
            finally:
                await asyncio.to_thread(device.close)
            await self._pauses.rest(self._stopped)

    async def send(self, data: bytes) -> None:
        """Such a device hears nothing."""

    async def __aexit__(self, *_: object) -> None:
        """Let go of the device; within half a second, if it is waited for."""
        self._stopped.set()

    async def _hear(self, device: "_Device") -> AsyncIterator[PortEvent]:
        while not self._stopped.is_set():
            try:
                data = await asyncio.to_thread(device.receive)
            except OSError as error:
                yield Closed(at=self._now(), reason="unplugged", why=_explain(self._wiring.path, error))
                return
            if data:
                yield Chunk(at=self._now(), data=data)
        yield Closed(at=self._now(), reason="stopped", why="we closed the port")

    def _open(self) -> "_Device":
        wiring = self._wiring
        file = os.open(wiring.path, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._ioctl(file, WR_MODE, bytearray([wiring.mode]))
            self._ioctl(file, WR_BITS, bytearray([8]))
            self._ioctl(file, WR_HZ, bytearray(struct.pack("=I", wiring.hz)))
            return _Device(file, self._open_line(wiring.irq), wiring.hz, self._ioctl)
        except BaseException:
            os.close(file)
            raise


class _Device:
    """An open device. Used by one thread at a time."""

    def __init__(self, file: int, line: Line, hz: int, ioctl: Ioctl) -> None:
        self._file, self._line, self._hz, self._ioctl = file, line, hz, ioctl

    def receive(self) -> bytes:
        """The next message, or what makes none; nothing where none comes for a while. Raises OSError."""
        if not self._line.wait(WAIT_SECONDS):
            return b""
        head = self._clock(4)
        length = int.from_bytes(head[:2], "big")
        if head[2:] in TYPES and length > 4 and length % 4 == 0:
            return head + self._clock(length - 4)
        for _ in range(DRAINS):
            head += self._clock(DRAIN)
            if not self._line.is_high():
                break
        return head + self._clock(DRAIN)  # what its own memory still holds

    def close(self) -> None:
        """Let go of the device and its line."""
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._line.close()

    def _clock(self, count: int) -> bytes:
        """Clock out so many bytes."""
        got = b""
        while len(got) < count:
            part = min(MOST_TRANSFER, count - len(got))
            room = ctypes.create_string_buffer(part)
            nothing_out, bits = 0, 8
            transfer = struct.pack(
                "=QQIIHBBBBBB", nothing_out, ctypes.addressof(room), part, self._hz, 0, bits, *[0] * 5
            )
            self._ioctl(self._file, MESSAGE, bytearray(transfer))
            got += room.raw
        return got


def _gpio_line(pin: int) -> Line:
    """The Pi's own GPIO. Raises ImportError where gpiozero is missing, OSError where the pin cannot be had."""
    from gpiozero import DigitalInputDevice  # noqa: PLC0415 - only on a Pi
    from gpiozero.exc import GPIOZeroError  # noqa: PLC0415

    try:
        return _GpioLine(DigitalInputDevice(pin, pull_up=False))
    except GPIOZeroError as error:
        raise OSError(errno.EBUSY, f"GPIO {pin}: {str(error).splitlines()[0]}") from None


class _GpioLine:
    def __init__(self, device: Any) -> None:  # noqa: ANN401 - gpiozero has no types
        self._device = device

    def wait(self, seconds: float) -> bool:
        """Wait until it is high."""
        return bool(self._device.is_active or self._device.wait_for_active(seconds))

    def is_high(self) -> bool:
        """Whether it is high."""
        return bool(self._device.is_active)

    def close(self) -> None:
        """Let go."""
        self._device.close()


def _explain(path: str, error: OSError | ImportError) -> str:
    """What went wrong, and what to do, in a line for a person."""
    if isinstance(error, ImportError):
        return f"{path}: the line of readiness needs gpiozero: install the package's extra `agent` on the Pi"
    if error.errno == errno.ENOENT:
        return f"{path} is not there: is SPI switched on (raspi-config, Interface Options)?"
    if error.errno == errno.EACCES:
        return f"{path} may not be opened: the agent's user must be in the group spi"
    return f"{path}: {error.strerror or error}"
