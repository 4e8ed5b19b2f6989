"""Reading a line of digits by a machine's own fonts: every lit dot in the line must be explained by taught glyphs.

No networks here and no files: an atlas (`hardware.atlas`), dots and a box come in, what the font says comes out.
Invariant: a digit that was never taught, is damaged or is not the machine's is `?`; it is never the nearest one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from capture.vision.atlas_strip import LIT, SLACK, Strip, cut_strip
from capture.vision.networks import Values
from capture.vision.signs import Box
from hardware.atlas import LEVELS, MARK, Font

UNKNOWN = "?"
_SOFT, _HARD = 0.25, 0.75
"""A dot that differs by less than the first is no error, by more than the second a whole one."""
_NOISE = 0.05
"""Error a dot that is no dot's fault: the picture's noise."""
_MARGIN = 0.75
"""Dots by which another digit must fit worse."""
_FAR = 3
"""Times as many dots as are wrong by which every other digit must differ for them to be forgiven."""
_BLOTS = 0.015
"""Part of a glyph's dots that may be wrong: two digits of one font differ in several times as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a font says of a line. `text`: its digits from left to right, `?` for what no taught glyph explains.

    `inside`: the part of `text` that lies within the box asked for. `exact`: not one dot of its digits differs.
    `explained`: nothing else is lit in the line, and its gaps and marks are as taught. `complete`: all ten digits are
    taught, else `taught` says which. `groups`: whether group marks stand where they must, None if there is none.
    `box`: around the digits, in dots.
    """

    font: str
    text: str
    inside: str
    exact: bool
    explained: bool
    complete: bool
    groups: bool | None
    taught: str
    box: Box

    @property
    def known(self) -> int:
        """Places that were read."""
        return sum(sign != UNKNOWN for sign in self.text)


def read_by_fonts(dots: Values, box: Box, fonts: Iterable[Font]) -> Told | None:
    """Read the line in the box (x0, y0, x1, y1 in dots, a dot off is no matter) by the font that explains most of it.

    `dots`: rows x columns, dark about 0. None where no font covers the line: other height, other glyphs, or the digits
    do not stand by themselves. Two fonts that say different things cover nothing.
    """
    told = [found for font in fonts if (found := _read(dots, box, font)) is not None]
    if not told:
        return None
    best = max(told, key=lambda one: one.known)
    if any(one.known == best.known and one.text != best.text for one in told):
        return None
    return best


def unlike(seen: Values, drawn: Values) -> tuple[Values, NDArray[np.int64]]:
    """How much dots differ from drawings of one shape (the last two axes): in dots' worth, and dots wholly wrong."""
    gap = np.abs(seen - drawn)
    soft = np.clip((gap - _SOFT) / (_HARD - _SOFT), 0, 1).sum((-2, -1))
    return np.asarray(soft, np.float32), (gap > LIT).sum((-2, -1))


@lru_cache(maxsize=4096)
def as_levels(rows: tuple[str, ...]) -> Values:
    """The dots of a glyph's text, 0 to 1."""
    most = len(LEVELS) - 1
    return np.array([[LEVELS.index(sign) / most for sign in row] for row in rows], np.float32)


def marks_right(places: Sequence[int], count: int) -> bool | None:
    """Whether marks stand before every third of `count` digits from the right; `places`: digits before each mark."""
    if not places:
        return None
    return list(places) == [i for i in range(1, count) if (count - i) % 3 == 0]


def _read(dots: Values, box: Box, font: Font) -> Told | None:
    if abs(font.rows - (box[3] - box[1])) > max(SLACK, 0.2 * font.rows):
        return None
    wide = max((len(glyph.dots[0]) for glyph in font.glyphs if glyph.sign == MARK), default=0)
    reach = max(font.between[1], font.before[1] + wide + font.after[1] if font.marked else 0)
    strip = cut_strip(dots, box, rows=font.rows, drop=font.drop, reach=reach)
    if strip is None:
        return None
    digits = [block for block in strip.blocks if not strip.low(block)]
    if not digits:
        return None
    signs, exact = [], True
    for block in digits:
        sign, errors = _name(strip, block, font)
        signs.append(sign)
        exact &= errors == 0
    marks, explained = _marks(strip, digits, font)
    text = "".join(signs)
    if 2 * sum(sign != UNKNOWN for sign in signs) < len(signs):
        return None
    inside = "".join(s for s, block in zip(signs, digits, strict=True) if block[1] > box[0] and block[0] < box[2])
    known = UNKNOWN not in text
    return Told(
        font=font.name, text=text, inside=inside, exact=exact and known, explained=explained and known,
        complete=not font.missing, taught="".join({glyph.sign for glyph in font.glyphs} - {MARK}),
        groups=marks_right(marks, len(digits)),
        box=(float(digits[0][0]), float(strip.top), float(digits[-1][1]), float(strip.top + font.rows)),
    )  # fmt: skip


