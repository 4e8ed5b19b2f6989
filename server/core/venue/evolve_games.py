"""Folding what machines said and what was decided about it: facts, games, readings, malfunctions.

The invariant: a captured game is running, ended, unmatched, waiting, posted or discarded; it never leaves the table.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from server.core.venue import events as e
from server.core.venue import games
from server.core.venue.filing import Happened
from server.core.venue.state import Game, Machine, Malfunction, Reading, State
from server.core.venue.tables import changed, longer


def _fact(state: State, happened: Happened, fact: e.FactTaken) -> None:
    if fact.machine is None:
        return
    machine = state.machines.get(fact.machine) or Machine(id=fact.machine, name=fact.machine)
    state.heard[machine.id] = fact.when
    before = machine
    if fact.fact in games.GAME_FACTS:
        machine = _game_fact(state, happened, fact, machine)
    elif fact.fact in {"machine.attached", "machine.detached"}:
        machine = changed(machine, attached=fact.fact == "machine.attached", port=fact.body.get("port"))
    if machine.agent != fact.agent != games.MANUAL:
        machine = changed(machine, agent=fact.agent)
    if machine is not before or machine.id not in state.machines:
        state.machines[machine.id] = machine


def _game_fact(state: State, happened: Happened, fact: e.FactTaken, machine: Machine) -> Machine:
    before = state.games.get(str(fact.body["game"]))
    if before is not None and games.is_strange(before, fact):
        return machine
    game = games.after(before, machine, fact, happened.position)
    state.games[game.id] = game
    if fact.fact == "score.read":
        _picture_came(state, game, fact)
    if game.status == "running" and machine.game != game.id and (before is None or machine.game is None):
        machine = _use_up(changed(machine, game=game.id, since=fact.when, version=machine.version + 1), game)
    elif game.status == "ended" and (before is None or before.status == "running"):
        machine = _free(state, _use_up(machine, game), game)
    return machine


def _use_up(machine: Machine, game: Game) -> Machine:
    if game.assignment is None:
        return machine
    used = tuple(
        replace(t, game=game.id) if t.assignment.id == game.assignment.id and t.game is None else t
        for t in machine.tenures
    )
    return machine if used == machine.tenures else changed(machine, tenures=used)


def _free(state: State, machine: Machine, game: Game) -> Machine:
    """The game is over: the machine is free and the assignment that it used is over too."""
    machine = changed(machine, last_game=game.id, version=machine.version + 1)
    if machine.game in {None, game.id}:
        machine = changed(machine, game=None, since=game.ended)
    spent, held = game.assignment, machine.assignment
    if spent is None or held is None or spent.id != held.id:
        return machine
    for player in held.players:
        state.assigned.pop((held.place.tournament, player), None)
    until = tuple(replace(t, until=game.ended) if t.assignment.id == spent.id else t for t in machine.tenures)
    return changed(machine, assignment=None, tenures=until)


def _picture_came(state: State, game: Game, fact: e.FactTaken) -> None:
    for reading_id in game.readings:
        reading = state.readings[reading_id]
        if reading.status == "waiting" and reading.player == fact.body.get("player"):
            state.readings[reading_id] = changed(
                reading,
                evidence=fact.body.get("evidence") or reading.evidence,
                text=reading.text or fact.body.get("text"),
                candidates=reading.candidates or tuple(fact.body.get("candidates") or ()),
            )


def _change(state: State, happened: Happened, game_id: str, **changes: Any) -> None:  # noqa: ANN401 - fields of Game
    game = state.games.get(game_id)
    if game is None:
        return
    state.games[game_id] = now = changed(
        game,
        version=game.version + 1,
        positions=longer(game.positions, happened.position, games.POSITIONS),
        **changes,
    )
    if now.status in {"unmatched", "waiting"}:
        state.waiting.setdefault(f"game:{game_id}", happened.at)
    else:
        state.waiting.pop(f"game:{game_id}", None)


def _matched(state: State, happened: Happened, event: e.GameMatched) -> None:
    said = {} if event.started is None else {"started": event.started, "started_certain": True, "started_within": 0}
    _change(
        state,
        happened,
        event.game,
        place=event.place,
        players=event.players,
        status="waiting",
        why=(),
        decided_by=happened.who,
        decided_at=happened.at,
        **said,
    )


def _unmatched(state: State, happened: Happened, event: e.GameUnmatched) -> None:
    _change(state, happened, event.game, status="unmatched", why=(event.why,))


def _held(state: State, happened: Happened, event: e.GameHeld) -> None:
    _change(state, happened, event.game, status="waiting", why=event.why)
    game = state.games.get(event.game)
    machine = state.machines.get(game.machine) if game is not None else None
    if machine is not None and machine.game == event.game:
        state.machines[machine.id] = changed(machine, game=None, since=happened.at, version=machine.version + 1)


def _noted(state: State, happened: Happened, event: e.GameNoted) -> None:
    game = state.games.get(event.game)
    if game is not None:
        positions = longer(game.positions, happened.position, games.POSITIONS)
        why = (*game.why, event.why)
        state.games[game.id] = changed(game, why=why, version=game.version + 1, positions=positions)


def _discarded(state: State, happened: Happened, event: e.GameDiscarded) -> None:
    _change(
        state,
        happened,
        event.game,
        status="discarded",
        why=(event.why,),
        decided_by=happened.who,
        decided_at=happened.at,
    )


def _reading(state: State, happened: Happened, event: e.ReadingOpened) -> None:
    state.readings[event.reading] = Reading(
        id=event.reading,
        game=event.game,
        machine=event.machine,
        player=event.player,
        who=event.who,
        proposed=event.proposed,
        text=event.text,
        candidates=event.candidates,
        confidence=event.confidence,
        evidence=event.evidence,
        why=event.why,
        since=happened.at,
        positions=(happened.position,),
    )
    state.waiting[f"reading:{event.reading}"] = happened.at
    game = state.games.get(event.game)
    if game is not None:
        _change(state, happened, event.game, status="waiting", readings=(*game.readings, event.reading))


def _reading_decided(state: State, happened: Happened, event: e.ReadingDecided) -> None:
    reading = state.readings.get(event.reading)
    if reading is None:
        return
    state.readings[event.reading] = changed(
        reading,
        status=event.decision,
        score=event.after,
        version=reading.version + 1,
        decided_by=happened.who,
        decided_at=happened.at,
        decided_why=event.why,
        positions=(*reading.positions, happened.position),
    )
    state.waiting.pop(f"reading:{event.reading}", None)


def _malfunction(state: State, happened: Happened, event: e.MalfunctionOpened) -> None:
    state.malfunctions[event.malfunction] = Malfunction(
        id=event.malfunction,
        fault=event.fault,
        source=event.source,
        machine=event.machine,
        agent=event.agent,
        game=event.game,
        player=event.player,
        ball=event.ball,
        scores=event.scores,
        evidence=event.evidence,
        detail=event.detail,
        since=happened.at,
        positions=(happened.position,),
        noted_until=event.until if isinstance(event, e.MalfunctionNoted) else None,
    )
    state.waiting[f"malfunction:{event.malfunction}"] = happened.at
    if event.machine is None:
        if event.agent is not None:
            state.troubled[event.agent] = (*state.troubled.get(event.agent, ()), event.malfunction)
        return
    machine = state.machines.get(event.machine) or Machine(id=event.machine, name=event.machine)
    state.machines[machine.id] = changed(machine, open=(*machine.open, event.malfunction))
    game = state.games.get(event.game) if event.game else None
    if game is not None:
        state.games[game.id] = changed(game, alarms=(*game.alarms, event.fault)[-games.KEPT :])


def _closed(state: State, happened: Happened, event: e.MalfunctionClosed) -> None:
    over = {"open": False, "closed": happened.at, "closed_why": event.why, "closed_by": happened.who}
    found = _seen(state, happened, event.malfunction, **over)
    if found is None:
        return
    if found.machine is None:
        left = tuple(name for name in state.troubled.get(found.agent or "", ()) if name != event.malfunction)
        state.troubled[found.agent or ""] = left
        return
    machine = state.machines.get(found.machine)
    if machine is not None:
        left = tuple(name for name in machine.open if name != event.malfunction)
        state.machines[machine.id] = changed(machine, open=left)


def _acknowledged(state: State, happened: Happened, event: e.MalfunctionAcknowledged) -> None:
    _seen(
        state,
        happened,
        event.malfunction,
        acknowledged_by=happened.who,
        acknowledged_at=happened.at,
        note=event.note,
    )


def _seen(state: State, happened: Happened, malfunction_id: str, **changes: Any) -> Malfunction | None:  # noqa: ANN401 - fields of Malfunction
    found = state.malfunctions.get(malfunction_id)
    if found is None:
        return None
    found = state.malfunctions[malfunction_id] = changed(
        found, version=found.version + 1, positions=(*found.positions, happened.position), **changes
    )
    state.waiting.pop(f"malfunction:{malfunction_id}", None)
    return found


GAME_HANDLERS: dict[type[Any], Callable[[State, Happened, Any], None]] = {
    e.FactTaken: _fact,
    e.GameMatched: _matched,
    e.GameUnmatched: _unmatched,
    e.GameHeld: _held,
    e.GameNoted: _noted,
    e.GameDiscarded: _discarded,
    e.ReadingOpened: _reading,
    e.ReadingDecided: _reading_decided,
    e.MalfunctionOpened: _malfunction,
    e.MalfunctionNoted: _malfunction,
    e.MalfunctionClosed: _closed,
    e.MalfunctionAcknowledged: _acknowledged,
}
