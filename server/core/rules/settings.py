"""The settings of a preset: their names, what each may be, and what they mean in a line.

A preset's file gives the values, a tournament's `rules:` overrides them. Invariant: a Settings is consistent, so no
part of the rules checks one again.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields

from server.core.rules import fields
from server.core.rules.errors import Path, TournamentInvalid

FOR_ALL = ""
"""The name of the one price for all; also that of the one division of presets without any."""

BY_DIVISION = ("bar_rank", "entry_price")
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
    places_pre: int | None = None
    places_day: int | None = None
    machines_per_player: int | None = None
    jokers: int = 0
    standby: int = 0
    bank: int = 0
    replace_below: int = 0
    round2_rounds: int = 4
    round2_qualifiers: int = 8
    quarterfinal_machines: int = 3
    quarterfinal_qualifiers: int = 8
    quarterfinal_ties: str = "qualifying_rank"


def read_settings(given: Mapping[object, object], *, preset: str, base: Mapping[str, object], path: Path) -> Settings:
    """Read a preset's own values (`base`), overridden by `given`. Raises TournamentInvalid, naming what there is."""
    values: dict[str, object] = dict(base)
    for name, value in given.items():
        if not isinstance(name, str) or name not in base:
            raise TournamentInvalid(
                (*path, str(name)), f"is no setting of {preset}; its settings are {', '.join(sorted(base))}"
            )
        values[name] = value
    divided = "skill_divisions" in base
    read = {name: CHECKS[name](value, (*path, name)) for name, value in values.items()}
    own = Settings(**read)  # type: ignore[arg-type]
    if divided and not own.skill_divisions + own.special_divisions:
        raise TournamentInvalid((*path, "skill_divisions"), "names no division: there must be one at least")
    tables = {name: _by_division(name, own, base, given) for name in BY_DIVISION if name in base}
    settings = replace(own, **tables)  # type: ignore[arg-type]
    _check_together(settings, path, divided=divided)
    return settings


def price_for(settings: Settings, pool: str) -> Price | None:
    """Give what entries of a pool cost: the price of the division, else the one price for all; None: none is set."""
    prices = settings.entry_price or {}
    return prices.get(pool, prices.get(FOR_ALL))


def _by_division(
    name: str, own: Settings, base: Mapping[str, object], given: Mapping[object, object]
) -> Mapping[str, object]:
    """Give a table by division. The preset's rows hold for divisions that there are: a tournament may name others.

    Prices given by division add to the preset's; everything else replaces them.
    """
    table: Mapping[str, object] = getattr(own, name)
    if name in given and (name != "entry_price" or FOR_ALL in table):
        return table
    preset: Mapping[str, object] = CHECKS[name](base[name], (name,))  # type: ignore[assignment]
    known = (*own.skill_divisions, *own.special_divisions, FOR_ALL)
    rows = {division: row for division, row in preset.items() if division in known}
    return {**rows, **table} if name in given else rows


def _check_together(settings: Settings, path: Path, *, divided: bool) -> None:
    divisions = (*settings.skill_divisions, *settings.special_divisions)
    if len(set(divisions)) != len(divisions):
        raise TournamentInvalid((*path, "special_divisions"), "names a division that is there already")
    for name in divisions:
        if "/" in name:
            raise TournamentInvalid((*path, "skill_divisions"), f"the name of a division has no slash: {name}")
    for key in BY_DIVISION:
        for name in getattr(settings, key) or ():
            if name not in (*divisions, FOR_ALL):
                only = f"only {', '.join(divisions)}" if divided else "there are no divisions"
                raise TournamentInvalid((*path, key, name), f"there is no division {name}, {only}")
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
    """Read one price for all, which is kept under the empty name, or prices by division."""
    given = fields.mapping(value, path)
    if not given or "single" in given:
        return {FOR_ALL: _price(given, path)}
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
    if isinstance(value, int) and not isinstance(value, bool) and 60 <= value < 24 * 60:
        return value  # 17:00 without quotes, as a writer of YAML 1.1 leaves it: sixties, which are minutes of the day
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


def _no_more_than(value: object, path: Path) -> int | None:
    """Read a limit; 0 or nothing is none."""
    return (None if value is None else fields.whole_between(0, 100_000)(value, path)) or None


def _places(value: object, path: Path) -> int | None:
    """Read a number of places, 0 too; nothing (or an empty text) is no limit."""
    return None if value is None or value == "" else fields.whole_between(0, 100_000)(value, path)


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
    "places_pre": _places,
    "places_day": _places,
    "machines_per_player": _no_more_than,
    "jokers": fields.whole_between(0, 1000),
    "standby": fields.whole_between(0, 1000),
    "bank": fields.whole_between(1, 1000),
    "replace_below": fields.whole_between(0, 100_000),
    "round2_rounds": fields.whole_between(1, 100),
    "round2_qualifiers": _COUNT,
    "quarterfinal_machines": fields.whole_between(1, 100),
    "quarterfinal_qualifiers": _COUNT,
    "quarterfinal_ties": fields.one_of("qualifying_rank", "playoff"),
}

if set(CHECKS) != {item.name for item in dataclass_fields(Settings)}:  # pragma: no cover
    raise AssertionError("each setting has its check")
