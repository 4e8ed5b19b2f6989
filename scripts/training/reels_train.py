"""Train the two readers of wheels from seeds alone, on wheels drawn as needed. Called by scripts/train-reels."""

from __future__ import annotations

import argparse
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from reels_digits import make_atlas
from reels_nets import PLANES, Bright, Colour
from reels_wheels import PLACES, Painter, Wheels

BATCH, NEW, POOL = 128, 64, 4096
"""Pictures a step, those painted anew in each, and those kept."""


def main() -> None:
    """Train both and leave `colour.pt` and `bright.pt` in the folder, with a copy every 50 steps."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=pathlib.Path, help="a folder whose networks to go on from")
    parser.add_argument("--stop", type=int, help="leave the cycle after so many steps")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    nets = [net().to(memory_format=torch.channels_last) for net in (Colour, Bright)]
    for net in nets if chosen.start else []:
        net.load_state_dict(torch.load(chosen.start / f"{type(net).__name__.lower()}.pt"))
    learn(nets, painter(chosen.seed + 1), chosen)


def painter(seed: int, *, validation: bool = False) -> Painter:
    """A painter with the digits of training, or of the families held out."""
    digits, others, held = make_atlas(1)
    digits = digits[held] if validation else digits[~held]
    others = others[::10] if validation else np.delete(others, np.s_[::10], 0)
    return Painter(torch.from_numpy(digits), torch.from_numpy(others), seed)


def learn(nets: list[torch.nn.Module], source: Painter, chosen: argparse.Namespace) -> None:
    """One cycle of AdamW for each, on the same pictures."""
    for net in nets:
        net.train()
    adams = [torch.optim.AdamW(net.parameters(), lr=chosen.rate, weight_decay=0.02) for net in nets]
    cycles = [
        torch.optim.lr_scheduler.OneCycleLR(adam, chosen.rate, chosen.steps, pct_start=0.08, final_div_factor=300)
        for adam in adams
    ]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    pool = Pool(source, chosen.seed + 2)
    started, sums, last = time.time(), np.zeros(len(nets)), chosen.stop or chosen.steps
    for step in range(1, last + 1):
        batch = pool.draw()
        for i, (net, adam, cycle) in enumerate(zip(nets, adams, cycles, strict=True)):
            planes = PLANES[type(net)](batch.pictures).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                said = net(planes)
            loss = weigh(said.float(), batch)
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            adam.step()
            cycle.step()
            sums[i] += float(loss.detach())
        if step % 100 == 0:
            print(step, *np.round(sums / 100, 4), f"{time.time() - started:.0f}s", flush=True)
            sums[:] = 0
        if step % 50 == 0 or step == last:
            for net in nets:
                torch.save(net.state_dict(), chosen.folder / f"{type(net).__name__.lower()}.pt")


class Pool:
    """Some thousands of painted pictures; each is seen about twice, in other colours, before it is painted over."""

    def __init__(self, source: Painter, seed: int) -> None:
        self.source, self.random, self.at = source, torch.Generator().manual_seed(seed), 0
        painted = [source.paint(NEW) for _ in range(POOL // NEW)]
        self.parts = {name: torch.cat([getattr(one, name) for one in painted]) for name in Wheels.__slots__}

    def draw(self) -> Wheels:
        """A batch, after a part of the pool was painted anew."""
        fresh = self.source.paint(NEW)
        for name, part in self.parts.items():
            part[self.at : self.at + NEW] = getattr(fresh, name)
        self.at = (self.at + NEW) % POOL
        pick = torch.randint(0, POOL, (BATCH,), generator=self.random)
        batch = Wheels(**{name: part[pick] for name, part in self.parts.items()})
        inverted = torch.rand(BATCH, 1, 1, 1, generator=self.random) < 0.3
        pictures = torch.where(inverted, 1 - batch.pictures, batch.pictures)
        batch.pictures = pictures[:, torch.randperm(3, generator=self.random)]
        return batch


def weigh(said: torch.Tensor, batch: Wheels) -> torch.Tensor:
    """The loss: where the wheel stands, if it is one; and three yes-or-nos."""
    places = -(batch.places * said[:, :PLACES].log_softmax(1)).sum(1)
    knows = batch.turn >= 0
    turns = F.binary_cross_entropy_with_logits(said[:, PLACES + 2], batch.turn.clamp(min=0).float(), reduction="none")
    return (
        (places * batch.wheel).mean()
        + F.binary_cross_entropy_with_logits(said[:, PLACES], batch.wheel)
        + 0.3 * F.binary_cross_entropy_with_logits(said[:, PLACES + 1], batch.cut)
        + 0.3 * (turns * batch.wheel * knows).mean()
    )


if __name__ == "__main__":
    main()
