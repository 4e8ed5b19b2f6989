"""Wire protocols, one module each: bytes and a time in, hints out. No I/O, no clocks, no meaning beyond the line.

Invariant: no dialect raises for what a peer sends, or holds more of it than its own limit.
"""

from typing import Protocol

from capture.errors import SourceUnsupported
from capture.hints import Hint


class Dialect(Protocol):
    """One conversation after another with one machine."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins. `passive`: nothing that we say is heard, so nothing is asked."""
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


def open_dialect(name: str) -> Dialect:
    """Make a dialect by its name in a profile. Raises SourceUnsupported."""
    if name == "bcp":
        from capture.dialects.bcp import BcpDialect  # noqa: PLC0415 - only the dialect that is used

        return BcpDialect()
    raise SourceUnsupported(f"no dialect is called {name!r}; there are: bcp")
