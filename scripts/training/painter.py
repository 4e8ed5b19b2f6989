"""The brush: signs and lines of one screen, with their true boxes, in dots."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from fonts import Font

MARK = 36
GROUP = 37
SPACE = 38
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BIG, SMALL, MIDDLE, TINY = (12, 22), (5, 8), (7, 13), (5, 6)


@dataclass(slots=True)
class Sign:
    """One sign's box in dots (x0, y0 inclusive; x1, y1 exclusive), its class, its line and how much of it shows."""

    x0: float
    y0: float
    x1: float
    y1: float
    kind: int
    line: int
    shown: float


@dataclass(slots=True)
class Screen:
    """One picture's truth."""

    light: np.ndarray
    signs: list[Sign] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    spoilt: np.ndarray | None = None
    """Dots whose signs must neither be found nor missed: blends and half wipes."""


class Painter:
    """Draws one screen."""

    def __init__(
        self, rng: np.random.Generator, fonts: dict[str, list[Font]], rows: int = 32, columns: int = 128
    ) -> None:
        self.rng, self.fonts = rng, fonts
        self.screen = Screen(light=np.zeros((rows, columns), np.float32))
        self.rows, self.columns = rows, columns

    def font(self, span: tuple[int, int]) -> Font:
        """Any font whose height is in the span."""
        pool = self.fonts[f"{span[0]}-{span[1]}"]
        return pool[self.rng.integers(len(pool))]

    def line(
        self, font: Font, text: str, place: tuple[float, int], level: float = 1.0, style: str = "",
        span: tuple[int, int] | None = None,
    ) -> None:  # fmt: skip
        """Write one line; `place` is (anchor 0..1 across the span of columns, top row)."""
        gap = max(1, font.gap)
        space = int(self.rng.integers(max(2, font.rows // 3), max(4, font.rows)))
        tucked = self.rng.random() < 0.3
        width = sum(self._advance(font, sign, space, gap) for sign in text) - gap
        first, last = span or (0, self.columns)
        left = first + round(place[0] * (last - first - width))
        self._clear(left, place[1], width, font.rows)
        number = len(self.screen.lines)
        self.screen.lines.append(text)
        for sign in text:
            if sign in ",." and tucked:  # the mark fills the gap, and the next sign hardly makes room for it
                self._stamp(font.group, left - gap + 1, place[1] + font.rows - font.group.shape[0] + font.drop, level)
                left += max(1, font.group.shape[1] - gap + int(self.rng.integers(0, 2)))
                continue
            if sign in ",.":
                self._stamp(font.group, left, place[1] + font.rows - font.group.shape[0] + font.drop, level)
                left += font.group.shape[1] + (gap if self.rng.random() < 0.9 else 0)
                continue
            glyph = font.glyphs.get(sign)
            if glyph is None:
                left += space
                continue
            self._sign(font, sign, glyph, (left, place[1]), (level, style), number)
            left += glyph.shape[1] + gap

    def width(self, font: Font, text: str) -> int:
        """About how wide the text will be."""
        return sum(self._advance(font, sign, font.rows // 2, max(1, font.gap)) for sign in text)

    def _advance(self, font: Font, sign: str, space: int, gap: int) -> int:
        if sign in ",.":
            return int(font.group.shape[1]) + gap
        glyph = font.glyphs.get(sign)
        return space if glyph is None else int(glyph.shape[1]) + gap

    def _sign(
        self, font: Font, sign: str, glyph: np.ndarray, place: tuple[int, int], look: tuple[float, str], line: int
    ) -> None:
        left, top = place
        level, style = look
        height, width = glyph.shape
        if style == "hollow":
            around = _grow(glyph)
            self._stamp(around, left - 1, top - 1, level)
            self._carve(glyph, left, top)
        elif style == "shadow":
            self._stamp(glyph, left + 1, top + 1, level * 0.35)
            self._stamp(glyph, left, top, level)
        elif style == "halo":
            around = _grow(glyph)
            self._carve(around, left - 1, top - 1)
            self._stamp(glyph, left, top, level)
        elif style == "inverse":
            self._carve(glyph, left, top)
        elif style == "shaded":
            tone = np.linspace(0.4, 1.0, height, dtype=np.float32)[:, None]
            self._stamp(glyph * tone, left, top, level)
        else:
            self._stamp(glyph, left, top, level)
        kind = font.same.get(sign, sign)
        shown_x = max(0, min(left + width, self.columns) - max(left, 0)) / width
        shown_y = max(0, min(top + height, self.rows) - max(top, 0)) / height
        if shown_x * shown_y > 0.2:
            number = ALPHABET.index(kind) if kind in ALPHABET else MARK
            self.screen.signs.append(Sign(left, top, left + width, top + height, number, line, shown_x * shown_y))

    def _clear(self, left: int, top: int, width: int, rows: int) -> None:
        margin = 0 if self.rng.random() < 0.12 else int(self.rng.integers(1, 4))
        if margin:
            x0, y0 = max(0, left - margin), max(0, top - margin)
            self.screen.light[y0 : max(0, top + rows + margin), x0 : max(0, left + width + margin)] = 0
        _cover(self.screen, (left - margin, top - margin, left + width + margin, top + rows + margin))

    def _stamp(self, glyph: np.ndarray, left: int, top: int, level: float) -> None:
        spot, part = self._part(glyph, left, top)
        np.maximum(spot, part * np.float32(level), out=spot)

    def _carve(self, glyph: np.ndarray, left: int, top: int) -> None:
        spot, part = self._part(glyph, left, top)
        spot[part > 0] = 0

    def _part(self, glyph: np.ndarray, left: int, top: int) -> tuple[np.ndarray, np.ndarray]:
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = max(x0, min(left + glyph.shape[1], self.columns)), max(y0, min(top + glyph.shape[0], self.rows))
        return self.screen.light[y0:y1, x0:x1], glyph[y0 - top : y1 - top, x0 - left : x1 - left]


def _cover(screen: Screen, box: tuple[int, int, int, int]) -> None:
    """Signs that later ones were drawn over are damaged, or gone."""
    for sign in screen.signs:
        x = min(sign.x1, box[2]) - max(sign.x0, box[0])
        y = min(sign.y1, box[3]) - max(sign.y0, box[1])
        if x > 0 and y > 0:
            sign.shown -= x * y / ((sign.x1 - sign.x0) * (sign.y1 - sign.y0))
    screen.signs = [sign for sign in screen.signs if sign.shown > 0.3]


def _grow(glyph: np.ndarray) -> np.ndarray:
    wide = np.pad(glyph, 1)
    grown = wide.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            grown |= np.roll(np.roll(wide, dy, 0), dx, 1)
    return grown
