"""Screens by the thousand as plain arrays, the same for the same seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from fonts import Font, held_out
from painter import ALPHABET, GROUP, MARK, SPACE, Screen
from screens import make_screen

MOST = 72
NOTHING, EITHER = -1, -2
POOLS = ((12, 22), (5, 8), (5, 6), (7, 13), (8, 15), (8, 22))


@dataclass(slots=True)
class Screens:
    """`light` n x 32 x 128 (0..255), `boxes` n x MOST x 4, `kinds`, `shown`, `lines` n x MOST, `owner` n x 16 x 64."""

    light: np.ndarray
    boxes: np.ndarray
    kinds: np.ndarray
    shown: np.ndarray
    lines: np.ndarray
    owner: np.ndarray
    texts: list[list[str]]


def make_dataset(fonts: list[Font], seed: int, count: int, *, validation: bool = False) -> Screens:
    """Draw `count` screens with the fonts for training, or with the held-out ones."""
    rng = np.random.default_rng(seed)
    chosen = [font for font in fonts if held_out(font) == validation]
    pools = {f"{a}-{b}": [font for font in chosen if a <= font.rows <= b] for a, b in POOLS}
    data = Screens(
        light=np.zeros((count, 32, 128), np.uint8),
        boxes=np.zeros((count, MOST, 4), np.float32),
        kinds=np.full((count, MOST), -1, np.int64),
        shown=np.zeros((count, MOST), np.float32),
        lines=np.full((count, MOST), -1, np.int16),
        owner=np.full((count, 16, 64), NOTHING, np.int16),
        texts=[],
    )
    for i in range(count):
        _store(data, i, make_screen(rng, pools))
    return data


def _store(data: Screens, i: int, screen: Screen) -> None:
    data.light[i] = np.clip(screen.light * 255, 0, 255).astype(np.uint8)
    data.texts.append(screen.lines)
    owner = data.owner[i]
    if screen.spoilt is not None:
        owner[screen.spoilt.reshape(16, 2, 64, 2).any((1, 3))] = EITHER
    for k, sign in enumerate(screen.signs[:MOST]):
        box = np.array([sign.x0, sign.y0, sign.x1, sign.y1], np.float32)
        data.boxes[i, k], data.kinds[i, k] = box, sign.kind
        data.shown[i, k], data.lines[i, k] = sign.shown, sign.line
        if (
            screen.spoilt is not None
            and screen.spoilt[max(0, int(sign.y0)) : int(sign.y1), max(0, int(sign.x0)) : int(sign.x1)].any()
        ):
            data.shown[i, k] = 0.0
            continue
        _own(owner, box, k)


def _own(owner: np.ndarray, box: np.ndarray, k: int) -> None:
    """Cells near the sign's middle must find it; its other cells may."""
    x0, y0, x1, y1 = box / 2
    cx, cy = np.clip((x0 + x1) / 2, 0, 63.9), np.clip((y0 + y1) / 2, 0, 15.9)
    owner[max(0, int(y0)) : int(np.ceil(y1)), max(0, int(x0)) : int(np.ceil(x1))] = EITHER
    rx, ry = max(0.0, (x1 - x0) * 0.22 - 0.5), max(0.0, (y1 - y0) * 0.22 - 0.5)
    owner[int(max(0, cy - ry)) : int(cy + ry) + 1, int(max(0, cx - rx)) : int(cx + rx) + 1] = k


def spell(text: str) -> list[int]:
    """A line's signs as classes for the strip reader."""
    return [ALPHABET.index(c) if c in ALPHABET else GROUP if c in ",." else SPACE if c == " " else MARK for c in text]
