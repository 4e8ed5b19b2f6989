"""A simulated Vector board with all its doors: HTTP, datagrams, and its USB line as a pseudo-terminal.

    python -m hardware.sim.vector_net [--http 8080] [--udp 127.0.0.1:6809] [--pty] [--signed] [--play "speed=5&calm=1"]

Here: sockets and the terminal, for tests and for a user who wants to try. The board is `vector_board`, its USB line
`vector`. As the firmware: HTTP closes after each answer; what changes something wants a signature over a challenge.
"""

import argparse
import asyncio
import contextlib
import hmac
import json
import os
import secrets
import socket
import time
import tty
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Self

from hardware.sim.address import parse
from hardware.sim.life import Life
from hardware.sim.oracle import Event
from hardware.sim.vector import VectorSpeaker
from hardware.sim.vector_board import Board, Said

UDP_PORT = 6809
MOST_REQUEST = 8 * 1024
_STEP = 0.02
_LOCKED = ("/api/origin/target",)


class Rig:
    """A board that runs against the clock. `now` gives milliseconds; `happen` is how true events reach it.

    `http`: the port to answer on (0: any); `udp`: where messages are pushed to while nobody registered; `terminal`:
    the USB line becomes a pseudo-terminal, whose name is `terminal`.
    """

    def __init__(
        self,
        board: Board,
        *,
        now: Callable[[], int],
        http: int | None = None,
        udp: tuple[str, int] | None = None,
        terminal: bool = False,
        password: str = "",
    ) -> None:
        self.board = board
        self.speaker = VectorSpeaker(board)
        self.pushed: list[bytes] = []
        """Every datagram that was sent."""
        self.terminal = ""
        self.udp_port = udp[1] if udp else UDP_PORT
        self._now, self._http, self._udp, self._password = now, http, udp, password
        self._wants_terminal = terminal
        self._master: int | None = None
        self._slave: int | None = None
        self._server: asyncio.Server | None = None
        self._socket: socket.socket | None = None
        self._task: asyncio.Task[None] | None = None
        self._challenges: set[str] = set()

    async def __aenter__(self) -> Self:
        """Switch it on."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        if self._http is not None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._http)
        if self._wants_terminal:
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self.terminal = os.ttyname(self._slave)
            asyncio.get_running_loop().add_reader(self._master, self._read_terminal)
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Switch it off."""
        if self._task:
            self._task.cancel()
        if self._server:
            self._server.close()
        if self._master is not None:
            asyncio.get_running_loop().remove_reader(self._master)
        for end in (self._master, self._slave):
            if end is not None:
                os.close(end)
        if self._socket:
            self._socket.close()

    @property
    def http_port(self) -> int:
        """Where it answers by HTTP."""
        assert self._server is not None, "it was made without HTTP"  # noqa: S101 - the caller's mistake
        return int(self._server.sockets[0].getsockname()[1])

    def happen(self, event: Event) -> None:
        """Something truly happened, at `event.at`."""
        self._say(self.board.happen(event))

    async def _run(self) -> None:
        while True:
            at = self._now()
            self._say(self.board.tick(at))
            self._write_terminal(self.speaker.read(at))
            await asyncio.sleep(_STEP)

    def _say(self, said: list[Said]) -> None:
        self._write_terminal(self.speaker.tell(said))
        for one in said:
            if one.message is not None:
                self._push(one.message)

    def _push(self, message: dict[str, Any]) -> None:
        body, target = json.dumps(message).encode(), self.board.target
        if target is not None:
            host, secret = target
            body = hmac.new(secret.encode(), body, sha256).hexdigest()[:16].encode() + body
            place = (host or "127.0.0.1", self.udp_port)
        elif self._udp is not None:
            place = self._udp
        else:
            return
        self.pushed.append(body)
        if self._socket:
            with contextlib.suppress(OSError):
                self._socket.sendto(body, place)

    # --- USB -------------------------------------------------------------------------------------------

    def _read_terminal(self) -> None:
        assert self._master is not None  # noqa: S101 - who reads has opened it
        with contextlib.suppress(OSError):
            self.speaker.hear(os.read(self._master, 4096), self._now())

    def _write_terminal(self, lines: list[bytes]) -> None:
        """Nobody may be reading: what finds no room is lost, as on the board."""
        if self._master is not None:
            for line in lines:
                with contextlib.suppress(OSError):
                    os.write(self._master, line)

    # --- HTTP ------------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            length = min(int(headers.get("content-length", 0)), MOST_REQUEST)
            body = (await reader.readexactly(length)).decode()
            path = head[0].split()[1].partition("?")[0]
            status, told, text = self._answer(path, headers, body)
            fields = "".join(f"{name}: {value}\r\n" for name, value in told.items())
            writer.write(f"HTTP/1.1 {status} {status}\r\n{fields}\r\n{text}".encode())
            await writer.drain()
        writer.close()

    def _answer(self, path: str, headers: dict[str, str], body: str) -> tuple[int, dict[str, Any], str]:
        if path == "/api/auth/challenge":
            challenge = secrets.token_hex(32)
            self._challenges.add(challenge)
            return 200, {"Content-Type": "application/json"}, json.dumps({"challenge": challenge})
        if path in _LOCKED and not self._may(path, headers, body):
            return 401, {"Content-Type": "application/json"}, json.dumps({"error": "Bad Credentials"})
        return self.board.answer(path, body)

    def _may(self, path: str, headers: dict[str, str], body: str) -> bool:
        challenge = headers.get("x-auth-challenge", "")
        if challenge not in self._challenges:
            return False
        self._challenges.discard(challenge)
        signed = hmac.new(self._password.encode(), (challenge + path + body).encode(), sha256).hexdigest()
        return hmac.compare_digest(signed, headers.get("x-auth-hmac", ""))


async def play(rig: Rig, life: Life, now: Callable[[], int]) -> None:
    """Let a machine live at the board, for ever."""
    while True:
        for event in life.advance(now()):
            rig.happen(event)
        await asyncio.sleep(life.wait(now()) / 1000)


async def main() -> None:
    """Run a board until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--http", type=int, metavar="PORT", help="answer by HTTP on this port of 127.0.0.1")
    parser.add_argument("--udp", metavar="HOST:PORT", help="push messages there")
    parser.add_argument("--pty", action="store_true", help="a pseudo-terminal for the USB line")
    parser.add_argument("--signed", action="store_true", help="the newer firmware: pushes where a listener registers")
    parser.add_argument("--play", default="", metavar="NAME=VALUE&…", help="as in sim://vector?…; speed stays 1")
    asked = parser.parse_args()
    host, _, port = (asked.udp or "").rpartition(":")
    began = time.monotonic()

    def now() -> int:
        return int((time.monotonic() - began) * 1000)

    life = parse(f"sim://vector?{asked.play}").live()
    life.speed = 1.0  # a board's own clock cannot be hurried
    udp = (host, int(port)) if asked.udp else None
    rig = Rig(Board(signed=asked.signed), now=now, http=asked.http, udp=udp, terminal=asked.pty)
    async with rig:
        doors = [rig.terminal, f"http://127.0.0.1:{asked.http}" if asked.http else "", asked.udp or ""]
        print("board 39819ddb at", ", ".join(filter(None, doors)) or "no door: see --help", flush=True)  # noqa: T201
        await play(rig, life, now)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
