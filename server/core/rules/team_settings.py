"""The settings of team systems and of the code of conduct: their names, what each may be, and what they mean.

They are part of `settings.Settings`. Invariant: as there.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from server.core.rules import fields, setting_values
from server.core.rules.errors import Path, TournamentInvalid

MOST_SEEDS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSettings:
    """The values that the rules of teams and of conduct work with.

    `groups` are seeds by group; `match_points` of a win and of a loss; `bonus_points` by place in the bonus game;
    `top_limits` how many of a rank (or better) a roster may have; `round_kinds` of a match, in order (the setting
    `rounds` of a league).
    """

    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    match_points: tuple[int, ...] = ()
    bonus_points: tuple[int, ...] = ()
    call_time: dt.timedelta | None = None
    countback_by: str = "matches"
    round_kinds: tuple[str, ...] = ()
    doubles_games: int = 2
    doubles_points: int = 2
    singles_games: int = 4
    singles_points: int = 1
    roster_min: int = 0
    roster_max: int = MOST_SEEDS
    starters_min: int = 0
    reserves_max: int = MOST_SEEDS
    captains_max: int = MOST_SEEDS
    top_limits: Mapping[int, int] = field(default_factory=dict)
    restricted_rank: int = 0
    roster_deadline: int | None = None
    wait_time: dt.timedelta | None = None
    forfeit_points: int = 0
    forfeit_points_stayed: int = 0
    extra_balls: int = 1
    conduct: str = "none"
    event: str = "tournament"
    cheating_wipes: bool = True
    repair_time: dt.timedelta | None = None


def _groups(value: object, path: Path) -> Mapping[str, tuple[int, ...]]:
    """Read the seeds of each group: `{A: [1, 6, 9, 13], ...}`; each seed once."""
    found: dict[str, tuple[int, ...]] = {}
    seen: set[int] = set()
    for key, item in fields.mapping(value, path).items():
        name = fields.ident(key, path)
        seeds = fields.sequence(item, (*path, name))
        if len(seen) + len(seeds) > MOST_SEEDS:
            raise TournamentInvalid(path, f"name more than {MOST_SEEDS} seeds")
        read = [fields.whole_between(1, MOST_SEEDS)(seed, (*path, name, index)) for index, seed in enumerate(seeds)]
        if len(set(read)) != len(read) or seen & set(read):
            raise TournamentInvalid((*path, name), "has a seed that is in a group already")
        if len(read) < 2:
            raise TournamentInvalid((*path, name), "has fewer than two seeds")
        seen |= set(read)
        found[name] = tuple(read)
    return found


def _top_limits(value: object, path: Path) -> Mapping[int, int]:
    """Read how many of the top n a roster may have: `{500: 2, 150: 1}`."""
    found: dict[int, int] = {}
    for key, item in fields.mapping(value, path).items():
        text = str(key)
        if not (text.isascii() and text.isdecimal() and 0 < len(text) < 10):
            raise TournamentInvalid((*path, text), "is no rank")
        found[int(text)] = fields.whole_between(0, MOST_SEEDS)(item, (*path, text))
    return found


def _round_kinds(value: object, path: Path) -> tuple[str, ...]:
    """Read the kinds of a match's rounds, in order."""
    items = fields.sequence(value, path)
    if not 1 <= len(items) <= 20:
        raise TournamentInvalid(path, "must be 1 to 20 rounds, each doubles or singles")
    return tuple(fields.one_of("doubles", "singles")(item, (*path, index)) for index, item in enumerate(items))


_LIMIT = fields.whole_between(0, MOST_SEEDS)
_POINTS = fields.whole_between(0, 10_000)

TEAM_CHECKS: Mapping[str, fields.Check] = {
    "groups": _groups,
    "match_points": setting_values.points,
    "bonus_points": setting_values.points,
    "call_time": setting_values.duration,
    "doubles_games": fields.whole_between(1, 20),
    "doubles_points": _POINTS,
    "singles_games": fields.whole_between(1, 20),
    "singles_points": _POINTS,
    "roster_min": _LIMIT,
    "roster_max": fields.whole_between(1, MOST_SEEDS),
    "starters_min": _LIMIT,
    "reserves_max": _LIMIT,
    "captains_max": _LIMIT,
    "top_limits": _top_limits,
    "restricted_rank": fields.whole_between(0, 10**9),
    "roster_deadline": setting_values.clock,
    "wait_time": setting_values.duration,
    "forfeit_points": _POINTS,
    "forfeit_points_stayed": _POINTS,
    "extra_balls": fields.whole_between(0, 100),
    "conduct": fields.one_of("none", "2cp"),
    "event": fields.one_of("tournament", "league"),
    "cheating_wipes": fields.truth,
    "repair_time": setting_values.duration,
}

OTHER_FORMS: Mapping[str, tuple[str, type, fields.Check]] = {
    "rounds": ("round_kinds", list, _round_kinds),
    "countback": ("countback_by", str, fields.one_of("matches", "places")),
}
"""Settings whose word team systems use for another thing than individual ones: the field, how the preset's own value
tells that it is meant, and its check.
"""
