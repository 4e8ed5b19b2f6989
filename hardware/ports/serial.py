"""Serial lines as a port: found by a name that stays, opened alone, followed until the cable is pulled, and again.

Here: opening with pyserial, the one place that imports it. The descriptor is then the event loop's (`serial_line`).
Invariants: whoever iterates gets `Opened` before its bytes and one `Closed` after them, or one `Closed` for an attempt
that failed; however often the cable drops there is one reader at the most.
"""

import asyncio
import contextlib
import errno
import fcntl
import getpass
import os
import termios
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import serial
from serial.tools import list_ports

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import Lost
from hardware.ports.serial_address import Address, Settings, is_number, parse_address
from hardware.ports.serial_errors import ErrorWatch
from hardware.ports.serial_line import Line
from hardware.ports.serial_names import Device, choose, find, stable_names
from hardware.ports.tcp import STEADY_MS, Pauses, wait_for_stop

LONGEST_PAUSE = 1.0
"""Seconds between attempts at the most: looking is cheap, and a cable that is back is to be heard at once."""
_PTY_MAJORS = range(136, 144)
"""Linux: the numbers of pseudo-terminals."""
_PARITY = {"none": "N", "even": "E", "odd": "O", "mark": "M", "space": "S"}


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """`serial://…`. Raises PortInvalid."""
    address = parse_address(url)
    if isinstance(address.name, str) and is_number(address.name) and not address.any_device:
        raise PortInvalid(
            f"{url!r}: {address.name} may be another device after a restart; {stable_names(list_devices)} (for a board"
            " that has no serial number: serial:///dev/serial/by-path/…, or any_device=1 and the risk is yours)"
        )
    return SerialPort(address, now=now)


def list_devices() -> list[Device]:
    """The serial devices that are plugged in now."""
    devices = []
    for found in list_ports.comports():
        kind = (found.vid, found.pid) if found.vid is not None and found.pid is not None else None
        number = (found.location or "").rpartition(":")[2].rpartition(".")[2]
        interface = int(number) if ":" in (found.location or "") and number.isdigit() else None
        device = Device(path=found.device, kind=kind, serial=found.serial_number, interface=interface)
        devices.append(replace(device, place=found.location))
    return devices


class SerialPort(Port):
    """Opens the device, and again whenever it comes back."""

    def __init__(self, address: Address, *, now: Callable[[], int], pauses: Pauses | None = None) -> None:
        self._address = address
        self._now = now
        self._pauses = pauses or Pauses(longest=LONGEST_PAUSE)
        self._line: Line | None = None
        self._path: str | None = None
        """Of the device that is open, or was tried last."""
        self._after: str | None = None
        """Where a choice is left: the device that was the wrong one, or could not be opened."""
        self._stopped = asyncio.Event()
        self.url = address.url

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set():
            device = await self._open()
            if isinstance(device, Lost):
                self._after = self._path
                yield Closed(at=self._now(), reason=device.reason, why=device.why)
                await self._pauses.rest(self._stopped)
                continue
            begun = self._now()
            try:
                line = Line(device.fileno(), url=self.url, now=self._now, release=device.close)
                self._line = line
                watch = ErrorWatch(device.fileno(), self.url, self._address.settings)
                await wait_for_stop(self._address.settings.settle_ms / 1000, self._stopped)
                opened = self._now()
                yield Opened(at=opened, port=f"serial://{self._path}" if self._address.choice else self.url)
                while not isinstance(got := await self._receive(line), Lost):
                    came, data = got
                    watch.look(came)
                    yield Chunk(at=max(opened, came), data=data)
                yield Closed(at=self._now(), reason=got.reason, why=got.why + watch.told)
            finally:
                self._close()
            if self._now() - begun >= STEADY_MS:
                self._pauses.reset()
            await self._pauses.rest(self._stopped)

    async def send(self, data: bytes) -> None:
        """Send to the machine; nothing where it is not there."""
        if self._line is not None:
            self._line.send(data)

    def look_elsewhere(self) -> None:
        """What talks there is not the machine that is meant: where a choice is left, the next device is tried."""
        if self._address.choice and self._line is not None:
            self._after = self._path
            self._pauses.reset()
            self._line.close(Lost(reason="refused", why=f"{self._path} is another device: looking elsewhere"))

    async def __aexit__(self, *_: object) -> None:
        """Let go of the device."""
        self._stopped.set()
        self._close()

    def _close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close(Lost(reason="stopped", why="we closed the line"))

    async def _receive(self, line: Line) -> tuple[int, bytes] | Lost:
        """What comes next; the port may have been left while the device was being opened."""
        if self._stopped.is_set():
            self._close()
        return await line.receive()

    async def _open(self) -> "_Device | Lost":
        """Open in a thread: a device that hangs must not hang the agent."""
        address = self._address
        if isinstance(address.name, str) and address.choice:
            self._path = choose(address.name, self._after)
            if self._path is None:
                return Lost(reason="unplugged", why=f"nothing that fits {address.name} is plugged in")
            address = replace(address, name=self._path, any_device=True)
        opening = asyncio.ensure_future(asyncio.to_thread(_open_device, address))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_drop)
            raise


