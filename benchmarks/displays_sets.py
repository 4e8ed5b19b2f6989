"""The real pictures that lie beside the project, each with what it shows, as sets of one shape.

Here: loading and labels. Nothing of them is copied into the project. Invariant: `right` is the text that stands there,
without separators and points; empty where a picture shows no score.
"""

import csv
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.ports.base import Image

DISPLAYS = Path(__file__).parents[2] / "shared" / "data" / "displays"
APART = ("img_0013",)
"""A picture of a whole machine, its score 45 pixels wide, stands outside the percentages."""
Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture of a set."""

    name: str
    image: Image = field(repr=False)
    right: str
    cells: int | None = None
    corners: Corners | None = None
    game: str = ""
    rolling: bool = False
    """A wheel between two digits."""


def photos() -> list[Picture]:
    """Phone photographs of two machines' dot matrices."""
    return [
        Picture(name=row["file"], image=_load("dmd_photo", row), right=row["right_value"], game=row["game"])
        for row in _rows("dmd_photo")
        if not any(part in row["file"] for part in APART)
    ]


def frames(*, live: bool) -> list[Picture]:
    """True frames of 128 x 32 dots: the live ones, or all others, of which half-wiped (partial) ones show a score."""
    return [
        Picture(
            name=row["file"], image=_load("dmd_frames", row),
            right=row["right_value"] if row["kind"] in {"live", "partial"} else "",
        )
        for row in _rows("dmd_frames")
        if live == (row["kind"] == "live")
    ]  # fmt: skip


def segments(folder: str) -> list[Picture]:
    """Crops of segment displays, with the corners and number of cells that somebody clicked."""
    known: dict[str, Any] = json.loads((DISPLAYS / folder / "corners.json").read_text("utf-8"))["displays"]
    return [
        Picture(
            name=row["file"], image=_load(folder, row), right=re.sub(r"[^0-9A-Z ]", "", row["right_value"].upper()),
            cells=known[row["file"]]["cells"], corners=tuple((x, y) for x, y in known[row["file"]]["corners"]),
        )
        for row in _rows(folder)
        if row["file"] in known
    ]  # fmt: skip


def wheels() -> list[Picture]:
    """Single wheels, labelled in tenths of a digit. x.9, x.0 and x.1 stand; x.3 to x.7 roll; the rest is left out."""
    pictures = []
    for row in _rows("reel_digits"):
        whole, _, tenths = row["right_value"].partition(".")
        if "UNREADABLE" in row["note"] or tenths in {"2", "8"}:
            continue
        right = str((int(whole) + 1) % 10 if tenths == "9" else int(whole))
        rolls = tenths not in {"9", "0", "1"}
        pictures.append(
            Picture(name=row["file"], image=_load("reel_digits", row), right="" if rolls else right, rolling=rolls)
        )
    return pictures


def _rows(folder: str) -> list[dict[str, str]]:
    with (DISPLAYS / folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _load(folder: str, row: dict[str, str]) -> Image:
    image = cv2.imread(str(DISPLAYS / folder / row["file"]), cv2.IMREAD_COLOR)
    if image is None:
        raise SystemExit(f"a measured picture cannot be opened: {DISPLAYS / folder / row['file']}")
    return np.asarray(image, np.uint8)