def _name(strip: Strip, block: tuple[int, int], font: Font) -> tuple[str, int]:
    """The digit in the block and how many of its dots are wrong; `?` where none fits, or two do."""
    wide = block[1] - block[0] + 2
    signs, drawn = _drawings(font, wide)
    if not signs:
        return UNKNOWN, 0
    seen = np.zeros((font.rows, wide), np.float32)
    left, right = block[0] - 1, block[1] + 1
    part = strip.dots[: font.rows, max(0, left) : right]
    seen[:, max(0, -left) : max(0, -left) + part.shape[1]] = part
    soft, wrong = unlike(seen[None], drawn)
    best = int(np.argmin(soft + wrong))
    others = [i for i, sign in enumerate(signs) if sign != signs[best]]
    next_soft = min((float(soft[i]) for i in others), default=np.inf)
    next_wrong = min((int(wrong[i]) for i in others), default=seen.size)
    errors = int(wrong[best])
    forgiven = errors <= max(int(_BLOTS * seen.size), 0 if font.missing else 1) and next_wrong >= _FAR * errors
    noisy = soft[best] > errors + max(_MARGIN, _NOISE * seen.size)
    if noisy or not forgiven or next_soft - soft[best] < _MARGIN:
        return UNKNOWN, 0
    return signs[best], errors


def _marks(strip: Strip, digits: list[tuple[int, int]], font: Font) -> tuple[list[int], bool]:
    """After how many digits a mark stands, and whether gaps and marks are as taught: nothing lit is left over."""
    places, explained = [], True
    for count, (before, after) in enumerate(pairwise(digits), start=1):
        gap = strip.dots[:, before[1] : after[0]]
        if not (gap > LIT).any():
            explained &= font.between[0] <= gap.shape[1] <= font.between[1]
        elif _marked(gap, font):
            places.append(count)
        else:
            explained = False
    outside = any(strip.low(b) and not digits[0][0] < b[0] < digits[-1][1] for b in strip.blocks)
    below = strip.dots[strip.rows :] > LIT
    return places, explained and not outside and not any(bool(below[:, start:stop].any()) for start, stop in digits)


def _marked(gap: Values, font: Font) -> bool:
    """Whether the gap holds one group mark of this font, in its place, and nothing else."""
    for glyph in font.glyphs:
        if glyph.sign != MARK:
            continue
        drawn = as_levels(glyph.dots)
        for start in range(font.before[0], font.before[1] + 1):
            after = gap.shape[1] - start - drawn.shape[1]
            if not font.after[0] <= after <= font.after[1]:
                continue
            whole = np.zeros(gap.shape, np.float32)
            whole[:, start : start + drawn.shape[1]] = drawn
            soft, wrong = unlike(gap, whole)
            if int(wrong) == 0 and float(soft) <= max(_MARGIN, _NOISE * gap.size):
                return True
    return False


@lru_cache(maxsize=512)  # a font that has learnt more is another one: the old ones are of no more use
def _drawings(font: Font, wide: int) -> tuple[tuple[str, ...], Values]:
    """The digits about so wide less two, each drawn in the middle and a column aside."""
    signs, drawn = [], []
    for glyph in font.glyphs:
        body = as_levels(glyph.dots)
        if glyph.sign == MARK or abs(body.shape[1] - wide + 2) > 1:
            continue
        for start in range(max(0, min(2, wide - body.shape[1])) + 1):
            whole = np.zeros((font.rows, wide), np.float32)
            whole[:, start : start + body.shape[1]] = body
            signs.append(glyph.sign)
            drawn.append(whole)
    return tuple(signs), np.array(drawn, np.float32)
