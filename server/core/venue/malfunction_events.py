"""What happens about malfunctions: opened, noted while a power cycle was announced, acknowledged, closed.

Events as in `events`, which gives them out with all others. The invariant: fields are only ever added, with a default.
"""

from dataclasses import dataclass

from server.core.venue.codec import event
from server.core.venue.values import Score


@event("malfunction.opened")
@dataclass(frozen=True, kw_only=True)
class MalfunctionOpened:
    """A malfunction signal or a desk alarm, open until it is closed. `source`: `agent`, `desk` or `manual`."""

    malfunction: str
    fault: str
    source: str
    machine: str | None = None
    agent: str | None = None
    game: str | None = None
    player: int | None = None
    ball: int | None = None
    scores: tuple[Score, ...] = ()
    evidence: str | None = None
    detail: str | None = None


@event("malfunction.closed")
@dataclass(frozen=True, slots=True, kw_only=True)
class MalfunctionClosed:
    """The malfunction is over; it stays in the list of what was."""

    malfunction: str
    why: str | None = None


@event("malfunction.acknowledged")
@dataclass(frozen=True, slots=True, kw_only=True)
class MalfunctionAcknowledged:
    """Somebody has seen it."""

    malfunction: str
    note: str | None = None


@event("malfunction.noted")
@dataclass(frozen=True, kw_only=True)
class MalfunctionNoted(MalfunctionOpened):
    """A signal that an announced power cycle explains: it calls nobody before `until`, ms since 1970 UTC, if it still
    stands then.
    """

    until: int = 0


@event("machine.planned")
@dataclass(frozen=True, slots=True, kw_only=True)
class PowerCyclePlanned:
    """The desk announced that these machines lose their power on purpose until then; `until` in the past ends it."""

    machines: tuple[str, ...]
    until: int
    why: str | None = None
