"""A camera's pictures of a display as hints for the game: reader, settling and screens put together.

Here: the reader's own troubles (dark, frozen, moved, unreadable, no pictures) and the evidence. Not here: what a
number means. Invariant: from pictures that cannot be read, or do not change, nothing is concluded but that.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from capture import hints as h
from capture.screens import Screens
from capture.settle import Settle, Settled
from capture.signals import Picture
from capture.spots import Spots
from capture.vision import open_reader
from capture.vision.base import DotReader, Tracker
from capture.vision.networks import Values
from capture.vision.reading import LIVE, Reading
from hardware.ports.base import Image
from hardware.profile import MachineProfile

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""The display in the pictures, in pixels: top left, top right, bottom right, bottom left."""

NO_PICTURE_MS = 5_000
UNREADABLE_MS = 5_000
FROZEN_MS = 30_000
"""Byte-identical pictures for so long come from no living camera."""
EVIDENCE_MS = 60_000
MOST_SHOWING = 6
"""Numbers whose pictures are kept."""
SLOW_MS, GAPS = 2_000, 5
"""Pictures that come on the mean less often, over so many of them, are too few."""
MOVED, STILL = 0.3, 0.08
"""Dots of movement from which the camera is said to have moved, and by how much less it has come back."""
GONE_MS = 20_000
"""A display that shows nothing for so long in mid-game has lost its game."""
LOOK_MS, LOOK_OFTEN_MS, LOOK_SELDOM_MS = 100, 3_000, 1_000
"""Exact dots that stand still are looked at so often: at first, for so long, and then."""
LEAST_MS = 100
"""Pictures that come oftener are not all looked at: of those in between the last one is, as soon as it may."""
UNSEEN_MS = 250
"""A picture that stood for less than this counts for nothing: a gap no longer than that has cost nothing."""
_FAULT_OF = {"dark": "display-dark", "moved": "camera-moved"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    at: int
    why: str
    told: bool
    """A fault has been raised that says so."""


class DisplayWatch:
    """Watches one display. `corners`: where it is in the pictures; None to look for it."""

    def __init__(self, profile: MachineProfile, *, corners: Corners | None = None) -> None:
        self._profile = profile
        self._reader = open_reader(profile, corners=corners)
        self._settle = Settle(profile)
        self._screens = Screens(profile)
        self._spots = Spots()
        self._last: Image | None = None
        self._telling: tuple[int, Image] | None = None
        """The last picture with a score on it."""
        self._showing: dict[int, Image | Values] = {}
        """Of the numbers read last, the newest picture of each: it must show what an official is asked about."""
        self._frame_at: int | None = None
        self._changed_at = 0
        self._read_at: int | None = None
        self._trouble_since: int | None = None
        self._open: set[str] = set()
        self._gaps: deque[int] = deque(maxlen=GAPS)
        """Milliseconds between the last pictures."""
        self._slow = False
        self._dots: Values | None = None
        """The exact picture that stands on the display."""
        self._stood: Values | None = None
        """The one that stood there last, before it was lost."""
        self._dots_at = self._looked_at = 0
        """When it came, and when it was looked at last."""
        self._by_wire = profile.dialect is not None
        self._gap: _Gap | None = None
        """Since when, and why, it is not known what stands on the display."""

    def see(self, image: Image, at: int) -> list[h.Hint]:
        """Take one picture."""
        hints = self._relieve(at, "camera-lost") + self._hurry(at)
        if self._last is None or not np.array_equal(self._last, image):
            self._changed_at = at
            hints += self._relieve(at, "display-frozen")
        self._last, self._frame_at = image, at
        if at - self._changed_at >= FROZEN_MS:
            return hints + self._raise(at, "display-frozen", "the pictures have not changed at all for half a minute")
        reading = self._reader.read(image)
        if reading.quality:
            return hints + self._unreadable(at, reading.quality, reading.why)
        if self._read_at is None:
            hints.append(h.Heard(at=at, detail="the display is seen"))
        self._read_at, self._trouble_since = at, None
        hints += self._relieve(at, "display-dark")
        if not self._slow:
            hints += self._relieve(at, "display-unreadable")
        hints += self._stray(at)
        if reading.scores:
            self._telling = (at, image)
            self._keep(reading, image)
        return hints + self._take(reading, at)

    def _hurry(self, at: int) -> list[h.Hint]:
        """Pictures that come too seldom, because the camera or the reader is slow, show no game as it is."""
        if self._frame_at is not None:
            self._gaps.append(min(at - self._frame_at, NO_PICTURE_MS))
        mean = sum(self._gaps) / max(1, len(self._gaps))
        slow = len(self._gaps) == self._gaps.maxlen and mean > (SLOW_MS if not self._slow else 0.7 * SLOW_MS)
        self._slow = slow
        self._screens.starved = slow
        return self._raise(at, "display-unreadable", f"reader slow: a picture in {mean / 1000:.1f} s") if slow else []

    def _stray(self, at: int) -> list[h.Hint]:
        """The display moves within its corners: reading goes on, but not for long if it moves further."""
        moved = self._reader.moved if isinstance(self._reader, Tracker) else 0.0
        if moved >= MOVED:
            return self._raise(at, "camera-moved", f"the display is {moved:.1f} dots from where it was")
        return self._relieve(at, "camera-moved") if moved < MOVED - STILL else []

    def refit(self, corners: Corners | None) -> None:
        """Look for the display anew, at these corners or (None) anywhere: it was moved, or somebody says so.

        Raises VisionInvalid for corners that make no sense; then nothing has changed.
        """
        self._reader = open_reader(self._profile, corners=corners)
        self._settle.forget()
        self._spots = Spots()

    def see_dots(self, levels: Values, at: int) -> list[h.Hint]:
        """Take one exact picture (rows x columns, 0 dark to 1 brightest), of a dot-matrix display by wire or file.

        Such sources tell of changes alone: what is shown stands until the next one comes, and `tick` looks again.
        """
        first, seen = self._dots is None, self._dots_at <= self._looked_at
        self._dots, self._frame_at = levels, at
        if seen or first:
            self._dots_at = at
        hints = self._end_gap(at) + self._relieve(at, "display-unreadable")
        return hints + (self._look_at_dots(at) if first or at >= self._looked_at + LEAST_MS else [])

    def lose_dots(self, at: int, why: str, *, told: bool) -> None:
        """The picture that stood stands no more, and what does is not known. `told`: a fault says so already."""
        if self._dots is not None:
            self._dots, self._stood, self._frame_at = None, self._dots, at
            self._gap = _Gap(at=at, why=why, told=told)

    def _end_gap(self, at: int) -> list[h.Hint]:
        """It is known again what is shown. After a long gap a score may have changed: all must be seen once more."""
        gap, self._gap = self._gap, None
        if gap is None or at < gap.at + UNSEEN_MS:
            return []
        self._settle.forget()
        return [h.ScoresDoubted(at=at)]

    def _look_at_dots(self, at: int) -> list[h.Hint]:
        assert self._dots is not None, "only called where there are some"  # noqa: S101
        if not isinstance(self._reader, DotReader):
            return []
        reading = self._reader.read_dots(self._dots)
        self._keep(reading, self._dots)
        hints: list[h.Hint] = [] if self._read_at is not None else [h.Heard(at=at, detail="the display is seen")]
        self._read_at = self._looked_at = at
        return hints + self._take(reading, at)

    def _take(self, reading: Reading, at: int) -> list[h.Hint]:
        """A readable picture: weighed by what was seen before, settled, understood."""
        reading = self._spots.weigh(reading, self._settle.known())
        settled = self._settle.feed(reading, at)
        if reading.accepted and reading.standing == LIVE:
            self._learn(reading, settled)
        return self._screens.see(reading, settled, at)

    def _keep(self, reading: Reading, image: Image | Values) -> None:
        for score in reading.scores:
            if score.score is not None:
                self._showing.pop(score.score, None)
                self._showing[score.score] = image
        while len(self._showing) > MOST_SHOWING:
            del self._showing[next(iter(self._showing))]

    def _learn(self, reading: Reading, settled: Settled | None) -> None:
        """What was settled and named by the display itself teaches where scores stand, and how digits are drawn."""
        first = reading.scores[0]
        if first.score is None or self._settle.known().get(first.player) != first.score:
            return
        self._spots.learn(reading, first.score)
        if settled is not None and first.player in settled.changed and isinstance(self._reader, DotReader):
            self._reader.learn(first.score)

    def pause(self, at: int) -> None:
        """The source has gone: exact dots that it told last stand no more, and are seen anew when it comes back."""
        if self._by_wire:
            self._read_at = None
            self.lose_dots(at, "the source has gone", told=True)
        elif self._dots is not None:
            self._dots, self._frame_at = None, at

    def finish(self, at: int) -> list[h.Hint]:
        """No more pictures will come (a recording is over): a game that still shows is gone with them."""
        return self._screens.finish(at)

    def tick(self, now: int) -> list[h.Hint]:
        """Time has passed: exact dots that stand are looked at again; pictures that do not come are missed."""
        if self._dots is not None:
            return self._look_at_dots(now) if now >= self._look_again_at() else []
        if self._frame_at is None:
            return []
        hints: list[h.Hint] = []
        if now >= self._frame_at + NO_PICTURE_MS:
            hints += self._miss(now)
        if now >= self._frame_at + GONE_MS:
            hints += self._screens.lose(now, "display-lost")
        return hints

    def _miss(self, now: int) -> list[h.Hint]:
        if not self._by_wire:
            return self._raise(now, "camera-lost", "the camera gives no pictures")
        if self._gap is None or self._gap.told:
            return []  # the wire's own fault says it
        return self._raise(now, "display-unreadable", f"it is not known what the display shows: {self._gap.why}")

    def _look_again_at(self) -> int:
        """Often at first, while numbers settle; then once in a while, for time alone can end a game."""
        if self._dots_at > self._looked_at:
            return self._looked_at + LEAST_MS  # it has not been looked at
        return self._looked_at + (LOOK_MS if self._looked_at - self._dots_at < LOOK_OFTEN_MS else LOOK_SELDOM_MS)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        if self._dots is not None:
            return self._look_again_at()
        if self._frame_at is None:
            return None
        told = "display-unreadable" in self._open or (self._gap is not None and self._gap.told)
        if not (told if self._by_wire else "camera-lost" in self._open):
            return self._frame_at + NO_PICTURE_MS
        return self._frame_at + GONE_MS if self._screens.playing else None

    @property
    def dots(self) -> Values | None:
        """The exact picture that stands on the display; None where a camera sees it, or what stands is not known."""
        return self._dots

    def picture(self, numbers: tuple[int, ...] = ()) -> Picture | None:
        """The evidence of now: the newest picture that shows the first of these numbers that was seen of late; else
        the last one that shows a score, if it is not old; else the last one.
        """
        for number in numbers:
            if number in self._showing:
                return self._crop(self._showing[number])
        stood = self._dots if self._dots is not None else self._stood
        if stood is not None:
            return self._crop(stood)
        if self._last is None or self._frame_at is None:
            return None
        fresh = self._telling is not None and self._frame_at - self._telling[0] <= EVIDENCE_MS
        return self._reader.crop(self._telling[1] if fresh and self._telling else self._last)

    def _crop(self, shown: Image | Values) -> Picture:
        """The evidence of a camera's picture, or of exact dots."""
        return self._reader.crop(np.asarray(shown if shown.dtype == np.uint8 else shown * 255, np.uint8))

    def _unreadable(self, at: int, quality: str, why: str) -> list[h.Hint]:
        self._trouble_since = at if self._trouble_since is None else self._trouble_since
        lasted = at - self._trouble_since
        hints: list[h.Hint] = []
        if lasted >= UNREADABLE_MS:
            hints += self._raise(at, _FAULT_OF.get(quality, "display-unreadable"), why)
        if lasted >= GONE_MS:
            hints += self._screens.lose(at, "display-lost")
        return hints

    def _raise(self, at: int, fault: str, detail: str) -> list[h.Hint]:
        if fault in self._open:
            return []
        self._open.add(fault)
        return [h.Trouble(at=at, fault=fault, detail=detail)]

    def _relieve(self, at: int, fault: str) -> list[h.Hint]:
        if fault not in self._open:
            return []
        self._open.discard(fault)
        return [h.Relief(at=at, fault=fault)]
