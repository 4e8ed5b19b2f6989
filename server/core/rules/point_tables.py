"""Points (or strikes) for the places in a game, by the number of its players.

A table is written as a list, which holds for games of any size (three players of 4-2-1-0 play for 4-2-1), or by size:
`{4: [7, 5, 3, 1], 3: [7, 4, 1]}`. Invariant: what a size earns is written, never worked out from another size's row.
"""

from collections.abc import Mapping
from math import gcd, lcm

from server.core.rules import fields
from server.core.rules.errors import Path, TournamentInvalid

MOST_PLAYERS = 100
ANY_SIZE = 0

PointTables = Mapping[int, tuple[int, ...]]
"""Number of players → points from the first place on; under ANY_SIZE the row for sizes without one of their own."""


def read_tables(value: object, path: Path) -> PointTables:
    """Read a list for all sizes, or lists by size."""
    if not isinstance(value, Mapping):
        return {ANY_SIZE: _row(value, path)}
    if not value:
        raise TournamentInvalid(path, "names no size of group: such as {4: [7, 5, 3, 1], 3: [7, 4, 1]}")
    found: dict[int, tuple[int, ...]] = {}
    for key, item in value.items():
        size = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 4 else key
        place = (*path, str(key))
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= MOST_PLAYERS:
            raise TournamentInvalid(place, f"is no number of players from 1 to {MOST_PLAYERS}")
        if size in found:
            raise TournamentInvalid(place, "is there twice")
        found[size] = _row(item, place)
    return found


def table_of(tables: PointTables, size: int) -> tuple[int, ...] | None:
    """Give the points for the places in a game of so many players, None where none are set."""
    return tables.get(size, tables.get(ANY_SIZE))


def splits_badly(tables: PointTables, most: int) -> str | None:
    """Say which tied places cannot share their points in whole numbers, and what makes them; None where all can.

    `most` is the number of players of the largest game.
    """
    shares = [
        (size, first, end, sum(row[first:end]))
        for size, table in tables.items()
        for row in [(*table, *[0] * (most - len(table)))[: size or most]]
        for first in range(len(row))
        for end in range(first + 2, len(row) + 1)
    ]
    factor = lcm(*((end - first) // gcd(total, end - first) for _, first, end, total in shares))
    worst = next(((size, first, end, total) for size, first, end, total in shares if total % (end - first)), None)
    if worst is None:
        return None
    size, first, end, total = worst
    of = f" of {size}" if size else ""
    return (
        f"places {first + 1} to {end}{of} share {total} points, which is no whole number for each: "
        f"write all points (bye_points too) {factor} times as large"
    )


def _row(value: object, path: Path) -> tuple[int, ...]:
    items = fields.sequence(value, path)
    if len(items) > MOST_PLAYERS:
        raise TournamentInvalid(path, f"has more than {MOST_PLAYERS} places")
    for index, item in enumerate(items):
        if not isinstance(item, int):
            raise TournamentInvalid(
                (*path, index),
                f"must be a whole number, not {fields.show(item)}; "
                "where there are halves, write all points twice as large",
            )
    return tuple(fields.whole_between(0, 10**9)(item, (*path, index)) for index, item in enumerate(items))
