"""Who and what was typed: ids of people and machines, by id or by a name that only one of them has.

Nothing is guessed. The one invariant: a name that is not clear is an error that says which, and what to do.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.venue.state import Tournament
from server.web.forms import FieldInvalid
from server.web.views.names import people, plain

MOST_NAMES = 2000
MOST_LINES = 500


def named_people(tournament: Tournament, typed: str) -> list[str]:
    """The ids of those who are named, with commas between. Raises FieldInvalid."""
    parts = [part.strip() for part in typed.replace("\n", ",").split(",") if part.strip()]
    if len(parts) > MOST_NAMES:
        raise FieldInvalid(f"At most {MOST_NAMES} people can be named at once.")
    return _found(people(tournament), parts, ("player", "players"))


def named_groups(tournament: Tournament, typed: str) -> list[list[str]]:
    """The groups that are typed, one on a line. Raises FieldInvalid, also where somebody is named twice."""
    groups = [named_people(tournament, line) for line in _lines(typed)]
    _need_once(tournament, [who for group in groups for who in group])
    return [group for group in groups if group]


def named_games(tournament: Tournament, machines: Mapping[str, str], typed: str) -> list[dict[str, Any]]:
    """The games that are typed, one on a line: players, and behind an `@` the machine. `machines` are names by id.

    Raises FieldInvalid, also where somebody is named twice.
    """
    games: list[dict[str, Any]] = []
    for line in _lines(typed):
        who, at, machine = line.rpartition("@") if "@" in line else (line, "", "")
        players = named_people(tournament, who)
        if not players:
            raise FieldInvalid(f"Nobody plays in the line {line.strip()[:80]}.")
        game: dict[str, Any] = {"players": players}
        if at and machine.strip():
            game["machine"] = _found(machines, [machine.strip()], ("machine", "machines"))[0]
        games.append(game)
    _need_once(tournament, [who for game in games for who in game["players"]])
    return games


def _lines(typed: str) -> list[str]:
    lines = [line for line in typed.splitlines() if line.strip()]
    if not lines:
        raise FieldInvalid("Nothing is written: one group or game a line.")
    if len(lines) > MOST_LINES:
        raise FieldInvalid(f"At most {MOST_LINES} lines can be posted at once.")
    return lines


def _need_once(tournament: Tournament, everybody: Sequence[str]) -> None:
    seen: set[str] = set()
    for who in everybody:
        if who in seen:
            raise FieldInvalid(f"{people(tournament).get(who, who)} is named twice.")
        seen.add(who)


def _found(names: Mapping[str, str], parts: Sequence[str], kind: tuple[str, str]) -> list[str]:
    by_name: dict[str, list[str]] = {}
    for one, name in names.items():
        by_name.setdefault(plain(name), []).append(one)
    found: list[str] = []
    for part in parts:
        called = by_name.get(plain(part), [])
        if part in names:
            found.append(part)
        elif len(called) == 1:
            found += called
        elif called:
            raise FieldInvalid(f"{len(called)} {kind[1]} are called {part}: give the id.")
        else:
            raise FieldInvalid(f"There is no {kind[0]} {part}.")
    return found
