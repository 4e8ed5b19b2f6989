"""From checkpoints to seg7.onnx, seg16.onnx and segfind.onnx: half-precision weights, shapes open in batch and size."""

from __future__ import annotations

import argparse
import pathlib

import torch
from export import store
from segments_nets import Cell, Finder
from segments_train import make_net

CELL, PICTURE = (1, 2, 48, 32), (1, 3, 96, 288)


def main() -> None:
    """Write each network whose checkpoint lies in the folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--to", type=pathlib.Path, required=True)
    chosen = parser.parse_args()
    for name, net in (("seg7", make_net(7)), ("seg16", make_net(16)), ("segfind", Finder())):
        if (chosen.folder / f"{name}.pt").exists():
            export(net, chosen.folder / f"{name}.pt", chosen.to / f"{name}.onnx")


def export(net: Cell | Finder, weights: pathlib.Path, target: pathlib.Path) -> None:
    """Export one network."""
    net.load_state_dict(torch.load(weights))
    cell = isinstance(net, Cell)
    store(net, target, CELL if cell else PICTURE, seen="seen", axes={0: "n"} if cell else {2: "rows", 3: "columns"})


if __name__ == "__main__":
    main()
