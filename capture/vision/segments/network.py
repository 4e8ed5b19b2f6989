"""The networks for segments, run by OpenCV: what a cell shows, and where cells stand in a picture.

Arrays in, chances out. Not here: geometry, and what is concluded. Invariant: nothing is remembered between calls.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import cv2
import numpy as np

from capture.vision.segments.codes import SEVEN, SEVEN_KINDS, SIXTEEN, SIXTEEN_KINDS, spelled
from capture.vision.segments.strip import Values

STRIDE, REACH = 4, 16.0
"""The finder's grid in pixels, and the unit of its corners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """For n cells: `kinds` n x (signs, blank, none) chances; `codes` n x signs, how well the segments spell each sign,
    as log chances; `point` n chances; `corners` n x 4 x 2: the digit's, in the frame of the cell as it was cut.
    """

    kinds: Values
    codes: Values
    corners: Values


@dataclass(frozen=True, slots=True)
class CellNetwork:
    """Names cells of 7, or of 14 and 16 segments. One at a time: cv2.dnn nets keep state while they run."""

    net: Any
    signs: str
    table: Values
    owners: tuple[int, ...]

    def name(self, cells: Values) -> Named:
        """Name cells: n x 2 x 48 x 32 as `strip.cut_cells` cuts them."""
        self.net.setInput(cells)
        said = np.asarray(self.net.forward(), np.float32).reshape(len(cells), -1)
        kinds, bits = len(self.signs) + 2, self.table.shape[1]
        lit = said[:, kinds : kinds + bits]
        on, off = -np.logaddexp(0, -lit), -np.logaddexp(0, lit)
        spelled_by = on @ self.table.T + off @ (1 - self.table).T
        codes = np.full((len(cells), len(self.signs)), -99.0, np.float32)
        for column, owner in enumerate(self.owners):
            codes[:, owner] = np.maximum(codes[:, owner], spelled_by[:, column])
        nominal = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        corners = nominal + np.clip(said[:, kinds + bits + 1 :].reshape(-1, 4, 2), -0.8, 0.8)
        return Named(kinds=_softmax(said[:, :kinds]), codes=codes, corners=corners)


def load_cells(data: bytes, segments: int) -> CellNetwork:
    """The network of an ONNX file's bytes, for 7 or for 14 and 16 segments."""
    seven, sixteen = spelled()
    codes, signs = (seven, SEVEN_KINDS) if segments == 7 else (sixteen, SIXTEEN_KINDS)
    table = np.array(list(codes), np.float32)
    assert table.shape[1] == (len(SEVEN) if segments == 7 else len(SIXTEEN))  # noqa: S101 - our own tables
    return CellNetwork(_load(data), signs, table, tuple(signs.index(sign) for sign in codes.values()))


def shipped_cells(segments: int) -> CellNetwork:
    """A network of one's own, of the file that ships with the product."""
    return load_cells(_file("seg7" if segments == 7 else "seg16"), segments)


@dataclass(frozen=True, slots=True)
class FindNetwork:
    """Finds cells in a picture."""

    net: Any

    def find(self, picture: Values) -> tuple[Values, Values]:
        """In rows x columns x 3 (BGR, 0 to 1, multiples of 8): chance of a digit's middle on a grid of a quarter, and
        the corners (rows x columns x 4 x 2, pixels) of the digit there.
        """
        self.net.setInput(picture.transpose(2, 0, 1)[None])
        said = np.asarray(self.net.forward(), np.float32)[0]
        rows, columns = said.shape[1:]
        ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32) * STRIDE + STRIDE / 2
        corners = said[1:].transpose(1, 2, 0).reshape(rows, columns, 4, 2) * REACH
        chance = 1 / (1 + np.exp(-said[0]))
        return chance, (corners + np.stack([xs, ys], -1)[:, :, None]).astype(np.float32)


def shipped_finder() -> FindNetwork:
    """A finder of one's own, of the file that ships with the product."""
    return FindNetwork(_load(_file("segfind")))


def _load(data: bytes) -> Any:  # noqa: ANN401 - cv2.dnn has no types
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


@cache
def _file(name: str) -> bytes:
    return (files("capture.vision") / "models" / f"{name}.onnx").read_bytes()


def _softmax(logits: Values) -> Values:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    share: Values = raised / raised.sum(1, keepdims=True)
    return share
