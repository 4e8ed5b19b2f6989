"""What the API shows of the state: plain JSON data. Pure; called inside `Desk.reading`, so be quick.

Times are RFC 3339 UTC. Scores are whole numbers or null where not read. The invariant: nothing is computed here that
the rules or the desk decide.
"""

from collections.abc import Mapping
from typing import Any

from bridge.wire.control import Live
from server.core.venue.codec import encode
from server.core.venue.severity import rules_of, suggestion
from server.core.venue.state import (
    Assignment,
    BallScores,
    Game,
    LogEntry,
    Machine,
    Malfunction,
    Reading,
    State,
    Tournament,
    Withdrawal,
)
from server.core.venue.times import moment
from server.core.venue.values import entry_kind
from server.floor import AgentLife

Shape = dict[str, Any]


def when(ms: int | None) -> str | None:
    """A time, or null."""
    return None if ms is None else moment(ms)


def machine_status(state: State, machine: Machine) -> str:
    """`down` and its like, `playing`, `assigned` or `idle`."""
    if machine.condition != "up":
        return machine.condition
    game = state.games.get(machine.game) if machine.game else None
    if game is not None and game.status == "running":
        return "playing"
    return "assigned" if machine.assignment is not None else "idle"


def machine(
    state: State,
    found: Machine,
    agents: Mapping[str, AgentLife],
    live: Mapping[str, tuple[Live, ...]],
    now: int,
) -> Shape:
    """A machine as the wall shows it."""
    life = agents.get(found.agent) if found.agent else None
    game = state.games.get(found.game) if found.game else None
    hearing = life.hearings.get(found.id) if life is not None else None
    return {
        "id": found.id,
        "name": found.name,
        "version": found.version,
        "status": machine_status(state, found),
        "since": when(found.since),
        "assignment": None if found.assignment is None else assignment(found.assignment),
        "game": None if game is None else {"id": game.id, "player": game.player, "ball": game.ball},
        "live": [score.model_dump(exclude={"machine"}) for score in live.get(found.id, ())],
        "last_game": found.last_game,
        "agent": None if found.agent is None else {"name": found.agent, "state": life.state(now) if life else "never"},
        "heard": when(state.heard.get(found.id)),
        "attached": found.attached if hearing is None else hearing.heard,
        "malfunctions": [
            malfunction(state, fault, now) for name in found.open if (fault := state.malfunctions[name]).raised(now)
        ],
        "planned_until": when(found.planned_at(now)),
        "queue": queue(found),
    }


def queue(found: Machine) -> list[Shape]:
    """The line in front of a machine."""
    return [
        {"tournament": w.tournament, "player": w.player, "since": when(w.since), "called": when(w.called)}
        for w in found.queue
    ]


def assignment(found: Assignment) -> Shape:
    """Who is to play, and where it counts."""
    return {
        "id": found.id,
        **encode(found.place),
        "players": list(found.players),
        "at": when(found.at),
        "who": found.who,
    }


def game(found: Game, against: str | None = None) -> Shape:
    """A captured game. `against` is what the rules have against its entry now; it may have been kept for a ruling."""
    return {
        "id": found.id,
        "machine": found.machine,
        "agent": found.agent.removeprefix(":"),
        "status": found.status,
        "version": found.version,
        "started_at": when(found.started),
        "ended_at": when(found.ended),
        "time_certain": found.started_certain and found.ended_certain,
        "uncertain_ms": max(found.started_within, found.ended_within),
        "joined_late": found.joined_late,
        "how": found.ending,
        "aborted": found.aborted,
        "source": found.source,
        "evidence": found.evidence,
        "scores": [encode(score) | {"score": score.score} for score in found.scores],
        "players": list(found.players),
        "place": None if found.place is None else encode(found.place),
        "readings": list(found.readings),
        "why": list(found.why),
        "entry": found.entry,
        "counts": found.status == "posted" and against is None,
        "against": against,
        "decided_by": found.decided_by,
        "decided_at": when(found.decided_at),
    }


def game_in_full(found: Game, against: str | None = None) -> Shape:
    """A captured game with all that was heard of it."""
    turns = [_turn(turn) for turn in found.turns]
    return {**game(found, against), "turns": turns, "frozen": [_turn(turn) for turn in found.frozen]}


def reading(found: Reading, *, picture_here: bool) -> Shape:
    """A reading of the review queue; `picture` says whether the evidence has arrived."""
    return {
        "id": found.id,
        "game": found.game,
        "machine": found.machine,
        "player": found.player,
        "who": found.who,
        "status": found.status,
        "version": found.version,
        "proposed": found.proposed,
        "score": found.score,
        "text": found.text,
        "candidates": list(found.candidates),
        "confidence": found.confidence,
        "evidence": found.evidence,
        "picture": picture_here,
        "why": list(found.why),
        "since": when(found.since),
        "decided_by": found.decided_by,
        "decided_at": when(found.decided_at),
        "decided_why": found.decided_why,
    }


