"""From wheels to the number that a row shows: one, or those that it may be, and why it may not count.

Invariant: a wheel at half a turn gives two candidates, never one number; nothing settles a carry by guessing.
"""

from dataclasses import dataclass
from itertools import product

from capture.vision.reading import ROLLING, SETTLED, ScoreReading
from capture.vision.reels.wheel import Way, Wheel

ACCEPT = 0.99
"""Least chance of the least sure digit, by the less sure network, for a number that counts by itself."""
LEAST_WHEEL, LEAST_WHOLE, LEAST_STILL, LEAST_CONTRAST = 0.95, 0.6, 0.8, 24
LEAST_WHEEL_STANDING = 0.85
"""The same of a wheel that was seen to stand in more than one picture: a wheel that ran is blurred."""
STOOD = 2
"""Pictures from which a wheel is known to stand."""
FOLLOWED = 0.99
"""Least chance of a digit by all that was seen of its wheel."""
NO_WHEEL = 0.3
"""Chance of being a wheel below which it is none, and no number is proposed."""
_PROPOSE = 0.5
"""Chance of a digit below which its place is not seen."""
_NEARBY = 0.45
"""Chance of a turning wheel's two digits below which they are not named."""
_STRAIGHT = 0.15
"""Pitches from the middle up to which a digit counts by itself."""
_ASKEW = 0.2
"""The same of a wheel that stands: none comes to rest between."""
_CONTRADICTED = 0.5
_MOST_CANDIDATES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The number of one row, and why it may not count by itself (empty: it may)."""

    score: ScoreReading
    doubt: str


def count_row(wheels: list[Wheel], *, zeros: int, turns: Way | None, player: int | None) -> Counted:
    """The number that these wheels show with so many painted noughts behind them."""
    noughts = "0" * zeros
    doubt = doubt_wheels(wheels)
    if doubt.startswith("no wheel"):
        nothing = ScoreReading(player=player, text="?" * len(wheels) + noughts, score=None)
        return Counted(score=nothing, doubt=doubt)
    rolling = [wheel.rolling for wheel in wheels]
    seen = [wheel.nearby >= _NEARBY if wheel.rolling else wheel.likely >= _PROPOSE for wheel in wheels]
    text = "".join(
        "?" if roll or not good else str(w.digit) for w, roll, good in zip(wheels, rolling, seen, strict=True)
    )
    if any(rolling):
        numbers = _candidates(wheels, turns) if all(seen) else []
        score = ScoreReading(
            player=player, text=text + noughts, score=None, state=ROLLING,
            candidates=tuple(int(f"{number}{noughts}") for number in numbers),
        )  # fmt: skip
        return Counted(score=score, doubt=doubt)
    score = ScoreReading(
        player=player, text=text + noughts, score=int(text + noughts) if all(seen) else None, state=SETTLED,
        confidence=0.0 if not all(seen) else min(sureness(wheel) for wheel in wheels),
    )  # fmt: skip
    return Counted(score=score, doubt=doubt)


def sureness(wheel: Wheel) -> float:
    """The chance that the digit is right: by the less sure network, and never high where the looks differ."""
    sure = min(wheel.followed if _was_followed(wheel) else wheel.chance, wheel.wheel)
    return round(min(sure, 1.0 if wheel.agreed else 0.6), 4)


def doubt_wheels(wheels: list[Wheel]) -> str:
    """Empty, or the first reason why what these wheels show may not count by itself."""
    named = [(f"wheel {i}: " if len(wheels) > 1 else "", wheel) for i, wheel in enumerate(wheels, 1)]
    for name, wheel in named:
        if wheel.wheel < NO_WHEEL:
            return f"no wheel with digits there{': ' + name[:-2] if name else ''}"
    for name, wheel in named:
        if wheel.rolling:
            return f"{name}rolling between two digits"
    for name, wheel in named:
        reason = _doubt(wheel)
        if reason:
            return name + reason
    return ""


def _doubt(wheel: Wheel) -> str:
    standing = wheel.stood >= STOOD
    if wheel.wheel < (LEAST_WHEEL if not standing else LEAST_WHEEL_STANDING):
        return "may be no wheel"
    if wheel.contrast < LEAST_CONTRAST:
        return "too faint: more light, or a longer exposure"
    if wheel.whole < LEAST_WHOLE:
        return "the digit is cut or covered"
    if not wheel.agreed:
        return "looks from slightly different places differ"
    straight = abs(wheel.above) <= _STRAIGHT and wheel.still >= LEAST_STILL
    askew = wheel.stood > STOOD and abs(wheel.above) <= _ASKEW
    if not straight and not askew and not (standing and wheel.at_home):
        return "it may be rolling"
    if not wheel.alone and not standing:
        return "it only just came to this digit"  # two figures that mix in one picture do so in no second one
    if wheel.chance < ACCEPT and not _was_followed(wheel):
        return f"not sure enough of the digit ({wheel.chance:.2f})"
    if wheel.stood > 1 and wheel.followed < _CONTRADICTED:
        return f"the wheel cannot have come to this digit ({wheel.followed:.2f})"
    return ""


def _was_followed(wheel: Wheel) -> bool:
    """Whether the digits that the wheel showed before make this one sure."""
    return wheel.stood >= STOOD and wheel.followed >= FOLLOWED and wheel.chance >= _PROPOSE and wheel.agreed


def _candidates(wheels: list[Wheel], turns: Way | None) -> list[str]:
    """The numbers before and after the turn, then what else the wheels may come to show; best first."""
    if turns is None:
        voices = [wheel.up for wheel in wheels if wheel.rolling]
        mean = sum(voices) / len(voices)
        turns = None if 0.1 < mean < 0.9 else ("up" if mean >= 0.5 else "down")
    rows: list[str] = []
    for way in range(1 if turns is not None else 2):
        pairs = [wheel.between(turns)[way] if wheel.rolling else (wheel.digit, wheel.digit) for wheel in wheels]
        nearest = "".join(str(wheel.digit) for wheel in wheels)
        before, after = ("".join(str(pair[side]) for pair in pairs) for side in (0, 1))
        whole = sorted((before, after), key=lambda number: number != nearest)
        rows += whole + ["".join(map(str, digits)) for digits in product(*[sorted(set(pair)) for pair in pairs])]
    return list(dict.fromkeys(rows))[:_MOST_CANDIDATES]
