"""Deciding on facts: what follows from what a machine said. `decide_fact` is called before the fact is evolved.

Every game fact of an ended game leads to posted, waiting or unmatched; every raised fault opens a malfunction once.
The invariant: a fact that comes twice, or too late, changes nothing.
"""

from dataclasses import replace
from typing import Any

from server.core.venue import disputes, games, posting, review
from server.core.venue.book import Book
from server.core.venue.events import (
    Event,
    FactTaken,
    GameDiscarded,
    GameHeld,
    GameMatched,
    GameUnmatched,
    MachineAssigned,
    MachineUnassigned,
    MalfunctionClosed,
    MalfunctionNoted,
    MalfunctionOpened,
)
from server.core.venue.state import Game, Machine, State, scores_of
from server.core.venue.values import Score

EXPLAINED = frozenset(
    {"power-lost", "link-lost", "reset", "port-lost", "no-data", "data-garbled", "display-dark", "display-unreadable"}
)
"""What an announced power cycle explains."""


def decide_fact(state: State, fact: FactTaken, book: Book) -> tuple[Event, ...]:
    """The events that follow from a fact, to be recorded right after it."""
    if fact.fact == "fault.raised":
        return (*_raised(state, fact), *disputes.withdrawn(state, fact))
    if fact.fact == "fault.cleared":
        return _cleared(state, fact)
    if fact.machine is None or fact.fact not in games.GAME_FACTS:
        return ()
    before = state.games.get(str(fact.body["game"]))
    machine = state.machines.get(fact.machine) or Machine(id=fact.machine, name=fact.machine)
    if before is not None and games.is_strange(before, fact):
        return _stranger(state, fact, before)
    game = games.after(before, machine, fact, 0)
    if before is None and game.status == "running":
        begun = _begun_by_hand(state, machine, game)
        return begun or (*_superseded(state, machine), *_started(state, machine, game))
    if before is not None and before.status != "running":
        return _second_end(state, fact, before)
    if game.status == "ended":
        return _ended(state, machine, game, book)
    if fact.fact == "game.ball" and game.assignment is not None:
        return _miscounted(state, machine, game)
    return ()


def _started(state: State, machine: Machine, game: Game) -> tuple[Event, ...]:
    if game.assignment is not None:
        return ()
    return _unassigned(state, machine, game, "a game runs and nobody is assigned")


def _unassigned(state: State, machine: Machine, game: Game, detail: str) -> tuple[Event, ...]:
    """One alarm a machine until somebody has seen it, however many games follow: each game waits by itself."""
    for name in machine.open:
        found = state.malfunctions[name]
        if found.fault == "unassigned-play" and (found.acknowledged_by is None or found.game == game.id):
            return ()
    return (_alarm(state, game, "unassigned-play", detail),)


def _begun_by_hand(state: State, machine: Machine, game: Game) -> tuple[Event, ...]:
    """Somebody pressed the page's button as the player pressed the machine's: one game, and its reader follows it."""
    hand = state.games.get(machine.game) if machine.game else None
    if hand is None or hand.agent != games.MANUAL or hand.assignment is None or game.assignment is not None:
        return ()
    if hand.ball_facts or not games.is_together(hand, game):
        return ()
    held = hand.assignment
    again = MachineAssigned(
        machine=machine.id, assignment=f"a{state.position + 1}", place=held.place, players=held.players
    )
    why = f"the reader {game.agent} follows this game"
    dropped = GameDiscarded(game=hand.id, why=why, before=hand.status)
    return (dropped, MachineUnassigned(machine=machine.id, assignment=held.id, why=why), again)


def _superseded(state: State, machine: Machine) -> tuple[Event, ...]:
    old = state.games.get(machine.game) if machine.game else None
    if old is None or old.status != "running":
        return ()
    why = "another game began before the end of this one was heard"
    if old.assignment is None:
        return (GameUnmatched(game=old.id, why=why),)
    return (GameHeld(game=old.id, why=(why,)),)


def _ended(state: State, machine: Machine, game: Game, book: Book) -> tuple[Event, ...]:
    if game.assignment is None or game.place is None:
        why = _unmatched_because(game)
        alarm = _unassigned(state, machine, game, "a game was played and nobody was assigned")
        return (GameUnmatched(game=game.id, why=why), *alarm)
    matched = GameMatched(game=game.id, place=game.place, players=game.players, assignment=game.assignment.id)
    # `machine` is as before the fact: its tenures tell whether the players had been taken off before.
    judged = posting.judge(state, game, book)
    return (matched, *judged, *_miscounted(state, machine, game))


