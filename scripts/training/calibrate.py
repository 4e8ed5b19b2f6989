"""By what the two readers' logits must be divided so that their chances mean what they say.

Measured on drawn screens of font families that were not trained on, through a camera that is as good as real ones
are; one number a network, to be put into capture/vision/networks.py by hand.
"""

from __future__ import annotations

import argparse
import pathlib

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from camera import photograph
from dataset import make_dataset
from nets import KINDS, Namer, Strip
from targets import crops, strips
from train import fonts

BATCH = 16
STEPS = torch.linspace(0.6, 2.0, 29)


def main() -> None:
    """Print each network's best divisor, and the loss with it and without."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=1600)
    parser.add_argument("--hard", type=float, default=0.7)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    data = make_dataset(fonts(chosen.folder), 98, chosen.count, validation=True)
    nets = [net().eval() for net in (Namer, Strip)]
    for net in nets:
        net.load_state_dict(torch.load(chosen.folder / f"{type(net).__name__.lower()}.pt"))
    rng, random = np.random.default_rng(3), torch.Generator().manual_seed(4)
    named, spelt = torch.zeros(len(STEPS)), torch.zeros(len(STEPS))
    with torch.no_grad():
        for start in range(0, chosen.count, BATCH):
            pick = np.arange(start, min(start + BATCH, chosen.count))
            light = torch.from_numpy(data.light[pick]).float() / 255
            channels = photograph(light, random, hard=chosen.hard, exact=0.2)
            cut, kinds = crops(channels, data, pick, rng)
            logits = nets[0](cut)
            named += torch.stack([F.cross_entropy(logits / step, kinds, reduction="sum") for step in STEPS])
            lines, texts = strips(channels, data, pick, rng)
            if texts:
                spelt += torch.stack([_spelling(nets[1](lines)[:, :, 0] / step, texts) for step in STEPS])
    for name, losses in (("namer", named), ("strip", spelt)):
        best = int(losses.argmin())
        plain = float(losses[(STEPS - 1).abs().argmin()])
        print(f"{name}: {float(STEPS[best]):.2f} (loss {float(losses[best]) / plain:.4f} of that without)")


def _spelling(logits: torch.Tensor, texts: list[list[int]]) -> torch.Tensor:
    out = logits.permute(2, 0, 1).log_softmax(2)
    lengths = torch.full((len(texts),), out.shape[0], dtype=torch.long)
    flat = torch.tensor([sign for text in texts for sign in text])
    sizes = torch.tensor([len(text) for text in texts])
    return F.ctc_loss(out, flat, lengths, sizes, blank=KINDS + 2, zero_infinity=True, reduction="sum")


if __name__ == "__main__":
    main()
