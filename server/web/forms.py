"""What a form sends, bounded and made plain before anything looks at it. One clear line for what cannot be read."""

import hashlib
import re
import unicodedata

from starlette.datastructures import FormData

LONGEST = 400
"""Characters of one field that are read."""
HIGHEST = 10**18
"""The highest score there is, on the wire and in the API."""
GROUP = 3
_GAP = re.compile(r"[\s,.'’_\u202f\u00a0]+")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,79}")


class FieldInvalid(Exception):
    """A field cannot be read: the text says which, and what to do."""


def text(form: FormData, name: str, *, longest: int = LONGEST) -> str:
    """The field's text, trimmed, without control characters; empty where it is missing."""
    return _plain(_sent(form, name, longest)).strip()


def lines(form: FormData, name: str, *, longest: int) -> str:
    """A field of several lines, otherwise as `text`."""
    return "\n".join(_plain(line).strip() for line in _sent(form, name, longest).splitlines()).strip()


def number(form: FormData, name: str) -> int | None:
    """The field as a whole number from 0, None where it is empty. Raises FieldInvalid."""
    value = text(form, name)
    if not value:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", value):
        raise FieldInvalid(f"{name} must be a whole number.")
    return int(value)


def position(typed: str) -> int | None:
    """A place in the ledger as an address carries it, None for anything else."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 16 else None


def score(typed: str) -> int:
    """A typed score: digits, in groups of three or not grouped. Raises FieldInvalid for signs, letters, what no machine
    can show, and groups of which one has lost a digit.
    """
    groups = _GAP.split(typed.strip())
    digits = "".join(groups)
    if not re.fullmatch(r"[0-9]+", digits):
        raise FieldInvalid("Type the score in digits only, as the display shows it.")
    if len(digits) > 40 or int(digits) > HIGHEST:
        raise FieldInvalid("No machine shows a number that long. Count the digits again.")
    if len(groups) > 1 and (not 1 <= len(groups[0]) <= GROUP or any(len(group) != GROUP for group in groups[1:])):
        raise FieldInvalid("The gaps do not leave three digits each: is one missing? Type the digits without gaps.")
    return int(digits)


def key_of(form: FormData, *what: str) -> str | None:
    """The idempotency key of this very form with this very content; None where the form carries none.

    A double tap sends both alike and is one deed; the same form filled in otherwise is another.
    """
    key = text(form, "key", longest=80)
    if not key:
        return None
    content = "\x1f".join([*what, *(f"{name}={value}" for name, value in sorted(form.multi_items()))])
    return f"form-{key}-{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def _sent(form: FormData, name: str, longest: int) -> str:
    value = form.get(name)
    if value is None or not isinstance(value, str):
        return ""
    if len(value) > longest:
        raise FieldInvalid(f"That is too long: at most {longest} characters.")
    return value


def _plain(value: str) -> str:
    return "".join(sign for sign in value if sign in "\u200c\u200d" or unicodedata.category(sign)[0] != "C")
