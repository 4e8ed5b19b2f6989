"""A dump of a dot-matrix display's exact pictures as a port, with the times of then (docs/recordings.md).

Here: the text form that PinMAME, libdmdutil and others write: a line `0x0012ab34` of milliseconds, then one row a line
with one hex digit a dot (on a display of colours four, RGB565, or six, RGB888), then a blank line. Invariant: a damaged
frame costs itself and is counted; what comes out has one size and rising times.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from hardware.colours import brightness, rgb565
from hardware.errors import RecordingInvalid
from hardware.ports.base import Closed, Dots, Opened, Player, PortEvent
from hardware.ports.replay_lines import BROKEN, open_file, readable

MOST_ROWS, MOST_COLUMNS = 256, 512
_LEAST_ROWS, _LEAST_COLUMNS = 5, 8
_MOST_LINE = 4 * MOST_COLUMNS
_COLOURED = {(columns * digits, rows): digits for columns, rows in ((128, 16), (128, 32), (192, 64), (256, 64))
             for digits in (4, 6)}  # fmt: skip
"""Digits a dot of a display of colours, by how many digits a row has and how many rows there are."""
_LOOK_AT = 4_000
"""So many lines are looked at before a file is called no dump."""
_TURN = 1 << 32
"""Milliseconds after which the dump's clock begins at nought again."""

_TIME = re.compile(rb"0[xX]([0-9a-fA-F]{1,8})\Z")
_ROW = re.compile(rb"[0-9a-fA-F]{%d,%d}\Z" % (_LEAST_COLUMNS, 6 * 256))
_VALUE = np.full(256, 255, np.uint8)
for _digit in b"0123456789abcdefABCDEF":
    _VALUE[_digit] = int(chr(_digit), 16)


class DumpFrame(NamedTuple):
    """One whole picture: `at` in the dump's own milliseconds, `levels` rows x columns of its hex digits."""

    at: int
    levels: NDArray[np.uint8]


def looks_like_dump(path: Path) -> bool:
    """Whether a file begins as a dump does. Raises RecordingInvalid where it cannot be read."""
    with readable(path), open_file(path) as file:
        try:
            start = file.read(_MOST_LINE).removeprefix(b"\xef\xbb\xbf").split()
        except BROKEN:
            return False
        return bool(start) and (_TIME.match(start[0]) or _ROW.match(start[0])) is not None


class DotsPort(Player):
    """Yields a dump's pictures as fast as they are taken, then `Closed` with reason `ended`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged = 0
        """Frames that were skipped."""
        self.size = (0, 0)
        """Columns and rows."""
        self._peak = 15

    async def __aenter__(self) -> Self:
        """Look through the dump. Raises RecordingInvalid where it is none."""
        self.look_through()
        return self

    def look_through(self) -> None:
        """Find its size and how bright it gets, before its events. Raises RecordingInvalid where it is no dump."""
        dump = Dump(self._path)
        sizes: Counter[tuple[int, int]] = Counter()
        peak = 0
        for frame in dump:
            sizes[frame.levels.shape[1], frame.levels.shape[0]] += 1
            peak = max(peak, int(frame.levels.max()))
        if not sizes:
            raise RecordingInvalid(
                f"{self._path} is no recording of a dot-matrix display: each picture is a line such as 0x0001d4c0"
                " (milliseconds), then rows of one hex digit a dot, then a blank line"
            )
        self.size = sizes.most_common(1)[0][0]
        self._peak = next(most for most in (1, 3, 15) if peak <= most)

    def events(self) -> Iterator[PortEvent]:
        """See `Player`."""
        dump = Dump(self._path)
        at, first, others = 0, True, 0
        for frame in _in_time(dump):
            if frame.levels.shape != self.size[::-1]:
                others += 1
                continue
            at = frame.at
            if first:
                first = False
                yield Opened(at=at, port=f"replay:{self._path}", passive=True)
            yield Dots(at=at, levels=frame.levels.astype(np.float32) * np.float32(1 / self._peak))
        self.damaged = dump.damaged + others
        yield Closed(at=at, reason="ended", why=f"the recording is over, {self.damaged} damaged frames skipped")


class Dump:
    """The whole frames of a dump file, in order; `damaged` counts the others. Read twice, it reads twice."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged = 0

    def __iter__(self) -> Iterator[DumpFrame]:
        """Yield the frames. Raises RecordingInvalid where the file cannot be read."""
        self.damaged = 0
        at: int | None = None
        rows: list[bytes] = []
        good, seen = False, 0
        for line in self._lines():
            seen += 1
            if not good and seen > _LOOK_AT:
                return
            time = _TIME.match(line)
            if line and not time:
                rows.append(line if len(rows) < MOST_ROWS else b"")
                del rows[MOST_ROWS + 1 :]
                continue
            if frame := self._finish(at, rows):
                good = True
                yield frame
            at, rows = int(time[1], 16) if time else None, []
        if frame := self._finish(at, rows):
            yield frame

    def _finish(self, at: int | None, rows: list[bytes]) -> DumpFrame | None:
        if at is None and not rows:
            return None  # blank lines between frames
        whole = at is not None and _LEAST_ROWS <= len(rows) <= MOST_ROWS and all(_ROW.match(row) for row in rows)
        if at is None or not whole or len({len(row) for row in rows}) > 1:
            self.damaged += 1
            return None
        digits = _COLOURED.get((len(rows[0]), len(rows)))
        if digits is not None:
            return DumpFrame(at, _of_colours(rows, digits))
        if len(rows[0]) > MOST_COLUMNS:
            self.damaged += 1
            return None
        signs = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
        return DumpFrame(at, _VALUE[signs])

    def _lines(self) -> Iterator[bytes]:
        """Lines without their ends; one that is too long is handed on cut, so that it matches nothing."""
        with readable(self._path), open_file(self._path) as file:
            first = True
            try:
                while line := file.readline(_MOST_LINE):
                    cut = not line.endswith(b"\n")
                    while cut and (rest := file.readline(_MOST_LINE)) and not rest.endswith(b"\n"):
                        line = b"!"
                    yield line.strip().removeprefix(b"\xef\xbb\xbf") if first else line.strip()
                    first = False
            except BROKEN:
                yield b"!"  # a compressed file that is cut off: the frame at its end is damaged


def _of_colours(rows: list[bytes], digits: int) -> NDArray[np.uint8]:
    """Colours as sixteen levels of brightness, so that they are like all others."""
    data = bytes.fromhex(b"".join(rows).decode())
    columns = len(rows[0]) // digits
    if digits == 4:
        parts = rgb565(data, columns, len(rows))
    else:
        parts = np.frombuffer(data, np.uint8).reshape(len(rows), columns, 3)
    return np.asarray(np.rint(brightness(parts) * 15), np.uint8)


def _in_time(dump: Dump) -> Iterator[DumpFrame]:
    """Frames with times that rise: one damaged time costs its frame, a clock that begins anew goes on from there."""
    shift, last = 0, -1
    waiting: DumpFrame | None = None
    for frame in dump:
        if waiting is not None:
            if last <= frame.at < waiting.at or (waiting.at < last <= frame.at):
                dump.damaged += 1  # its time lies outside of those before and after it
            else:
                shift = _shift(shift, last, waiting.at)
                last = waiting.at
                yield DumpFrame(waiting.at + shift, waiting.levels)
        waiting = frame
    if waiting is not None:
        yield DumpFrame(waiting.at + _shift(shift, last, waiting.at), waiting.levels)


def _shift(shift: int, last: int, at: int) -> int:
    if at >= last:
        return shift
    return shift + _TURN if last - at > _TURN // 2 else shift + last - at
