"""One descriptor of a memory map: strict, bounded, exact.

Here: from the JSON object to a `Field`. Not here: files, and the bytes. Source: the Pinball Memory Maps project's
README, sections "Descriptors" and "Version History" (0.1 wrote `packed` where later ones write `nibble`). Invariant: no
field names more addresses than `MOST_ADDRESSES`, and each of them is an address.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast, get_args

from hardware.errors import MapInvalid
from hardware.maps.model import DIP_BYTES, Encoding, Field, Nibble, Platform
from hardware.maps.numbers import Part, whole_of

MOST_ADDRESSES = 64
"""Of one value: no score is so long."""
MOST_VALUES = 1024
TOP_ADDRESS = (1 << 32) - 1

_ENCODINGS = get_args(Encoding)
_NIBBLES = get_args(Nibble)
_NUMERIC = ("int", "bcd", "bits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What holds for all descriptors of a map unless they say otherwise."""

    platform: Platform
    nibble: Nibble | None = None
    little: bool = False
    values: Part | None = None
    """Lists of values that several descriptors share, by name."""


def parse_field(value: object, *, file: str, key: str, defaults: Defaults) -> Field:
    """Make one field. Raises MapInvalid, naming file and key."""
    part = Part(file, key, value)
    encoding = cast("Encoding", part.choice("encoding", _ENCODINGS))
    addresses = _addresses(part, dipsw=encoding == "dipsw")
    if encoding in {"int", "bcd", "bits", "bool"} and _little(part, defaults):
        addresses = addresses[::-1]
    return Field(
        key=key,
        encoding=encoding,
        addresses=addresses,
        nibble=_nibble(part, defaults),
        mask=part.whole("mask", 0, 255, 255),
        scale=part.ratio("scale", 1) if encoding in _NUMERIC else Fraction(1),
        offset=part.ratio("offset", 0) if encoding in _NUMERIC else Fraction(0),
        invert=part.flag("invert"),
        values=_values(part, defaults) if encoding in {"enum", "bits", "dipsw"} else (),
        special=_special(part) if encoding in {"int", "bcd"} else (),
    )


def _addresses(part: Part, *, dipsw: bool) -> tuple[int, ...]:
    least, most = (1, DIP_BYTES * 8) if dipsw else (0, TOP_ADDRESS)
    if "offsets" in part:
        numbers = [whole_of(one) for one in part.list("offsets", MOST_ADDRESSES)]
        if not numbers or not all(number is not None and least <= number <= most for number in numbers):
            what = f"switches from 1 to {most}" if dipsw else "addresses"
            raise part.wrong("offsets", f"a list of {what}")
        return tuple(number for number in numbers if number is not None)
    if dipsw:
        raise part.wrong("offsets", f"a list of switches from 1 to {most}")
    start = part.whole("start", 0, TOP_ADDRESS)
    length = part.whole("length", 1, MOST_ADDRESSES, 1)
    if "end" in part:
        if "length" in part:
            raise part.wrong("end", "either end or length")
        length = part.whole("end", start, min(TOP_ADDRESS, start + MOST_ADDRESSES - 1)) - start + 1
    if start + length - 1 > TOP_ADDRESS:
        raise part.wrong("length", "an end below 2^32")
    return tuple(range(start, start + length))


def _little(part: Part, defaults: Defaults) -> bool:
    return part.choice("endian", ("big", "little"), "little" if defaults.little else "big") == "little"


def _nibble(part: Part, defaults: Defaults) -> Nibble:
    """Its own; else the map's; else that of the memory where it begins."""
    if "nibble" in part:
        return cast("Nibble", part.choice("nibble", _NIBBLES))
    if part.get("packed") is not None:  # 0.1
        return "both" if part.flag("packed") else "low"
    if defaults.nibble is not None:
        return defaults.nibble
    first = whole_of((part.get("offsets") or [None])[0]) if "offsets" in part else whole_of(part.get("start"))
    region = None if first is None else defaults.platform.region_of(first)
    return region.nibble if region else "both"


def _values(part: Part, defaults: Defaults) -> tuple[int | str, ...]:
    """Its own list, or one of the map's by its name."""
    owner, name = part, "values"
    if isinstance(part.get("values"), str):
        if defaults.values is None or part.get("values") not in defaults.values:
            raise part.wrong("values", "a list, or the name of a list in _metadata.values")
        owner, name = defaults.values, part.get("values")
    numbers = owner.list(name, MOST_VALUES)
    if not all(isinstance(one, (int, str)) for one in numbers):
        raise owner.wrong(name, "a list of numbers and words")
    if any(isinstance(one, int) and abs(one) > 10**18 for one in numbers):
        raise owner.wrong(name, "numbers below 10^18")
    return tuple(int(one) if isinstance(one, bool) else one for one in numbers)


def _special(part: Part) -> tuple[int, ...]:
    words = part.get("special_values")
    if words is None:
        return ()
    if not isinstance(words, dict) or len(words) > MOST_VALUES:
        raise part.wrong("special_values", f"an object of {MOST_VALUES} at the most")
    numbers = [whole_of(key) for key in words]
    if not all(number is not None for number in numbers):
        raise MapInvalid(f"{part.file}: key '{part.key}.special_values': its keys are whole numbers in quotes")
    return tuple(number for number in numbers if number is not None)
