"""Measure the product's own reader on drawn displays that were not trained on: how sure, and how often right.

    .venv/bin/python scripts/training/segments_measure.py --count 400 [--segments 16] [--glass lcd] [--find]

Needs only the product's environment. Corners are off as people click them; the number of cells is told. Displays with
troubles (signs that are none, two signs at once, half-lit digits) count as well: nothing may be accepted on them.
"""

from __future__ import annotations

import argparse
import collections

import cv2
import numpy as np
from segments_cells import click
from segments_draw import Drawn, draw_display
from segments_text import NOTHING, SEVEN_KINDS, SIXTEEN_KINDS

from capture.vision import open_reader
from hardware.catalog import load_profile

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.01)


def main() -> None:
    """Print a table of confidence against truth."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--segments", type=int, choices=(7, 16), default=7)
    parser.add_argument("--glass", choices=("lit", "lcd"), default="lit")
    parser.add_argument("--hard", type=float, default=0.8, help="how far corners are off, against training's")
    parser.add_argument("--find", action="store_true", help="give no corners")
    parser.add_argument("--seed", type=int, default=900_001)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(chosen.seed)
    tables: dict[str, collections.Counter[int]] = collections.defaultdict(collections.Counter)
    for _ in range(chosen.count):
        drawn = draw_display(rng, segments=chosen.segments, lit=chosen.glass == "lit")[0]
        truth = spell(drawn)
        said, sure, accepted = read(drawn, chosen, rng)
        if accepted and truth not in {"?", said}:
            print(f"accepted {said!r} at {sure:.4f}, shown {truth!r}")
        place = int(np.digitize(sure, EDGES)) - 1
        tables["all"][place] += said is not None
        tables["right"][place] += said is not None and said == truth
        tables["accepted"][place] += accepted
        tables["wrong"][place] += accepted and truth not in {"?", said}
        tables["readable"][0] += truth not in {"", "?", None}
        tables["exact"][0] += truth not in {"", "?", None} and said == truth
    print(f"readable {tables['readable'][0]}, exact {tables['exact'][0]}")
    for place, edge in enumerate(EDGES[:-1]):
        row = [tables[name][place] for name in ("all", "right", "accepted", "wrong")]
        print(f"{edge:.3f}- : said {row[0]}, right {row[1]}, accepted {row[2]}, of these wrong {row[3]}")


def spell(drawn: Drawn) -> str | None:
    """The number or text that is shown; empty: dark; None: no number; `?`: nobody can say."""
    kinds = SEVEN_KINDS if len(drawn.shown[0].bits) == 8 else SIXTEEN_KINDS
    said = [shown.kind for shown in drawn.shown]
    if NOTHING in said:
        return "?"
    if drawn.none in said:
        return None
    text = "".join([*kinds, " "][kind] for kind in said)
    return (text.lstrip() if " " not in text.lstrip() or kinds is SIXTEEN_KINDS else None) if text.strip() else ""


def read(drawn: Drawn, chosen: argparse.Namespace, rng: np.random.Generator) -> tuple[str | None, float, bool]:
    """What the product says: the number or text, how sure, and whether it would count."""
    name = {7: "seg7" if chosen.glass == "lit" else "seg7-lcd", 16: "seg16"}[chosen.segments]
    profile = load_profile(name).model_copy(update={"digits": len(drawn.shown)})
    corners = (
        None if chosen.find else [(float(x), float(y)) for x, y in np.clip(click(rng, drawn, chosen.hard), 0, None)]
    )
    reading = open_reader(profile, corners=corners).read(drawn.image)
    if not reading.scores or "?" in reading.scores[0].text:
        return None, 0.0, False
    score = reading.scores[0]
    text = score.text if chosen.segments == 7 else score.text.translate(str.maketrans("OS", "05"))
    return text, score.confidence, reading.accepted


if __name__ == "__main__":
    main()
