"""One TCP connection: bytes in and out, and why it ended. Shared by the port that calls and the port that is called.

Nothing is kept here: what is not taken stays with the peer (TCP's own flow control), what the peer does not take in
time ends the connection. Invariant: `receive` never raises for what the peer or the network does.
"""

import asyncio
import contextlib
import errno
import os
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

CHUNK = 64 * 1024
"""Bytes taken at once, and about all that waits here for a slow reader."""
SEND_SECONDS = 5.0
"""A peer that takes nothing for so long is gone."""
_KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 25_000}
"""A peer that vanished without a word (power, cable) is noticed after about 25 s; seconds, the last in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The connection has ended: a reason of `Closed`, and a line for a person."""

    reason: str
    why: str


class Peer:
    """A connection that is open now."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        name = writer.get_extra_info("peername")
        self.name = f"{name[0]}:{name[1]}" if name else "a peer"
        self.spoke = False
        """It has sent something."""
        keep_alive(writer.get_extra_info("socket"))

    async def receive(self) -> bytes | Lost:
        """The next bytes, or why there are no more."""
        try:
            data = await self._reader.read(CHUNK)
        except OSError as error:
            return _lost(error)
        self.spoke = self.spoke or bool(data)
        return data or Lost(reason="eof", why="the machine closed the connection")

    @property
    def left(self) -> bool:
        """It has hung up, and there is nothing of it to receive."""
        return self._writer.is_closing() or self._reader.at_eof() or self._reader.exception() is not None

    async def send(self, data: bytes) -> None:
        """Send; a peer that does not take it is let go, which `receive` then tells."""
        if self._writer.is_closing():
            return
        self._writer.write(data)
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._writer.drain()
        except TimeoutError:
            self._writer.transport.abort()
        except OSError:
            pass  # `receive` tells the same

    async def close(self) -> None:
        """Let go at once."""
        self._writer.transport.abort()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):  # wait_for swallows a cancellation that comes as the connection closes
                await self._writer.wait_closed()


def keep_alive(sock: socket.socket | None) -> None:
    """Have the system ask a silent peer now and then whether it is there."""
    if sock is None:
        return
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in _KEEPALIVE.items():
        option = getattr(socket, name, None)  # not every system has each
        if option is not None:
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.IPPROTO_TCP, option, value)


def split_url(url: str) -> tuple[SplitResult, str | None, int | None]:
    """An address in parts, with its host and its port; all empty where it makes no sense."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # an open bracket, a port that is no number
        return urlsplit(""), None, None
    return parts, host, port


def in_url(host: str) -> str:
    """A host as it stands in an address: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def explain(error: OSError) -> str:
    """A network error in a few words."""
    if isinstance(error, socket.gaierror):
        return "no such host"
    if isinstance(error, TimeoutError) or error.errno == errno.ETIMEDOUT:
        return "no answer"
    if error.errno == errno.ECONNREFUSED or isinstance(error, ConnectionRefusedError):
        return "connection refused: is the program running?"
    return os.strerror(error.errno) if error.errno else str(error) or type(error).__name__


def _lost(error: OSError) -> Lost:
    if error.errno in {errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN}:
        return Lost(reason="silent", why=f"the machine does not answer any more ({explain(error)})")
    return Lost(reason="eof", why=f"the machine cut the connection ({explain(error)})")
