"""Taking frames: which facts are new, which are known, which came too early, which are lost. One transaction a batch.

Law: a fact becomes new exactly once, by its id; a stream's facts become new in the order of their seq; what is gone for
ever is said as a `Gap`. An entry that breaks the rules becomes `Quarantined` and moves the cursor like any other.
The caller appends what follows from it to the ledger in the same transaction, commits, and only then acknowledges.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bridge.errors import WireInvalid
from bridge.wire.control import Ack
from bridge.wire.facts import read_fact
from bridge.wire.frame import At, Entry, Frame, Sent, Unreadable
from bridge.wire.strict import Uuid, WireModel
from server.store.schema import fact, parked, stream

PARKED_LIMIT = 1024
"""Entries kept for one stream that came too early; more are let go, since the agent sends them again."""


class Delivery(NamedTuple):
    """A frame as it came."""

    agent: str
    frame: Frame
    received_at: int
    """Milliseconds since the Unix epoch, by the server."""
    old: bool = False
    """It lay at the broker since nobody knows when: its time of receipt tells nothing of the agent's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """A fact that the ledger does not have yet; its body is as `fact` (checked) and `body` (as it came) say."""

    agent: str
    stream: str
    seq: int
    id: str
    kind: str
    machine: str | None
    at: At
    body: Mapping[str, Any]
    fact: WireModel
    sent: Sent
    """The agent's clock when it sent the frame, to go with `received_at`."""
    received_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """An entry that breaks the rules: kept as it came, shown at the desk, never understood."""

    agent: str
    stream: str
    seq: int
    id: str
    why: str
    raw: Mapping[str, Any]
    received_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The entries `first` to `last` of this stream are lost: neither agent nor server has them."""

    stream: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What one frame brought."""

    stream: str
    new: tuple[NewFact | Quarantined, ...]
    """In the order in which they belong in the ledger."""
    gaps: tuple[Gap, ...]
    """To be recorded before `new`."""
    through: int
    """The cursor: what to acknowledge once this is committed."""
    parked: int
    """Entries of this stream that wait for earlier ones."""
    forked: tuple[int, ...] = ()
    """Seqs under which another fact was known: a copied or rolled-back card. The facts are in `new` all the same."""
    moved_from: str | None = None
    """The agent that this stream belonged to until now."""
    entry: str | None = None
    """The id of the entry at the cursor; None where that one is lost."""

    def ack(self, incarnation: int) -> Ack:
        """What to tell the agent once this is committed."""
        return Ack(incarnation=incarnation, stream=self.stream, through=self.through, entry=self.entry)


_STANDING = select(stream.c.through, stream.c.entry).where(stream.c.stream == bindparam("of"))
_CURSOR = (
    select(stream.c.through, stream.c.entry, stream.c.agent).where(stream.c.stream == bindparam("of")).with_for_update()
)
_WAITING = select(parked).where(parked.c.stream == bindparam("of"), parked.c.seq > bindparam("beyond"))
_KNOWN = select(fact.c.id).where(fact.c.id.in_(bindparam("names", expanding=True)))
_MOVE = (
    update(stream)
    .where(stream.c.stream == bindparam("of"))
    .values({name: bindparam(f"new_{name}") for name in ("through", "entry", "last_at", "agent")})
)


class _Item(NamedTuple):
    entry: Entry | Unreadable
    sent: Sent
    received_at: int


def standing(connection: Connection, stream_id: str, incarnation: int) -> Ack:
    """Where a stream stands: what to answer an agent's birth with."""
    row = connection.execute(_STANDING, {"of": stream_id}).one_or_none()
    through, entry = (0, None) if row is None else row
    return Ack(incarnation=incarnation, stream=stream_id, through=through, entry=entry)


def through(connection: Connection, stream_id: str) -> int:
    """The stream's cursor; 0 for a stream that was never met."""
    return standing(connection, stream_id, 1).through


def take(connection: Connection, agent: str, frame: Frame, received_at: int) -> Taken:
    """Take one frame in the caller's open writing transaction: move the cursor, and say what is new.

    Frames may come doubled, in any order, from any past: taking one again changes nothing.
    """
    cursor, entry, owner = _cursor(connection, agent, frame.stream, received_at)
    items = {entry.seq: _Item(entry, frame.sent, received_at) for entry in frame.entries}
    late = [items.pop(seq) for seq in [*items] if seq <= cursor]
    waiting = _waiting(connection, frame.stream, cursor)
    other = [seq for seq in items if seq in waiting and not _same(frame.stream, items[seq], waiting[seq])]
    late += [waiting.pop(seq) for seq in other]
    items = {**waiting, **items}

    ordered, gaps, reached = _advance(items, cursor, frame)
    new, forked = _unknown(connection, agent, frame.stream, late, ordered)
    done = [*other, *(seq for seq in waiting if seq <= reached)]
    if done:
        connection.execute(delete(parked).where(parked.c.stream == frame.stream, parked.c.seq.in_(done)))
    early = [items[seq] for seq in sorted(items) if seq > reached and seq not in waiting]
    kept = _park(connection, frame.stream, early, len(waiting))
    if reached > cursor:
        ends_with = ordered[-1].entry if ordered and ordered[-1].entry.seq == reached else None
        entry = None if ends_with is None else _name(frame.stream, ends_with)
        moved = {"new_through": reached, "new_entry": entry, "new_last_at": received_at, "new_agent": agent}
        connection.execute(_MOVE, {"of": frame.stream, **moved})
    still = sum(1 for seq in waiting if seq > reached)
    return Taken(
        stream=frame.stream,
        entry=entry,
        new=tuple(new),
        gaps=tuple(gaps),
        through=reached,
        parked=still + kept,
        forked=tuple(sorted({*forked, *other})),
        moved_from=owner if owner != agent else None,
    )


