"""Fonts that a display teaches while it is watched: numbers that were settled for certain show how digits are drawn.

Here: the last such numbers, cut into signs, and the fonts that came of them. No clock, no files; all is forgotten with
the session. Invariant: as with a machine's own atlas, such a font never counts by itself: a network must say the same.
"""

from collections import deque
from collections.abc import Iterable

from capture.vision.atlas_teach import Cut, cut_number, find_numbers, teach
from capture.vision.digits import Text
from capture.vision.networks import Values
from hardware.atlas import Font

_MOST = 160
"""Numbers that are remembered."""
_SAME = 2
"""Pictures of one number at one size: more teach nothing."""


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
        if not boxes or not sure:
            return False
        self._pictures += 1
        new = False
        for box in boxes:
            cut = cut_number(dots, box, value, name=f"{self._pictures:09d}", sure=True)
            if isinstance(cut, str):
                continue
            known = sum(one.text == cut.text and one.rows == cut.rows for one in self._cuts)
            if known < _SAME:
                self._cuts.append(cut)
                new = True
        if not new:
            return False
        before, self.fonts = self.fonts, teach(list(self._cuts)).fonts
        return self.fonts != before

    def forget(self) -> None:
        """The display is another one."""
        self._cuts.clear()
        self.fonts = ()
