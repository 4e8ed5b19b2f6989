"""A display that lights its digits in turn: pictures that each show a part, put together to one number.

Texts with `?` in, a text out. Invariant: every place was seen again and again while all the others were, and never as
another digit; a number that changes meanwhile gives nothing.
"""

from collections.abc import Sequence

UNSEEN = "?"
TIMES, TOGETHER_MS = 3, 900
"""So often a place must have been seen, and so long all of them side by side."""


def merge(seen: Sequence[tuple[int, str]]) -> str | None:
    """The number of which these (time, text) are parts, aligned at their right ends; None where they make none.

    Dark places before the first lit one may be left out of a text, as leading blanks are.
    """
    texts = [(at, text) for at, text in seen if text.strip(UNSEEN)]
    length = max((len(text) for _, text in texts), default=0)
    if not length:
        return None
    places: list[str] = []
    firsts, lasts = [], []
    for place in range(1, length + 1):
        shown = [(at, text[-place]) for at, text in texts if len(text) >= place and text[-place] != UNSEEN]
        if len(shown) < TIMES or len({digit for _, digit in shown}) > 1:
            return None
        places.append(shown[0][1])
        firsts.append(shown[0][0])
        lasts.append(shown[-1][0])
    if min(lasts) - max(firsts) < TOGETHER_MS:
        return None
    return "".join(reversed(places))


def fits(part: str, text: str) -> bool:
    """Whether the part may be of this number: no place of it says otherwise."""
    if len(part) > len(text) or UNSEEN not in part:
        return False
    return all(a in {UNSEEN, b} for a, b in zip(reversed(part), reversed(text), strict=False))
