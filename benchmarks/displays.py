"""Displays: real photographs and true frames through Inlane's reader and through Tesseract, in one run.

    python -m benchmarks.displays [--no-tesseract]

Prints, per set and method: numbers proposed exactly, accepted, accepted wrongly, wrong in all, and the median time a
picture. Then what dots cost beside one cv2.remap and a mean, and what digits cost from dots. Reads ../shared/data.
"""

import argparse
import csv
import os
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from capture.vision import open_reader
from hardware.catalog import load_profile
from hardware.ports.base import Image

DISPLAYS = Path(__file__).parents[2] / "shared" / "data" / "displays"
OUTSIDE = "img_0013"
"""One picture shows a whole machine: it stands apart."""


@dataclass
class Tally:
    """What one method made of one set."""

    live: int = 0
    exact: int = 0
    accepted: int = 0
    accepted_wrong: int = 0
    wrong: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, score: str, proposed: str, *, accepted: bool, took: float) -> None:
        """Count one picture; `score` is empty where none shows."""
        self.times.append(took)
        self.live += bool(score)
        self.exact += bool(score) and proposed == score
        self.accepted += accepted and proposed == score
        self.accepted_wrong += accepted and proposed != score
        self.wrong += bool(proposed) and proposed != score


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-tesseract", action="store_true")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    if not DISPLAYS.exists():
        sys.exit(f"the measured pictures are not there: {DISPLAYS}")
    print("set          method                 live  exact  accepted  accepted wrong  wrong      ms")
    for name, read in (("dmd_photo", read_photo), ("dmd_frames", read_frame)):
        pictures = load(name)
        show(name, "inlane", pictures, read)
        if not chosen.no_tesseract:
            show(name, "tesseract psm 7", pictures, lambda image: tesseract(image, 7))
            show(name, "tesseract psm 11", pictures, lambda image: tesseract(image, 11))
    costs(load("dmd_photo"))


def load(name: str) -> list[tuple[Image, str]]:
    """Pictures and the live score each shows."""
    with (DISPLAYS / name / "labels.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if OUTSIDE not in row["file"]]
    pictures = []
    for row in rows:
        image = cv2.imread(str(DISPLAYS / name / row["file"]), cv2.IMREAD_COLOR)
        score = row["right_value"] if row.get("kind", "live") in {"live", "partial"} else ""
        pictures.append((np.asarray(image, np.uint8), score))
    return pictures


def show(name: str, method: str, pictures: list[tuple[Image, str]], read: Callable[[Image], tuple[str, bool]]) -> None:
    """One row of the table."""
    tally = Tally()
    for image, score in pictures:
        started = time.perf_counter()
        proposed, accepted = read(image)
        tally.add(score, proposed, accepted=accepted, took=time.perf_counter() - started)
    print(
        f"{name:<12} {method:<22} {tally.live:4d} {tally.exact:6d} {tally.accepted:9d} {tally.accepted_wrong:15d} "
        f"{tally.wrong:6d} {statistics.median(tally.times) * 1e3:7.1f}"
    )


def read_photo(image: Image) -> tuple[str, bool]:
    """A still picture, the display found and the lattice fitted for it alone."""
    reading = open_reader(load_profile("dmd-128x32")).read(image)
    return (
        str(reading.scores[0].score) if reading.scores and reading.scores[0].score is not None else "",
        reading.accepted,
    )


def read_frame(image: Image) -> tuple[str, bool]:
    """True dots."""
    reading = open_reader(load_profile("dmd-128x32")).read_dots(image[:, :, 0].astype(np.float32) / np.float32(255))
    return (
        str(reading.scores[0].score) if reading.scores and reading.scores[0].score is not None else "",
        reading.accepted,
    )


def tesseract(image: Image, mode: int) -> tuple[str, bool]:
    """What Tesseract says of the same crop (Otsu, digits only): its longest number, never accepted by itself."""
    import pytesseract  # noqa: PLC0415 (one exception more: a measurement beside the product)

    os.environ.setdefault("TESSDATA_PREFIX", str(Path(sys.prefix) / "share" / "tessdata"))
    grey = cv2.resize(image[:, :, 1], (1024, 256), interpolation=cv2.INTER_CUBIC)
    _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    said = pytesseract.image_to_string(black, config=f"--psm {mode} -c tessedit_char_whitelist=0123456789,.")
    numbers = [re.sub(r"\D", "", word) for word in said.split()]
    longest = max(numbers, key=len, default="")
    return (str(int(longest)) if longest else ""), False


def costs(pictures: list[tuple[Image, str]]) -> None:
    """Dots beside one remap and a mean, on 720p frames; digits from dots."""
    frames = [np.asarray(cv2.resize(image, (1280, 720)), np.uint8) for image, _ in pictures[:8]]
    x, y = np.meshgrid(np.linspace(0, 1279, 256, dtype=np.float32), np.linspace(0, 719, 64, dtype=np.float32))
    bare, dots, digits = [], [], []
    for frame in frames:
        reader = open_reader(load_profile("dmd-128x32"), corners=[(0, 0), (1279, 0), (1279, 719), (0, 719)])
        reader.read(frame)
        sampler = reader.sampler
        if sampler is None:
            continue
        for _ in range(30):
            started = time.perf_counter()
            cv2.remap(frame, x, y, cv2.INTER_LINEAR)[:, :, 1].reshape(32, 2, 128, 2).mean((1, 3))
            bare.append(time.perf_counter() - started)
            started = time.perf_counter()
            sampler.sample(frame)
            dots.append(time.perf_counter() - started)
    for image, _ in pictures:
        reader = open_reader(load_profile("dmd-128x32"))
        reader.read(image)
        seen = reader.dots()
        if seen is not None:
            started = time.perf_counter()
            reader.understand(seen)
            digits.append(time.perf_counter() - started)
    one, ours = statistics.median(bare) * 1e3, statistics.median(dots) * 1e3
    print(f"dots of a 720p frame: {ours:.3f} ms; one cv2.remap and a mean: {one:.3f} ms; ratio {ours / one:.2f}")
    print(f"digits from dots: median {statistics.median(digits) * 1e3:.1f} ms of {len(digits)} pictures")


if __name__ == "__main__":
    main()
