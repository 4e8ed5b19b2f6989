"""A recording of what a machine said as a port, with the times of then: text, lines of hexadecimal, or raw bytes.

Here: conversations and times. The file's lines are read in `replay_lines`. Nothing is understood but times and
directions. Invariant: a damaged line costs itself and is counted; a file that is no recording is refused before its
first event.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Self

from hardware.errors import RecordingInvalid
from hardware.ports.base import Chunk, Closed, Opened, Overheard, Player, PortEvent
from hardware.ports.replay_lines import BROKEN, Course, Recording, open_file, readable

PIECE_MS = 20
"""Raw bytes are handed on in pieces of so long."""
MOST_PIECE = 64 * 1024
_LOOK_AT = 500
"""Lines that are looked at to see whether they are hexadecimal."""
_TEXT = re.compile(rb"[\t\r\n\x20-\x7e]+")


def open_url(url: str, *, now: Callable[[], int]) -> "ReplayPort":
    """`replay:PATH`. Raises RecordingInvalid where it is none."""
    del now  # a recording has its own time
    port = ReplayPort(Path(url.removeprefix("replay:")))
    port.look_through()
    return port


def looks_like_lines(path: Path, *, binary: bool) -> bool:
    """Whether there is one good line of a recording near the file's beginning. Raises RecordingInvalid."""
    return next(iter(Recording(path, binary=binary)), None) is not None


def hides_text(path: Path) -> bool:
    """Whether the lines of a recording hold text in hexadecimal: all of them do, and it makes lines. Raises
    RecordingInvalid.
    """
    texts: list[bytes] = []
    for record in islice(Recording(path), _LOOK_AT):
        if record.direction != "#":
            try:
                texts.append(bytes.fromhex(record.data.decode("ascii")))
            except ValueError:
                return False
    sensible = sum(_TEXT.fullmatch(text) is not None for text in texts)
    return b"\n" in b"".join(texts) and 3 * sensible >= len(texts)


class ReplayPort(Player):
    """Yields a recording's events as fast as they are taken, then `Closed` with reason `ended`.

    `binary`: what was said stands there in hexadecimal.
    """

    unit = "lines"
    """What `damaged` counts."""

    def __init__(self, path: Path, *, binary: bool = False) -> None:
        self._path = path
        self._binary = binary
        self._client = ""
        self.damaged = 0
        """Lines that were skipped."""

    async def __aenter__(self) -> Self:
        """Look whether it is a recording. Raises RecordingInvalid."""
        self.look_through()
        return self

    def look_through(self) -> None:
        """Look whether it is a recording, and whom it follows. Raises RecordingInvalid."""
        recording = Recording(self._path, binary=self._binary)
        good = 0
        for record in recording:
            good += 1
            if record.client == "2" and record.direction == "<":
                self._client = "2"
        if not good or recording.led > good:
            what = "HEX" if self._binary else "TEXT"
            raise RecordingInvalid(
                f"{self._path} is no recording: its lines are `SECONDS < {what}` (from the machine), `SECONDS > {what}`"
                " (to it) or `SECONDS # NOTE`; for bytes as they came, say how fast: --baud N or --rate N"
            )

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        recording = Recording(self._path, binary=self._binary)
        opened, at = False, 0
        for at, record in Course().place(recording):
            if record.direction == "#":
                if opened and record.data.startswith(b"EOF"):
                    opened = False
                    yield Closed(at=at, reason="eof", why="the machine closed the connection")
                continue
            if record.client != self._client:
                continue
            if not opened:
                opened = True
                yield Opened(at=at, port=f"replay:{self._path}", passive=True)
            kind = Chunk if record.direction == "<" else Overheard
            yield kind(at=at, data=record.data)
        self.damaged = recording.damaged
        yield Closed(at=at, reason="ended", why=f"the recording is over, {self.damaged} damaged lines skipped")


class RawPort(Player):
    """Yields the bytes of a file as a line of `rate` bytes a second would have brought them, then `Closed`."""

    unit = "ends of files"

    def __init__(self, path: Path, *, rate: float) -> None:
        self._path = path
        self._rate = rate
        self.damaged = 0
        """1 where a packed file is cut off."""

    async def __aenter__(self) -> Self:
        """Look whether there is anything. Raises RecordingInvalid."""
        with readable(self._path), open_file(self._path) as file:
            try:
                empty = not file.read(1)
            except BROKEN:
                empty = True
        if empty:
            raise RecordingInvalid(f"{self._path} is no recording: it is empty")
        return self

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        piece = max(1, min(MOST_PIECE, round(self._rate * PIECE_MS / 1000)))
        yield Opened(at=0, port=f"replay:{self._path}", passive=True)
        taken = 0
        with readable(self._path), open_file(self._path) as file:
            try:
                while data := file.read(piece):
                    taken += len(data)
                    yield Chunk(at=round(taken / self._rate * 1000), data=data)
            except BROKEN:
                self.damaged = 1
        at = round(taken / self._rate * 1000)
        yield Closed(at=at, reason="ended", why="the recording is over")
