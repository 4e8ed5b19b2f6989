"""Screens with a strip of scores beside a picture, and wipes that take part of a screen away.

Many machines keep a narrow column with every player's score while the rest plays; others slide whole lines out of the
display. Places and numbers are random. A sign that a wipe cut keeps its full box and says how much of it shows.
"""

from __future__ import annotations

import numpy as np
from art import draw_art
from painter import BIG, MIDDLE, SMALL, TINY, Painter, Screen
from words import any_words, bottom_line, grouped, number, title


def side_panel(painter: Painter, rng: np.random.Generator) -> None:
    """Scores in a narrow column, and a score, a mode or a picture in the wide rest."""
    wide = int(rng.integers(30, 52))
    left = rng.random() < 0.75
    strip = (0, wide) if left else (painter.columns - wide, painter.columns)
    rest = (wide + 2, painter.columns) if left else (0, painter.columns - wide - 2)
    _rest(painter, rng, rest)
    at = strip[1] if left else strip[0] - 1
    if rng.random() < 0.85:
        painter.screen.light[:, at : at + int(rng.integers(1, 3))] = float(rng.choice([1.0, 1.0, 0.5]))
    _column(painter, rng, strip, anchor=1.0 if left == (rng.random() < 0.85) else 0.0)


def wipe(rng: np.random.Generator, screen: Screen) -> None:
    """Take a band of rows, or a part of the width, off the screen."""
    rows, columns = screen.light.shape
    x0, x1 = 0, columns
    if rng.random() < 0.4:
        x0, x1 = (
            (0, int(rng.integers(20, columns))) if rng.random() < 0.5 else (int(rng.integers(columns - 20)), columns)
        )
    cut = int(rng.integers(1, rows))
    y0, y1 = (0, cut) if rng.random() < 0.5 else (cut, rows)
    if rng.random() < 0.5:  # a band that leaves what stands above and below it
        y1 = min(rows, y0 + int(rng.integers(2, 14)))
    screen.light[y0:y1, x0:x1] = 0
    for sign in screen.signs:
        wide = min(sign.x1, x1) - max(sign.x0, x0)
        high = min(sign.y1, y1) - max(sign.y0, y0)
        if wide > 0 and high > 0:
            sign.shown -= wide * high / ((sign.x1 - sign.x0) * (sign.y1 - sign.y0))
    screen.signs = [sign for sign in screen.signs if sign.shown > 0.3]


def _rest(painter: Painter, rng: np.random.Generator, span: tuple[int, int]) -> None:
    kind = rng.integers(4)
    if kind >= 2 or rng.random() < 0.2:
        canvas = np.zeros((painter.rows, span[1] - span[0]), np.float32)
        draw_art(rng, canvas)
        if rng.random() < 0.3:
            canvas = 1 - canvas
        painter.screen.light[:, span[0] : span[1]] = canvas * float(rng.choice([1.0, 0.5, 0.25]))
    if kind == 3:
        return
    text = grouped(rng, number(rng))
    font = _narrow(painter, text, BIG if kind == 0 else MIDDLE, span)
    top = int(rng.integers(-4, painter.rows - font.rows - 3))
    style = "halo" if rng.random() < 0.3 else ""
    painter.line(font, text, (rng.uniform(0.3, 0.7), top), style=style, span=span)
    words = bottom_line(rng) if kind == 0 else any_words(rng)
    small = painter.font(TINY)
    if painter.width(small, words) < span[1] - span[0] and rng.random() < 0.8:
        painter.line(small, words, (rng.choice([0.0, 0.5]), painter.rows - small.rows), span=span)
    words = title(rng)
    if kind == 1 and painter.width(small, words) < span[1] - span[0]:
        painter.line(small, words, (0.5, int(rng.integers(-1, 3))), span=span)


def _column(painter: Painter, rng: np.random.Generator, span: tuple[int, int], anchor: float) -> None:
    small = painter.font(TINY if rng.random() < 0.7 else SMALL)
    top = int(rng.integers(-1, 4) if rng.random() < 0.8 else rng.integers(-4, 0))
    for _ in range(int(rng.choice([1, 1, 2, 2, 3, 4]))):
        text = grouped(rng, number(rng))
        while painter.width(small, text) > span[1] - span[0] and len(text) > 3:
            text = text[text.index(",") + 1 :] if "," in text else text[:-1]
        level = float(rng.choice([1.0, 1.0, 0.66, 0.5, 0.35]))
        painter.line(small, text, (anchor, top), level, span=span)
        top += small.rows + int(rng.integers(1, 4))
        if top > painter.rows - small.rows:
            return


def _narrow(painter: Painter, text: str, size: tuple[int, int], span: tuple[int, int]) -> object:
    for _ in range(12):
        font = painter.font(size)
        if painter.width(font, text) <= span[1] - span[0]:
            return font
    return painter.font(TINY)
