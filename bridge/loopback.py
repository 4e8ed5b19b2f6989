"""A broker in memory, and a link to it: for tests and for a demo without a network.

`LoopbackBroker` is plain and synchronous: every message is in `transit` until somebody delivers, loses or doubles it,
in any order, which is how a test plays every evil of a network. `LoopbackLink` is a whole `Link` on it that delivers
by itself, as well or as badly as its `Faults` say. Retained messages, wills and takeovers are as in MQTT.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from bridge.errors import LinkDown
from bridge.link_parts import Connected, Disconnected, Hello, Inbox, LinkEvent, Message


def matches(pattern: str, topic: str) -> bool:
    """Whether an MQTT topic filter takes in a topic."""
    wanted, levels = pattern.split("/"), topic.split("/")
    for number, level in enumerate(wanted):
        if level == "#":
            return True
        if number >= len(levels) or level not in {"+", levels[number]}:
            return False
    return len(wanted) == len(levels)


@dataclass(eq=False, slots=True)
class LoopbackConnection:
    """One client's connection, from `LoopbackBroker.connect`."""

    broker: "LoopbackBroker"
    hello: Hello
    receive: Callable[[Message], None]
    on_cut: Callable[[], None]
    filters: list[str] = field(default_factory=list)
    open: bool = True

    def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe, and be sent what is retained there."""
        self.filters += filters
        for topic, payload in self.broker.retained.items():
            if any(matches(pattern, topic) for pattern in filters):
                self.broker.transit.append((self, Message(topic=topic, payload=payload, retained=True)))

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish; raises LinkDown where the connection is over."""
        if not self.open:
            raise LinkDown("the connection to the broker is over")
        self.broker.publish(topic, payload, retain=retain)

    def close(self) -> None:
        """Say good-bye: no will goes out."""
        self.broker.drop(self, clean=True)


