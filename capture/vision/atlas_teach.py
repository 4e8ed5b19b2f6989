"""Teaching a machine's fonts from displays whose number is known: cut out, sorted into fonts, checked, never guessed.

Pure: dots, boxes and labels come in, fonts and reasons go out. Invariant: one shape never gets two digits; what speaks
against what others taught is set aside with its reason, and shapes that could not be cut cleanly teach nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from capture.vision.atlas_read import marks_right, unlike
from capture.vision.atlas_strip import cut_strip
from capture.vision.digits import Text
from capture.vision.networks import Values
from capture.vision.signs import Box
from hardware.atlas import LEVELS, MARK, MOST_DROP, MOST_FONTS, MOST_GAP, MOST_ROWS, MOST_WIDTH, Font, Glyph

_ALIKE = 0.02
"""Part of a glyph's dots that may differ between two pictures of it."""
_LIKE = 0.6
"""Part of the places in which a number must be read as its label says for it to be taken for it."""
_STEPS = (0.3, 0.5, 0.75)
"""Brightness from which a dot is `-`, `+` and `#`."""
_MOST_WAYS = 4
_LEAST = 2
"""Pictures that must show a font: what stands in one alone may be a number half wiped away."""
_TAIL = 3
"""Rows of group marks below the digits that are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One number cut into its signs. `name` is its picture's; `text` its digits, as labelled.

    `glyphs`: sign and dots from left to right, marks among them; `gaps`: between, before a mark, after it.
    `sure`: the networks read it as labelled.
    """

    name: str
    text: str
    box: Box
    rows: int
    drop: int
    glyphs: tuple[tuple[str, Values], ...]
    gaps: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """What came of teaching: fonts, the best taught first, and (picture, reason) of each number set aside.

    `clashes`: those among them that were read as labelled, and yet draw a digit as others draw another one.
    """

    fonts: tuple[Font, ...]
    aside: tuple[tuple[str, str], ...]
    clashes: tuple[tuple[str, str], ...]


def find_numbers(texts: Iterable[Text], value: int) -> tuple[list[Box], bool]:
    """Where a display shows this number, by what the networks read: boxes in dots, and whether they read it so.

    Where they read it nowhere: numbers of the same length that agree in most places.
    """
    label = f"{value}" if value else "00"
    numbers = [number for text in texts for number in text.numbers]
    same = [number.box for number in numbers if label in {number.text, number.by_sign, number.by_line}]
    if same:
        return same, True
    like = [number.box for number in numbers if _likeness(number.text, label) >= _LIKE]
    return like, False


def cut_number(dots: Values, box: Box, value: int, *, name: str, sure: bool) -> Cut | str:
    """Cut the number in the box into signs, or say in a line why not. `dots`: rows x columns."""
    text = f"{value}" if value else "00"
    strip = cut_strip(dots, box, drop=_TAIL)
    if strip is None:
        return "the number does not stand by itself: something touches it"
    digits = [block for block in strip.blocks if not strip.low(block)]
    if len(digits) != len(text):
        return f"{len(digits)} separate digits are seen, not {len(text)}: some touch each other or something else"
    glyphs: list[tuple[str, Values]] = [(text[0], _tidy(strip.dots[: strip.rows, slice(*digits[0])]))]
    between: list[int] = []
    before: list[int] = []
    after: list[int] = []
    places = []
    for count, (left, right) in enumerate(pairwise(digits), start=1):
        gap = strip.dots[:, left[1] : right[0]]
        lit = np.flatnonzero((gap > 0.5).any(0))
        if lit.size:
            places.append(count)
            before.append(int(lit[0]))
            after.append(gap.shape[1] - 1 - int(lit[-1]))
            glyphs.append((MARK, _tidy(gap[:, lit[0] : lit[-1] + 1])))
        else:
            between.append(gap.shape[1] if (len(text) - count) % 3 else -gap.shape[1])
        glyphs.append((text[count], _tidy(strip.dots[: strip.rows, slice(*right)])))
    if marks_right(places, len(text)) is False:
        return "group marks do not stand where they must"
    below = strip.dots[strip.rows :]
    if any((below[:, slice(*block)] > 0.5).any() for block in digits):
        return "something touches the digits' feet"
    used = np.flatnonzero((below > 0.5).any(1))
    wide = max(array.shape[1] for _, array in glyphs)
    if strip.rows > MOST_ROWS or wide > MOST_WIDTH or max((abs(gap) for gap in between), default=0) > MOST_GAP:
        return "its digits are too large for a font"
    return Cut(
        name=name, text=text, box=box, rows=strip.rows, drop=int(used[-1]) + 1 if used.size else 0,
        glyphs=tuple(glyphs), gaps=(tuple(between), tuple(before), tuple(after)), sure=sure,
    )  # fmt: skip


def teach(cuts: Sequence[Cut]) -> Taught:
    """Sort what was cut into fonts. Numbers read as labelled come first; the others must fit in with them."""
    sketches: list[_Sketch] = []
    aside: list[tuple[str, str]] = []
    clashes: list[tuple[str, str]] = []
    for cut in sorted(cuts, key=lambda one: (not one.sure, -len(set(one.text)), one.name)):
        why = _join(sketches, cut)
        if why:
            (clashes if cut.sure else aside).append((cut.name, why))
    _merge(sketches)
    sketches = [sketch for sketch in sketches if len({cut.name for cut in sketch.cuts}) >= _LEAST]
    sketches.sort(key=lambda sketch: -sum(len(cut.text) for cut in sketch.cuts))
    fonts = [_font(sketch, number) for number, sketch in enumerate(sketches[:MOST_FONTS])]
    return Taught(fonts=tuple(fonts), aside=tuple(aside), clashes=tuple(clashes))


