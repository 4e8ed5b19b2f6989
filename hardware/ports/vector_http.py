"""A Vector board in the network as a port: `vector-http://HOST[:PORT]` asks by HTTP what the dialect asks by line.

Here: question lines to requests, answers to the lines that a board writes on USB. No answer is understood. Invariants:
one request at a time; an answer is bounded in bytes and time before it is used; what fails is `Closed`, never raised.
Source: warped-pinball/vector dccf1ea, phew/server.py: it closes every connection after its answer, counts characters as
Content-Length, and never lets go of a connection that asks nothing: so none is opened without a question.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import explain, in_url, split_url
from hardware.ports.tcp import STEADY_MS, Pauses

ANSWER_SECONDS = 5.0
REST_SECONDS = 0.5
"""What follows a body whose length was counted in characters comes at once."""
MOST_BODY = 256 * 1024
MOST_HEADERS = 64
MOST_LINE = 8 * 1024
MOST_WAITING = 8
"""Questions that wait for their turn: a dialect asks one at a time, and again when its patience is over."""
FIRST = "/api/version"
"""Whether it answers this shows whether anybody is there."""

_ROUTE = re.compile(r"/[!-~]{0,500}\Z")
_STATUS = re.compile(rb"HTTP/1\.\d (\d{3})(?: .*)?\r?\n\Z")


class _Failed(Exception):
    """A reason of `Closed`, and a line for a person."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason, self.why = reason, why


class _Stale(Exception):
    """The connection that was kept open is not open any more: nothing was asked."""


def open_url(url: str, *, now: Callable[[], int]) -> "VectorHttpPort":
    """`vector-http://HOST[:PORT]`, port 80 where none is given. Raises PortInvalid."""
    parts, host, port = split_url(url)
    if not host or port == 0 or parts.path.strip("/") or parts.query or parts.username:
        raise PortInvalid(f"{url!r}: such an address is vector-http://HOST or vector-http://HOST:PORT")
    return VectorHttpPort(host, 80 if port is None else port, now=now)


