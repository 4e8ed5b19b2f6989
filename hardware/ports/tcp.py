"""TCP as a port, both ways: `tcp://HOST:PORT` calls the machine, `tcp-listen://HOST:PORT` is called by it.

Here: connecting, waiting, trying again. Bytes are not understood. Invariants: one peer at a time; whoever iterates
gets `Opened` before its bytes and one `Closed` after them, or one `Closed` for an attempt that failed. A machine that
talks is never hung up on for another caller: MPF ends itself when its media controller goes (`exit_on_close`).
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Callable

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import CHUNK, Lost, Peer, explain, in_url, split_url

CONNECT_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between attempts: doubled each time, made uneven by chance so that many agents do not call at once."""

STEADY_MS = 5_000
"""A connection that lasted so long was a good one: after it, the pauses begin anew."""

_log = logging.getLogger(__name__)


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """`tcp://HOST:PORT` or `tcp-listen://HOST:PORT`. Raises PortInvalid."""
    parts, host, port = split_url(url)
    listens = parts.scheme == "tcp-listen"
    if (
        not host
        or port is None
        or (port == 0 and not listens)
        or parts.path.strip("/")
        or parts.query
        or parts.username
    ):
        anywhere = " (0.0.0.0 listens on every network)" if url.startswith("tcp-listen") else ""
        raise PortInvalid(f"{url!r}: such an address is SCHEME://HOST:PORT with a port of 1 to 65535{anywhere}")
    return ListenPort(host, port, now=now) if listens else ConnectPort(host, port, now=now)


class Pauses:
    """How long to wait before each attempt."""

    def __init__(self, chance: Callable[[], float] = random.random, *, longest: float = LONGEST_PAUSE) -> None:
        self._chance = chance
        self._longest = longest
        self._next = FIRST_PAUSE

    def reset(self) -> None:
        """The last attempt was a good one."""
        self._next = FIRST_PAUSE

    def draw(self) -> float:
        """Seconds before the next attempt: between half the pause and the whole."""
        pause, self._next = self._next, min(self._next * 2, self._longest)
        return pause * (0.5 + self._chance() / 2)

    async def rest(self, stopped: asyncio.Event) -> None:
        """Wait that long, or until `stopped`."""
        await wait_for_stop(self.draw(), stopped)