def malfunction(state: State, found: Malfunction, now: int) -> Shape:
    """A malfunction signal or alarm with its severity and what the rule books call it: suggested, not decided.

    While an announced power cycle explains it, it is not open.
    """
    about = suggestion(found.fault)
    return {
        "id": found.id,
        "fault": found.fault,
        "severity": about.at(in_game=found.game is not None),
        "suggested": {
            "class": about.called_at(in_game=found.game is not None),
            "rules": [encode(rule) for rule in rules_of(about, _preset(state, found))],
        },
        "source": found.source,
        "machine": found.machine,
        "agent": found.agent,
        "game": found.game,
        "player": found.player,
        "ball": found.ball,
        "scores": [encode(score) | {"score": score.score} for score in found.scores],
        "evidence": found.evidence,
        "detail": found.detail,
        "open": found.raised(now),
        "noted_until": when(found.noted_until),
        "version": found.version,
        "since": when(found.since),
        "closed_at": when(found.closed),
        "closed_why": found.closed_why,
        "acknowledged_by": found.acknowledged_by,
        "acknowledged_at": when(found.acknowledged_at),
        "note": found.note,
    }


def malfunction_in_full(state: State, found: Malfunction, now: int) -> Shape:
    """The same with the scores that were frozen in its game, each with its pictures and its recording."""
    game = state.games.get(found.game) if found.game else None
    frozen = [_turn(turn) for turn in game.frozen] if game is not None else []
    return {**malfunction(state, found, now), "frozen": frozen}


def _preset(state: State, found: Malfunction) -> str | None:
    game = state.games.get(found.game) if found.game else None
    place = game.place if game is not None else None
    name = place.tournament if place is not None else state.current
    tournament = state.tournaments.get(name) if name is not None else None
    preset = tournament.head.get("preset") if tournament is not None else None
    return preset if isinstance(preset, str) else None


def tournament(state: State, found: Tournament) -> Shape:
    """A tournament without its people and log."""
    return {
        "id": found.id,
        "name": found.name,
        "preset": found.head.get("preset"),
        "timezone": found.head.get("timezone", "UTC"),
        "current": state.current == found.id,
        "version": found.version,
        "players": len(found.players),
        "machines": list(found.machines),
        "entries": found.entries,
        "opened_at": when(found.opened),
        "opened_by": found.opened_by,
        "changed_at": when(found.changed),
        "changed_by": found.changed_by,
    }


def withdrawal(found: Withdrawal, *, names: bool) -> Shape:
    """Who plays no more; without `names` nothing of what was noted with it, and by whom."""
    noted = {"why": found.why, "by": found.by} if names else {"why": None, "by": None}
    return {"player": found.player, **noted, "at": when(found.at), "entry": found.entry}


def entry(state: State, tournament_id: str, found: LogEntry) -> Shape:
    """An entry of the log with what was done to it."""
    return {
        "number": found.number,
        "kind": entry_kind(found.entry),
        "entry": dict(found.entry),
        "counts": state.counts(found, tournament_id),
        "undone": found.undone,
        "replaces": list(found.replaces),
        "replaced_by": found.replaced_by,
        "capture": found.capture,
        "who": found.who,
        "at": when(found.at),
        "why": found.why,
        "despite": found.despite,
        "open": list(found.open),
        "follows": found.follows,
        "recused": found.recused,
        "changed_by": found.changed_by,
        "changed_at": when(found.changed_at),
        "changed_why": found.changed_why,
        "version": found.version,
        "positions": list(found.positions),
    }


def agent(found: AgentLife, now: int) -> Shape:
    """An agent's health."""
    pulse = found.pulse
    return {
        "name": found.name,
        "state": found.state(now),
        "heard": when(found.heard),
        "backlog": found.backlog,
        "host": found.status.host if found.status else None,
        "software": found.status.software if found.status else None,
        "machines": list(found.status.machines) if found.status else [],
        "temperature": pulse.temperature if pulse else None,
        "undervoltage": pulse.undervoltage if pulse else None,
        "disk_free": pulse.disk_free if pulse else None,
        "notes": list(found.notes),
    }


def _turn(turn: BallScores) -> Shape:
    return {
        "player": turn.player,
        "ball": turn.ball,
        "scores": [encode(score) | {"score": score.score} for score in turn.scores],
        "at": when(turn.at),
        "why": turn.why,
        "evidence": turn.evidence,
        "frames": [{"ago_ms": ago, "evidence": evidence} for ago, evidence in turn.frames],
        "recording": turn.recording,
        "position": turn.position,
    }
