"""A loopback broker, a writer that remembers, a listener on it, and agents."""

import random
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from bridge.clock import SystemClock
from bridge.loopback import Faults, LoopbackBroker, LoopbackLink
from bridge.outbox import Outbox
from bridge.publisher import Publisher
from bridge.wire.control import Ack, Pulse, Reply
from bridge.wire.topics import Topics
from server.ingest.listen import Listener
from server.ingest.presence import PresenceEvent
from server.store import ledger
from server.store.engine import make_engine, reading
from server.store.inbox import Delivery
from server.store.recorder import Recorder

TOPICS = Topics()
CLOCK = SystemClock()


class Watching(Recorder):
    """A recorder that also remembers what is not durable."""

    def __init__(self, path: Path) -> None:
        super().__init__(make_engine(str(path)))
        self.events: list[PresenceEvent] = []
        self.pulses: list[Pulse] = []
        self.replies: list[Reply] = []
        self.poison: str | None = None
        self.batches: list[int] = []

    def take(self, frames: Sequence[Delivery]) -> Sequence[Ack]:
        self.batches.append(len(frames))
        if any(delivery.agent == self.poison for delivery in frames):
            raise ZeroDivisionError("a bug in a rule")
        return super().take(frames)

    def presence(self, event: PresenceEvent) -> None:
        self.events.append(event)

    def pulse(self, agent: str, pulse: Pulse, received_at: int) -> None:
        del agent, received_at
        self.pulses.append(pulse)

    def reply(self, agent: str, reply: Reply) -> None:
        del agent
        self.replies.append(reply)

    def facts(self) -> list[tuple[str | None, int | None]]:
        with reading(self._engine) as connection:
            return [(record.stream, record.seq) for record in ledger.read(connection, 0, 100_000)]


@pytest.fixture
def venue(tmp_path: Path):
    """A broker, a writer, a listener on it, and a way to make agents."""
    broker = LoopbackBroker()
    writer = Watching(tmp_path / "ledger.db")
    outboxes: list[Outbox] = []

    def agent(name: str = "pi-1", faults: Faults | None = None) -> Publisher:
        outboxes.append(Outbox(tmp_path / f"{name}.db"))
        link = LoopbackLink(broker, faults=faults, chance=random.Random(1))  # noqa: S311
        return Publisher(outboxes[-1], link, agent=name, clock=CLOCK, topics=TOPICS, host=f"host-of-{name}")

    yield SimpleNamespace(
        broker=broker, writer=writer, listener=Listener(LoopbackLink(broker), writer, topics=TOPICS), agent=agent
    )
    for outbox in outboxes:
        outbox.close()
    writer._engine.dispose()
