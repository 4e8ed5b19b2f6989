"""How right the networks are on displays and fonts that were not trained on, by the product's own code.

Prints what models/README.md tells: per sureness, how many numbers are right, and what gets past the gates wrongly.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from itertools import pairwise

import numpy as np
import torch
from camera import photograph
from dataset import Screens, make_dataset
from train import fonts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from capture.vision.confidence import Frame, doubt_number
from capture.vision.digits import Number, read_line
from capture.vision.networks import Networks, load_networks
from capture.vision.signs import find_signs, group_lines

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


def main() -> None:
    """Measure `--count` screens of held-out fonts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where fonts.pickle lies")
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--hard", type=float, default=1.0)
    parser.add_argument("--show", type=int, default=0, help="print so many of the wrong ones")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    nets = load_networks(*[(chosen.models / f"{name}.onnx").read_bytes() for name in ("finder", "namer", "strip")])
    data = make_dataset(fonts(chosen.folder), 99, chosen.count, validation=True)
    report(measure(nets, data, chosen.hard, chosen.show), truths(data))


def measure(nets: Networks, data: Screens, hard: float, show: int) -> list[tuple[Number, str, bool, bool]]:
    """Every number read: with its doubt, whether that text stands there, and whether it stands alone in its line."""
    random = torch.Generator().manual_seed(5)
    seen = []
    for i in range(len(data.light)):
        dots = photograph(torch.from_numpy(data.light[i : i + 1]).float() / 255, random, hard=hard)[0].numpy()
        signs = find_signs(nets.find(dots), 128, 32)
        frame = Frame(dots=dots, missing=2.0)  # as the drawn screens are cut
        written = words(data, i)
        for line in group_lines(signs):
            for number in read_line(nets, dots, line).numbers:
                if len(number.text) < 3:
                    continue
                doubt = doubt_number(number, frame, quantum=1, most=10**18, digits=None)
                right = number.text in written
                seen.append((number, doubt, right, not number.labelled))
                if not doubt and not right and not number.labelled and show > 0:
                    show -= 1
                    print("wrong:", i, number.text, round(number.sureness, 3), number.groups, data.texts[i])
    return seen


def words(data: Screens, i: int) -> set[str]:
    """All numbers on one screen."""
    return {word.replace(",", "").replace(".", "") for line in data.texts[i] for word in line.split()}


def truths(data: Screens) -> int:
    """How many numbers of three digits and more stand alone in their line, whole."""
    total = 0
    for i, lines in enumerate(data.texts):
        for k, line in enumerate(lines):
            mine = data.lines[i] == k
            plain = line.replace(",", "").replace(".", "")
            whole = int(mine.sum()) == len(plain) and data.shown[i, mine].min() > 0.85
            total += plain.isdigit() and len(plain) >= 3 and whole
    return total


def report(seen: list[tuple[Number, str, bool, bool]], total: int) -> None:
    """The table."""
    print("sureness      agreed: n  right      alone and past the gates: n  wrong")
    for low, high in pairwise(EDGES):
        rows = [row for row in seen if low <= row[0].sureness < high]
        agreed = [row for row in rows if row[0].agreed]
        passed = [row for row in rows if not row[1] and row[3]]
        share = np.mean([row[2] for row in agreed]) if agreed else 0
        wrong = sum(not row[2] for row in passed)
        print(f"{low:.2f}-{min(high, 1):.2f} {len(agreed):14d}  {share:.4f} {len(passed):24d} {wrong:6d}")
    alone = [row for row in seen if row[3]]
    accepted = [row[2] for row in alone if not row[1]]
    print(
        f"alone in their line: {total} numbers, {sum(row[2] for row in alone)} read right, "
        f"{sum(accepted)} accepted right, {len(accepted) - sum(accepted)} accepted wrong"
    )


if __name__ == "__main__":
    main()
