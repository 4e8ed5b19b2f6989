"""Evidence: what a display showed, as a small picture that an official sees and a font can be taught from.

Encoding alone; what of the camera's picture is shown, the readers say. Invariant: nothing is larger than it helps.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.signals import Picture
from capture.vision.errors import VisionInvalid

MOST_SIDE = 1280
"""Pixels: a whole camera picture is shrunk to this."""
DOT = 6
"""Pixels a side of an exact dot."""


def encode_jpeg(flat: NDArray[np.uint8], quality: int = 85) -> Picture:
    """A picture laid flat (height x width, or height x width x 3), as a JPEG. Raises VisionInvalid where it is none."""
    done, data = cv2.imencode(".jpg", flat, (cv2.IMWRITE_JPEG_QUALITY, quality))
    if not done:
        raise VisionInvalid("the picture cannot be encoded")
    return Picture(data.tobytes(), "image/jpeg")


def encode_whole(image: NDArray[np.uint8], quality: int = 85) -> Picture:
    """The camera's whole picture, shrunk to `MOST_SIDE`, as a JPEG."""
    shrink = MOST_SIDE / max(image.shape[:2])
    if shrink < 1:
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    return encode_jpeg(image, quality)


def encode_dots(levels: NDArray[np.float32]) -> Picture:
    """Exact dots (rows x columns, 0 dark to 1 brightest), kept exactly: enlarged, as a PNG."""
    dots = np.asarray(np.clip(levels, 0, 1) * 255, np.uint8)
    _, data = cv2.imencode(".png", dots.repeat(DOT, axis=0).repeat(DOT, axis=1))
    return Picture(data.tobytes(), "image/png")
