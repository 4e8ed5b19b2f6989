"""Bytes in, lines out. Bounded: a peer that never ends its line costs `limit` bytes and no more.

No line is understood here, and no part of a line is ever handed out as if it were whole: what was begun before
`reset`, or grew beyond the limit, is dropped and counted.
"""

from collections.abc import Callable


class LineSplitter:
    """Splits a byte stream at LF (a CR before it is taken off).

    `payload(line)` says how many raw bytes follow that line (BCP's `&bytes=N`): they are skipped, not stored.
    """

    def __init__(self, *, limit: int = 1 << 20, payload: Callable[[bytes], int] | None = None) -> None:
        self._limit = limit
        self._payload = payload
        self._parts: list[bytes] = []
        self._held = 0
        self._skip = 0
        self._overlong = False
        self.dropped = 0
        """Lines that were too long, or never ended before `reset`."""

    @property
    def overlong(self) -> bool:
        """The line that is coming in has passed the limit: its bytes are thrown away until it ends."""
        return self._overlong

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes as they came; return the lines that ended in them, without their line end."""
        lines: list[bytes] = []
        position, end = 0, len(data)
        while position < end:
            if self._skip:
                taken = min(self._skip, end - position)
                self._skip -= taken
                position += taken
                continue
            newline = data.find(b"\n", position)
            stop = end if newline < 0 else newline
            self._keep(data[position:stop])
            if newline < 0:
                break
            position = newline + 1
            line = self._take()
            if line is None:
                continue
            lines.append(line)
            if self._payload:
                self._skip = self._payload(line)
        return lines

    def reset(self) -> None:
        """A new conversation begins: what was unfinished belongs to the old one."""
        if self._held or self._overlong:
            self.dropped += 1
        self._parts, self._held, self._skip, self._overlong = [], 0, 0, False

    def _keep(self, part: bytes) -> None:
        if self._overlong or not part:
            return
        if self._held + len(part) > self._limit:
            self._parts, self._held, self._overlong = [], 0, True
            self.dropped += 1
            return
        self._parts.append(part)
        self._held += len(part)
        if len(self._parts) > 64:  # a peer that sends byte by byte shall not cost a list entry a byte
            self._parts = [b"".join(self._parts)]

    def _take(self) -> bytes | None:
        if self._overlong:
            self._overlong = False
            return None
        line = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts, self._held = [], 0
        return line.removesuffix(b"\r")
