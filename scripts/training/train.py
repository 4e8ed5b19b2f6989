"""Train one part (`finder`, or `readers` = namer and strip) from seeds alone. Called by scripts/train-dots."""

from __future__ import annotations

import argparse
import pathlib
import pickle
import time

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from camera import photograph
from dataset import Screens, make_dataset
from fonts import Font, make_fonts
from nets import KINDS, Finder, Namer, Strip
from targets import crops, finder_loss, strips

BATCH = 16
NETS = {"finder": (Finder,), "readers": (Namer, Strip)}


def main() -> None:
    """Train and leave `NAME.pt` in the folder, with a copy every 500 steps."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=NETS)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--screens", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--start", type=pathlib.Path, help="a folder whose networks to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--stop", type=int, help="leave the cycle after so many steps")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    data = make_dataset(fonts(chosen.folder), chosen.seed, chosen.screens)
    nets = [net() for net in NETS[chosen.part]]
    if chosen.start:
        for net in nets:
            net.load_state_dict(torch.load(chosen.start / f"{type(net).__name__.lower()}.pt"))
    learn(nets, data, chosen)


def fonts(folder: pathlib.Path) -> list[Font]:
    """The fonts of this run, drawn once."""
    kept = folder / "fonts.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(make_fonts(1)))
    return pickle.loads(kept.read_bytes())  # noqa: S301 (our own file, made a moment ago)


def learn(nets: list[torch.nn.Module], data: Screens, chosen: argparse.Namespace) -> None:
    """One cycle of AdamW over screens in random order, each time through another camera."""
    rng, random = np.random.default_rng(chosen.seed + 1), torch.Generator().manual_seed(chosen.seed + 2)
    weights = [parameter for net in nets for parameter in net.parameters()]
    adam = torch.optim.AdamW(weights, lr=chosen.rate, weight_decay=0.01)
    cycle = torch.optim.lr_scheduler.OneCycleLR(adam, chosen.rate, chosen.steps, pct_start=0.1, final_div_factor=200)
    started, sums = time.time(), np.zeros(2)
    last = chosen.stop or chosen.steps
    for step in range(1, last + 1):
        pick = rng.integers(0, len(data.light), BATCH)
        channels = photograph(
            torch.from_numpy(data.light[pick]).float() / 255, random, edges=bool(chosen.start), exact=0.25
        )
        parts = losses(nets, channels, data, pick, rng)
        adam.zero_grad()
        sum(parts).backward()
        torch.nn.utils.clip_grad_norm_(weights, 2.0)
        adam.step()
        cycle.step()
        sums += [float(part.detach()) for part in (*parts, torch.zeros(()))[:2]]
        if step % 100 == 0:
            print(
                f"{chosen.part} {step} {sums[0] / 100:.4f} {sums[1] / 100:.4f} {time.time() - started:.0f}s", flush=True
            )
            sums[:] = 0
        if step % 500 == 0 or step == last:
            for net in nets:
                torch.save(net.state_dict(), chosen.folder / f"{type(net).__name__.lower()}.pt")


def losses(
    nets: list[torch.nn.Module], channels: torch.Tensor, data: Screens, pick: np.ndarray, rng: np.random.Generator
) -> list[torch.Tensor]:
    """One loss a network."""
    if isinstance(nets[0], Finder):
        return [finder_loss(nets[0](channels), data, pick)]
    cut, kinds = crops(channels, data, pick, rng)
    named = F.cross_entropy(nets[0](cut), kinds, label_smoothing=0.01)
    lines, texts = strips(channels, data, pick, rng)
    if not texts:
        return [named, torch.zeros(())]
    out = nets[1](lines)[:, :, 0].permute(2, 0, 1).log_softmax(2)
    lengths = torch.full((len(texts),), out.shape[0], dtype=torch.long)
    flat = torch.tensor([sign for text in texts for sign in text])
    sizes = torch.tensor([len(text) for text in texts])
    return [named, F.ctc_loss(out, flat, lengths, sizes, blank=KINDS + 2, zero_infinity=True)]


if __name__ == "__main__":
    main()
