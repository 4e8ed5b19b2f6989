"""How right the readers of wheels are on drawn wheels whose digits were not trained on, by the product's own code.

Prints what models/README.md tells: per sureness how many digits are right, and what gets past the gates wrongly.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from itertools import pairwise

import numpy as np
import torch
from reels_train import painter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from capture.vision.reels.count import NO_WHEEL, doubt_wheels, sureness
from capture.vision.reels.nets import load_wheel_nets
from capture.vision.reels.wheel import Wheel, fit_zoom, read_wheels

EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
BATCH = 64


def main() -> None:
    """Measure `--count` wheels."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--hard", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=4711)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the pictures that were accepted wrongly")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    colour, bright = ((chosen.models / f"reel-{name}.onnx").read_bytes() for name in ("colour", "bright"))
    nets, source = load_wheel_nets(colour, bright), painter(chosen.seed, validation=True)
    rows = []
    for start in range(0, chosen.count, BATCH):
        batch = source.paint(BATCH, hard=chosen.hard)
        pictures = (batch.pictures * 255).round().byte().permute(0, 2, 3, 1).numpy()
        for i, picture in enumerate(pictures):
            wheel = read_wheels(nets, [picture], zoom=fit_zoom(nets, [picture]))[0]
            truth = (bool(batch.wheel[i]), int(batch.digit[i]), float(batch.above[i]))
            rows.append((wheel, *truth))
            if chosen.keep and wrong(wheel, *truth):
                import cv2  # noqa: PLC0415

                name = f"{start + i}_{truth[1]}{truth[2]:+.2f}_read_{wheel.digit}{wheel.above:+.2f}.png"
                cv2.imwrite(str(chosen.keep / name), cv2.resize(picture, None, fx=8, fy=8))
    report(rows)


def wrong(wheel: Wheel, real: bool, digit: int, above: float) -> bool:  # noqa: FBT001
    """Whether this would count by itself, and must not."""
    return not doubt_wheels([wheel]) and (not real or digit != wheel.digit or abs(above) > 0.3)


def report(rows: list[tuple[Wheel, bool, int, float]]) -> None:
    """Print the tables."""
    still = [row for row in rows if row[1] and abs(row[3]) <= 0.15]
    rolls = [row for row in rows if row[1] and abs(row[3]) >= 0.28]
    none = [row for row in rows if not row[1]]
    right = [row for row in still if row[0].digit == row[2] and not row[0].rolling and row[0].wheel >= NO_WHEEL]
    taken = [row for row in still if not doubt_wheels([row[0]])]
    print(f"settled {len(still)}: right {len(right)}, accepted {len(taken)}, "
          f"of these wrong {sum(row[0].digit != row[2] for row in taken)}")  # fmt: skip
    marked = sum(row[0].rolling for row in rolls)
    print(f"rolling {len(rolls)}: marked {marked}, accepted {sum(not doubt_wheels([row[0]]) for row in rolls)}")
    refused = sum(row[0].wheel < NO_WHEEL for row in none)
    print(f"no wheel {len(none)}: refused {refused}, accepted {sum(not doubt_wheels([row[0]]) for row in none)}")
    seen = [(sureness(row[0]), row[0].digit == row[2]) for row in still if not row[0].rolling]
    print("| sureness | settled wheels | of these right |")
    for low, high in pairwise(EDGES):
        inside = [good for sure, good in seen if low <= sure < high]
        share = f"{np.mean(inside):.1%}" if inside else "–"
        print(f"| {low:.2f}–{min(high, 1.0):.2f} | {len(inside)} | {share} |")


if __name__ == "__main__":
    main()
