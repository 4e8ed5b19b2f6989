"""Two voices on one line of a screen: our networks sign by sign, and another reader on the line in two preparations.

The other reader (Tesseract) comes from outside. Each says a number or why it has none. Invariant:
a voice that saw a sign it cannot name says no number at all.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.monitor.signs import Box, Line, find_line
from capture.vision.reels.nets import WheelNets
from capture.vision.reels.wheel import Wheel, read_wheels

ACCEPT = 0.95
"""Least chance of the least sure digit."""
_PROPOSE = 0.5
_TALL = 44
"""Pixels that a digit is made high for Tesseract."""
_AROUND = 0.2
"""Ground above and below a digit, by its height."""

Flat = NDArray[np.uint8]
Spell = Callable[[Flat], str]
"""Reads the digits and group marks of one line, dark on light, grey. Raises SpellerUnusable."""


class SpellerUnusable(Exception):
    """The other reader cannot be asked here; the text says what to do about it, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """What one voice reads: `text` with `?` for a sign it cannot name, the number or None, how sure, and its doubt."""

    text: str = ""
    value: int | None = None
    chance: float = 0.0
    doubt: str = ""


def own_voice(nets: WheelNets, flat: Flat) -> Voice:
    """Each sign of the line by the networks that know wheels' digits."""
    line = find_line(flat)
    if not line.boxes:
        return Voice(doubt=line.doubt)
    signs = read_wheels(nets, [_sign(flat, line, box) for box in line.boxes])
    text = "".join(str(sign.digit) if sign.chance >= _PROPOSE and sign.wheel >= 0.3 else "?" for sign in signs)
    doubt = line.doubt or _doubt_marks(line)
    if "?" in text:
        return Voice(text=text, doubt=doubt or f"signs that are no digits, or not clear: {text}")
    chance = min(_sure(sign) for sign in signs)
    if not doubt and chance < ACCEPT:
        doubt = f"not sure enough of a digit ({chance:.2f})"
    return Voice(text=text, value=int(text), chance=chance, doubt=doubt)


def last_number(voice: Voice) -> Voice:
    """What a box such as BALL 3 says: the one or two digits behind all that is none."""
    digits = voice.text.rpartition("?")[2]
    if not 1 <= len(digits) <= 2:
        return Voice(text=voice.text, doubt=voice.doubt or "no number of a ball there")
    return Voice(text=digits, value=int(digits), chance=ACCEPT)


def second_voice(spell: Spell, flat: Flat) -> Voice:
    """The line by the other reader: black on white by threshold, and in greys. Neither may contradict the other."""
    line = find_line(flat)
    if not line.boxes:
        return Voice(doubt=line.doubt)
    try:
        said = [spell(picture) for picture in _preparations(flat, line)]
    except SpellerUnusable as problem:
        return Voice(doubt=str(problem))
    numbers = list(dict.fromkeys(number for number in map(_plain, said) if number))
    if len(numbers) != 1:
        return Voice(doubt="Tesseract does not confirm it")
    if any(not _grouped(text) for text in said):
        return Voice(doubt="group marks stand in the wrong places")
    return Voice(text=numbers[0], value=int(numbers[0]), chance=1.0)


def _sign(flat: Flat, line: Line, box: Box) -> Flat:
    """One sign's picture with the ground around it: what else stands there is painted over."""
    left, top, right, bottom = box
    high = bottom - top
    above = round(_AROUND * high)
    aside = max(2, round(0.12 * high), (round(0.5 * high) - (right - left)) // 2)
    part = cv2.copyMakeBorder(flat, above, above, aside, aside, cv2.BORDER_REPLICATE)
    ink = cv2.copyMakeBorder(line.ink, above, above, aside, aside, cv2.BORDER_CONSTANT, value=0)
    part = part[top : bottom + 2 * above, left : right + 2 * aside].copy()
    ink = ink[top : bottom + 2 * above, left : right + 2 * aside].copy()
    ground = part[ink == 0]
    other = cv2.dilate(ink, np.ones((3, 3), np.uint8))
    other[above : above + high, aside : aside + right - left] = 0
    if len(ground):
        part[other > 0] = np.median(ground, axis=0)
    return np.asarray(part, np.uint8)


def _sure(sign: Wheel) -> float:
    """A digit on a screen does not roll: where it stands does not matter."""
    return sign.chance if sign.agreed else min(sign.chance, 0.6)


def _doubt_marks(line: Line) -> str:
    """Marks must cut off three digits each from the right, all of them or none."""
    count = len(line.boxes)
    if line.marks and line.marks != tuple(range(count % 3 or 3, count, 3)):
        return "group marks stand in the wrong places"
    return ""


def _grouped(text: str) -> bool:
    parts = text.replace(".", ",").strip(",").split(",")
    return len(parts) == 1 or (0 < len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:]))


def _plain(text: str) -> str:
    return text.replace(",", "").replace(".", "")[:19]


def _preparations(flat: Flat, line: Line) -> list[Flat]:
    """Dark on white with room around: the thresholded ink, and the greys stretched between ground and ink."""
    top, bottom = min(box[1] for box in line.boxes), max(box[3] for box in line.boxes)
    scale = _TALL / max(1, bottom - top)
    plane = flat.max(2).astype(np.float32) if flat.ndim == 3 else flat.astype(np.float32)
    ink, ground = plane[line.ink > 0], plane[line.ink == 0]
    if not len(ink) or not len(ground):
        return []
    dark, light = float(np.median(ink)), float(np.median(ground))
    greys = np.clip((plane - dark) / (light - dark), 0, 1) * 255 if abs(light - dark) > 1 else plane
    black = cv2.resize(255 - line.ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    soft = cv2.resize(greys.astype(np.uint8), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return [
        np.asarray(cv2.copyMakeBorder(picture, 14, 14, 18, 18, cv2.BORDER_CONSTANT, value=(255,)), np.uint8)
        for picture in (black, soft)
    ]
