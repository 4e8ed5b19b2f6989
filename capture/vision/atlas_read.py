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

from capture.vision.networks import Values
from capture.vision.signs import Box
from hardware.atlas import LEVELS, MARK, MOST_DROP, Font

Mask = NDArray[np.bool_]
UNKNOWN = "?"
_LIT = 0.5
"""Brightness, as a part of the line's own, from which a dot is lit."""
_SOFT, _HARD = 0.25, 0.75
"""A dot that differs by less than the first is no error, by more than the second a whole one."""
_LOW = 0.55
"""What begins below this part of the height is no digit but a mark."""
_SLACK = 2
"""Rows by which a box may be taller or shorter than the digits in it."""
_NOISE = 0.05
"""Error a dot that is no dot's fault: the picture's noise."""
_MARGIN = 0.75
"""Dots by which another digit must fit worse."""
_FAR = 3
"""Dots by which all others must differ for one wrong dot to be forgiven, and that only where all ten are taught."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A line cut out: `dots` (rows x columns of the whole display, dark 0, lit 1) from row `top`, its digits `rows`
    high and `drop` rows below them; `blocks`: the columns (start, stop) that hold something in the digits' rows.
    """

    top: int
    rows: int
    dots: Values
    blocks: tuple[tuple[int, int], ...]

    def low(self, block: tuple[int, int]) -> bool:
        """Whether only the foot of the block is lit, as of a group mark."""
        body = self.dots[: self.rows, block[0] : block[1]]
        return not bool((body[: int(_LOW * self.rows)] > _LIT).any())


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


def cut_strip(dots: Values, box: Box, *, rows: int | None = None, drop: int = 0, reach: int = 0) -> Strip | None:
    """The line in the box with nothing lit right above or below it; None where it does not stand by itself.

    `rows`: the digits' height where it is known, with `drop` rows below for marks; else `drop` is the most rows of
    marks there may be, and the height is what remains. `reach`: the line goes on beyond the box while no more dark
    columns than that lie between. Columns that run on far above and below the digits are bars, not signs.
    """
    height, width = dots.shape
    x0, x1 = max(0, round(box[0] - 0.5)), min(width, round(box[2] + 0.5))
    middle = (box[1] + box[3]) / 2
    if x1 - x0 < 1 or not 0 <= middle < height:
        return None
    flat = _even(dots, box)
    lit: Mask = np.greater(flat, _LIT)
    span = (max(0, round(box[1])), min(height, max(round(box[1]) + 1, round(box[3]))))
    bars: Mask = np.all(lit[max(0, span[0] - 3) : span[1] + 3], axis=0)
    lit[:, bars] = False
    top, stop = _run(np.any(lit[:, x0:x1], axis=1), int(middle))
    if rows is None:
        rows = _feet(lit[top:stop, x0:x1], drop)
    if not rows <= stop - top <= rows + drop or abs(rows - (box[3] - box[1])) > max(_SLACK, 0.2 * rows):
        return None
    body = np.where(bars[None], 0, flat)[top:stop]
    strip = np.zeros((rows + drop, width), np.float32)
    strip[: len(body)] = body
    across: Mask = np.any(lit[top : top + rows], axis=0)
    left, right = _extent(across, (x0, x1), bars, reach)
    return Strip(top=top, rows=rows, dots=strip, blocks=_blocks(across, left, right))


def unlike(seen: Values, drawn: Values) -> tuple[Values, NDArray[np.int64]]:
    """How much dots differ from drawings of one shape (the last two axes): in dots' worth, and dots wholly wrong."""
    gap = np.abs(seen - drawn)
    soft = np.clip((gap - _SOFT) / (_HARD - _SOFT), 0, 1).sum((-2, -1))
    return np.asarray(soft, np.float32), (gap > _LIT).sum((-2, -1))


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
    if abs(font.rows - (box[3] - box[1])) > max(_SLACK, 0.2 * font.rows):
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
    next_wrong = min((int(wrong[i]) for i in others), default=_FAR)
    clean = wrong[best] == 0 and soft[best] <= max(_MARGIN, _NOISE * seen.size)
    forgiven = wrong[best] == 1 and not font.missing and next_wrong >= _FAR
    if next_soft - soft[best] < _MARGIN or not (clean or forgiven):
        return UNKNOWN, 0
    return signs[best], int(wrong[best])


def _marks(strip: Strip, digits: list[tuple[int, int]], font: Font) -> tuple[list[int], bool]:
    """After how many digits a mark stands, and whether gaps and marks are as taught: nothing lit is left over."""
    places, explained = [], True
    for count, (before, after) in enumerate(pairwise(digits), start=1):
        gap = strip.dots[:, before[1] : after[0]]
        if not (gap > _LIT).any():
            explained &= font.between[0] <= gap.shape[1] <= font.between[1]
        elif _marked(gap, font):
            places.append(count)
        else:
            explained = False
    outside = any(strip.low(b) and not digits[0][0] < b[0] < digits[-1][1] for b in strip.blocks)
    below = strip.dots[strip.rows :] > _LIT
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


@lru_cache(maxsize=2048)
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


def _even(dots: Values, box: Box) -> Values:
    """The dots with this line's dark at 0 and its bright at 1."""
    x0, y0, x1, y1 = (max(0, round(place)) for place in box)
    body = dots[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1)].ravel()
    if not body.size or float(body.max()) <= 0:
        return dots.copy()
    half = (float(np.percentile(body, 98)) + min(0.0, float(body.min()))) / 2
    bright, below = body[body > half], body[body <= half]
    if not bright.size or not below.size:
        return dots.copy()
    dark = float(np.median(below))
    return np.asarray((dots - dark) / max(float(np.median(bright)) - dark, 1e-3), np.float32)


def _run(lit: Mask, middle: int) -> tuple[int, int]:
    """The run of lit rows about the middle."""
    start, stop = middle, middle + 1
    while start > 0 and lit[start - 1]:
        start -= 1
    while stop < len(lit) and lit[stop]:
        stop += 1
    return start, stop


def _feet(lit: Mask, drop: int) -> int:
    """The digits' height: rows of the line less those at its foot in which fewer parts are lit than it has digits."""
    parts = [len(_blocks(row, 0, len(row))) for row in lit]
    digits = len(_blocks(np.any(lit[: int(_LOW * len(lit))], axis=0), 0, lit.shape[1]))
    rows = len(lit)
    while rows > 1 and len(lit) - rows < min(drop, MOST_DROP) and parts[rows - 1] <= (digits - 1) // 3 and digits > 3:
        rows -= 1
    return rows


def _extent(lit: Mask, box: tuple[int, int], bars: Mask, reach: int) -> tuple[int, int]:
    """The box's columns, and further while something lit follows after at most `reach` dark ones; not beyond a bar."""
    left, right = box
    first = max((int(place) + 1 for place in np.flatnonzero(bars) if place < left), default=0)
    last = min((int(place) for place in np.flatnonzero(bars) if place >= right), default=len(lit))
    while (more := lit[max(first, left - reach - 1) : left]).any():
        left = max(first, left - reach - 1) + int(np.argmax(more))
    while (more := lit[right : min(last, right + reach + 1)]).any():
        right += int(np.flatnonzero(more)[-1]) + 1
    return left, right


def _blocks(lit: Mask, left: int, right: int) -> tuple[tuple[int, int], ...]:
    """Runs of lit columns between two places."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], lit[left:right], [False]]).astype(np.int8)))
    return tuple((left + int(a), left + int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True))
