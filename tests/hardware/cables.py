"""Pseudo-terminals as serial devices: a far end that a test speaks on, and that can be pulled out."""

import asyncio
import contextlib
import os
import tty
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from hardware.ports.base import Chunk, PortEvent
from hardware.ports.tcp import Pauses

PATIENCE = 20.0


def clock() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


def quick() -> Pauses:
    """No pauses worth waiting for."""
    pauses = Pauses(lambda: 0.0)
    pauses.draw = lambda: 0.01  # type: ignore[method-assign]
    return pauses


class Cable:
    """A pseudo-terminal under a name that stays: plugged in, pulled out, plugged in again under another number."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self._fds: list[int] = []

    def plug(self) -> None:
        far, near = os.openpty()
        tty.setraw(near)
        os.set_blocking(far, False)
        self._fds = [far, near]
        self.name.unlink(missing_ok=True)
        self.name.symlink_to(os.ttyname(near))

    def pull(self) -> None:
        for fd in self._fds:
            os.close(fd)
        self._fds = []
        self.name.unlink(missing_ok=True)

    def say(self, data: bytes) -> int:
        """Write what fits; how much it was."""
        try:
            return os.write(self._fds[0], data)
        except BlockingIOError:
            return 0

    def heard(self) -> bytes:
        """What was written to the device."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self._fds[0], 1 << 16)
        return b""


async def take(events: AsyncIterator[PortEvent]) -> PortEvent:
    return await asyncio.wait_for(anext(events), PATIENCE)


async def hear(events: AsyncIterator[PortEvent], size: int) -> bytes:
    """The next bytes, so many of them."""
    data = b""
    while len(data) < size:
        event = await take(events)
        assert isinstance(event, Chunk), event
        data += event.data
    return data


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.002)
