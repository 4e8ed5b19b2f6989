"""Screens as pinball programs draw them, in dots: text lines with known signs over pictures, stars and frames.

A screen is brightness per dot (0..1), the signs' boxes, and the lines with what they say. Nothing is copied from a
machine: words, numbers, places and pictures are drawn at random.
"""

from __future__ import annotations

import numpy as np
from art import draw_art
from fonts import Font
from painter import ALPHABET, BIG, MIDDLE, SMALL, TINY, Painter, Screen
from panels import side_panel, wipe
from words import any_words, bottom_line, grouped, number, title


def make_screen(rng: np.random.Generator, fonts: dict[str, list[Font]]) -> Screen:
    """One screen, drawn by one of the kinds of programs."""
    kinds = (_lone_score, _players, _mode, _page, _table, _loose, side_panel)
    painter = Painter(rng, fonts)
    if rng.random() < 0.3:
        draw_art(rng, painter.screen.light)
    kinds[rng.choice(len(kinds), p=(0.19, 0.18, 0.24, 0.08, 0.08, 0.08, 0.15))](painter, rng)
    if rng.random() < 0.2:
        _stars(rng, painter.screen.light)
    screen = painter.screen
    if rng.random() < 0.05:
        _blend(rng, screen, fonts)
    if rng.random() < 0.12:
        wipe(rng, screen)
    if rng.random() < 0.4:
        cut_edges(rng, screen)
    return screen


def _style(rng: np.random.Generator) -> str:
    return str(rng.choice(["", "hollow", "shadow", "halo", "shaded"], p=(0.74, 0.06, 0.06, 0.08, 0.06)))


def _level(rng: np.random.Generator) -> float:
    return float(rng.choice([1.0, 0.66, 0.4, 0.25], p=(0.7, 0.14, 0.1, 0.06)))


def _fit(painter: Painter, text: str, span: tuple[int, int]) -> Font:
    """A font in which the text fits the screen."""
    for _ in range(12):
        font = painter.font(span)
        if painter.width(font, text) <= painter.columns + 2:
            return font
    return painter.font(SMALL)


def _lone_score(painter: Painter, rng: np.random.Generator) -> None:
    text = grouped(rng, number(rng))
    font = _fit(painter, text, BIG)
    painter.line(
        font,
        text,
        (rng.choice([0.5, rng.random()]), int(rng.integers(-1, 32 - font.rows - 6))),
        _level(rng),
        _style(rng),
    )
    _bottom(painter, rng)


def _bottom(painter: Painter, rng: np.random.Generator) -> None:
    small = painter.font(SMALL if rng.random() < 0.6 else TINY)
    top = int(32 - small.rows + rng.integers(-1, 3))
    if rng.random() < 0.2:
        painter.screen.light[top:, :] = 1.0
    left, right = bottom_line(rng), bottom_line(rng)
    if rng.random() < 0.3 or painter.width(small, left + right) > 100:
        painter.line(small, left, (rng.choice([0.5, 0.1, 0.9]), top), _level(rng))
        return
    painter.line(small, left, (rng.uniform(0, 0.2), top), _level(rng))
    painter.line(small, right, (rng.uniform(0.8, 1), top), _level(rng))


def _players(painter: Painter, rng: np.random.Generator) -> None:
    count, up = int(rng.integers(2, 5)), 0
    up = int(rng.integers(count))
    small, big = painter.font([SMALL, TINY, MIDDLE][rng.integers(3)]), painter.font((8, 15))
    for player in range(count):
        font = big if player == up and rng.random() < 0.9 else small
        text = grouped(rng, number(rng) if rng.random() < 0.75 else 0)
        if painter.width(font, text) > 84:
            font = small
        side = float(player % 2) if rng.random() < 0.97 else 0.5
        top = (0 if player < 2 else int(rng.integers(11, 18))) + int(rng.integers(-1, 3))
        if count == 2:
            top = int(rng.integers(-1, 12)) if player == 0 else int(rng.integers(0, 18))
        level = 1.0 if player == up or rng.random() < 0.6 else 0.5
        painter.line(font, text, (side + rng.choice([0, 0, 0, 0.02, -0.02]), top), level)
    if rng.random() < 0.8:
        _bottom(painter, rng)


