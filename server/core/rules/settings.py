"""The settings of a preset: their names, what each may be, and what they mean in a line.

A preset's file gives the values, a tournament's `rules:` overrides them. Invariant: a Settings is consistent, so no
part of the rules checks one again.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields

from server.core.rules import fields, setting_values
from server.core.rules.errors import Path, TournamentInvalid
from server.core.rules.ladder_rows import LadderRow, read_ladder
from server.core.rules.point_tables import PointTables, read_tables, splits_badly, table_of
from server.core.rules.setting_values import FOR_ALL, Price, WeekTime
from server.core.rules.team_settings import OTHER_FORMS, TEAM_CHECKS, TeamSettings

BY_DIVISION = ("bar_rank", "entry_price")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(TeamSettings):
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
    qualifying_closes: int | WeekTime | None = None
    qualifiers_by: WeekTime | None = None
    qualifiers: int = 1
    qualifiers_min: int = 1
    quarterfinal: str = "auto"
    group_games: int = 3
    group_points: PointTables = field(default_factory=dict)
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
    rounds: int = 0
    group_size: int = 4
    games_per_round: int = 1
    pairing: str = "swiss"
    schedule_seed: int = 1
    bye_points: int | None = None
    game_ties: str = "high"
    play_off_places: int = 0
    strikes: int = 1
    group_strikes: PointTables = field(default_factory=dict)
    machines_counted: int = 0
    ladder: tuple[LadderRow, ...] = ()
    seeding: str = "players"
    best_of: int = 1
    third_place: bool = False
    targets: Mapping[str, int] = field(default_factory=dict)
    holes: int = 0
    scores: str = "balls"
    balls: int = 3
    missed: str = "plus_one"
    max_strokes: int = 10
    hole_games: int = 1
    countback: bool = False


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
    read = dict(_read(name, value, base[name], (*path, name)) for name, value in values.items())
    own = Settings(**read)  # type: ignore[arg-type]
    if base.get("skill_divisions") and not own.skill_divisions + own.special_divisions:
        raise TournamentInvalid((*path, "skill_divisions"), "names no division: there must be one at least")
    tables = {name: _by_division(name, own, base, given) for name in BY_DIVISION if name in base}
    settings = replace(own, **tables)  # type: ignore[arg-type]
    _check_together(settings, path, divided=divided)
    _check_counts(settings, base, path)
    return _read_strokes(settings, path)


def _read(name: str, value: object, own: object, path: Path) -> tuple[str, object]:
    """Read one setting; `own` is the preset's value. Gives the field that it is kept in, and what is kept."""
    known, form, check = OTHER_FORMS.get(name, (name, None, CHECKS[name]))
    if form is None or not isinstance(own, form):
        return name, CHECKS[name](value, path)
    return known, check(value, path)


def price_for(settings: Settings, pool: str) -> Price | None:
    """Give what entries of a pool cost: the price of the division, else the one price for all; None: none is set."""
    prices = settings.entry_price or {}
    return prices.get(pool, prices.get(FOR_ALL))


def _by_division(
    name: str, own: Settings, base: Mapping[str, object], given: Mapping[object, object]
) -> Mapping[str, object] | None:
    """Give a table by division. The preset's rows hold for divisions that there are: a tournament may name others.

    Prices given by division add to the preset's; everything else replaces them.
    """
    table: Mapping[str, object] = getattr(own, name) or {}
    if name in given and (name != "entry_price" or FOR_ALL in table):
        return table or None
    preset: Mapping[str, object] = CHECKS[name](base[name], (name,)) or {}  # type: ignore[assignment]
    known = (*own.skill_divisions, *own.special_divisions, FOR_ALL)
    rows = {division: row for division, row in preset.items() if division in known}
    return ({**rows, **table} if name in given else rows) or None


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


def _read_strokes(settings: Settings, path: Path) -> Settings:
    """Say what scores are in pin golf where that is left open; a target missed must cost more than one reached."""
    if settings.max_strokes <= settings.balls:
        raise TournamentInvalid((*path, "max_strokes"), f"must be more than balls, {settings.balls}")
    if settings.scores == "auto":
        return replace(settings, scores="balls" if settings.targets else "strokes")
    return settings


