"""The reader of one display: keeps where it is, samples its dots, and reads them when they change.

State: the place (view, channel, lattice), the last reading, and how the display draws its digits (`session`). Frames
in, readings out, no clock. Invariant: no number of a frame before counts for this one; the place is remembered, and
checked again and again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from capture.signals import Picture
from capture.vision.bare import bare_dots
from capture.vision.confidence import ANY
from capture.vision.cover import covered_beside
from capture.vision.dots import BRIGHTEST, Sampler, make_sampler, normalise
from capture.vision.errors import VisionInvalid
from capture.vision.evidence import encode_dots, encode_jpeg, encode_whole
from capture.vision.lattice import Lattice, drift
from capture.vision.networks import Networks, Values, shipped_networks
from capture.vision.page import Page
from capture.vision.panel import find_views
from capture.vision.quality import LEAST_LATTICE, no_lattice, refuse_picture, unlit
from capture.vision.reading import Reading
from capture.vision.rectify import Image, View, channels_of, flatten, lattice_in, view_by_corners
from hardware.displays import DotMatrix
from hardware.profile import MachineProfile

_CHECK_EVERY = 20
"""Frames between two checks that the lattice still lies on the dots."""
_AGAIN = frozenset({2, 4, 8, 16, 32})
"""Frames of an unchanged display at which a doubtful reading is made anew of their mean."""
_REST = 5
"""Frames to let pass after a search for the display that found none: a search costs as much as a hundred readings."""
_MOVED = 0.12
"""Dots of movement after which the lattice is fitted anew."""
_CHANGED = 0.3
"""Change of one normalised dot that makes the display another picture."""


def open_display(profile: MachineProfile, corners: Sequence[tuple[float, float]] | None) -> "DisplayReader":
    """A reader of this profile's dot-matrix display, with the networks that ship with the product."""
    return DisplayReader(profile, shipped_networks(), corners=corners)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the display is in the picture."""

    view: View
    lattice: Lattice
    sampler: Sampler
    channel: int
    size: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What the display shows for so many frames: the mean of its dots, and what they say."""

    dots: Values
    frames: int
    reading: Reading


