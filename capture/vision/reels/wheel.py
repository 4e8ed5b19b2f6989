"""One wheel: which digit stands in its window, and how far from the middle. Several looks, by both networks.

A digit counts only where every look agrees. Invariant: a wheel between two digits has two candidates and no digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.reels.nets import COLUMNS, PLACES, ROWS, Said, Values, WheelNets

_STANDS = 0.5
_STILL = np.array((0, 0, 0, 0.5, 1, 1, 1, 0.5, 0, 0))
"""How far each tenth from -.5 to .4 pitches is settled: up to .2, whose tenth reaches from .15 to .25."""
_TAUGHT = np.array((0.055, 0.055, 0.055, 0.062, 0.153, 0.294, 0.153, 0.062, 0.055, 0.055), np.float32)
"""How often the networks were taught each tenth: more often those where wheels stand still. Taken out again here, for a
wheel that turns must not be seen as one that stands only because most of them do."""
Way = Literal["up", "down"]
"""Which way digits travel as a wheel counts on."""
_LOOKS = ((0.0, 0.0, 1.0), (-0.04, 0.0, 1.0), (0.04, 0.0, 1.0), (0.0, 0.0, 0.93), (0.0, 0.0, 1.07))
"""Where to look: aside and down in windows, and how much is in view."""
_CLOSER, _BETTER = 0.8, 0.02
"""How much of a window is seen from closer by, and how much clearer its wheels must be then."""
_WIDEST = 0.72
"""Width of a wheel's picture by its height: of a wider window the middle is looked at."""
_MOST = 0.85
"""Of the looks at several pictures of a wheel that stands, so many must agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """What one wheel shows.

    `digit` is the one nearest to the middle and `above` by how many pitches it stands too high (below 0: too low).
    `chance`: of that digit, by the less sure network; `likely`: by both together; `nearby`: of it or its neighbours.
    `still`: that it stands there, within .2 pitches; `wheel`: that this is a wheel at all; `whole`: that the digit is
    neither cut nor covered; `up`: that digits travel up as it counts on. `agreed`: both networks name the same digit in
    each of the looks (of several pictures: in most). `contrast`: between the lightest and the darkest of it, of 255, in
    the colour with the most. Over time: `alone`: it was never seen before; `stood` like this in so many pictures;
    `followed`: chance of the digit by all that was seen of it; `at_home`: it stands by its digit as it did by others.
    """

    digit: int
    above: float
    chance: float
    still: float
    wheel: float
    whole: float
    up: float
    agreed: bool
    likely: float = 1.0
    nearby: float = 1.0
    contrast: float = 255.0
    alone: bool = True
    stood: int = 1
    followed: float = 0.0
    at_home: bool = False

    @property
    def rolling(self) -> bool:
        """Whether it stands between two digits: in doubt it does."""
        return self.still < _STANDS

    def between(self, turns: Way | None) -> tuple[tuple[int, int], ...]:
        """The digit that leaves and the one that comes; for both ways of turning if that is not known."""
        likelier: tuple[Way, Way] = ("up", "down") if self.up >= 0.5 else ("down", "up")
        ways: tuple[Way, ...] = likelier if turns is None else (turns,)
        return tuple(self._pair(way) for way in ways)

    def _pair(self, turns: Way) -> tuple[int, int]:
        # digits travel up: one that stands too high leaves, and the next comes from below
        if (turns == "up") == (self.above > 0):
            return self.digit, (self.digit + 1) % 10
        return (self.digit - 1) % 10, self.digit


def look_straight(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A wheel's window as the networks see it: 32 x 20 pixels, BGR."""
    return _look(picture, *_LOOKS[0])


def read_wheels(nets: WheelNets, pictures: Sequence[NDArray[np.uint8]], *, zoom: float = 1.0) -> list[Wheel]:
    """What each picture of one wheel's window (BGR, any size) shows. `zoom`: how much of its height is looked at."""
    return [judge_wheel([looked]) for looked in look_at_wheels(nets, pictures, zoom=zoom)]


@dataclass(frozen=True, slots=True)
class Looked:
    """What both networks say of one picture of one wheel, look by look, and the picture's contrast."""

    said: tuple[Said, ...]
    contrast: float


