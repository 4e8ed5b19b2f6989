"""A machine's own fonts as a third voice beside the two networks: one call after the lines were read.

Nothing is read here. Invariant: a font can make a number count only where a network says the same; where it speaks
against them, the number is held with both, and where it says nothing, nothing changes.
"""

from collections.abc import Sequence
from dataclasses import replace

from capture.vision.atlas_read import UNKNOWN, Told, read_by_fonts
from capture.vision.digits import Number, Text
from capture.vision.networks import Values
from hardware.atlas import Font

SURE = 0.9995
"""Chance of a place that a network and the machine's own font read alike."""

_BLIND = 3
"""A network that leaves more than one place in so many open does not bear a font out."""


def hear_fonts(texts: list[Text], dots: Values, fonts: Sequence[Font]) -> list[Text]:
    """The texts with each number weighed by the fonts. `dots`: 2 x rows x columns, as the networks see them."""
    if not fonts:
        return texts
    return [replace(text, numbers=_weigh_all(text.numbers, dots[0], fonts)) for text in texts]


def _weigh_all(numbers: Sequence[Number], plain: Values, fonts: Sequence[Font]) -> tuple[Number, ...]:
    """One line's numbers; what turned out to be a piece of a whole one is left out."""
    weighed = [_weigh(number, read_by_fonts(plain, number.box, fonts)) for number in numbers]
    whole = [one for one, before in zip(weighed, numbers, strict=True) if one.box != before.box]
    return tuple(one for one in weighed if not any(one is not other and _within(one, other) for other in whole))


def _within(one: Number, other: Number) -> bool:
    return other.box[0] <= (one.box[0] + one.box[2]) / 2 <= other.box[2] and len(one.text) < len(other.text)


def _weigh(number: Number, told: Told | None) -> Number:
    """The number after its font has spoken."""
    if told is None:
        return number
    if UNKNOWN in told.text:
        return _weigh_in_part(number, told)
    whole = told.exact and told.complete and told.explained
    if number.agreed and told.text == number.text:
        return _agreed(number, told) if told.explained else number
    if whole and any(_bears_out(said, told.text) for said in (number.by_sign, number.by_line)):
        return _agreed(number, told)
    if told.text == number.text:
        return number
    best, other = (told.text, number.text) if whole else (number.text, told.text)
    chances = number.chances if len(best) == len(number.chances) else (min(number.chances, default=0.0),) * len(best)
    return replace(number, text=best, chances=chances, by_sign=best, by_line=other)


def _weigh_in_part(number: Number, told: Told) -> Number:
    """The font leaves places open: it may still speak against the networks, never for them.

    A place that it cannot read although the networks see a digit there that it knows is drawn in another way: held.
    """
    if len(told.inside) != len(number.text):
        return number
    said = list(zip(told.inside, number.text, strict=True))
    against = [UNKNOWN != yours != mine and (mine != UNKNOWN or yours in told.taught) for mine, yours in said]
    if not any(against):
        return number
    seen = "".join(mine if no else yours for (mine, yours), no in zip(said, against, strict=True))
    return replace(number, by_sign=number.text, by_line=seen)


def _bears_out(said: str, told: str) -> bool:
    """A network read the same, but for a few places that it did not see."""
    if len(said) != len(told) or _BLIND * said.count(UNKNOWN) > len(said):
        return False
    return all(mine in {UNKNOWN, yours} for mine, yours in zip(said, told, strict=True))


def _agreed(number: Number, told: Told) -> Number:
    chances = number.chances if len(number.chances) == len(told.text) else (SURE,) * len(told.text)
    return replace(
        number, box=told.box, text=told.text, by_sign=told.text, by_line=told.text,
        chances=tuple(max(SURE, chance) for chance in chances),
        groups=number.groups if told.groups is None else told.groups,
        widest=0.0, found=max(number.found, SURE) if told.exact else number.found,
        damaged=0.0 if told.exact else number.damaged,
    )  # fmt: skip