def _mode(painter: Painter, rng: np.random.Generator) -> None:
    small, middle = painter.font(SMALL), painter.font(MIDDLE)
    top = int(rng.integers(-3, 4))
    if rng.random() < 0.4:
        _frame(rng, painter.screen.light)
    if rng.random() < 0.35:
        timer, corner = _fit(painter, "88", (8, 22)), rng.choice([0.0, 1.0])
        text = str(rng.integers(0, 100))
        painter.line(timer, text, (corner, int(rng.integers(-2, 12))))
        if rng.random() < 0.4:
            painter.line(timer, text, (1 - corner, int(rng.integers(-2, 12))))
    if rng.random() < 0.8:
        words = title(rng)
        font = middle if painter.width(middle, words) < 112 else small
        painter.line(font, words, (rng.choice([0.5, rng.random()]), top), _level(rng), _style(rng))
        top += font.rows + int(rng.integers(1, 4))
    text = grouped(rng, number(rng))
    font = _fit(painter, text, SMALL if rng.random() < 0.6 else MIDDLE)
    painter.line(font, text, (rng.choice([0.5, rng.random()]), min(top, 32 - font.rows)), _level(rng), _style(rng))
    if rng.random() < 0.7:
        words = any_words(rng)
        last = _fit(painter, words, SMALL)
        painter.line(last, words, (0.5, int(32 - last.rows + rng.integers(-3, 3))), _level(rng))


def _page(painter: Painter, rng: np.random.Generator) -> None:
    top = int(rng.integers(-3, 6))
    while top < 28:
        words = title(rng) if rng.random() < 0.7 else any_words(rng)
        font = _fit(painter, words, [SMALL, MIDDLE, BIG][rng.integers(3)])
        painter.line(font, words, (rng.choice([0.5, rng.random()]), top), _level(rng), _style(rng))
        top += font.rows + int(rng.integers(1, 5))


def _table(painter: Painter, rng: np.random.Generator) -> None:
    small = painter.font(SMALL)
    top = int(rng.integers(-1, 3))
    while top < 30:
        name = "".join(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 3))
        text = f"{rng.integers(1, 9)} {name} {grouped(rng, number(rng))}"
        painter.line(small, text, (0.5, top), _level(rng))
        top += small.rows + int(rng.integers(1, 4))


def _loose(painter: Painter, rng: np.random.Generator) -> None:
    """Signs in any order anywhere: no language to lean on."""
    for _ in range(int(rng.integers(1, 6))):
        text = "".join(rng.choice(list(ALPHABET + "0123456789" * 2), int(rng.integers(1, 10))))
        font = _fit(painter, text, [SMALL, MIDDLE, BIG][rng.integers(3)])
        inverse = rng.random() < 0.2
        top = int(rng.integers(-4, 30))
        painter.line(font, text, (rng.random() * 1.2 - 0.1, top), _level(rng), _style(rng))
        if inverse:
            _invert(painter.screen, top, font.rows)


def _invert(screen: Screen, top: int, rows: int) -> None:
    """Dark signs on a lit bar."""
    y0, y1 = max(0, top - 1), max(0, min(screen.light.shape[0], top + rows + 1))
    screen.light[y0:y1] = 1 - screen.light[y0:y1]
    screen.spoilt = np.zeros(screen.light.shape, bool) if screen.spoilt is None else screen.spoilt
    screen.spoilt[y0:y1] = True


def _frame(rng: np.random.Generator, light: np.ndarray) -> None:
    if rng.random() < 0.7:
        light[[0, -1], :] = 1
        light[:, [0, -1]] = 1
    else:
        size = int(rng.integers(2, 6))
        board = (np.add.outer(np.arange(light.shape[0]) // size, np.arange(light.shape[1]) // size) % 2).astype(
            np.float32
        )
        board[size:-size, size:-size] = 0
        np.maximum(light, board, out=light)


def _stars(rng: np.random.Generator, light: np.ndarray) -> None:
    for _ in range(int(rng.integers(3, 60))):
        light[rng.integers(light.shape[0]), rng.integers(light.shape[1])] = rng.uniform(0.3, 1)


def _blend(rng: np.random.Generator, screen: Screen, fonts: dict[str, list[Font]]) -> None:
    other = make_screen(rng, fonts)
    top, bottom = sorted(rng.integers(0, 33, 2))
    half = screen.light[top:bottom] * 0.6
    screen.light[top:bottom] = np.maximum(half, other.light[top:bottom] * 0.6)
    screen.spoilt = np.zeros(screen.light.shape, bool) if screen.spoilt is None else screen.spoilt
    screen.spoilt[top:bottom] = True


def cut_edges(rng: np.random.Generator, screen: Screen) -> None:
    """The photograph's edge takes some rows or columns away."""
    rows, columns = screen.light.shape
    top, bottom, left, right = (int(n) for n in rng.integers(0, 3, 4) * (rng.random(4) < 0.35))
    screen.light[:top] = screen.light[rows - bottom :] = 0
    screen.light[:, :left] = screen.light[:, columns - right :] = 0
    for sign in screen.signs:
        x = min(sign.x1, columns - right) - max(sign.x0, left)
        y = min(sign.y1, rows - bottom) - max(sign.y0, top)
        sign.shown = min(sign.shown, max(0, x) * max(0, y) / ((sign.x1 - sign.x0) * (sign.y1 - sign.y0)))
    screen.signs = [sign for sign in screen.signs if sign.shown > 0.3]
