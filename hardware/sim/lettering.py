"""Painted and shown letters on a flat face: one function, for reels, monitors and lamps.

OpenCV's stroke fonts are drawn as a mask and mixed into light, since it writes on bytes only. Invariant: what lies
outside the face is left out.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from hardware.sim.board import Light

Triple = tuple[float, float, float]
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def extent(text: str, high: int, font: int, thick: int) -> tuple[int, int, float]:
    """Width and height of capitals and digits that are `high` pixels high, and the scale that makes them so."""
    scale = 1.0
    for _ in range(3):
        (wide, tall), _ = cv2.getTextSize(text, font, scale, thick)
        scale *= high / max(1, tall)
    return wide, tall, scale


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
    wide, _, scale = extent(text, pen.high, pen.font, pen.thick)
    left = where[0] - {"left": 0, "centre": wide // 2, "right": wide}[by]
    mask = np.zeros(light.shape[:2], np.uint8)
    cv2.putText(mask, text, (left, where[1]), pen.font, scale, 255, pen.thick, cv2.LINE_AA)
    x0, x1 = max(0, left - pen.thick * 2), max(0, left + wide + pen.thick * 2)
    y0, y1 = max(0, where[1] - 2 * pen.high), max(0, where[1] + pen.high)
    cover = mask[y0:y1, x0:x1, None].astype(np.float32) / np.float32(255)
    part = light[y0:y1, x0:x1]
    part += cover * (np.array(pen.ink, np.float32) - part)
