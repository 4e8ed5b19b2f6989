"""The head of a tournament as its changes make it, and what takes a change back. Nothing is decided here."""

from collections.abc import Sequence
from typing import Any

from server.core.venue.values import Json

ROWS = frozenset({"players", "machines", "teams"})
"""Parts of a head that are lists, each row with its id."""


def member(head: Json, part: str, name: str) -> Json | None:
    """What the head says of one of its `players`, `machines` or `teams`; None where it has none of that id."""
    rows: Sequence[Json] = head.get(part) or ()
    return next((row for row in rows if str(row.get("id")) == name), None)


def somebody(head: Json, name: str) -> Json | None:
    """What the head says of a player, a team, or one of a roster who is no player of the list."""
    found = member(head, "players", name) or member(head, "teams", name)
    if found is not None:
        return found
    rosters = (team.get("roster") or () for team in head.get("teams") or ())
    return next((row for roster in rosters for row in roster if str(row.get("id")) == name), None)


def changed_head(head: Json, after: Json) -> dict[str, Any]:
    """The head with the changes of an event: whole rules, names, and by id the rows that changed."""
    found = dict(head)
    for key, value in after.items():
        if key in ROWS:
            rows = {str(row["id"]): row for row in value}
            found[key] = [rows.get(str(row["id"]), row) for row in head.get(key) or ()]
        elif value is None:
            found.pop(key, None)
        else:
            found[key] = value
    return found


def with_teams(head: Json, teams: Sequence[Json]) -> dict[str, Any]:
    """The head with teams added, or in the place of those of the same id."""
    fresh = {str(row["id"]): row for row in teams}
    rows: Sequence[Json] = head.get("teams") or ()
    kept = [fresh.pop(str(row["id"]), row) for row in rows]
    return {**head, "teams": [*kept, *fresh.values()]}


def taking_back(before: Json, after: Json) -> dict[str, Any]:
    """The changes that undo an event's: only what it touched, so that what was changed since stays. None takes away."""
    found: dict[str, Any] = {}
    for key, new in after.items():
        old = before.get(key)
        if key == "rules":
            found[key] = _differing(old or {}, new)
        elif key in ROWS:
            rows = {str(row["id"]): row for row in old or ()}
            found[key] = [{"id": row["id"], **_differing(rows.get(str(row["id"]), {}), row)} for row in new]
        else:
            found[key] = old
    return found


def _differing(old: Json, new: Json) -> dict[str, Any]:
    return {name: old.get(name) for name in sorted({*old, *new}) if old.get(name) != new.get(name)}
