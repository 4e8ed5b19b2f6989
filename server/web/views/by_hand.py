"""A machine as its scorekeeper sees it: who plays, what was typed, what can be taken back, what can be reported.

Nothing is decided here. The invariant: the scores compared with are those that counted on this machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from server.core.venue import manual
from server.core.venue.games import MANUAL
from server.core.venue.outcomes import Actor
from server.core.venue.state import Game, Machine, State
from server.web.views.names import machine_name, person_name, tournament_of
from server.web.views.scene import Scene, copied
from server.web.views.signs import CONDITIONS, GAME_STATUS, Sign, fault_sign
from server.web.views.wall import state_sign

BEFORE = 200
"""Scores that a typed one is compared with at most: the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player at the machine. `score` as it was last said, None where nothing was."""

    number: int
    name: str
    score: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The last game typed here. `entry`: what this person can take back; `anew`: it waits to be typed anew."""

    game: str
    version: int
    sign: Sign
    seats: tuple[Seat, ...]
    at: int | None
    why: tuple[str, ...]
    tournament: str
    entry: int | None
    state: int
    anew: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One machine. `ball` and `player`: whose ball is next to be noted, as far as it is known."""

    id: str
    name: str
    version: int
    sign: Sign
    seats: tuple[Seat, ...]
    playing: bool
    reader: str | None
    """The agent that follows the running game."""
    player: int
    ball: int
    last: Typed | None
    faults: tuple[Sign, ...]
    down: bool
    of: str
    """Who is at the machine: a game or an assignment, empty where nobody is."""


def sheet(scene: Scene, name: str, actor: Actor) -> Sheet | None:
    """The machine's sheet, None where there is no such machine."""
    machine = scene.state.machines.get(name)
    if machine is None:
        return None
    game = manual.running(scene.state, machine)
    player, ball = _next(game)
    open_now = (scene.state.malfunctions[fault] for fault in machine.open)
    return Sheet(
        id=machine.id,
        name=machine_name(scene.state, machine.id),
        version=machine.version,
        sign=state_sign(machine, game),
        seats=_seats(scene.state, machine, game),
        playing=game is not None,
        reader=game.agent if game is not None and game.agent != MANUAL else None,
        player=player,
        ball=ball,
        last=_last(scene, machine, actor),
        faults=tuple(
            dict.fromkeys(
                fault_sign(fault.fault, in_game=fault.game is not None) for fault in open_now if fault.raised(scene.now)
            )
        ),
        down=machine.condition in CONDITIONS,
        of=next(iter(manual.at_it(machine, game)), ""),
    )


def scores_before(state: State, machine: str) -> list[int]:
    """The newest scores that counted on the machine."""
    found: list[int] = []
    for game in reversed(copied(state.games)):
        if game.machine == machine and game.status == "posted":
            found += [score.score for score in game.scores if score.score is not None]
            if len(found) >= BEFORE:
                break
    return found


def doubts(state: State, name: str, scores: tuple[int, ...]) -> tuple[str, ...]:
    """Why these typed scores should be looked at once more."""
    machine = state.machines.get(name)
    if machine is None:
        return ()
    game = manual.running(state, machine)
    found = list(manual.odd(machine, scores, scores_before(state, name)))
    if game is not None and game.agent != MANUAL:
        found.append(f"the reader {game.agent} follows this game and gives its scores by itself")
    return tuple(found)


def counted(state: State, name: str) -> str:
    """The players with what counts for them now: `: Ann 48,213,340`; empty where nothing does."""
    game = state.games.get(name)
    tournament = tournament_of(game)
    if game is None or game.entry is None or tournament is None:
        return ""
    scores = state.entries[tournament, game.entry].entry.get("scores") or {}
    told = ", ".join(f"{person_name(state, tournament, who)} {score:,}" for who, score in scores.items())
    return f": {told}" if told else ""


def _seats(state: State, machine: Machine, game: Game | None) -> tuple[Seat, ...]:
    if game is None:
        held = machine.assignment
        who: tuple[str | None, ...] = held.players if held is not None else ()
        tournament = held.place.tournament if held is not None else None
        return tuple(
            Seat(number=number, name=person_name(state, tournament, one), score=None)
            for number, one in enumerate(who, 1)
        )
    return tuple(_of_game(state, game))


def _of_game(state: State, game: Game) -> Iterator[Seat]:
    said = {score.player: score.score for score in game.scores}
    count = max(len(game.players), game.slots or 0, *said, 1) if said else max(len(game.players), game.slots or 0, 1)
    for number in range(1, count + 1):
        who = game.players[number - 1] if number <= len(game.players) else None
        name = f"player {number}" if who is None else person_name(state, tournament_of(game), who)
        yield Seat(number=number, name=name, score=said.get(number))


def _next(game: Game | None) -> tuple[int, int]:
    if game is None or game.player is None or game.ball is None:
        return 1, 1
    count = max(len(game.players), game.slots or 0, 1)
    return (game.player + 1, game.ball) if game.player < count else (1, game.ball + 1)


def _last(scene: Scene, machine: Machine, actor: Actor) -> Typed | None:
    game = scene.state.games.get(machine.last_game) if machine.last_game else None
    tournament = tournament_of(game)
    if game is None or game.source != "manual" or tournament is None:
        return None
    entry = scene.state.entries.get((tournament, game.entry)) if game.entry is not None else None
    official = bool(actor.roles & {"admin", "official"})
    mine = entry is not None and (official or manual.may_take_back(scene.state, entry, actor, scene.now))
    return Typed(
        game=game.id,
        version=game.version,
        sign=GAME_STATUS.get(game.status, GAME_STATUS["waiting"]),
        seats=tuple(_counted(scene.state, game, entry.entry.get("scores") if entry is not None else None)),
        at=game.ended,
        why=game.why,
        tournament=tournament,
        entry=entry.number if entry is not None and mine else None,
        state=len(entry.positions) if entry is not None else 0,
        anew=game.status == "waiting" and not game.readings and (official or game.decided_by == actor.name),
    )


def _counted(state: State, game: Game, posted: object) -> Iterator[Seat]:
    """The seats with the scores that count, where the game is posted."""
    for seat in _of_game(state, game):
        who = game.players[seat.number - 1] if seat.number <= len(game.players) else None
        score = posted.get(who, seat.score) if isinstance(posted, dict) and who is not None else seat.score
        yield Seat(number=seat.number, name=seat.name, score=score)
