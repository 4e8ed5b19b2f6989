"""Reading single values of a tournament document: each function takes a value and its path and gives it typed.

What is not of the right type raises TournamentInvalid. Nothing here knows a rule: a negative score is a whole
number, and it is the rules that refuse it. Invariant: every length and size is bounded before it is used.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal

from server.core.rules.errors import Path, TournamentInvalid

MAX_BITS = 3322
"""Whole numbers may have up to 1000 digits: more than any machine shows, and still cheap to add and to print."""

MAX_ID = 80
MAX_TEXT = 2000
MAX_BALLS = 100
DECIMAL = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Check = Callable[[object, Path], object]


def show(value: object) -> str:
    """Show a wrong value in an error: short, on one line."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return "a number of more than 1000 digits"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def ident(value: object, path: Path) -> str:
    """Read an id: text, or a whole number taken as its digits (`id: 7` and `id: "7"` are the same player)."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 200:
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise TournamentInvalid(path, f"must be an id (a short text), not {show(value)}")
    if len(value) > MAX_ID or CONTROL.search(value):
        raise TournamentInvalid(path, f"must be one line of at most {MAX_ID} characters")
    return value


def text(value: object, path: Path) -> str:
    """Read a text for people; numbers are taken as written, line breaks become spaces."""
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return show(value)
    if not isinstance(value, str):
        raise TournamentInvalid(path, f"must be text, not {show(value)}")
    if len(value) > MAX_TEXT:
        raise TournamentInvalid(path, f"must be at most {MAX_TEXT} characters long")
    return CONTROL.sub(" ", value)


def whole(value: object, path: Path) -> int:
    """Read a whole number of any size up to 1000 digits; a float, a truth value or quoted digits are none."""
    if not isinstance(value, int) or isinstance(value, bool):
        hint = " (write it without quotes or leading zeros)" if isinstance(value, str) and value.isdigit() else ""
        raise TournamentInvalid(path, f"must be a whole number, not {show(value)}{hint}")
    if value.bit_length() > MAX_BITS:
        raise TournamentInvalid(path, "has more than 1000 digits")
    return value


def not_below_0(value: object, path: Path) -> int:
    """Read a whole number that is not negative."""
    number = whole(value, path)
    if number < 0:
        raise TournamentInvalid(path, f"must not be below 0, as {show(number)} is")
    return number


def whole_between(low: int, high: int) -> Callable[[object, Path], int]:
    """Make a reader of whole numbers from `low` to `high`."""

    def read(value: object, path: Path) -> int:
        number = whole(value, path)
        if not low <= number <= high:
            raise TournamentInvalid(path, f"must be from {low} to {high}, not {show(number)}")
        return number

    return read


def truth(value: object, path: Path) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise TournamentInvalid(path, f"must be true or false, not {show(value)}")
    return value


def decimal(value: object, path: Path) -> Decimal:
    """Read an exact decimal, from text or a Decimal; a float is refused, since it is not what was written."""
    written = value if isinstance(value, str) else str(value) if isinstance(value, (int, Decimal)) else ""
    if isinstance(value, bool) or not DECIMAL.match(written):
        raise TournamentInvalid(path, f"must be a decimal number such as 0.8, not {show(value)}")
    return Decimal(written)


def one_of(*allowed: str) -> Callable[[object, Path], str]:
    """Make a reader of one of a few words."""

    def read(value: object, path: Path) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise TournamentInvalid(path, f"must be one of {', '.join(allowed)}, not {show(value)}")
        return value

    return read


def mapping(value: object, path: Path) -> Mapping[object, object]:
    """Read a mapping."""
    if not isinstance(value, Mapping):
        raise TournamentInvalid(path, f"must be a mapping (key: value), not {show(value)}")
    return value


def sequence(value: object, path: Path) -> Sequence[object]:
    """Read a list; nothing at all is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)):
        raise TournamentInvalid(path, f"must be a list, not {show(value)}")
    return value


def idents(value: object, path: Path) -> tuple[str, ...]:
    """Read a list of ids, each once."""
    found = tuple(ident(item, (*path, index)) for index, item in enumerate(sequence(value, path)))
    if len(set(found)) != len(found):
        raise TournamentInvalid(path, "names one twice")
    return found


def row(value: object, path: Path, checks: Mapping[str, Check]) -> dict[str, object]:
    """Read somebody or something of the head: keys as `checks` has them, an `id` among them; None is not given."""
    values: dict[str, object] = {}
    for key, item in mapping(value, path).items():
        check = checks.get(key) if isinstance(key, str) else None
        if check is None:
            raise TournamentInvalid((*path, str(key)), f"is no field here; there are {', '.join(checks)}")
        if item is not None:
            values[str(key)] = check(item, (*path, str(key)))
    if "id" not in values:
        raise TournamentInvalid(path, "needs an id")
    return values


def numbers_by_who(value: object, path: Path) -> dict[str, int]:
    """Read `{who: whole number, ...}`, in the order in which it is written."""
    found: dict[str, int] = {}
    for key, number in mapping(value, path).items():
        who = ident(key, path)
        if who in found:
            raise TournamentInvalid((*path, who), "is there twice")
        found[who] = whole(number, (*path, who))
    return found


def lists_by_who(value: object, path: Path) -> dict[str, tuple[int, ...]]:
    """Read `{who: [whole number, ...], ...}`: scores after each ball, at most 100 of them."""
    found: dict[str, tuple[int, ...]] = {}
    for key, numbers in mapping(value, path).items():
        who = ident(key, path)
        if who in found:
            raise TournamentInvalid((*path, who), "is there twice")
        items = sequence(numbers, (*path, who))
        if len(items) > MAX_BALLS:
            raise TournamentInvalid((*path, who), f"has more than {MAX_BALLS} numbers")
        found[who] = tuple(not_below_0(item, (*path, who, index)) for index, item in enumerate(items))
    return found


def moment(value: object, path: Path, zone: tzinfo) -> datetime:
    """Read a time as an instant in UTC: ISO 8601; without an offset it is time of the venue."""
    if isinstance(value, datetime):
        found = value
    else:
        written = value.strip() if isinstance(value, str) else ""
        try:
            found = datetime.fromisoformat(written if len(written) <= 40 and ":" in written else "")
        except ValueError:
            raise TournamentInvalid(path, f"must be a time such as 2010-05-15T21:00, not {show(value)}") from None
    if not 1970 <= found.year <= 2200:
        raise TournamentInvalid(path, "must be a time from 1970 to 2200")
    return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)


def day(value: object, path: Path) -> date:
    """Read a day such as 2010-05-15."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        found = date.fromisoformat(value if isinstance(value, str) and len(value) == 10 else "")
    except ValueError:
        raise TournamentInvalid(path, f"must be a day such as 2010-05-15, not {show(value)}") from None
    if not 1970 <= found.year <= 2200:
        raise TournamentInvalid(path, "must be a day from 1970 to 2200")
    return found


def plain(value: object, depth: int = 0) -> object:
    """Give a checked value as what JSON and YAML know: text, whole numbers, truth values, lists, mappings."""
    if depth > 20:
        raise TournamentInvalid((), "is nested more than 20 levels deep")
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
