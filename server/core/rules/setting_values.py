"""What single settings of a preset may be, where that is more than a number or a word.

Only reading: what a setting means is in `settings`, what the rules make of it elsewhere. Invariant: every length is
bounded before it is used.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass

from server.core.rules import fields
from server.core.rules.errors import Path, TournamentInvalid

FOR_ALL = ""
"""The name of the one price for all; also that of the one division of presets without any."""

MOST_TARGETS = 10_000
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What entries cost: one, and optionally a bundle of `bundle` for `bundle_price`."""

    single: int
    bundle: int | None = None
    bundle_price: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekTime:
    """A weekday (Monday is 0) and a time of that day, in venue time."""

    weekday: int
    minutes: int


def points(value: object, path: Path) -> tuple[int, ...]:
    """Read a table of points, from the first place on."""
    items = fields.sequence(value, path)
    if len(items) > 10_000:
        raise TournamentInvalid(path, "has more than 10000 places")
    return tuple(fields.whole_between(0, 10**9)(item, (*path, index)) for index, item in enumerate(items))


def price(value: object, path: Path) -> Price:
    """Read one price."""
    given = fields.mapping(value, path)
    amount = fields.whole_between(0, 10**9)
    for key in given:
        if key not in {"single", "bundle", "bundle_price"}:
            raise TournamentInvalid((*path, str(key)), "is no part of a price: single, bundle, bundle_price")
    single = amount(given.get("single"), (*path, "single"))
    if (given.get("bundle") is None) != (given.get("bundle_price") is None):
        raise TournamentInvalid(path, "bundle and bundle_price go together")
    if given.get("bundle") is None:
        return Price(single=single)
    return Price(
        single=single,
        bundle=fields.whole_between(2, 10**6)(given["bundle"], (*path, "bundle")),
        bundle_price=amount(given["bundle_price"], (*path, "bundle_price")),
    )


def prices(value: object, path: Path) -> Mapping[str, Price]:
    """Read one price for all, which is kept under the empty name, or prices by division; an empty text: none."""
    if value == "":
        return {}
    given = fields.mapping(value, path)
    if not given or "single" in given:
        return {FOR_ALL: price(given, path)}
    return {fields.ident(key, path): price(item, (*path, str(key))) for key, item in given.items()}


def ranks(value: object, path: Path) -> Mapping[str, int]:
    """Read a rank by division."""
    given = fields.mapping(value, path)
    return {
        fields.ident(key, path): fields.whole_between(0, 10**9)(item, (*path, str(key))) for key, item in given.items()
    }


def optional_word(value: object, path: Path) -> str | None:
    """Read a word; an empty one is none."""
    return None if value is None or value == "" else fields.ident(value, path)


def clock(value: object, path: Path) -> int | None:
    """Read "17:00" as minutes of the day."""
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 60 <= value < 24 * 60:
        return value  # 17:00 without quotes, as a writer of YAML 1.1 leaves it: sixties, which are minutes of the day
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", value) if isinstance(value, str) else None
    if not found:
        raise TournamentInvalid(path, f'must be a time of day in quotes, such as "17:00", not {fields.show(value)}')
    return int(found[1]) * 60 + int(found[2])


def clock_or_week_time(value: object, path: Path) -> int | WeekTime | None:
    """Read "17:00" or "Sat 17:00"."""
    weekly = isinstance(value, str) and value[:3].lower() in WEEKDAYS
    return week_time(value, path) if weekly else clock(value, path)


def week_time(value: object, path: Path) -> WeekTime | None:
    """Read "Sat 20:00"; empty: none."""
    if value is None or value == "":
        return None
    name, _, time = value.partition(" ") if isinstance(value, str) else ("", "", "")
    minutes = clock(time, path) if name[:3].lower() in WEEKDAYS and time else None
    if minutes is None:
        raise TournamentInvalid(path, f'must be a weekday and a time, such as "Sat 20:00", not {fields.show(value)}')
    return WeekTime(weekday=WEEKDAYS.index(name[:3].lower()), minutes=minutes)


def duration(value: object, path: Path) -> dt.timedelta | None:
    """Read "2h", "90m" or "1h30m"; empty: none."""
    if value is None or value == "":
        return None
    found = re.fullmatch(r"(?:([0-9]{1,4})h)?(?:([0-9]{1,5})m)?", value) if isinstance(value, str) else None
    if not found or not value:
        raise TournamentInvalid(path, f"must be a length of time such as 2h, 90m or 1h30m, not {fields.show(value)}")
    return dt.timedelta(hours=int(found[1] or 0), minutes=int(found[2] or 0))


def day(value: object, path: Path) -> dt.date | None:
    """Read a day; empty: none."""
    return None if value is None or value == "" else fields.day(value, path)


def quarterfinal(value: object, path: Path) -> str:
    """Read `auto` or false."""
    if value is False:
        return "never"
    if value != "auto":
        raise TournamentInvalid(path, f"must be auto or false, not {fields.show(value)}")
    return "auto"


def targets(value: object, path: Path) -> Mapping[str, int]:
    """Read the score to reach by machine."""
    given = fields.mapping(value, path)
    if len(given) > MOST_TARGETS:
        raise TournamentInvalid(path, f"names more than {MOST_TARGETS} machines")
    found: dict[str, int] = {}
    for key, score in given.items():
        name = fields.ident(key, path)
        if fields.not_below_0(score, (*path, name)) == 0:
            raise TournamentInvalid((*path, name), "must be more than 0")
        found[name] = fields.whole(score, (*path, name))
    return found


def odd(value: object, path: Path) -> int:
    """Read of how many games a match is the best: an odd number, so that somebody wins."""
    number = fields.whole_between(1, 99)(value, path)
    if number % 2 == 0:
        raise TournamentInvalid(path, f"must be an odd number, such as 3: of {number} games each may win half")
    return number


def no_more_than(value: object, path: Path) -> int | None:
    """Read a limit; 0 or nothing is none."""
    return None if value is None else fields.whole_between(0, 100_000)(value, path)


def win_or_points(value: object, path: Path) -> int | None:
    """Read the points of a bye; `win` is as many as a win in a group of two."""
    if isinstance(value, str) and value != "win":
        raise TournamentInvalid(path, f"must be win or a whole number, not {fields.show(value)}")
    return None if value == "win" else fields.whole_between(0, 10**9)(value, path)


def places(value: object, path: Path) -> int | None:
    """Read a number of places, 0 too; nothing (or an empty text) is no limit."""
    return None if value is None or value == "" else fields.whole_between(0, 100_000)(value, path)
