"""Frames of the durable stream: 1 to 32 entries in the order of their seq, encoded and decoded here.

A fact is known for ever by its entry's `id`; `(stream, seq)` orders and acknowledges it. An entry that cannot be read
inside a frame that can is kept apart as `Unreadable` with its seq, so that it can be quarantined and acknowledged.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError
from pydantic.json_schema import SkipJsonSchema

from bridge.errors import WireInvalid
from bridge.wire.strict import (
    DEPTH_LIMIT,
    WHOLE_LIMIT,
    Boot,
    Count,
    Number,
    Several,
    Uuid,
    Wall,
    WireModel,
    check_depth,
    first_problem,
    read_object,
)
from bridge.wire.topics import Id

ENTRIES = 32
"""Entries a frame may hold."""
FRAME_LIMIT = 65_536
"""Bytes a reader takes."""
SEND_LIMIT = 61_440
"""Bytes a writer fills, so that the whole MQTT packet stays below a broker's limit of 64 KiB."""
ENTRY_LIMIT = 16_384
"""Bytes of one encoded entry."""
BODY_DEPTH = DEPTH_LIMIT - 3
"""A body lies within its entry, the list of entries and the frame."""

Kind = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,20}(\.[a-z0-9-]{1,20}){0,2}$")]


class Sent(WireModel):
    """The agent's clock at the moment of sending: with the time of receipt it places the boot in server time."""

    boot: Boot
    """The kernel's boot id."""
    mono_ms: Count
    """Milliseconds since that boot."""


class At(WireModel):
    """When a fact happened, by the agent's own clock."""

    boot: Boot
    """The kernel's boot id."""
    mono_ms: Count
    """Milliseconds since that boot: never steps."""
    wall: Wall | None = None
    """The Pi's wall clock: evidence only."""
    synced: bool = False
    """Whether the Pi believed its wall clock to be set."""


class Entry(WireModel):
    """One fact."""

    seq: Number
    """1, 2, 3… within the stream."""
    id: Uuid
    """The fact's name for ever, also when another stream has to carry it (a damaged outbox)."""
    kind: Kind
    machine: Id | None = None
    """None for what concerns the agent itself."""
    at: At
    body: dict[str, Any]
    """As `bridge.wire.facts` says for the kind."""


class Unreadable(WireModel):
    """An entry that breaks the rules: `raw` is what came, `why` one line."""

    seq: Number
    why: str
    raw: dict[str, Any]


class Frame(WireModel):
    """A run of one stream's entries, in ascending order of seq."""

    v: Literal[1] = 1
    stream: Uuid
    """Born with the outbox file."""
    floor: Number
    """The lowest seq that the agent still holds: what is below and unknown to the server is gone for ever."""
    sent: Sent
    entries: Annotated[Several[Entry | SkipJsonSchema[Unreadable]], Field(min_length=1, max_length=ENTRIES)]

    @property
    def first(self) -> int:
        """The lowest seq in it."""
        return self.entries[0].seq

    @property
    def last(self) -> int:
        """The highest seq in it."""
        return self.entries[-1].seq


def encode(frame: Frame) -> bytes:
    """The frame as JSON in UTF-8."""
    return frame.encode()


def decode(payload: bytes) -> Frame:
    """Read a frame; raises WireInvalid where not even the stream and each entry's seq can be told.

    A single bad entry does not spoil the others: it comes back as `Unreadable` in its place.
    """
    raw = read_object(payload, FRAME_LIMIT)
    found = raw.get("entries")
    if not isinstance(found, list) or not 1 <= len(found) <= ENTRIES:
        raise WireInvalid(f"entries: a list of 1 to {ENTRIES} is needed")
    halves = b"\\ud" in payload.lower()  # only an escape can bring one, and it seldom does
    entries = tuple(_entry(number, item, halves=halves) for number, item in enumerate(found))
    frame = Frame.read({**raw, "entries": entries})
    if any(later.seq <= earlier.seq for earlier, later in zip(frame.entries, frame.entries[1:], strict=False)):
        raise WireInvalid("entries: their seq must rise")
    if frame.floor > frame.first:
        raise WireInvalid(f"floor {frame.floor} is above the first entry's seq {frame.first}")
    return frame


def entry_size(entry: Entry) -> int:
    """Bytes that the entry takes within a frame."""
    return len(entry.encode()) + 1


def pack(entries: Sequence[Entry], *, stream: str, floor: int, sent: Sent) -> Frame:
    """The longest frame that can be made of the first of these entries within the limits; at least one goes in."""
    return Frame(stream=stream, floor=floor, sent=sent, entries=tuple(_fitting(entries)))


def check_body(body: dict[str, Any]) -> str:
    """The body as JSON text, for storing; raises WireInvalid where it could not be sent."""
    try:
        check_depth(body, BODY_DEPTH)
        text = json.dumps(body, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise WireInvalid(f"body: {error}") from error
    if len(text) > ENTRY_LIMIT - 1024:
        raise WireInvalid(f"body: {len(text)} bytes, more than the {ENTRY_LIMIT - 1024} allowed")
    return text


def _fitting(entries: Iterable[Entry]) -> Iterable[Entry]:
    room = SEND_LIMIT - 400
    for number, entry in enumerate(entries):
        room -= entry_size(entry)
        if number and (room < 0 or number == ENTRIES):
            return
        yield entry


def _entry(number: int, raw: object, *, halves: bool) -> Entry | Unreadable:
    if not isinstance(raw, dict):
        raise WireInvalid(f"entries.{number}: not an object")
    seq = raw.get("seq")
    if type(seq) is not int or not 1 <= seq <= WHOLE_LIMIT:
        raise WireInvalid(f"entries.{number}.seq: a whole number from 1 is needed")
    try:
        found = Entry.model_validate(raw)
    except ValidationError as error:
        return Unreadable(seq=seq, why=first_problem(error), raw=raw)
    if halves and not _is_text(raw):
        return Unreadable(seq=seq, why="half of a character (a lone surrogate) is no text", raw=raw)
    return found


def _is_text(raw: dict[str, Any]) -> bool:
    try:
        json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
