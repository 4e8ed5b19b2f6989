"""The three networks and what goes into and comes out of them. Their bytes come from outside; they run in cv2.dnn.

`find` looks at a whole display, `name` at single signs, `spell` at whole lines: two readers that share no weights.
How they were made and how well they do: models/README.md. Invariant: same dots in, same answer out.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS = 37
"""Digits, letters, and one class for other marks."""
MARK, GROUP, SPACE = "*", ",", " "

TWINS = {"O": "0", "I": "1", "S": "5", "Z": "2", "B": "8", "D": "0", "Q": "0", "L": "1"}
"""Letters that some fonts draw as a digit."""

Values = NDArray[np.float32]
_NAMER_CALM, _STRIP_CALM = 0.85, 1.05
"""What logits are divided by so that chances mean what they say (scripts/training/calibrate.py)."""
_CROP, _STRIP, _CAP = (20, 16), (16, 192), 12.0


@dataclass(frozen=True, slots=True)
class Networks:
    """Loaded networks. One at a time: cv2.dnn nets keep state while they run."""

    finder: Any
    namer: Any
    strip: Any

    def find(self, dots: Values) -> Values:
        """From 2 x rows x columns (multiples of 4) to (6 + kinds) x rows/2 x columns/2: logits, and boxes in dots."""
        self.finder.setInput(dots[None])
        said: Values = self.finder.forward()[0]
        return said

    def name(self, dots: Values, boxes: Values) -> Values:
        """Chance of each of the 37 kinds, and of no sign (the last), for each box (n x 4: x0, y0, x1, y1 in dots)."""
        if not len(boxes):
            return np.zeros((0, KINDS + 1), np.float32)
        self.namer.setInput(_crops(dots, boxes))
        return _softmax(self.namer.forward() / _NAMER_CALM, 1)

    def spell(self, dots: Values, box: Values) -> list[tuple[str, float]]:
        """What the line in the box of its letters says: (sign, chance) from left to right, groups and spaces too."""
        self.strip.setInput(_strip(dots, box))
        chances = _softmax(self.strip.forward()[0, :, 0] / _STRIP_CALM, 0)
        return _decode(chances)


def load_networks(finder: bytes, namer: bytes, strip: bytes) -> Networks:
    """Make the networks of the three ONNX files' bytes."""
    nets = [cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)) for data in (finder, namer, strip)]
    return Networks(*nets)


def shipped_networks() -> Networks:
    """Networks of one's own, of the files that ship with the product."""
    return load_networks(*_files())


@cache
def _files() -> tuple[bytes, bytes, bytes]:
    folder = files("capture.vision") / "models"
    return tuple((folder / f"{name}.onnx").read_bytes() for name in ("finder", "namer", "strip"))  # type: ignore[return-value]


def _crops(dots: Values, boxes: Values) -> Values:
    """N x 3 x 20 x 16: the box with a margin of an eighth; the third plane is log2(width / height)."""
    wide = np.maximum(boxes[:, 2] - boxes[:, 0], 0.5)
    high = np.maximum(boxes[:, 3] - boxes[:, 1], 0.5)
    rows, columns = _CROP
    x = (np.arange(columns) + 0.5 - columns / 2)[None] * (wide / 12)[:, None] + ((boxes[:, 0] + boxes[:, 2]) / 2)[
        :, None
    ]
    y = (np.arange(rows) + 0.5 - rows / 2)[None] * (high / 16)[:, None] + ((boxes[:, 1] + boxes[:, 3]) / 2)[:, None]
    seen = _look(dots, x, y)
    shape = np.broadcast_to(np.log2(wide / high)[:, None, None, None], (len(boxes), 1, rows, columns))
    return np.concatenate([seen, shape], 1).astype(np.float32)


def _strip(dots: Values, box: Values) -> Values:
    """1 x 2 x 16 x w: letters 12 high, 2 above and below, 3 before and after."""
    high, wide = float(box[3] - box[1]), float(box[2] - box[0])
    down = _CAP / max(high, 1.0)
    across = min(down, (_STRIP[1] - 6) / max(wide, 1.0))
    end = wide * across + 6
    columns = int(np.ceil(end / 16)) * 16
    x = (np.arange(columns) + 0.5 - 3) / across + box[0]
    y = (np.arange(_STRIP[0]) + 0.5 - 2) / down + box[1]
    seen = _look(dots, x[None], y[None])
    seen[..., np.arange(columns) >= end] = 0
    return seen


def _look(dots: Values, x: NDArray[Any], y: NDArray[Any]) -> Values:
    """Bilinear looks at columns x (n x w) and rows y (n x h) in dots, whose middles lie at .5; nothing beyond."""
    count, width, height = len(x), x.shape[1], y.shape[1]
    map_x = np.repeat(x[:, None], height, 1).reshape(count * height, width).astype(np.float32) - 0.5
    map_y = np.repeat(y[:, :, None], width, 2).reshape(count * height, width).astype(np.float32) - 0.5
    planes = [cv2.remap(plane, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT) for plane in dots]
    return np.stack([plane.reshape(count, height, width) for plane in planes], 1).astype(np.float32)


def _decode(chances: Values) -> list[tuple[str, float]]:
    """Greedy CTC: runs of the same sign are one; a sign's chance is the best in its run."""
    signs = [*ALPHABET, MARK, GROUP, SPACE]
    said: list[tuple[str, float]] = []
    before = -1
    for best, chance in zip(chances.argmax(0), chances.max(0), strict=True):
        if best < len(signs):
            if best == before:
                said[-1] = (said[-1][0], max(said[-1][1], float(chance)))
            else:
                said.append((signs[best], float(chance)))
        before = int(best)
    return said


def _softmax(logits: Values, axis: int) -> Values:
    raised = np.exp(logits - logits.max(axis, keepdims=True))
    share: Values = raised / raised.sum(axis, keepdims=True)
    return share
