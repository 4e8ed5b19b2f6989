"""Real photographs of displays of segments, which lie beside the project and are only ever measured."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.vision import open_reader
from capture.vision.reading import Reading
from hardware.catalog import load_profile

DISPLAYS = Path(__file__).parents[3] / "shared" / "data" / "displays"


def readings(folder: str, profile: str, *, corners: bool = True) -> Iterator[tuple[str, str, Reading]]:
    """File, what is shown (as many signs as there are cells), and the reading with the number of cells told."""
    path = DISPLAYS / folder
    if not (path / "corners.json").exists():
        pytest.skip(f"measured photographs are not there: {path}")
    places = json.loads((path / "corners.json").read_text())["displays"]
    with (path / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        place = places[row["file"]]
        adapted = load_profile(profile).model_copy(update={"digits": place["cells"]})
        quad = [(x, y) for x, y in place["corners"]] if corners else None
        image = np.asarray(cv2.imread(str(path / row["file"])), np.uint8)
        shown = re.sub(r"[^0-9A-Z ]", "", row["right_value"].upper())[: place["cells"]]
        yield row["file"], shown, open_reader(adapted, corners=quad).read(image)


@pytest.mark.parametrize(
    ("folder", "profile", "corners", "least"),
    [
        ("sevenseg_photo", "seg7", True, 0.9),
        ("sevenseg_photo", "seg7", False, 0.75),
        ("lcd_photo", "seg7-lcd", True, 0.6),
    ],
)
def test_enough_numbers_are_right_and_none_is_accepted_wrongly(
    folder: str, profile: str, *, corners: bool, least: float
) -> None:
    told = list(readings(folder, profile, corners=corners))
    right = [bool(r.scores) and r.scores[0].score == int(shown) for _, shown, r in told]
    wrong = [file for (file, _, r), good in zip(told, right, strict=True) if r.accepted and not good]
    assert not wrong
    assert sum(right) >= least * len(told)


def test_nine_of_ten_letters_are_right() -> None:
    told = list(readings("alphanumeric_photo", "seg16"))
    right = sum(a == b for _, shown, r in told for a, b in zip(shown, r.scores[0].text, strict=False))
    assert right >= 0.9 * sum(len(shown) for _, shown, _ in told)
    assert not any(r.accepted for _, _, r in told)
