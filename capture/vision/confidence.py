"""How sure a number is, and whether it may count by itself: a calibrated chance, and gates that each can refuse.

The chance comes from a table measured on synthetic displays that were not trained on (models/README.md). Invariant:
the gates are independent of each other; a wrong number must get past every one of them.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.vision.digits import Number
from capture.vision.networks import Values
from capture.vision.places import settled_in
from capture.vision.signs import bars

ACCEPT = 0.90
"""Least chance of the least sure place, by both readers, for a number that counts by itself."""
_AGREED, _JOINT = 0.82, 0.99
"""Or so much by the less sure reader, if both together are so sure."""
_FOUND, _DAMAGED = 0.5, 0.5
_LIT = 0.18
"""Brightness (normalised) above which a dot beside a number has to be explained, if it is half as bright as that."""
_BEYOND = 0.7
"""Dots by which a number's box may reach over the display's edge: more, and its digit is cut."""
ANY = 100.0
"""Columns out of view, where nobody knows."""
_NONE, _FEW = 0.5, 2.5
"""Columns out of view: as good as none, and so few that no digit fits in them."""
_THIN = 9
"""Rows of a font in which a 1 and its gap take more than so few columns."""
_NARROWER = 0.88
"""Width of a digit at the edge, as a part of the others', below which a column of it may be lost."""
_ROOM = 2.0
"""Dark dots, beside the widest gap of a number, that show that it ends there."""
_EVEN = 0.65
_LARGE = 14
_EVENLY, _SURER = 0.15, 0.94
_WIDE = 0.5
"""A gap inside a number so much wider than the usual one, in heights, may lie between two numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What surrounds a number: the dots, and how many columns of the display are out of view."""

    dots: Values
    missing: float


def doubt_number(number: Number, frame: Frame, *, quantum: int, most: int, digits: int | None) -> str:
    """Empty, or the first reason why the number itself may not count."""
    if number.value is None:
        return f"places not seen: {number.text}"
    if number.value % quantum or number.value > most or (digits is not None and len(number.text) > digits):
        return f"not a score of this machine: {number.text}"
    return _doubt_digits(number, frame.dots.shape[2]) or _doubt_surroundings(number, frame)


def at_edge(number: Number, columns: int) -> bool:
    """So close to the left or right edge that a digit beyond it, no further off than its widest gap, would not show."""
    room = max(_ROOM, number.gap + _ROOM)
    return number.box[0] < room or number.box[2] > columns - room


def _cut(number: Number, frame: Frame) -> bool:
    """Whether the view's left or right edge may have taken a part of a number.

    Two columns hide no whole digit but the 1 of a small font, but a 9 that lost its left side is a 3: where some are
    missing, a digit at the edge must be as wide as the others.
    """
    if frame.missing <= _NONE:
        return False
    columns = frame.dots.shape[2]
    if frame.missing > _FEW or number.height < _THIN:
        return at_edge(number, columns)
    first, last = number.ends
    return (number.box[0] < _ROOM and first < _NARROWER) or (number.box[2] > columns - _ROOM and last < _NARROWER)


def uneven(number: Number, frame: Frame) -> bool:
    """Whether the two halves of a number differ in brightness: two players' numbers may touch."""
    x0, y0, x1, y1 = (max(0, round(place)) for place in number.box)
    body = frame.dots[0][y0:y1, x0:x1]
    half = body.shape[1] // 2
    if len(number.text) < 4 or not half or not body.size:
        return False
    parts = sorted(float(np.percentile(part, 85)) for part in (body[:, :half], body[:, half:]))
    return parts[0] < _EVEN * parts[1]


