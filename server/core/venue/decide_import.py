"""Deciding about a whole tournament that comes in from a file: opened with its head, then its log in pieces.

The file was read by the rules before (`server.exchange`); here its id, its names and its size are looked at. The
invariant: a tournament comes in whole or not at all, and nothing of the venue changes where another one is running.
"""

from collections.abc import Mapping

from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.decide_log import ID, check_head
from server.core.venue.entries import KINDS
from server.core.venue.events import EntriesImported, TournamentOpened
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.state import State
from server.core.venue.stops import conflict, invalid, need_tournament, need_version
from server.core.venue.values import Json, entry_kind

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
    _check_entries(command.entries)
    kept = state.current is not None and not command.current
    opened = TournamentOpened(tournament=command.id, head=command.head, kept=kept)
    result = {"tournament": command.id, "entries": len(command.entries), "refused": len(command.refused)}
    return Decision(
        events=(opened, *_pieces(command.id, 1, command.entries, dict(command.refused))),
        result={**result, "current": not kept},
    )


def import_entries(state: State, command: c.ImportEntries, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Record the entries of a table at the end of the log, if nothing has changed since the rules took them."""
    tournament = need_tournament(state, command.tournament)
    need_version(tournament, command.based_on)
    if not command.entries:
        invalid("there is nothing to record")
    _check_entries(command.entries)
    events = _pieces(tournament.id, tournament.entries + 1, command.entries, {})
    return Decision(events=events, result={"tournament": tournament.id, "entries": len(command.entries)})


def _check_entries(entries: tuple[Json, ...]) -> None:
    if len(entries) > MOST_ENTRIES:
        invalid(f"a log has at most {MOST_ENTRIES} entries")
    for number, entry in enumerate(entries, 1):
        kind = entry_kind(entry)
        if kind not in KINDS or not isinstance(entry[kind], str) or not entry[kind]:
            invalid(f"log entry {number}: the first key of an entry says what it is: {', '.join(KINDS)}")
        if kind == "game" and not isinstance(entry.get("scores"), Mapping):
            invalid(f"log entry {number}: scores: who had how many points")


def _pieces(
    tournament: str, first: int, entries: tuple[Json, ...], refused: Mapping[int, str]
) -> tuple[EntriesImported, ...]:
    found = []
    for start in range(0, len(entries), TOGETHER):
        piece = entries[start : start + TOGETHER]
        begins = first + start
        despite = tuple((n, refused[n]) for n in range(begins, begins + len(piece)) if n in refused)
        found.append(EntriesImported(tournament=tournament, first=begins, entries=piece, despite=despite))
    return tuple(found)
