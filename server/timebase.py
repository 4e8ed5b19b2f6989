"""The server owns time: (boot, milliseconds since boot) of an agent becomes the server's milliseconds since 1970 UTC.

For each boot the offset is the least of (received − mono) over a sliding window: the message that travelled fastest
tells best. No clock is read here. The invariant: without a recent observation of the same boot no time is certain.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass, field

WINDOW_MS = 600_000
"""How long an observation counts: long enough to meet a fast message, short enough for a drifting crystal."""
SLOT_MS = 30_000
"""Observations are kept as one minimum per slot of this length."""
BOOTS = 1024
"""Boots remembered, the least recently heard of go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A time by the server's clock. `uncertain` is how far the window's observations disagree, in ms."""

    ms: int
    uncertain: int
    certain: bool


@dataclass(slots=True)
class _Boot:
    slots: deque[tuple[int, int]] = field(default_factory=deque)
    """(number of the slot, least offset in it), oldest first."""


class Timebase:
    """The offsets of all boots that were heard."""

    def __init__(self) -> None:
        self._boots: OrderedDict[str, _Boot] = OrderedDict()

    def observe(self, boot: str, mono_ms: int, received_ms: int) -> None:
        """A message that left at `mono_ms` of this boot came in at `received_ms` of the server."""
        if mono_ms > received_ms:
            return  # booted before 1970: the clock is broken and tells nothing
        found = self._boots.setdefault(boot, _Boot())
        self._boots.move_to_end(boot)
        while len(self._boots) > BOOTS:
            self._boots.popitem(last=False)
        number, offset = received_ms // SLOT_MS, received_ms - mono_ms
        if found.slots and found.slots[-1][0] >= number:
            last, least = found.slots[-1]
            found.slots[-1] = (last, min(least, offset))
        else:
            found.slots.append((number, offset))
        while found.slots[0][0] < number - WINDOW_MS // SLOT_MS:
            found.slots.popleft()

    def convert(self, boot: str, mono_ms: int, received_ms: int) -> Moment:
        """When something happened at `mono_ms` of this boot; the time of receipt, not certain, for an unknown boot or a
        broken clock.

        Nothing happens after it was heard of: the result is never later than `received_ms`.
        """
        found = self._boots.get(boot)
        if found is None or mono_ms > received_ms:
            return Moment(ms=received_ms, uncertain=0, certain=False)
        offsets = [offset for _, offset in found.slots]
        least = min(offsets)
        return Moment(ms=min(received_ms, mono_ms + least), uncertain=offsets[-1] - least, certain=True)
