"""Serial lines that are no device of this computer: `rfc2217://`, `socket://` and `loop://`, as pyserial writes them.

Here: the ports. What is said over `rfc2217://` is in `serial_telnet`. Invariants: nothing that the machine said before
the line was set up is lost; a box that is none is refused and not taken for a machine.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import in_url, split_url
from hardware.ports.serial_address import Settings, read_options, settings_of
from hardware.ports.serial_errors import ENOUGH
from hardware.ports.serial_telnet import Telnet, escape
from hardware.ports.tcp import ConnectPort, Pauses

AGREE_SECONDS = 3.0
"""A box answers at once; one that has said nothing of RFC 2217 for so long is none."""
LONGEST_PAUSE = 5.0
MOST_HELD = 1 << 20
_OPTIONS = ("baud", "bits", "dtr", "flow", "parity", "rts", "settle_ms", "stop")

_log = logging.getLogger(__name__)


def open_url(url: str, *, now: Callable[[], int]) -> Port:
    """`rfc2217://HOST:PORT?baud=N`, `socket://HOST:PORT` or `loop://`. Raises PortInvalid."""
    parts, host, number = split_url(url)
    settings = settings_of(read_options(url, parts.query, _OPTIONS))
    if parts.scheme == "loop":
        return LoopPort(now=now)
    if not host or not number or parts.path.strip("/") or parts.username or parts.fragment:
        scheme = url.partition(":")[0]
        raise PortInvalid(f"{url!r}: such an address is {scheme}://HOST:PORT with a port of 1 to 65535")
    line = ConnectPort(host, number, now=now, pauses=Pauses(longest=LONGEST_PAUSE))
    line.url = f"{parts.scheme}://{in_url(host)}:{number}"
    return line if parts.scheme == "socket" else RemotePort(line, settings, now=now)


class LoopPort(Port):
    """What is sent comes back: for trying things out."""

    def __init__(self, *, now: Callable[[], int]) -> None:
        self._now = now
        self._said: asyncio.Queue[bytes | None] = asyncio.Queue(1000)

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield what was sent, until the port is left."""
        yield Opened(at=self._now(), port="loop://")
        while (data := await self._said.get()) is not None:
            yield Chunk(at=self._now(), data=data)
        yield Closed(at=self._now(), reason="stopped", why="we closed the line")

    async def send(self, data: bytes) -> None:
        """Hear it; what nobody takes is thrown away."""
        if data and self._said.qsize() < self._said.maxsize - 1:
            self._said.put_nowait(data)

    async def __aexit__(self, *_: object) -> None:
        """End it."""
        if not self._said.full():
            self._said.put_nowait(None)


class RemotePort(Port):
    """A serial line behind a box that speaks RFC 2217; `line` is the connection to it."""

    def __init__(self, line: ConnectPort, settings: Settings, *, now: Callable[[], int]) -> None:
        self._line = line
        self._settings = settings
        self._now = now
        self._telnet = Telnet(settings)
        self._held = bytearray()
        """What the machine said before the line was set up."""
        self._phase = "closed"
        """`closed`, `asking` the box, `settling`, `open`."""
        self._due: float | None = None
        self._refused = ""
        self.url = line.url

    async def __aexit__(self, *_: object) -> None:
        """Hang up."""
        await self._line.__aexit__()

    async def send(self, data: bytes) -> None:
        """Send to the machine; nothing where it is not there."""
        if self._phase == "open":
            await self._line.send(escape(data))

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        loop = asyncio.get_running_loop()
        async with aclosing(aiter(self._line)) as events:  # type: ignore[type-var]
            coming: asyncio.Future[PortEvent] | None = None
            try:
                while True:
                    coming = coming or asyncio.ensure_future(anext(events))
                    patience = None if self._due is None else max(0.0, self._due - loop.time())
                    await asyncio.wait({coming}, timeout=patience)
                    if not coming.done():
                        for event in await self._time_is_up():
                            yield event
                        continue
                    try:
                        got = coming.result()
                    except StopAsyncIteration:
                        return
                    coming = None
                    for event in await self._take(got):
                        yield event
            finally:
                if coming is not None:
                    coming.cancel()
                    await asyncio.gather(coming, return_exceptions=True)

    async def _take(self, event: PortEvent) -> list[PortEvent]:
        if isinstance(event, Opened):
            self._telnet, self._refused, self._phase = Telnet(self._settings), "", "asking"
            self._held.clear()
            self._wait(AGREE_SECONDS)
            await self._line.send(self._telnet.greet())
        elif isinstance(event, Chunk):
            return await self._hear(event)
        elif isinstance(event, Closed):
            why, reason = self._refused or event.why, "refused" if self._refused else event.reason
            if self._telnet.bad >= ENOUGH:
                why += f"; {self._telnet.bad} framing errors: {self._settings} is not how the machine speaks"
            self._phase, self._due = "closed", None
            return [Closed(at=event.at, reason=reason, why=why)]
        return []

    async def _hear(self, event: Chunk) -> list[PortEvent]:
        sound = self._telnet.bad < ENOUGH
        heard, reply = self._telnet.feed(event.data)
        if reply:
            await self._line.send(reply)
        if sound and self._telnet.bad >= ENOUGH:
            _log.warning("%s: framing errors: %s is not how the machine speaks", self.url, self._settings)
        if self._phase == "open":
            return [Chunk(at=event.at, data=heard)] if heard else []
        self._held += heard[: MOST_HELD - len(self._held)]
        if self._phase == "asking" and self._telnet.agreed is False:
            await self._refuse()
        elif self._phase == "asking" and self._telnet.baud is not None:
            self._phase = "settling"
            if self._settings.settle_ms:
                self._wait(self._settings.settle_ms / 1000)
            else:
                return self._open()
        return []

    async def _time_is_up(self) -> list[PortEvent]:
        self._due = None
        if self._phase == "asking" and not self._telnet.agreed:
            await self._refuse()
            return []
        return self._open()

    def _open(self) -> list[PortEvent]:
        self._phase, self._due = "open", None
        at, baud = self._now(), self._telnet.baud
        notes: tuple[str, ...] = ()
        if baud != self._settings.baud:
            did = "does not say whether it set the speed" if baud is None else f"runs at {baud} baud"
            notes = (f"{self.url} {did}; {self._settings.baud} were asked for",)
        held, self._held = bytes(self._held), bytearray()
        opened: list[PortEvent] = [Opened(at=at, port=self.url, notes=notes)]
        return [*opened, Chunk(at=at, data=held)] if held else opened

    async def _refuse(self) -> None:
        self._due = None
        self._refused = f"{self.url} does not speak RFC 2217: for a plain connection use tcp:// or socket://"
        await self._line.hang_up()

    def _wait(self, seconds: float) -> None:
        self._due = asyncio.get_running_loop().time() + seconds
