"""The reader of a display of wheels: frames in, readings out, no clock.

State: where the wheels of each row are, how each wheel stood (`follow`), and whose row moved last. Invariant: a reader
that sees its first frame says what that frame alone tells.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from capture.signals import Picture
from capture.vision.errors import VisionInvalid
from capture.vision.reading import Reading, ScoreReading
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
Flat = NDArray[np.uint8]


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
        self._rows: dict[int, Row] = {}
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
        row = self._rows.get(place)
        nothing = ScoreReading(player=window.player, text="", score=None)
        if row is None:
            row = find_row(flat, window.digits or self._display.digits or self._profile.digits)
            if row is None:
                return Counted(score=nothing, doubt="how many wheels there are is not clear: say so with --digits")
            row = replace(row, zoom=fit_zoom(self._nets, row.cut(flat)))
            self._seen.pop(place, None)
        counted = self._read_row(flat, place, row, window)
        if counted.doubt.startswith("no wheel"):
            self._rows.pop(place, None)
            return Counted(score=nothing, doubt=counted.doubt)
        if not counted.doubt:
            self._rows[place] = row
        return counted

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
