"""Signs of 14 and 16 segments that are drawn alike: O and 0, S and 5, I and 1 are told apart by their neighbours.

Plain text rules. Invariant: a sign only ever changes into its twin.
"""

import re
from collections.abc import Sequence

_LETTER = {"0": "O", "5": "S", "1": "I", "8": "B"}
_DIGIT = {"O": "0", "S": "5", "I": "1"}
_DOUBTFUL = frozenset("051")


def as_digits(signs: Sequence[str]) -> list[str] | None:
    """The same signs as digits and blanks, if they can be nothing else; None if it is a text."""
    said = [_DIGIT.get(sign, sign) for sign in signs]
    if not all(sign == " " or sign.isdigit() for sign in said):
        return None
    return said


def settle_signs(signs: Sequence[str]) -> list[str]:
    """Letters in words, digits in numbers."""
    line = "".join(signs)
    said: list[str] = []
    for token in re.split(r"( +)", line):
        said.extend(_settle(token) if token.strip() else token)
    return said


def _settle(token: str) -> str:
    if re.fullmatch(r"[0-9]*1(ST|5T)", token):
        return token[:-2] + "ST"
    if re.fullmatch(r"[0-9]+(TH|ND|RD)", token):
        return token
    letters = [i for i, sign in enumerate(token) if sign.isalpha()]
    digits = [i for i, sign in enumerate(token) if sign.isdigit() and sign not in _DOUBTFUL]
    if not letters:
        return token
    said = list(token)
    for i, sign in enumerate(token):
        if sign in _DOUBTFUL or (sign == "8" and len(letters) >= 2 and len(digits) == 1):
            near_letter = min(abs(i - j) for j in letters)
            near_digit = min((abs(i - j) for j in digits if j != i), default=99)
            if near_letter <= near_digit:
                said[i] = _LETTER[sign]
    return "".join(said)