async def wait_for_stop(seconds: float, stopped: asyncio.Event) -> None:
    """Wait so long, or until `stopped`."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopped.wait()


class ConnectPort(Port):
    """Calls the machine, and again whenever the line is cut."""

    def __init__(self, host: str, port: int, *, now: Callable[[], int], pauses: Pauses | None = None) -> None:
        self._host, self._port_number = host, port
        self._now = now
        self._pauses = pauses or Pauses()
        self._peer: Peer | None = None
        self._stopped = asyncio.Event()
        self.url = f"tcp://{in_url(host)}:{port}"

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set():
            peer = await self._connect()
            if isinstance(peer, Lost):
                yield Closed(at=self._now(), reason=peer.reason, why=peer.why)
            else:
                self._peer = peer
                opened = self._now()
                yield Opened(at=opened, port=self.url)
                async for event in _converse(peer, self._now, self._stopped):
                    if event.at - opened >= STEADY_MS:
                        self._pauses.reset()
                    yield event
                self._peer = None
                await peer.close()
            await self._pauses.rest(self._stopped)

    async def send(self, data: bytes) -> None:
        """Send to the machine; nothing where it is not connected."""
        if self._peer is not None:
            await self._peer.send(data)

    async def hang_up(self) -> None:
        """Let go of this connection; the next attempt follows as after any other."""
        if self._peer is not None:
            await self._peer.close()

    async def __aexit__(self, *_: object) -> None:
        """Hang up."""
        self._stopped.set()
        peer, self._peer = self._peer, None
        if peer is not None:
            await peer.close()

    async def _connect(self) -> Peer | Lost:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(self._host, self._port_number, limit=CHUNK)
        except (OSError, TimeoutError) as error:
            return Lost(reason="refused", why=f"cannot connect to {self.url}: {explain(error)}")
        return Peer(reader, writer)


class ListenPort(Port):
    """Is called by the machine. Who calls while a machine talks waits until it has gone: it may be a stray program.

    A machine that lost its power and calls again waits too, for half a minute at the most: its old connection is found
    dead by then. Who has never said a word gives its place up at once.
    """

    def __init__(self, host: str, port: int, *, now: Callable[[], int], pauses: Pauses | None = None) -> None:
        self._host, self._port_number = host, port
        self._now = now
        self._pauses = pauses or Pauses()
        self._peer: Peer | None = None
        self._caller: Peer | None = None
        self._called = asyncio.Event()
        self._stopped = asyncio.Event()
        self._server: asyncio.Server | None = None
        self.url = f"tcp-listen://{in_url(host)}:{port}"

    @property
    def address(self) -> tuple[str, int] | None:
        """Where we listen now; None while we do not."""
        if self._server is None or not self._server.sockets:
            return None
        host, port, *_ = self._server.sockets[0].getsockname()
        return host, port

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while self._server is None and not self._stopped.is_set():
            failed = await self._listen()
            if failed is None:
                break
            yield Closed(at=self._now(), reason=failed.reason, why=failed.why)
            await self._pauses.rest(self._stopped)
        while True:
            await _either(self._called, self._stopped)
            if self._stopped.is_set():
                return
            self._called.clear()
            peer, self._caller = self._caller, None
            if peer is None:
                continue
            if peer.left:
                await peer.close()
                continue
            self._peer = peer
            yield Opened(at=self._now(), port=self.url)
            async for event in _converse(peer, self._now, self._stopped, replaced=self._called):
                yield event
            self._peer = None
            await peer.close()
            self._call_next()

    async def send(self, data: bytes) -> None:
        """Send to the machine; nothing where it is not connected."""
        if self._peer is not None:
            await self._peer.send(data)

    async def __aexit__(self, *_: object) -> None:
        """Stop listening and hang up."""
        self._stopped.set()
        if self._server is not None:
            self._server.close()
        for peer in (self._peer, self._caller):
            if peer is not None:
                await peer.close()
        self._peer = self._caller = None

    def _call_next(self) -> None:
        """Whoever waited, if somebody does, is heard now."""
        if self._caller is not None:
            self._called.set()

    async def _listen(self) -> Lost | None:
        try:
            self._server = await asyncio.start_server(self._accept, self._host, self._port_number, limit=CHUNK)
        except OSError as error:
            return Lost(reason="busy", why=f"cannot listen on {self.url}: {explain(error)}")
        return None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        caller = Peer(reader, writer)
        waiting, self._caller = self._caller, caller
        peer = self._peer
        if peer is not None and peer.spoke:
            _log.warning("%s: %s connects and has to wait: %s is connected", self.url, caller.name, peer.name)
        else:
            if peer is not None:
                _log.warning("%s: %s connects and takes the place of %s", self.url, caller.name, peer.name)
            self._called.set()
        if waiting is not None:
            await waiting.close()


async def _converse(
    peer: Peer, now: Callable[[], int], stopped: asyncio.Event, *, replaced: asyncio.Event | None = None
) -> AsyncIterator[PortEvent]:
    """Chunks of one connection, and the `Closed` at its end."""
    waits = [asyncio.ensure_future(event.wait()) for event in (stopped, replaced) if event is not None]
    receive: asyncio.Future[bytes | Lost] | None = None
    try:
        while True:
            receive = asyncio.ensure_future(peer.receive())
            await asyncio.wait([receive, *waits], return_when=asyncio.FIRST_COMPLETED)
            if stopped.is_set() or (replaced is not None and replaced.is_set()):
                ours = stopped.is_set()
                why = "we closed the connection" if ours else "a new caller took its place"
                yield Closed(at=now(), reason="stopped" if ours else "eof", why=why)
                return
            got = receive.result()
            if isinstance(got, Lost):
                yield Closed(at=now(), reason=got.reason, why=got.why)
                return
            yield Chunk(at=now(), data=got)
    finally:
        for wait in (receive, *waits):
            if wait is not None:
                wait.cancel()


async def _either(*events: asyncio.Event) -> None:
    """Wait until one of them is set."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
