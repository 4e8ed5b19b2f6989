"""From lines of signs to words and numbers, read twice: sign by sign, and the whole line at once.

The two readers share no weights. Where they differ nothing is hidden: the number keeps both. Invariant: a place of
which neither reader is sure is `?`, and no number has a value while it has one.
"""

from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np

from capture.vision.dots import level
from capture.vision.groups import judge_groups, place_marks
from capture.vision.networks import ALPHABET, GROUP, MARK, SPACE, TWINS, Networks, Values
from capture.vision.signs import Line, Sign
from capture.vision.witness import SEEN, closest, merge, together

_LETTERS = 2
"""Letters in its line that make a number a labelled one."""
_REAL = 0.75
"""The finder's chance of a sign that no namer need confirm."""
_LARGE = 9
"""Rows of a font in which a 1 is too thick to be a part of another digit."""
_SHIFTS = ((-0.2, 0.15), (0.2, -0.15))
"""Where else to look, in dots: a fragile reading changes with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A run of digits on the display.

    `text` is the better reading of `by_sign` and `by_line` (`?` where not seen), `chances` one a place, the smaller of
    both readers' where they agree. `gap`: the widest between two signs, in dots; `widest`: by how much the widest gap
    that no group mark fills is wider than the usual one, in heights. `groups`: whether its group marks stand where they
    must; None if it has none. `ends`: widths of the first and the last digit as parts of the others' (1 of a font whose
    1 is narrow: 0 in a small font, where half a digit looks like it).
    `alone`: nothing else stands in its line; `labelled`: words or marks do.
    """

    box: tuple[float, float, float, float]
    text: str
    by_sign: str
    by_line: str
    chances: tuple[float, ...]
    found: float
    damaged: float
    gap: float
    ends: tuple[float, float]
    widest: float
    groups: bool | None
    alone: bool
    labelled: bool
    level: float = 1.0
    """Brightness of its lit dots."""
    joint: float = 0.0
    """Of the least sure place, the chance of the digit that both readers say, as witnesses that share no weights."""

    @property
    def agreed(self) -> bool:
        """Both readers say the same."""
        return self.by_sign == self.by_line

    @property
    def value(self) -> int | None:
        """The number, if every place was seen."""
        return int(self.text) if self.text.isdigit() else None

    @property
    def height(self) -> float:
        """In dots."""
        return self.box[3] - self.box[1]

    @property
    def sureness(self) -> float:
        """The least sure place."""
        return min(self.chances, default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One line, as words and numbers.

    `words` holds the whole line with spaces, digits and all, as the line reader has it; `guess` as sign by sign.
    """

    line: Line
    words: str
    guess: str
    numbers: tuple[Number, ...]


def read_line(networks: Networks, dots: Values, line: Line) -> Text:
    """Read one line. Where neither reader sees digits beside each other, signs are not looked at one by one."""
    if len(line.signs) == 1:
        return Text(line=line, words=line.text, guess=line.text, numbers=())
    spelt = networks.spell(dots, np.array(line.box, np.float32))
    words = "".join(sign for sign, _ in spelt if sign != GROUP)
    pieces = _pieces(spelt)
    if not any(_plain(piece) for piece in pieces) and not _run(line):
        return Text(line=line, words=words, guess=_spaced(line), numbers=())
    named = _name(networks, dots, line)
    line, named = _without_phantoms(line, named, sum(sign not in {GROUP, SPACE} for sign, _ in spelt))
    breaks = _breaks(line, spelt)
    tokens = _tokens(line, named, breaks)
    # a stray sign that the line reader does not see is no company (what is lit there is weighed by `confidence`)
    alone = len(tokens) == 1 or words.isdigit()
    labelled = not alone and (sum(sign.isalpha() for sign in words) >= _LETTERS or MARK in words.rstrip(MARK + SPACE))
    numbers = [
        _number(line.signs[start:stop], named[start:stop], pieces, (alone, labelled), dots)
        for start, stop, numeric in tokens
        if numeric
    ]
    return Text(line=line, words=words, guess=_words(line, named, tokens), numbers=tuple(numbers))


def _name(networks: Networks, dots: Values, line: Line) -> Values:
    """Chances of 37 kinds and of no sign, n x 38, the mean over shifted boxes."""
    boxes = np.array([sign.box for sign in line.signs], np.float32)
    boxes[:, [1, 3]] = 0.5 * boxes[:, [1, 3]] + 0.5 * np.array(line.box, np.float32)[[1, 3]]
    looks = [boxes + np.array([dx, dy, dx, dy], np.float32) for dx, dy in _SHIFTS]
    said = networks.name(dots, np.concatenate(looks))
    mean: Values = said.reshape(len(looks), len(boxes), -1).mean(0)
    return mean


def _without_phantoms(line: Line, named: Values, spelt: int) -> tuple[Line, Values]:
    """Without signs that the namer knows as none and the finder hardly believes in, if the line reader has none there.

    A group mark between two digits may look like one.
    """
    real = np.array([sign.found >= _REAL for sign in line.signs]) | (named[:, :36].max(1) >= SEEN)
    if real.all() or int(real.sum()) != spelt or spelt < 2:
        return line, named
    return Line(signs=tuple(sign for sign, kept in zip(line.signs, real, strict=True) if kept)), named[real]


def _as_digits(chances: Values) -> Values:
    """Chances of the ten digits with their look-alike letters, n x 10."""
    digits = chances[:, :10].copy()
    for letter, digit in TWINS.items():
        digits[:, int(digit)] += chances[:, ALPHABET.index(letter)]
    return digits


def _breaks(line: Line, spelt: list[tuple[str, float]]) -> set[int]:
    """Indices of signs before which a new word starts: the line reader's spaces, else wide gaps."""
    signs = [sign for sign, _ in spelt if sign not in {GROUP, SPACE}]
    wide = max(3.6, 0.55 * line.height)
    gaps = {i for i in range(1, len(line.signs)) if line.signs[i].box[0] - line.signs[i - 1].box[2] > wide}
    if len(signs) != len(line.signs):
        return gaps
    breaks, count = set(), 0
    for sign, _ in spelt:
        if sign == SPACE and count:
            breaks.add(count)
        elif sign != GROUP:
            count += sign != SPACE
    return {i for i in breaks if i < len(line.signs)}


def _tokens(line: Line, named: Values, breaks: set[int]) -> list[tuple[int, int, bool]]:
    """(start, stop, is a number) of each word; a word that changes between letters and digits is cut there."""
    digit = _as_digits(named).sum(1) > np.maximum(0.3, 1 - _as_digits(named).sum(1) - named[:, -1])
    pure = named[:, :10].sum(1) > 0.5
    edges = sorted({0, *breaks, len(line.signs)})
    tokens = []
    for start, stop in pairwise(edges):
        cut = start
        for i in range(start + 1, stop + 1):
            if i == stop or digit[i] != digit[cut]:
                numeric = bool(digit[cut]) and bool(pure[cut:i].mean() >= 0.4)
                tokens.append((cut, i, numeric))
                cut = i
    return tokens


def _pieces(spelt: list[tuple[str, float]]) -> list[list[tuple[str, float]]]:
    """The line reader's runs of digits (group marks kept), letters that look like digits among them."""
    runs: list[list[tuple[str, float]]] = [[]]
    for sign, chance in spelt:
        if TWINS.get(sign, sign).isdigit() or (sign == GROUP and runs[-1]):
            runs[-1].append((sign, chance))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _plain(piece: list[tuple[str, float]]) -> bool:
    """Two real digits and more."""
    return sum(sign.isdigit() for sign, _ in piece) >= 2


def _run(line: Line) -> bool:
    """Whether the finder sees three signs like digits beside each other."""
    run = 0
    for sign in line.signs:
        run = run + 1 if float(sign.chances[:10].sum()) + float(sign.chances[24]) > 0.4 else 0
        if run == 3:
            return True
    return False


def _number(
    signs: tuple[Sign, ...],
    named: Values,
    pieces: list[list[tuple[str, float]]],
    company: tuple[bool, bool],
    dots: Values,
) -> Number:
    start, stop = _core(signs, _as_digits(named).max(1))
    trimmed = stop - start < len(signs)
    signs, digits = signs[start:stop], _as_digits(named[start:stop])
    best, chance = digits.argmax(1), digits.max(1)
    by_sign = "".join(str(place) if sure >= SEEN else "?" for place, sure in zip(best, chance, strict=True))
    piece = [(TWINS.get(sign, sign), sure) for sign, sure in closest(pieces, by_sign)]
    by_line = "".join(sign for sign, _ in piece if sign != GROUP)
    line_chances = [sure for sign, sure in piece if sign != GROUP]
    boxes = [sign.box for sign in signs]
    marks = place_marks(piece)
    groups = judge_groups(dots, boxes, marks if len(marks) == len(boxes) - 1 else (0.0,) * (len(boxes) - 1))
    joint = 0.0
    if by_line == by_sign:
        joint = min(together(float(a), b) for a, b in zip(chance, line_chances, strict=True))
        text, chances = by_sign, tuple(min(float(a), b) for a, b in zip(chance, line_chances, strict=True))
    elif len(by_line) == len(by_sign):
        text, chances = merge(by_sign, chance, by_line, line_chances)
    elif len(by_line) > (2 if "?" in by_sign else len(by_sign)) and min(line_chances) > (
        float(chance.min()) if "?" not in by_sign else SEEN
    ):
        text, chances = by_line, tuple(line_chances)
    else:
        text, chances = by_sign, tuple(float(value) for value in chance)
    return Number(
        box=Line(signs=signs).box,
        text=text, by_sign=by_sign, by_line=by_line, chances=chances,
        gap=max((right[0] - left[2] for left, right in pairwise(boxes)), default=0.0), widest=_widest_gap(signs),
        ends=(_width(signs, text, 0), _width(signs, text, -1)),
        found=min(sign.found for sign in signs), damaged=1.0 if trimmed else max(sign.damaged for sign in signs),
        groups=groups, alone=company[0], labelled=company[1], level=level(dots, Line(signs=signs).box), joint=joint,
    )  # fmt: skip


def _width(signs: tuple[Sign, ...], text: str, at: int) -> float:
    """The width of one digit as a part of the others', which 1 is seldom as wide as."""
    others = [sign.width for sign, said in zip(signs, text, strict=False) if said != "1" and sign is not signs[at]]
    if text and text[at] == "1":
        return 1.0 if signs[at].height >= _LARGE else 0.0
    return signs[at].width / median(others) if others else 0.0


def _core(signs: tuple[Sign, ...], chances: Values) -> tuple[int, int]:
    """Without what at either end is hardly a sign: no digit to either network. That it was there is not forgotten."""
    real = [i for i, sign in enumerate(signs) if sign.found >= _REAL or chances[i] >= SEEN]
    return (real[0], real[-1] + 1) if len(real) >= 2 else (0, len(signs))


def _widest_gap(signs: tuple[Sign, ...]) -> float:
    gaps = [right.box[0] - left.box[2] for left, right in pairwise(signs)]
    inner = [gap for i, gap in enumerate(gaps, start=1) if (len(signs) - i) % 3]
    usual = median(inner) if inner else 0.0
    allowed = [gap - usual for gap in inner] + [gap - usual - 0.35 * signs[0].height for gap in gaps]
    return max(allowed, default=0.0) / signs[0].height


def _spaced(line: Line) -> str:
    wide = max(2.6, 0.42 * line.height)
    text = line.signs[0].kind
    for before, sign in pairwise(line.signs):
        text += (" " if sign.box[0] - before.box[2] > wide else "") + sign.kind
    return text


def _words(line: Line, named: Values, tokens: list[tuple[int, int, bool]]) -> str:
    parts = []
    for start, stop, numeric in tokens:
        if numeric:
            parts.append("".join(str(place) for place in _as_digits(named[start:stop]).argmax(1)))
        else:
            parts.append("".join(_sign(named[i], line.signs[i]) for i in range(start, stop)))
    return " ".join(parts)


def _sign(chances: Values, sign: Sign) -> str:
    best = int(chances[:-1].argmax())
    return [*ALPHABET, MARK][best] if chances[best] > chances[-1] else sign.kind
