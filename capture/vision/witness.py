"""What two readers say of one number, put together: who says which place, and how sure both are of it together.

Texts and chances only. Invariant: a place that neither reader sees stays `?`.
"""

from capture.vision.networks import GROUP, TWINS, Values

SEEN = 0.5
"""A place whose best digit is less likely than this is not seen."""


def merge(by_sign: str, chance: Values, by_line: str, line_chances: list[float]) -> tuple[str, tuple[float, ...]]:
    """Place by place what the surer reader says, where the two differ somewhere."""
    text, chances = "", []
    for sign, a, other, b in zip(by_sign, chance.tolist(), by_line, line_chances, strict=True):
        sure = min(a, b) if sign == other else max(a, b)
        text += sign if sign == other or (a >= b and sign != "?") else other if b >= SEEN else "?"
        chances.append(sure)
    return text, tuple(chances)


def together(a: float, b: float) -> float:
    """What two witnesses who say the same come to."""
    return a * b / max(a * b + (1 - a) * (1 - b), 1e-9)


def closest(pieces: list[list[tuple[str, float]]], text: str) -> list[tuple[str, float]]:
    """The run that is most like the text."""

    def likeness(piece: list[tuple[str, float]]) -> float:
        other = "".join(TWINS.get(sign, sign) for sign, _ in piece if sign != GROUP)
        return _common(text, other) - 0.5 * abs(len(text) - len(other))

    return max(pieces, key=likeness, default=[])


def _common(a: str, b: str) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        above = 0
        for j, y in enumerate(b, start=1):
            above, row[j] = row[j], above + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]
