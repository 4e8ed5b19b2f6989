"""The life of a recorded game: each step with who, when, why, and the scores before and after it.

Pure: made from the ledger's events about the log's entries that speak of the game. The invariant: the last step's
scores are those that the log has now.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from server.core.venue.events import EntryRecorded, EntryRestored, EntryUndone
from server.core.venue.filing import Happened
from server.core.venue.state import LogEntry, State
from server.core.venue.values import Json, entry_kind

Scores = Mapping[str, int | None]
"""By player; None where his score is void."""
_WORDS = {"game": "recorded", "correct": "corrected", "void": "voided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. `what`: recorded, imported, corrected, moved, voided, undone, restored, or the entry's own kind.

    `old` and `new` are the scores as recorded and corrected, before rulings; None where the game does not count.
    """

    position: int
    at: int
    who: str
    what: str
    number: int
    why: str | None
    old: Scores | None
    new: Scores | None
    entry: Json = field(default_factory=dict)


def story(state: State, tournament: str, game: str, happened: Iterable[Happened]) -> tuple[Step, ...]:
    """The steps in the order of the ledger. `happened` are the events at `places_of`."""
    entries = {entry.number: entry for entry in state.about(tournament, game)}
    there: set[int] = set()
    undone: set[int] = set()
    steps: list[Step] = []
    old: Scores | None = None
    for one in sorted(happened, key=lambda one: one.position):
        for number, what, why in _touched(one, entries, there):
            if what == "undone":
                undone.add(number)
            elif what == "restored":
                undone.discard(number)
            else:
                there.add(number)
            new = _scores(game, [entries[n] for n in sorted(there)], undone)
            step = Step(
                position=one.position,
                at=one.at,
                who=one.who,
                what=what,
                number=number,
                why=why,
                old=old,
                new=new,
                entry=entries[number].entry,
            )
            steps.append(step)
            old = new
    return tuple(steps)


def places_of(state: State, tournament: str, game: str) -> tuple[int, ...]:
    """The ledger positions of everything that was done about the game."""
    return tuple(sorted({position for entry in state.about(tournament, game) for position in entry.positions}))


def scores_now(state: State, tournament: str, game: str) -> Scores | None:
    """The scores as recorded and corrected, None by player where void; None where the game does not count."""
    entries = state.about(tournament, game)
    return _scores(game, entries, {entry.number for entry in entries if entry.undone})


def entry_now(state: State, tournament: str, game: str) -> LogEntry | None:
    """The entry that records a game now: the one that counts, else the newest of those that did."""
    found = [x for x in state.about(tournament, game) if entry_kind(x.entry) == "game" and x.entry["game"] == game]
    counting = [x for x in found if state.counts(x, tournament)]
    return next(reversed(counting or found), None)


def _touched(one: Happened, entries: Mapping[int, LogEntry], there: set[int]) -> list[tuple[int, str, str | None]]:
    event = one.event
    if isinstance(event, EntryUndone | EntryRestored):
        what = "undone" if isinstance(event, EntryUndone) else "restored"
        return [(event.number, what, event.why)] if event.number in entries else []
    if isinstance(event, EntryRecorded):
        if event.number not in entries:
            return []
        kind = entry_kind(event.entry)
        why = event.why or event.entry.get("why")
        return [(event.number, "moved" if event.replaces else _WORDS.get(kind, kind), why)]
    found = [x for x in entries.values() if x.position == one.position and x.number not in there]
    return [(x.number, "imported", x.entry.get("why")) for x in found]


def _scores(game: str, entries: Iterable[LogEntry], undone: set[int]) -> Scores | None:
    known = {entry.number: entry for entry in entries}
    gone = {number for entry in known.values() if entry.number not in undone for number in entry.replaces} | undone
    scores: dict[str, int | None] | None = None
    for entry in sorted(known.values(), key=lambda entry: (entry.origin, entry.number)):
        kind = entry_kind(entry.entry)
        if kind not in {"game", "correct", "void"} or entry.entry[kind] != game or entry.number in gone:
            continue
        if kind == "game":
            scores = dict(entry.entry["scores"])
        elif scores is not None and kind == "correct":
            scores |= {who: score for who, score in entry.entry["scores"].items() if scores.get(who) is not None}
        elif scores is not None:
            who = entry.entry.get("who")
            scores |= dict.fromkeys(scores if who is None else [who])
    return scores
