"""The two networks that look at wheels, and the planes that they see. Their bytes come from outside.

`colour` sees blue, green and red, `bright` the brightest and the darkest channel; they share no weights. How they were
made and how well they do: models/README.md. Invariant: same picture in, same answer out.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float32]
ROWS, COLUMNS = 32, 20
"""Pixels of a wheel's picture."""
PLACES = 100
"""10 x the digit nearest to the middle + the tenths of a pitch by which it stands too high, round the wheel."""
_FLOOR = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one network says of n wheels: n x 100 chances of the places, and n chances that it is a wheel at all, that
    its digit is cut or covered, and that digits travel up (which means something only where two show).
    """

    places: Values
    wheel: Values
    cut: Values
    up: Values


@dataclass(frozen=True, slots=True)
class WheelNets:
    """Loaded networks. One at a time: cv2.dnn nets keep state while they run."""

    colour: cv2.dnn.Net
    bright: cv2.dnn.Net

    def look(self, pictures: NDArray[np.uint8]) -> tuple[Said, Said]:
        """What each network says of n x 32 x 20 x 3 pictures (BGR)."""
        planes = pictures.astype(np.float32).transpose(0, 3, 1, 2) / np.float32(255)
        brightest_darkest = np.stack([planes.max(1), planes.min(1)], 1)
        return _ask(self.colour, _stretch(planes, (1, 2, 3))), _ask(self.bright, _stretch(brightest_darkest, (2, 3)))


def load_wheel_nets(colour: bytes, bright: bytes) -> WheelNets:
    """Make the networks of the two ONNX files' bytes."""
    return WheelNets(*[cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)) for data in (colour, bright)])


def shipped_wheel_nets() -> WheelNets:
    """Networks of one's own, of the files that ship with the product."""
    return load_wheel_nets(*_files())


@cache
def _files() -> tuple[bytes, bytes]:
    folder = files("capture.vision") / "models"
    return (folder / "reel-colour.onnx").read_bytes(), (folder / "reel-bright.onnx").read_bytes()


def _stretch(planes: Values, over: tuple[int, ...]) -> Values:
    mean = planes.mean(over, keepdims=True)
    stretched: Values = (planes - mean) / np.maximum(planes.std(over, keepdims=True), np.float32(_FLOOR))
    return stretched


def _ask(net: cv2.dnn.Net, planes: Values) -> Said:
    net.setInput(np.ascontiguousarray(planes, np.float32))
    logits = np.asarray(net.forward(), np.float32)
    raised = np.exp(logits[:, :PLACES] - logits[:, :PLACES].max(1, keepdims=True))
    yes = np.asarray(1 / (1 + np.exp(-np.clip(logits[:, PLACES:], -30, 30))), np.float32)
    return Said(places=raised / raised.sum(1, keepdims=True), wheel=yes[:, 0], cut=yes[:, 1], up=yes[:, 2])
