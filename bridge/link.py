"""The connection to the broker: what a link is, and the one over MQTT that the programs use.

A link never raises for what its peer or the network does: it says `Connected` and `Disconnected`, and goes on trying.
Each connection is a fresh client with a clean session, so that no library sends anything old; nothing is ever queued
while offline. That a message was published means only that the broker has it: durability is not made here.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Protocol, Self

from bridge.connection import Connection
from bridge.errors import LinkDown
from bridge.link_parts import (
    Backoff,
    Broker,
    Connected,
    Disconnected,
    Hello,
    Inbox,
    LinkEvent,
    Message,
    Refused,
    Tls,
)
from hardware.mqtt import MQTT_3, MQTT_5

__all__ = [
    "Broker",
    "Connected",
    "Disconnected",
    "Hello",
    "Link",
    "LinkEvent",
    "Message",
    "PahoLink",
    "Refused",
    "Tls",
]

FAREWELL_S = 2.0
"""For what is still unconfirmed when the link is left."""


class Link(Protocol):
    """A connection that mends itself. Prepare it, enter it, iterate over its events, publish while it is up."""

    state: str
    """connecting, up, refused, untrusted, unreachable, lost or closed: to be shown."""
    why: str
    """One line about the state; empty when all is well."""

    def prepare(self, *, hello: Callable[[], Hello], subscriptions: Sequence[str]) -> None:
        """Say what to subscribe and how to introduce ourselves; `hello` is called (in a thread) before each attempt."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __aiter__(self) -> AsyncIterator[LinkEvent]: ...

    async def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires_s: int | None = None
    ) -> None:
        """Hand a message to the broker, waiting while IN_FLIGHT are unconfirmed; raises LinkDown, queues nothing."""

    def renew(self) -> None:
        """Drop the connection (its will goes out) and make a new one with a new `hello`."""


class PahoLink:
    """A Link over MQTT 5 or, where the broker knows no better, 3.1.1."""

    def __init__(self, broker: Broker, *, jitter: random.Random | None = None) -> None:
        self.state = "closed"
        self.why = ""
        self._broker = broker
        self._backoff = Backoff(jitter or random.Random())  # noqa: S311  (spreads reconnections, guards nothing)
        self._protocol = MQTT_5
        self._hello: Callable[[], Hello] | None = None
        self._subscriptions: Sequence[str] = ()
        self._events = Inbox()
        self._task: asyncio.Task[None] | None = None
        self._now: Connection | None = None

    def prepare(self, *, hello: Callable[[], Hello], subscriptions: Sequence[str]) -> None:
        """See Link."""
        self._hello, self._subscriptions = hello, subscriptions

    async def __aenter__(self) -> Self:
        """Begin to connect."""
        self._task = asyncio.create_task(self._keep_connected(), name="link")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say good-bye properly, so that no will goes out."""
        if self._now is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    await self._now.slots.settled()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self.state = "closed"

    async def __aiter__(self) -> AsyncIterator[LinkEvent]:
        """The events, without end."""
        while True:
            yield await self._events.get()

    async def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires_s: int | None = None
    ) -> None:
        """See Link."""
        connection = self._now
        if connection is None:
            raise LinkDown(f"no connection to the broker: {self.why or self.state}")
        await connection.publish(topic, payload, qos=qos, retain=retain, expires_s=expires_s)

    def renew(self) -> None:
        """See Link."""
        if self._now is not None:
            self._now.end("lost", "a new connection was asked for")

    async def _keep_connected(self) -> None:
        if self._hello is None:
            raise LinkDown("the link was not prepared")
        while True:
            self.state = "connecting"
            hello = await asyncio.to_thread(self._hello)
            connection = Connection(self._broker, hello, self._protocol, self._events)
            try:
                version = await connection.open(self._subscriptions)
                if version is not None:
                    self._now, self.state, self.why = connection, "up", ""
                    self._events.put(Connected(version=version))
                    connection.release()
                await asyncio.wait({connection.ended})  # unlike awaiting it, this leaves it as it is when cancelled
                reason, why = connection.ended.result()
            finally:
                self._now = None
                await asyncio.shield(connection.close())
            if version is None and (connection.unsupported or connection.mute):
                self._protocol = MQTT_3 if self._protocol == MQTT_5 else MQTT_5
            if version is not None:
                self._backoff.reset()
            self.state, self.why = reason, why
            self._events.put(Disconnected(reason=reason, why=why))
            at_once = connection.unsupported and self._protocol == MQTT_3
            await asyncio.sleep(0 if at_once else self._backoff.wait_s(reason))
