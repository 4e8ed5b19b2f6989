"""The lines of a recording file: `SECONDS DIRECTION TEXT` (docs/recordings.md), plain or packed, bounded.

Here: reading them. Not here: what follows from them (`replay`). Invariant: a damaged line costs itself and is counted;
nothing is kept of a file but the line at hand.
"""

import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, cast

from hardware.errors import RecordingInvalid

MOST_LINE = 1 << 20
"""Bytes of one line of a recording; a longer one is damaged."""
MOST_SECONDS = 10**10

LEAP_MS = 1_000
"""Lines may overtake each other by less than this."""

_LINE = re.compile(
    rb"\s*(\d{1,10}(?:\.\d{1,9})?) (?:([<>#])(\d?)(x?)|UDP \S{1,300}|console)(?: (.*))?\Z",
    re.DOTALL,
)
_AROUND = re.compile(rb"(?:0x|\\x)(?=[0-9a-f]{2})|[,:](?= ?[0-9a-f\\])", re.IGNORECASE)
"""What others put before or between two hexadecimal digits."""
_LOOK_AT = 200
"""So many lines are looked at before a file is called no recording."""
_LOOK_FOR = 256
"""So many MiB of a first line that does not end."""


class Record(NamedTuple):
    """One line: `at` in milliseconds; `direction` <, > or #; `client` empty or a digit; `data` with its line end."""

    at: int
    direction: str
    client: str
    data: bytes


class Recording:
    """The good lines of a recording file, in order; `damaged` counts the others. Read twice, it reads twice.

    `binary`: what was said stands there in hexadecimal, not as lines of text.
    """

    def __init__(self, path: Path, *, binary: bool = False) -> None:
        self._path = path
        self._binary = binary
        self.damaged = 0
        self.led = 0
        """How many of the damaged ones came before the first good one: a file that ends in rubbish is a recording."""

    def __iter__(self) -> Iterator[Record]:
        """Yield the lines. Raises RecordingInvalid where the file cannot be read."""
        self.damaged = self.led = 0
        try:
            with readable(self._path), open_file(self._path) as file:
                yield from self._records(file)
        except BROKEN:
            self.damaged += 1  # a compressed file that is cut off: what came before is good

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
            text = line.rstrip(b"\r\n").removeprefix(b"\xef\xbb\xbf")
            if not text.strip():
                continue
            record = self._parse(text)
            if record is None:
                self.damaged += 1
                self.led += not good
                continue
            good = True
            yield record

    def _parse(self, text: bytes) -> Record | None:
        found = _LINE.match(text)
        if not found or float(found[1]) > MOST_SECONDS or b"\r" in text:
            return None
        at, direction, data = round(float(found[1]) * 1000), (found[2] or b"<").decode(), found[5] or b""
        if direction != "#":
            if not (self._binary or found[4]):
                data += b"\n"
            else:
                try:
                    data = bytes.fromhex(_AROUND.sub(b" ", data).decode("ascii"))
                except ValueError:
                    return None
        return Record(at, direction, (found[3] or b"").decode(), data)


class Course:
    """Makes times rise: whatever becomes of the clock of then, no line is lost for its time.

    A time that does not fit between those around it counts as the one before it; a clock that was set back, or begins
    anew, goes on from where it was.
    """

    def __init__(self) -> None:
        self._last: int | None = None
        self._shift = 0

    def place(self, records: Iterable[Record]) -> Iterator[tuple[int, Record]]:
        """Each line with its time, in milliseconds."""
        waiting: Record | None = None
        for record in records:
            if waiting is not None:
                yield self._time(waiting.at, record.at), waiting
            waiting = record
        if waiting is not None:
            yield self._time(waiting.at, None), waiting

    def _time(self, at: int, following: int | None) -> int:
        last = at if self._last is None else self._last
        strays = following is not None and following >= last and not last <= at <= following + LEAP_MS
        if strays or last - LEAP_MS <= at < last:
            at = last
        elif at < last:
            self._shift += last - at
        self._last = at
        return at + self._shift


BROKEN = (EOFError, zlib.error, gzip.BadGzipFile)
"""What a packed file raises that is cut off or damaged."""


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading, unpacked if it is packed with gzip."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast("BinaryIO", gzip.open(path) if packed else path.open("rb"))


class readable:  # noqa: N801 - used as a verb: with readable(path)
    """Turns what may go wrong in reading a file into RecordingInvalid."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        if self._path.is_fifo():  # it can be read once, and nobody may ever write to it
            raise RecordingInvalid(f"{self._path}: a pipe, not a recording: save it in a file")

    def __exit__(self, _: object, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
            why = "it is a folder" if self._path.is_dir() else os.strerror(error.errno or 0)
            raise RecordingInvalid(f"cannot read {self._path}: {why}") from None
        if isinstance(error, ValueError):
            raise RecordingInvalid(f"cannot read {str(self._path)!r}: that is no file name") from None
