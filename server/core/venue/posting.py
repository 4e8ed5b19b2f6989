"""From a captured game to a result: posted as a log entry, or waiting with its readings, or held with a reason.

Used by facts and by people's decisions alike, so both take the same path. The invariant: one captured game is
posted by at most one entry that counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from server.core.venue import review
from server.core.venue.balls import noted_balls, wants_balls
from server.core.venue.book import Book, Objection
from server.core.venue.events import EntryRecorded, Event, GameDiscarded, GameHeld, ReadingDecided, ReadingOpened
from server.core.venue.lateness import Late, against_close, at_once, knows_when
from server.core.venue.state import Game, Machine, Reading, State, Tournament
from server.core.venue.tables import changed
from server.core.venue.times import moment
from server.core.venue.values import Json, Place, Score


def judge(state: State, game: Game, book: Book) -> tuple[Event, ...]:
    """What becomes of a game that is over and has its players: posted at once, or waiting for eyes, or held."""
    machine = state.machines[game.machine]
    miscount = review.count_doubt(game)
    if miscount is not None:
        return (GameHeld(game=game.id, why=(f"wrong number of players: {miscount}",)),)
    whole = review.game_doubts(state, game, machine)
    seen = {score.player: score for score in game.scores}
    decided = decided_readings(state, game)
    sure = {reading.player for reading in decided}
    opened: list[ReadingOpened] = []
    for slot, who in enumerate(game.players, start=1):
        doubts = (*whole, *review.score_doubts(seen.get(slot), machine))
        if who is not None and doubts and slot not in sure:
            opened.append(_open(state, game, slot, who, seen.get(slot), doubts, len(opened)))
    return tuple(opened) if opened else conclude(state, game, decided, book)


def open_readings(state: State, game: Game, doubts: Sequence[str]) -> tuple[ReadingOpened, ...]:
    """All scores of a game wait for eyes again."""
    seen = {score.player: score for score in game.scores}
    slots = [(slot, who) for slot, who in enumerate(game.players, start=1) if who is not None]
    return tuple(
        _open(state, game, slot, who, seen.get(slot), doubts, opened) for opened, (slot, who) in enumerate(slots)
    )


def settle_readings(state: State, game: Game, why: str) -> tuple[ReadingDecided, ...]:
    """Whatever of the game still waits for eyes need not any more."""
    return tuple(
        ReadingDecided(reading=reading.id, decision="settled", before=reading.proposed, after=None, why=why)
        for reading in waiting_readings(state, game)
    )


def conclude(
    state: State, game: Game, decided: Iterable[Reading], book: Book, *, despite: bool = False
) -> tuple[Event, ...]:
    """Post the game with its scores and what was decided about its readings; or hold it with the rules' objection."""
    scores = {score.player: score.score for score in game.scores}
    for reading in decided:
        scores[reading.player] = reading.score
    posted = {
        who: scores[slot]
        for slot, who in enumerate(game.players, start=1)
        if who is not None and scores.get(slot) is not None
    }
    if not posted or game.place is None:
        why = "no score of it was accepted" if game.place else "it was nobody's"
        return (GameDiscarded(game=game.id, why=why, before=game.status),)
    tournament = state.tournaments.get(game.place.tournament)
    if tournament is None:
        return (GameHeld(game=game.id, why=(f"there is no tournament {game.place.tournament}",)),)
    entry = _entry(state, tournament, game, game.place, posted)
    objection = _objection(state, tournament.id, game, entry, book)
    if not despite and not (objection is not None and objection.malformed):
        timing = against_close(state, game, game.place, entry, objection, book)
        if isinstance(timing, Late):
            return (_recorded(tournament, game, entry, timing.why),)
        if timing is not None:
            return (GameHeld(game=game.id, why=(timing.why,)),)
        clash = at_once(state, tournament.id, entry) if knows_when(game) else None
        if clash is not None:
            return (GameHeld(game=game.id, why=(clash,)),)
    if objection is not None and (objection.malformed or not despite):
        return (GameHeld(game=game.id, why=(objection.text,)),)
    return (_recorded(tournament, game, entry, objection.text if objection else None),)


def free_game_id(state: State, tournament: str) -> str:
    """A short id that no game of the tournament has: g1, g2, …"""
    number = state.tournaments[tournament].games + 1
    while (tournament, f"g{number}") in state.posted:
        number += 1
    return f"g{number}"


def waiting_readings(state: State, game: Game) -> list[Reading]:
    """The game's readings that still wait."""
    return [reading for reading in _readings(state, game) if reading.status == "waiting"]


def decided_readings(state: State, game: Game) -> list[Reading]:
    """The game's readings that an official decided; `score` is None where rejected."""
    return [reading for reading in _readings(state, game) if reading.status in {"confirmed", "corrected", "rejected"}]


def open_fault(state: State, machine: Machine, fault: str, game: str | None = None) -> str | None:
    """The id of the machine's open malfunction of that name (and game, where given)."""
    for name in machine.open:
        found = state.malfunctions[name]
        if found.fault == fault and (game is None or found.game == game):
            return name
    return None


def with_reading(reading: Reading, status: str, score: int | None) -> Reading:
    """The reading as it will be once decided."""
    return changed(reading, status=status, score=score)


def _readings(state: State, game: Game) -> list[Reading]:
    return [state.readings[name] for name in game.readings]


def _objection(state: State, tournament: str, game: Game, entry: Json, book: Book) -> Objection | None:
    found = state.tournaments[tournament]
    strangers = [who for who in entry["scores"] if not found.knows(who)]
    if strangers:
        return Objection(text=f"{', '.join(strangers)}: not entered in {found.name}", malformed=True)
    if game.machine not in found.machines:
        return Objection(text=f"{game.machine} is no machine of {found.name}", malformed=True)
    return book.objection(state, tournament, entry)


def _entry(
    state: State, tournament: Tournament, game: Game, place: Place, scores: Mapping[str, int | None]
) -> dict[str, Any]:
    """The log entry that a captured game is."""
    entry: dict[str, Any] = {
        "game": free_game_id(state, tournament.id),
        "machine": game.machine,
        "scores": dict(scores),
        **place.fields(),
    }
    if wants_balls(tournament) and (balls := noted_balls(game, scores)):
        entry["balls"] = balls
    if game.rollovers:
        entry["rollovers"] = dict.fromkeys(scores, game.rollovers)
    if game.started is not None:
        entry["started_at"] = moment(game.started)
    entry["at"] = moment(game.ended if game.ended is not None else state.at)
    return entry


def _recorded(tournament: Tournament, game: Game, entry: Json, despite: str | None) -> EntryRecorded:
    return EntryRecorded(
        tournament=tournament.id,
        number=tournament.entries + 1,
        entry=entry,
        capture=game.id,
        despite=despite,
    )


def _open(
    state: State, game: Game, slot: int, who: str, score: Score | None, doubts: Sequence[str], opened: int
) -> ReadingOpened:
    read = next((r for r in reversed(game.reads) if r.get("player") == slot), {})
    candidates = (score.candidates if score else ()) or tuple(read.get("candidates") or ())
    return ReadingOpened(
        reading=f"r{len(state.readings) + 1 + opened}",
        game=game.id,
        player=slot,
        machine=game.machine,
        who=who,
        proposed=None if score is None else score.score,
        text=(score.text if score else None) or read.get("text"),
        candidates=candidates,
        confidence=score.confidence if score else 0.0,
        evidence=read.get("evidence") or game.evidence,
        why=tuple(doubts),
    )
