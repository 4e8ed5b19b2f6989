"""The digits to learn wheels from: our own pen strokes and libre fonts' outlines, as small grey masks.

An atlas is glyphs of HIGH x WIDE, 0..255, the digit filling the height and standing in the middle. Beside it a second
one of what is no digit of a wheel: letters, seven-segment digits, digits mirrored or upside down. No font is copied.
"""

from __future__ import annotations

import pathlib
import zlib
from itertools import pairwise

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from strokes import PATHS

HIGH, WIDE = 64, 56
FAMILIES = (
    "DejaVu Liberation Nimbus Roadgeek DIN OCR Roboto Lato OpenSans Oswald Bebas Play Dosis Cabin Quicksand Hack "
    "Inconsolata JetBrains PT Inter Manrope Karla Allerta routed osifont B612 Switzera Verana Gillius Yanone "
    "URWGothic C059 P052 Bookman Carlito ClearSans Averia Spartan Comfortaa Jura Mono"
)
LETTERS = "ACEFHJKLMNPRTUVXYadefhknrt+-=/?%&#*"
"""None that a digit may be taken for."""
MORE = {
    "0": ["20 30r 40r 46r 06r 00r 10r 20", "20 41 45 26 05 01 20"],
    "1": ["20 26", "11 20 26", "02 20 26", "11 20 26;16 36"],
    "4": ["30 04 44;30 36", "10 04 44;33 36", "00 03 43;41 46", "10 03 43;32 36", "30 05 45;30 36"],
    "6": ["40 10r 02r 06r 46r 43r 03", "30 03r 06r 46r 43r 13r 03", "41 40r 00r 06r 46r 42r 02"],
    "7": ["00 40 26", "00 40 16", "01 00 40 24 26"],
    "9": ["43 03r 00r 40r 46r 06r 05", "43 03r 00r 40r 43r 16", "44 04r 00r 40r 46r 06r 05"],
    "3": ["00 40 23 43r 46r 06r 05", "00 40 22 42r 46r 06r 05", "01 00r 40r 42 33 13;33 44 46r 06r 05"],
    "2": ["01 00r 40r 43r 06 46", "01 00r 40r 42 06 46", "01 00r 30 41 42 06 46"],
}


def make_atlas(seed: int, drawn: int = 420) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Digits (fonts x 10 x HIGH x WIDE), others (n x HIGH x WIDE), and which fonts are held out for validation."""
    rng = np.random.default_rng(seed)
    fonts, held = [], []
    for i in range(drawn):
        fonts.append(pen_digits(rng))
        held.append(i % 10 == 0)
    for file in font_files():
        made = outline_digits(file, rng)
        if made is not None:
            fonts.append(made)
            held.append(zlib.crc32(file.stem.split("-")[0].lower().encode()) % 10 == 0)
    digits = np.stack(fonts)
    return digits, other_signs(rng, digits), np.array(held)


def font_files() -> list[pathlib.Path]:
    """Plain faces only: a wheel's digits are never fancy."""
    wanted = [part.lower() for part in FAMILIES.split()]
    files = sorted(p for kind in ("ttf", "otf") for p in pathlib.Path("/usr/share/fonts").rglob(f"*.{kind}"))
    plain = [p for p in files if any(part in p.stem.lower().replace(" ", "") for part in wanted)]
    fancy = ("brk", "symbol", "dingbat", "outline", "aenigma", "larabie", "dustin", "thin", "icon", "hairline")
    return [p for p in plain if not any(bad in str(p).lower() for bad in fancy)]


