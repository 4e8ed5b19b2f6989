"""What the system counts of a serial line's faults: framing errors tell a wrong speed from silence.

Here: the counters of real devices (Linux, TIOCGICOUNT). A pseudo-terminal, and some USB devices, count nothing.
Invariant: no more than one look a second, and one line in the log for each kind of fault and opening.
"""

import fcntl
import logging
import struct
from typing import NamedTuple

from hardware.ports.serial_address import Settings

LOOK_MS = 1_000
ENOUGH = 20
"""So many faults are no accident of plugging in."""
_TIOCGICOUNT = 0x545D
_COUNTERS = struct.Struct("20i")
"""linux/serial.h, struct serial_icounter_struct: cts, dsr, rng, dcd, rx, tx, frame, overrun, parity, brk,
buf_overrun, and nine reserved."""

_log = logging.getLogger(__name__)


class Faults(NamedTuple):
    """Counted since the device was there."""

    speed: int
    """Framing and parity errors, and breaks: what another speed looks like."""
    lost: int
    """Bytes that came faster than they were taken."""


class ErrorWatch:
    """Watches one opening of one device."""

    def __init__(self, fd: int, url: str, settings: Settings) -> None:
        self._fd = fd
        self._url = url
        self._settings = settings
        self._begin = count(fd)
        self._next = 0
        self._told: dict[str, str] = {}

    @property
    def told(self) -> str:
        """What was found out, to be put behind a line for a person; empty as a rule."""
        return "".join(f"; {what}" for what in self._told.values())

    def look(self, at: int) -> None:
        """Bytes have come: are they sound?"""
        if self._begin is None or at < self._next:
            return
        self._next = at + LOOK_MS
        now = count(self._fd)
        if now is None:
            return
        if (bad := now.speed - self._begin.speed) >= ENOUGH:
            self._tell("speed", f"{bad} framing errors: {self._settings} is not how the machine speaks (baud, wiring)")
        if (bad := now.lost - self._begin.lost) > 0:
            self._tell("lost", f"{bad} times bytes came faster than this computer took them, and were lost")

    def _tell(self, kind: str, what: str) -> None:
        if kind not in self._told:
            _log.warning("%s: %s", self._url, what)
        self._told[kind] = what


def count(fd: int) -> Faults | None:
    """The counters as they stand; None where the device has none."""
    try:
        answer = fcntl.ioctl(fd, _TIOCGICOUNT, bytes(_COUNTERS.size))
    except OSError:
        return None
    _, _, _, _, _, _, frame, overrun, parity, breaks, full, *_ = _COUNTERS.unpack(answer)
    return Faults(speed=frame + parity + breaks, lost=overrun + full)
