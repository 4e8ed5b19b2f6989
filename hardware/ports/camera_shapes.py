"""Pictures of any shape as cameras give them, made the one kind the reader takes: grey or BGR, 8 bit.

Invariant: the same light gives the same values in every picture of one camera: nothing is stretched picture by picture.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.ports.base import Image

MOST_PIXELS = 64_000_000
_DEPTHS = (8, 10, 12, 14, 16)


class Shaper:
    """Turns one camera's arrays into pictures."""

    def __init__(self) -> None:
        self._bits = 8
        """Of what comes in 16: the fewest that held everything seen so far."""

    def shape(self, array: NDArray[Any]) -> Image:
        """A picture of height x width (grey) or height x width x 3 (BGR). Raises OSError for what is no picture."""
        if array.dtype == np.uint8 and (array.ndim == 1 or (array.ndim == 2 and 1 in array.shape)):
            array = _decode(array.ravel())
        if array.ndim not in {2, 3} or not array.size or array.shape[0] * array.shape[1] > MOST_PIXELS:
            raise OSError(f"the camera gives no picture but an array of {array.shape}")
        depth = array.shape[2] if array.ndim == 3 else 1
        if depth == 2 and array.dtype == np.uint8:
            return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_YUYV), np.uint8)
        if depth not in {1, 3, 4}:
            raise OSError(f"the camera gives pictures of {depth} channels: 1 (grey), 3 or 4 (colour) can be used")
        plain = self._to_8_bit(array)
        if array.ndim == 3:
            plain = plain[:, :, 0] if depth == 1 else plain[:, :, :3]
        return np.ascontiguousarray(plain)

    def _to_8_bit(self, array: NDArray[Any]) -> Image:
        if array.dtype == np.uint8:
            return np.asarray(array, np.uint8)
        if array.dtype == np.uint16:
            most = int(array.max())
            self._bits = max(self._bits, next(bits for bits in _DEPTHS if most < 2**bits))
            return np.asarray(array >> (self._bits - 8), np.uint8)
        if np.issubdtype(array.dtype, np.floating):
            return np.asarray(np.clip(np.nan_to_num(array), 0, 1) * 255, np.uint8)
        raise OSError(f"the camera gives numbers of type {array.dtype}: 8 or 16 bit can be used")


def _decode(data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A compressed picture (MJPEG as it came)."""
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size > 4 else None
    if image is None:
        raise OSError("the camera gave a damaged picture")
    return np.asarray(image, np.uint8)
