"""Fonts that a display teaches while it is watched: numbers that were read for certain show how digits are drawn.

Here: the last such numbers, cut into signs, and the fonts that came of them. No clock, no files; all is forgotten with
the session. Invariant: as with a machine's own atlas, such a font never counts by itself: a network must say the same.
"""

from collections import Counter, deque
from collections.abc import Iterable

from capture.vision.atlas_teach import Cut, cut_number, find_numbers, teach
from capture.vision.digits import Text
from capture.vision.networks import Values
from capture.vision.signs import Box
from hardware.atlas import Font

_MOST = 160
"""Numbers that are remembered."""
_SAME, _ENOUGH = 2, 4
"""Pictures of one number, and numbers with one digit, at one size: more teach nothing."""


class SessionFonts:
    """What one display has taught since it is watched."""

    def __init__(self) -> None:
        self._cuts: deque[Cut] = deque(maxlen=_MOST)
        self._pictures = 0
        self.fonts: tuple[Font, ...] = ()

    def learn(self, texts: Iterable[Text], dots: Values, value: int) -> bool:
        """The display of these dots (rows x columns), read as `texts`, shows this number for certain.

        Returns whether there is a new font, or a font knows more.
        """
        boxes, sure = find_numbers(texts, value)
        new = [self.note(dots, box, value) for box in boxes if sure]  # all of them, not only up to the first
        return any(new)

    def note(self, dots: Values, box: Box, value: int) -> bool:
        """This number stands in this box for certain. Returns whether a font knows more by it."""
        self._pictures += 1
        cut = cut_number(dots, box, value, name=f"{self._pictures:09d}", sure=True)
        if isinstance(cut, str):
            return False
        seen = Counter(digit for one in self._cuts if one.rows == cut.rows for digit in set(one.text))
        if all(seen[digit] >= _ENOUGH for digit in cut.text) or self._known(cut) >= _SAME:
            return False
        self._cuts.append(cut)
        before, self.fonts = self.fonts, teach(list(self._cuts)).fonts
        return self.fonts != before

    def _known(self, cut: Cut) -> int:
        return sum(one.text == cut.text and one.rows == cut.rows for one in self._cuts)

    def forget(self) -> None:
        """The display is another one."""
        self._cuts.clear()
        self.fonts = ()
