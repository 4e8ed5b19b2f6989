"""The dialect of all streams of a display's pictures: what they have in common, whatever their messages look like.

Here: from whole messages to `DotsShown`, and what is said of damage, of another display's size and of silence. Not
here: the messages (`dndp`, `dmdreader`, `libdmdutil`, `dmdext`). Invariant: a picture that is not whole, or not of the
profile's size, is never shown; it is never cut or scaled to fit.
"""

from typing import Protocol

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects.dots_framing import Framer, Heads
from capture.dialects.dots_levels import Levels
from capture.dialects.dots_sense import Sense
from capture.errors import LineGarbled, SourceUnsupported
from hardware.displays import DotMatrix
from hardware.profile import MachineProfile

Size = tuple[int, int]
"""Columns and rows."""


class Messages(Heads, Protocol):
    """One format's messages, one conversation after another."""

    name: str
    repeats: bool
    """It says something at least once a second."""
    greeting: bytes
    """What is said to the peer when a conversation begins."""

    def reset(self) -> None:
        """A new conversation begins."""
        ...

    def understand(self, message: bytes) -> Levels | Size | None:
        """What one whole message says: a picture, the display's size, or nothing of either.

        Raises LineGarbled where it contradicts itself.
        """
        ...


class DotStream:
    """One machine's pictures by wire."""

    def __init__(self, profile: MachineProfile, messages: Messages) -> None:
        display = profile.display
        if not isinstance(display, DotMatrix):
            raise SourceUnsupported(f"profile {profile.id!r} has no dot-matrix display for the dots of {messages.name}")
        self._profile = profile.id
        self._size: Size = (display.columns, display.rows)
        self._messages = messages
        self._framer = Framer(messages)
        self._sense = Sense(messages.name, repeats=messages.repeats)
        self._out = b""

    @property
    def garbled(self) -> int:
        """How often bytes made no sense, or a message was damaged."""
        return self._sense.garbled

    @property
    def holding(self) -> bool:
        """Bytes of a message that is not whole are held."""
        return self._framer.holding

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins."""
        self._framer.reset()
        self._messages.reset()
        self._sense.open(at, passive=passive)
        self._out = b"" if passive else self._messages.greeting

    def finish(self, at: int) -> list[h.Hint]:
        """No more bytes will come: a picture that is whole is the last one."""
        last = [hint for message in self._framer.finish() for hint in self._take(message, at)]
        return last + self._sense.finish(at)

    def close(self) -> None:
        """The conversation is over."""
        self._framer.reset()
        self._sense.close()
        self._out = b""

    def feed(self, data: bytes, at: int) -> list[h.Hint]:
        """Take bytes as they came, cut anywhere."""
        self._sense.bytes_came()
        return [hint for message in self._framer.feed(data, at) for hint in self._take(message, at)]

    def overhear(self, data: bytes) -> None:
        """Nothing that is said to such a peer changes what it shows."""

    def tick(self, now: int) -> list[h.Hint]:
        """Time has passed: a last message is whole; or nothing comes any more."""
        shown = [hint for message in self._framer.tick(now) for hint in self._take(message, now)]
        return shown + self._sense.tick(now)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._framer.deadline(), self._sense.deadline())

    def outgoing(self) -> bytes:
        """What is to be said to the peer now."""
        data, self._out = self._out, b""
        return data

    def _take(self, message: bytes | None, at: int) -> list[h.Hint]:
        if message is None:
            return self._lose(at)
        try:
            said = self._messages.understand(message)
        except LineGarbled:
            return self._lose(at)
        if said is None:
            return []
        size = said if isinstance(said, tuple) else (said.shape[1], said.shape[0])
        if size != self._size:
            return self._refuse(size, at)
        columns, rows = self._size
        bare = isinstance(said, tuple)
        hints = self._sense.accept(at, f"{self._messages.name}, {columns} x {rows} dots", size=bare)
        return hints if isinstance(said, tuple) else [*hints, h.DotsShown(at=at, levels=said)]

    def _lose(self, at: int) -> list[h.Hint]:
        lost = [h.DotsLost(at=at, why="a picture was damaged on its way")] if self._sense.heard else []
        return [*lost, *self._sense.gap(at)]

    def _refuse(self, size: Size, at: int) -> list[h.Hint]:
        ours = f"the display of profile {self._profile!r} has {self._size[0]} x {self._size[1]}"
        detail = f"the pictures have {size[0]} x {size[1]} dots, {ours}"
        return [h.DotsLost(at=at, why=detail, told=True), *self._sense.refuse(at, detail)]
