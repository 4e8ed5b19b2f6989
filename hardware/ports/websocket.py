"""A WebSocket that programs call as a port: `ws-listen://HOST:PORT/PATH`.

Here: listening, one caller at a time, whole messages. What they say is not understood. Invariants: each message is one
`Chunk`, its length as u32 (little endian) and then its bytes, so that messages stay apart and a recording is a stream
of bytes; a caller that talks is not hung up on for another one; none can make us hold more than one message.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import SEND_SECONDS, explain, in_url, split_url
from hardware.ports.tcp import Pauses

MOST_MESSAGE = 1 << 20
"""Bytes of one message; a caller that sends a longer one is hung up on."""
PING_SECONDS, PONG_SECONDS = 10, 15
"""A caller that vanished without a word is noticed after so long."""
TRY_AGAIN_LATER, TOO_LONG = 1013, 1009

_log = logging.getLogger(__name__)
_quiet = logging.getLogger(f"{__name__}.handshakes")
_quiet.setLevel(logging.CRITICAL)  # strangers who speak no WebSocket are no news, and would come with a traceback


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """`ws-listen://HOST:PORT` or `ws-listen://HOST:PORT/PATH`. Raises PortInvalid."""
    parts, host, port = split_url(url)
    if not host or port is None or parts.query or parts.username:
        raise PortInvalid(
            f"{url!r}: such an address is ws-listen://HOST:PORT/PATH with a port of 1 to 65535"
            " (0.0.0.0 listens on every network)"
        )
    return WebSocketPort(host, port, parts.path, now=now)


class WebSocketPort(Port):
    """Is called by a program."""

    def __init__(self, host: str, port: int, path: str, *, now: Callable[[], int]) -> None:
        self._host, self._port_number, self._path = host, port, path.rstrip("/")
        self._now = now
        self._pauses = Pauses()
        self._events: asyncio.Queue[PortEvent] = asyncio.Queue(maxsize=2)
        self._caller: ServerConnection | None = None
        self._spoke = False
        self._turn = asyncio.Lock()
        self._stopped = asyncio.Event()
        self._server: Server | None = None
        self.url = f"ws-listen://{in_url(host)}:{port}{self._path}"

    @property
    def address(self) -> tuple[str, int] | None:
        """Where we listen now; None while we do not."""
        sockets = list(self._server.sockets) if self._server is not None else []
        if not sockets:
            return None
        name: tuple[str, int] = sockets[0].getsockname()[:2]
        return name

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while self._server is None and not self._stopped.is_set():
            failed = await self._listen()
            if failed is None:
                break
            yield failed
            await self._pauses.rest(self._stopped)
        stop = asyncio.ensure_future(self._stopped.wait())
        try:
            while not self._stopped.is_set():
                event = asyncio.ensure_future(self._events.get())
                await asyncio.wait([event, stop], return_when=asyncio.FIRST_COMPLETED)
                if not event.done():
                    event.cancel()
                    return
                yield event.result()
        finally:
            stop.cancel()

    async def send(self, data: bytes) -> None:
        """Send one message; nothing where nobody is connected."""
        if self._caller is None:
            return
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(SEND_SECONDS):
                await self._caller.send(data)

    async def __aexit__(self, *_: object) -> None:
        """Stop listening and hang up."""
        self._stopped.set()
        server, self._server = self._server, None
        if server is not None:
            server.close()
            closing = asyncio.ensure_future(server.wait_closed())
            for _attempt in range(40):
                while not self._events.empty():  # nobody takes them any more, and a full queue would hold up the end
                    self._events.get_nowait()
                await asyncio.wait([closing], timeout=0.05)
                if closing.done():
                    break

    async def _listen(self) -> Closed | None:
        try:
            self._server = await serve(
                self._converse, self._host, self._port_number,
                process_request=self._admit, max_size=MOST_MESSAGE, max_queue=2, open_timeout=10, close_timeout=1,
                ping_interval=PING_SECONDS, ping_timeout=PONG_SECONDS, logger=_quiet,
            )  # fmt: skip
        except OSError as error:
            return Closed(at=self._now(), reason="busy", why=f"cannot listen on {self.url}: {explain(error)}")
        return None

    def _admit(self, caller: ServerConnection, request: Request) -> Response | None:
        """Who asks for another path is told which one there is."""
        if self._path and urlsplit(request.path).path.rstrip("/") != self._path:
            return caller.respond(HTTPStatus.NOT_FOUND, f"there is only {self._path} here\n")
        return None

    async def _converse(self, caller: ServerConnection) -> None:
        """One caller's connection, from its beginning to its end."""
        before, name = self._caller, caller.remote_address
        if before is not None and self._spoke:
            _log.warning("%s: %s connects and is sent away: another program is connected", self.url, name)
            await caller.close(TRY_AGAIN_LATER, "another program is connected")
            return
        if before is not None:
            _log.warning("%s: %s connects and takes the place of one that has said nothing", self.url, name)
            await before.close(TRY_AGAIN_LATER, "another program has connected")
        async with self._turn:  # the conversation before has been told to the end
            self._caller, self._spoke = caller, False
            await self._events.put(Opened(at=self._now(), port=self.url))
            ours = 0
            try:
                async for message in caller:
                    data = message.encode() if isinstance(message, str) else message
                    self._spoke = True
                    await self._events.put(Chunk(at=self._now(), data=len(data).to_bytes(4, "little") + data))
            except ConnectionClosed as error:
                ours = error.sent.code if error.sent else 0
            finally:
                self._caller, self._spoke = None, False
                await self._events.put(Closed(at=self._now(), reason="eof", why=_why(ours)))


def _why(ours: int) -> str:
    """Why a connection ended, in a line for a person, by the code that we closed it with."""
    if ours == TOO_LONG:
        return f"the program sent a message of more than {MOST_MESSAGE >> 20} MiB"
    return "a new caller took its place" if ours == TRY_AGAIN_LATER else "the program closed the connection"