class VectorHttpPort(Port):
    """Asks a board, and again whenever it was away."""

    def __init__(self, host: str, port: int, *, now: Callable[[], int], pauses: Pauses | None = None) -> None:
        self._host, self._port_number = host, port
        self._now = now
        self._pauses = pauses or Pauses()
        self._half = b""
        self._questions: asyncio.Queue[tuple[str, str]] = asyncio.Queue(MOST_WAITING)
        self._stopped = asyncio.Event()
        self._kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        name = in_url(host)
        self._name = name if port == 80 else f"{name}:{port}"
        self.url = f"vector-http://{self._name}"

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set():
            try:
                first = await self._ask(FIRST, "")
                opened = self._now()
                while not self._questions.empty():
                    self._questions.get_nowait()  # of an earlier conversation
                self._half = b""
                yield Opened(at=opened, port=self.url)
                yield Chunk(at=opened, data=first)
                while (question := await self._next()) is not None:
                    data = await self._ask(*question)
                    if self._now() - opened >= STEADY_MS:
                        self._pauses.reset()
                    yield Chunk(at=self._now(), data=data)
                yield Closed(at=self._now(), reason="stopped", why="we ask no more")
            except _Failed as failed:
                yield Closed(at=self._now(), reason=failed.reason, why=failed.why)
            self._let_go()
            await self._pauses.rest(self._stopped)

    async def send(self, data: bytes) -> None:
        """Take question lines, `route|headers|body`, cut anywhere. What is none is left out, as a board does."""
        *lines, self._half = (self._half + data).split(b"\n")
        self._half = self._half[-MOST_LINE:]
        for line in lines:
            parts = [part.replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line.decode("utf-8", "replace"))]
            if len(parts) == 3 and _ROUTE.match(parts[0]) and not self._questions.full():
                self._questions.put_nowait((parts[0], parts[2]))

    async def __aexit__(self, *_: object) -> None:
        """Let go."""
        self._stopped.set()
        self._let_go()

    async def _next(self) -> tuple[str, str] | None:
        """The next question; None when the port is left."""
        waits = [asyncio.ensure_future(self._questions.get()), asyncio.ensure_future(self._stopped.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if self._stopped.is_set():
                return None
            question: tuple[str, str] = await waits[0]  # type: ignore[assignment] # the first of the two is done
            return question
        finally:
            for wait in waits:
                wait.cancel()

    async def _ask(self, route: str, body: str) -> bytes:
        """One question by HTTP, its answer as a line. Raises _Failed."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                try:
                    status, headers, told = await self._exchange(route, body)
                except _Stale:
                    status, headers, told = await self._exchange(route, body)
        except _Stale:
            self._let_go()
            raise _Failed("eof", f"{self._name} hangs up without an answer") from None
        except TimeoutError:
            self._let_go()
            raise _Failed("silent", f"{self._name} does not answer within {ANSWER_SECONDS:g} s") from None
        except OSError as error:
            self._let_go()
            raise _Failed("refused", f"cannot ask {self._name}: {explain(error)}") from None
        except ValueError:  # a line beyond the limit, a length that is no number
            self._let_go()
            raise _Failed("eof", f"what answers at {self._name} does not speak HTTP as a board does") from None
        answer = {"route": route, "status": status, "headers": headers, "body": told}
        return b"USB API RESPONSE-->" + json.dumps(answer).encode() + b"\n"

    async def _exchange(self, route: str, body: str) -> tuple[int, dict[str, str], str]:
        """Ask and hear. Raises _Stale, OSError, ValueError."""
        reader, writer = await self._connect()
        data = body.encode()
        head = f"{'POST' if data else 'GET'} {route} HTTP/1.1\r\nHost: {self._name}\r\n"
        if data:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        writer.write(head.encode() + b"\r\n" + data)
        try:
            await writer.drain()
            line = await reader.readline()
        except ConnectionError:
            line = b""
        if not line:
            self._let_go()
            raise _Stale
        found = _STATUS.match(line)
        if not found:
            raise ValueError(line)
        headers = await _headers(reader)
        told, over = await _body(reader, headers)
        if over or headers.get("connection", "").lower() == "close":
            self._let_go()
        return int(found[1]), headers, told

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._kept is not None and (self._kept[0].at_eof() or self._kept[1].is_closing()):
            self._let_go()
        if self._kept is None:
            self._kept = await asyncio.open_connection(self._host, self._port_number, limit=MOST_LINE)
        return self._kept

    def _let_go(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            kept[1].transport.abort()


async def _headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    for _ in range(MOST_HEADERS):
        line = await reader.readline()
        if line in {b"\r\n", b"\n"}:
            return headers
        name, colon, value = line.decode("latin-1").partition(":")
        if not colon or not line.endswith(b"\n"):
            break
        headers[name.strip().lower()] = value.strip()
    raise ValueError("no end of headers")


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> tuple[str, bool]:
    """The body, and whether the connection is spent: read to its end where no bytes were counted."""
    if "transfer-encoding" in headers:
        return (await _pieces(reader, headers["transfer-encoding"])).decode("utf-8", "replace"), False
    said = headers.get("content-length")
    data = b""
    if said is not None:
        if not (said.isascii() and said.isdecimal() and len(said) < 9 and int(said) <= MOST_BODY):
            raise ValueError("a length beyond the limit")
        while len(data) < int(said) and (more := await reader.read(int(said) - len(data))):
            data += more
        if data.isascii():
            return data.decode(), len(data) < int(said)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REST_SECONDS if said is not None else None):
            while more := await reader.read(MOST_BODY):
                data += more
                if len(data) > MOST_BODY:
                    raise ValueError("a body beyond the limit")
    return data.decode("utf-8", "replace"), True


async def _pieces(reader: asyncio.StreamReader, coding: str) -> bytes:
    """A body in pieces, each with its length before it: no board sends it so, but a box between may."""
    if coding.lower() != "chunked":
        raise ValueError(coding)
    data = b""
    while True:
        line = (await reader.readline()).partition(b";")[0].strip()
        if not re.fullmatch(rb"[0-9a-fA-F]{1,6}", line) or len(data) + int(line, 16) > MOST_BODY:
            raise ValueError("a piece beyond the limit")
        if int(line, 16) == 0:
            await _headers(reader)
            return data
        try:
            data += await reader.readexactly(int(line, 16))
        except asyncio.IncompleteReadError:
            raise ValueError("cut off") from None
        await reader.readline()
