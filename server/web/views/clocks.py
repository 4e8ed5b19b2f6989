"""What runs against the clock: the announced closing, a machine that is down, players who were called.

Times come from the rules' output and the log; nothing is decided. The one invariant: a time is a moment, so that a
change of the venue's clocks moves no deadline.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.core import rules
from server.core.venue.state import State, Tournament
from server.core.venue.teams import bodies_of, match_of, members_of, sides_of
from server.core.venue.times import read_moment
from server.core.venue.values import entry_kind
from server.web.views.names import listed, machine_name, person_name, stage_name
from server.web.views.scene import Scene, copied

CALL = "call"
"""The decision that records a call by name (T8.2, E3.2)."""
LOOKED_BACK = 500
"""Entries of the log looked through for calls."""
CALLED_MS = 60 * 60 * 1000
"""A call is shown for so long."""
LIMITS = ("call_time", "wait_time")
"""Settings that say how long after a call somebody is late (UT10, EC9), or is waited for (PC23)."""

ENDING = frozenset({"game", "absent", "forfeit", "penalty"})
"""Entries after which nobody is waited for in their match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """One line: `at` is when it runs out (`kind` closing, machine, late) or began (`kind` call).

    A call is `late` where the rules say until when somebody must have come.
    """

    kind: str
    what: str
    at: int
    seconds: int
    stage: str | None = None

    @property
    def over(self) -> bool:
        """Whether its time has run out."""
        return self.kind != CALL and self.seconds < 0


def clocks(scene: Scene, outcome: Mapping[str, Any] | None) -> tuple[Clock, ...]:
    """Everything that runs, what runs out first in front, calls last."""
    tournament = scene.tournament
    if tournament is None or outcome is None:
        return ()
    found = [*_closings(scene, outcome), *_machines(scene, outcome)]
    return (*sorted(found, key=lambda clock: clock.at), *calls(scene, tournament))


def calls(scene: Scene, tournament: Tournament) -> Iterator[Clock]:
    """Who is called and has not come, the longest first."""
    found = [*_to_machines(scene, tournament), *_by_name(scene, tournament)]
    limit = called_for(tournament) if found else None
    for at, stage, what in sorted(found, key=lambda one: one[0]):
        if limit is None:
            yield Clock(kind=CALL, what=what, at=at, seconds=(scene.now - at) // 1000, stage=stage)
        else:
            yield replace(_until(scene, "late", f"{what}: late after that", at + limit), stage=stage)


def called_for(tournament: Tournament) -> int | None:
    """How long after a call nobody is late, in ms; None where the rules of a tournament do not say."""
    preset = rules.PRESETS.get(str(tournament.head.get("preset")))
    if preset is None:
        return None
    given = tournament.head.get("rules") or {}
    settings = preset.read({name: given[name] for name in LIMITS if name in given})
    limit = settings.call_time or settings.wait_time
    return None if limit is None else int(limit.total_seconds() * 1000)


def called_by_name(state: State, tournament: Tournament, now: int) -> list[tuple[int, str | None, tuple[str, ...]]]:
    """Calls by name that stand: when, for which stage, and who of those has not come since (ms since 1970 UTC)."""
    first = max(0, tournament.entries - LOOKED_BACK)
    numbers = range(first + 1, tournament.entries + 1)
    log = [state.entries[tournament.id, number] for number in numbers]
    counting = [entry for entry in log if state.counts(entry, tournament.id)]
    found = []
    for place, entry in enumerate(counting):
        at = read_moment(entry.entry.get("at")) or entry.at
        if entry.entry.get("decision") != CALL or not 0 <= now - at < CALLED_MS:
            continue
        come = {who for later in counting[place + 1 :] for who in _named(state, tournament.id, later.entry)}
        missing = tuple(who for who in entry.entry.get("who") or () if not _is_here(state, tournament, who, at, come))
        if missing:
            found.append((at, entry.entry.get("stage"), missing))
    return found


def _named(state: State, tournament: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Who came, or is known not to come, by a later entry: he played, was put out, or was called anew.

    Of a match that is played, or lost without being played, nobody is waited for any more.
    """
    kind = entry_kind(entry)
    if kind == "lineup":
        return (str(entry.get("team")),)
    over = sides_of(state, tournament, match_of(state, tournament, entry)) if kind in ENDING else ()
    if kind == "game":
        return (*(entry.get("scores") or ()), *over)
    if kind in ENDING:
        return (str(entry[kind]), *over)
    return tuple(entry.get("who") or ()) if entry.get("decision") in {CALL, "here"} else ()


def _is_here(state: State, tournament: Tournament, who: str, at: int, come: set[str]) -> bool:
    """Say whether a call is answered: something later names him, he has withdrawn, or he was put on a machine since."""
    if who in come or (tournament.id, who) in state.withdrawn:
        return True
    bodies = {*bodies_of(tournament, who), *members_of(tournament, who)}
    where = (state.machines.get(state.assigned.get((tournament.id, body), "")) for body in bodies)
    put = (machine.assignment for machine in where if machine is not None)
    return any(assignment is not None and assignment.at >= at for assignment in put)


def _by_name(scene: Scene, tournament: Tournament) -> Iterator[tuple[int, str | None, str]]:
    for at, stage, who in called_by_name(scene.state, tournament, scene.now):
        names = listed(person_name(scene.state, tournament.id, one) for one in who)
        yield at, stage, f"{names} called" + (f" to {stage_name(stage)}" if stage else "")


def _to_machines(scene: Scene, tournament: Tournament) -> Iterator[tuple[int, str | None, str]]:
    for machine in copied(scene.state.machines):
        for waiter in machine.queue:
            if waiter.called is not None and waiter.tournament == tournament.id:
                name = person_name(scene.state, tournament.id, waiter.player)
                yield waiter.called, None, f"{name} called to {machine_name(scene.state, machine.id)}"


def _closings(scene: Scene, outcome: Mapping[str, Any]) -> Iterator[Clock]:
    for stage in outcome.get("stages") or ():
        at = read_moment(stage.get("closes"))
        if at is not None and stage.get("status") == "open":
            yield _until(scene, "closing", f"{stage_name(str(stage['id']))} closes", at)


def _machines(scene: Scene, outcome: Mapping[str, Any]) -> Iterator[Clock]:
    for machine in outcome.get("machines") or ():
        at = read_moment(machine.get("deadline"))
        if at is not None:
            name = machine_name(scene.state, str(machine["id"]))
            yield _until(scene, "machine", f"{name} is down: officials decide", at)


def _until(scene: Scene, kind: str, what: str, at: int) -> Clock:
    return Clock(kind=kind, what=what, at=at, seconds=(at - scene.now) // 1000)
