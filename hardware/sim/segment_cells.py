"""Cells of 7, 14 or 16 segments: which segments make which sign, and how a maker shapes them.

Segments have the trade's letters: a top, b and c right, d bottom, e and f left, g middle (7); 14 split the middle and
add diagonals and uprights (h to m); 16 split top and bottom too. Invariant: within one cell no two signs that a score
can hold light the same segments.
"""

import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

NAMES: dict[int, tuple[str, ...]] = {
    7: ("a", "b", "c", "d", "e", "f", "g"),
    14: ("a", "b", "c", "d", "e", "f", "g1", "g2", "h", "i", "j", "k", "l", "m"),
    16: ("a1", "a2", "b", "c", "d1", "d2", "e", "f", "g1", "g2", "h", "i", "j", "k", "l", "m"),
}
COMMA = "comma"

_DIGITS = dict(
    zip("0123456789", ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg"),
        strict=True)
)  # fmt: skip
_LETTERS = {
    "A": "abcefg", "B": "abcd2il", "C": "adef", "D": "abcdil", "E": "adefg", "F": "aefg", "G": "acdef2", "H": "bcefg",
    "I": "adil", "J": "bcde", "K": "ef1jm", "L": "def", "M": "bcefhj", "N": "bcefhm", "O": "abcdef", "P": "abefg",
    "Q": "abcdefm", "R": "abefgm", "S": "acdfg", "T": "ail", "U": "bcdef", "V": "efkj", "W": "bcefkm", "X": "hjkm",
    "Y": "hjl", "Z": "adjk", "-": "g",
}  # fmt: skip
"""In a shorthand: `g` is the whole middle bar, 1 and 2 its left and right halves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How one maker builds a cell. Lengths are shares of the cell's height."""

    segments: int
    slant: float
    """Degrees to the right."""
    stroke: float
    gap: float
    wide: float
    """Of the segments' body, as a share of the cell's width."""
    tailed: bool
    """6 and 9 have their top and bottom bar."""
    hooked_seven: bool

    @classmethod
    def drawn(cls, seed: int, segments: int) -> "Shape":
        """A maker's choice, by seed."""
        chance = random.Random(f"inlane/{seed}/cells")  # noqa: S311 -- repeatable looks, no secrets
        return cls(
            segments=segments, slant=chance.choice((0, 4, 8, 10, 12)), stroke=chance.uniform(0.09, 0.15),
            gap=chance.uniform(0.012, 0.03), wide=chance.uniform(0.62, 0.74), tailed=chance.random() < 0.7,
            hooked_seven=chance.random() < 0.2,
        )  # fmt: skip

    def lit(self, sign: str) -> frozenset[str]:
        """The names of the segments that make `sign`; none for a blank or a sign that the cell cannot show."""
        short = _DIGITS.get(sign, "") or (_LETTERS.get(sign, "") if self.segments > 7 or sign == "-" else "")
        if not self.tailed and sign in "69" and sign:
            short = short.replace("a" if sign == "6" else "d", "")
        if sign == "7" and self.hooked_seven:
            short += "f"
        long: dict[str, tuple[str, ...]] = {"g": ("g",), "a": ("a",), "d": ("d",)}
        if self.segments > 7:
            long["g"], long["1"], long["2"] = ("g1", "g2"), ("g1",), ("g2",)
        if self.segments == 16:
            long["a"], long["d"] = ("a1", "a2"), ("d1", "d2")
        return frozenset(name for letter in short for name in long.get(letter, (letter,)))

    def templates(self, high: int, wide: int) -> dict[str, NDArray[np.float32]]:
        """Each segment's mask (0 to 1) in a cell of `high` x `wide` pixels; COMMA too, in the gap to the next cell."""
        return {name: self._draw(points, high, wide) for name, points in self._outlines(high, wide).items()}

    def _draw(self, points: NDArray[np.float64], high: int, wide: int) -> NDArray[np.float32]:
        mask = np.zeros((high * 4, wide * 4), np.uint8)
        cv2.fillPoly(mask, [np.round(points * 4 * 16).astype(np.int32)], 255, shift=4)
        small = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA)
        drawn: NDArray[np.float32] = (small / np.float32(255)).astype(np.float32)
        return drawn

    def _outlines(self, high: int, wide: int) -> dict[str, NDArray[np.float64]]:
        """Polygons in pixels of the cell."""
        half = self.stroke * high / 2
        lean = np.tan(np.radians(self.slant))
        body = self.wide * wide
        left = (wide - body) * 0.42 + half
        right, top, low = left + body - 2 * half, 0.04 * high + half, 0.96 * high - half
        middle, centre, gap = (top + low) / 2, (left + right) / 2, self.gap * high
        bars = {
            "a": (left, top, right, top), "b": (right, top, right, middle), "c": (right, middle, right, low),
            "d": (left, low, right, low), "e": (left, middle, left, low), "f": (left, top, left, middle),
            "g": (left, middle, right, middle), "g1": (left, middle, centre, middle),
            "g2": (centre, middle, right, middle), "a1": (left, top, centre, top), "a2": (centre, top, right, top),
            "d1": (left, low, centre, low), "d2": (centre, low, right, low), "i": (centre, top, centre, middle),
            "l": (centre, middle, centre, low), "h": (left, top, centre, middle), "j": (right, top, centre, middle),
            "k": (left, low, centre, middle), "m": (right, low, centre, middle),
        }  # fmt: skip
        shapes = {
            name: _bar(*bars[name], half * (0.8 if name in "ilhjkm" else 1), gap * (2 if name in "hjkm" else 1))
            for name in NAMES[self.segments]
        }
        dot, x = half * 1.1, left + body - half * 0.4 + (wide - body) * 0.35
        shapes[COMMA] = np.array([[x - dot, low - dot], [x + dot, low - dot], [x + dot, low + dot * 0.6],
                                  [x - dot * 0.2, low + dot * 2], [x - dot * 0.4, low + dot]])  # fmt: skip
        return {
            name: np.stack([points[:, 0] + (high / 2 - points[:, 1]) * lean, points[:, 1]], axis=1)
            for name, points in shapes.items()
        }


def _bar(x0: float, y0: float, x1: float, y1: float, half: float, gap: float) -> NDArray[np.float64]:
    """A bar with pointed ends from one point to the other, `gap` short of both."""
    start, end = np.array([x0, y0]), np.array([x1, y1])
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    aside = np.array([-along[1], along[0]]) * half
    a, b = start + along * gap, end - along * gap
    point = along * min(half, length / 4)
    return np.array([a, a + point + aside, b - point + aside, b, b - point - aside, a + point - aside])