class LoopbackBroker:
    """The broker. Whoever holds it decides what becomes of the messages in transit."""

    def __init__(self) -> None:
        self.retained: dict[str, bytes] = {}
        self.transit: list[tuple[LoopbackConnection, Message]] = []
        self.connections: list[LoopbackConnection] = []
        self.late_wills: list[tuple[str, bytes]] | None = None
        """A list here keeps wills back until `publish_wills`."""
        self.up = True

    def connect(
        self, hello: Hello, receive: Callable[[Message], None], on_cut: Callable[[], None] = lambda: None
    ) -> LoopbackConnection:
        """A new connection; an older one of the same client is cut, as MQTT has it. Raises LinkDown while down."""
        if not self.up:
            raise LinkDown("the broker is down")
        for connection in [other for other in self.connections if other.hello.client_id == hello.client_id]:
            self.cut(connection)
        connection = LoopbackConnection(self, hello, receive, on_cut)
        self.connections.append(connection)
        return connection

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Put a message on its way to every subscriber."""
        if retain and payload:
            self.retained[topic] = payload
        elif retain:
            self.retained.pop(topic, None)
        for connection in self.connections:
            if any(matches(pattern, topic) for pattern in connection.filters):
                self.transit.append((connection, Message(topic=topic, payload=payload)))

    def cut(self, connection: LoopbackConnection) -> None:
        """Break a connection: what was on its way to it is lost, its will goes out, its owner is told."""
        self.drop(connection, clean=False)
        connection.on_cut()

    def drop(self, connection: LoopbackConnection, *, clean: bool) -> None:
        """End a connection, with or without a good-bye."""
        if not connection.open:
            return
        connection.open = False
        self.connections.remove(connection)
        self.transit = [(other, message) for other, message in self.transit if other is not connection]
        if clean:
            return
        if self.late_wills is None:
            self.publish(connection.hello.will_topic, connection.hello.will, retain=True)
        else:
            self.late_wills.append((connection.hello.will_topic, connection.hello.will))

    def publish_wills(self) -> None:
        """Let the wills go out that were kept back."""
        if self.late_wills is None:
            return
        wills, self.late_wills = self.late_wills, []
        for topic, will in wills:
            self.publish(topic, will, retain=True)

    def restart(self) -> None:
        """As a broker without persistence restarts: every connection is cut, everything retained is forgotten."""
        kept = self.late_wills
        self.late_wills = []
        for connection in [*self.connections]:
            self.cut(connection)
        self.late_wills = None if kept is None else []
        self.retained.clear()

    def deliver(self, number: int = 0) -> None:
        """Let one message in transit arrive."""
        connection, message = self.transit.pop(number)
        connection.receive(message)

    def lose(self, number: int) -> None:
        """Let one message in transit vanish."""
        del self.transit[number]

    def double(self, number: int) -> None:
        """Let one message in transit arrive once more, later."""
        self.transit.append(self.transit[number])

    def deliver_all(self) -> None:
        """Deliver until nothing is in transit, what the deliveries cause included."""
        while self.transit:
            self.deliver()


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """How badly a loopback link behaves: the chance of each evil for each message, 0 to 1."""

    lose: float = 0.0
    double: float = 0.0
    reorder: float = 0.0


class LoopbackLink:
    """A Link (see `bridge.link`) to a LoopbackBroker."""

    RETRY_S = 0.02

    def __init__(
        self, broker: LoopbackBroker, *, faults: Faults | None = None, chance: random.Random | None = None
    ) -> None:
        self.state = "closed"
        self.why = ""
        self._broker = broker
        self._faults = faults or Faults()
        self._chance = chance or random.Random(0)  # noqa: S311  (repeatable on purpose)
        self._events = Inbox()
        self._hello: Callable[[], Hello] | None = None
        self._subscriptions: Sequence[str] = ()
        self._connection: LoopbackConnection | None = None
        self._cut = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def prepare(self, *, hello: Callable[[], Hello], subscriptions: Sequence[str]) -> None:
        """See Link."""
        self._hello, self._subscriptions = hello, subscriptions

    async def __aenter__(self) -> Self:
        """Begin to connect."""
        self._task = asyncio.create_task(self._keep_connected(), name="loopback")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave with a good-bye."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._connection is not None:
            self._connection.close()
        self.state = "closed"

    async def __aiter__(self) -> AsyncIterator[LinkEvent]:
        """The events, without end."""
        while True:
            yield await self._events.get()

    async def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires_s: int | None = None
    ) -> None:
        """See Link. A message of QoS 1 is lost as easily as one of QoS 0: nothing may depend on the difference."""
        del qos, expires_s
        if self._connection is None or not self._connection.open:
            raise LinkDown("no connection to the broker")
        self._connection.publish(topic, payload, retain=retain)
        asyncio.get_running_loop().call_soon(self._carry)
        await asyncio.sleep(0)

    def renew(self) -> None:
        """See Link."""
        if self._connection is not None:
            self._broker.cut(self._connection)

    def _carry(self) -> None:
        transit, faults, chance = self._broker.transit, self._faults, self._chance
        while transit:
            number = chance.randrange(len(transit)) if chance.random() < faults.reorder else 0
            if chance.random() < faults.double:
                self._broker.double(number)
            if chance.random() < faults.lose:
                self._broker.lose(number)
            else:
                self._broker.deliver(number)

    async def _keep_connected(self) -> None:
        if self._hello is None:
            raise LinkDown("the link was not prepared")
        while True:
            self._cut.clear()
            try:
                hello = self._hello()
                connection = self._broker.connect(hello, self._events.put, self._cut.set)
            except LinkDown as error:
                self.state, self.why = "unreachable", str(error)
                await asyncio.sleep(self.RETRY_S)
                continue
            self._connection, self.state, self.why = connection, "up", ""
            self._events.put(Connected(version="loopback"))
            connection.subscribe(self._subscriptions)
            self._carry()
            await self._cut.wait()
            self.state = "lost"
            self._events.put(Disconnected(reason="lost", why="the connection was cut"))
            await asyncio.sleep(self.RETRY_S)
