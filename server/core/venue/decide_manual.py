"""Deciding about what people say at a machine: begin, scores after a ball, the final scores, a malfunction.

Each becomes the facts that an agent would have stated, and what follows from them. The invariant: nothing counts here
that an agent's fact would not count for.
"""

from server.core.venue import commands as c
from server.core.venue import games, manual, posting, review
from server.core.venue.book import Book
from server.core.venue.entries import HIGHEST
from server.core.venue.events import Event, FactTaken, FreezeAsked, MalfunctionClosed, ReadingDecided, ReadingOpened
from server.core.venue.evolve import evolve
from server.core.venue.facts import decide_fact
from server.core.venue.filing import Happened
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.roles import OFFICIALS
from server.core.venue.state import Game, Machine, State
from server.core.venue.stops import conflict, invalid, need, need_up, refuse
from server.core.venue.values import Score

LONGEST_NOTE = 500
MOST_BALLS = 99


def start(state: State, command: c.StartGame, actor: Actor, at: int, book: Book) -> Decision:
    """The players assigned begin."""
    machine = _machine(state, command.machine, command.based_on, command.of)
    told = _Told(state, actor, at, book)
    game = told.begin(machine)
    return Decision(events=tuple(told.events), result={"game": game, "machine": machine.id})


def note_ball(state: State, command: c.NoteBall, actor: Actor, at: int, book: Book) -> Decision:
    """The scores after a ball: what a ruling needs if the game is lost later."""
    machine = _machine(state, command.machine, command.based_on, command.of)
    game = manual.running(state, machine) or refuse(f"no game runs on {machine.name}: begin it first")
    _check_scores(command.scores, game)
    if not 1 <= command.player <= len(command.scores):
        invalid(f"player: 1 to {len(command.scores)}")
    if not 1 <= command.ball <= MOST_BALLS:
        invalid(f"ball: 1 to {MOST_BALLS}")
    told = _Told(state, actor, at, book)
    scores = _slots(command.scores)
    told.say("game.ball", machine.id, game=game.id, player=command.player, ball=command.ball, scores=scores)
    return Decision(events=tuple(told.events), result={"game": game.id, "machine": machine.id})


def end(state: State, command: c.EndGame, actor: Actor, at: int, book: Book) -> Decision:
    """The final scores: posted, or waiting for an official, as the review policy says of every game."""
    machine = _machine(state, command.machine, command.based_on, command.of)
    told = _Told(state, actor, at, book)
    game = manual.running(state, machine)
    name = game.id if game is not None else told.begin(machine)
    _check_scores(command.scores, told.state.games[name])
    told.end(machine.id, name, command.scores)
    return Decision(events=tuple(told.events), result={"game": name, "machine": machine.id, **told.outcome(name)})


def retype(state: State, command: c.RetypeGame, actor: Actor, at: int, book: Book) -> Decision:
    """A typed game was taken back: these are the right scores; an unusual one waits for an official."""
    old = need(state.games.get(command.game), f"game {command.game}")
    if old.source != "manual" or old.place is None:
        refuse("only a game that was typed can be typed anew")
    if old.status != "waiting" or (command.based_on is not None and command.based_on != old.version):
        conflict(f"the game is {old.status}", version=old.version, status=old.status, by=old.decided_by)
    if not actor.roles & OFFICIALS and old.decided_by != actor.name:
        refuse(f"{old.decided_by} took it back, or an official has it: an official decides")
    _check_scores(command.scores, old)
    told = _Told(state, actor, at, book)
    machine = state.machines[old.machine]
    before = {score.player: score.score for score in old.scores}
    for slot, score in enumerate(command.scores, 1):
        if score == before.get(slot) or slot > len(old.players) or old.players[slot - 1] is None:
            continue
        doubts = review.score_doubts(Score(player=slot, score=score), machine)
        told.open_reading(old, slot, score, doubts or ("typed anew",))
        if not doubts:
            reading = told.state.games[old.id].readings[-1]
            told.record(ReadingDecided(reading=reading, decision="corrected", before=before.get(slot), after=score))
    game = told.state.games[old.id]
    if not posting.waiting_readings(told.state, game):
        for event in posting.conclude(told.state, game, posting.decided_readings(told.state, game), book):
            told.record(event)
    return Decision(events=tuple(told.events), result={"game": old.id, "machine": machine.id, **told.outcome(old.id)})


