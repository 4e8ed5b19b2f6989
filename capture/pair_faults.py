"""Malfunction signals of several sources of one machine: each said once, with the source named.

Here: which fault is open by whose word. Not here: what makes one (`faults`, each source's own capture). Invariant:
between two `FaultRaised` of one name there is a `FaultCleared` of it.
"""

from dataclasses import replace

from capture.faults import FAULTS, FaultKind
from capture.signals import FaultCleared, FaultRaised, Scores, Signal

SAME_MS = 10_000
"""A fault of a ball that another source says so soon after the first is the same one."""
_PLAIN = FaultKind()


class JointFaults:
    """The open faults, each with the sources that say it."""

    def __init__(self) -> None:
        self._open: dict[str, set[int]] = {}
        self._last: dict[str, tuple[int, int]] = {}
        """When a fault was raised last, and by which source."""

    def raise_(self, source: int, name: str, raised: FaultRaised, game: str | None, scores: Scores) -> list[Signal]:
        """A source says a fault: said with its name, and nothing where it is open already."""
        fault, kind = raised.fault, FAULTS.get(raised.fault, _PLAIN)
        if fault in self._open:
            self._open[fault].add(source)
            return []
        at, who = self._last.get(fault, (0, source))
        if (kind.moment or kind.in_ball) and who != source and raised.at - at < SAME_MS:
            return []
        self._open[fault] = {source}
        self._last[fault] = (raised.at, source)
        detail = ": ".join(filter(None, (name, raised.detail)))
        return [replace(raised, game=game, scores=scores if game else (), detail=detail)]

    def clear(self, source: int, cleared: FaultCleared, game: str | None, scores: Scores) -> list[Signal]:
        """A source says that a fault is over: it is when none says otherwise."""
        sources = self._open.get(cleared.fault, set())
        if source not in sources:
            return []
        sources.discard(source)
        if sources:
            return []
        del self._open[cleared.fault]
        return [replace(cleared, game=game, scores=scores if game else ())]

    def clear_game(self, at: int, game: str) -> list[Signal]:
        """The game is over, and with it what can only be wrong in a game."""
        over = [fault for fault in self._open if FAULTS.get(fault, _PLAIN).in_game]
        for fault in over:
            del self._open[fault]
        return [FaultCleared(at=at, fault=fault, game=game) for fault in over]

    def forget(self, source: int, at: int) -> list[Signal]:
        """A source is no more: its faults are nobody's."""
        said: list[Signal] = []
        for fault in list(self._open):
            said += self.clear(source, FaultCleared(at=at, fault=fault, detail="the reader began anew"), None, ())
        return said

    def of(self, source: int) -> set[str]:
        """What a source says is wrong now."""
        return {fault for fault, sources in self._open.items() if source in sources}