def _unmatched_because(game: Game) -> str:
    if game.started is None:
        return "its start was not heard, so nobody is known"
    if not game.started_certain:
        return "when it was played is not certain, so nobody is known"
    return "nobody was assigned"


def _miscounted(state: State, machine: Machine, game: Game) -> tuple[Event, ...]:
    miscount = review.count_doubt(game)
    if miscount is None:
        found = posting.open_fault(state, machine, "wrong-players", game.id)
        over = "the numbers agree again"
        return () if found is None else (MalfunctionClosed(malfunction=found, why=over),)
    if "wrong-players" in game.alarms:
        return ()
    return (_alarm(state, game, "wrong-players", miscount),)


def _second_end(state: State, fact: FactTaken, before: Game) -> tuple[Event, ...]:
    """A game ends once. Other scores under the same name are shown to somebody and change nothing."""
    if fact.fact not in games.LAST_FACTS or before.ending is None or "second-result" in before.alarms:
        return ()
    said = {score.player: score.score for score in _scores(fact)}
    if said == {score.player: score.score for score in before.scores}:
        return ()
    told = ", ".join(f"player {who}: {'not read' if score is None else f'{score:,}'}" for who, score in said.items())
    detail = f"the end of this game was reported again, with other scores: {told or 'none'}"
    return (replace(_alarm(state, before, "second-result", detail), scores=_scores(fact)),)


def _stranger(state: State, fact: FactTaken, before: Game) -> tuple[Event, ...]:
    if fact.fact not in games.LAST_FACTS or "second-result" in before.alarms:
        return ()
    began = "somebody had begun by hand" if before.agent == games.MANUAL else f"{before.agent} had begun"
    elsewhere = "" if fact.machine == before.machine else " on another machine"
    detail = f"{fact.agent} reported the end of a game that {began}{elsewhere}"
    return (replace(_alarm(state, before, "second-result", detail), scores=_scores(fact)),)


def _scores(fact: FactTaken) -> tuple[Score, ...]:
    return scores_of(fact.body.get("scores") or ())


def _alarm(state: State, game: Game, fault: str, detail: str) -> MalfunctionOpened:
    return MalfunctionOpened(
        malfunction=f"f{len(state.malfunctions) + 1}",
        fault=fault,
        source="desk",
        machine=game.machine,
        agent=game.agent,
        game=game.id,
        player=game.player,
        ball=game.ball,
        scores=game.scores,
        evidence=game.evidence,
        detail=detail,
    )


def _raised(state: State, fact: FactTaken) -> tuple[Event, ...]:
    fault = str(fact.body["fault"])
    if _open_of(state, fact, fault) is not None:
        return ()
    machine = state.machines.get(fact.machine) if fact.machine is not None else None
    by_hand = fact.agent == games.MANUAL  # what a person saw needs no explanation
    planned = machine.planned_at(fact.when) if machine is not None and fault in EXPLAINED and not by_hand else None
    said: dict[str, Any] = {name: fact.body.get(name) for name in ("game", "player", "ball", "evidence", "detail")}
    opened = MalfunctionOpened(
        malfunction=f"f{len(state.malfunctions) + 1}",
        fault=fault,
        source="manual" if by_hand else "agent",
        machine=fact.machine,
        agent=fact.agent,
        scores=_scores(fact),
        **said,
    )
    return (opened if planned is None else MalfunctionNoted(**opened.__dict__, until=planned),)


def _cleared(state: State, fact: FactTaken) -> tuple[Event, ...]:
    found = _open_of(state, fact, str(fact.body["fault"]))
    if found is None or disputes.stays_open(state.malfunctions[found], fact):
        return ()
    return (MalfunctionClosed(malfunction=found, why=fact.body.get("detail") or "the signal cleared"),)


def _open_of(state: State, fact: FactTaken, fault: str) -> str | None:
    if fact.machine is None:
        names = state.troubled.get(fact.agent, ())
    else:
        machine = state.machines.get(fact.machine)
        names = machine.open if machine is not None else ()
    for name in names:
        found = state.malfunctions[name]
        if found.fault == fault and found.source in {"agent", "manual"} and found.agent == fact.agent:
            return name
    return None
