"""Games against the clock: was it over when the stage closed, did it begin before, was its player elsewhere (C3.2).

The rules are asked how they would take the game at other times, so that the desk knows no rule of its own. The
invariant: where the time is not known well enough, nobody decides but an official, who is told both times.
"""

from dataclasses import dataclass

from server.core.venue.book import Book, Objection
from server.core.venue.closing import stage_of
from server.core.venue.state import Game, State
from server.core.venue.teams import bodies_of
from server.core.venue.times import Between, began, ended, moment, span_of
from server.core.venue.values import Json, Place, entry_kind

TOLERANCE_MS = 2_000
"""Two agents' times may disagree by so much before somebody is said to have been in two places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """It is certain that the game comes too late: it is kept in the log, marked with the reason, and does not count."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsure:
    """It hangs on a time that is not known well enough, or on what an official wants: he decides."""

    why: str


def against_close(
    state: State, game: Game, place: Place, entry: Json, objection: Objection | None, book: Book
) -> Late | Unsure | None:
    """What the close of its stage means for a captured game; None where it means nothing."""
    stage = stage_of(state, place, game.machine)
    close = book.page(state, place.tournament).closes.get(stage) if stage is not None else None
    if stage is None or close is None or close.at is None:
        return None

    def asked(started: int) -> Objection | None:
        return book.objection(state, place.tournament, {**entry, "started_at": moment(started)})

    before, after = asked(close.at - 1), asked(close.at)
    if before is None and after is not None:
        return _by_start(stage, close.at, began(game), after)
    if objection is None or before is None:
        return None
    if book.objection_without(state, place.tournament, entry, close.number) is not None:
        return None  # it is not the close that the rules object to
    return _by_end(stage, close.at, ended(game), objection)


def _by_start(stage: str, at: int, begins: Between, objection: Objection) -> Late | Unsure | None:
    """Games that began before the close count."""
    if begins.late < at:
        return None
    if begins.early >= at:
        return Late(why=objection.text)
    return Unsure(
        why=f"it is not certain that it began before {stage} closed: it began {begins.words()}, the close was "
        f"{moment(at)}; say when it began, or discard it"
    )


def _by_end(stage: str, at: int, ends: Between, objection: Objection) -> Late | Unsure:
    """Nothing that was unfinished at the close counts; what was finished then and comes late is for an official."""
    if ends.early >= at:
        return Late(why=objection.text)
    return Unsure(
        why=f"it ended {ends.words()}, {stage} closed {moment(at)}, and the rules take nothing after that: to count "
        "it, undo the close, decide it, and close again; else discard it"
    )


def at_once(state: State, tournament: str, entry: Json) -> str | None:
    """Why nobody can have played this: one of its players was in another game at the same time. None where all could.

    Only games of which both times are known are compared, and only what counts.
    """
    span = span_of(entry)
    if span is None:
        return None
    found = state.tournaments[tournament]
    for who in (name for named in entry["scores"] for name in bodies_of(found, named)):
        clash = _elsewhere(state, tournament, who, entry, span)
        if clash is not None:
            return clash
    return None


def knows_when(game: Game) -> bool:
    """Whether the times of a captured game are good enough to say that somebody was in two places."""
    near = max(game.started_within, game.ended_within) <= TOLERANCE_MS
    return game.started_certain and game.ended_certain and near


def _elsewhere(state: State, tournament: str, who: str, entry: Json, span: tuple[int, int]) -> str | None:
    """In which other game somebody was then, or is now."""
    for other in state.spans.get((tournament, who), ()):
        if other.start is None or other.end is None:
            continue
        together = min(span[1], other.end) - max(span[0], other.start)
        if together <= TOLERANCE_MS or not _counts(state, tournament, other.number):
            continue
        found = state.entries[tournament, other.number].entry
        if found["game"] != entry.get("game") and found["machine"] != entry.get("machine"):
            there = f"{who} was on {found['machine']} ({found['game']})"
            when = f"from {moment(other.start)} to {moment(other.end)}"
            return f"{there} {when}: nobody plays two games at once"
    machine = state.machines.get(state.assigned.get((tournament, who), ""))
    game = state.games.get(machine.game or "") if machine is not None else None
    if machine is None or game is None or game.started is None or machine.id == entry.get("machine"):
        return None
    if game.status == "running" and span[1] - game.started > TOLERANCE_MS:
        return f"{who} is playing on {machine.name} since {moment(game.started)}: nobody plays two games at once"
    return None


def _counts(state: State, tournament: str, number: int) -> bool:
    entry = state.entries[tournament, number]
    if entry.despite is not None or not state.counts(entry, tournament):
        return False
    game = state.games.get(entry.capture) if entry.capture is not None else None
    if game is not None and not knows_when(game):
        return False
    return not any(
        entry_kind(other.entry) == "void" and other.entry.get("who") is None and state.counts(other, tournament)
        for other in state.about(tournament, entry.entry["game"])
    )
