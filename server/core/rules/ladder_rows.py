"""The rows of a ladder of finals as a director writes them: for a field of so many, a stage, its groups, who goes on.

Only reading; how a ladder is played is in `ladder`. Invariant: a ladder that is read leads from each of its fields to a
last stage, so that nobody who goes on finds nothing to play.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.core.rules import fields
from server.core.rules.errors import Path, TournamentInvalid

KEYS = ("stage", "field", "groups", "byes", "go_on")
MOST_ROWS, MOST_PLAYERS, MOST_GROUPS = 100, 1000, 250


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRow:
    """One row: `groups` are numbers of seeds from 1; who is in none has a bye. `go_on` of each group; None: the end."""

    stage: str
    field: int
    groups: tuple[tuple[int, ...], ...]
    go_on: int | None = None

    @property
    def through(self) -> int:
        """How many go on: the best of each group, and who has a bye."""
        playing = sum(len(group) for group in self.groups)
        return self.field - playing + len(self.groups) * (self.go_on or 0)


def read_ladder(value: object, path: Path) -> tuple[LadderRow, ...]:
    """Read `[{stage, field, groups, byes?, go_on?}, ...]`. Raises TournamentInvalid."""
    items = fields.sequence(value, path)
    if len(items) > MOST_ROWS:
        raise TournamentInvalid(path, f"has more than {MOST_ROWS} rows")
    rows = tuple(_row(item, (*path, index)) for index, item in enumerate(items))
    order = list(dict.fromkeys(row.stage for row in rows))
    for index, row in enumerate(rows):
        place = (*path, index)
        if any(other.stage == row.stage and other.field == row.field for other in rows[:index]):
            raise TournamentInvalid(place, f"{row.stage} has a row for {row.field} players already")
        later = [other for other in rows if order.index(other.stage) > order.index(row.stage)]
        if row.go_on is None and later:
            raise TournamentInvalid(place, f"say how many of each group go on from {row.stage} (go_on: ...)")
        if row.go_on is not None and not any(other.field == row.through for other in later):
            raise TournamentInvalid(place, f"{row.through} go on from {row.stage}: a later stage needs a row for them")
    return rows


def bye_line(groups: Sequence[Sequence[int]], size: int) -> int:
    """Give the last seed of a field that has a bye, 0 where nobody has one (P6)."""
    playing = {seed for group in groups for seed in group}
    return max((seed for seed in range(1, size + 1) if seed not in playing), default=0)


def snake(seeds: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """Deal seeds into groups forth and back: 1 4 5 8 and 2 3 6 7."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for index, seed in enumerate(seeds):
        turn, place = divmod(index, groups)
        dealt[place if turn % 2 == 0 else groups - 1 - place].append(seed)
    return tuple(tuple(group) for group in dealt)


def _row(item: object, path: Path) -> LadderRow:
    given = fields.mapping(item, path)
    for key in given:
        if key not in KEYS:
            raise TournamentInvalid((*path, str(key)), f"is no part of a row of a ladder; there are {', '.join(KEYS)}")
    stage = fields.ident(given.get("stage"), (*path, "stage"))
    if "/" in stage or stage == "qualifying":
        raise TournamentInvalid((*path, "stage"), f"a stage after qualifying cannot be called {stage}")
    size = fields.whole_between(2, MOST_PLAYERS)(given.get("field"), (*path, "field"))
    groups = _groups(given, size, path)
    if given.get("go_on") is None:
        if len(groups) != 1 or len(groups[0]) != size:
            raise TournamentInvalid(path, f"say how many of each group go on from {stage} (go_on: ...)")
        return LadderRow(stage=stage, field=size, groups=groups)
    least = min(len(group) for group in groups)
    go_on = fields.whole_between(1, least)(given["go_on"], (*path, "go_on"))
    return LadderRow(stage=stage, field=size, groups=groups, go_on=go_on)


def _groups(given: Mapping[object, object], size: int, path: Path) -> tuple[tuple[int, ...], ...]:
    """Read groups as lists of seeds, or as a number of groups that those without a bye are dealt into."""
    place = (*path, "groups")
    if isinstance(given.get("groups"), (list, tuple)):
        if given.get("byes") is not None:
            raise TournamentInvalid((*path, "byes"), "goes without saying where groups list their seeds")
        groups = tuple(_seeds(group, size, place) for group in fields.sequence(given["groups"], place)[:MOST_GROUPS])
        seated = [seed for group in groups for seed in group]
        if not groups or len(set(seated)) != len(seated):
            raise TournamentInvalid(place, "must seat each seed once")
        return groups
    byes = fields.whole_between(0, size - 2)(given.get("byes") or 0, (*path, "byes"))
    count = fields.whole_between(1, min(MOST_GROUPS, (size - byes) // 2))(given.get("groups"), place)
    return snake(range(byes + 1, size + 1), count)


def _seeds(value: object, size: int, path: Path) -> tuple[int, ...]:
    seeds = fields.sequence(value, path)
    if not 2 <= len(seeds) <= size:
        raise TournamentInvalid(path, f"a group has from 2 to {size} seeds")
    return tuple(fields.whole_between(1, size)(seed, path) for seed in seeds)
