"""Datagrams as a port: `udp://HOST:PORT[?from=ADDRESS]` hears what others send to this computer, one line a datagram.

Here: the socket, whom it is shared with, and how much may wait. Nothing is understood, nothing is answered. Invariants:
each datagram is one chunk that ends with a line end; a flood costs `MOST_WAITING` bytes a port and no more, and then
the oldest go first, for the newest say how things stand.
"""

import asyncio
import logging
import socket
from collections import deque
from collections.abc import AsyncIterator, Callable
from ipaddress import ip_address
from urllib.parse import parse_qsl

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import explain, in_url, split_url
from hardware.ports.tcp import Pauses

MOST_WAITING = 1 << 20
"""Bytes that may wait for a slow reader."""
LARGEST = 1 << 16
AT_ONCE = 64
"""Datagrams taken before others get their turn."""

_log = logging.getLogger(__name__)


def open_url(url: str, *, now: Callable[[], int]) -> "UdpPort":
    """`udp://HOST:PORT[?from=ADDRESS]`: HOST is ours, 0.0.0.0 for all networks. Raises PortInvalid."""
    parts, host, port = split_url(url)
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    try:
        sender = str(ip_address(asked["from"])) if "from" in asked else None
    except ValueError:
        host, sender = None, None
    if not host or port is None or parts.path.strip("/") or parts.username or set(asked) - {"from"}:
        raise PortInvalid(
            f"{url!r}: such an address is udp://HOST:PORT, where 0.0.0.0 hears on every network, and ?from=ADDRESS"
            " hears one sender alone"
        )
    return UdpPort(host, port, sender=sender, now=now)


class UdpPort(Port):
    """Hears datagrams. Several ports of one program may share an address: each hears all of it."""

    def __init__(self, host: str, port: int, *, sender: str | None = None, now: Callable[[], int]) -> None:
        self._host, self._port_number = host, port
        self._sender = sender
        self._now = now
        self._pauses = Pauses()
        self._waiting: deque[Chunk] = deque()
        self._held = 0
        self._came = asyncio.Event()
        self._stopped = asyncio.Event()
        self._ear: _Ear | None = None
        self.dropped = 0
        """Datagrams that nobody took in time."""
        self.url = f"udp://{in_url(host)}:{port}"

    @property
    def address(self) -> tuple[str, int] | None:
        """Where we hear now; None while we do not."""
        return self._ear.address if self._ear else None

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set():
            try:
                self._ear = _hear(self._host, self._port_number)
            except OSError as error:
                yield Closed(at=self._now(), reason="busy", why=f"cannot hear on {self.url}: {explain(error)}")
                await self._pauses.rest(self._stopped)
                continue
            self._ear.ports.add(self)
            yield Opened(at=self._now(), port=self.url, passive=True)
            while not self._stopped.is_set():
                await self._came.wait()
                self._came.clear()
                while self._waiting:
                    chunk = self._waiting.popleft()
                    self._held -= len(chunk.data)
                    yield chunk
            self._leave()
            yield Closed(at=self._now(), reason="stopped", why="we hear no more")

    async def send(self, data: bytes) -> None:
        """Nobody is there to be answered."""

    async def __aexit__(self, *_: object) -> None:
        """Hear no more."""
        self._stopped.set()
        self._came.set()
        self._leave()

    def take(self, data: bytes, sender: str) -> None:
        """A datagram has come."""
        if not data or (self._sender is not None and sender != self._sender):
            return
        chunk = Chunk(at=self._now(), data=data if data.endswith(b"\n") else data + b"\n")
        self._waiting.append(chunk)
        self._held += len(chunk.data)
        while self._held > MOST_WAITING:
            self._held -= len(self._waiting.popleft().data)
            self.dropped += 1
            if self.dropped == 1:
                _log.warning("%s: datagrams come faster than they are read; the oldest are dropped", self.url)
        self._came.set()

    def _leave(self) -> None:
        ear, self._ear = self._ear, None
        if ear is not None:
            ear.leave(self)


class _Ear:
    """One socket and the ports that hear by it."""

    def __init__(self, key: tuple[int, str, int], sock: socket.socket) -> None:
        self._key = key
        self._socket = sock
        self.ports: set[UdpPort] = set()
        asyncio.get_running_loop().add_reader(sock, self._read)

    @property
    def address(self) -> tuple[str, int]:
        name = self._socket.getsockname()
        return name[0], name[1]

    def leave(self, port: UdpPort) -> None:
        self.ports.discard(port)
        if not self.ports:
            _EARS.pop(self._key, None)
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()

    def _read(self) -> None:
        for _ in range(AT_ONCE):
            try:
                data, sender = self._socket.recvfrom(LARGEST)
            except OSError:  # nothing more, or a network that is down for now
                return
            for port in tuple(self.ports):
                port.take(data, str(sender[0]))


_EARS: dict[tuple[int, str, int], _Ear] = {}
"""The sockets of this program. A datagram sent to one computer goes to one socket only, so ports must share theirs."""


def _hear(host: str, port: int) -> _Ear:
    """The socket of an address, made where there is none. Raises OSError."""
    key = (id(asyncio.get_running_loop()), host, port)
    if key in _EARS:
        return _EARS[key]
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # other programs may hear broadcasts too
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sock.setblocking(False)
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    ear = _Ear(key, sock)
    if port:
        _EARS[key] = ear
    return ear