@dataclass(slots=True)
class _Way:
    """One way in which a sign is drawn: the sum of its pictures and their number."""

    total: Values
    seen: int = 1

    @property
    def mean(self) -> Values:
        return self.total / np.float32(self.seen)


@dataclass(slots=True)
class _Sketch:
    """A font in the making."""

    rows: int
    ways: dict[str, list[_Way]] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)

    def weigh(self, glyphs: Iterable[tuple[str, Values]]) -> tuple[int, int, str]:
        """How many of these signs are drawn as here, how many in another way, and a sign drawn as another one here."""
        same = other = 0
        clash = ""
        for sign, dots in glyphs:
            if sign == MARK:
                continue
            if any(_alike(dots, way.mean) for way in self.ways.get(sign, ())):
                same += 1
                continue
            other += sign in self.ways
            for mine, ways in self.ways.items():
                if mine not in {sign, MARK} and any(_alike(dots, way.mean) for way in ways):
                    clash = f"its {sign} is drawn as the {mine} of others"
        return same, other, clash

    def add(self, sign: str, dots: Values, seen: int = 1) -> None:
        ways = self.ways.setdefault(sign, [])
        for way in ways:
            if _alike(dots / np.float32(seen), way.mean):
                way.total, way.seen = way.total + dots, way.seen + seen
                return
        ways.append(_Way(dots, seen))


def _join(sketches: list[_Sketch], cut: Cut) -> str:
    """Add the number to the font it is of, or to a new one; or say why to none."""
    clash = ""
    best: tuple[int, _Sketch] | None = None
    for sketch in sketches:
        if sketch.rows != cut.rows:
            continue
        same, other, said = sketch.weigh(cut.glyphs)
        clash = clash or said
        if same > other and not said and (best is None or same > best[0]):
            best = (same, sketch)
    if clash:
        return clash
    if best is None:
        if not cut.sure:
            return "it is not read as labelled, and its font is not known yet"
        best = (0, _Sketch(rows=cut.rows))
        sketches.append(best[1])
    best[1].cuts.append(cut)
    for sign, dots in cut.glyphs:
        best[1].add(sign, dots)
    return ""


def _merge(sketches: list[_Sketch]) -> None:
    """Put together what turned out to be one font."""
    merged = True
    while merged:
        merged = False
        for i, one in enumerate(sketches):
            for other in sketches[i + 1 :]:
                drawn = [(sign, way.mean) for sign, ways in other.ways.items() for way in ways]
                same, apart, clash = one.weigh(drawn) if one.rows == other.rows else (0, 0, "")
                if same > apart and not clash:
                    for sign, ways in other.ways.items():
                        for way in ways:
                            one.add(sign, way.total, way.seen)
                    one.cuts += other.cuts
                    sketches.remove(other)
                    merged = True
                    break
            if merged:
                break


def _font(sketch: _Sketch, number: int) -> Font:
    marked = MARK in sketch.ways
    drop = min(MOST_DROP, max(cut.drop for cut in sketch.cuts))
    whole = [cut for cut in sketch.cuts if not marked or len(cut.text) < 4 or cut.gaps[1]]
    between = [abs(gap) for cut in whole for gap in cut.gaps[0] if gap > 0 or not marked]
    before, after = ([gap for cut in whole for gap in cut.gaps[k]] for k in (1, 2))
    glyphs = []
    for sign in sorted(sketch.ways, key=lambda one: (one == MARK, one)):
        ways = sorted(sketch.ways[sign], key=lambda way: -way.seen)
        kept = [way for way in ways if way.seen > 1 or ways[0].seen < 3][:_MOST_WAYS]
        high = sketch.rows + (drop if sign == MARK else 0)
        glyphs += [Glyph(sign=sign, dots=_draw(way.mean[:high]), seen=way.seen) for way in kept]
    return Font(
        name=f"{sketch.rows}{chr(ord('a') + number)}", rows=sketch.rows, drop=drop,
        between=_range(between, (1, 1)), before=_range(before, (0, 0)), after=_range(after, (0, 0)),
        glyphs=tuple(glyphs),
    )  # fmt: skip


def _range(values: list[int], default: tuple[int, int]) -> tuple[int, int]:
    return (min(values), max(values)) if values else default


def _draw(dots: Values) -> tuple[str, ...]:
    """Rows of text, dark columns at the sides left out."""
    steps = np.digitize(dots, _STEPS)
    used = np.flatnonzero(steps.any(0))
    return tuple("".join(LEVELS[int(step)] for step in row) for row in steps[:, used[0] : used[-1] + 1])


def _tidy(dots: Values) -> Values:
    return np.asarray(np.clip(dots, 0, 1), np.float32)


def _alike(one: Values, other: Values) -> bool:
    if one.shape != other.shape:
        return False
    soft, wrong = unlike(one, other)
    return int(wrong) <= int(_ALIKE * one.size) and float(soft) <= max(0.75, 2 * _ALIKE * one.size)


def _likeness(text: str, label: str) -> float:
    """Places that agree, as a part of all; 0 where the lengths differ."""
    if len(text) != len(label):
        return 0.0
    return sum(a == b for a, b in zip(text, label, strict=True)) / len(label)
