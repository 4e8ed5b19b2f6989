"""The fonts to learn from: our own strokes, and libre fonts' outlines and bitmaps turned into dots.

Each font is a dict from sign to dots (rows x columns, 0 or 1), all `rows` high, with its group mark. Only dots are
kept; no font file is copied. Every font has a family: validation takes whole families out of training.
"""

from __future__ import annotations

import pathlib
import zlib
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from strokes import DIGITS, LETTERS, MARKS, comma, draw_font, trim

SIGNS = DIGITS + LETTERS + "".join(MARKS)
TWINS = (("0", "O"), ("1", "I"), ("5", "S"), ("2", "Z"), ("8", "B"), ("6", "G"), ("7", "T"), ("0", "D"), ("0", "Q"))
LIVELY = [5, 5, 6, 7, 7, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13, 14, 15, 16, 17, 18, 19, 20, 21]


@dataclass(slots=True)
class Font:
    """One dot font."""

    family: str
    rows: int
    glyphs: dict[str, np.ndarray]
    group: np.ndarray
    drop: int
    gap: int
    same: dict[str, str] = field(default_factory=dict)
    """Letters whose dots are a digit's dots: they are taught as that digit."""


def make_fonts(seed: int, strokes: int = 2200, outlines: int = 1500) -> list[Font]:
    """All fonts, the same for the same seed and the same installed font packages."""
    rng = np.random.default_rng(seed)
    made = [_stroke(rng, i) for i in range(strokes)]
    files = sorted(p for suffix in ("ttf", "otf") for p in pathlib.Path("/usr/share/fonts").rglob(f"*.{suffix}"))
    files = [file for file in files if _latin(file)]
    for i in range(outlines if files else 0):
        made += _outline(rng, files[i % len(files)])
    for file in sorted(pathlib.Path("/usr/share/fonts/X11").rglob("*.pcf.gz")):
        made += _bitmap(rng, file)
    return [font for font in made if _usable(font)]


def held_out(font: Font) -> bool:
    """Every tenth family is for validation."""
    return zlib.crc32(font.family.encode()) % 10 == 0


def _stroke(rng: np.random.Generator, number: int) -> Font:
    rows = int(rng.choice(LIVELY))
    columns = max(3, round(rows * rng.choice([0.35, 0.45, 0.55, 0.6, 0.7, 0.75, 0.85, 1.0, 1.2])))
    thick = 1 if rows < 7 else int(rng.integers(1, max(2, rows // 4) + 1))
    across = max(1, min(columns // 3, thick + int(rng.integers(-1, 2))))
    pen = (across, max(1, min(rows // 4, thick)))
    glyphs = draw_font(rng, rows, columns, pen)
    group, drop = comma(rng, rows, pen)
    return _finish(rng, f"stroke{number // 4}", rows, glyphs, (group, drop), pen)


def _outline(rng: np.random.Generator, file: pathlib.Path) -> list[Font]:
    rows = int(rng.choice(LIVELY))
    stretch, cut = float(rng.choice([0.6, 0.8, 1.0, 1.0, 1.2, 1.4])), rng.uniform(0.32, 0.6)
    scale = 12
    try:
        face = ImageFont.truetype(str(file), 200)
        box = face.getbbox("H")
        face = ImageFont.truetype(str(file), max(8, round(200 * rows * scale / max(1, box[3] - box[1]))))
        top, bottom = face.getbbox("H")[1], face.getbbox("H")[3]
        glyphs = {sign: _ink(face, sign, (top, bottom), rows, stretch, cut) for sign in SIGNS}
    except (OSError, ValueError):
        return []
    if any(glyph is None for sign, glyph in glyphs.items() if sign in DIGITS + LETTERS):
        return []
    kept = {sign: glyph for sign, glyph in glyphs.items() if glyph is not None}
    pen = (max(1, rows // 7), max(1, rows // 7))
    return [_finish(rng, file.stem, rows, kept, comma(rng, rows, pen), pen)]


def _ink(
    face: ImageFont.FreeTypeFont, sign: str, span: tuple[int, int], rows: int, stretch: float, cut: float
) -> np.ndarray | None:
    left, _, right, _ = face.getbbox(sign)
    if right - left < 2 or right - left > 4000:
        return None
    top, bottom = span
    canvas = Image.new("L", (right - left, max(1, bottom - top)))
    ImageDraw.Draw(canvas).text((-left, -top), sign, fill=255, font=face)
    columns = max(1, round((right - left) / (bottom - top) * rows * stretch))
    small = np.asarray(canvas.resize((columns, rows), Image.Resampling.BOX), np.float32) / 255
    glyph = trim((small > cut).astype(np.uint8))
    return glyph if glyph.any() else None


def _bitmap(rng: np.random.Generator, file: pathlib.Path) -> list[Font]:
    for size in range(5, 40):
        try:
            face = ImageFont.truetype(str(file), size)
        except OSError:
            continue
        box = face.getbbox("H")
        rows = int(box[3] - box[1])
        if not 5 <= rows <= 22:
            return []
        glyphs = {}
        for sign in SIGNS:
            left, _, right, _ = face.getbbox(sign)
            canvas = Image.new("1", (max(1, int(right - left)), rows))
            draw = ImageDraw.Draw(canvas)
            draw.fontmode = "1"
            draw.text((-left, -box[1]), sign, fill=1, font=face)
            glyph = np.asarray(canvas, np.uint8)
            if glyph.any():
                glyphs[sign] = trim(glyph)
        pen = (max(1, rows // 8), max(1, rows // 8))
        return [_finish(rng, "x11" + file.stem[:6], rows, glyphs, comma(rng, rows, pen), pen)]
    return []


def _finish(rng: np.random.Generator, family: str, rows: int, glyphs: dict, mark: tuple, pen: tuple) -> Font:
    if rows <= 10 and rng.random() < 0.12:
        glyphs = {sign: np.repeat(glyph, 2, 1) for sign, glyph in glyphs.items()}
    gap = int(rng.choice([1, 1, 1, 2, 2, 3])) if rows < 12 else int(rng.choice([1, 1, 2, 2, 3, 4]))
    same = {}
    for digit, letter in TWINS:
        a, b = glyphs.get(digit), glyphs.get(letter)
        if a is not None and b is not None and a.shape == b.shape and int((a != b).sum()) <= (a.size > 60):
            same[letter] = digit
    return Font(
        family=family, rows=rows, glyphs=glyphs, group=mark[0], drop=mark[1], gap=max(gap, pen[0] // 2), same=same
    )


def _latin(file: pathlib.Path) -> bool:
    """Holds plain letters and digits that differ from each other (symbol fonts do not)."""
    try:
        face = ImageFont.truetype(str(file), 40)
        inks = {bytes(face.getmask(sign)) for sign in "0123456789AEHKTX"}
    except (OSError, ValueError):
        return False
    return len(inks) >= 15


def _usable(font: Font) -> bool:
    digits = [font.glyphs.get(sign) for sign in DIGITS]
    if any(glyph is None or glyph.shape[1] > 24 for glyph in digits):
        return False
    sights = {(glyph.shape, glyph.tobytes()) for glyph in digits}
    fill = np.mean([glyph.mean() for glyph in digits])
    return len(sights) == 10 and 0.15 < fill < 0.9 and not _close(digits)


def _close(digits: list) -> bool:
    """Two digits that differ in fewer than two dots cannot be told apart by anyone."""
    for i, a in enumerate(digits):
        for b in digits[i + 1 :]:
            if a.shape == b.shape and int((a != b).sum()) < 2:
                return True
    return False
