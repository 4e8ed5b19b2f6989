"""The head of a tournament as its changes make it. Nothing is decided here."""

from typing import Any

from server.core.venue.values import Json


def changed_head(head: Json, after: Json) -> dict[str, Any]:
    """The head with the changes of an event: whole rules, names, and by id the rows that changed."""
    found = dict(head)
    for key, value in after.items():
        if key in {"players", "machines"}:
            rows = {str(row["id"]): row for row in value}
            found[key] = [rows.get(str(row["id"]), row) for row in head.get(key) or ()]
        elif value is None:
            found.pop(key, None)
        else:
            found[key] = value
    return found
