"""What a drawn display of segments shows, cell by cell, and how bright each segment is: numbers, words, troubles."""

from __future__ import annotations

import pathlib
import sys
from dataclasses import dataclass

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from capture.vision.segments.codes import (
    DIGITS,
    OTHER_MARKS,
    SEVEN,
    SEVEN_KINDS,
    SIGNS,
    SIXTEEN,
    SIXTEEN_KINDS,
    SMALL,
    bits_of_digit,
    bits_of_sign,
)

NOTHING = -1
"""No class at all: between blank and lit, nobody can say."""
HALF = 2
"""A segment that was lit for a part of the time: to be said with half a heart."""


@dataclass(slots=True)
class Shown:
    """One cell: `kind` is a sign's place in the kinds, then blank, then no sign; NOTHING is left out of training."""

    kind: int
    bits: tuple[int, ...]
    names: tuple[str, ...]
    point: bool
    point_at: float
    seen: float


def compose(rng: np.random.Generator, segments: int, *, lit: bool) -> tuple[list[Shown], list[np.ndarray], float]:
    """The cells from left to right, the level of each segment and of the point (last), and the most exposure at which
    what is dim still looks dim.
    """
    names = SEVEN if segments == 7 else SIXTEEN
    kinds = SEVEN_KINDS if segments == 7 else SIXTEEN_KINDS
    codes = write(rng, segments)
    ghost = 0.0 if rng.random() < 0.3 else rng.random() ** 2 * (0.3 if lit else 0.16)
    spread, point_at = rng.uniform(0, 0.1), rng.uniform(-0.02, 0.16)
    every = rng.uniform(0.75, 1.0)
    blank, none = len(kinds), len(kinds) + 1
    has_points = rng.random() < 0.7
    points = rng.random(len(codes)) < rng.choice([0.0, 0.1, 0.3])
    dim_display = rng.random() < 0.12
    shown, levels = [], []
    dark = all(not any(code) for code, _ in codes)
    strongest = 0.4 / max(ghost, 0.01)
    for place, (code, kind) in enumerate(codes):
        level, lights = every * rng.uniform(1 - 3 * spread, 1.0), np.array(code, float)
        seen = kind
        if kind == blank and dark:
            seen = none
        elif any(code) and dim_display and rng.random() < 0.4:
            strongest = min(strongest, 1.5)
            level *= (share := rng.uniform(0.0, 1.0))
            seen = (
                kind
                if share > 0.6
                else blank
                if share * every < 0.06
                else NOTHING
                if share > 0.45 or share * every < 0.2
                else none
            )
        lights = lights * level * rng.uniform(1 - 2 * spread, 1.0, len(code))
        if kind == none + 1:  # two signs on top of each other, or a bar half lit
            seen, lights, strongest = none, superpose(rng, segments) * level, min(strongest, 1.15)
        if segments == 14:
            for a, b in ((0, 1), (4, 5)):
                lights[a] = lights[b] = max(lights[a], lights[b])
        lights = np.maximum(lights, ghost * rng.uniform(0.75, 1.0, len(lights)))
        lit_point = bool(points[place] and any(code))
        extra = level if lit_point else ghost if has_points else 0.0
        visible = float(lights.max() > 0.03)
        between = HALF if kind == none + 1 else NOTHING
        bits = tuple(between if 0.2 < v < 0.5 * (1 + (kind > none) * 0.2) else int(v > 0.42) for v in lights)
        shown.append(Shown(seen, bits, names, lit_point, point_at, visible))
        levels.append(np.append(lights, extra))
    return shown, levels, strongest