def _check_counts(settings: Settings, base: Mapping[str, object], path: Path) -> None:
    """Check how many go on (nobody only where the preset's own word is 0), and the tables of points and strikes."""
    least = settings.qualifiers_min if base.get("qualifiers") != 0 else 0
    if settings.qualifiers < least:
        name = "qualifiers_min, " if "qualifiers_min" in base else ""
        raise TournamentInvalid((*path, "qualifiers"), f"must be at least {name}{least}")
    for name, tables in (("group_points", settings.group_points), ("group_strikes", settings.group_strikes)):
        if name not in base:
            continue
        missing = [str(size) for size in range(2, settings.group_size + 1) if table_of(tables, size) is None]
        if missing:
            raise TournamentInvalid((*path, name), f"has no row for games of {' or '.join(missing)} players")
        if settings.game_ties == "split" and (bad := splits_badly(tables, settings.group_size)):
            raise TournamentInvalid((*path, name), f"with game_ties: split {bad}")
    for size, row in settings.group_strikes.items():
        if row and row[0]:
            place = (*path, "group_strikes", *((str(size),) if size else ()))
            raise TournamentInvalid(place, "begins with 0: the first place has no strike")


_MONEY = fields.whole_between(0, 10**9)
_COUNT = fields.whole_between(1, 100_000)

CHECKS: Mapping[str, fields.Check] = {
    **TEAM_CHECKS,
    "skill_divisions": fields.idents,
    "special_divisions": fields.idents,
    "bar_rank": setting_values.ranks,
    "registration_fee": _MONEY,
    "entry_price": setting_values.prices,
    "home_country": setting_values.optional_word,
    "free_entries_abroad": fields.whole_between(0, 1000),
    "require_entry": fields.truth,
    "entries_lapse": fields.truth,
    "machine_points": setting_values.points,
    "tie_points": fields.one_of("high", "low"),
    "ring_bonus": fields.whole_between(0, 10**12),
    "in_progress_counts": fields.truth,
    "qualifying_closes": setting_values.clock_or_week_time,
    "qualifiers_by": setting_values.week_time,
    "qualifiers": fields.whole_between(0, 100_000),
    "qualifiers_min": _COUNT,
    "quarterfinal": setting_values.quarterfinal,
    "group_games": fields.whole_between(1, 100),
    "group_points": read_tables,
    "tiebreak_group_max": fields.whole_between(1, 100),
    "disable_after": setting_values.duration,
    "disable_cutoff": setting_values.week_time,
    "date": setting_values.day,
    "places_pre": setting_values.places,
    "places_day": setting_values.places,
    "machines_per_player": setting_values.no_more_than,
    "jokers": fields.whole_between(0, 1000),
    "standby": fields.whole_between(0, 1000),
    "bank": fields.whole_between(1, 1000),
    "replace_below": fields.whole_between(0, 100_000),
    "round2_rounds": fields.whole_between(1, 100),
    "round2_qualifiers": _COUNT,
    "quarterfinal_machines": fields.whole_between(1, 100),
    "quarterfinal_qualifiers": _COUNT,
    "quarterfinal_ties": fields.one_of("qualifying_rank", "playoff"),
    "rounds": fields.whole_between(0, 1000),
    "group_size": fields.whole_between(2, 8),
    "games_per_round": fields.whole_between(1, 20),
    "pairing": fields.one_of("swiss", "random", "balanced"),
    "schedule_seed": fields.whole_between(0, 10**18),
    "bye_points": setting_values.win_or_points,
    "game_ties": fields.one_of("high", "low", "split", "playoff"),
    "play_off_places": fields.whole_between(0, 100_000),
    "strikes": fields.whole_between(1, 1000),
    "group_strikes": read_tables,
    "machines_counted": fields.whole_between(0, 10_000),
    "ladder": read_ladder,
    "seeding": fields.one_of("players", "wppr_rank", "draw", "qualifying"),
    "best_of": setting_values.odd,
    "third_place": fields.truth,
    "targets": setting_values.targets,
    "holes": fields.whole_between(0, 1000),
    "scores": fields.one_of("auto", "balls", "strokes"),
    "balls": fields.whole_between(1, 20),
    "missed": fields.one_of("plus_one", "by_distance"),
    "max_strokes": fields.whole_between(2, 1000),
    "hole_games": fields.whole_between(0, 1000),
    "countback": fields.truth,
}

_READ = CHECKS.keys() | {known for known, _, _ in OTHER_FORMS.values()}
if {item.name for item in dataclass_fields(Settings)} != _READ:  # pragma: no cover
    raise AssertionError("each setting has its check")