class DisplayReader:
    """Reads one dot-matrix display, frame by frame. Not for several threads at once."""

    def __init__(
        self, profile: MachineProfile, networks: Networks, *, corners: Sequence[tuple[float, float]] | None = None
    ) -> None:
        display = profile.display
        if not isinstance(display, DotMatrix):
            raise VisionInvalid(f"profile {profile.id!r} has no dot-matrix display to read")
        self._corners, self._page = corners, Page(profile, display, networks)
        self._columns, self._rows = display.columns, display.rows
        self._place: _Place | None = None
        self._home: _Place | None = None
        """Where it was found first."""
        self._frames = 0
        self._new = True
        self._again = 0
        self._last: _Seen | None = None

    def read(self, image: Image) -> Reading:
        """Read one picture: height x width (grey) or height x width x 3 (BGR), 8 bit.

        Never raises for what the picture shows: a picture that cannot be read gives a Reading with `quality` and `why`.
        Raises VisionInvalid when corners lie outside the picture.
        """
        bare = None if self._corners is not None else bare_dots(image, self._columns, self._rows)
        if bare is not None:
            return self._read_bare(bare)
        place = self._find_place(image)
        raw = None if place is None else place.sampler.sample(image)
        if place is None or raw is None or unlit(raw):
            self._last = None
            return self._refuse(*(refuse_picture(image, self._columns, self._rows) or self._nothing(image, place)))
        dots = normalise(raw)
        if self._last is not None and _same(self._last.dots, dots):
            return _doubt_cover(self._look_again(self._last, dots, missing=self._missing(place)), raw)
        reading = _doubt_cover(self.understand(dots, missing=self._missing(place)), raw)
        if self._new and not reading.accepted:
            reading = self._turned(dots) or reading
        self._new = False
        self._last = _Seen(dots=dots, frames=1, reading=reading)
        return reading

    def read_dots(self, levels: Values) -> Reading:
        """Read exact dots, as a wire or a file gives them: rows x columns, 0 dark to 1 brightest."""
        dots = np.stack([levels, levels]).astype(np.float32)
        if self._last is None or not _same(self._last.dots, dots):
            self._last = _Seen(dots=dots, frames=1, reading=self.understand(dots, missing=0.0))
        return self._last.reading

    def _read_bare(self, levels: Values) -> Reading:
        """Read a picture that is nothing but the dots."""
        self._place = None
        if not levels.any():
            self._last = None
            return self._refuse("dark", "dark: no dot is lit")
        reading = self.read_dots(levels)
        if self._new and not reading.accepted:
            reading = self._turned(np.stack([levels, levels])) or reading
        self._new = False
        return reading

    def learn(self, value: int) -> None:
        """The picture read last shows this number, as time has told: remember how its digits are drawn."""
        if self._last is not None and self._page.learn(self._last.dots, value):
            self._last = None

    @property
    def sampler(self) -> Sampler | None:
        """Where the dots of the last picture lie, if its display was found."""
        return None if self._place is None else self._place.sampler

    def dots(self) -> Values | None:
        """The dots last read (2 x rows x columns, normalised; the mean of the frames that showed them), or None."""
        return None if self._last is None else self._last.dots

    def crop(self, image: Image) -> Picture:
        """The display laid flat, as a JPEG: the evidence. The whole picture where no display was found.

        Exact dots are kept exactly: enlarged, as a PNG.
        """
        bare = None if self._corners is not None else bare_dots(image, self._columns, self._rows)
        if bare is not None:
            return encode_dots(bare)
        if self._place is not None and self._place.size == image.shape[:2]:
            return encode_jpeg(flatten(image, self._place.view, None))
        return encode_whole(image)

    def _look_again(self, seen: "_Seen", dots: Values, *, missing: float) -> Reading:
        """The same picture once more: its dots' mean has less noise, so what was doubted is read again now and then."""
        frames = seen.frames + 1
        mean = seen.dots + (dots - seen.dots) * np.float32(1 / frames)
        reading = seen.reading
        if not reading.accepted and not reading.quality and frames in _AGAIN:
            reading = self.understand(mean, missing=missing)
        self._last = _Seen(dots=mean, frames=frames, reading=reading)
        return reading

    def _missing(self, place: "_Place") -> float:
        """Columns of dots that are out of view."""
        return max(0.0, self._columns - place.sampler.in_view * place.sampler.columns)

    def _find_place(self, image: Image) -> "_Place | None":
        """Where this picture's dots are: as before (checked now and then), fitted again, or found."""
        self._frames += 1
        place = self._place
        if place is not None and place.size == image.shape[:2]:
            if self._frames % _CHECK_EVERY:
                return place
            flat = flatten(image, place.view, place.channel).astype(np.float32)
            across, down, sure = drift(flat, place.lattice)
            if sure >= LEAST_LATTICE and max(abs(across), abs(down)) < _MOVED:
                self._place = replace(place, sampler=_for_colours(place.sampler, image))
                return self._place
        self._last, self._new = None, True
        self._place = None
        if self._frames >= self._again and refuse_picture(image, self._columns, self._rows) is None:
            self._place = self._locate(image)
            self._again = self._frames + _REST
            if self._place is not None:
                self._home = self._home or self._place
        return self._place

    @property
    def moved(self) -> float:
        """By how many dots the display has moved within its corners since it was first found there; 0 without corners.

        A move by whole dots cannot be told from none: dots repeat.
        """
        if self._corners is None or self._home is None or self._place is None:
            return 0.0
        here, there = (_spread(place, self._columns, self._rows) for place in (self._place, self._home))
        pitch = min(self._home.lattice.x.pitch, self._home.lattice.y.pitch)
        return float(np.median(np.linalg.norm(here - there, axis=1)) / pitch)

    def _locate(self, image: Image) -> _Place | None:
        """The best lattice over all views and channels."""
        size = (image.shape[1], image.shape[0])
        if self._corners is not None:
            views = iter([view_by_corners(self._corners, self._columns, self._rows, size)])
        else:
            views = find_views(image, self._columns, self._rows)
        best: tuple[float, View, Lattice, int] | None = None
        for view in views:
            for channel in channels_of(image):
                lattice = lattice_in(image, view, channel)
                if lattice is None or not self._plausible(lattice):
                    continue
                if best is None or lattice.quality > best[0] + 0.1:
                    best = (lattice.quality, view, lattice, channel)
                if lattice.quality > 0.6:
                    break
            if best is not None and best[0] > 0.35:
                break
        if best is None or best[0] < LEAST_LATTICE:
            return None
        _, view, lattice, channel = best
        sampler = _for_colours(make_sampler(lattice, view.to_picture, channel, image.shape), image)
        return _Place(view=view, lattice=lattice, sampler=sampler, channel=channel, size=image.shape[:2])

    def _plausible(self, lattice: Lattice) -> bool:
        """About as many dots as the display has, or fewer where part of it is out of the picture."""
        return (
            0.7 * self._columns <= lattice.x.count <= 1.15 * self._columns
            and 0.7 * self._rows <= lattice.y.count <= 1.4 * self._rows
            and 0.7 < lattice.x.pitch / lattice.y.pitch < 1.4
        )

    def understand(self, dots: Values, *, missing: float = ANY) -> Reading:
        """Read normalised dots (2 x rows x columns) whatever was read before. `missing`: columns out of view."""
        return self._page.understand(dots, missing=missing)

    def _turned(self, dots: Values) -> Reading | None:
        """Whether the display reads better on its head or in a mirror: asked once for each place, not each frame."""
        upright = self._page.legible(dots)
        if self._page.legible(np.ascontiguousarray(dots[:, ::-1, ::-1])) > 1.2 * upright + 1.0:
            return self._refuse("upside-down", "upside down: turn the picture")
        if self._page.legible(np.ascontiguousarray(dots[:, :, ::-1])) > 1.5 * upright + 1.5:
            return self._refuse("mirrored", "mirrored: this is a reflection of a display")
        return None

    def _nothing(self, image: Image, place: "_Place | None") -> tuple[str, str]:
        if place is not None:
            return "dark", "dark: no dot is lit"
        return "no-dots", no_lattice(image, self._columns, self._rows)

    def _refuse(self, quality: str, why: str) -> Reading:
        return Reading(display="dmd", why=why, quality=quality)


def _doubt_cover(reading: Reading, raw: Values) -> Reading:
    """The reading, held where something lies over the display right beside its number."""
    first = next(iter(reading.scores), None)
    if first is None or not first.sound or first.place is None or not covered_beside(raw, first.place, len(first.text)):
        return reading
    why = f"something covers the display beside the number: {first.text}"
    return replace(reading, accepted=False, why=why, scores=(replace(first, sound=False), *reading.scores[1:]))


def _for_colours(sampler: Sampler, image: Image) -> Sampler:
    """The sampler, of all channels where one does not show every dot."""
    if image.ndim == 3 and sampler.coloured(image):
        return replace(sampler, channel=BRIGHTEST)
    return sampler


def _spread(place: _Place, columns: int, rows: int) -> Values:
    """Where points all over the display lie in the flat view, 32 x 2."""
    x, y = place.lattice.place(np.linspace(0.5, columns - 0.5, 8), np.linspace(0.5, rows - 0.5, 4))
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)


def _same(before: Values, dots: Values) -> bool:
    return before.shape == dots.shape and float(np.abs(before[0] - dots[0]).max()) < _CHANGED