def stray(number: Number, frame: Frame) -> bool:
    """A lit spot level with the number, within 1.4 digits of its ends, that no long bar explains.

    A spot of the size of a group mark is enough, and another sign counts as well: it may be the number's next digit.
    Single dots (stars, noise) beside a large number are not.
    """
    plain = frame.dots[0]
    rows, columns = plain.shape
    width = (number.box[2] - number.box[0]) / max(1, len(number.text))
    reach = 1.4 * max(width, 0.7 * number.height)
    top, bottom = max(0, round(number.box[1])), min(rows, round(number.box[3]) + 1)
    body = plain[top:bottom, max(0, round(number.box[0])) : max(1, round(number.box[2]))]
    lit = plain > max(_LIT, 0.5 * float(np.percentile(body, 85)) if body.size else 0.0)
    lit &= (frame.dots[1] > 0.6 * _LIT) & ~(lit.mean(0) > 0.8)[None]
    foot = int(0.6 * number.height)
    off = 1.2 if number.height >= _LARGE else 0.5  # the box of a large sign may be a dot too narrow
    walls = bars(plain)
    first = max([number.box[0] - reach, *(wall for wall in walls if wall < number.box[0])])
    last = min([number.box[2] + reach, *(wall for wall in walls if wall > number.box[2])])
    for start, stop in ((first, number.box[0] - off), (number.box[2] + off, last)):
        x0, x1 = max(0, round(start)), min(columns, round(stop))
        if x1 > x0 and _tells(lit[top:bottom, x0:x1], foot, number.height**2):
            return True
    return False


def _tells(lit: NDArray[np.bool_], foot: int, size: float) -> bool:
    """Whether a connected spot is as large as a part of a sign, or at the foot as large as a group mark."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(lit.astype(np.uint8), connectivity=8)
    for area, (_, y) in zip(stats[1:, cv2.CC_STAT_AREA], middles[1:], strict=True):
        if area >= max(1, int((0.012 if y >= foot else 0.02) * size)):
            return True
    return False


def chance(number: Number) -> float:
    """The chance that the number is right, from how sure both readers are of its least sure place."""
    sure = number.sureness * (1.0 if number.agreed else 0.6) * (0.7 if number.groups is False else 1.0)
    return round(float(min(0.9999, max(0.0, sure))), 4)


def _doubt_digits(number: Number, columns: int) -> str:
    """What the readers themselves leave open."""
    if not number.agreed:
        return f"two readers differ: {number.by_sign} and {number.by_line}"
    if number.groups is None and number.text != "00" and not _whole_without_marks(number, columns):
        return f"no group marks seen, so a part may be missing: {number.text}"
    if number.groups is False:
        return f"group marks stand in the wrong places: {number.text}"
    if number.sureness < ACCEPT and (number.sureness < _AGREED or number.joint < _JOINT):
        return f"not sure enough: {number.text} at {number.sureness:.2f}"
    if number.text.startswith("0") and number.text != "00":
        return f"a number does not begin with nought, so a part may be missing: {number.text}"
    if number.widest > _WIDE:
        return f"a gap in the number is too wide: {number.text}"
    if number.found < _FOUND or number.damaged > _DAMAGED:
        return f"a digit is damaged or covered: {number.text}"
    return ""


def _whole_without_marks(number: Number, columns: int) -> bool:
    """Whether a number that shows no group marks is whole all the same: short, or of a machine that writes none.

    It stands where whole numbers stand, its digits are evenly spaced, and both readers are surer than usual.
    """
    return settled_in(number, columns) and number.widest < _EVENLY and number.sureness >= _SURER


def _doubt_surroundings(number: Number, frame: Frame) -> str:
    """Whether the number may go on where nothing was read."""
    if not number.alone:
        return f"something else stands in the number's line: {number.text}"
    beyond = max(-number.box[0], number.box[2] - frame.dots.shape[2])
    if beyond > _BEYOND or _cut(number, frame):
        return f"cut by the picture's edge: {number.text}"
    if uneven(number, frame):
        return f"one part of the number is brighter than the other: {number.text}"
    if stray(number, frame):
        return f"something lit beside the number is not explained: {number.text}"
    return ""
