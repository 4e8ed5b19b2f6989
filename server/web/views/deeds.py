"""What was done last and can be taken back, alarms that want a look, and what an official just decided."""

from collections.abc import Iterator
from dataclasses import dataclass

from server.core.venue.events import EntryRecorded
from server.core.venue.severity import suggestion
from server.core.venue.state import LogEntry, Malfunction, State
from server.web.views.names import machine_name, person_name, tournament_of
from server.web.views.scene import Scene, copied, keys
from server.web.views.signs import READING_STATUS, Sign, fault_sign
from server.web.views.words import Part, describe

SHOWN = 8
FORGOTTEN_MS = 4 * 3600 * 1000
"""An alarm that is over and that nobody has seen is shown for so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One entry of the tournament's log that can be undone or restored. `state` changes with each time it is."""

    number: int
    tournament: str
    parts: tuple[Part, ...]
    at: int
    who: str
    undone: bool
    state: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """An open malfunction or desk alarm. `called`: the rule books' class, as suggested; `first`: before all others."""

    id: str
    where: str
    sign: Sign
    severity: str
    called: str
    first: bool
    since: int
    detail: str | None
    scores: tuple[int | None, ...]
    seen_by: str | None
    by_desk: bool
    over: int | None = None
    """When its cause was over, where nobody has seen it yet."""

    @property
    def loud(self) -> bool:
        """Whether it wants somebody now: a tilt warning does not."""
        return self.seen_by is None and self.severity != "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A reading that was decided. `undo` is the log entry that it posted, if it still counts."""

    id: str
    who: str
    machine: str
    sign: Sign
    score: int | None
    by: str
    at: int | None
    undo: int | None
    tournament: str | None
    state: int


def deeds(scene: Scene, count: int = SHOWN) -> tuple[Deed, ...]:
    """The last entries of the running tournament's log, newest first."""
    tournament = scene.tournament
    if tournament is None:
        return ()
    numbers = range(tournament.entries, max(0, tournament.entries - count), -1)
    found = (scene.state.entries.get((tournament.id, number)) for number in numbers)
    return tuple(_deed(scene.state, tournament.id, entry) for entry in found if entry is not None)


def alarms(scene: Scene) -> tuple[Alarm, ...]:
    """What is open and wants somebody: who calls an official first, then the gravest, then the newest first."""
    found = [alarm for alarm in _raised(scene) if alarm.severity != "note"]
    return tuple(sorted(found, key=_urgency))


def notes(scene: Scene) -> tuple[Alarm, ...]:
    """What is open and wants nobody, the newest first."""
    found = [alarm for alarm in _raised(scene) if alarm.severity == "note"]
    return tuple(sorted(found, key=lambda alarm: -alarm.since))


def unseen(fault: Malfunction, now: int) -> bool:
    """A moment (a reset, a call for an official) is over at once, and still somebody has to go there."""
    over = fault.closed is not None and (fault.closed_by or "").startswith("agent:") and fault.noted_until is None
    fresh = fault.closed is not None and now - fault.closed < FORGOTTEN_MS
    stays = suggestion(fault.fault).stays(in_game=fault.game is not None)
    return over and fresh and fault.acknowledged_by is None and stays


def _raised(scene: Scene) -> Iterator[Alarm]:
    for fault in copied(scene.state.malfunctions):
        if fault.raised(scene.now) or unseen(fault, scene.now):
            yield _alarm(scene.state, fault)


def _urgency(alarm: Alarm) -> tuple[bool, bool, bool, bool, int]:
    seen, grave = alarm.seen_by is not None, alarm.severity == "alarm"
    return (seen, not alarm.first, not grave, alarm.over is not None, -alarm.since)


def verdicts(scene: Scene, count: int = 6) -> tuple[Verdict, ...]:
    """The readings decided last, newest first."""
    state = scene.state
    found = [reading for reading in copied(state.readings) if reading.decided_at is not None]
    found.sort(key=lambda reading: reading.decided_at or 0, reverse=True)
    verdicts = []
    for reading in found[:count]:
        game = state.games.get(reading.game)
        tournament = tournament_of(game)
        entry = game.entry if game is not None and game.status == "posted" else None
        log = state.entries.get((tournament, entry)) if tournament is not None and entry is not None else None
        verdicts.append(
            Verdict(
                id=reading.id,
                who=person_name(state, tournament, reading.who),
                machine=machine_name(state, reading.machine),
                sign=READING_STATUS[reading.status],
                score=reading.score,
                by=shown_name(reading.decided_by or ""),
                at=reading.decided_at,
                undo=entry,
                tournament=tournament,
                state=len(log.positions) if log is not None else 0,
            )
        )
    return tuple(verdicts)


def shown_name(who: str) -> str:
    """`user:ann` as `ann`; agents and the server keep their kind."""
    return who.removeprefix("user:")


def waiting_count(scene: Scene) -> int:
    """How many things wait for an official."""
    waiting = keys(scene.state.waiting)
    readings = sum(1 for key in waiting if key.startswith("reading:"))
    return readings + sum(1 for key in waiting if key.startswith("game:") and not _by_reading(scene.state, key[5:]))


def _by_reading(state: State, game_id: str) -> bool:
    game = state.games.get(game_id)
    return game is not None and any(f"reading:{reading}" in state.waiting for reading in game.readings)


def _deed(state: State, tournament: str, entry: LogEntry) -> Deed:
    event = EntryRecorded(tournament=tournament, number=entry.number, entry=entry.entry)
    return Deed(
        number=entry.number,
        tournament=tournament,
        parts=describe(state, event).parts,
        at=entry.changed_at or entry.at,
        who=shown_name(entry.changed_by or entry.who),
        undone=entry.undone,
        state=len(entry.positions),
    )


def _alarm(state: State, fault: Malfunction) -> Alarm:
    found = suggestion(fault.fault)
    in_game = fault.game is not None
    return Alarm(
        id=fault.id,
        where=machine_name(state, fault.machine) if fault.machine else (fault.agent or "the venue"),
        sign=fault_sign(fault.fault, in_game=in_game),
        severity=found.at(in_game=in_game),
        called=found.called_at(in_game=in_game),
        first=found.first,
        since=fault.since,
        detail=fault.detail,
        scores=tuple(score.score for score in fault.scores),
        seen_by=shown_name(fault.acknowledged_by) if fault.acknowledged_by else None,
        by_desk=fault.source in {"desk", "manual"} or fault.acknowledged_by is not None,
        over=fault.closed,
    )
