"""Painted and shown letters on a flat face: one function, for reels, monitors and lamps.

OpenCV's stroke fonts are drawn as a mask and mixed into light, since it writes on bytes only. Invariant: what lies
outside the face is left out.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np

from hardware.sim.board import Light

Triple = tuple[float, float, float]
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


@lru_cache(maxsize=256)
def measure(high: int, font: int, thick: int) -> tuple[float, int]:
    """The scale at which capitals and digits are `high` pixels of ink, and how far they reach below their line."""
    scale, below = high / 24, 0
    for _ in range(3):
        mask = np.zeros((high * 6, high * 6), np.uint8)
        cv2.putText(mask, "E", (high, high * 4), font, scale, 255, thick, cv2.LINE_AA)
        rows = np.flatnonzero((mask > 127).any(axis=1))
        if not len(rows):
            break
        scale, below = scale * high / (rows[-1] + 1 - rows[0]), int(rows[-1]) + 1 - high * 4
    return scale, below


@dataclass(frozen=True, slots=True)
class Pen:
    """How letters are written: `high` in pixels (capitals and digits), the colour of the ink, OpenCV's font."""

    high: int
    ink: Triple
    font: int = FONTS[0]
    thick: int = 2


def write(
    light: Light, text: str, where: tuple[int, int], pen: Pen, *, by: Literal["left", "centre", "right"] = "left"
) -> None:
    """Write `text` on a line through `where` (x, y), which is the text's left, middle or right.

    Noughts are written as the letter O: OpenCV 5 strikes its noughts through, which no machine's painter does.
    """
    text = text.replace("0", "O")
    scale, below = measure(pen.high, pen.font, pen.thick)
    (wide, _), _ = cv2.getTextSize(text, pen.font, scale, pen.thick)
    left = where[0] - {"left": 0, "centre": wide // 2, "right": wide}[by]
    mask = np.zeros(light.shape[:2], np.uint8)
    cv2.putText(mask, text, (left, where[1] - below), pen.font, scale, 255, pen.thick, cv2.LINE_AA)
    x0, x1 = max(0, left - pen.thick * 2), max(0, left + wide + pen.thick * 2)
    y0, y1 = max(0, where[1] - 2 * pen.high), max(0, where[1] + pen.high)
    cover = mask[y0:y1, x0:x1, None].astype(np.float32) / np.float32(255)
    part = light[y0:y1, x0:x1]
    part += cover * (np.array(pen.ink, np.float32) - part)