def _cursor(connection: Connection, agent: str, stream_id: str, received_at: int) -> tuple[int, str | None, str]:
    row = connection.execute(_CURSOR, {"of": stream_id}).one_or_none()
    if row is not None:
        return int(row.through), row.entry, str(row.agent)
    born = {"stream": stream_id, "agent": agent, "through": 0, "first_at": received_at, "last_at": received_at}
    connection.execute(insert(stream), born)
    return 0, None, agent


def _waiting(connection: Connection, stream_id: str, cursor: int) -> dict[int, _Item]:
    rows = connection.execute(_WAITING, {"of": stream_id, "beyond": cursor})
    return {row.seq: _Item(_restored(row.entry), Sent.read(row.sent), row.received_at) for row in rows}


def _advance(items: Mapping[int, _Item], cursor: int, frame: Frame) -> tuple[list[_Item], list[Gap], int]:
    """What may be taken now, in order; below the frame's floor without waiting for what no longer exists."""
    ordered: list[_Item] = []
    gaps: list[Gap] = []
    reached = cursor
    for seq in sorted(items):
        if seq > reached + 1:
            lost = min(seq, frame.floor) - 1
            if lost > reached:
                gaps.append(Gap(stream=frame.stream, first=reached + 1, last=lost))
                reached = lost
            if seq > reached + 1:
                break
        ordered.append(items[seq])
        reached = seq
    return ordered, gaps, reached


def _unknown(
    connection: Connection, agent: str, stream_id: str, late: Sequence[_Item], ordered: Sequence[_Item]
) -> tuple[list[NewFact | Quarantined], list[int]]:
    named = [(_name(stream_id, item.entry), item) for item in (*late, *ordered)]
    if not named:
        return [], []
    known = set(connection.scalars(_KNOWN, {"names": [name for name, _ in named]}))
    fresh: dict[str, _Item] = {}
    for name, item in named:
        if name not in known:
            fresh.setdefault(name, item)
    if not fresh:
        return [], []
    forked = _taken_seqs(connection, stream_id, [item.entry.seq for item in late if item in fresh.values()])
    rows = [{"id": name, "stream": stream_id, "seq": item.entry.seq} for name, item in fresh.items()]
    connection.execute(insert(fact), rows)
    return [_new(agent, stream_id, name, item) for name, item in fresh.items()], forked


def _taken_seqs(connection: Connection, stream_id: str, seqs: Sequence[int]) -> list[int]:
    if not seqs:
        return []
    query = select(fact.c.seq).where(fact.c.stream == stream_id, fact.c.seq.in_(seqs)).distinct()
    return sorted(connection.scalars(query))


def _park(connection: Connection, stream_id: str, early: Iterable[_Item], already: int) -> int:
    rows = [
        {
            "stream": stream_id,
            "seq": item.entry.seq,
            "entry": item.entry.model_dump(),
            "sent": item.sent.model_dump(),
            "received_at": item.received_at,
        }
        for item in early
    ][: max(0, PARKED_LIMIT - already)]
    if rows:
        connection.execute(insert(parked), rows)
    return len(rows)


def _restored(raw: dict[str, Any]) -> Entry | Unreadable:
    return Unreadable.read(raw) if "raw" in raw and "why" in raw else Entry.read(raw)


def _same(stream_id: str, one: _Item, other: _Item) -> bool:
    return _name(stream_id, one.entry) == _name(stream_id, other.entry)


def _name(stream_id: str, entry: Entry | Unreadable) -> str:
    """The fact's id; for an entry that does not give a proper one, a name made from where it lies."""
    if isinstance(entry, Entry):
        return entry.id
    try:
        return _UUID.validate_python(entry.raw.get("id"), strict=True)
    except ValidationError:
        return str(uuid.uuid5(uuid.UUID(stream_id), str(entry.seq)))


def _new(agent: str, stream_id: str, name: str, item: _Item) -> NewFact | Quarantined:
    entry = item.entry
    where: dict[str, Any] = {"agent": agent, "stream": stream_id, "seq": entry.seq, "id": name}
    where["received_at"] = item.received_at
    if isinstance(entry, Unreadable):
        return Quarantined(why=entry.why, raw=entry.raw, **where)
    try:
        model = read_fact(entry.kind, entry.machine, entry.body)
    except WireInvalid as error:
        return Quarantined(why=str(error), raw=entry.model_dump(), **where)
    return NewFact(
        kind=entry.kind, machine=entry.machine, at=entry.at, body=entry.body, fact=model, sent=item.sent, **where
    )


_UUID: TypeAdapter[str] = TypeAdapter(Uuid)
