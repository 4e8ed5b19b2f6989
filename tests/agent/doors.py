"""Ports that say what a test wants, and waiting for what a station does with it."""

import asyncio
from collections.abc import AsyncIterator, Callable

from hardware.ports import open_port
from hardware.ports.base import Port, PortEvent

SIM = "sim://bcp?seed=1&speed=200&idle=0.05&calm=1&ball_seconds=5&players=2"


class Door(Port):
    """A port that hears nothing and has nothing to let go of."""

    async def send(self, data: bytes) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass


class Spoken(Door):
    """A port that says a few things and is over."""

    def __init__(self, *events: PortEvent) -> None:
        self._events = events

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        for event in self._events:
            yield event


def now() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


def sim() -> Port:
    return open_port(SIM, now=now)


async def settle(true: Callable[[], object], what: str = "", seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 -- what is waited for is on disk
            await asyncio.sleep(0.02)
    assert true(), what
