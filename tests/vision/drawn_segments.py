"""Small displays of segments, drawn for tests alone: cells of 7 or 16 bars, ghosts, light of any colour, or ink."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.segments.codes import DIGITS, SEVEN, SIGNS, SIXTEEN, bits_of_digit, bits_of_sign

HIGH, WIDE, PITCH, EDGE = 44, 26, 38, 16
Corners = list[tuple[float, float]]

_SEVEN = {
    "a": ((0, 0), (1, 0)), "b": ((1, 0), (1, 0.5)), "c": ((1, 0.5), (1, 1)), "d": ((0, 1), (1, 1)),
    "e": ((0, 0.5), (0, 1)), "f": ((0, 0), (0, 0.5)), "g": ((0, 0.5), (1, 0.5)), "i": ((0.5, 0), (0.5, 1)),
}  # fmt: skip
_SIXTEEN = {
    "a1": ((0, 0), (0.5, 0)), "a2": ((0.5, 0), (1, 0)), "d1": ((0, 1), (0.5, 1)), "d2": ((0.5, 1), (1, 1)),
    "g1": ((0, 0.5), (0.5, 0.5)), "g2": ((0.5, 0.5), (1, 0.5)), "h": ((0.12, 0.1), (0.42, 0.44)),
    "i": ((0.5, 0.06), (0.5, 0.46)), "j": ((0.88, 0.1), (0.58, 0.44)), "k": ((0.58, 0.56), (0.88, 0.9)),
    "l": ((0.5, 0.54), (0.5, 0.94)), "m": ((0.42, 0.56), (0.12, 0.9)),
} | {name: _SEVEN[name] for name in "bcef"}  # fmt: skip


def draw_row(
    text: str, *, segments: int = 7, colour: tuple[int, int, int] = (40, 60, 255), ghost: float = 0.06,
    levels: Sequence[float] | None = None, slant: float = 0.1, points: Sequence[int] = (),
    also: dict[int, str] | None = None, share: float = 0.5,
) -> tuple[NDArray[np.uint8], Corners]:  # fmt: skip
    """A picture of one row of lit cells, and the block's corners.

    `levels`: brightness of each cell. `points`: cells with a comma behind them. `also`: another sign in a cell, at a
    `share` of the brightness, as when two moments fall into one frame.
    """
    levels = levels or [1.0] * len(text)
    size = (2 * EDGE + PITCH * (len(text) - 1) + WIDE + round(slant * HIGH), 2 * EDGE + HIGH)
    light = np.zeros((size[1], size[0]), np.float32)
    for place, (sign, level) in enumerate(zip(text, levels, strict=True)):
        left = EDGE + PITCH * place
        light = np.maximum(light, _cell("", left, size, slant, segments, every=True) * ghost)
        light = np.maximum(light, _cell(sign, left, size, slant, segments) * level)
        if also and place in also:
            light = np.maximum(light, _cell(also[place], left, size, slant, segments) * level * share)
        if place in points:
            cv2.circle(light, (left + WIDE + 4, EDGE + HIGH), 3, float(level), -1, cv2.LINE_AA)
    light = cv2.GaussianBlur(light, (0, 0), 0.8) + 0.35 * cv2.GaussianBlur(light, (0, 0), 4)
    picture = np.clip(light[..., None] * np.array(colour) + 14, 0, 255)
    return picture.astype(np.uint8), _corners(len(text), slant)


def draw_ink(text: str, *, dark: int = 50, ground: int = 170) -> tuple[NDArray[np.uint8], Corners]:
    """The same as dark ink on a light ground, with its shadow."""
    lit, corners = draw_row(text, colour=(255, 255, 255), ghost=0.02)
    ink = lit[..., 0].astype(np.float32) / 255
    shadow = np.roll(cv2.GaussianBlur(ink, (0, 0), 1.5), (2, 2), (0, 1)) * 0.25
    seen = ground - (ground - dark) * np.clip(ink + shadow, 0, 1)
    return np.repeat(seen[..., None], 3, 2).astype(np.uint8), corners


def _cell(
    sign: str, left: int, size: tuple[int, int], slant: float, segments: int, *, every: bool = False
) -> NDArray[np.float32]:
    plane = np.zeros((size[1], size[0]), np.uint8)
    lines, names = (_SEVEN, SEVEN) if segments == 7 else (_SIXTEEN, SIXTEEN)
    if segments == 7:
        code = bits_of_digit(DIGITS[sign][0] if sign in DIGITS else {"-": "g"}.get(sign, ""))
    else:
        code = bits_of_sign(SIGNS[{"O": "0", "S": "5"}.get(sign, sign)][0] if sign.strip() else "")
    for name, on in zip(names, code, strict=True):
        if on or (every and not (segments == 7 and name == "i")):
            ends = [_place(point, left, slant) for point in lines[name]]
            cv2.line(plane, *ends, 255, 4, cv2.LINE_AA, 4)
    return plane.astype(np.float32) / 255


def _place(point: tuple[float, float], left: int, slant: float) -> tuple[int, int]:
    x, y = 2 + point[0] * (WIDE - 4), 2 + point[1] * (HIGH - 4)
    return round((left + x + slant * (HIGH - y)) * 16), round((EDGE + y) * 16)


def _corners(count: int, slant: float) -> Corners:
    right, lean = EDGE + PITCH * (count - 1) + WIDE, slant * HIGH
    return [(EDGE + lean, EDGE), (right + lean, EDGE), (right, EDGE + HIGH), (EDGE, EDGE + HIGH)]
