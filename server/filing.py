"""Between what happened (the core's words) and the ledger's records. Nothing is decided here.

The invariant: reading back a record that was made from an event gives the same event, position and all.
"""

import json
from typing import Any

from server.core.venue.events import Event, FactQuarantined, FactTaken, GameMatched, MachineAssigned, StreamGap
from server.core.venue.filing import Happened, body_of, kind_of, read_event
from server.core.venue.tables import made_of
from server.store.inbox import Gap, NewFact, Quarantined
from server.store.ledger import Record
from server.timebase import Moment

COMMAND = "_"
"""Where a record's body keeps the idempotency key, the request's digest and the result of its command."""
RAW_LIMIT = 4096
"""Characters of a quarantined entry that are kept for eyes."""


def to_record(happened: Happened) -> Record:
    """The record to append; its position is given by the ledger."""
    event = happened.event
    body = body_of(event)
    stream, seq = None, None
    if isinstance(event, FactTaken):
        stream, seq = body.pop("stream"), body.pop("seq")
    elif isinstance(event, FactQuarantined):
        stream, seq = event.stream, event.seq
    elif isinstance(event, StreamGap):
        stream = event.stream
    if happened.key is not None:
        body[COMMAND] = {"key": happened.key, "request": happened.request, "result": dict(happened.result or {})}
    return Record(
        at=happened.at,
        kind=kind_of(event),
        who=happened.who,
        tournament=tournament_of(event),
        body=body,
        stream=stream,
        seq=seq,
    )


def from_record(record: Record) -> Happened | None:
    """What happened, or None where this program does not know the kind."""
    return read_row(record.position, record.at, record.kind, record.who, {**record.body}, record.stream, record.seq)


def read_row(
    position: int, at: int, kind: str, who: str, body: dict[str, Any], stream: str | None, seq: int | None
) -> Happened | None:
    """The same from a record's columns: a start reads the whole ledger, and every object less is felt."""
    command = body.pop(COMMAND, None)
    if stream is not None and "stream" not in body:
        body["stream"], body["seq"] = stream, seq
    event = read_event(kind, body)
    if event is None:
        return None
    fields = {"position": position, "at": at, "who": who, "event": event, "key": None, "request": None, "result": None}
    if command is not None:
        fields.update(command)
    return made_of(Happened, fields)


def tournament_of(event: Event) -> str | None:
    """The tournament that an event belongs to, if any."""
    if isinstance(event, GameMatched | MachineAssigned):
        return event.place.tournament
    return getattr(event, "tournament", None)


def fact_of(new: NewFact, moment: Moment) -> FactTaken:
    """A new fact of the inbox in the core's words."""
    return FactTaken(
        fact=new.kind,
        agent=new.agent,
        machine=new.machine,
        entry=new.id,
        stream=new.stream,
        seq=new.seq,
        boot=new.at.boot,
        mono_ms=new.at.mono_ms,
        when=moment.ms,
        certain=moment.certain,
        uncertain=moment.uncertain,
        body=new.body,
    )


def quarantine_of(bad: Quarantined) -> FactQuarantined:
    """An entry that could not be understood."""
    raw = json.dumps(bad.raw, ensure_ascii=True, separators=(",", ":"))[:RAW_LIMIT]
    return FactQuarantined(agent=bad.agent, stream=bad.stream, seq=bad.seq, why=bad.why, raw=raw)


def gap_of(agent: str, gap: Gap) -> StreamGap:
    """Entries that are lost."""
    return StreamGap(agent=agent, stream=gap.stream, first=gap.first, through=gap.last)
