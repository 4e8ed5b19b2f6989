"""A folder of pictures named by milliseconds, played once as if a camera saw them now.

Not here: recordings that are read as fast as they can be (`replay`). Invariant: each file is bounded before it is read.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from hardware.ports.base import Image

LARGEST_FILE = 64 * 2**20
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".webp", ".tif", ".tiff"})


def play_folder(folder: Path) -> Iterator[tuple[float, Image]]:
    """Pairs of seconds to wait and the picture to show then, in the order of the milliseconds in the files' names.

    Raises OSError with the file's name where one cannot be read.
    """
    files = [file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES]
    before: int | None = None
    for at, file in sorted((_moment(file), file) for file in files):
        if file.stat().st_size > LARGEST_FILE:
            raise OSError(f"{file.name} is larger than {LARGEST_FILE // 2**20} MB")
        image = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if image is None:
            raise OSError(f"{file.name} is no picture that can be read")
        yield (0.0 if before is None else (at - before) / 1000), np.asarray(image, np.uint8)
        before = at


def _moment(file: Path) -> int:
    numbers = re.findall(r"\d{1,15}", file.stem)
    return int(numbers[-1]) if numbers else 0
