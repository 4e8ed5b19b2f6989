"""A recording as a port: what the machine said then, with the times of then.

Here: reading the file (docs/signals.md, Recordings). Nothing is understood but times and directions. Invariant: a
damaged line costs itself and is counted; a file that is no recording is refused before its first event.
"""

import gzip
import os
import re
import sys
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self, cast

from hardware.errors import RecordingInvalid
from hardware.ports.base import Chunk, Closed, Opened, Overheard, Port, PortEvent

MOST_LINE = 1 << 20
"""Bytes of one line of a recording; a longer one is damaged."""
MOST_SECONDS = 10**9

_LINE = re.compile(rb"\s*(\d{1,10}(?:\.\d{1,9})?) ([<>#])(\d?)(?: (.*))?\Z", re.DOTALL)
_LOOK_AT = 200
"""So many lines are looked at before a file is called no recording."""
_LOOK_FOR = 256
"""So many MiB of a first line that does not end."""


class Record(NamedTuple):
    """One line: `at` in milliseconds; `direction` <, > or #; `client` empty or a digit."""

    at: int
    direction: str
    client: str
    data: bytes


def open_url(url: str, *, now: Callable[[], int]) -> "ReplayPort":
    """`replay:PATH`."""
    del now  # a recording has its own time
    return ReplayPort(Path(url.removeprefix("replay:")))


class ReplayPort(Port):
    """Yields a recording's events as fast as they are taken, then `Closed` with reason `ended`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._client = ""
        self.damaged = 0
        """Lines that were skipped."""

    async def __aenter__(self) -> Self:
        """Look whether it is a recording, and whom it follows. Raises RecordingInvalid."""
        recording = Recording(self._path)
        good = 0
        for record in recording:
            good += 1
            if record.client == "2" and record.direction == "<":
                self._client = "2"
        if not good or recording.led > good:
            raise RecordingInvalid(
                f"{self._path} is no recording: its lines are `SECONDS < TEXT` (from the machine), `SECONDS > TEXT`"
                " (to it) or `SECONDS # NOTE`"
            )
        return self

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield the events in order."""
        for event in self.events():
            yield event

    def events(self) -> Iterator[PortEvent]:
        """The events, for a caller that has no event loop."""
        recording = Recording(self._path)
        opened, at = False, 0
        for record in recording:
            at = max(at, record.at)
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
            yield kind(at=at, data=record.data + b"\n")
        self.damaged = recording.damaged
        yield Closed(at=at, reason="ended", why=f"the recording is over, {self.damaged} damaged lines skipped")

    async def send(self, data: bytes) -> None:
        """Nobody is there."""

    async def __aexit__(self, *_: object) -> None:
        """Nothing is held open."""


class Recording:
    """The good lines of a recording file, in order; `damaged` counts the others. Read twice, it reads twice."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged = 0
        self.led = 0
        """How many of the damaged ones came before the first good one: a file that ends in rubbish is a recording."""

    def __iter__(self) -> Iterator[Record]:
        """Yield the lines. Raises RecordingInvalid where the file cannot be read."""
        self.damaged = self.led = 0
        try:
            with self._open() as file:
                yield from self._records(file)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self.damaged += 1  # a compressed file that is cut off: what came before is good
        except OSError as error:
            why = "it is a folder" if self._path.is_dir() else os.strerror(error.errno or 0)
            raise RecordingInvalid(f"cannot read {self._path}: {why}") from None
        except ValueError:
            raise RecordingInvalid(f"cannot read {str(self._path)!r}: that is no file name") from None

    def _open(self) -> BinaryIO:
        with self._path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        return cast("BinaryIO", gzip.open(self._path) if packed else self._path.open("rb"))

    def _records(self, file: BinaryIO) -> Iterator[Record]:
        good = False
        while (line := file.readline(MOST_LINE + 2)) and (good or self.damaged < _LOOK_AT):
            if len(line) > MOST_LINE and not line.endswith(b"\n"):
                self.damaged += 1
                for _ in range(_LOOK_FOR if not good else sys.maxsize):
                    if not (rest := file.readline(MOST_LINE)) or rest.endswith(b"\n"):
                        break
                else:
                    return
                continue
            text = line.rstrip(b"\r\n")
            if not text.strip():
                continue
            found = _LINE.match(text.removeprefix(b"\xef\xbb\xbf"))
            if not found or float(found[1]) > MOST_SECONDS or b"\r" in text:
                self.damaged += 1
                self.led += not good
                continue
            at, good = round(float(found[1]) * 1000), True
            yield Record(at, found[2].decode(), found[3].decode(), found[4] or b"")
