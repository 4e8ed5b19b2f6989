"""From the dots of one screen to what it says: signs, lines, numbers, and which of them is the score.

Dots in, a Reading out; no picture, place or time is known here. Displays of more rows than the networks were taught
are looked at twice, as they are and at half the size. Invariant: what is said depends on these dots and the profile
alone.
"""

from dataclasses import replace

import cv2
import numpy as np

from capture.vision.atlas_vote import hear_fonts
from capture.vision.confidence import ACCEPT, Frame, chance, doubt_number
from capture.vision.digits import Number, Text, read_line
from capture.vision.layout import lay_out
from capture.vision.networks import Networks, Values
from capture.vision.reading import LIVE, Reading, ScoreReading
from capture.vision.session import SessionFonts
from capture.vision.signs import Line, Sign, bars, find_signs, group_lines
from hardware.displays import DotMatrix
from hardware.profile import MachineProfile

_TALL = 20
"""Rows of a sign that is better seen at half the size, give or take some: a line is read at one size."""
_PLAIN, _LONG = 0.985, 3
"""Sureness of every place, and places, of a number that teaches how digits are drawn."""
_HALVED = 40
"""Rows of a display on which such signs stand."""
_PAGES = 64
"""Pages that are remembered."""


class Page:
    """Reads screens of one display."""

    def __init__(self, profile: MachineProfile, display: DotMatrix, networks: Networks) -> None:
        self._profile, self._networks = profile, networks
        self._windows = display.windows
        self._fonts = tuple(font for atlas in display.atlases for font in atlas.fonts)
        self._session = SessionFonts()
        self._read: dict[bytes, list[Text]] = {}
        """The last pages, by their dots, the latest last."""
        words = profile.words
        self._patterns = (*words.game_over, *words.slam_tilt, *words.tilt, *words.player, *words.ball)

    def understand(self, dots: Values, *, missing: float) -> Reading:
        """Read normalised dots (2 x rows x columns). `missing`: columns of the display that are out of view."""
        read = self.texts(dots)
        layout = lay_out(
            hear_fonts(read, dots, (*self._fonts, *self._session.fonts)),
            dots,
            patterns=self._patterns,
            players=self._profile.players,
            windows=self._windows,
        )
        frame = Frame(dots=dots, missing=missing)
        self._learn_from([number for text in read for number in text.numbers], frame)
        others = tuple(
            replace(_score(number, None, dots), sound=not self._doubt(number, frame)) for number in layout.rest
        )
        if layout.live is None:
            return Reading(display="dmd", why=layout.doubt, words=layout.words, others=others)
        unsound = self._doubt(layout.live, frame)
        first = replace(_score(layout.live, layout.player, dots), sound=not unsound)
        scores = (first, *(self._other(number, who, frame) for who, number in layout.others))
        return Reading(
            display="dmd", scores=scores, accepted=not unsound and layout.standing == LIVE,
            why=unsound or layout.doubt, words=layout.words, standing=layout.standing,
            others=others,
        )  # fmt: skip

    def _learn_from(self, numbers: list[Number], frame: Frame) -> None:
        """What the networks themselves are surest of teaches the session's fonts, whatever number it is."""
        for number in numbers:
            sure = number.agreed and number.value is not None and number.sureness >= _PLAIN
            if sure and len(number.text) >= _LONG and not self._doubt(number, frame):
                self._session.note(frame.dots[0], number.box, number.value or 0)

    def learn(self, dots: Values, value: int) -> bool:
        """These dots show this number for certain. Returns whether a later look may be surer for it."""
        return self._session.learn(self.texts(dots), dots[0], value)

    def legible(self, dots: Values) -> float:
        """How much text the dots seem to hold, in signs."""
        return sum(sign.found * float(sign.chances.max()) ** 2 for sign in self._signs(self._canvas(dots), dots.shape))

    def texts(self, dots: Values) -> list[Text]:
        """All lines as the networks read them, those of tall signs at half the size. `dots` as in `understand`.

        The last pages are remembered: blinking, and exact dots that stand, show the same ones again and again.
        """
        page = dots.tobytes()
        texts = self._read.pop(page, None) or self._look(dots)
        self._read[page] = texts
        if len(self._read) > _PAGES:
            del self._read[next(iter(self._read))]
        return texts

    def _look(self, dots: Values) -> list[Text]:
        canvas = self._canvas(dots)
        signs = self._signs(canvas, dots.shape)
        walls = bars(dots[0])
        texts: list[Text] = []
        if dots.shape[1] >= _HALVED:
            small = _halve(dots)
            half = self._canvas(small)
            seen = [sign for sign in self._signs(half, small.shape) if sign.height >= 0.8 * _TALL / 2]
            lines = [line for line in group_lines(seen, [wall / 2 for wall in walls]) if line.height >= 0.9 * _TALL / 2]
            texts = [_double(read_line(self._networks, half, line)) for line in lines]
            signs = [sign for sign in signs if not _inside(sign, [text.line.box for text in texts])]
        return texts + [read_line(self._networks, canvas, line) for line in group_lines(signs, walls)]

    def _canvas(self, dots: Values) -> Values:
        """The dots on a canvas of a size that the finder takes."""
        _, rows, columns = dots.shape
        canvas = np.zeros((2, -(-rows // 4) * 4, -(-columns // 4) * 4), np.float32)
        canvas[:, :rows, :columns] = dots
        return canvas

    def _signs(self, canvas: Values, shape: tuple[int, ...]) -> list[Sign]:
        return find_signs(self._networks.find(canvas), shape[2], shape[1])

    def _doubt(self, number: Number, frame: Frame) -> str:
        profile = self._profile
        return doubt_number(number, frame, quantum=profile.score_quantum, most=profile.max_score, digits=profile.digits)

    def _other(self, number: Number, player: int | None, frame: Frame) -> ScoreReading:
        """Another player's number: said only if it stands up by itself, for nobody asks about it one by one."""
        reading = _score(number, player, frame.dots)
        if not self._doubt(number, frame):
            return replace(reading, sound=True)
        text = "".join(sign if sure >= ACCEPT else "?" for sign, sure in zip(number.text, number.chances, strict=True))
        seen = (reading.score,) if reading.score is not None else ()
        return replace(reading, score=None, text=text, candidates=(*seen, *reading.candidates))


def _score(number: Number, player: int | None, dots: Values) -> ScoreReading:
    others = [
        text for text in dict.fromkeys((number.by_sign, number.by_line)) if text.isdigit() and text != number.text
    ]
    _, rows, columns = dots.shape
    left, top, right, bottom = number.box
    return ScoreReading(
        player=player, text=number.text, score=number.value, candidates=tuple(int(text) for text in others),
        confidence=0.0 if number.value is None else chance(number),
        place=(max(0.0, left / columns), max(0.0, top / rows), min(1.0, right / columns), min(1.0, bottom / rows)),
    )  # fmt: skip


def _halve(dots: Values) -> Values:
    _, rows, columns = dots.shape
    small = [cv2.resize(plane, (columns // 2, rows // 2), interpolation=cv2.INTER_AREA) for plane in dots]
    return np.stack(small).astype(np.float32)


def _twice(sign: Sign) -> Sign:
    left, top, right, bottom = sign.box
    return replace(sign, box=(2 * left, 2 * top, 2 * right, 2 * bottom))


def _double(text: Text) -> Text:
    line = Line(signs=tuple(_twice(sign) for sign in text.line.signs))
    return replace(text, line=line, numbers=tuple(_larger(number) for number in text.numbers))


def _larger(number: Number) -> Number:
    left, top, right, bottom = number.box
    return replace(number, box=(2 * left, 2 * top, 2 * right, 2 * bottom))


def _inside(sign: Sign, boxes: list[tuple[float, float, float, float]]) -> bool:
    """Whether the middle of the sign lies in a line of taller ones."""
    x, y = (sign.box[0] + sign.box[2]) / 2, (sign.box[1] + sign.box[3]) / 2
    return any(box[0] - 1 < x < box[2] + 1 and box[1] - 1 < y < box[3] + 1 for box in boxes)
