"""Train the finder of cells: in a picture, where digits of segments stand, lit or not. From seeds alone."""

from __future__ import annotations

import argparse
import pathlib
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from segments_draw import draw_display
from segments_nets import Finder

HIGH, WIDE, STRIDE = 96, 288, 4
BATCH, NEW, KEEP, STEPS = 12, 120, 3600, 60
NEAR, ABOUT = 0.22, 0.5
"""Within so much of a digit's size of its middle the finder must say so; within the second it may."""


def main() -> None:
    """Train and leave `segfind.pt` in the folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=pathlib.Path)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(chosen.seed)
    net = Finder().to(memory_format=torch.channels_last)
    if chosen.start:
        net.load_state_dict(torch.load(chosen.start))
    rng = np.random.default_rng(chosen.seed + 50)
    adam = torch.optim.AdamW(net.parameters(), lr=chosen.rate, weight_decay=0.02)
    cycle = torch.optim.lr_scheduler.OneCycleLR(adam, chosen.rate, chosen.steps, pct_start=0.1, final_div_factor=300)
    pool: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    started, step, sums = time.time(), 0, np.zeros(2)
    while step < chosen.steps:
        pool = [*pool[-(KEEP - NEW) :], *(example(rng) for _ in range(NEW if pool else 3 * NEW))]
        for _ in range(min(STEPS, chosen.steps - step)):
            pick = [pool[i] for i in rng.integers(0, len(pool), BATCH)]
            parts = losses(net, pick, rng)
            adam.zero_grad(set_to_none=True)
            sum(parts).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            adam.step()
            cycle.step()
            step += 1
            sums += [float(part.detach()) for part in parts]
        print("find", step, *(f"{v / STEPS:.4f}" for v in sums), f"{time.time() - started:.0f}s", flush=True)
        sums[:] = 0
        torch.save(net.state_dict(), chosen.folder / "segfind.pt")


def example(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A picture of 96 x 288, the corners of its cells (n x 4 x 2), and whether each can be seen."""
    segments = int(rng.choice([7, 7, 7, 14, 16]))
    lit = segments != 7 or rng.random() < 0.6
    room = (0.05, 0.6) if rng.random() < 0.6 else (0.2, 2.2)
    drawn = draw_display(rng, segments=segments, lit=lit, room=room)[0]
    high = float(np.linalg.norm(drawn.cells[:, 3] - drawn.cells[:, 0], axis=1).mean())
    scale = np.exp(rng.uniform(np.log(12), np.log(42))) / high
    scale = max(min(scale, WIDE / drawn.image.shape[1] * 1.05), 9 / high)
    size = (max(4, round(drawn.image.shape[1] * scale)), max(4, round(drawn.image.shape[0] * scale)))
    image = cv2.resize(drawn.image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    cells = drawn.cells * np.array(size, np.float32) / drawn.image.shape[1::-1]
    seen = np.array([shown.seen for shown in drawn.shown]) * (
        not all(shown.kind == drawn.none for shown in drawn.shown)
    )
    x = int(rng.integers(min(0, WIDE - size[0]), max(0, WIDE - size[0]) + 1))
    y = int(rng.integers(min(0, HIGH - size[1]), max(0, HIGH - size[1]) + 1))
    page = np.empty((HIGH, WIDE, 3), np.uint8)
    page[:] = rng.integers(0, 200, 3) if rng.random() < 0.5 else 0
    x0, y0, x1, y1 = max(0, x), max(0, y), min(WIDE, x + size[0]), min(HIGH, y + size[1])
    page[y0:y1, x0:x1] = image[y0 - y : y1 - y, x0 - x : x1 - x]
    return page, (cells + np.array((x, y))).astype(np.float32), seen


def losses(
    net: Finder, pick: list[tuple[np.ndarray, np.ndarray, np.ndarray]], rng: np.random.Generator
) -> list[torch.Tensor]:
    """Is a digit's middle here, and where are its corners."""
    images = torch.from_numpy(np.stack([page for page, _, _ in pick])).permute(0, 3, 1, 2).float() / 255
    images = (
        images * torch.empty(len(pick), 3, 1, 1).uniform_(0.7, 1.25)
        + torch.empty(len(pick), 3, 1, 1).uniform_(-0.08, 0.08)
    ).clamp(0, 1)
    said = net(images[:, torch.from_numpy(rng.permutation(3).astype(np.int64))].to(memory_format=torch.channels_last))
    here, where = targets(pick)
    known = here >= 0
    p = said[:, 0].sigmoid()
    flat = F.binary_cross_entropy_with_logits(said[:, 0], here.clamp(min=0), reduction="none")
    focal = flat * torch.where(here > 0.5, 1 - p, p).detach() ** 1.5
    positive = here > 0.5
    near = F.smooth_l1_loss(said[:, 1:].permute(0, 2, 3, 1)[positive], where[positive], beta=0.05)
    return [2 * focal[known].sum() / positive.sum().clamp(min=1), 3 * near]


def targets(pick: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Per grid place: 1 a middle, 0 none, -1 either; and the corners from there, in 16 pixels."""
    ys, xs = np.mgrid[0 : HIGH // STRIDE, 0 : WIDE // STRIDE].astype(np.float32) * STRIDE + STRIDE / 2
    here = np.zeros((len(pick), *ys.shape), np.float32)
    where = np.zeros((len(pick), *ys.shape, 8), np.float32)
    for i, (_, cells, seen) in enumerate(pick):
        for corners, visible in zip(cells, seen, strict=True):
            middle = corners.mean(0)
            across, down = (
                (corners[1] + corners[2] - corners[0] - corners[3]) / 2,
                (corners[2] + corners[3] - corners[0] - corners[1]) / 2,
            )
            base = np.linalg.inv(np.stack([across, down], 1) + np.eye(2) * 1e-6)
            s, t = np.tensordot(base, np.stack([xs - middle[0], ys - middle[1]]), 1)
            far = np.maximum(np.abs(s), np.abs(t))
            about, close = far < ABOUT, far < NEAR
            close |= (np.abs(xs - middle[0]) <= STRIDE / 2) & (np.abs(ys - middle[1]) <= STRIDE / 2)
            here[i][about & (here[i] < 0.5)] = -1
            if visible:
                here[i][close] = 1
                where[i][close] = ((corners[None] - np.stack([xs, ys], -1)[close][:, None]) / 16).reshape(-1, 8)
    return torch.from_numpy(here), torch.from_numpy(where)


if __name__ == "__main__":
    main()
