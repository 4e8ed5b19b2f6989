"""A folder of pictures named by milliseconds, played once as if a camera saw them now.

Not here: recordings that are read as fast as they can be (`replay`). Invariant: each file is bounded before it is read,
and one that is no whole picture costs itself alone.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from hardware.errors import PictureInvalid
from hardware.pictures import load_image
from hardware.ports.base import Image

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".webp", ".tif", ".tiff"})
LONGEST_GAP_S = 24 * 3600.0
"""Between two pictures: more is no recording that anybody waits for, but dates in the names."""


def play_folder(folder: Path, damaged: list[str]) -> Iterator[tuple[float, Image]]:
    """Pairs of seconds to wait and the picture to show then, in the order of the milliseconds in the files' names.

    Pictures that cannot be read are passed over and noted in `damaged`. Raises OSError where there is none at all, or
    where the names are no milliseconds.
    """
    files = [file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES]
    if not files:
        raise OSError("there is no picture in this folder")
    before: int | None = None
    for at, file in sorted((_moment(file), file) for file in files):
        wait = 0.0 if before is None else (at - before) / 1000
        if wait > LONGEST_GAP_S:
            raise OSError(f"{file.name} comes more than a day after the picture before: names count milliseconds")
        try:
            image, damage = load_image(file) if file.is_file() else (None, "it is no file")
        except PictureInvalid as error:
            image, damage = None, str(error)
        if image is None or damage:
            damaged.append(f"{file.name}: {damage}")
            continue
        yield wait, image
        before = at
    if before is None:
        raise OSError(f"none of its pictures can be read: {damaged[0]}")


def _moment(file: Path) -> int:
    numbers = re.findall(r"\d{1,15}", file.stem)
    return int(numbers[-1]) if numbers else 0
