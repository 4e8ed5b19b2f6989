"""What officials decided, in words, newest first, and found again by any word of it.

Everything is frozen; nothing is decided. The one invariant: what was undone is shown as undone, never left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from server.core.venue.entries import OFFICIAL_ONLY, WEIGHTY
from server.core.venue.events import EntryRecorded
from server.core.venue.state import LogEntry, State, Tournament
from server.core.venue.values import entry_kind
from server.web.views.deeds import shown_name
from server.web.views.words import Part, describe

KINDS = OFFICIAL_ONLY | {"decision", "absent", "machine", "close"}
"""Entries in which somebody decided something."""

TOPICS = (
    ("qualifiers", "How many go on", "changes who goes on when the stage is closed"),
    ("field", "Who plays in a stage", "names in order of seed; without names those whom the standings give"),
    ("draw", "An order drawn by lot", "names in the order drawn; decides a tie as a game would"),
    ("round", "A round begins", "although games of the one before are missing"),
    ("machine", "A machine is chosen", "by one player, or by officials for a group"),
    ("call", "A call", "a record: the time runs on the desk"),
    ("warning", "A warning", "a record"),
    ("deal", "Something agreed", "a record"),
    ("other", "Anything else", "a record"),
)
"""Topics that the form offers: what it is, and what it does. Groups and pairings are posted on `/rounds`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """One decision. `recused` says that its author played there himself."""

    number: int
    kind: str
    parts: tuple[Part, ...]
    why: str | None
    who: str
    at: int
    undone: bool
    despite: str | None
    recused: str | None
    state: int


def decided(state: State, tournament: Tournament, words: str = "", most: int = 100) -> tuple[Ruled, ...]:
    """The newest decisions that hold every one of the words (in what was decided, why, or who), newest first."""
    wanted = words.casefold().split()[:10]
    found: list[Ruled] = []
    for entry in _newest(state, tournament):
        told = ruled(state, tournament, entry)
        text = " ".join([*map(str, told.parts), told.why or "", told.who, told.despite or ""]).casefold()
        if all(word in text for word in wanted):
            found.append(told)
            if len(found) == most:
                break
    return tuple(found)


def ruled(state: State, tournament: Tournament, entry: LogEntry) -> Ruled:
    """Give one decision in words."""
    event = EntryRecorded(
        tournament=tournament.id, number=entry.number, entry=entry.entry, why=entry.why, recused=entry.recused
    )
    line = describe(state, event)
    why = entry.entry.get("why")
    return Ruled(
        number=entry.number,
        kind=entry_kind(entry.entry),
        parts=line.parts,
        why=entry.why or (why if isinstance(why, str) else None),
        who=shown_name(entry.who),
        at=entry.at,
        undone=not state.counts(entry, tournament.id),
        despite=entry.despite,
        recused=entry.recused,
        state=len(entry.positions),
    )


def topics_for(*, official: bool) -> tuple[tuple[str, str, str], ...]:
    """The topics that these roles may record."""
    return tuple(topic for topic in TOPICS if official or topic[0] not in WEIGHTY)


def _newest(state: State, tournament: Tournament) -> Iterator[LogEntry]:
    for number in range(tournament.entries, 0, -1):
        entry = state.entries[tournament.id, number]
        if entry_kind(entry.entry) in KINDS:
            yield entry
