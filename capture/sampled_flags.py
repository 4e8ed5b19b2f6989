"""Tilts, slams, warnings and the service menu, as they are seen by looking again and again.

Invariant: what was so for less than the profile's dwell is not said, and what stands is said once.
"""

from capture import hints as h
from capture.sampled import MachineState, Streak


class Flags:
    """The flags of one machine, in games and between them."""

    def __init__(self, dwell_ms: int) -> None:
        self._dwell = dwell_ms
        self._known: dict[str, int] = {}
        self._other: dict[str, Streak[int]] = {}

    @property
    def unsettled(self) -> bool:
        """Something waits to be seen again."""
        return bool(self._other)

    @property
    def service(self) -> bool:
        """Somebody is in the service menu."""
        return bool(self._known.get("service-mode"))

    @property
    def slammed(self) -> bool:
        """The machine was slammed, and says so still."""
        return bool(self._known.get("slam-tilt"))

    def forget(self) -> None:
        """A new conversation: what stands now is not news."""
        self._known.clear()
        self._other.clear()

    def see(self, state: MachineState) -> list[h.Hint]:
        """Take a state: what has changed for long enough."""
        hints: list[h.Hint] = []
        flags = (("tilt", state.tilted), ("slam-tilt", state.slam_tilted), ("service-mode", state.service))
        for fault, flag in flags:
            if (turned := self._settle(fault, None if flag is None else int(flag), state.at)) is not None:
                before, now, at = turned
                hints += [_say(fault, at, on=bool(now))] if now != (before or 0) else []
        if (turned := self._settle("tilt-warning", state.warnings, state.at)) is not None:
            before, now, at = turned
            if before is not None and now > before:
                hints.append(h.Trouble(at=at, fault="tilt-warning", detail=f"{now} so far"))
        return hints

    def _settle(self, name: str, value: int | None, at: int) -> tuple[int | None, int, int] | None:
        """The value before, the one that is now believed, and since when; None where nothing has changed."""
        known, other = self._known.get(name), self._other.get(name)
        if value is None or value == known:
            self._other.pop(name, None)
            return None
        if other is None or other.value != value:
            self._other[name] = Streak(value, at, at)
            return None
        other.again(at)
        if not other.lasted(self._dwell):
            return None
        self._known[name] = value
        del self._other[name]
        return known, value, other.since


def _say(fault: str, at: int, *, on: bool) -> h.Hint:
    return h.Trouble(at=at, fault=fault) if on else h.Relief(at=at, fault=fault)
