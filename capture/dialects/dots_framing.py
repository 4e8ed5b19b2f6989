"""Bytes in, whole messages out, for streams of pictures whose messages begin with a head that names their length.

No message is understood here. Invariants: no part of a message, and nothing that another message's head was found in,
is ever handed out as whole; what does not fit is dropped until a head fits again, and each such gap is told once, in
its place; never much more than one longest message is held.
"""

from collections.abc import Iterator
from typing import Protocol

QUIET_MS = 20
"""A message after which nothing comes for so long has ended: what belongs to it would have come in the same breath."""
STALLED_MS = 1_000
"""A message that is not complete, and of which nothing more comes for so long, will not be completed."""
UNKNOWN, SENSELESS = 0, -1
"""In place of a length: more bytes are needed to tell; no message begins so."""


class Heads(Protocol):
    """How a format's messages begin."""

    most: int
    """Bytes of its longest message."""
    head: int
    """Bytes with which `measure` knows the length, or that there is none."""

    tears: bool
    """Bytes may get lost on the way, so that one message runs into another."""

    def find(self, data: bytearray, start: int) -> int:
        """The first place from `start` on where a message may begin; -1 where there is none."""
        ...

    def measure(self, data: bytearray, start: int, *, inside: bool = False) -> int:
        """Length in bytes of the message that begins there, 1 to `most`; or UNKNOWN, or SENSELESS.

        `inside`: it begins within another one, so that only what can hardly be chance makes sense. Else nothing that
        was said before may count: what comes right before may not have been understood yet.
        """
        ...

    def is_proven(self, message: bytes) -> bool:
        """Whether a sum in the message itself shows that it is whole: then nothing else need speak for it."""
        ...


class Framer:
    """Cuts one byte stream into messages."""

    def __init__(self, heads: Heads) -> None:
        self._heads = heads
        self._data = bytearray()
        self._heard_at: int | None = None
        """When the bytes that are held grew last."""
        self._clean = 1
        """Up to here no other message's head is in what is held."""
        self._gap = self._told = False
        """Bytes have been dropped since the last message; and that was told."""

    @property
    def holding(self) -> bool:
        """A message that is not complete has begun."""
        length = self._heads.measure(self._data, 0) if self._data else SENSELESS
        return length != SENSELESS and not 0 < length <= len(self._data)

    def reset(self) -> None:
        """A new conversation begins: what was unfinished belongs to the old one."""
        self._drop(len(self._data))
        self._gap = self._told = False
        self._heard_at = None

    def feed(self, data: bytes, at: int) -> Iterator[bytes | None]:
        """Take bytes as they came. Yield the messages that are whole now, and None for each gap between them."""
        self._heard_at = at
        for start in range(0, len(data), self._heads.most):
            self._data += data[start : start + self._heads.most]
            yield from self._cut(quiet=False)

    def tick(self, now: int) -> Iterator[bytes | None]:
        """Time has passed: the last message is whole, or will never be."""
        if self._heard_at is None or not self._data:
            return
        if now >= self._heard_at + QUIET_MS:
            yield from self._cut(quiet=True)
        if self._data and now >= self._heard_at + STALLED_MS:
            self._drop(len(self._data))
            yield from self._tell_gap()

    def finish(self) -> Iterator[bytes | None]:
        """No more bytes will come."""
        return self._cut(quiet=True)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        if self._heard_at is None or not self._data:
            return None
        complete = 0 < self._heads.measure(self._data, 0) <= len(self._data)
        return self._heard_at + (QUIET_MS if complete else STALLED_MS)

    def _cut(self, *, quiet: bool) -> Iterator[bytes | None]:
        while self._data:
            length = self._seek()
            if length == UNKNOWN:
                break
            whole = self._judge(length, quiet=quiet)
            if whole is None:
                break
            if not whole:
                self._drop(1)
                continue
            yield from self._tell_gap()
            message = bytes(self._data[:length])
            self._gap = self._told = False
            self._take(length)
            yield message
        yield from self._tell_gap()

    def _seek(self) -> int:
        """Drop what comes before the first head that makes sense; its length, or UNKNOWN."""
        while self._data:
            start = self._heads.find(self._data, 0)
            if start < 0:
                self._drop(max(0, len(self._data) - self._heads.head + 1))
                return UNKNOWN
            self._drop(start)
            length = self._heads.measure(self._data, 0)
            if length != SENSELESS:
                return length
            self._drop(1)
        return UNKNOWN

    def _judge(self, length: int, *, quiet: bool) -> bool | None:
        """Whether the first `length` bytes are one message; None: that cannot be told yet."""
        complete = len(self._data) >= length
        if complete and self._heads.is_proven(bytes(self._data[:length])):
            return True
        inner = self._look_inside(min(length, len(self._data))) if self._heads.tears else SENSELESS
        if inner > 0:
            return False  # bytes are missing here, and those of another message stand in their place
        if not complete:
            return None
        if inner == UNKNOWN:
            return False if quiet else None
        follows = self._heads.measure(self._data, length)
        if follows == UNKNOWN:
            return True if quiet else None
        return follows != SENSELESS

    def _look_inside(self, end: int) -> int:
        """Length of the first message that begins within the first `end` bytes, behind the very first; or UNKNOWN."""
        start = self._heads.find(self._data, self._clean)
        while 0 <= start < end:
            self._clean = start
            inner = self._heads.measure(self._data, start, inside=True)
            if inner != SENSELESS:
                return inner
            start = self._heads.find(self._data, start + 1)
        self._clean = max(1, end - self._heads.head + 1)
        return SENSELESS

    def _drop(self, count: int) -> None:
        if count:
            self._gap = True
            self._take(count)

    def _take(self, count: int) -> None:
        del self._data[:count]
        self._clean = 1

    def _tell_gap(self) -> Iterator[None]:
        if self._gap and not self._told:
            self._told = True
            yield None
