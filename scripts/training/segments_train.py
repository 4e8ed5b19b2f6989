"""Train the reader of cells (7, or 14 and 16 segments) from seeds alone. Called by scripts/train-segments."""

from __future__ import annotations

import argparse
import pathlib
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from segments_cells import Cells, make_cells
from segments_nets import Cell

from capture.vision.segments.codes import SEVEN, SEVEN_KINDS, SIXTEEN, SIXTEEN_KINDS

BATCH = 128
NEW, KEEP, STEPS = 4_000, 60_000, 160
"""Cells drawn anew each round, cells kept, steps a round: each cell is seen about three times."""


def make_net(segments: int) -> Cell:
    """The network for 7, or for 14 and 16."""
    return Cell(len(SEVEN_KINDS) + 2, len(SEVEN)) if segments == 7 else Cell(len(SIXTEEN_KINDS) + 2, len(SIXTEEN))


def main() -> None:
    """Train until the time or the steps are over; leave `segN.pt` in the folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("segments", type=int, choices=(7, 16))
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=pathlib.Path)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(chosen.seed)
    net = make_net(chosen.segments).to(memory_format=torch.channels_last)
    if chosen.start:
        net.load_state_dict(torch.load(chosen.start))
    learn(net, chosen)


def learn(net: Cell, chosen: argparse.Namespace) -> None:
    """One cycle over a pool that is drawn anew bit by bit."""
    rng = np.random.default_rng(chosen.seed)
    adam = torch.optim.AdamW(net.parameters(), lr=chosen.rate, weight_decay=0.02)
    cycle = torch.optim.lr_scheduler.OneCycleLR(adam, chosen.rate, chosen.steps, pct_start=0.1, final_div_factor=300)
    pool: list[Cells] = []
    started, sums, step = time.time(), np.zeros(5), 0
    net.train()
    while step < chosen.steps:
        pool = [*pool[-(KEEP // NEW - 1) :], make_cells(rng, chosen.segments, NEW if pool else 3 * NEW)]
        data = Cells(*(np.concatenate([getattr(p, f) for p in pool]) for f in Cells.__dataclass_fields__))
        for _ in range(min(STEPS, chosen.steps - step)):
            pick = rng.integers(0, len(data.kind), BATCH)
            parts = losses(net, data, pick)
            adam.zero_grad(set_to_none=True)
            sum(parts[:4]).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            adam.step()
            cycle.step()
            step += 1
            sums += [float(part.detach()) for part in parts]
        print(chosen.segments, step, *(f"{v / STEPS:.4f}" for v in sums), f"{time.time() - started:.0f}s", flush=True)
        sums[:] = 0
        torch.save(net.state_dict(), chosen.folder / f"seg{chosen.segments}.pt")


def losses(net: Cell, data: Cells, pick: np.ndarray) -> list[torch.Tensor]:
    """Of kinds, segments, points, corners; and how many kinds were right."""
    seen = torch.from_numpy(data.seen[pick]).float().div_(127.5).sub_(0.5)
    many = len(pick)
    seen = seen * (1 + 0.08 * torch.randn(many, 2, 1, 1)) + 0.03 * torch.randn(many, 2, 1, 1)
    seen = seen + torch.randn_like(seen) * (0.06 * torch.rand(many, 1, 1, 1) ** 2)
    kind = torch.from_numpy(data.kind[pick])
    bits, point = torch.from_numpy(data.bits[pick]).float(), torch.from_numpy(data.point[pick]).float()
    box, boxed = torch.from_numpy(data.box[pick]), torch.from_numpy(data.boxed[pick]).float()
    kinds, codes, dots, corners = net(seen.to(memory_format=torch.channels_last))[:, :, 0, 0].split(net.parts, 1)
    known = (bits >= 0).float()
    goal = torch.where(bits > 1, 0.5, bits.clamp(min=0))
    coded = F.binary_cross_entropy_with_logits(codes, goal, reduction="none") * known
    near = F.smooth_l1_loss(corners, box, reduction="none", beta=0.05).mean(1) * boxed
    right = (kinds.argmax(1) == kind)[kind >= 0].float().mean()
    return [
        F.cross_entropy(kinds, kind, ignore_index=-1), 0.7 * coded.sum() / known.sum().clamp(min=1),
        0.1 * F.binary_cross_entropy_with_logits(dots[:, 0], point), 3 * near.sum() / boxed.sum().clamp(min=1), right,
    ]  # fmt: skip


if __name__ == "__main__":
    main()
