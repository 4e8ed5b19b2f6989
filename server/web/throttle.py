"""Slows down guessing of passwords. Pure: time is an argument. Nothing here knows whether a password was right.

Each wrong try counts against the name at that address, against the address, and against the name; beyond what is free,
the wait doubles up to its limit. The one invariant: memory is bounded, whatever names and addresses are tried.
"""

from collections import OrderedDict
from dataclasses import dataclass

FORGET = 900.0
"""Seconds after the last wrong try when it is forgotten."""
KEPT = 10_000
"""Names and addresses remembered at most; the ones quiet for longest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """`free` wrong tries cost nothing; each further one doubles the wait, up to `longest` seconds."""

    free: int
    longest: float


# A hall sits behind one address and a person's name is no secret: those two slow down late and little, so that
# nobody can lock an official out; the pair of both is what a guesser at one tablet meets.
PAIR = Limit(free=5, longest=300.0)
ADDRESS = Limit(free=30, longest=60.0)
NAME = Limit(free=30, longest=10.0)


class Throttle:
    """Counts wrong tries. Times are seconds of any steady clock."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()

    def wait(self, name: str, address: str, *, now: float) -> float:
        """Seconds until this name may try again from this address; 0 when it may now."""
        return max(self._wait(key, limit, now) for key, limit in _keys(name, address))

    def wrong(self, name: str, address: str, *, now: float) -> None:
        """Note a wrong try."""
        for key, _ in _keys(name, address):
            count, last = self._wrong.pop(key, (0, now))
            self._wrong[key] = (1 if now - last > FORGET else count + 1, now)
        while len(self._wrong) > KEPT:
            self._wrong.popitem(last=False)

    def right(self, name: str, address: str) -> None:
        """The try just noted as wrong was right: it is taken back, and the name at this address starts afresh."""
        (pair, _), *others = _keys(name, address)
        self._wrong.pop(pair, None)
        for key, _ in others:
            count, last = self._wrong.get(key, (0, 0.0))
            if count:
                self._wrong[key] = (count - 1, last)

    def _wait(self, key: tuple[str, str], limit: Limit, now: float) -> float:
        count, last = self._wrong.get(key, (0, now))
        if count < limit.free or now - last > FORGET:
            return 0.0
        return max(0.0, last + min(limit.longest, 2.0 ** min(30, count - limit.free + 1)) - now)


def _keys(name: str, address: str) -> tuple[tuple[tuple[str, str], Limit], ...]:
    who = name.strip().casefold()[:100]
    return (((who, address), PAIR), (("", address), ADDRESS), ((who, ""), NAME))
