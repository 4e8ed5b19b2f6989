"""Scores shown by lamps behind painted numbers: which lamps shine, and what they add up to.

Lamps are judged against each other, and against what each was like before. State: those two levels of each lamp.
Invariant: a lamp that is neither clearly lit nor clearly dark is unknown, and then so is the sum.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.signals import Picture
from capture.vision.errors import VisionInvalid
from capture.vision.reading import Reading, ScoreReading
from capture.vision.rectify import Image
from capture.vision.windows import flat_window, photograph, refuse_flat
from hardware.displays import Lights
from hardware.profile import MachineProfile

_APART = math.log(2.2)
"""Least ratio of light between lit lamps and dark ones, for one picture to tell them."""
_DARK, _LIT = 0.3, 0.7
"""Place between the two levels (0 dark, 1 lit, logarithmic) up to which a lamp is dark, and from which it is lit."""
_FLOOR = 0.004
"""Light of a black pixel: keeps noise in the dark from being a large ratio."""
_LEARN = 0.2
_BEYOND = 0.6
"""Light just beyond a lamp's corners, by that of its number, from which it is no lamp's own: a reflection is broad."""
_NUMBER = 95
"""Percentile of light that the number's strokes reach at the least."""
_UNKNOWN_MOST = 3
"""Unknown lamps of one player up to which the possible sums are listed."""

Levels = NDArray[np.float64]


def open_display(profile: MachineProfile, corners: Sequence[tuple[float, float]] | None) -> "LightsReader":
    """A reader of this profile's lamps."""
    return LightsReader(profile, corners=corners)