def write(rng: np.random.Generator, segments: int) -> list[tuple[tuple[int, ...], int]]:
    """Codes and their kinds; kind none + 1 asks for two signs on top of each other."""
    kinds = SEVEN_KINDS if segments == 7 else SIXTEEN_KINDS
    blank = len(kinds)
    count = (
        int(rng.choice([1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 10]))
        if segments == 7
        else int(rng.choice([1, 4, 6, 7, 7, 8, 12, 16, 20]))
    )
    empty = tuple([0] * (8 if segments == 7 else 16))
    variant = rng.integers(1 << 30)

    def coded(kind: int) -> tuple[tuple[int, ...], int]:
        own = np.random.default_rng([int(variant), kind])  # one maker writes a sign in one way
        if segments == 7:
            options = DIGITS[kinds[kind]]
            return bits_of_digit(options[own.integers(len(options))]), kind
        options = SIGNS[kinds[kind]]
        if kinds[kind] in SMALL and own.random() < 0.06:
            return bits_of_sign(SMALL[kinds[kind]]), kind
        return bits_of_sign(options[own.integers(len(options))]), kind

    if rng.random() < 0.03:
        return [(empty, blank)] * count
    if segments == 7:
        first = int(rng.integers(0, count)) if rng.random() < 0.5 else 0
        digits = [coded(int(rng.integers(10))) for _ in range(count)]
        cells = [(empty, blank)] * first + ([*digits[:-1], coded(0)] if rng.random() < 0.2 else digits)[first:]
    else:
        picks = rng.integers(0, 10 if rng.random() < 0.25 else len(kinds), count)
        spaces = rng.choice([0.05, 0.2, 0.4])
        cells = [(empty, blank) if rng.random() < spaces else coded(int(pick)) for pick in picks]
    odd = rng.choice([0.0, 0.08, 0.5], p=[0.45, 0.45, 0.1])
    return [_spoil(rng, segments, cell, odd) for cell in cells]


def _spoil(
    rng: np.random.Generator, segments: int, cell: tuple[tuple[int, ...], int], odd: float
) -> tuple[tuple[int, ...], int]:
    """With the chance `odd`: no sign, two signs on top of each other (marked by none + 1), or dark."""
    none, draw = (len(SEVEN_KINDS) if segments == 7 else len(SIXTEEN_KINDS)) + 1, rng.random()
    empty = tuple([0] * len(cell[0]))
    if draw < odd * 0.35:
        return nonsense(rng, segments, all_codes(segments), none)
    if draw < odd * 0.8:
        return empty, none + 1
    return (empty, none - 1) if draw < odd else cell


def all_codes(segments: int) -> set[tuple[int, ...]]:
    """Each code that is a sign."""
    if segments == 7:
        return {bits_of_digit(v) for variants in DIGITS.values() for v in variants}
    return {bits_of_sign(v) for variants in SIGNS.values() for v in variants} | {
        bits_of_sign(v) for v in SMALL.values()
    }


def nonsense(
    rng: np.random.Generator, segments: int, known: set[tuple[int, ...]], none: int
) -> tuple[tuple[int, ...], int]:
    """A code that is no sign: any mark, letters on seven segments, a sign that lost or won a bar."""
    if segments != 7 and rng.random() < 0.5:
        return bits_of_sign(str(rng.choice(OTHER_MARKS))), none
    for _ in range(20):
        if segments == 7:
            code = [int(v) for v in rng.random(7) < rng.uniform(0.2, 0.8)] + [0]
        else:
            code = [int(v) for v in rng.random(16) < rng.uniform(0.15, 0.6)]
        if any(code) and tuple(code) not in known:
            return tuple(code), none
    return (tuple([0] * 6 + [1, 0]) if segments == 7 else bits_of_sign("g"), none)


def superpose(rng: np.random.Generator, segments: int) -> np.ndarray:
    """Two signs of two moments in one frame: what only one of them lights is half as bright."""
    table = sorted(all_codes(segments))
    while True:
        one, two = (np.array(table[rng.integers(len(table))], float) for _ in range(2))
        if (one != two).any() and one.any() and two.any():
            return np.where(one + two == 2, 1.0, (one + two) * rng.uniform(0.35, 0.6))
