"""Wire protocols, one module each: bytes and a time in, hints out. No I/O, no clocks, no meaning beyond the line.

Invariant: no dialect raises for what a peer sends, or holds more of it than its own limit.
"""

import importlib
from dataclasses import dataclass, field
from typing import Protocol

from capture.errors import SourceUnsupported
from capture.hints import Hint
from hardware.profile import MachineProfile


class Dialect(Protocol):
    """One conversation after another with one machine."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins. `passive`: nothing that we say is heard, so nothing is asked."""
        ...

    def finish(self, at: int) -> list[Hint]:
        """No more will come in this conversation: say what is sure by now of what was kept back. Then comes `close`."""
        ...

    def close(self) -> None:
        """The conversation is over: nothing is waited for any more."""
        ...

    def feed(self, data: bytes, at: int) -> list[Hint]:
        """Take bytes as they came, cut anywhere."""
        ...

    def overhear(self, data: bytes) -> None:
        """Take bytes that somebody else said to the machine: its answers are to these."""
        ...

    def tick(self, now: int) -> list[Hint]:
        """Time has passed."""
        ...

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        ...

    def outgoing(self) -> bytes:
        """What is to be said to the machine now; said once."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What belongs to one machine and not to its kind."""

    device: str | None = None
    """How the device names itself: another one on this port is the wrong device and gives no score."""
    secret: bytes | None = field(default=None, repr=False)
    """What signed messages are signed with."""


DIALECTS = {
    "bcp": "capture.dialects.bcp",
    "vector": "capture.dialects.vector",
    "dndp": "capture.dialects.dndp",
    "dmdreader": "capture.dialects.dmdreader",
    "libdmdutil": "capture.dialects.libdmdutil",
    "dmd-extensions": "capture.dialects.dmdext",
    "memory": "capture.dialects.memory",
    "lisy": "capture.dialects.lisy",
    "lines": "capture.dialects.lines",
    "json": "capture.dialects.json_messages",
}
"""Name in a profile: the module whose `make(profile, setup)` makes the dialect; imported only when it is used."""


def open_dialect(profile: MachineProfile, setup: Setup | None = None) -> Dialect:
    """Make the dialect of a profile. Raises SourceUnsupported."""
    module = DIALECTS.get(profile.dialect or "")
    if module is None:
        raise SourceUnsupported(f"no dialect is called {profile.dialect!r}; there are: {', '.join(DIALECTS)}")
    dialect: Dialect = importlib.import_module(module).make(profile, setup or Setup())
    return dialect
