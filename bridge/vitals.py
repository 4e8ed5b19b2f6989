"""The agent's own health: what the pulse carries, and the faults it raises of itself.

Here: when a reading of `hardware.pi` is a fault. Invariant: a fault is raised once until it is cleared, and never
keeps the agent from its work.
"""

from pathlib import Path
from typing import Any

from bridge.clock import Clock, stamp
from bridge.errors import BridgeError
from bridge.leftover import find_agent_faults
from bridge.post import Post
from hardware import pi

DISK_LOW = 200 * 2**20
"""Bytes: below this an official should act."""
DISK_WELL = 2 * DISK_LOW
EARLIEST_WALL_MS = 1_767_225_600_000
"""2026 began: a clock before it was never set."""
EVERY_MS = 10_000
OWN = frozenset({"disk-low", "undervoltage", "clock-unsynced"})
"""Faults that a look at this computer raises and clears."""


class Vitals:
    """Reads this computer's health at most every `EVERY_MS`."""

    def __init__(self, folder: Path, clock: Clock, post: Post) -> None:
        self._folder = folder
        self._clock = clock
        self._post = post
        self._read_at: int | None = None
        self._vitals: dict[str, Any] = {}
        self._raised = find_agent_faults(post.outbox) & OWN
        """What is open, also what a run before left open: it is cleared by the first look that finds it over."""

    def read(self) -> dict[str, Any]:
        """What the pulse carries: `temperature`, `undervoltage`, `disk_free`."""
        now = self._clock.mono_ms()
        if self._read_at is None or now - self._read_at >= EVERY_MS:
            self._read_at = now
            self._vitals = {
                "temperature": pi.temperature(),
                "undervoltage": pi.undervoltage(),
                "disk_free": pi.disk_free(self._folder),
            }
        return self._vitals

    async def watch(self) -> None:
        """Raise and clear the faults that the readings show."""
        vitals = self.read()
        free = vitals["disk_free"]
        low = DISK_WELL if "disk-low" in self._raised else DISK_LOW
        unset = self._clock.wall_ms() < EARLIEST_WALL_MS
        await self._set("disk-low", free is not None and free < low, f"{(free or 0) // 2**20} MB are free")
        await self._set("undervoltage", bool(vitals["undervoltage"]), "the power supply is too weak")
        await self._set("clock-unsynced", unset, "the clock was never set: times by this computer say nothing")

    async def _set(self, fault: str, bad: bool, detail: str) -> None:  # noqa: FBT001 -- the fault's state
        if bad == (fault in self._raised):
            return
        kind, body = (
            ("fault.raised", {"fault": fault, "detail": detail}) if bad else ("fault.cleared", {"fault": fault})
        )
        try:
            await self._post.keep(lambda _stream, _seq: [(kind, None, stamp(self._clock), body)])
        except BridgeError:
            return  # no room: tried again at the next look
        (self._raised.add if bad else self._raised.discard)(fault)
