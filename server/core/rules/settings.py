"""The settings of a preset: their names, what each may be, and what they mean in a line.

A preset's file gives the values, a tournament's `rules:` overrides them. Invariant: a Settings is consistent, so no
part of the rules checks one again.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields

from server.core.rules import fields
from server.core.rules.errors import Path, TournamentInvalid

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The values that the rules work with. A preset that has no use for one leaves it at the value here."""

    skill_divisions: tuple[str, ...] = ()
    special_divisions: tuple[str, ...] = ()
    bar_rank: Mapping[str, int] | None = None
    registration_fee: int = 0
    entry_price: Mapping[str, Price] | None = None
    home_country: str | None = None
    free_entries_abroad: int = 0
    require_entry: bool = False
    entries_lapse: bool = False
    machine_points: tuple[int, ...] = ()
    tie_points: str = "high"
    ring_bonus: int = 1000
    in_progress_counts: bool = True
    qualifying_closes: int | None = None
    qualifiers: int = 1
    qualifiers_min: int = 1
    quarterfinal: str = "auto"
    group_games: int = 3
    group_points: tuple[int, ...] = ()
    tiebreak_group_max: int = 4
    disable_after: dt.timedelta | None = None
    disable_cutoff: WeekTime | None = None
    date: dt.date | None = None


def read_settings(given: Mapping[object, object], *, preset: str, base: Mapping[str, object], path: Path) -> Settings:
    """Read a preset's own values (`base`), overridden by `given`. Raises TournamentInvalid, naming what there is."""
    values: dict[str, object] = dict(base)
    for name, value in given.items():
        if not isinstance(name, str) or name not in base:
            raise TournamentInvalid(
                (*path, str(name)), f"is no setting of {preset}; its settings are {', '.join(sorted(base))}"
            )
        values[name] = value
        if name == "entry_price" and _by_division(base[name]) and _by_division(value):
            values[name] = {**fields.mapping(base[name], path), **fields.mapping(value, path)}
    read = {name: CHECKS[name](value, (*path, name)) for name, value in values.items()}
    settings = Settings(**read)  # type: ignore[arg-type]
    _check_together(settings, path)
    return settings


def _by_division(value: object) -> bool:
    return isinstance(value, Mapping) and "single" not in value


def _check_together(settings: Settings, path: Path) -> None:
    divisions = (*settings.skill_divisions, *settings.special_divisions)
    if len(set(divisions)) != len(divisions):
        raise TournamentInvalid((*path, "special_divisions"), "names a division that is there already")
    for name in divisions:
        if "/" in name:
            raise TournamentInvalid((*path, "skill_divisions"), f"the name of a division has no slash: {name}")
    if divisions:
        for key, by_division in (("bar_rank", settings.bar_rank), ("entry_price", settings.entry_price)):
            for name in by_division or ():
                if name not in divisions:
                    raise TournamentInvalid(
                        (*path, key, name), f"there is no division {name}, only {', '.join(divisions)}"
                    )
    if settings.qualifiers < settings.qualifiers_min:
        raise TournamentInvalid((*path, "qualifiers"), f"must be at least qualifiers_min, {settings.qualifiers_min}")


def _points(value: object, path: Path) -> tuple[int, ...]:
    items = fields.sequence(value, path)
    if len(items) > 10_000:
        raise TournamentInvalid(path, "has more than 10000 places")
    return tuple(fields.whole_between(0, 10**9)(item, (*path, index)) for index, item in enumerate(items))


def _price(value: object, path: Path) -> Price:
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


def _prices(value: object, path: Path) -> Mapping[str, Price]:
    """One price for all is kept under the empty name, the name of the one division of presets without any."""
    given = fields.mapping(value, path)
    if not _by_division(given):
        return {"": _price(given, path)}
    return {fields.ident(key, path): _price(item, (*path, str(key))) for key, item in given.items()}


def _ranks(value: object, path: Path) -> Mapping[str, int]:
    given = fields.mapping(value, path)
    return {
        fields.ident(key, path): fields.whole_between(0, 10**9)(item, (*path, str(key))) for key, item in given.items()
    }


def _optional_word(value: object, path: Path) -> str | None:
    return None if value is None or value == "" else fields.ident(value, path)


def _clock(value: object, path: Path) -> int | None:
    """Read "17:00" as minutes of the day."""
    if value is None or value == "":
        return None
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", value) if isinstance(value, str) else None
    if not found:
        raise TournamentInvalid(path, f'must be a time of day in quotes, such as "17:00", not {fields.show(value)}')
    return int(found[1]) * 60 + int(found[2])


def _week_time(value: object, path: Path) -> WeekTime | None:
    if value is None or value == "":
        return None
    day, _, clock = value.partition(" ") if isinstance(value, str) else ("", "", "")
    minutes = _clock(clock, path) if day[:3].lower() in WEEKDAYS and clock else None
    if minutes is None:
        raise TournamentInvalid(path, f'must be a weekday and a time, such as "Sat 20:00", not {fields.show(value)}')
    return WeekTime(weekday=WEEKDAYS.index(day[:3].lower()), minutes=minutes)


def _duration(value: object, path: Path) -> dt.timedelta | None:
    if value is None or value == "":
        return None
    found = re.fullmatch(r"(?:([0-9]{1,4})h)?(?:([0-9]{1,5})m)?", value) if isinstance(value, str) else None
    if not found or not value:
        raise TournamentInvalid(path, f"must be a length of time such as 2h, 90m or 1h30m, not {fields.show(value)}")
    return dt.timedelta(hours=int(found[1] or 0), minutes=int(found[2] or 0))


def _day(value: object, path: Path) -> dt.date | None:
    return None if value is None or value == "" else fields.day(value, path)


def _quarterfinal(value: object, path: Path) -> str:
    if value is False:
        return "never"
    if value != "auto":
        raise TournamentInvalid(path, f"must be auto or false, not {fields.show(value)}")
    return "auto"


_MONEY = fields.whole_between(0, 10**9)
_COUNT = fields.whole_between(1, 100_000)

CHECKS: Mapping[str, fields.Check] = {
    "skill_divisions": fields.idents,
    "special_divisions": fields.idents,
    "bar_rank": _ranks,
    "registration_fee": _MONEY,
    "entry_price": _prices,
    "home_country": _optional_word,
    "free_entries_abroad": fields.whole_between(0, 1000),
    "require_entry": fields.truth,
    "entries_lapse": fields.truth,
    "machine_points": _points,
    "tie_points": fields.one_of("high", "low"),
    "ring_bonus": fields.whole_between(0, 10**12),
    "in_progress_counts": fields.truth,
    "qualifying_closes": _clock,
    "qualifiers": _COUNT,
    "qualifiers_min": _COUNT,
    "quarterfinal": _quarterfinal,
    "group_games": fields.whole_between(1, 100),
    "group_points": _points,
    "tiebreak_group_max": fields.whole_between(1, 100),
    "disable_after": _duration,
    "disable_cutoff": _week_time,
    "date": _day,
}

if set(CHECKS) != {item.name for item in dataclass_fields(Settings)}:  # pragma: no cover
    raise AssertionError("each setting has its check")
