"""Our own dot fonts: letters as pen paths on a 4 x 6 grid, drawn in any size, weight and corner style.

Nothing here is traced from a machine. A path is points `xy` (digits on the grid), `r` marks a corner that may be
rounded, `;` lifts the pen. Several variants of a sign are several ways in which people write it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"

PATHS: dict[str, list[str]] = {
    "0": ["20 40r 46r 06r 00r 20"],
    "1": ["11 20 26;06 46", "20 26", "10 20 26", "02 20 26", "01 20 26;16 36", "11 20 26"],
    "2": ["01 00r 40r 43r 03r 06 46", "01 00r 40r 42 06 46", "00 40r 43r 03r 06 46", "01 00r 40r 43 05 06 46"],
    "3": ["01 00r 40r 46r 06r 05;13 43", "00 40r 46r 06;03 43", "00 40 22 42r 46r 06r 05", "00 40r 46r 06;13 43"],
    "4": ["00 03 43;40 46", "30 04 44;30 36", "00 04 44;30 36", "20 04 44;30 36", "01 03r 43;40 46"],
    "5": ["40 00 03 43r 46r 06r 05", "40 00 03 43r 46r 06", "40 00 02 42r 46r 06r 05"],
    "6": ["41 40r 00r 06r 46r 43r 03", "40 00r 06r 46r 43r 03", "30 03r 06r 46r 43r 03", "00 06r 46r 43r 03"],
    "7": ["00 40 46", "00 40 41 26", "00 40 42 16", "01 00 40 46", "00 40 23 26"],
    "8": ["20 40r 46r 06r 00r 20;03 43", "20 40r 46r 06r 00r 20;13 33"],
    "9": ["43 03r 00r 40r 46r 06r 05", "43 03r 00r 40r 46", "43 03r 00r 40r 46r 06", "43 03r 00r 40r 43 16"],
    "A": ["06 00r 40r 46;03 43", "06 02 20 42 46;04 44", "06 20 46;14 34"],
    "B": ["00 40r 43r 46r 06 00;03 43", "00 30 41 42 33 44 45 36 06 00;03 33"],
    "C": ["40 00r 06r 46", "41 40r 00r 06r 46r 45"],
    "D": ["00 30 41 45 36 06 00", "00 40r 46r 06 00"],
    "E": ["40 00 06 46;03 33", "40 00 06 46;03 43", "40r 00r 06r 46;03 33"],
    "F": ["40 00 06;03 33", "40 00 06;03 43"],
    "G": ["41 40r 00r 06r 46 43 23", "40 00r 06r 46r 43 33"],
    "H": ["00 06;40 46;03 43"],
    "I": ["20 26", "10 30;20 26;16 36", "00 40;20 26;06 46"],
    "J": ["40 46r 06r 04", "20 40;30 36r 06r 05"],
    "K": ["00 06;40 03 46", "00 06;40 42 03 44 46", "00 06;03 23 40;23 46"],
    "L": ["00 06 46"],
    "M": ["06 00 22 40 46", "06 00r 40r 46;20 24", "06 00 24 40 46", "06 00r 40r 46;20 26"],
    "N": ["06 00 46 40", "06 00r 40r 46", "06 00 01 45 46 40"],
    "O": ["20 40r 46r 06r 00r 20", "20 30 41 45 36 16 05 01 10 20"],
    "P": ["06 00 40r 43r 03", "06 00 40r 44r 04"],
    "Q": ["20 40r 46r 06r 00r 20;24 46", "20 40r 46r 06r 00r 20;34 46"],
    "R": ["06 00 40r 43r 03;23 46", "06 00 40r 43r 03;43 46", "06 00 40r 43 03;13 46"],
    "S": ["41 40r 00r 03r 43r 46r 06r 05", "40 00r 03r 43r 46r 06", "40 00 03 43 46 06"],
    "T": ["00 40;20 26"],
    "U": ["00 06r 46r 40"],
    "V": ["00 03 26 43 40", "00 26 40", "00 04 26 44 40"],
    "W": ["00 06 24 46 40", "00 06r 46r 40;20 26", "00 16 22 36 40", "00 06r 46r 40;22 26"],
    "X": ["00 46;40 06", "00 01 45 46;40 41 05 06"],
    "Y": ["00 23 40;23 26", "00 03r 43r 40;23 26", "00 02 23 42 40;23 26"],
    "Z": ["00 40 06 46", "00 40 41 05 06 46"],
}
MARKS: dict[str, list[str]] = {
    "=": ["02 42;04 44"],
    "-": ["03 43", "13 33"],
    "+": ["03 43;21 25"],
    "#": ["10 16;30 36;02 42;04 44"],
    "/": ["40 06"],
    "!": ["20 24;26 26"],
    "?": ["00 40r 43 23 24;26 26"],
    ":": ["21 21;25 25"],
    "*": ["23 01;23 41;23 05;23 45"],
    "%": ["40 06;00 01;45 46"],
    "&": ["46 01 10 21 03 05 16 43"],
}


def draw_font(rng: np.random.Generator, rows: int, columns: int, pen: tuple[int, int]) -> dict[str, np.ndarray]:
    """Every letter, digit and mark, `rows` high and about `columns` wide, drawn with a pen of (width, height) dots."""
    style = _Style(rng, rows, columns, pen)
    font = {sign: style.draw(paths[rng.integers(len(paths))]) for sign, paths in (PATHS | MARKS).items()}
    if rng.random() < 0.6:  # a consistent hand: like signs alike
        font["O"] = font["0"] if rng.random() < 0.4 else font["O"]
    font["8"], font["0"] = style.draw(PATHS["8"][0]), style.draw(PATHS["0"][0])
    if rng.random() < 0.08:
        font["0"] = style.draw(PATHS["0"][0] + ";13 13;23 23;33 33")
    for sign in "1I":
        font[sign] = trim(font[sign])
    for sign in ("!", ":", "."):
        font[sign] = trim(font.get(sign, np.ones((rows, pen[0]), np.uint8)))
    return font


def comma(rng: np.random.Generator, rows: int, pen: tuple[int, int]) -> tuple[np.ndarray, int]:
    """A group mark and how far it hangs below the line."""
    width, height = max(1, min(pen[0], 3)), max(1, min(pen[1], 3))
    drop = int(rng.integers(0, max(2, rows // 5)))
    body = np.ones((height + drop, width), np.uint8)
    if drop and width > 1:
        body[height:, width // 2 :] = 0
    if drop and rng.random() < 0.5:
        wide = np.zeros((height + drop, width + 1), np.uint8)
        wide[:height, 1:] = 1
        wide[height:, :width] = 1
        body = wide
    return body, drop


def trim(glyph: np.ndarray) -> np.ndarray:
    """Without its empty columns at both sides."""
    lit = np.flatnonzero(glyph.any(0))
    return glyph[:, lit[0] : lit[-1] + 1] if lit.size else glyph[:, :1]


class _Style:
    def __init__(self, rng: np.random.Generator, rows: int, columns: int, pen: tuple[int, int]) -> None:
        self.rows, self.columns, self.pen = rows, columns, pen
        self.radius = rng.choice([0.0, 0.5, 1.0, 1.0, 1.4])
        self.waist = rng.uniform(2.6, 3.4)
        self.jitter = rng.normal(0, 0.12, (5, 7, 2)) if rng.random() < 0.4 else np.zeros((5, 7, 2))
        self.jitter[[0, 4], :, 0] = 0
        self.jitter[:, [0, 6], 1] = 0
        self.slant = rng.uniform(0.1, 0.35) if rng.random() < 0.08 else 0.0
        self.round_pen = min(pen) >= 3 and rng.random() < 0.4

    def draw(self, path: str) -> np.ndarray:
        width, height = self.pen
        lean = round(self.slant * (self.rows - height))
        glyph = np.zeros((self.rows, self.columns + lean), np.uint8)
        stamp = np.ones((height, width), np.uint8)
        if self.round_pen:
            stamp[0, 0] = stamp[0, -1] = stamp[-1, 0] = stamp[-1, -1] = 0
        for stroke in path.split(";"):
            for x, y in self._walk(stroke.split()):
                top = round(y * (self.rows - height))
                left = round(x * (self.columns - width) + self.slant * (self.rows - height - top))
                spot = glyph[top : top + height, left : left + width]
                np.maximum(spot, stamp[: spot.shape[0], : spot.shape[1]], out=spot)
        return glyph

    def _walk(self, points: list[str]) -> list[tuple[float, float]]:
        """The pen's places in 0..1, a tenth of a dot apart."""
        corners = [self._place(point) for point in points]
        smooth: list[tuple[float, float]] = []
        for i, (point, corner) in enumerate(zip(points, corners, strict=True)):
            if point.endswith("r") and 0 < i < len(corners) - 1 and self.radius:
                smooth += [self._toward(corner, corners[i - 1]), self._toward(corner, corners[i + 1])]
            else:
                smooth.append(corner)
        if len(smooth) == 1:
            return smooth
        places: list[tuple[float, float]] = []
        for (x0, y0), (x1, y1) in pairwise(smooth):
            steps = 2 + int(3 * max(abs(x1 - x0) * self.columns, abs(y1 - y0) * self.rows))
            places += [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in np.linspace(0, 1, steps)]
        return places

    def _place(self, point: str) -> tuple[float, float]:
        x, y = int(point[0]), int(point[1])
        dx, dy = self.jitter[x, y]
        v = y * self.waist / 3 if y <= 3 else self.waist + (y - 3) * (6 - self.waist) / 3
        return min(1.0, max(0.0, (x + dx) / 4)), min(1.0, max(0.0, (v + dy) / 6))

    def _toward(self, corner: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
        dx, dy = (other[0] - corner[0]) * 4, (other[1] - corner[1]) * 6
        share = min(0.5, self.radius / max(1e-6, float(np.hypot(dx, dy))))
        return corner[0] + dx / 4 * share, corner[1] + dy / 6 * share
