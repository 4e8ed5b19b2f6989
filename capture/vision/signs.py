"""Signs on a display, and the lines they stand in: geometry only.

A sign is a box with the finder's guess; a line is signs of one height beside each other. What they mean is for
`layout`. Boxes are x0, y0, x1, y1 in dots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.networks import ALPHABET, KINDS, MARK, Values

Box = tuple[float, float, float, float]
_LEAST = 0.35
"""Chance below which the finder's cell is no sign."""
_OVER = 0.35
"""Part of the smaller of two boxes that both share, above which they are one sign."""
_MOST = 120
"""Signs on one display: more is a picture, not text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One sign as the finder sees it."""

    box: Box
    found: float
    damaged: float
    kind: str
    chances: NDArray[np.float32]

    @property
    def height(self) -> float:
        """In dots."""
        return self.box[3] - self.box[1]

    @property
    def width(self) -> float:
        """In dots."""
        return self.box[2] - self.box[0]

    @property
    def digit(self) -> float:
        """Chance that it is a digit or a letter that looks like one."""
        return float(self.chances[:10].sum() + sum(self.chances[ALPHABET.index(twin)] for twin in "OISZB"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Signs beside each other, from left to right."""

    signs: tuple[Sign, ...]

    @property
    def box(self) -> Box:
        """Around all of them, up and down by the median: one odd box does not move the line."""
        left, top, right, bottom = zip(*(sign.box for sign in self.signs), strict=True)
        return min(left), median(top), max(right), median(bottom)

    @property
    def height(self) -> float:
        """Of its signs, in dots."""
        return self.box[3] - self.box[1]

    @property
    def text(self) -> str:
        """The finder's guess."""
        return "".join(sign.kind for sign in self.signs)


def find_signs(said: Values, columns: int, rows: int) -> list[Sign]:
    """Signs from the finder's grid, the surest of those that lie over each other."""
    sure = 1 / (1 + np.exp(-said[0]))
    peak = cv2.dilate(sure, np.ones((3, 3), np.uint8))
    at_y, at_x = np.nonzero((sure >= _LEAST) & (sure >= peak - 0.15))
    order = np.argsort(-sure[at_y, at_x])[: 4 * _MOST]
    at_y, at_x = at_y[order], at_x[order]
    cells = said[:, at_y, at_x]
    middle = np.stack([at_x * 2.0 + 1, at_y * 2.0 + 1])
    boxes = np.concatenate([middle - cells[2:4] * 8, middle + cells[4:6] * 8]).T
    logits = cells[6 : 6 + KINDS]
    chances = np.exp(logits - logits.max(0, keepdims=True))
    chances /= chances.sum(0, keepdims=True)
    spots: list[Box] = [(float(a), float(b), float(c), float(d)) for a, b, c, d in boxes]
    kept = _apart_from_better(boxes.astype(np.float64), columns, rows)
    return [
        Sign(
            box=spots[i],
            found=float(sure[at_y[i], at_x[i]]),
            damaged=float(1 / (1 + np.exp(-cells[1, i]))),
            kind=[*ALPHABET, MARK][int(chances[:, i].argmax())],
            chances=chances[:, i].astype(np.float32),
        )
        for i in kept
    ]


def bars(plain: Values) -> list[float]:
    """Middles of lit lines from the display's top to its foot (rows x columns of plain dots): they divide it.

    Lines along its left and right edges are a frame and divide nothing.
    """
    full = (plain > 0.4).mean(0) >= 0.95
    edges = np.flatnonzero(np.diff(np.concatenate([[False], full, [False]]).astype(np.int8)))
    middles = [(int(a) + int(b)) / 2 for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a <= 3]
    return [middle for middle in middles if 0.1 < middle / plain.shape[1] < 0.9]


def group_lines(signs: list[Sign], walls: Sequence[float] = ()) -> list[Line]:
    """Join signs of one height and place that are no further apart than a wide word gap; nothing across a wall."""
    lines: list[list[Sign]] = []
    for sign in sorted(signs, key=lambda one: one.box[0]):
        fits = [line for line in lines if _continues(line, sign) and not _apart(line[-1], sign, walls)]
        if fits:
            min(fits, key=lambda line: sign.box[0] - line[-1].box[2]).append(sign)
        else:
            lines.append([sign])
    made = [Line(signs=tuple(line)) for line in lines]
    return sorted(made, key=lambda line: (line.box[1], line.box[0]))


def _apart(left: Sign, right: Sign, walls: Sequence[float]) -> bool:
    return any((left.box[0] + left.box[2]) / 2 < wall < (right.box[0] + right.box[2]) / 2 for wall in walls)


def _continues(line: list[Sign], sign: Sign) -> bool:
    recent = line[-4:]
    height = median(one.height for one in recent)
    gap = sign.box[0] - line[-1].box[2]
    if not (-0.4 * height < gap < max(5.0, 1.1 * height) and 0.72 < sign.height / height < 1.38):
        return False
    top, bottom = (median(one.box[k] for one in recent) for k in (1, 3))
    return abs(sign.box[1] - top) + abs(sign.box[3] - bottom) <= max(2.0, 0.3 * height)


def _apart_from_better(boxes: NDArray[np.float64], columns: int, rows: int) -> list[int]:
    """Indices of the boxes (best first) that are signs on the display and lie over no better one."""
    left, top, right, bottom = boxes.T
    inside = (right - left > 0.6) & (bottom - top > 2.5) & (left > -3) & (left < columns) & (top > -4) & (top < rows)
    wide = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    high = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    area = (right - left) * (bottom - top)
    least = np.maximum(np.minimum(area[:, None], area), 1e-6)
    over = (wide > 0) & (high > 0) & (wide * high / least > _OVER)
    kept: list[int] = []
    free = inside
    for i in range(len(boxes)):
        if free[i] and len(kept) < _MOST:
            kept.append(i)
            free = free & ~over[i]
    return kept
