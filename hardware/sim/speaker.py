"""A simulated machine's program on its wire: true events in, the bytes that a real one would send out.

Here: what every speaker is, and the table of them. Each kind has its module; how a link fails is the harness's and the
port's business. Invariant: no clock and no chance of its own: the same events, times and questions give the same bytes.
"""

import importlib
from typing import Protocol

from hardware.sim.address import Setting
from hardware.sim.oracle import Event


class Speaker(Protocol):
    """One machine. Times are milliseconds of its own clock; each bytes object is one write (one datagram, message)."""

    def greet(self, at: int) -> list[bytes]:
        """Somebody has just connected, or opened the port."""
        ...

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened: what is said unasked. After `power-lost` and until `power-back` nothing is said."""
        ...

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """Bytes from the peer, cut anywhere: the answers."""
        ...

    def tick(self, at: int) -> list[bytes]:
        """Time has passed: what is repeated, or shown anew."""
        ...

    def deadline(self) -> int | None:
        """When `tick` has something to say; None: not before the next event."""
        ...


SPEAKERS = {
    "bcp": "hardware.sim.listener",
    "vector": "hardware.sim.vector",
    "memory": "hardware.sim.memory",
    "lisy": "hardware.sim.lisy",
    "lines": "hardware.sim.lines",
    "json": "hardware.sim.messages",
    "dndp": "hardware.sim.dot_streams",
    "dmdreader": "hardware.sim.dot_streams",
    "libdmdutil": "hardware.sim.dot_streams",
    "dmd-extensions": "hardware.sim.dot_streams",
}
"""The kind in `sim://KIND` (a dialect's name): the module whose `make(setting)` makes the speaker."""


def open_speaker(setting: Setting) -> Speaker:
    """Make the speaker of a simulated wire machine."""
    speaker: Speaker = importlib.import_module(SPEAKERS[setting.kind]).make(setting)
    return speaker
