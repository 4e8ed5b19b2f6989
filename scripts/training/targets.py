"""From screens to what each network must say of them: grids, crops and strips, by the batch."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from dataset import EITHER, Screens, spell
from nets import KINDS
from painter import GROUP, MARK, SPACE

Tensor = torch.Tensor
CROP, STRIP, CAP = (20, 16), (16, 192), 12.0
WHOLE, LOST = 0.85, 0.65
"""A sign of which less shows is damaged; of which less than the second shows is no sign that one can name."""


def finder_loss(out: Tensor, data: Screens, pick: np.ndarray) -> Tensor:
    """Objectness everywhere but where either answer will do; box, class and damage where a sign is owned."""
    owner = torch.from_numpy(data.owner[pick].astype(np.int64))
    known, found = owner != EITHER, owner >= 0
    sure = F.binary_cross_entropy_with_logits(out[:, 0], found.float(), reduction="none")
    loss = (sure * known).sum() / known.sum() * 4
    b, y, x = found.nonzero(as_tuple=True)
    if not b.numel():
        return loss
    sign = owner[b, y, x].numpy()
    at = (pick[b.numpy()], sign)
    boxes = torch.from_numpy(data.boxes[at])
    kinds, shown = torch.from_numpy(data.kinds[at]), torch.from_numpy(data.shown[at])
    cells = out[b, :, y, x]
    cx, cy = x.float() * 2 + 1, y.float() * 2 + 1
    want = torch.stack([cx - boxes[:, 0], cy - boxes[:, 1], boxes[:, 2] - cx, boxes[:, 3] - cy], 1) / 8
    loss = loss + 2 * F.smooth_l1_loss(cells[:, 2:6], want, beta=0.05)
    loss = loss + 0.3 * F.binary_cross_entropy_with_logits(cells[:, 1], (shown < WHOLE).float())
    clear = shown >= 0.6
    if clear.any():
        loss = loss + F.cross_entropy(cells[clear, 6:], kinds[clear], label_smoothing=0.02)
    return loss


def crops(channels: Tensor, data: Screens, pick: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Signs with shaken boxes, and boxes that hold none or two halves: n x 3 x 20 x 16 and the classes."""
    frames, boxes, kinds = [], [], []
    for i, screen in enumerate(pick):
        whole = np.flatnonzero(data.shown[screen] >= WHOLE)
        for k in rng.permutation(whole)[:10]:
            frames.append(i)
            boxes.append(_shake(data.boxes[screen, k], rng, 0.6))
            kinds.append(int(data.kinds[screen, k]))
        for box in _no_signs(data, screen, whole, rng):
            frames.append(i)
            boxes.append(box)
            kinds.append(KINDS)
    return cut_crops(channels, np.array(frames), np.array(boxes, np.float32)), torch.tensor(kinds)


def cut_crops(channels: Tensor, frames: np.ndarray, boxes: np.ndarray) -> Tensor:
    """Boxes (x0, y0, x1, y1 in dots) with a margin of an eighth, as 20 x 16; the third plane is log2(width/height)."""
    seen = _resample(channels, frames, boxes, CROP, (16.0, 12.0))
    shape = np.log2(np.maximum(boxes[:, 2] - boxes[:, 0], 0.5) / np.maximum(boxes[:, 3] - boxes[:, 1], 0.5))
    plane = torch.from_numpy(shape.astype(np.float32))[:, None, None, None].expand(-1, 1, *CROP)
    return torch.cat([seen, plane], 1)


def strips(
    channels: Tensor, data: Screens, pick: np.ndarray, rng: np.random.Generator
) -> tuple[Tensor, list[list[int]]]:
    """Whole lines, shaken, as n x 2 x 16 x 192, and what they say."""
    frames, boxes, texts = [], [], []
    for i, screen in enumerate(pick):
        lines = data.lines[screen]
        for line in rng.permutation(np.unique(lines[lines >= 0]))[:3]:
            mine = lines == line
            text = spell(data.texts[screen][line])
            signs = int(sum(c not in (37, 38) for c in text))
            shown = data.shown[screen, mine]
            lost = (shown > 0.25) & (shown < LOST)
            if ((shown < WHOLE) & ~lost).any() or int(mine.sum()) != signs or len(text) > 40:
                continue
            text = _unreadable(text, lost)
            box = data.boxes[screen, mine]
            around = np.array([box[:, 0].min(), box[:, 1].min(), box[:, 2].max(), box[:, 3].max()])
            frames.append(i)
            boxes.append(_shake(around, rng, 0.7))
            texts.append(text)
    if not frames:
        return torch.zeros(0, 2, *STRIP), []
    return cut_strips(channels, np.array(frames), np.array(boxes, np.float32)), texts


