"""The black box of one machine: the last seconds of its pictures and bytes, kept for the moment something breaks.

Here: two bounded rings and what is made of them at a freeze. Nothing is understood and nothing written to disk here.
Invariant: whatever a port brings, a ring holds no more than its bytes, and a recording is one that
`inlane-agent replay` reads.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge import recording_forms as forms
from capture.signals import Picture
from hardware.ports.base import Chunk, Closed, Frame, Opened, Overheard, PortEvent
from hardware.profile import BINARY

PICTURES_MS = 10_000
"""How far back pictures go."""
EVERY_MS = 450
"""A picture is kept this often at most: two a second and a little more."""
PICTURES_BYTES = 6 * 2**20
QUALITY = 70
SAID_MS = 60_000
"""How far back bytes go, where they are not too many."""
SAID_BYTES = 1 * 2**20
PIECES = 8_192
"""Chunks kept at most, however small they are."""
BUDGET_BYTES, BUDGET_MS = 64 * 2**20, 3_600_000
"""So much evidence in so long at most: a fault that comes and goes must not fill the disk."""

Levels = NDArray[np.float32]
"""Exact dots, rows x columns, 0 dark to 1 brightest. Nobody changes them after they were shown."""
Said = Chunk | Overheard | Opened | Closed


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was seen and heard before a moment. `pictures`: milliseconds before it, oldest first."""

    pictures: tuple[tuple[int, Picture], ...] = ()
    recording: Picture | None = None

    def evidence(self) -> list[Picture]:
        """All of it, the newest picture first: if the power fails now, that one matters most."""
        pictures = [picture for _, picture in reversed(self.pictures)]
        return pictures if self.recording is None else [self.recording, *pictures]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What a black box held at one time. `pictures`: with their times; dots are made into pictures when kept."""

    pictures: tuple[tuple[int, Picture | Levels], ...]
    said: tuple[Said, ...]
    cut: bool
    """The oldest bytes are gone."""


class BlackBox:
    """Takes a port's events and what is said to the machine. One task at a time."""

    def __init__(self, machine: str, profile: str, *, dialect: str | None) -> None:
        """`machine` and `profile` are named in the recording; without a `dialect` no bytes are kept."""
        self._title = f"{machine}, profile {profile}"
        self._dialect = dialect
        self._pictures: deque[tuple[int, Picture | Levels]] = deque()
        self._pictures_size = 0
        self._said: deque[Said] = deque()
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
        if isinstance(event, Chunk | Overheard):
            self._say(event, len(event.data))
        elif isinstance(event, Opened | Closed):
            self._say(event, 0)

    def sent(self, at: int, data: bytes) -> None:
        """Remember what we said to the machine."""
        self._say(Overheard(at=at, data=data), len(data))

    def see(self, frame: Frame) -> None:
        """Remember a picture, if the last one is old enough. Encodes it (milliseconds): not for the event loop."""
        if self._wants(frame.at):
            from capture.vision.evidence import encode_whole  # noqa: PLC0415 -- as in `_draw`

            self._show(frame.at, encode_whole(frame.image, QUALITY))

    def see_dots(self, levels: Levels, at: int) -> None:
        """Remember what exact dots show, if the last picture is old enough; quick."""
        if self._wants(at):
            self._show(at, levels)

    def moment(self) -> Moment:
        """What is held now; quick."""
        return Moment(pictures=tuple(self._pictures), said=tuple(self._said), cut=self._cut)

    def keep(self, at: int, why: str, moment: Moment | None = None) -> Kept:
        """What was seen and heard before `at`; less, or nothing, where the hour's budget is used up.

        Writes a recording of up to thousands of lines: of a `moment` it may be done in another thread.
        """
        held = moment or self.moment()
        recording = self._recording(held, why)
        shown = tuple((at - when, one) for when, one in held.pictures if 0 <= at - when <= PICTURES_MS)
        drawn = {id(one): _draw(one) for _, one in shown if not isinstance(one, Picture)}
        pictures = tuple((ago, one if isinstance(one, Picture) else drawn[id(one)]) for ago, one in shown)
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

    def _wants(self, at: int) -> bool:
        return not (self._pictures and 0 <= at - self._pictures[-1][0] < EVERY_MS)

    def _show(self, at: int, picture: Picture | Levels) -> None:
        self._pictures.append((at, picture))
        self._pictures_size += _weight(picture)
        while self._pictures and (self._pictures_size > PICTURES_BYTES or at - self._pictures[0][0] > PICTURES_MS):
            self._pictures_size -= _weight(self._pictures.popleft()[1])

    def _say(self, event: Said, size: int) -> None:
        if self._dialect is None:
            return
        self._said.append(event)
        self._said_size += size
        while self._said_size > SAID_BYTES or event.at - self._said[0].at > SAID_MS or len(self._said) > PIECES:
            self._said_size -= _size(self._said.popleft())
            self._cut = True
            if not self._said:
                return

    def _recording(self, held: Moment, why: str) -> Picture | None:
        """The bytes as lines of `SECONDS DIRECTION TEXT`; None where nothing was said."""
        if not any(_size(event) for event in held.said):
            return None
        begun, sink = held.said[0].at, _Memory()
        form = forms.Said(sink, binary=self._dialect in BINARY, title=f"{self._title}: kept because of {why}")
        midway = {Chunk, Overheard} if held.cut and self._dialect not in BINARY else set()
        for event in held.said:
            told = event
            if isinstance(event, Chunk | Overheard) and type(event) in midway:
                # Its first line began before: as a line it could be another number.
                _, end, rest = event.data.partition(b"\n")
                if not end:
                    continue
                midway.discard(type(event))
                told = replace(event, data=rest)
            elif isinstance(event, Opened):
                midway = set()
            form.take(told, max(0, told.at - begun))
        form.close()
        return Picture(data=bytes(sink.data), media="text/plain")


class _Memory:
    """Where a recording is written that is no file yet."""

    def __init__(self) -> None:
        self.data = bytearray()

    @property
    def written(self) -> int:
        return len(self.data)

    def write(self, data: bytes) -> None:
        self.data += data

    def flush_by(self, at: int) -> None:
        """It is where it is."""

    def close(self) -> None:
        """It is whole."""


def _size(event: Said) -> int:
    return len(event.data) if isinstance(event, Chunk | Overheard) else 0


def _draw(levels: Levels) -> Picture:
    from capture.vision.evidence import encode_dots  # noqa: PLC0415 -- an agent whose machines all speak needs no OpenCV

    return encode_dots(levels)


def _weight(picture: Picture | Levels) -> int:
    return len(picture.data) if isinstance(picture, Picture) else picture.nbytes
