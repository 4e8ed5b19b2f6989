"""What the writer does within one transaction: a command decided, frames taken, an alarm recorded.

Pure with regard to threads: the desk calls these in its own. The invariant: what is appended is exactly what evolved.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bridge.wire.control import Ack
from server.core.venue import troubles
from server.core.venue.book import Book
from server.core.venue.closing import Silence
from server.core.venue.codec import encode
from server.core.venue.commands import Command, RecordEntry, SettleStage
from server.core.venue.decide import decide
from server.core.venue.events import Event
from server.core.venue.facts import decide_fact
from server.core.venue.filing import Happened
from server.core.venue.outcomes import Actor, Conflict, Done, Outcome, Refused
from server.core.venue.state import State
from server.core.venue.values import Json
from server.filing import fact_of, gap_of, quarantine_of, to_record
from server.store.database import Writing
from server.store.inbox import Delivery, NewFact, Taken
from server.store.ledger import Record
from server.timebase import Timebase


@dataclass(slots=True)
class Work:
    """One transaction's work: the draft of the state and what is to be appended."""

    state: State
    book: Book
    writing: Writing
    now: int
    evolve: Callable[[State, Happened], State]
    silent: Callable[[], tuple[Silence, ...]] = tuple
    """Agents that are not heard now."""
    happened: list[Happened] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    incarnation: int = 0

    def record(
        self,
        event: Event,
        who: str,
        *,
        key: str | None = None,
        request: str | None = None,
        result: Json | None = None,
    ) -> None:
        """File an event and let the draft evolve."""
        happened = Happened(
            position=self.state.position + 1,
            at=self.now,
            who=who,
            event=event,
            key=key,
            request=request,
            result=result,
        )
        self.records.append(to_record(happened))
        self.happened.append(happened)
        self.evolve(self.state, happened)


def submit_command(work: Work, command: Command, actor: Actor, key: str | None) -> Outcome:
    """Decide on a command; a key that was used before gives its outcome again."""
    named = None if key is None else f"{actor.name}:{key}"
    request = None if key is None else _digest(command)
    deed = work.state.deeds.get(named) if named is not None else None
    if deed is not None:
        if deed.request != request:
            return Refused(why="this idempotency key was used for another command", status="invalid")
        return Done(position=deed.position, result=deed.result, again=True)
    if isinstance(command, RecordEntry | SettleStage):
        command = replace(command, silent=work.silent())
    decision = decide(work.state, command, actor, work.now, work.book)
    if isinstance(decision, Refused | Conflict):
        return decision
    *before, last = decision.events
    for event in before:
        work.record(event, actor.name)
    work.record(last, actor.name, key=named, request=request, result=decision.result if named else None)
    return Done(position=work.state.position, result=decision.result)


def take_frames(work: Work, frames: Sequence[Delivery], timebase: Timebase) -> list[Ack]:
    """Take frames: new facts are recorded with what follows from them."""
    acks = []
    for agent, frame, received_at, old in frames:
        if not old:
            timebase.observe(frame.sent.boot, frame.sent.mono_ms, received_at)
        taken = work.writing.take(agent, frame, received_at)
        _record_troubles(work, agent, taken)
        for new in taken.new:
            if isinstance(new, NewFact):
                _record_fact(work, new, timebase)
            else:
                work.record(quarantine_of(new), f"agent:{agent}")
                _alarm(work, agent, troubles.STRANGE, f"an entry was not understood: {new.why}")
        acks.append(taken.ack(work.writing.incarnation))
    return acks


def record_alarm(work: Work, agent: str, fault: str, detail: str) -> None:
    """A desk alarm about an agent, once while it is open."""
    _alarm(work, agent, fault, detail)


def reincarnate(work: Work, above: int) -> int:
    """A new incarnation."""
    return work.writing.begin(work.now, above)


def _record_fact(work: Work, new: NewFact, timebase: Timebase) -> None:
    moment = timebase.convert(new.at.boot, new.at.mono_ms, new.received_at)
    fact = fact_of(new, moment)
    who = f"agent:{new.agent}"
    followed = decide_fact(work.state, fact, work.book)
    work.record(fact, who)
    for event in followed:
        work.record(event, who)


def _record_troubles(work: Work, agent: str, taken: Taken) -> None:
    for gap in taken.gaps:
        work.record(gap_of(agent, gap), f"agent:{agent}")
        _alarm(work, agent, troubles.LOST, f"entries {gap.first} to {gap.last} of {agent} are lost for ever")
    if taken.forked:
        seqs = ", ".join(str(seq) for seq in taken.forked)
        _alarm(work, agent, troubles.FORKED, f"{agent} said two things under one number ({seqs}): a copied card?")
    if taken.moved_from is not None:
        _alarm(work, agent, troubles.MOVED, f"{agent} goes on with the outbox of {taken.moved_from}")


def _alarm(work: Work, agent: str, fault: str, detail: str) -> None:
    for event in troubles.alarm(work.state, agent, fault, detail):
        work.record(event, "server")


def _digest(command: Command) -> str:
    text = json.dumps([type(command).__name__, encode(command)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
