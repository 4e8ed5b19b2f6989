"""From checkpoints (the mean of the last rounds) to the two ONNX files: weights in half precision."""

from __future__ import annotations

import argparse
import pathlib

import torch
from export import store
from reels_nets import Bright, Colour
from reels_wheels import COLUMNS, ROWS


def main() -> None:
    """Write both."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True, nargs="+", help="of more than one: their mean")
    parser.add_argument("--to", type=pathlib.Path, required=True)
    chosen = parser.parse_args()
    for net in (Colour(), Bright()):
        name = type(net).__name__.lower()
        rounds = [torch.load(folder / f"{name}.pt") for folder in chosen.folder]
        net.load_state_dict({key: mean([weights[key] for weights in rounds]) for key in rounds[-1]})
        store(net, chosen.to / f"reel-{name}.onnx", (1, net.planes, ROWS, COLUMNS), seen="planes", axes={0: "n"})


def mean(parts: list[torch.Tensor]) -> torch.Tensor:
    """The mean of one weight; the last of a count."""
    return torch.stack(parts).mean(0) if parts[-1].is_floating_point() else parts[-1]


if __name__ == "__main__":
    main()
