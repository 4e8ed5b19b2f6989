"""The agent's clocks: milliseconds since boot, which never step, and the wall clock, which is evidence only.

A Pi has no battery for its clock: it may start in 1970, or hours ago, and jump when the network tells it the time. So
every fact carries `(boot, mono_ms)`, and the server, which owns time, converts.
"""

import ctypes
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from bridge.wire.frame import At, Sent
from bridge.wire.strict import WHOLE_LIMIT

STEP_MS = 1_000
"""A wall clock that moved by more against the clock that never steps was set."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_UNSYNCHRONISED = 0x40  # STA_UNSYNC of linux/timex.h


class Clock(Protocol):
    """What stamps facts."""

    boot: str

    def mono_ms(self) -> int:
        """Milliseconds since boot."""

    def wall_ms(self) -> int:
        """Milliseconds since the Unix epoch, as this computer believes."""

    def synced(self) -> bool:
        """Whether the wall clock is known to be set."""


class SystemClock:
    """The clocks of this computer."""

    def __init__(self) -> None:
        try:
            self.boot = _BOOT_ID.read_text(encoding="ascii").strip()
        except OSError:
            self.boot = f"pid-{os.getpid()}-{time.time_ns()}"

    def mono_ms(self) -> int:
        """Milliseconds since boot, time asleep included."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000

    def wall_ms(self) -> int:
        """Milliseconds since the Unix epoch."""
        return time.time_ns() // 1_000_000

    def synced(self) -> bool:
        """Whether the kernel says that its clock is kept by something."""
        return kernel_synced()


class ManualClock:
    """A clock that stands still until it is told to move: for simulations and tests."""

    def __init__(self, *, boot: str = "manual", mono_ms: int = 0, wall_ms: int = 0, synced: bool = True) -> None:
        self.boot = boot
        self._mono_ms = mono_ms
        self._wall_ms = wall_ms
        self._synced = synced

    def mono_ms(self) -> int:
        """See Clock."""
        return self._mono_ms

    def wall_ms(self) -> int:
        """See Clock."""
        return self._wall_ms

    def synced(self) -> bool:
        """See Clock."""
        return self._synced

    def advance(self, by_ms: int) -> None:
        """Let time pass on both clocks."""
        self._mono_ms += by_ms
        self._wall_ms += by_ms

    def set_wall(self, wall_ms: int, *, synced: bool = True) -> None:
        """Set the wall clock alone."""
        self._wall_ms, self._synced = wall_ms, synced


class StepWatch:
    """Notices when the wall clock is set. Feed it both clocks now and then."""

    def __init__(self) -> None:
        self._offset: int | None = None

    def look(self, clock: Clock) -> int | None:
        """By how many milliseconds the wall clock was moved since the last look; None where it was not."""
        offset = clock.wall_ms() - clock.mono_ms()
        before, self._offset = self._offset, offset
        if before is None or abs(offset - before) <= STEP_MS:
            self._offset = offset if before is None else before  # small drift adds up to a step in the end
            return None
        return offset - before


def stamp(clock: Clock, mono_ms: int | None = None) -> At:
    """When something happened: now, or at a moment of this boot (ms since boot)."""
    now = clock.mono_ms()
    then = now if mono_ms is None else mono_ms
    wall = clock.wall_ms() - (now - then)
    return At(boot=clock.boot, mono_ms=max(0, min(then, WHOLE_LIMIT)), wall=wall_text(wall), synced=clock.synced())


def sending(clock: Clock) -> Sent:
    """The clock pair of a frame or a pulse that goes out now."""
    return Sent(boot=clock.boot, mono_ms=clock.mono_ms())


def wall_text(wall_ms: int) -> str | None:
    """RFC 3339 in UTC with milliseconds; None for a time that no calendar has."""
    try:
        moment = datetime.fromtimestamp(wall_ms / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{wall_ms % 1000:03d}Z" if moment.year >= 1000 else None


def kernel_synced() -> bool:
    """What adjtimex(2) says: false where it cannot be asked."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        state = _Timex()
        return bool(libc.adjtimex(ctypes.byref(state)) >= 0 and not state.status & _UNSYNCHRONISED)
    except (OSError, AttributeError):
        return False


class _Timex(ctypes.Structure):
    """struct timex of linux/timex.h, as far as it is read; the rest is room."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_long * 40),
    )