def pen_digits(rng: np.random.Generator) -> np.ndarray:
    """Ten digits in one hand: one width, one weight, one corner style."""
    wide = int(rng.integers(20, 46))
    thick = int(rng.integers(5, 15))
    thick = min(thick, wide // 3 + 2)
    round_ends, soft = bool(rng.integers(2)), float(rng.choice([0.0, 0.3, 0.6, 1.0]))
    lean = float(rng.choice([0, 0, 0, 0.08, 0.15]))
    signs = []
    for digit in range(10):
        name = str(digit)
        paths = MORE[name] if name in MORE and rng.random() < 0.7 else PATHS[name]
        path = paths[int(rng.integers(len(paths)))]
        signs.append(pen(path, wide, thick, round_ends=round_ends, soft=soft, lean=lean))
    return np.stack(signs)


def pen(path: str, wide: int, thick: int, *, round_ends: bool, soft: float, lean: float) -> np.ndarray:
    """One digit as strokes: drawn four times too large, then shrunk."""
    scale, half = 4, thick / 2
    canvas = np.zeros((HIGH * scale, (WIDE + 40) * scale), np.uint8)
    for line in path.split(";"):
        points = [
            (half + int(p[0]) / 4 * (wide - thick), half + int(p[1]) / 6 * (HIGH - thick), "r" in p)
            for p in line.split()
        ]
        curve = _bend(points, soft * min(wide, HIGH) * 0.5)
        curve = curve + np.array([20 + (WIDE - wide) / 2, 0])
        curve[:, 0] += lean * (HIGH / 2 - curve[:, 1])
        dots = np.round(curve * scale * 16).astype(np.int32)
        if round_ends:
            cv2.polylines(canvas, [dots], isClosed=False, color=255, thickness=thick * scale, lineType=cv2.LINE_AA,
                          shift=4)  # fmt: skip
        else:
            _blunt(canvas, curve * scale, half * scale)
    return fit(cv2.resize(canvas, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA))


def fit(mask: np.ndarray) -> np.ndarray:
    """Fill the height with the sign, in the middle; narrower if it would not fit."""
    rows, columns = np.where(mask.max(1) > 60)[0], np.where(mask.max(0) > 60)[0]
    if not len(rows) or not len(columns):
        return np.zeros((HIGH, WIDE), np.uint8)
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = max(4, min(WIDE, round(cut.shape[1] * HIGH / cut.shape[0])))
    cut = cv2.resize(cut, (wide, HIGH), interpolation=cv2.INTER_AREA)
    out = np.zeros((HIGH, WIDE), np.uint8)
    left = (WIDE - wide) // 2
    out[:, left : left + wide] = cut
    return out


def outline_digits(file: pathlib.Path, rng: np.random.Generator) -> np.ndarray | None:
    """The ten digits of a font, squeezed or widened a little; None if the font has none or they are no plain ones."""
    try:
        font = ImageFont.truetype(str(file), 120)
        masks = [_letter(font, sign) for sign in "0123456789X"]
    except OSError:
        return None
    boxes = [_box(mask) for mask in masks]
    if any(box is None for box in boxes):
        return None
    heights = [box[1] - box[0] for box in boxes[:10]]
    if min(heights) < 0.85 * max(heights) or len({mask.tobytes() for mask in masks}) < 11:
        return None
    across = float(rng.uniform(0.8, 1.25))
    return np.stack([fit(cv2.resize(m, None, fx=across, fy=1, interpolation=cv2.INTER_AREA)) for m in masks[:10]])


def other_signs(rng: np.random.Generator, digits: np.ndarray) -> np.ndarray:
    """What is no upright digit of a wheel."""
    signs = [seven_segments(rng, bits) for _ in range(40) for bits in SEVEN]
    files = font_files()
    for i in range(400):
        try:
            font = ImageFont.truetype(str(files[i * 7 % len(files)]), 120)
            signs.append(fit(_letter(font, LETTERS[i % len(LETTERS)])))
        except (OSError, IndexError):
            continue
    for i in range(400):
        font = digits[int(rng.integers(len(digits)))]
        turned = [font[int(rng.choice([3, 4, 6, 7, 9]))][:, ::-1], font[int(rng.choice([3, 4, 7]))][::-1, ::-1]]
        turned.append(fit(np.ascontiguousarray(font[int(rng.choice([1, 2, 3, 4, 5, 6, 7, 9]))].T)))
        signs.append(turned[i % 3])
    return np.stack(signs)


SEVEN = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgcde", "abc", "abcdefg", "abcdfg")


def seven_segments(rng: np.random.Generator, lit: str) -> np.ndarray:
    """One digit of a seven-segment display: bars with gaps between them."""
    wide, thick, gap = int(rng.integers(26, 44)), int(rng.integers(5, 11)), float(rng.uniform(2.2, 4.5))
    t, w, h = thick / 2, float(wide), float(HIGH)
    ends = {
        "a": ((t, t), (w - t, t)), "b": ((w - t, t), (w - t, h / 2)), "c": ((w - t, h / 2), (w - t, h - t)),
        "d": ((t, h - t), (w - t, h - t)), "e": ((t, h / 2), (t, h - t)), "f": ((t, t), (t, h / 2)),
        "g": ((t, h / 2), (w - t, h / 2)),
    }  # fmt: skip
    canvas = np.zeros((HIGH * 4, WIDE * 4), np.uint8)
    lean, ghost = float(rng.choice([0, 0.1, 0.15])), int(rng.choice([0, 0, 40, 70]))
    for name, (a, b) in ends.items():
        along = np.array(b) - np.array(a)
        along = along / np.linalg.norm(along)
        across = np.array([-along[1], along[0]])
        a2, b2 = np.array(a) + along * gap, np.array(b) - along * gap
        shape = [a2, a2 + along * t + across * t, b2 - along * t + across * t, b2, b2 - along * t - across * t,
                 a2 + along * t - across * t]  # fmt: skip
        points = np.array(shape) + np.array([(WIDE - w) / 2, 0])
        points[:, 0] += lean * (h / 2 - points[:, 1])
        cv2.fillPoly(canvas, [np.round(points * 4).astype(np.int32)], 255 if name in lit else ghost)
    return cv2.resize(canvas, (WIDE, HIGH), interpolation=cv2.INTER_AREA)


def _letter(font: ImageFont.FreeTypeFont, sign: str) -> np.ndarray:
    image = Image.new("L", (220, 220), 0)
    ImageDraw.Draw(image).text((50, 30), sign, font=font, fill=255)
    return np.asarray(image)


def _box(mask: np.ndarray) -> tuple[int, int] | None:
    rows = np.where(mask.max(1) > 60)[0]
    return (int(rows[0]), int(rows[-1])) if len(rows) else None


def _bend(points: list[tuple[float, float, bool]], radius: float) -> np.ndarray:
    """Round the marked corners: a quadratic curve from so far before to so far after."""
    out: list[np.ndarray] = []
    closed = points[0][:2] == points[-1][:2]
    for i, (x, y, rounded) in enumerate(points):
        here = np.array([x, y])
        before = points[i - 1] if i else (points[-2] if closed else None)
        after = points[i + 1] if i + 1 < len(points) else None
        if not rounded or before is None or after is None or radius < 1:
            out.append(here)
            continue
        a, b = np.array(before[:2]) - here, np.array(after[:2]) - here
        la, lb = max(1e-6, float(np.hypot(*a))), max(1e-6, float(np.hypot(*b)))
        start, end = here + a / la * min(radius, la / 2), here + b / lb * min(radius, lb / 2)
        out += [(1 - t) ** 2 * start + 2 * t * (1 - t) * here + t * t * end for t in np.linspace(0, 1, 9)]
    return np.array(out)


def _blunt(canvas: np.ndarray, curve: np.ndarray, half: float) -> None:
    """Strokes with flat ends: a quadrilateral a piece, a disc at the joints between."""
    for a, b in pairwise(curve):
        along = b - a
        length = float(np.hypot(*along))
        if length < 1e-6:
            continue
        across = np.array([-along[1], along[0]]) / length * half
        cv2.fillPoly(
            canvas, [np.round(np.array([a + across, b + across, b - across, a - across])).astype(np.int32)], 255
        )
    for point in curve[1:-1]:
        cv2.circle(canvas, (round(float(point[0])), round(float(point[1]))), round(half), 255, -1)
