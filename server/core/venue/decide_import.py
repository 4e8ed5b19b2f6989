"""Deciding about a whole tournament that comes in from a file: opened with its head, then its log in pieces.

The file was read by the rules before (`server.exchange`); here its id, its names and its size are looked at. The
invariant: a tournament comes in whole or not at all, and nothing of the venue changes where another one is running.
"""

from collections.abc import Mapping
from typing import NoReturn

from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.decide_log import ID, check_head
from server.core.venue.entries import KINDS
from server.core.venue.events import EntriesImported, Event, TournamentOpened
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.state import State
from server.core.venue.stops import conflict, invalid
from server.core.venue.values import entry_kind

TOGETHER = 100
"""Entries in one event: a record stays small, and a long file makes few of them."""
MOST_ENTRIES = 2_000_000


def import_tournament(state: State, command: c.ImportTournament, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Open the tournament and record its log. It becomes the running one where asked, or where none is running."""
    if not ID.fullmatch(command.id) or command.id == "current":
        invalid("a tournament's id is 1 to 40 small letters, digits or hyphens, and not current")
    known = state.tournaments.get(command.id)
    if known is not None:
        conflict(f"there is a tournament {command.id} already: import it under another id", version=known.version)
    if command.head.get("log"):
        invalid("the head is the file without its log")
    check_head({**command.head, "log": []})
    if len(command.entries) > MOST_ENTRIES:
        invalid(f"a log has at most {MOST_ENTRIES} entries")
    for number, entry in enumerate(command.entries, 1):
        kind = entry_kind(entry)
        if kind not in KINDS or not isinstance(entry[kind], str) or not entry[kind]:
            _strange(number)
        if kind == "game" and not isinstance(entry.get("scores"), Mapping):
            invalid(f"log entry {number}: scores: who had how many points")
    kept = state.current is not None and not command.current
    opened = TournamentOpened(tournament=command.id, head=command.head, kept=kept)
    result = {"tournament": command.id, "entries": len(command.entries), "refused": len(command.refused)}
    return Decision(events=(opened, *_pieces(command)), result={**result, "current": not kept})


def _pieces(command: c.ImportTournament) -> tuple[Event, ...]:
    refused = dict(command.refused)
    found = []
    for start in range(0, len(command.entries), TOGETHER):
        entries = command.entries[start : start + TOGETHER]
        numbers = range(start + 1, start + 1 + len(entries))
        despite = tuple((number, refused[number]) for number in numbers if number in refused)
        found.append(EntriesImported(tournament=command.id, first=start + 1, entries=entries, despite=despite))
    return tuple(found)


def _strange(number: int) -> NoReturn:
    invalid(f"log entry {number}: the first key of an entry says what it is: {', '.join(KINDS)}")
