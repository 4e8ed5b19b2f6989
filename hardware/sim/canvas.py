"""A dot-matrix display's dots to draw on: numbers and words in the maker's fonts, at places given for 128 x 32 dots.

Places and sizes are scaled to the display's own number of rows. Invariant: nothing is ever drawn outside the dots, and
nothing is moved to make it fit: what is too wide is drawn smaller, or cut as real programs cut it.
"""

import numpy as np
from numpy.typing import NDArray

from hardware.sim import fonts

Dots = NDArray[np.uint8]
"""Rows x columns of levels of brightness, 0 to 15."""

_HEIGHTS = (40, 36, 32, 26, 22, 20, 18, 16, 13, 11, 9, 7)


class Canvas:
    """One picture of a display that is being drawn."""

    def __init__(self, rows: int, columns: int, hand: fonts.Hand) -> None:
        self.dots: Dots = np.zeros((rows, columns), np.uint8)
        self.rows, self.columns, self.hand = rows, columns, hand

    def at(self, place: int) -> int:
        """A row of 32 as a row of this display."""
        return place * self.rows // 32

    def size(self, rows: int) -> int:
        """The height of words of 5, 7 or 14 rows of 32, on this display."""
        if self.rows >= 32:
            return rows * (self.rows // 32)
        return {5: 5, 7: 5, 14: 7}[rows]

    def tallest(self, value: int, wide: int, rows: int) -> int:
        """The tallest font up to `rows` of this display's own rows in which the number is no wider than `wide`."""
        for height in _HEIGHTS:
            if height <= min(rows, self.rows * 5 // 8) and fonts.number(value, height, self.hand).shape[1] <= wide:
                return height
        return 5

    def number(self, value: int, top: int, rows: int, level: int) -> None:
        """A number in the middle; `top` and `rows` are this display's own."""
        glyph = fonts.number(value, rows, self.hand)
        self.stamp(glyph, top, max(0, (self.columns - glyph.shape[1]) // 2), level)

    def words(
        self, words: str, top: int, rows: int, level: int, *, left: int | None = None, right: int | None = None
    ) -> None:
        """Words in the middle, or from `left`, or up to `right`; `rows` is 5, 7 or 14 of 32, `top` one of 32."""
        height = self.size(rows)
        glyph = fonts.text(words, height)
        if glyph.shape[1] > self.columns and height > 7:
            glyph = fonts.text(words, height // 2)
        place = left if left is not None else (self.columns - glyph.shape[1]) // 2
        self.stamp(glyph, self.at(top), max(0, place if right is None else right - glyph.shape[1]), level)

    def stamp(self, glyph: fonts.Glyph, top: int, left: int, level: int) -> None:
        """Light these dots, as far as they lie on the display."""
        part = self.dots[top : top + glyph.shape[0], left : left + glyph.shape[1]]
        part[glyph[: part.shape[0], : part.shape[1]]] = level
