"""JSON from outside, and the numbers in it: whole numbers, or hexadecimal in a string.

Here: bounded reading and one-line errors. Not here: what a key means. Invariant: nothing larger than its limit is held,
and whatever a file holds, only MapInvalid is raised, with the file and the key.
"""

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from hardware.errors import MapInvalid
from hardware.files import read_text

MOST_BYTES = 4 << 20
"""Of a map, a platform or an index."""

_WHOLE = re.compile(r"\s*(-?)(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19})\s*\Z")


def read_json(path: Path, what: str) -> dict[str, Any]:
    """The JSON object in a file. Raises MapInvalid."""
    text = read_text(path, what, MOST_BYTES, MapInvalid)
    try:
        document = json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    except RecursionError:
        raise MapInvalid(f"{path}: nested too deeply: this is no {what}") from None
    except ValueError as error:
        raise MapInvalid(f"{path}: not valid JSON ({str(error)[:100]}): this is no {what}") from None
    if not isinstance(document, dict):
        raise MapInvalid(f"{path}: not a JSON object: this is no {what}")
    return document


class Part:
    """One object in a file, and where it stands, so that what is wrong in it can be named."""

    def __init__(self, file: str, key: str, value: object) -> None:
        """Raises MapInvalid where it is no object."""
        if not isinstance(value, dict):
            raise MapInvalid(f"{file}: key {key!r}: an object in braces is needed, not {_shorten(value)}")
        self.file, self.key, self._value = file, key, value

    def __contains__(self, name: str) -> bool:
        return self._value.get(name) is not None

    def get(self, name: str) -> Any:  # noqa: ANN401 - whatever the file holds
        """The value as it stands; None where there is none."""
        return self._value.get(name)

    def wrong(self, name: str, needed: str) -> MapInvalid:
        """The error that says what is needed at a key."""
        key = f"{self.key}.{name}" if self.key else name
        if name not in self._value:
            return MapInvalid(f"{self.file}: key {key!r} is missing: {needed} is needed")
        return MapInvalid(f"{self.file}: key {key!r}: {needed} is needed, not {_shorten(self._value[name])}")

    def whole(self, name: str, least: int, most: int, otherwise: int | None = None) -> int:
        """A whole number. Raises MapInvalid."""
        if name not in self and otherwise is not None:
            return otherwise
        number = whole_of(self.get(name))
        if number is None or not least <= number <= most:
            raise self.wrong(name, f'a whole number from {least} to {most}, or such a one as "0x1F"')
        return number

    def ratio(self, name: str, otherwise: int) -> Fraction:
        """A number, exact. Raises MapInvalid."""
        value = self.get(name)
        number = whole_of(value)
        if number is None and isinstance(value, Decimal) and abs(value.adjusted()) <= 12:
            return Fraction(value)
        if name in self and (number is None or abs(number) > 10**12):
            raise self.wrong(name, "a number")
        return Fraction(otherwise if number is None else number)

    def flag(self, name: str) -> bool:
        """True or false; false where it is not given. Raises MapInvalid."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return bool(value)

    def choice(self, name: str, allowed: tuple[str, ...], otherwise: str | None = None) -> str:
        """One of these words. Raises MapInvalid."""
        value = self.get(name)
        if value is None and otherwise is not None:
            return otherwise
        if value not in allowed or not isinstance(value, str):
            raise self.wrong(name, f"one of {', '.join(allowed)}")
        return value

    def list(self, name: str, most: int) -> list[Any]:
        """A list, empty where there is none. Raises MapInvalid where it is none or too long."""
        value = self.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > most:
            raise self.wrong(name, f"a list of {most} at the most")
        return value


def whole_of(value: object) -> int | None:
    """A whole number, or one in a string (`"0x1F"`, `"31"`); None for everything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and (found := _WHOLE.match(value)):
        number = int(found[2], 16 if found[2][:2].lower() == "0x" else 10)
        return -number if found[1] else number
    return None


def _shorten(value: object) -> str:
    shown = repr(value) if not isinstance(value, Decimal) else str(value)
    return shown if len(shown) <= 60 else shown[:57] + "…"


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")
