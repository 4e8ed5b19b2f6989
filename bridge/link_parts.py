"""The parts of a link: what it says, how it introduces itself, how long it waits, how much may be under way."""

import asyncio
import random
from collections import deque
from dataclasses import dataclass, field

from bridge.errors import LinkDown
from hardware.mqtt import Broker as Broker  # noqa: PLC0414 - part of this door
from hardware.mqtt import Tls as Tls  # noqa: PLC0414 - as above

IN_FLIGHT = 16
"""Messages handed to the broker and not confirmed by it."""
MESSAGE_LIMIT = 128 * 1024
"""Bytes of an incoming message; a larger one is dropped and said so."""
QUEUE_BYTES = 64 * 1024 * 1024
"""Incoming bytes that wait for the program; more is dropped and said so. Facts among it come again."""
FIRST_WAIT_S, LONGEST_WAIT_S, REFUSED_WAIT_S = 0.5, 30.0, 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """How to introduce ourselves on the next connection."""

    client_id: str
    will_topic: str
    will: bytes
    """Published, retained, by the broker when this connection dies without a good-bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """There is a connection and the subscriptions stand. `version`: the MQTT version spoken."""

    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnected:
    """There is no connection. `reason`: unreachable, refused (the login), untrusted (the certificate) or lost."""

    reason: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as it came; its payload is at most MESSAGE_LIMIT bytes, and not to be trusted otherwise."""

    topic: str
    payload: bytes = field(repr=False)
    retained: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The broker refused what we published or subscribed, or something incoming was dropped here."""

    topic: str
    why: str


LinkEvent = Connected | Disconnected | Message | Refused


class Inbox:
    """The events that wait for the program, bounded by their bytes."""

    def __init__(self) -> None:
        self._events: deque[LinkEvent] = deque()
        self._bytes = 0
        self._dropping = False
        self._some = asyncio.Event()

    def put(self, event: LinkEvent) -> None:
        """Add an event; a message that is too large, or finds no room, becomes `Refused`."""
        if isinstance(event, Message):
            size = len(event.payload)
            if size > MESSAGE_LIMIT:
                event = Refused(topic=event.topic, why=f"dropped: {size} bytes, more than the {MESSAGE_LIMIT} allowed")
            elif self._bytes + size > QUEUE_BYTES:
                if self._dropping:
                    return
                self._dropping = True
                event = Refused(topic=event.topic, why="dropped, and what follows: too much is waiting")
            else:
                self._dropping = False
                self._bytes += size
        self._events.append(event)
        self._some.set()

    async def get(self) -> LinkEvent:
        """The next event."""
        while not self._events:
            self._some.clear()
            await self._some.wait()
        event = self._events.popleft()
        if isinstance(event, Message):
            self._bytes -= len(event.payload)
        return event


class Backoff:
    """Full jitter: a random wait below a bound that doubles, so that fifty agents do not come back at one moment."""

    def __init__(self, jitter: random.Random) -> None:
        self._jitter = jitter
        self._bound = FIRST_WAIT_S

    def reset(self) -> None:
        """After a connection that stood."""
        self._bound = FIRST_WAIT_S

    def wait_s(self, reason: str) -> float:
        """Seconds before the next attempt; a refused login waits long, since only a person mends it."""
        if reason == "refused":
            return REFUSED_WAIT_S
        bound, self._bound = self._bound, min(LONGEST_WAIT_S, self._bound * 2)
        return self._jitter.uniform(0, bound)


class Slots:
    """The window of unconfirmed messages on one connection."""

    def __init__(self, free: int) -> None:
        self._all = free
        self._free = free
        self._open = True
        self._slots = asyncio.Semaphore(free)
        self._idle = asyncio.Event()
        self._idle.set()

    async def take(self) -> None:
        """Wait for a free slot; raises LinkDown when the connection is over."""
        await self._slots.acquire()
        if not self._open:
            self._slots.release()  # wakes the next who waits in vain
            raise LinkDown("the connection to the broker is over")
        self._free -= 1
        self._idle.clear()

    def give(self) -> None:
        """A message was confirmed, or never went out."""
        self._free += 1
        self._slots.release()
        if self._free == self._all:
            self._idle.set()

    def close(self) -> None:
        """The connection is over: nobody waits any longer."""
        if self._open:
            self._open = False
            self._slots.release()
            self._idle.set()

    async def settled(self) -> None:
        """Wait until every message is confirmed or the connection is over."""
        await self._idle.wait()
