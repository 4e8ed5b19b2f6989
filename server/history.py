"""Reading the ledger back: the state at the start, and notices for those who look on.

The invariant: the state that is folded here equals the state that the writer had when it stopped.
"""

from collections.abc import Sequence
from typing import Any

from server.collecting import without_collecting
from server.core.venue.events import Event
from server.core.venue.evolve import evolve
from server.core.venue.filing import Happened, kind_of
from server.core.venue.state import State
from server.filing import from_record, read_row, tournament_of
from server.live import Notice
from server.store.database import Store

_SUBJECTS = ("machine", "game", "reading", "malfunction", "number", "agent")


def fold_ledger(store: Store) -> State:
    """The state that the whole ledger gives."""
    state = State()
    with without_collecting():
        for row in store.rows():
            happened = read_row(*row)
            if happened is not None:
                evolve(state, happened)
            state.position = row[0]
    return state


def notices(store: Store, after: int, limit: int) -> Sequence[Notice]:
    """A notice for each record beyond a position."""
    found = []
    for record in store.records(after, limit):
        happened = from_record(record)
        if happened is not None:
            found.append(notice_of(happened))
        else:
            found.append(Notice(position=record.position, kind=record.kind, at=record.at, who=record.who))
    return found


def notice_of(happened: Happened) -> Notice:
    """The notice of what happened: what it is about, without its content."""
    event = happened.event
    return Notice(
        position=happened.position,
        kind=kind_of(event),
        at=happened.at,
        who=happened.who,
        subject=_subject(event),
    )


def _subject(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = {}
    tournament = tournament_of(event)
    if tournament is not None:
        found["tournament"] = tournament
    for name in _SUBJECTS:
        value = getattr(event, name, None)
        if value is not None:
            found[name] = value
    body = getattr(event, "body", None)
    if body is not None and body.get("game") is not None:
        found["game"] = body["game"]
    return found
