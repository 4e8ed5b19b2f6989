"""Other ways to read the same crops: Tesseract, ssocr, and a plain template match. Nobody's code but theirs.

Each takes a picture (laid flat where its corners are known) and gives a text; none of them says how sure it is, so none
ever accepts. Invariant: a rival gets the better of what is known (corners, number of cells), as we do.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.displays_sets import Picture
from hardware.ports.base import Image

Rival = Callable[[Picture], str]
_SSOCR_S = 20


def flat(picture: Picture, *, high: int = 128) -> Image:
    """The display alone, `high` pixels high, as grey."""
    image = picture.image
    if picture.corners is not None:
        quad = np.array(picture.corners, np.float32)
        wide = float(np.linalg.norm(quad[1] - quad[0])) / max(1.0, float(np.linalg.norm(quad[3] - quad[0])))
        size = (max(8, round(high * wide)), high)
        there = np.array([[0, 0], [size[0], 0], size, [0, high]], np.float32)
        image = np.asarray(cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, there), size), np.uint8)
    grey = image[:, :, 1] if image.ndim == 3 else image
    return np.asarray(
        cv2.resize(grey, (max(8, grey.shape[1] * high // grey.shape[0]), high), interpolation=cv2.INTER_CUBIC), np.uint8
    )


def tesseract(mode: int, *, letters: bool = False) -> Rival:
    """Tesseract with a white list; of several words the longest."""
    os.environ.setdefault("TESSDATA_PREFIX", str(Path(sys.prefix) / "share" / "tessdata"))
    import pytesseract  # noqa: PLC0415 (one exception more: a measurement beside the product)

    signs = "0123456789,." + ("ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letters else "")

    def read(picture: Picture) -> str:
        grey = flat(picture)
        _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
        if black.mean() < 128:
            black = 255 - black
        said: str = pytesseract.image_to_string(black, config=f"--psm {mode} -c tessedit_char_whitelist={signs}")
        if letters:
            return re.sub(r"[^0-9A-Z ]", "", said.replace("\n", " ")).strip()
        return max((re.sub(r"\D", "", word) for word in said.split()), key=len, default="")

    return read


def ssocr() -> Rival | None:
    """The Debian package, a process a picture; None where it is not installed."""
    program = shutil.which("ssocr")
    if program is None:
        return None

    def read(picture: Picture) -> str:
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            cv2.imwrite(file.name, flat(picture))
            light = [] if picture.image.mean() > 128 else ["-f", "white"]
            many = str(picture.cells) if picture.cells else "-1"
            done = subprocess.run(
                [program, "-d", many, *light, "-T", file.name],
                capture_output=True, text=True, timeout=_SSOCR_S, check=False,
            )  # fmt: skip
        return re.sub(r"[^0-9]", "", done.stdout)

    return read


def template(kind: str) -> Rival:
    """Each digit of a typeface of that kind, slid over the lit part of the crop; the best in each place."""

    def read(picture: Picture) -> str:
        grey = flat(picture, high=48)
        if kind == "plain":  # dots are no strokes: melt them together
            grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.2), np.uint8)
        _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        if black.mean() > 128:
            black = 255 - black
        lit = np.flatnonzero(black.any(axis=1))
        if len(lit) < 12 or not black.any():
            return ""
        cut = cv2.resize(black[lit[0] : lit[-1] + 1], (black.shape[1], 40), interpolation=cv2.INTER_AREA)
        return _slide(np.asarray(cut, np.float32) / np.float32(255), _glyphs(kind))

    return read


def _slide(line: NDArray[np.float32], glyphs: dict[str, NDArray[np.float32]]) -> str:
    found: list[tuple[float, int, str, int]] = []
    for sign, glyph in glyphs.items():
        if glyph.shape[1] > line.shape[1]:
            continue
        scores = cv2.matchTemplate(line, glyph, cv2.TM_CCOEFF_NORMED)[0]
        found += [(float(scores[x]), int(x), sign, glyph.shape[1]) for x in np.flatnonzero(scores > 0.6)]
    taken: list[tuple[int, str, int]] = []
    for _, x, sign, wide in sorted(found, reverse=True):
        if all(abs(x - other) >= 0.7 * min(wide, width) for other, _, width in taken):
            taken.append((x, sign, wide))
    return "".join(sign for _, sign, _ in sorted(taken))


@cache
def _glyphs(kind: str) -> dict[str, NDArray[np.float32]]:
    """Ten digits, 40 pixels high: of segments, or of a plain typeface."""
    glyphs = {}
    for digit in "0123456789":
        canvas = np.zeros((64, 64), np.uint8)
        if kind == "segments":
            _draw_segments(canvas, digit)
        else:
            cv2.putText(canvas, digit.replace("0", "O"), (8, 52), cv2.FONT_HERSHEY_DUPLEX, 1.7, 255, 5, cv2.LINE_AA)
        rows, columns = np.flatnonzero(canvas.any(axis=1)), np.flatnonzero(canvas.any(axis=0))
        cut = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        wide = max(6, cut.shape[1] * 40 // cut.shape[0])
        glyphs[digit] = np.asarray(cv2.resize(cut, (wide, 40), interpolation=cv2.INTER_AREA), np.float32) / np.float32(
            255
        )
    return glyphs


def _draw_segments(canvas: NDArray[np.uint8], digit: str) -> None:
    lit = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")[int(digit)]
    ends = {
        "a": ((20, 6), (44, 6)), "b": ((46, 8), (46, 28)), "c": ((46, 32), (46, 54)), "d": ((20, 56), (44, 56)),
        "e": ((18, 32), (18, 54)), "f": ((18, 8), (18, 28)), "g": ((20, 30), (44, 30)),
    }  # fmt: skip
    for name in lit:
        cv2.line(canvas, *ends[name], 255, 5)
