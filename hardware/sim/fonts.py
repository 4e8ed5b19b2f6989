"""Dot fonts, drawn here: two bitmap alphabets for words, and digits of any height made from strokes.

A glyph is an array of bool, rows by columns. Each maker draws its digits its own way (`Hand`); no glyph is taken from
any real machine. Within one hand and height all digits differ from each other by several dots.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Glyph = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Hand:
    """How one maker draws digits: `round` cuts the corners, `heavy` is a broad stroke."""

    round: bool = False
    slim: float = 0.62
    """Width as a share of the height."""
    heavy: bool = True
    slanted_seven: bool = True
    footed_one: bool = False
    curled_two: bool = False
    open_four: bool = False
    wide_one: bool = False
    """A 1 takes a whole digit's place instead of its own width."""


HANDS = (
    Hand(round=True, heavy=True, footed_one=True),
    Hand(round=False, heavy=True, slim=0.55, slanted_seven=False, wide_one=True),
    Hand(round=True, heavy=False, slim=0.6, curled_two=True, open_four=True),
    Hand(round=False, heavy=False, slim=0.7, footed_one=True, open_four=True),
    Hand(round=True, heavy=True, slim=0.75, curled_two=True),
)


@lru_cache(maxsize=4096)
def text(words: str, rows: int) -> Glyph:
    """Words (capitals, digits, some signs) in the 5 or 7 row alphabet; unknown signs are blanks. Twice as large for
    10 or 14, four times for 20 or 28.
    """
    alphabet, height = (_SMALL, 5) if rows in {5, 10, 20} else (_TALL, 7)
    columns: list[Glyph] = []
    for sign in words:
        columns += [_bitmap(alphabet.get(sign, alphabet[" "])), np.zeros((height, 1), bool)]
    drawn = np.hstack(columns[:-1]) if columns else np.zeros((height, 0), bool)
    return drawn.repeat(rows // height, axis=0).repeat(rows // height, axis=1) if rows > 7 else drawn


@lru_cache(maxsize=4096)
def number(value: int, rows: int, hand: Hand) -> Glyph:
    """A whole number with commas, `rows` high (5 to 40). Zero is shown as `00`, as machines do."""
    digits = f"{value:,}" if value else "00"
    gap = 3 if rows >= 30 else 2 if rows >= 16 else 1
    parts: list[Glyph] = []
    for sign in digits:
        glyph = _comma(rows) if sign == "," else digit(int(sign), rows, hand)
        parts += [glyph, np.zeros((rows, gap), bool)]
    return np.hstack(parts[:-1])


@lru_cache(maxsize=1024)
def digit(value: int, rows: int, hand: Hand) -> Glyph:
    """One digit, 0 to 9."""
    if rows == 5:
        return _bitmap(_SMALL[str(value)])
    if rows == 7:
        return _bitmap((_TALL_SQUARE if not hand.round else _TALL)[str(value)])
    return _stroked(value, rows, hand)


# --- below: how they are drawn -----------------------------------------------------------------------------------


def _stroked(value: int, rows: int, hand: Hand) -> Glyph:
    wide = max(5, round(rows * hand.slim))
    brush = max(1, round(rows / 7)) if hand.heavy else max(1, round(rows / 11))
    right, low, middle = wide - brush, rows - brush, (rows - brush) // 2
    canvas = np.zeros((rows, wide), bool)
    for line in _strokes(value, right, middle, low, hand):
        points = _rounded(line, max(1, brush)) if hand.round else line
        for start, end in pairwise(points):
            _draw(canvas, start, end, brush)
    used = np.flatnonzero(canvas.any(axis=0))
    return canvas if value != 1 or hand.wide_one else canvas[:, used[0] : used[-1] + 1]


Point = tuple[int, int]


def _strokes(value: int, r: int, m: int, b: int, hand: Hand) -> list[list[Point]]:
    """Polylines (column, row) on a box whose far edges are `r` and `b` and whose waist is `m`."""
    c = r // 2
    ring = [(c, 0), (r, 0), (r, b), (0, b), (0, 0), (c, 0)]
    if value == 1:
        foot = [[(max(0, c - 2), b), (min(r, c + 2), b)]] if hand.footed_one else []
        return [[(c, 0), (c, b)], [(max(0, c - 2), 2), (c, 0)], *foot]
    if value == 2:
        curl = [(0, max(1, m // 3)), (0, 0), (r, 0), (r, m - 1), (0, b), (r, b)]
        return [curl if hand.curled_two else [(0, 0), (r, 0), (r, m), (0, m), (0, b), (r, b)]]
    if value == 4:
        if hand.open_four:
            return [[(0, 0), (0, m), (r, m)], [(r, 0), (r, b)]]
        stem = r - max(1, r // 4)
        return [[(stem, b), (stem, 0), (0, m + 1), (r, m + 1)]]
    if value == 7:
        return [[(0, 0), (r, 0), (max(0, c - 1), b)] if hand.slanted_seven else [(0, 0), (r, 0), (r, b)]]
    lines: dict[int, list[list[Point]]] = {
        0: [ring],
        3: [[(0, 0), (r, 0), (r, b), (0, b)], [(c, m), (r, m)]],
        5: [[(r, 0), (0, 0), (0, m), (r, m), (r, b), (0, b)]],
        6: [[(r, 0), (0, 0), (0, b), (r, b), (r, m), (0, m)]],
        8: [ring, [(0, m), (r, m)]],
        9: [[(0, b), (r, b), (r, 0), (0, 0), (0, m), (r, m)]],
    }
    return lines[value]


def _rounded(points: list[Point], cut: int) -> list[Point]:
    """Replace each right-angled corner by two points: an octagon's corner."""
    drawn = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        straight = before[0] == corner[0] == after[0] or before[1] == corner[1] == after[1]
        leaning = (before[0] != corner[0] and before[1] != corner[1]) or (
            after[0] != corner[0] and after[1] != corner[1]
        )
        if straight or leaning:
            drawn.append(corner)
        else:
            drawn += [_towards(corner, before, cut), _towards(corner, after, cut)]
    return [*drawn, points[-1]]


def _towards(start: Point, end: Point, step: int) -> Point:
    reach = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    step = min(step, reach // 2)
    return (start[0] + (end[0] - start[0]) * step // reach, start[1] + (end[1] - start[1]) * step // reach)


def _draw(canvas: Glyph, start: Point, end: Point, brush: int) -> None:
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    for step in range(steps + 1):
        x = round(start[0] + (end[0] - start[0]) * step / steps)
        y = round(start[1] + (end[1] - start[1]) * step / steps)
        canvas[y : y + brush, x : x + brush] = True


def _comma(rows: int) -> Glyph:
    """A block with a tail below its right half, as thick as the digits' strokes or a little more."""
    wide = 5 if rows >= 30 else 3 if rows >= 16 else 2 if rows >= 9 else 1
    canvas = np.zeros((rows, wide), bool)
    canvas[-wide - 1 : -1, :] = True
    canvas[-1, -((wide + 1) // 2) :] = True
    return canvas


def _bitmap(rows: str) -> Glyph:
    return np.array([[sign == "#" for sign in row] for row in rows.split()], bool)


def _sheet(rows: int, drawing: str) -> dict[str, str]:
    """A drawing holds bands: a line of the signs (`_` is the blank), then `rows` lines of their dots."""
    lines = [line for line in drawing.strip().splitlines() if line.strip()]
    glyphs = {}
    for top in range(0, len(lines), rows + 1):
        signs, *bodies = (line.split() for line in lines[top : top + rows + 1])
        for column, sign in enumerate(signs):
            glyphs[" " if sign == "_" else sign] = " ".join(body[column] for body in bodies)
    return glyphs


_SMALL = _sheet(
    5,
    """
A B C D E F G H I J K L M
.#. ##. .## ##. ### ### .## #.# ### ..# #.# #.. #...#
#.# #.# #.. #.# #.. #.. #.. #.# .#. ..# #.# #.. ##.##
### ##. #.. #.# ##. ##. #.# ### .#. ..# ##. #.. #.#.#
#.# #.# #.. #.# #.. #.. #.# #.# .#. #.# #.# #.. #...#
#.# ##. .## ##. ### #.. .## #.# ### .#. #.# ### #...#
N O P Q R S T U V W X Y Z
#..# ### ##. .#.. ##. .## ### #.# #.# #...# #.# #.# ###
##.# #.# #.# #.#. #.# #.. .#. #.# #.# #...# #.# #.# ..#
#.## #.# ##. #.#. ##. .#. .#. #.# #.# #.#.# .#. .#. .#.
#..# #.# #.. #.#. #.# ..# .#. #.# #.# ##.## #.# .#. #..
#..# ### #.. .#.# #.# ##. .#. ### .#. #...# #.# .#. ###
0 1 2 3 4 5 6 7 8 9 _ . = , - ! :
### .#. ### ### #.# ### ### ### ### ### .. . ... .# ... # .
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.# .. . ### .. ... # #
#.# .#. ### .## ### ### ### .#. ### ### .. . ... .. ### # .
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..# .. . ### .# ... . #
### ### ### ### ..# ### ### .#. ### ### .. # ... #. ... # .
""",
)

_TALL = _sheet(
    7,
    """
A B C D E F G H I J K L M
.###. ####. .###. ####. ##### ##### .###. #...# ### ...## #...# #.... #...#
#...# #...# #...# #...# #.... #.... #...# #...# .#. ....# #..#. #.... ##.##
#...# #...# #.... #...# #.... #.... #.... #...# .#. ....# #.#.. #.... #.#.#
##### ####. #.... #...# ####. ####. #.### ##### .#. ....# ##... #.... #.#.#
#...# #...# #.... #...# #.... #.... #...# #...# .#. ....# #.#.. #.... #...#
#...# #...# #...# #...# #.... #.... #...# #...# .#. #...# #..#. #.... #...#
#...# ####. .###. ####. ##### #.... .###. #...# ### .###. #...# ##### #...#
N O P Q R S T U V W X Y Z
#...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#
#.#.# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
#.#.# #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
#..## #...# #.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#...
#...# #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....
#...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####
0 1 2 3 4 5 6 7 8 9 _ . = , - ! :
.###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###. ... . .... .. ... # .
#...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...# ... . .... .. ... # .
#...# ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...# ... . #### .. ... # #
#...# ..#.. ...#. ..##. #..#. ....# ####. ..#.. .###. .#### ... . .... .. ### # .
#...# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....# ... . #### .. ... # .
#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. ... . .... .# ... . #
.###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. ... # .... #. ... # .
""",
)

_TALL_SQUARE = _TALL | _sheet(
    7,
    """
0 1 2 3 4 5 6 7 8 9
##### .##. ##### ##### #..#. ##### ##### ##### ##### #####
#...# ..#. ....# ....# #..#. #.... #.... ....# #...# #...#
#...# ..#. ....# ....# #..#. #.... #.... ....# #...# #...#
#...# ..#. ##### .#### ##### ##### ##### ....# ##### #####
#...# ..#. #.... ....# ...#. ....# #...# ....# #...# ....#
#...# ..#. #.... ....# ...#. ....# #...# ....# #...# ....#
##### .### ##### ##### ...#. ##### ##### ....# ##### #####
""",
)
