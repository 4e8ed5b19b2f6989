"""What ingest asks of the one writer (`server.desk`). All of it is called from a worker thread and may block.

The law that holds everything: `take` returns after the commit, and no acknowledgement leaves before it returned.
"""

from collections.abc import Sequence
from typing import Protocol

from bridge.wire.control import Ack, Pulse, Reply
from server.ingest.presence import PresenceEvent
from server.store.inbox import Delivery


class Writer(Protocol):
    """The one writer, as far as ingest knows it."""

    @property
    def incarnation(self) -> int:
        """This opening of the ledger (`server.store.incarnation.begin`)."""

    def take(self, frames: Sequence[Delivery]) -> Sequence[Ack]:
        """Take frames in one transaction and return, once it is committed, one Ack for each, in their order.

        Each is `Taken.ack(incarnation)`. Raising means that nothing was committed; it will be tried
        again, each frame by itself, so that one frame that cannot be taken stops no other.
        """

    def cursor(self, agent: str, stream: str) -> Ack:
        """Where this stream stands (`inbox.standing`): the answer to an agent's birth."""

    def presence(self, event: PresenceEvent) -> None:
        """An agent came, went, or is two. Not durable by itself: the writer decides what it records."""

    def pulse(self, agent: str, pulse: Pulse, received_at: int) -> None:
        """A heartbeat with live scores; `received_at` in ms since the Unix epoch."""

    def reply(self, agent: str, reply: Reply) -> None:
        """An agent's answer to a command."""

    def refused(self, topic: str, why: str) -> None:
        """A message that could not be read was dropped: to be counted and shown."""

    def reborn(self, above: int) -> int:
        """Take a new incarnation higher than `above`, which somebody has met, and return it."""