def cut_strips(channels: Tensor, frames: np.ndarray, boxes: np.ndarray) -> Tensor:
    """Lines (their letters' box in dots): letters 12 high, 2 above and below, 3 before, as many columns as it takes."""
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    scale_y = CAP / high
    scale_x = np.minimum(scale_y, (STRIP[1] - 6) / wide)
    x = (torch.arange(STRIP[1]) + 0.5 - 3)[None] / torch.from_numpy(scale_x)[:, None] + torch.from_numpy(boxes[:, 0])[
        :, None
    ]
    y = (torch.arange(STRIP[0]) + 0.5 - 2)[None] / torch.from_numpy(scale_y)[:, None] + torch.from_numpy(boxes[:, 1])[
        :, None
    ]
    seen = _look(channels, frames, x.float(), y.float())
    end = torch.from_numpy((wide * scale_x + 6).astype(np.float32))[:, None, None, None]
    return seen * (torch.arange(STRIP[1])[None, None, None] < end)


def _resample(
    channels: Tensor, frames: np.ndarray, boxes: np.ndarray, size: tuple[int, int], inner: tuple[float, float]
) -> Tensor:
    rows, columns = size
    high, wide = torch.from_numpy(boxes[:, 3] - boxes[:, 1]), torch.from_numpy(boxes[:, 2] - boxes[:, 0])
    cy, cx = torch.from_numpy(boxes[:, 1] + boxes[:, 3]) / 2, torch.from_numpy(boxes[:, 0] + boxes[:, 2]) / 2
    y = (torch.arange(rows) + 0.5 - rows / 2)[None] * (high / inner[0])[:, None] + cy[:, None]
    x = (torch.arange(columns) + 0.5 - columns / 2)[None] * (wide / inner[1])[:, None] + cx[:, None]
    return _look(channels, frames, x.float(), y.float())


def _look(channels: Tensor, frames: np.ndarray, x: Tensor, y: Tensor) -> Tensor:
    """Bilinear looks at x (n x w) and y (n x h), in dots whose middles lie at .5; nothing beyond the display."""
    _, _, rows, columns = channels.shape
    grid = torch.stack(
        [
            (x / columns * 2 - 1)[:, None, :].expand(-1, y.shape[1], -1),
            (y / rows * 2 - 1)[:, :, None].expand(-1, -1, x.shape[1]),
        ],
        3,
    )
    return F.grid_sample(
        channels[torch.from_numpy(frames)], grid, mode="bilinear", padding_mode="zeros", align_corners=False
    )


def _shake(box: np.ndarray, rng: np.random.Generator, dots: float) -> np.ndarray:
    high = max(1.0, float(box[3] - box[1]))
    return box + rng.normal(0, min(dots, 0.05 * high + 0.1), 4)


def _unreadable(text: list[int], lost: np.ndarray) -> list[int]:
    """The line's signs (in order of their boxes, group marks and spaces not counted) with the lost ones as marks."""
    if not lost.any():
        return text
    gone = iter(lost)
    return [sign if sign in (GROUP, SPACE) else (MARK if next(gone) else sign) for sign in text]


def _no_signs(data: Screens, screen: int, whole: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    boxes: list[np.ndarray] = []
    for k in rng.permutation(whole)[:2]:
        x0, y0, x1, y1 = data.boxes[screen, k]
        w, h = x1 - x0, y1 - y0
        kind = rng.integers(4)
        if kind == 0:  # between two signs
            boxes.append(np.array([x0 + w * 0.5, y0, x1 + w * 0.6, y1]))
        elif kind == 1:  # two in one
            boxes.append(np.array([x0, y0, x1 + w * rng.uniform(0.6, 1.1), y1]))
        elif kind == 2 and w > 3:  # half of one
            boxes.append(np.array([x0, y0, x0 + w * 0.5, y1]))
        else:  # shifted up or down
            lift = h * rng.choice([-0.5, 0.5])
            boxes.append(np.array([x0, y0 + lift, x1, y1 + lift]))
    cut = np.flatnonzero((data.shown[screen] > 0.25) & (data.shown[screen] < LOST))
    boxes += [_shake(data.boxes[screen, k], rng, 0.6) for k in rng.permutation(cut)[:2]]
    owner = data.owner[screen]
    empty = np.argwhere(owner == -1)
    for y, x in empty[rng.permutation(len(empty))[:2]]:
        h = rng.uniform(5, 18)
        w = h * rng.uniform(0.3, 1.0)
        boxes.append(np.array([2 * x + 1 - w / 2, 2 * y + 1 - h / 2, 2 * x + 1 + w / 2, 2 * y + 1 + h / 2]))
    return boxes
