"""The black box of one machine: the last seconds of its pictures and bytes, kept for the moment something breaks.

Here: two bounded rings and what is made of them at a freeze. Nothing is understood and nothing written to disk here.
Invariant: whatever a port brings, a ring holds no more than its bytes, and a recording is one that
`inlane-agent replay` reads.
"""

import re
from collections import deque
from dataclasses import dataclass

from capture.signals import Picture
from hardware.ports.base import Chunk, Closed, Frame, Image, Opened, Overheard, PortEvent

PICTURES_MS = 10_000
"""How far back pictures go."""
EVERY_MS = 450
"""A picture is kept this often at most: two a second and a little more."""
PICTURES_BYTES = 6 * 2**20
WIDEST = 1280
"""Pixels: a wider picture is kept smaller."""
QUALITY = 70
SAID_MS = 60_000
"""How far back bytes go, where they are not too many."""
SAID_BYTES = 1 * 2**20
PIECES = 8_192
"""Chunks kept at most, however small they are."""
LONGEST_LINE = 64 * 1024
"""Bytes of one line of the recording; what is longer is cut, in hexadecimal."""
BUDGET_BYTES, BUDGET_MS = 64 * 2**20, 3_600_000
"""So much evidence in so long at most: a fault that comes and goes must not fill the disk."""
BINARY = frozenset({"dndp", "dmdreader", "libdmdutil", "dmd-extensions", "lisy"})
"""Dialects whose bytes are no lines: `hardware.ports.recordings` reads theirs in hexadecimal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was seen and heard before a moment. `pictures`: milliseconds before it, oldest first."""

    pictures: tuple[tuple[int, Picture], ...] = ()
    recording: Picture | None = None

    def evidence(self) -> list[Picture]:
        """All of it, the newest picture first: if the power fails now, that one matters most."""
        pictures = [picture for _, picture in reversed(self.pictures)]
        return pictures if self.recording is None else [self.recording, *pictures]


class BlackBox:
    """Takes a port's events and what is said to the machine. One task at a time."""

    def __init__(self, machine: str, profile: str, *, dialect: str | None) -> None:
        """`machine` and `profile` are named in the recording; without a `dialect` no bytes are kept."""
        self._title = f"{machine}, profile {profile}"
        self._dialect = dialect
        self._pictures: deque[tuple[int, Picture]] = deque()
        self._pictures_size = 0
        self._said: deque[tuple[int, str, bytes]] = deque()
        self._said_size = 0
        self._cut = False
        """The oldest bytes are gone: what is left may begin in the middle of a line."""
        self._spent: deque[tuple[int, int]] = deque()

    @property
    def size(self) -> int:
        """Bytes held."""
        return self._pictures_size + self._said_size

    def hear(self, event: PortEvent) -> None:
        """Remember what the port brought, pictures left out."""
        match event:
            case Chunk():
                self._say(event.at, "<", event.data)
            case Overheard():
                self._say(event.at, ">", event.data)
            case Opened():
                self._say(event.at, "#", f"opened {event.port}".encode())
            case Closed():
                self._say(event.at, "#", f"EOF {event.reason}: {event.why}".encode())

    def sent(self, at: int, data: bytes) -> None:
        """Remember what we said to the machine."""
        self._say(at, ">", data)

    def see(self, frame: Frame) -> None:
        """Remember a picture, if the last one is old enough. Encodes it (milliseconds): not for the event loop."""
        if self._pictures and 0 <= frame.at - self._pictures[-1][0] < EVERY_MS:
            return
        picture = encode(frame.image)
        self._pictures.append((frame.at, picture))
        self._pictures_size += len(picture.data)
        while self._pictures and (
            self._pictures_size > PICTURES_BYTES or frame.at - self._pictures[0][0] > PICTURES_MS
        ):
            self._pictures_size -= len(self._pictures.popleft()[1].data)

    def keep(self, at: int, why: str) -> Kept:
        """What was seen and heard before `at`; less, or nothing, where the hour's budget is used up."""
        recording = self._recording(at, why)
        pictures = tuple((at - when, one) for when, one in self._pictures if 0 <= at - when <= PICTURES_MS)
        size = sum(len(one.data) for _, one in pictures)
        if not self._afford(at, size):
            pictures, size = pictures[-1:], 0
        if recording is not None and not self._afford(at, size + len(recording.data)):
            recording = None
        self._spent.append((at, size + (len(recording.data) if recording else 0)))
        return Kept(pictures=pictures, recording=recording)

    def _afford(self, at: int, size: int) -> bool:
        while self._spent and at - self._spent[0][0] > BUDGET_MS:
            self._spent.popleft()
        return sum(spent for _, spent in self._spent) + size <= BUDGET_BYTES

    def _say(self, at: int, direction: str, data: bytes) -> None:
        if self._dialect is None:
            return
        if len(data) > SAID_BYTES:
            data, self._cut = data[-SAID_BYTES:], True
            self._said.clear()
            self._said_size = 0
        self._said.append((at, direction, data))
        self._said_size += len(data)
        while self._said_size > SAID_BYTES or at - self._said[0][0] > SAID_MS or len(self._said) > PIECES:
            self._said_size -= len(self._said.popleft()[2])
            self._cut = True

    def _recording(self, at: int, why: str) -> Picture | None:
        """The bytes as lines of `SECONDS DIRECTION TEXT`; None where nothing was said."""
        if not any(direction != "#" for _, direction, _ in self._said):
            return None
        lines = [_line(self._said[0][0], "#", f"{self._title}: kept because of {_plain(why)}".encode())]
        binary = self._dialect in BINARY
        writers = {direction: _Writer(direction, binary=binary, midway=self._cut) for direction in "<>"}
        for when, direction, data in self._said:
            if direction == "#":
                lines += [line for writer in writers.values() for line in writer.flush()]
                lines.append(_line(when, "#", _plain(data.decode(errors="replace")).encode()))
            else:
                lines += writers[direction].take(when, data)
        lines += [line for writer in writers.values() for line in writer.flush()]
        lines.append(_line(at, "#", b"frozen"))
        return Picture(data=b"".join(lines), media="text/plain")


