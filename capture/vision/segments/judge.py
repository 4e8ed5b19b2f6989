"""From signs to a number or a text, how sure it is, and what speaks against letting it count.

Rules of displays of segments, on plain data. Invariant: a number has a digit in every place from its first to its last,
and what stands before it is truly dark; a place that went dark is `?`, never left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from capture.vision.segments.bars import least_even
from capture.vision.segments.cells import BLANK, UNKNOWN, CellRead, is_dark
from capture.vision.segments.codes import DIGITS
from capture.vision.segments.text import as_digits, settle_signs

ACCEPT = {"lit": 0.9, "lcd": 0.95}
"""Least chance of the least sure cell for a number that counts by itself, by the kind of glass."""
HELD = 0.9
"""The most that is said of a number that does not count by itself."""
_EVEN = 0.75
"""Least brightness of a bar against the same bars of the other digits."""
_ALONE = 0.98
"""The same for a cell that has no others to compare its light with."""
_CLOSE = 0.02
_DIM_TEXT = 0.75
"""Between words, unlit bars may be as bright as this share of the lit ones."""
_MOST_CANDIDATES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`text` as shown, `?` for places not seen; `score` if it is a number; `why` it may not count (empty: it may);
    `blank`: nothing is lit.
    """

    text: str
    score: int | None
    confidence: float
    candidates: tuple[int, ...] = ()
    why: str = ""
    blank: bool = False


def judge_number(cells: Sequence[CellRead], *, known: bool, glass: str) -> Line:
    """A row of seven-segment cells. `known`: the number of cells was told, not counted. `glass`: lit or lcd."""
    signs = _shown(cells)
    if all(sign == BLANK for sign in signs):
        return Line(text="", score=None, confidence=0.0, why="nothing is lit", blank=True)
    first = next(i for i, sign in enumerate(signs) if sign != BLANK)
    body = [UNKNOWN if sign == BLANK else sign for sign in signs[first:]]
    text = "".join(body)
    why = _doubt(cells, first, signs, known=known, glass=glass)
    sure = _sureness(cells)
    if UNKNOWN in text:
        return Line(text=text, score=None, confidence=0.0, candidates=_candidates(cells, first), why=why)
    confidence = sure if not why else min(sure, HELD)
    return Line(text=text, score=int(text), confidence=confidence, candidates=_candidates(cells, first), why=why)


def judge_text(cells: Sequence[CellRead], *, known: bool, glass: str) -> Line:
    """A row of cells of 14 or 16 segments: a text, and a number as well if it is nothing but digits."""
    shown = [_letter(cell, cells) for cell in cells]
    if all(sign == BLANK for sign in shown):
        return Line(text="", score=None, confidence=0.0, why="nothing is lit", blank=True)
    digits = as_digits(shown)
    text = "".join(settle_signs(shown)).strip() if digits is None else "".join(digits).strip()
    if digits is None:
        sure = _sureness(cells)
        return Line(text=text, score=None, confidence=min(sure, HELD), why=f"no number: {text}")
    if BLANK in text:
        return Line(text=text, score=None, confidence=0.0, why=f"not one number: {text}")
    first = next(i for i, sign in enumerate(digits) if sign != BLANK)
    why = _doubt(cells, first, digits, known=known, glass=glass)
    if digits[-1] == BLANK:  # a number may stand left in its window, or its last digits may be dark for the moment
        why = f"dark places after the number: {text}"
    sure = _sureness(cells)
    return Line(text=text, score=int(text), confidence=sure if not why else min(sure, HELD), why=why)


def may_be_turned(text: str) -> bool:
    """Whether the number may stand upside down or be seen in a mirror: it reads as one both ways, and begins with 0.

    Scores hardly ever begin with 0, and mostly end with it.
    """
    return text.startswith("0") and set(text) <= set("025689") and len(set(text)) > 1


def _shown(cells: Sequence[CellRead]) -> list[str]:
    """The signs; a cell that is blank but not truly dark is none."""
    return [UNKNOWN if cell.sign == BLANK and not is_dark(cell, cells) else cell.sign for cell in cells]


def _letter(cell: CellRead, cells: Sequence[CellRead]) -> str:
    """The sign in a text: a cell that is dark is blank there, whatever its unlit bars look like."""
    if cell.sign == BLANK:
        return BLANK if is_dark(cell, cells, _DIM_TEXT) else UNKNOWN
    return BLANK if cell.sign == UNKNOWN and is_dark(cell, cells) else cell.sign


def _doubt(cells: Sequence[CellRead], first: int, signs: Sequence[str], *, known: bool, glass: str) -> str:
    """Empty, or the first reason why the number may not count."""
    shown = "".join(sign if sign != BLANK else UNKNOWN for sign in signs[first:])
    if BLANK in signs[first:]:
        return f"a digit is dark: {shown}"
    if UNKNOWN in signs:
        return f"places not seen: {shown}"
    if len(shown) > 1 and set(shown) == {"8"}:
        return f"every segment is lit, or none: {shown}"
    lit = list(cells[first:])
    if not all(cell.agreed for cell in cells):
        return f"not sure enough: {shown} changes with the point of view"
    if not all(cell.spelled for cell in lit):
        return f"not sure enough: the segments do not spell {shown}"
    weakest = min(cell.chance for cell in cells)
    if weakest < (ACCEPT[glass] if len(cells) > 1 else _ALONE):
        return f"not sure enough: {shown} at {weakest:.2f}"
    if (
        glass == "lit"
        and all(cell.best in DIGITS for cell in lit)
        and least_even([cell.best for cell in lit], [cell.bars for cell in lit]) < _EVEN
    ):
        return f"a bar is dimmer than its like, so two figures may be in one frame: {shown}"
    if not known and first == 0:
        return f"how many digits there are is only counted: {shown}; tell --digits"
    return ""


def _sureness(cells: Sequence[CellRead]) -> float:
    """The chance that all cells are right, from the least sure ones."""
    sure = 1.0
    for cell in cells:
        sure *= cell.chance * (1.0 if cell.agreed else 0.7) * (1.0 if cell.spelled else 0.8)
    return round(min(0.9999, sure), 4)


def _candidates(cells: Sequence[CellRead], first: int) -> tuple[int, ...]:
    """Other numbers that it may be: the likeliest other sign in the places that are least sure."""
    doubtful = sorted(range(first, len(cells)), key=lambda i: cells[i].chance)[:2]
    doubtful = [i for i in doubtful if cells[i].chance < 1 - _CLOSE]
    options = [
        [cell.best] + ([cell.second] if i in doubtful else []) for i, cell in enumerate(cells[first:], start=first)
    ]
    found = []
    for signs in product(*options):
        text = "".join(signs).strip()
        if text.isdigit() and len(text) == len(cells) - first:
            found.append(int(text))
    own = "".join(cell.sign for cell in cells[first:])
    return tuple(n for n in found if not own.isdigit() or n != int(own))[:_MOST_CANDIDATES]
