"""From checkpoints (the mean of the last rounds) to the two ONNX files: weights in half precision."""

from __future__ import annotations

import argparse
import pathlib

import onnx
import torch
from export import halve
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
        export(net.eval(), chosen.to / f"reel-{name}.onnx")


def mean(parts: list[torch.Tensor]) -> torch.Tensor:
    """The mean of one weight; the last of a count."""
    return torch.stack(parts).mean(0) if parts[-1].is_floating_point() else parts[-1]


def export(net: Colour | Bright, target: pathlib.Path) -> None:
    """Export one network."""
    torch.onnx.export(
        net, (torch.zeros(1, net.planes, ROWS, COLUMNS),), str(target), dynamo=False, opset_version=13,
        input_names=["planes"], output_names=["said"], dynamic_axes={"planes": {0: "n"}, "said": {0: "n"}},
    )  # fmt: skip
    model = onnx.load(str(target))
    halve(model)
    del model.metadata_props[:]
    model.doc_string, model.producer_name, model.producer_version = "", "inlane", ""
    onnx.save(model, str(target))
    print(f"{target.name}: {target.stat().st_size} bytes, {sum(p.numel() for p in net.parameters())} weights")


if __name__ == "__main__":
    main()
