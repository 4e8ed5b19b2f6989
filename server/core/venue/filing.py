"""How events are filed in the ledger: kind and body, and back.

Nothing is decided here. The invariant: `read_event(kind_of(e), body_of(e)) == e`, for ever.
"""

from dataclasses import dataclass, fields
from typing import Any

from server.core.venue.codec import KINDS, decode, encode
from server.core.venue.events import EntriesImported, Event, FactTaken
from server.core.venue.tables import made_of
from server.core.venue.values import Json


@dataclass(frozen=True, kw_only=True)
class Happened:
    """An event in its place in the ledger. `who` is a person's name or `agent:NAME`; `at` is ms since 1970 UTC."""

    position: int
    at: int
    who: str
    event: Event
    key: str | None = None
    request: str | None = None
    result: Json | None = None


def kind_of(event: Event) -> str:
    """The kind string under which the ledger files the event."""
    return "fact." + event.fact if isinstance(event, FactTaken) else _KIND_OF[type(event)]


def body_of(event: Event) -> dict[str, Any]:
    """The JSON body of the event."""
    if isinstance(event, FactTaken):
        return {name: getattr(event, name) for name in _FACT}
    if isinstance(event, EntriesImported):  # thousands of entries that are plain already
        return {name: getattr(event, name) for name in _IMPORTED}
    body: dict[str, Any] = encode(event)
    return body


def read_event(kind: str, body: Json) -> Event | None:
    """The event that the ledger filed under this kind, or None where this program does not know it."""
    if kind.startswith("fact.") and kind != "fact.quarantined":
        fields = dict(body)
        fields["fact"] = kind[5:]
        return made_of(FactTaken, fields)
    found: Event | None = decode(kind, body)
    return found


_FACT = tuple(field.name for field in fields(FactTaken) if field.name != "fact")
_IMPORTED = tuple(field.name for field in fields(EntriesImported))
_KIND_OF = {cls: kind for kind, cls in KINDS.items()}
