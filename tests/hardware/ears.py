"""A port under test, and all that came by it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Generic, TypeVar

from hardware.ports.base import Port, PortEvent

P = TypeVar("P", bound=Port)
E = TypeVar("E", bound="Ear[Any]")


class Ear(Generic[P]):
    """Takes a port's events as they come."""

    patience = 10.0
    """Seconds."""

    def __init__(self, port: P) -> None:
        self.port = port
        self.events: list[PortEvent] = []
        self._came = asyncio.Condition()

    async def listen(self) -> None:
        async for event in self.port:
            async with self._came:
                self.events.append(event)
                self._came.notify_all()

    async def until(self, count: int, kind: type[PortEvent] | None = None) -> list[PortEvent]:
        """All events, once there are so many of the kind."""
        async with asyncio.timeout(self.patience), self._came:
            await self._came.wait_for(lambda: len(self.of(kind)) >= count)
        return self.events

    def of(self, kind: type[PortEvent] | None) -> list[PortEvent]:
        return [event for event in self.events if kind is None or isinstance(event, kind)]


@contextlib.asynccontextmanager
async def hearing(ear: E) -> AsyncIterator[E]:
    """The port open, and listened to; at the end it is left, and stopped."""
    async with ear.port:
        task = asyncio.create_task(ear.listen())
        try:
            yield ear
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
