"""Ids made of what people call things: of a tournament's title, of a machine's name.

Only letters and digits of ASCII and single hyphens between them. Invariant: the same text gives the same id.
"""

import re
import unicodedata


def id_of(text: str, longest: int) -> str:
    """The id that a text gives, of at most so many characters; empty where no letter or digit is in it."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:longest].strip("-")
