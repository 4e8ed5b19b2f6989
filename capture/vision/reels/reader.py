"""The reader of a display of wheels: frames in, readings out, no clock.

State: where the wheels of each row are, how each wheel stood (`follow`), and whose row moved last. Invariant: a reader
that sees its first frame says what that frame alone tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from capture.signals import Picture
from capture.vision.errors import VisionInvalid
from capture.vision.reading import SETTLED, Reading, ScoreReading
from capture.vision.rectify import Image
from capture.vision.reels.count import Counted, count_row
from capture.vision.reels.follow import Follow
from capture.vision.reels.nets import WheelNets, shipped_wheel_nets
from capture.vision.reels.row import Row, find_row
from capture.vision.reels.wheel import Wheel, fit_zoom, look_at_wheels, look_straight
from capture.vision.windows import flat_window, photograph, refuse_flat
from hardware.displays import Reels, Window
from hardware.profile import MachineProfile

_HIGH = 144
"""Pixels of a window's flat picture from top to bottom, at most."""
_IMPATIENCE, _PATIENCE = 12, 100
"""Doubtful pictures of a row that does not turn until its wheels are looked for anew: never sound yet, or once so."""
Flat = NDArray[np.uint8]


@dataclass(slots=True, kw_only=True)
class _Placed:
    """Where the wheels of a row are; whether they were sound there, and the doubtful pictures since."""

    row: Row
    sound: bool = False
    doubts: int = 0


def open_display(profile: MachineProfile, corners: Sequence[tuple[float, float]] | None) -> "ReelsReader":
    """A reader of this profile's reels, with the networks that ship with the product."""
    return ReelsReader(profile, shipped_wheel_nets(), corners=corners)


class ReelsReader:
    """Reads all windows of one display of wheels. Not for several threads at once."""

    def __init__(
        self, profile: MachineProfile, nets: WheelNets, *, corners: Sequence[tuple[float, float]] | None = None
    ) -> None:
        display = profile.display
        if not isinstance(display, Reels):
            raise VisionInvalid(f"profile {profile.id!r} has no reels to read")
        self._profile, self._display, self._nets, self._corners = profile, display, nets, corners
        self._rows: dict[int, _Placed] = {}
        self._seen: dict[int, list[Follow]] = {}
        self._shown: dict[int, str] = {}
        self._up = 0
        self._size: tuple[int, ...] = ()

    def read(self, image: Image) -> Reading:
        """Read one picture: height x width (grey) or height x width x 3 (BGR), 8 bit.

        Never raises for what the picture shows. Raises VisionInvalid when corners lie outside the picture, or a window
        is too small in it.
        """
        if image.shape != self._size:
            self._rows, self._seen, self._size = {}, {}, image.shape
        try:
            refused = refuse_flat(flat_window(image, self._corners, high=_HIGH))
        except VisionInvalid:
            if self._corners is not None:
                raise
            refused = ("small", f"too small: {image.shape[1]} x {image.shape[0]} pixels")
        if refused is not None:
            return Reading(display="reels", quality=refused[0], why=refused[1])
        scores: list[tuple[int, Counted]] = []
        words: list[str] = []
        for place, window in enumerate(self._display.windows):
            counted = self._read_window(image, place, window)
            if window.shows == "score":
                scores.append((place, counted))
            elif window.shows == "ball" and not counted.doubt:
                words += [word.replace("#", str(counted.score.score)) for word in self._profile.words.ball[:1]]
        return self._assemble(scores, tuple(words))

    def crop(self, image: Image) -> Picture:
        """The display laid flat, as a JPEG: the evidence."""
        return photograph(image, self._corners)

    def _read_window(self, image: Image, place: int, window: Window) -> Counted:
        flat = flat_window(image, self._corners, window, high=_HIGH)
        nothing = ScoreReading(player=window.player, text="", score=None)
        placed = self._rows.get(place)
        if placed is None or placed.doubts >= (_PATIENCE if placed.sound else _IMPATIENCE):
            placed = self._place(flat, place, window)
            if placed is None:
                return Counted(score=nothing, doubt="how many wheels there are is not clear: say so with --digits")
        counted = self._read_row(flat, place, placed.row, window)
        placed.sound |= not counted.doubt
        placed.doubts = placed.doubts + (counted.score.state == SETTLED) if counted.doubt else 0
        if counted.doubt.startswith("no wheel"):
            return Counted(score=nothing, doubt=counted.doubt)
        return counted

    def _place(self, flat: Flat, place: int, window: Window) -> "_Placed | None":
        """Look for the wheels of one row; those that are where they were stay known."""
        row = find_row(flat, window.digits or self._display.digits or self._profile.digits)
        if row is None:
            return None
        row = replace(row, zoom=fit_zoom(self._nets, row.cut(flat)))
        before = self._rows.get(place)
        if before is None or not row.is_near(before.row):
            self._seen.pop(place, None)
        self._rows[place] = _Placed(row=row)
        return self._rows[place]

    def _read_row(self, flat: NDArray[np.uint8], place: int, row: Row, window: Window) -> Counted:
        zeros = self._display.zeros if window.shows == "score" else 0
        wheels = self._read_wheels(place, row.cut(flat), row.zoom)
        return count_row(wheels, zeros=zeros, turns=self._display.turns, player=window.player)

    def _read_wheels(self, place: int, pictures: list[Flat], zoom: float) -> list[Wheel]:
        """What the wheels of one row show; one that stands as it stood is not looked at for ever."""
        straight = [look_straight(picture) for picture in pictures]
        known = self._seen.get(place, [])
        if len(known) != len(pictures):
            known = self._seen[place] = [Follow() for _ in pictures]
        wheels = [follow.known(flat) for follow, flat in zip(known, straight, strict=True)]
        open_ = [i for i, wheel in enumerate(wheels) if wheel is None]
        looks = look_at_wheels(self._nets, [pictures[i] for i in open_], zoom=zoom)
        read = {i: known[i].see(straight[i], looked) for i, looked in zip(open_, looks, strict=True)}
        return [wheel if wheel is not None else read[i] for i, wheel in enumerate(wheels)]

    def _assemble(self, rows: list[tuple[int, Counted]], words: tuple[str, ...]) -> Reading:
        """The row of whoever is up first: the one that moved last, else the first."""
        for place, counted in rows:
            if counted.score.text and self._shown.get(place, counted.score.text) != counted.score.text:
                self._up = place
            self._shown[place] = counted.score.text
        ordered = sorted(rows, key=lambda one: one[0] != self._up)
        if not ordered:
            return Reading(display="reels", why="the profile names no window with a score", words=words)
        doubts = [counted.doubt or self._implausible(counted.score) for _, counted in ordered]
        scores = tuple(
            replace(counted.score, sound=not doubt, confidence=min(counted.score.confidence, 0.9 if doubt else 1.0))
            for (_, counted), doubt in zip(ordered, doubts, strict=True)
            if counted.score.text
        )
        why = doubts[0]
        return Reading(display="reels", scores=scores, accepted=bool(scores) and not why, why=why, words=words)

    def _implausible(self, score: ScoreReading) -> str:
        value = score.score
        if value is not None and (value % self._profile.score_quantum or value > self._profile.max_score):
            return f"not a score of this machine: {score.text}"
        return ""
