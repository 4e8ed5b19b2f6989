"""Whether a picture can be read at all, and if not, why: one short line for a person.

Judged before anything is read, from brightness, shape and the lattice. Invariant: a refusal names what to change.
"""

import numpy as np
from numpy.typing import NDArray

LEAST_LATTICE = 0.22
"""Agreement with the lattice below which there is none (noise reaches 0.1, the worst real display 0.37)."""


LEAST_LIGHT = 12
"""Steps of 255 by which lit dots are brighter than unlit ones, at the least."""


def refuse_picture(image: NDArray[np.uint8], columns: int, rows: int) -> tuple[str, str] | None:
    """One word and one line why the whole picture cannot show a display of this shape; None where it can."""
    height, width = image.shape[:2]
    if height < 2 * rows and width < 2 * columns:
        return "small", f"too small: {width} x {height} pixels for {columns} x {rows} dots"
    sample = image[:: max(1, height // 200), :: max(1, width // 200)]
    low, high = np.percentile(sample, (1, 99.8))
    if high < 24:
        return "dark", "dark: nothing is lit"
    if low > 200:
        return "white", "white: overexposed, or no display"
    if high - low < 16:
        return "blank", "blank: one even tone, no display"
    return None


def unlit(raw: NDArray[np.float32]) -> bool:
    """Whether no dot stands out from the others (2 x rows x columns, brightness 0..255)."""
    dark, bright = np.percentile(raw[0], (10, 99.7))
    return bool(bright - dark < LEAST_LIGHT)


def no_lattice(image: NDArray[np.uint8], columns: int, rows: int) -> str:
    """Why no lattice was found, as well as the picture's shape tells."""
    height, width = image.shape[:2]
    if width / height < 0.6 * columns / rows and height > width:
        return "no dots found: the picture stands on its side"
    return f"no lattice of {columns} x {rows} dots found: blurred, not a dot-matrix display, or it needs --corners"