class _Device(serial.Serial):
    """pyserial's device, which keeps what the machine said before we were ready: it may be its greeting."""

    def _reset_input_buffer(self) -> None:
        pass


def _drop(opening: "asyncio.Future[_Device | Lost]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        device = opening.result()
        if not isinstance(device, Lost):
            device.close()


def _open_device(address: Address) -> _Device | Lost:
    """Find it, open it alone and set its line."""
    path = find(address, list_devices)
    if isinstance(path, Lost):
        return path
    try:
        return _opened(path, address.settings)
    except (serial.SerialException, OSError, ValueError, termios.error) as error:
        return _explain(path, address.settings, error)


def _opened(path: str, settings: Settings) -> _Device:
    device = _Device(
        baudrate=settings.baud, bytesize=settings.bits, parity=_PARITY[settings.parity], stopbits=settings.stop,
        xonxoff=settings.flow == "xonxoff", rtscts=settings.flow == "rtscts", timeout=0, exclusive=True,
    )  # fmt: skip
    device.port = path
    if settings.dtr is not None:
        device.dtr = settings.dtr
    if settings.rts is not None:
        device.rts = settings.rts
    device.open()
    try:
        fd = device.fileno()
        modes = termios.tcgetattr(fd)
        modes[6][termios.VMIN] = 1  # so that an empty read means a hang-up, and nothing else
        termios.tcsetattr(fd, termios.TCSANOW, modes)
        if os.major(os.fstat(fd).st_rdev) not in _PTY_MAJORS:  # a pseudo-terminal would stay closed to all after us
            _ioctl(fd, termios.TIOCEXCL)
    except BaseException:
        device.close()
        raise
    return device


def _ioctl(fd: int, request: int) -> None:
    with contextlib.suppress(OSError):  # a device that does not know it is none the worse
        fcntl.ioctl(fd, request)


def _explain(path: str, settings: Settings, error: Exception) -> Lost:
    """Why a device could not be opened, and what to do."""
    number = _number(error)
    if number in {errno.EBUSY, errno.EAGAIN}:
        return Lost(reason="busy", why=f"{path} is in use by another program, or by another machine of this agent")
    if number in {errno.EACCES, errno.EPERM}:
        return Lost(reason="refused", why=f"{path} must not be opened by this user: {_remedy(path)}")
    if number in {errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO}:
        return Lost(reason="unplugged", why=f"{path} is not there any more: unplugged, or without power")
    if number == errno.ENOTTY:
        return Lost(reason="refused", why=f"{path} is no serial device")
    told = os.strerror(number) if number else str(error).splitlines()[0]
    return Lost(reason="refused", why=f"{path} cannot be set to {settings}: {told}")


def _number(error: Exception) -> int | None:
    """The system's number of an error, also where pyserial put it into words."""
    if isinstance(error, OSError) and error.errno:
        return error.errno
    cause = error.args if isinstance(error, termios.error) else getattr(error.__context__, "args", ())
    return cause[0] if cause and isinstance(cause[0], int) else None


def _remedy(path: str) -> str:
    """How to get the right to open it: by its group, `dialout` on Debian."""
    try:
        group, user = Path(path).group(), getpass.getuser()
    except (OSError, KeyError):
        group, user = "dialout", "USER"
    if group == "root":
        return "it belongs to root alone; a rule of udev can give it to the group dialout"
    return f"`sudo usermod -a -G {group} {user}`, then log in anew (a service: restart it)"
