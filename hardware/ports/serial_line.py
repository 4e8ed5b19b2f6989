"""An open serial device in the event loop: bytes in with their times, bytes out, and why it ended.

Here: one file descriptor. Not here: opening it (`serial`). Invariants: one reader, which goes with the descriptor; no
more than `MOST_HELD` is kept of what comes in and `MOST_UNSENT` of what goes out; nobody waits for a device that does
not take what it is sent.
"""

import asyncio
import contextlib
import errno
import logging
import os
import termios
from collections import deque
from collections.abc import Callable

from hardware.ports.peer import SEND_SECONDS, Lost

MOST_HELD = 1 << 20
"""Bytes that wait for a slow taker: 90 s at 115200 baud. Beyond it the device is not read."""
MOST_UNSENT = 64 * 1024
MOST_CHUNK = 64 * 1024
TOGETHER_MS = 2
"""Bytes that come so close after each other are handed on together; a line's end is handed on at once."""

_log = logging.getLogger(__name__)


class Line:
    """A line that is open now. `release` lets go of the device; it is called once."""

    def __init__(self, fd: int, *, url: str, now: Callable[[], int], release: Callable[[], None]) -> None:
        self._fd = fd
        self._url = url
        self._now = now
        self._release = release
        self._loop = asyncio.get_running_loop()
        self._held: deque[tuple[int, bytearray]] = deque()
        self._size = 0
        self._paused = False
        self._came = asyncio.Event()
        """There is something to take."""
        self._told = 0.0
        """When that was last the case."""
        self._telling: asyncio.TimerHandle | None = None
        self._lost: Lost | None = None
        self._unsent = bytearray()
        self._patience: asyncio.TimerHandle | None = None
        self._complained = False
        self._loop.add_reader(fd, self._read)

    async def receive(self) -> tuple[int, bytes] | Lost:
        """The next bytes with the time at which they came, or why there are no more."""
        await self._came.wait()
        while not self._held:
            if self._lost is not None:
                return self._lost
            self._came.clear()
            await self._came.wait()
        at, data = self._held.popleft()
        self._size -= len(data)
        if not self._held and self._lost is None:
            self._came.clear()
        if self._paused and self._size < MOST_HELD // 2 and self._lost is None:
            self._paused = False
            self._loop.add_reader(self._fd, self._read)
        return at, bytes(data)

    def send(self, data: bytes) -> None:
        """Send, as fast as the device takes it; what it does not take in `SEND_SECONDS` is thrown away and said."""
        if self._lost is not None or not data:
            return
        if len(self._unsent) + len(data) > MOST_UNSENT:
            self._complain("it takes less than it is sent: what there was no room for is not sent")
            return
        waiting = bool(self._unsent)
        self._unsent += data
        if not waiting:
            self._write()

    def close(self, lost: Lost) -> None:
        """Let go of the device at once; `receive` says why once all that came has been taken."""
        if self._lost is not None:
            return
        self._lost = lost
        if not self._paused:
            self._loop.remove_reader(self._fd)
        self._stop_writing()
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._fd, termios.TCOFLUSH)  # else closing may wait for a device that takes nothing
        self._release()
        self._tell()

    def _read(self) -> None:
        try:
            data = os.read(self._fd, MOST_CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self.close(unplugged(error))
            return
        if not data:
            self.close(unplugged(None))
            return
        at = self._now()
        if self._held and at - self._held[-1][0] <= TOGETHER_MS and len(self._held[-1][1]) < MOST_CHUNK:
            self._held[-1][1].extend(data)
        else:
            self._held.append((at, bytearray(data)))
        self._size += len(data)
        early = self._told + TOGETHER_MS / 1000 - self._loop.time()
        if early <= 0 or data.endswith(b"\n"):
            self._tell()
        elif self._telling is None:
            self._telling = self._loop.call_later(early, self._tell)
        if self._size >= MOST_HELD:
            self._paused = True
            self._loop.remove_reader(self._fd)

    def _tell(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        self._told = self._loop.time()
        self._came.set()

    def _write(self) -> None:
        try:
            sent = os.write(self._fd, self._unsent)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as error:
            self.close(unplugged(error))
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._stop_writing()
        elif self._patience is None:
            self._loop.add_writer(self._fd, self._write)
            self._patience = self._loop.call_later(SEND_SECONDS, self._give_up)
        elif sent:
            self._patience.cancel()
            self._patience = self._loop.call_later(SEND_SECONDS, self._give_up)

    def _give_up(self) -> None:
        """It talks perhaps, but does not listen: that is no reason to stop hearing it."""
        self._stop_writing()
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._fd, termios.TCOFLUSH)
        self._complain(f"it has taken nothing for {SEND_SECONDS:.0f} s: what it was sent is thrown away")

    def _stop_writing(self) -> None:
        self._unsent.clear()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
            self._loop.remove_writer(self._fd)

    def _complain(self, what: str) -> None:
        if not self._complained:
            self._complained = True
            _log.warning("%s: %s", self._url, what)


def unplugged(error: OSError | None) -> Lost:
    """What an end of a serial device means: its cable was pulled, or its power failed."""
    told = "" if error is None or error.errno in {None, errno.EIO} else f" ({os.strerror(error.errno or 0)})"
    return Lost(reason="unplugged", why=f"the device is gone: unplugged, or without power{told}")
