"""Where numbers stand on a display: players' corners, a column at the side, a profile's windows. Geometry alone.

What the places mean together is for `layout`. Invariant: a number that stands in no known place is given no player.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capture.vision.digits import Number

if TYPE_CHECKING:
    from hardware.displays import Window

_EDGE = 0.1
"""Part of the width within which a player's number begins or ends at its side."""
_SIDE = 0.36
"""Part of the width that a column of scores at the side takes at most."""
_WITHIN = 0.75
"""Part of a number that must lie in a window, which may be drawn a dot or two too tight."""


def corners(scores: Sequence[Number], columns: int, rows: int) -> dict[int, Number]:
    """Player by corner, as displays of all makers place them: 1 and 2 above, 3 and 4 below, 2 sometimes lower right.

    Empty unless all numbers stand in such places.
    """
    left = sorted(
        (n for n in scores if n.box[0] < _EDGE * columns and n.box[2] < 0.72 * columns), key=lambda n: n.box[1]
    )
    right = sorted(
        (n for n in scores if n.box[2] > (1 - _EDGE) * columns and n.box[0] > 0.28 * columns), key=lambda n: n.box[1]
    )
    if len(left) > 2 or len(right) > 2 or len(left) + len(right) != len(scores):
        return {}
    places = {1 + 2 * k: number for k, number in enumerate(left)}
    places |= {2 + 2 * k: number for k, number in enumerate(right)}
    below = [number for number in left if number.box[1] > 0.3 * rows]
    if len(left) == 1 and below and len(right) == 2:
        return {}
    return places


def aside(number: Number, columns: int, rows: int) -> bool:
    """Whether it stands small in an upper or lower corner, out of the way of what plays on the rest of the display."""
    left, top, right, bottom = number.box
    at_side = right < _SIDE * columns or left > (1 - _SIDE) * columns
    return at_side and (top < 0.2 * rows or bottom > 0.8 * rows) and number.height < 0.4 * rows


def at_side(number: Number, columns: int) -> bool:
    """Whether its middle is in the left or right quarter."""
    middle = (number.box[0] + number.box[2]) / 2 / columns
    return not 0.25 < middle < 0.75


def settled_in(number: Number, columns: int) -> bool:
    """Whether it stands as whole numbers do: in the middle of the display, or from its left edge on.

    A number of which the left part is hidden does neither; one that is set against the right edge might.
    """
    left, _, right, _ = number.box
    width = (right - left) / max(1, len(number.text))
    return abs((left + right) / 2 - columns / 2) <= max(2.0, 0.35 * width) or left <= max(2.0, 0.02 * columns)


def window_of(number: Number, windows: Sequence["Window"], columns: int, rows: int) -> "Window | None":
    """The window in which the number stands; of several the one that fits it closest."""
    fits = [window for window in windows if _part_in(number, window, columns, rows) >= _WITHIN]
    return min(fits, key=lambda w: (w.right - w.left) * (w.bottom - w.top), default=None)


def _part_in(number: Number, window: "Window", columns: int, rows: int) -> float:
    left, top, right, bottom = number.box
    wide = min(right, window.right * columns + 1) - max(left, window.left * columns - 1)
    high = min(bottom, window.bottom * rows + 1) - max(top, window.top * rows - 1)
    return max(0.0, wide) * max(0.0, high) / max(1.0, (right - left) * (bottom - top))