class _Writer:
    """One direction of a recording: lines are put together from chunks; what is no plain line goes in hexadecimal."""

    def __init__(self, direction: str, *, binary: bool, midway: bool) -> None:
        self._direction = direction
        self._binary = binary
        self._midway = midway and not binary
        """The first line's beginning is missing: as a line it could be another number, so it is a note."""
        self._rest = b""
        self._at = 0

    def take(self, at: int, data: bytes) -> list[bytes]:
        if self._binary:
            return self._exact(at, data)
        if not self._rest:
            self._at = at
        *whole, rest = (self._rest + data).split(b"\n")
        found = []
        for line in whole:
            found += self._told(line)
            self._at = at
        self._rest = rest
        if len(self._rest) > LONGEST_LINE:
            found += self.flush()
        return found

    def flush(self) -> list[bytes]:
        """What came of a line whose end did not; no line is so long that it still matters where it began."""
        rest, self._rest = self._rest, b""
        short = self._midway and len(rest) <= LONGEST_LINE
        self._midway = self._midway and short
        return [] if short else self._exact(self._at, rest)

    def _told(self, line: bytes) -> list[bytes]:
        if self._midway:
            self._midway = False
            return [_line(self._at, "#", f"began within a line {self._direction} {line[-200:]!r}".encode())]
        plain = line.removesuffix(b"\r")
        if _PLAIN.fullmatch(plain):
            return [_line(self._at, self._direction, plain)]
        return self._exact(self._at, line + b"\n")

    def _exact(self, at: int, data: bytes) -> list[bytes]:
        step = LONGEST_LINE // 2
        pieces = (data[i : i + step] for i in range(0, len(data), step))
        return [_line(at, self._direction + "x", piece.hex().encode()) for piece in pieces]


_PLAIN = re.compile(rb"[\x20-\x7e\t]{1,65536}")


def encode(image: Image) -> Picture:
    """The picture as a JPEG, at most `WIDEST` pixels wide."""
    import cv2  # noqa: PLC0415 -- an agent whose machines all speak needs no OpenCV

    height, width = image.shape[:2]
    if width > WIDEST:
        image = cv2.resize(image, (WIDEST, max(1, height * WIDEST // width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Picture(data=data.tobytes(), media="image/jpeg")


def _line(at: int, direction: str, text: bytes) -> bytes:
    return f"{at / 1000:.3f} {direction} ".encode() + text + b"\n"


def _plain(text: str) -> str:
    return " ".join(text.split())[:500]
