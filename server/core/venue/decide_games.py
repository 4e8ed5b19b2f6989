"""Deciding about captured games and their readings: confirm, correct, reject, match, discard.

The invariant: a reading is decided once; the last reading decided posts the game, holds it or discards it.
"""

from dataclasses import replace

from server.core.venue import commands as c
from server.core.venue import disputes
from server.core.venue.book import Book
from server.core.venue.decide_machines import lined_up
from server.core.venue.events import Event, GameDiscarded, GameHeld, GameMatched, MalfunctionClosed, ReadingDecided
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.posting import (
    conclude,
    decided_readings,
    judge,
    open_fault,
    settle_readings,
    waiting_readings,
    with_reading,
)
from server.core.venue.state import Game, Reading, State
from server.core.venue.stops import conflict, invalid, need, need_players, need_reason, need_tournament, refuse
from server.core.venue.tables import changed

DECIDED = "the game was decided"


def confirm(state: State, command: c.ConfirmReading, _actor: Actor, _at: int, book: Book) -> Decision:
    """The proposed score stands."""
    reading = _reading(state, command.reading, command.based_on)
    if reading.proposed is None:
        refuse("not all digits were read: type the score instead")
    if command.score is not None and command.score != reading.proposed:
        conflict("the proposed score is another one", version=reading.version, proposed=reading.proposed)
    return _decided(state, reading, "confirmed", reading.proposed, None, book)


def correct(state: State, command: c.CorrectReading, _actor: Actor, _at: int, book: Book) -> Decision:
    """An official says what the score is."""
    reading = _reading(state, command.reading, command.based_on)
    if type(command.score) is not int or command.score < 0:
        invalid("a score is a whole number from 0")
    return _decided(state, reading, "corrected", command.score, command.why, book)


def reject(state: State, command: c.RejectReading, _actor: Actor, _at: int, book: Book) -> Decision:
    """The slot counts for nobody."""
    reading = _reading(state, command.reading, command.based_on)
    return _decided(state, reading, "rejected", None, need_reason(command.why), book)


def match(state: State, command: c.MatchGame, _actor: Actor, _at: int, book: Book) -> Decision:
    """Say whose game it is; it then goes the way of every game: posted, or its doubtful scores wait.

    Without players those whom the line-ups of the match name.
    """
    game = _undecided(state, command.game, command.based_on)
    tournament = need_tournament(state, command.place.tournament)
    if not command.players and command.place.match is not None:
        command = replace(command, players=lined_up(state, command.place, game.machine, book))
    need_players(tournament, command.players)
    slots = max([len(game.scores), *(score.player for score in game.scores)])
    if not any(player is not None for player in command.players):
        invalid("name at least one player, or discard the game")
    if slots and len(command.players) != slots:
        invalid(f"the game has {slots} players: name each, or none for a place that is nobody's")
    matched = GameMatched(
        game=game.id, place=command.place, players=command.players, why=command.why, started=command.started
    )
    theirs = changed(game, status="waiting", place=command.place, players=command.players, why=())
    if command.started is not None:
        need_reason(command.why)
        if game.ended is not None and command.started > game.ended:
            invalid("a game does not begin after it ended")
        theirs = changed(theirs, started=command.started, started_certain=True, started_within=0)
    if command.despite_rules:
        judged = conclude(state, theirs, decided_readings(state, game), book, despite=True)
    else:
        judged = judge(state, theirs, book)
    events = (*settle_readings(state, game, DECIDED), matched, *judged, *_quiet(state, game))
    return Decision(events=events, result={"game": game.id, **_entry(judged)})


def discard(state: State, command: c.DiscardGame, _actor: Actor, _at: int, _book: Book) -> Decision:
    """It is no result of anybody."""
    game = _undecided(state, command.game, command.based_on)
    discarded = GameDiscarded(game=game.id, why=need_reason(command.why), before=game.status)
    return Decision(
        events=(*settle_readings(state, game, DECIDED), discarded, *_quiet(state, game)), result={"game": game.id}
    )


def _reading(state: State, reading_id: str, based_on: int | None) -> Reading:
    reading = need(state.readings.get(reading_id), f"reading {reading_id}")
    if reading.status != "waiting":
        conflict(
            f"{reading.decided_by} has {reading.status} it already",
            version=reading.version,
            status=reading.status,
            score=reading.score,
            by=reading.decided_by,
            at=reading.decided_at,
        )
    if based_on is not None and based_on != reading.version:
        conflict("the reading has changed since you looked", version=reading.version, proposed=reading.proposed)
    return reading


def _decided(state: State, reading: Reading, decision: str, score: int | None, why: str | None, book: Book) -> Decision:
    event = ReadingDecided(reading=reading.id, decision=decision, before=reading.proposed, after=score, why=why)
    game = state.games[reading.game]
    others = [other for other in waiting_readings(state, game) if other.id != reading.id]
    followed: tuple[Event, ...] = ()
    if not others:
        decided = [*decided_readings(state, game), with_reading(reading, decision, score)]
        followed = (*conclude(state, game, decided, book), *disputes.settled(state, game))
    result = {"reading": reading.id, "game": game.id, "score": score, "left": len(others), **_entry(followed)}
    return Decision(events=(event, *followed), result=result)


def _undecided(state: State, game_id: str, based_on: int | None) -> Game:
    game = need(state.games.get(game_id), f"game {game_id}")
    if game.status == "running":
        refuse("the game is still running")
    if game.status not in {"unmatched", "waiting"} or (based_on is not None and based_on != game.version):
        by = f" by {game.decided_by}" if game.decided_by else ""
        conflict(
            f"the game is {game.status}{by}",
            version=game.version,
            status=game.status,
            by=game.decided_by,
            at=game.decided_at,
            entry=game.entry,
        )
    return game


def _quiet(state: State, game: Game) -> tuple[Event, ...]:
    """The desk's alarms about this game are answered by the decision; one for the machine with its last such game."""
    machine = state.machines[game.machine]
    found = [open_fault(state, machine, "wrong-players", game.id)]
    others = (state.games[name.removeprefix("game:")] for name in state.waiting if name.startswith("game:"))
    if not any(o.status == "unmatched" and o.machine == machine.id and o.id != game.id for o in others):
        found.append(open_fault(state, machine, "unassigned-play"))
    closed = (MalfunctionClosed(malfunction=name, why=DECIDED) for name in found if name is not None)
    return (*closed, *disputes.settled(state, game))


def _entry(events: tuple[Event, ...]) -> dict[str, object]:
    """The number of the entry that came of it, or why the game waits all the same."""
    for event in events:
        if isinstance(event, GameHeld):
            return {"waits": list(event.why)}
        number = getattr(event, "number", None)
        if number is not None:
            return {"number": number}
    return {}
