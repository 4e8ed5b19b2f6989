"""A simulated Vector board on its USB line: answers and console text on one wire, as whoever opens it hears it.

Here: framing, both ways. The board is `vector_board`. As warped-pinball/vector, usb_comms.py: lines of less than
1,000 characters, looked for ten times a second; who asks in another form gets no answer.
"""

import json
import re

from hardware.sim.address import Setting
from hardware.sim.oracle import Event
from hardware.sim.vector_board import Board, Said

READ_MS = 100
MOST_LINE = 1_000
MOST_LINES = 10
_PIPE = re.compile(r"(?<!\\)\|")


def make(setting: Setting) -> "VectorSpeaker":
    """The board of `sim://vector`: which one it is comes from the seed."""
    return VectorSpeaker(Board(device=f"{0x39819DDB ^ setting.seed:08x}", number=setting.seed % 100))


class VectorSpeaker:
    """The USB side of a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._half = ""
        self._lines: list[str] = []
        self._read_at: int | None = None

    def greet(self, at: int) -> list[bytes]:
        """Nothing: whoever opens the port hears what the console says from then on, from the middle of a line."""
        return [b"LE: cycle complete\r\n"] if self.board.is_up(at) else []

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened."""
        if event.kind == "power-lost":
            self._lines, self._half, self._read_at = [], "", None
        return self.tell(self.board.happen(event))

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """Bytes from the peer: they are looked at in the next tenth of a second."""
        if not self.board.powered:
            return []
        for character in data.decode("utf-8", "replace"):
            if character in "\r\n":
                self._lines += [self._half] if self._half and len(self._lines) < MOST_LINES else []
                self._half = ""
            else:
                self._half = self._half + character if len(self._half) < MOST_LINE else ""
        if self._lines and self._read_at is None:
            self._read_at = (at // READ_MS + 1) * READ_MS
        return []

    def tick(self, at: int) -> list[bytes]:
        """What the board says unasked, then its answers."""
        return [*self.tell(self.board.tick(at)), *self.read(at)]

    def tell(self, said: list[Said]) -> list[bytes]:
        """What the board says unasked, as it stands on its console."""
        return _lines([one.text for one in said])

    def read(self, at: int) -> list[bytes]:
        """The answers to what was asked."""
        said: list[bytes] = []
        if self._read_at is not None and at >= self._read_at:
            lines, self._lines, self._read_at = self._lines, [], None
            if self.board.is_up(at):
                for line in lines:
                    said += self._answer(line)
        return said

    def deadline(self) -> int | None:
        """When `tick` has something to say."""
        due = (self.board.deadline(), self._read_at)
        return min((moment for moment in due if moment is not None), default=None)

    def _answer(self, line: str) -> list[bytes]:
        said = [f"USB REQ: processing request: {line}"]
        parts = [part.replace("\\|", "|") for part in _PIPE.split(line)]
        if len(parts) != 3:
            return _lines([*said, f"USB REQ: invalid request format: {line}"])
        route, headers, data = parts
        said.append(f"USB REQ: URL: {route} HEADERS: {headers} DATA: {data}")
        path = route.partition("?")[0]
        status, told, body = self.board.answer(path, data)
        if status == 404:
            said.append(f"USB REQ: route not found: {path}")
        answer = json.dumps({"route": path, "status": status, "headers": told, "body": body})
        return _lines([*said, f"USB API RESPONSE-->{answer}"])


def _lines(texts: list[str]) -> list[bytes]:
    return [text.encode() + b"\r\n" for text in texts]
