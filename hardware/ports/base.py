"""What every port is: something that opens, hands on bytes or frames with their time, closes, and opens again.

A port never raises for what its peer does: an unplugged cable is a `Closed` event, and the port goes on trying with
back-off until it is left. Bytes and frames are not understood here.
"""

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture: height x width (grey) or height x width x 3 (BGR), 8 bit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The port has a peer (or a camera): what came before belongs to another conversation."""

    at: int
    """Milliseconds since boot."""
    port: str
    """The port's address, without secrets."""
    passive: bool = False
    """What we send is not heard (a recording, a tap): answers that come are to what others asked."""
    notes: tuple[str, ...] = ()
    """What a device did not do as asked, a line each for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Bytes as they came: any length, lines and messages cut anywhere."""

    at: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Overheard:
    """Bytes that somebody else sent to the machine, where the port can see them (a recording, a tap)."""

    at: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One camera picture."""

    at: int
    image: Image = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """One exact picture of a dot-matrix display, by wire or from a file: rows x columns."""

    at: int
    levels: NDArray[np.float32] = field(repr=False)
    """0 dark to 1 brightest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The peer went, or could not be reached: `why` is one line for a person, `reason` one of the words below."""

    at: int
    reason: str
    """`eof`, `refused`, `unplugged`, `busy`, `silent`, `ended` (a recording is over) or `stopped` (we closed it)."""
    why: str


PortEvent = Opened | Chunk | Overheard | Frame | Dots | Closed


class Port(AbstractAsyncContextManager["Port"], Protocol):
    """An open door to one machine. Use as `async with open_port(url) as port: async for event in port: ...`."""

    async def __aenter__(self) -> Self:
        """Nothing is opened before somebody iterates."""
        return self

    def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events for ever (a recording: to its end), each with its time."""
        ...

    async def send(self, data: bytes) -> None:
        """Send bytes to the peer. Silently nothing where nobody is there: the capture asks again after `Opened`."""
        ...

    def look_elsewhere(self) -> None:
        """What talks there is not the machine that is meant: try the next device, where the address leaves a choice."""
        return

    async def __aexit__(self, *_: object) -> None:
        """Let go of the device or connection at once."""
        ...


class Player(Port):
    """A recording as a port, which needs no event loop: enter it, then take its `events`."""

    damaged: int
    """How many of its `unit` were skipped."""
    unit: str = "pictures"

    @abstractmethod
    def events(self) -> Iterator[PortEvent]:
        """Its events in order, with the times of then."""
        ...

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """The same, as a port."""
        for event in self.events():
            yield event

    async def send(self, data: bytes) -> None:
        """Nobody is there."""

    async def __aexit__(self, *_: object) -> None:
        """Nothing is held open."""