def look_at_wheels(nets: WheelNets, pictures: Sequence[NDArray[np.uint8]], *, zoom: float = 1.0) -> list[Looked]:
    """What both networks say of each picture of one wheel's window."""
    if not pictures:
        return []
    seen = np.stack([_look(picture, a, d, scale * zoom) for picture in pictures for a, d, scale in _LOOKS])
    both, size = nets.look(seen), len(_LOOKS)
    spreads = np.percentile(seen[::size], (5, 95), axis=(1, 2))
    contrasts = (spreads[1] - spreads[0]).max(1)
    return [
        Looked(tuple(_part(said, i * size, (i + 1) * size) for said in both), float(contrasts[i]))
        for i in range(len(pictures))
    ]


def judge_wheel(looks: Sequence[Looked]) -> Wheel:
    """What a wheel shows that was looked at in these pictures, and stood alike in all."""
    both = [_joined([looked.said[voice] for looked in looks]) for voice in range(len(looks[0].said))]
    wheel = _judge(both, most=1.0 if len(looks) == 1 else _MOST)
    return replace(wheel, contrast=float(np.mean([looked.contrast for looked in looks])))


def fit_zoom(nets: WheelNets, pictures: Sequence[NDArray[np.uint8]]) -> float:
    """How much of the windows' height to look at: less where digits are small and their neighbours show."""
    told: dict[float, float] = {}
    for zoom in (1.0, _CLOSER):
        wheels = read_wheels(nets, pictures, zoom=zoom)
        clear = [min(w.chance, w.wheel) if not w.rolling else w.wheel * max(w.chance, 0.5) for w in wheels]
        told[zoom] = sum(clear) / len(clear)
    return _CLOSER if told[_CLOSER] > told[1.0] + _BETTER else 1.0


def _look(picture: NDArray[np.uint8], aside: float, down: float, scale: float) -> NDArray[np.uint8]:
    high, wide = picture.shape[:2]
    seen = min(float(wide), _WIDEST * high) * scale
    tall = high * scale
    left, top = (wide - seen) / 2 + aside * seen, (high - tall) / 2 + down * high
    shrink = max(seen / COLUMNS, tall / ROWS)
    if shrink > 2:  # blur first, so that thin strokes stay
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 * shrink), np.uint8)
    across, along = seen / COLUMNS, tall / ROWS
    matrix = np.array([[across, 0, left + across / 2 - 0.5], [0, along, top + along / 2 - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpAffine(picture, matrix, (COLUMNS, ROWS), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _part(said: Said, start: int, stop: int) -> Said:
    return Said(
        places=said.places[start:stop], wheel=said.wheel[start:stop], cut=said.cut[start:stop], up=said.up[start:stop]
    )


def _joined(parts: list[Said]) -> Said:
    return Said(
        places=np.concatenate([part.places for part in parts]), wheel=np.concatenate([part.wheel for part in parts]),
        cut=np.concatenate([part.cut for part in parts]), up=np.concatenate([part.up for part in parts]),
    )  # fmt: skip


def _judge(both: list[Said], *, most: float) -> Wheel:
    means = [said.places.mean(0) for said in both]
    mean = (means[0] + means[1]) / 2
    mean = mean / np.roll(np.tile(_TAUGHT, 10), -5)
    mean /= mean.sum()
    digits = _digits(mean)
    digit = int(digits.argmax())
    named = [_digits(row) for said in both for row in said.places]
    # where it stands shows even where the digit is hard to tell: all ten are asked together
    tenths = np.roll(mean, 5).reshape(10, 10).sum(0)  # from -.5 to .4 pitches
    near = np.roll(mean, 5 - 10 * digit)[:10]
    return Wheel(
        digit=digit,
        above=float((near * (np.arange(10) - 5)).sum() / max(1e-9, float(near.sum()))) / 10,
        chance=min(float(_digits(one)[digit]) for one in means),
        still=float((tenths * _STILL).sum()),
        wheel=min(float(said.wheel.mean()) for said in both),
        whole=1 - max(float(said.cut.mean()) for said in both),
        up=float(np.mean([said.up.mean() for said in both])),
        agreed=sum(int(row.argmax()) == digit for row in named) >= most * len(named),
        likely=float(digits[digit]),
        nearby=min(float(np.roll(_digits(one), 1 - digit)[:3].sum()) for one in means),
    )  # fmt: skip


def _digits(places: Values) -> Values:
    """Chance of each digit being the nearest one."""
    shares: Values = np.roll(places, 5).reshape(PLACES // 10, 10).sum(1)
    return shares