class LightsReader:
    """Reads the lamps of one display. Not for several threads at once."""

    def __init__(self, profile: MachineProfile, *, corners: Sequence[tuple[float, float]] | None = None) -> None:
        display = profile.display
        if not isinstance(display, Lights):
            raise VisionInvalid(f"profile {profile.id!r} has no score in lights to read")
        self._profile, self._display, self._corners = profile, display, corners
        self._forget()
        self._size: tuple[int, ...] = ()

    def read(self, image: Image) -> Reading:
        """Read one picture: height x width (grey) or height x width x 3 (BGR), 8 bit.

        Never raises for what the picture shows. Raises VisionInvalid when corners lie outside the picture, or a lamp
        is smaller than 8 pixels in it.
        """
        if image.shape != self._size:
            self._size = image.shape
            self._forget()
        refused = refuse_flat(flat_window(image, self._corners, high=240))
        if refused is not None:
            return Reading(display="lights", quality=refused[0], why=refused[1])
        levels = np.array([self._levels(image, place) for place in range(len(self._display.lamps))])
        return self._add(self._judge(levels[:, 0], levels[:, 1], beyond=levels[:, 2]))

    def crop(self, image: Image) -> Picture:
        """The display laid flat, as a JPEG: the evidence."""
        return photograph(image, self._corners)

    def _forget(self) -> None:
        count = len(self._display.lamps)
        self._numbers, self._fields = _Known.nothing(count), _Known.nothing(count)

    def _levels(self, image: Image, place: int) -> tuple[float, float, float]:
        """Logarithm of a lamp's light, where it is brightest (the number, left clear in the paint) and on the whole.

        Of the middle part of its window, in the brightest colour, by the screen's gamma; and that of the lightest of
        the four corners around it.
        """
        flat = flat_window(image, self._corners, self._display.lamps[place], high=48, margin=-0.1)
        light = (cv2.blur(flat.max(2), (3, 3)).astype(np.float64) / 255) ** 2.2
        number, field = np.percentile(light, (_NUMBER, 50))
        around = flat_window(image, self._corners, self._display.lamps[place], high=48, margin=0.04).max(2)
        high, wide = (max(1, round(0.12 * side)) for side in around.shape)
        corners = (around[:high, :wide], around[:high, -wide:], around[-high:, :wide], around[-high:, -wide:])
        beyond = (max(float(corner.mean()) for corner in corners) / 255) ** 2.2
        return math.log(_FLOOR + float(number)), math.log(_FLOOR + float(field)), math.log(_FLOOR + beyond)

    def _judge(self, numbers: Levels, fields: Levels, *, beyond: Levels) -> Levels:
        """For each lamp its place between dark (0) and lit (1); NaN where nothing tells.

        Paint differs from lamp to lamp, so only the numbers are held against each other. A field that its own past
        contradicts (a reflection lights the number only) makes its lamp doubtful; so does light that goes beyond it.
        """
        places = np.full(len(numbers), np.nan)
        split = _split(numbers)
        if split is not None:
            places = (numbers - split[0]) / (split[1] - split[0])
        places = self._numbers.judge(numbers, places)
        whole = self._fields.judge(fields, np.full(len(fields), np.nan))
        against = np.nan_to_num(np.abs(np.clip(whole, 0, 1) - np.clip(places, 0, 1))) > 0.5
        places[against] = 0.5
        lit, broad = places > _DARK, beyond - numbers > math.log(_BEYOND)
        if not broad[lit].all():  # else these lamps are built so
            places[lit & broad] = 0.5
        for known, levels in ((self._numbers, numbers), (self._fields, fields)):
            known.learn(levels, dark=places < _DARK / 2, lit=places > (1 + _LIT) / 2)
        return places

    def _add(self, places: Levels) -> Reading:
        if np.isnan(places).all():
            why = "all lamps look alike: which are lit shows when one changes"
            return Reading(display="lights", scores=(ScoreReading(player=None, text="?", score=None),), why=why)
        players = list(dict.fromkeys(lamp.player for lamp in self._display.lamps))
        sums = [self._sum(player, places) for player in players]
        scores = tuple(replace(one, sound=not self._doubt(one, places)) for one in sums)
        why = self._doubt(scores[0], places)
        return Reading(display="lights", scores=scores, accepted=not why, why=why)

    def _doubt(self, score: ScoreReading, places: Levels) -> str:
        if score.score is None:
            return "a lamp is neither clearly lit nor clearly dark"
        lit = [
            lamp.value for i, lamp in enumerate(self._display.lamps) if lamp.player == score.player and places[i] > 0.5
        ]
        decades = [len(str(value)) for value in lit if self._has_whole_decade(value, score.player)]
        if len(decades) > len(set(decades)):
            return "two lamps of one decade are lit: a reflection, or a lamp that hangs"
        if score.score % self._profile.score_quantum or score.score > self._profile.max_score:
            return f"not a score of this machine: {score.score}"
        return ""

    def _has_whole_decade(self, value: int, player: int | None) -> bool:
        """Whether each digit in this lamp's place has a lamp of its own: then no two are ever lit together."""
        tens = int(10 ** (len(str(value)) - 1))
        mine = {lamp.value for lamp in self._display.lamps if lamp.player == player}
        return all(digit * tens in mine for digit in range(1, 10))

    def _sum(self, player: int | None, places: Levels) -> ScoreReading:
        """What one player's lamps add up to."""
        mine = [(lamp.value, float(places[i])) for i, lamp in enumerate(self._display.lamps) if lamp.player == player]
        sure = sum(value for value, place in mine if place >= _LIT)
        open_ = [value for value, place in mine if not (place <= _DARK or place >= _LIT)]
        if open_:
            sums = {sure + sum(some) for some in product(*[(0, value) for value in open_[:_UNKNOWN_MOST]])}
            few = tuple(sorted(sums)) if len(open_) <= _UNKNOWN_MOST else ()
            return ScoreReading(player=player, text="?", score=None, candidates=few)
        doubt = max(min(1.0, abs(min(1.0, max(0.0, place)) - round(place))) for _, place in mine)
        return ScoreReading(player=player, text=str(sure), score=sure, confidence=round(1 - doubt / 3, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Each lamp's own dark level and lit level, as far as they were seen (else NaN)."""

    dark: Levels
    lit: Levels

    @classmethod
    def nothing(cls, count: int) -> "_Known":
        """Of so many lamps."""
        return cls(dark=np.full(count, np.nan), lit=np.full(count, np.nan))

    def judge(self, levels: Levels, places: Levels) -> Levels:
        """The places by each lamp's own two levels, by one of them where the picture says nothing, else as given."""
        judged = places.copy()
        for i, level in enumerate(levels):
            dark, lit = self.dark[i], self.lit[i]
            if lit - dark >= _APART / 2:
                judged[i] = (level - dark) / (lit - dark)  # they know it best
            elif math.isnan(judged[i]) and not math.isnan(dark):
                judged[i] = (level - dark) / (2 * _APART)
            elif math.isnan(judged[i]) and not math.isnan(lit):
                judged[i] = 1 - (lit - level) / (2 * _APART)
        return judged

    def learn(self, levels: Levels, *, dark: NDArray[np.bool_], lit: NDArray[np.bool_]) -> None:
        """Move what is known towards what is seen of the lamps that are surely dark or lit."""
        for known, sure in ((self.dark, dark), (self.lit, lit)):
            moved = np.where(np.isnan(known), levels, known + _LEARN * (levels - known))
            known[sure] = moved[sure]


def _split(levels: Levels) -> tuple[float, float] | None:
    """The level of dark lamps and of lit ones in one picture, if it has both."""
    low, high = float(levels.min()), float(levels.max())
    for _ in range(8):
        middle = (low + high) / 2
        below, above = levels[levels <= middle], levels[levels > middle]
        if not len(below) or not len(above):
            return None
        low, high = float(np.median(below)), float(np.median(above))
    return (low, high) if high - low >= _APART else None