def report(state: State, command: c.ReportMalfunction, actor: Actor, at: int, book: Book) -> Decision:
    """A malfunction with what is known of the game; a reader at the machine is asked to keep what it sees.

    While nobody has seen it, it is not reported twice; after that it has happened again.
    """
    machine = _machine(state, command.machine, None)
    if command.fault not in manual.REPORTABLE:
        invalid(f"fault: one of {', '.join(manual.REPORTABLE)}")
    told = _Told(state, actor, at, book)
    for found in (state.malfunctions[name] for name in machine.open):
        if found.fault != command.fault or found.agent != games.MANUAL:
            continue
        if found.acknowledged_by is None:
            conflict("it is reported already", version=found.version, malfunction=found.id, at=found.since)
        told.record(MalfunctionClosed(malfunction=found.id, why="it was reported again"))
    game = manual.running(state, machine)
    said = {"game": game.id, "player": game.player, "ball": game.ball} if game is not None else {}
    scores = [dict(score) for score in game.said] if game is not None else []
    body: dict[str, object] = {
        "fault": command.fault,
        **said,
        "detail": (command.note or "").strip()[:LONGEST_NOTE] or None,
    }
    body |= {"evidence": command.evidence, "scores": scores}
    told.say("fault.raised", machine.id, **{key: value for key, value in body.items() if value is not None})
    opened = f"f{len(state.malfunctions) + 1}"
    if game is not None and scores:
        told.say("score.frozen", machine.id, game=game.id, scores=scores, why=command.fault)
    if machine.agent is not None:
        told.record(FreezeAsked(machine=machine.id, agent=machine.agent, why=command.fault))
    return Decision(events=tuple(told.events), result={"malfunction": opened, "machine": machine.id})


class _Told:
    """Events one after the other, each decided on what the ones before made of the state."""

    def __init__(self, state: State, actor: Actor, at: int, book: Book) -> None:
        self.state = state.draft()
        self.events: list[Event] = []
        self._actor, self._at, self._book = actor, at, book

    @property
    def place(self) -> int:
        """The ledger position of the next event."""
        return self.state.position + 1

    def fact(self, kind: str, machine: str, **body: object) -> FactTaken:
        return manual.fact(kind, machine, self._at, self.place, **body)

    def say(self, kind: str, machine: str, **body: object) -> None:
        """A fact, and what follows from it."""
        fact = self.fact(kind, machine, **body)
        followed = decide_fact(self.state, fact, self._book)
        self.record(fact)
        for event in followed:
            self.record(event)

    def record(self, event: Event) -> None:
        happened = Happened(position=self.place, at=self._at, who=self._actor.name, event=event)
        self.events.append(event)
        evolve(self.state, happened)

    def begin(self, machine: Machine) -> str:
        """A game of the players assigned; its name."""
        if manual.running(self.state, machine) is not None:
            conflict(f"a game runs on {machine.name} already", version=machine.version)
        if machine.assignment is None:
            refuse(f"nobody is assigned to {machine.name}: put the players on first")
        need_up(machine)
        name = manual.new_game(machine.id, self.place)
        players = len(machine.assignment.players)
        self.say("game.started", machine.id, game=name, players=players, joined_late=False)
        return name

    def end(self, machine: str, game: str, scores: tuple[int, ...]) -> None:
        self.say("game.ended", machine, game=game, how="normal", source="manual", scores=_slots(scores))

    def open_reading(self, game: Game, slot: int, score: int, why: tuple[str, ...]) -> None:
        """A score of the game that somebody looks at, or looked at."""
        self.record(
            ReadingOpened(
                reading=f"r{len(self.state.readings) + 1}",
                game=game.id,
                player=slot,
                machine=game.machine,
                who=game.players[slot - 1],
                proposed=score,
                why=why,
            )
        )

    def outcome(self, game: str) -> dict[str, object]:
        """What became of the game."""
        found = self.state.games[game]
        return {"status": found.status, "number": found.entry}


def _machine(state: State, name: str, based_on: int | None, of: str | None = None) -> Machine:
    """The machine, if it is as the person saw it: at this version, or with this assignment or running game."""
    machine = need(state.machines.get(name), f"machine {name}")
    game = manual.running(state, machine)
    if (based_on is not None and based_on != machine.version) or of not in {None, *manual.at_it(machine, game)}:
        conflict(
            f"{machine.name} has changed since you looked",
            version=machine.version,
            players=list(machine.assignment.players) if machine.assignment else [],
            playing=game is not None,
        )
    return machine


def _check_scores(scores: tuple[int, ...], game: Game) -> None:
    for score in scores:
        if type(score) is not int or not 0 <= score <= HIGHEST:
            invalid(f"a score is a whole number from 0 to {HIGHEST}")
    wanted = len(game.players) or game.slots or len(scores)
    if not scores or len(scores) != wanted:
        invalid(f"one score for each player is needed, in order of play: {wanted}")


def _slots(scores: tuple[int, ...]) -> list[dict[str, object]]:
    return [{"player": number, "score": score} for number, score in enumerate(scores, 1)]
