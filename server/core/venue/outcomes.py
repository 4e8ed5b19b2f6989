"""What comes of a command: a decision, or a refusal or a conflict that a person understands. No rules live here."""

from dataclasses import dataclass, field
from typing import Any, Literal

from server.core.venue.events import Event
from server.core.venue.values import Json

Role = Literal["admin", "official", "scorekeeper", "desk", "captain", "viewer"]
ROLES: tuple[Role, ...] = ("admin", "official", "scorekeeper", "desk", "captain", "viewer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who wants something, and as what. `player` is who that is among the players, as the account says."""

    name: str
    roles: frozenset[str] = frozenset()
    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the command makes happen. `result` names what was made: `{"number": 7, "game": "g3"}`."""

    events: tuple[Event, ...]
    result: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing happened. `status` is `refused` (against the rules or the state), `forbidden` (the role may not),
    `missing` (no such thing) or `invalid` (the command makes no sense). `why` is for the person.
    """

    why: str
    status: Literal["refused", "forbidden", "missing", "invalid"] = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Nothing happened: the thing has changed since. `newer` is what it is now and who decided it, when."""

    why: str
    newer: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """It is committed. `position` is the ledger position of the last event; `again` says that an earlier send of
    the same command (same idempotency key) had done it.
    """

    position: int
    result: Json = field(default_factory=dict)
    again: bool = False


Outcome = Done | Refused | Conflict
