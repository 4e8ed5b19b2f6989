"""Times of the desk: milliseconds since 1970 UTC, their text, and how far they can be trusted.

No clock is read. The invariant: what cannot be known about a time is part of the answer, never rounded away.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from server.core.venue.things import Game
from server.core.venue.values import Json

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - the name works in every supported Python
_LATEST = 253_370_764_800_000
"""The beginning of 9999: every time zone still has it."""
QUICKEST_MS = 100
"""Even the message that travelled fastest travelled: something may have happened this much before its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A time that lies from `early` to `late`, both included."""

    early: int
    late: int

    def words(self) -> str:
        """For people: one time, or both."""
        if self.late - self.early <= 2 * QUICKEST_MS:
            return moment(self.late)
        return f"{moment(self.early)} to {moment(self.late)}" if self.early > 0 else f"{moment(self.late)} or before"


def in_calendar(ms: int) -> int:
    """The nearest time that every calendar has, 1970 to 9999: what an agent's broken clock brought must be showable."""
    return min(max(ms, 0), _LATEST)


def moment(ms: int) -> str:
    """Milliseconds since 1970 as RFC 3339 UTC, whatever the number is."""
    return to_time(ms).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_time(ms: int) -> datetime:
    """Milliseconds since 1970 as a time in UTC."""
    return _EPOCH + timedelta(milliseconds=in_calendar(ms))


def to_ms(when: datetime) -> int:
    """A time with its zone as milliseconds since 1970."""
    return (when - _EPOCH) // timedelta(milliseconds=1)


def read_moment(text: object) -> int | None:
    """A text with date, time and offset as milliseconds since 1970; None where it is not one."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return None if found is None or found.tzinfo is None else to_ms(found)


def span_of(entry: Json) -> tuple[int, int] | None:
    """From when until when a recorded game was played, where its entry says both with their offset."""
    start, end = read_moment(entry.get("started_at")), read_moment(entry.get("at"))
    return None if start is None or end is None or start > end else (start, end)


def began(game: Game) -> Between:
    """When a captured game began, as far as it is known: before it ended, where nobody heard it begin."""
    if game.started is None:
        return Between(early=0, late=ended(game).late)
    return _between(game.started, game.started_within, certain=game.started_certain)


def ended(game: Game) -> Between:
    """When a captured game ended, as far as it is known."""
    return _between(game.ended, game.ended_within, certain=game.ended_certain)


def _between(ms: int | None, within: int, *, certain: bool) -> Between:
    if ms is None:
        return Between(early=0, late=_LATEST)
    return Between(early=max(0, ms - within - QUICKEST_MS) if certain else 0, late=ms + within)
