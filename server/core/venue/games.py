"""What a fact makes of a captured game: the one place where a game's life is written down. Pure functions.

`after` gives the game as it is after a fact; `evolve` stores it and `facts` decides on it. The invariants: a game
ends once, and what comes later under its name changes nothing; a game belongs to those who were assigned when it
started (or, if nobody was, while it ran).
"""

from server.core.venue.events import FactTaken
from server.core.venue.state import Game, Machine, Tenure
from server.core.venue.tables import changed, longer

POSITIONS = 200  # ledger positions remembered with a game: all of any real one
KEPT = 64  # turns, frozen scores and readings kept with a game: more than any real game has
TOGETHER_MS = 30_000  # a game that began so shortly before its players were assigned is theirs
TENURES = 32  # assignments remembered for a machine, so that a late game still finds its players

GAME_FACTS = frozenset({"game.started", "game.ball", "game.ended", "game.aborted", "score.read", "score.frozen"})
LAST_FACTS = frozenset({"game.ended", "game.aborted"})
MANUAL = ":manual"
"""The agent of what a person says at the machine: no agent can be called so."""


def is_strange(game: Game, fact: FactTaken) -> bool:
    """Whether the fact comes from somebody else than who told of this game; a person may speak of any."""
    return game.machine != fact.machine or fact.agent not in {game.agent, MANUAL}


def after(game: Game | None, machine: Machine, fact: FactTaken, position: int) -> Game:
    """The game as it is after one of its facts; `game` is None where nothing was heard of it yet."""
    body = fact.body
    if game is None:
        game = Game(id=str(body["game"]), machine=machine.id, agent=fact.agent, joined_late=True)
        if fact.fact == "game.started":
            game = _started(game, machine, fact)
        elif fact.fact not in LAST_FACTS and fact.certain:
            game = _owned(game, tenure_at(machine, fact.when))
    positions = longer(game.positions, position, POSITIONS)
    kind = fact.fact
    if kind == "score.read":
        return changed(game, positions=positions, reads=longer(game.reads, {**body, "position": position}, KEPT))
    if kind == "score.frozen":
        return changed(game, positions=positions, frozen_facts=longer(game.frozen_facts, (position, fact), KEPT))
    if game.status != "running" and not is_unfinished(game):
        return changed(game, positions=positions)
    if kind == "game.ball":
        return changed(
            game,
            positions=positions,
            ball_facts=longer(game.ball_facts, (position, fact), KEPT),
            said=tuple(body.get("scores") or ()),
            player=body.get("player"),
            ball=body.get("ball"),
        )
    if kind in LAST_FACTS:
        over = _over(game, machine, fact, positions)
        return over if game.status == "running" else changed(over, status=game.status)
    return changed(game, positions=positions, slots=body.get("players", game.slots))


def is_unfinished(game: Game) -> bool:
    """Whether a game was held for an official before its end was heard: what it still says is kept for him."""
    return game.status == "waiting" and game.ending is None and game.entry is None


def tenure_at(machine: Machine, when: int) -> Tenure | None:
    """The assignment that held the machine at that time and was not used up by a game."""
    for tenure in reversed(machine.tenures):
        if tenure.assignment.at <= when and tenure.game is None and (tenure.until is None or when < tenure.until):
            return tenure
    return None


def is_together(hand: Game, heard: Game) -> bool:
    """Whether a game begun by hand and one that a reader saw begin are the same."""
    if hand.started is None or heard.started is None or heard.joined_late or not heard.started_certain:
        return False
    return abs(heard.started - hand.started) <= TOGETHER_MS


def _started(game: Game, machine: Machine, fact: FactTaken) -> Game:
    game = changed(
        game,
        started=fact.when,
        started_certain=fact.certain,
        started_within=fact.uncertain,
        slots=fact.body.get("players"),
        joined_late=bool(fact.body.get("joined_late", False)),
    )
    if not fact.certain:
        return game  # nobody knows when it was, so nobody knows whose it was
    return _owned(game, tenure_at(machine, fact.when) or _just_after(machine, fact.when))


def _owned(game: Game, tenure: Tenure | None, *, guessed: bool = False) -> Game:
    if tenure is None:
        return game
    assignment = tenure.assignment
    return changed(
        game,
        assignment=assignment,
        place=assignment.place,
        players=tuple(assignment.players),
        late=guessed or tenure.until is not None,
    )


def _over(game: Game, machine: Machine, fact: FactTaken, positions: tuple[int, ...]) -> Game:
    body = fact.body
    if game.assignment is None and game.started is not None and game.started_certain and fact.certain:
        game = _owned(game, _meanwhile(machine, game.started, fact.when), guessed=True)
    return changed(
        game,
        positions=positions,
        status="ended",
        version=game.version + 1,
        ended=fact.when,
        ended_certain=fact.certain,
        ended_within=fact.uncertain,
        ending=str(body.get("how", "normal")),
        aborted=fact.fact == "game.aborted",
        said=tuple(body.get("scores") or ()) or game.said,
        balls_played=body.get("balls_played"),
        rollovers=int(body.get("rollovers") or 0),
        source=body.get("source"),
        evidence=body.get("evidence"),
    )


def _just_after(machine: Machine, when: int) -> Tenure | None:
    """The assignment made as the player pressed start."""
    for tenure in machine.tenures:
        if tenure.game is None and tenure.until is None and when < tenure.assignment.at <= when + TOGETHER_MS:
            return tenure
    return None


def _meanwhile(machine: Machine, started: int, ended: int) -> Tenure | None:
    """The assignment made during the game while the desk had not heard of it: a guess, for an official to confirm."""
    for tenure in machine.tenures:
        if tenure.game is None and started < tenure.assignment.at <= ended:
            return tenure
    return None
