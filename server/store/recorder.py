"""The plainest writer: facts go to the ledger as they are, and nothing follows from them.

It keeps everything that `server.ingest.Writer` promises. The desk does the same and decides as well; this one serves
where a ledger without rules is wanted: benchmarks, a stand-by that only records, the proofs of durability.
"""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Engine

from bridge.wire.control import Ack, Pulse, Reply
from server.ingest.presence import PresenceEvent
from server.store import inbox, incarnation, ledger
from server.store.engine import reading, writing
from server.store.inbox import Delivery, NewFact, Taken


class Recorder:
    """A `Writer` over one store. `now`: milliseconds since the Unix epoch."""

    def __init__(
        self,
        engine: Engine,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        chance: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._engine = engine
        self._now, self._chance = now, chance
        self._lock = threading.Lock()
        self.refusals: list[tuple[str, str]] = []
        """The last messages that could not be read."""
        with writing(engine) as connection:
            self.incarnation = incarnation.begin(connection, now(), chance=chance)

    def take(self, frames: Sequence[Delivery]) -> Sequence[Ack]:
        """See Writer."""
        acks: list[Ack] = []
        found: list[ledger.Record] = []
        with self._lock, writing(self._engine) as connection:
            for agent, frame, received_at, _ in frames:
                taken = inbox.take(connection, agent, frame, received_at)
                found += records(agent, frame.stream, taken, received_at)
                acks.append(taken.ack(self.incarnation))
            ledger.append(connection, found)
        return acks

    def cursor(self, agent: str, stream: str) -> Ack:  # noqa: ARG002
        """See Writer."""
        with reading(self._engine) as connection:
            return inbox.standing(connection, stream, self.incarnation)

    def presence(self, event: PresenceEvent) -> None:
        """See Writer."""

    def pulse(self, agent: str, pulse: Pulse, received_at: int) -> None:
        """See Writer."""

    def reply(self, agent: str, reply: Reply) -> None:
        """See Writer."""

    def refused(self, topic: str, why: str) -> None:
        """See Writer."""
        self.refusals = [*self.refusals[-99:], (topic, why)]

    def reborn(self, above: int) -> int:
        """See Writer."""
        with self._lock, writing(self._engine) as connection:
            self.incarnation = incarnation.begin(connection, self._now(), above=above, chance=self._chance)
        return self.incarnation


def records(agent: str, stream: str, taken: Taken, at: int) -> list[ledger.Record]:
    """What a frame brought, as records: gaps and forks first, then facts and quarantined entries in their order."""
    who = f"agent:{agent}"
    said = []
    for gap in taken.gaps:
        lost = {"stream": stream, "from": gap.first, "through": gap.last}
        said.append(ledger.Record(at=at, kind="stream.gap", who=who, body=lost))
    if taken.forked:
        said.append(ledger.Record(at=at, kind="stream.forked", who=who, body={"stream": stream, "seqs": taken.forked}))
    if taken.moved_from is not None:
        moved = {"stream": stream, "from": taken.moved_from, "to": agent}
        said.append(ledger.Record(at=at, kind="stream.moved", who=who, body=moved))
    for new in taken.new:
        body: dict[str, Any] = {"agent": agent, "entry": new.id}
        if isinstance(new, NewFact):
            kind = f"fact.{new.kind}"
            body |= {"machine": new.machine, "at": new.at.model_dump(), "body": new.body}
        else:
            kind = "fact.quarantined"
            body |= {"why": new.why, "raw": new.raw}
        said.append(ledger.Record(at=at, kind=kind, who=who, body=body, stream=new.stream, seq=new.seq))
    return said
