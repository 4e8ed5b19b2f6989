"""Ids made of what people call things: of a tournament's title, of a machine's name.

Only letters and digits of ASCII and single hyphens between them. Invariant: the same text gives the same id.
"""

import re
import unicodedata
from collections.abc import Collection

STEM = 32
"""Characters of an id before the number that tells it from another."""


def id_of(text: str, longest: int) -> str:
    """The id that a text gives, of at most so many characters; empty where no letter or digit is in it."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:longest].strip("-")


def free_id(text: str, used: Collection[str], otherwise: str) -> str:
    """The id that a text gives, with a number behind it where somebody has that; `otherwise` where it gives none."""
    stem = id_of(text, STEM) or otherwise
    number, found = 1, stem
    while found in used:
        number += 1
        found = f"{stem}-{number}"
    return found
