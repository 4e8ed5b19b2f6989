"""From checkpoints to the three ONNX files: weights in half precision, shapes open in batch and width."""

from __future__ import annotations

import argparse
import pathlib

import onnx
import torch
from nets import Finder, Namer, Strip
from onnx import TensorProto, numpy_helper

SHAPES = {"finder": (Finder, (1, 2, 32, 128)), "namer": (Namer, (1, 3, 20, 16)), "strip": (Strip, (1, 2, 16, 192))}


def main() -> None:
    """Write finder.onnx, namer.onnx and strip.onnx."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--to", type=pathlib.Path, required=True)
    chosen = parser.parse_args()
    for name, (net, shape) in SHAPES.items():
        if (chosen.folder / f"{name}.pt").exists():
            export(net(), chosen.folder / f"{name}.pt", chosen.to / f"{name}.onnx", shape)


def export(net: torch.nn.Module, weights: pathlib.Path, target: pathlib.Path, shape: tuple[int, ...]) -> None:
    """Export one network."""
    net.load_state_dict(torch.load(weights))
    axes = {0: "n", 2: "rows", 3: "columns"} if shape[1] == 2 else {0: "n"}
    store(net, target, shape, seen="dots", axes=axes)


def store(net: torch.nn.Module, target: pathlib.Path, shape: tuple[int, ...], *, seen: str, axes: dict) -> None:
    """Write one network that looks at `seen`, of that shape but for the open `axes`, which its answer has as well."""
    torch.onnx.export(
        net.eval(), (torch.zeros(shape),), str(target), dynamo=False, opset_version=13,
        input_names=[seen], output_names=["said"], dynamic_axes={seen: axes, "said": axes},
    )  # fmt: skip
    model = onnx.load(str(target))
    halve(model)
    del model.metadata_props[:]
    model.doc_string, model.producer_name, model.producer_version = "", "inlane", ""
    onnx.save(model, str(target))
    print(f"{target.name}: {target.stat().st_size} bytes, {sum(p.numel() for p in net.parameters())} weights")


def halve(model: onnx.ModelProto) -> None:
    """Store each large weight as half precision. OpenCV widens such weights when it loads them, wherever they stand."""
    for i, tensor in enumerate(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if tensor.data_type == TensorProto.FLOAT and values.size >= 256:
            model.graph.initializer[i].CopyFrom(numpy_helper.from_array(values.astype("float16"), tensor.name))


if __name__ == "__main__":
    main()
