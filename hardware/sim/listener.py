"""Connections to a simulated BCP program: who asked for what, and the TCP server that many can connect to.

Invariant: nothing but `hello` is sent unasked, except `error` for what is not understood.
"""

import asyncio
from contextlib import suppress
from typing import Self
from urllib.parse import parse_qsl, unquote

from hardware.sim.address import Setting
from hardware.sim.bcp import Program, Said, line
from hardware.sim.life import Life
from hardware.sim.oracle import Event

HELLO = "hello?version=1.1&controller_name=Mission%20Pinball%20Framework&controller_version=0.81.0&gmc_version=1.0.0"
CATEGORIES = (
    "core_events",
    "devices",
    "drivers",
    "events",
    "machine_vars",
    "modes",
    "player_vars",
    "service_events",
    "status_request",
    "switches",
)
LONGEST_LINE = 65_536


class Listener:
    """One connection, from the program's side. `hear` and `tell` return the bytes to send."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._wants: set[str] = set()
        self._rest = b""
        self.gone = False
        """The peer said goodbye, or sent a line without end: close."""

    def greet(self) -> bytes:
        """What a new connection is told at once."""
        return f"{HELLO}\n".encode()

    def hear(self, data: bytes) -> bytes:
        """Take bytes from the peer, cut anywhere."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            self.gone, self._rest = True, b""
        return b"".join(self._answer(raw.decode("utf-8", "replace").rstrip("\r")) for raw in lines)

    def tell(self, said: list[Said]) -> bytes:
        """Of all that is said, what this peer asked for."""
        return "".join(f"{text}\n" for topic, text in said if topic in self._wants).encode()

    def _answer(self, text: str) -> bytes:
        command, _, rest = text.partition("?")
        asked = dict(parse_qsl(rest, keep_blank_values=True))
        lines: list[str] = []
        if command in {"monitor_start", "monitor_stop"}:
            category = asked.get("category", "")
            if category not in CATEGORIES:
                lines = [line("error", cmd=command, error="Invalid category value")]
            elif command == "monitor_stop":
                self._wants.discard(category)
            else:
                self._wants.add(category)
                lines = self._program.snapshot(category)
        elif command == "register_trigger":
            self._wants.add("trigger:" + asked.get("event", ""))
        elif command == "deregister_trigger":
            self._wants.discard("trigger:" + asked.get("event", ""))
        elif command == "evaluate_placeholder":
            value = self._program.evaluate(unquote(asked.get("placeholder", "")))
            lines = [line("evaluate_placeholder", value=value, error=False)]
        elif command == "goodbye":
            self.gone = True
        return "".join(f"{answer}\n" for answer in lines).encode()


class BcpSpeaker:
    """The program with one peer at a time."""

    def __init__(self) -> None:
        self._program = Program()
        self._peer: Listener | None = None

    def greet(self, at: int) -> list[bytes]:
        """Somebody has connected: what the one before asked for is forgotten."""
        del at
        self._peer = Listener(self._program)
        return [self._peer.greet()]

    def happen(self, event: Event) -> list[bytes]:
        """What the peer asked to hear of this event."""
        said = self._program.happen(event)
        if event.kind == "power-lost":
            self._peer = None
        told = self._peer.tell(said) if self._peer else b""
        return [told] if told else []

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """The answers."""
        del at
        answer = self._peer.hear(data) if self._peer else b""
        return [answer] if answer else []

    def tick(self, at: int) -> list[bytes]:
        """Nothing is repeated."""
        del at
        return []

    def deadline(self) -> int | None:
        """Nothing is waited for."""
        return None


def make(setting: Setting) -> BcpSpeaker:
    """The program as a speaker: every seed says the same of the same events."""
    del setting
    return BcpSpeaker()


class BcpServer:
    """A simulated machine on a TCP port, which plays on whether somebody listens or not.

    While its power is off connections are refused. `port` is the real one when 0 was asked for.
    """

    def __init__(self, life: Life, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.port = port
        self._life = life
        self._host = host
        self._program = Program()
        self._peers: dict[Listener, asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None
        self._playing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._listen()
        self._playing = asyncio.create_task(self._play())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._playing:
            self._playing.cancel()
            with suppress(asyncio.CancelledError):
                await self._playing
        await self._cut()
        self._life.close()

    async def _play(self) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            now = round((loop.time() - begun) * 1000)
            for event in self._life.advance(now):
                said = self._program.happen(event)
                for peer, writer in list(self._peers.items()):
                    writer.write(peer.tell(said))
                if event.kind == "power-lost":
                    await self._cut()
                elif event.kind == "power-back":
                    await self._listen()
            await asyncio.sleep(self._life.wait(now) / 1000)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _cut(self) -> None:
        if self._server:
            self._server.close()
        for writer in self._peers.values():
            writer.close()
        self._peers.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Listener(self._program)
        self._peers[peer] = writer
        writer.write(peer.greet())
        with suppress(ConnectionError, asyncio.CancelledError):
            while (data := await reader.read(4096)) and not peer.gone:
                writer.write(peer.hear(data))
        self._peers.pop(peer, None)
        writer.close()
