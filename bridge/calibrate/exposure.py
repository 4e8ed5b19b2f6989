"""Whether the camera's exposure suits the display: too bright, too dark, flicker. Pictures in, hints out; pure.

Judged within the display's corners, over the last pictures. Invariant: a hint says what to do.
"""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.ports.base import Image

_KEPT = 16
"""Pictures over which flicker is judged."""
_FULL, _DIM, _FLAT = 250, 70, 24
_BURNT = 0.35
"""Share of what is lit that may be burnt out: more, and the gaps fill."""
_PULSE, _BANDS = 0.06, 0.14
"""Change of the whole, and spread of the change over rows, between two pictures: the median of many, so that what the
display itself changes does not count."""


class ExposureWatch:
    """Looks at one camera's pictures."""

    def __init__(self) -> None:
        self._rows: deque[NDArray[np.float64]] = deque(maxlen=_KEPT)

    def see(self, image: Image, corners: Sequence[tuple[float, float]] | None) -> None:
        """Take the next picture."""
        part = _part(image, corners)
        rows = part.mean(1, dtype=np.float64)
        if self._rows and self._rows[0].shape != rows.shape:
            self._rows.clear()
        self._rows.append(rows)

    def forget(self) -> None:
        """The camera was set anew."""
        self._rows.clear()

    def hints(self, image: Image, corners: Sequence[tuple[float, float]] | None) -> list[tuple[str, str]]:
        """Pairs of a word and a line for a person."""
        part = _part(image, corners)
        bright = float(np.percentile(part, 99.7))
        told = []
        if bright < _FLAT:
            told.append(("dark", "Nothing is lit: is the machine on, and the lens uncovered?"))
        elif bright < _DIM:
            told.append(("dark", "Too dark: expose longer, or raise the gain."))
        elif bright >= _FULL and _burnt(part) > _BURNT:
            told.append(("bright", "Too bright: what is lit runs together. Expose shorter or lower the gain."))
        return told + ([("flicker", _FLICKER)] if self._flickers() else [])

    def _flickers(self) -> bool:
        if len(self._rows) < _KEPT // 2:
            return False
        rows = np.stack(self._rows)
        ratios = (rows[1:] + 8) / (rows[:-1] + 8)
        pulse = np.abs(np.log((rows.mean(1)[1:] + 4) / (rows.mean(1)[:-1] + 4)))
        return bool(np.median(pulse) > _PULSE or np.median(ratios.std(1)) > _BANDS)


_FLICKER = "Flicker: pictures catch parts of the display unlit. Expose for two refresh periods or more."


def _part(image: Image, corners: Sequence[tuple[float, float]] | None) -> NDArray[np.uint8]:
    """The display's box, one plane of it (green: on plasma, red is burnt out as a rule), small enough to be quick."""
    plane = image if image.ndim == 2 else image[:, :, 1]
    if corners is not None:
        points = np.asarray(corners)
        (left, top), (right, bottom) = points.min(0).astype(int), np.ceil(points.max(0)).astype(int)
        cut = plane[max(0, top) : max(0, bottom) + 1, max(0, left) : max(0, right) + 1]
        plane = cut if cut.size else plane
    shrink = max(plane.shape) / 400
    if shrink <= 1:
        return plane
    size = (max(1, round(plane.shape[1] / shrink)), max(1, round(plane.shape[0] / shrink)))
    return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _burnt(part: NDArray[np.uint8]) -> float:
    """Which share of what is lit is at the camera's limit."""
    lit = int((part > 128).sum())
    return float((part >= _FULL).sum()) / lit if lit else 0.0
