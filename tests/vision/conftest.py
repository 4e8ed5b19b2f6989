"""Displays to read: simulated ones with their truth, and the measured photographs that lie beside the project."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from capture.vision import open_reader
from capture.vision.reader import DisplayReader
from hardware.catalog import load_profile
from hardware.sim import fonts
from hardware.sim.lens import Lens, Trouble

PHOTOS = Path(__file__).parents[3] / "shared" / "data" / "displays" / "dmd_photo"
CALM = Trouble(blur=0.6, noise=0.5, flicker=0.5, drift=0.0, glare=0.5, reflection=0.0)


@pytest.fixture
def new_reader() -> Callable[..., DisplayReader]:
    """A reader of the generic profile, with its networks."""
    return lambda corners=None: open_reader(load_profile("dmd-128x32"), corners=corners)


@pytest.fixture(scope="session")
def photos() -> list[tuple[Path, str]]:
    """Real photographs with the live score each shows (empty: none)."""
    labels = PHOTOS / "labels.csv"
    if not labels.exists():
        pytest.skip(f"measured photographs are not there: {PHOTOS}")
    with labels.open(newline="") as file:
        return [(PHOTOS / row["file"], row["right_value"]) for row in csv.DictReader(file)]


class Panel:
    """A screen drawn by hand: dots of 0 to 15."""

    def __init__(self, hand: int = 0) -> None:
        self.dots = np.zeros((32, 128), np.uint8)
        self.hand = fonts.HANDS[hand]

    def number(self, value: int, *, top: int, rows: int, left: int | None = None, right: int | None = None) -> "Panel":
        return self.stamp(fonts.number(value, rows, self.hand), top, left, right)

    def words(
        self, text: str, *, top: int, rows: int = 7, left: int | None = None, right: int | None = None
    ) -> "Panel":
        return self.stamp(fonts.text(text, rows), top, left, right)

    def stamp(self, glyph: np.ndarray, top: int, left: int | None, right: int | None) -> "Panel":
        place = (128 - glyph.shape[1]) // 2 if left is None else left
        place = max(0, place if right is None else right - glyph.shape[1])
        part = self.dots[top : top + glyph.shape[0], place : place + glyph.shape[1]]
        part[glyph[: part.shape[0], : part.shape[1]].astype(bool)] = 15
        return self

    def seen(self, seed: int = 1, *, trouble: Trouble = CALM, width: int = 960) -> tuple[np.ndarray, tuple]:
        """The picture and the display's corners in it."""
        lens = Lens(seed, width=width, height=width * 9 // 16, trouble=trouble)
        return lens.picture(self.dots, 4_000), lens.corners


@pytest.fixture
def panel() -> type[Panel]:
    return Panel
