"""What is still open when a stage closes or is closed: readings, held and running games, agents that are not heard.

Pure questions. Nothing provisional is ever in the log, so nothing of it seeds anybody (C3, C4); here it is named, so
that nobody takes standings for settled that are not. The invariant: whatever could still change a stage is listed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from server.core import rules
from server.core.venue.book import Close, Page
from server.core.venue.heads import member
from server.core.venue.state import Game, State, Tournament
from server.core.venue.story import scores_now
from server.core.venue.teams import set_by
from server.core.venue.times import began, moment, to_ms
from server.core.venue.values import Json, Place, entry_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """An agent that is not heard now, or holds facts that have not come: what its machines did may be unknown."""

    agent: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """One thing that may still change a stage. `kind` is reading, game, running, agent or late."""

    kind: str
    id: str
    why: str
    machine: str | None = None
    who: tuple[str, ...] = ()
    since: int | None = None

    @property
    def key(self) -> str:
        """How the ledger names it: `reading:r1`, `game:ID`, `agent:pi-1`, `entry:7`."""
        kind = {"running": "game", "late": "entry"}.get(self.kind, self.kind)
        return f"{kind}:{self.id}"


def stage_of(state: State, place: Place, machine: str) -> str | None:
    """The id of the stage in which a game counts (C4.1, C4.2); None where only the rules know."""
    tournament = state.tournaments.get(place.tournament)
    if place.stage is not None or tournament is None:
        return place.stage
    match = place.match
    if isinstance(place.tiebreak, str):
        number = state.posted.get((tournament.id, place.tiebreak))
        tied = state.entries.get((tournament.id, number or 0))
        if tied is None or tied.entry.get("stage"):
            return None if tied is None else str(tied.entry["stage"])
        match = match or tied.entry.get("match")
        if match is None:
            return None
    fixture = set_by(state, tournament.id, match)
    if fixture is not None and fixture.get("stage"):
        return str(fixture["stage"])
    preset = rules.PRESETS.get(str(tournament.head.get("preset")))
    if preset is not None and not preset.divisions:
        return preset.first_name
    division = place.division or (member(tournament.head, "machines", machine) or {}).get("division")
    return f"{division}/qualifying" if division else None


def open_in(
    state: State, tournament: Tournament, stage: str, close: Close | None, silent: Iterable[Silence] = ()
) -> tuple[Open, ...]:
    """Everything that may still change a stage, in a fixed order.

    Once the stage is closed, what certainly began after it is not open any more, and an agent that fell silent later
    is not either: those that were silent then are named in the entry that closed it.
    """
    until = None if close is None else close.at
    found = [*_readings(state, tournament, stage, until), *_games(state, tournament, stage, until)]
    found += _running(state, tournament, stage, until)
    closed = state.entries.get((tournament.id, close.number)) if close is not None else None
    agents = _agents(state, tournament, stage, silent)
    found += agents if closed is None else [one for one in agents if one.key in closed.open]
    return tuple(found)


def late_in(state: State, tournament: Tournament, stage: str, at: int, page: Page) -> tuple[Open, ...]:
    """Games that count in a stage though they began when, by a close dated back to `at`, it was over (C3.2).

    Games that break ties are never late (C3.3). A game whose beginning nobody wrote down began before it was recorded:
    one of the same millisecond as the close stands before it in the log, and in time.
    """
    found = []
    for number, entry in zip(page.numbers, page.tournament.log, strict=True):
        written = entry.written
        started = getattr(entry.act, "started_at", None)
        known, last = (started, at - 1) if started is not None else (entry.at, at)
        if entry_kind(written) != "game" or written.get("tiebreak") or known is None or to_ms(known) <= last:
            continue
        place = Place(
            tournament=tournament.id,
            **{key: _text(written, key) for key in ("stage", "division", "match")},  # type: ignore[arg-type]
        )
        machine = str(written["machine"])
        logged = state.entries[tournament.id, number]
        if stage_of(state, place, machine) not in {stage, None} or logged.despite is not None:
            continue
        scores = scores_now(state, tournament.id, str(written["game"])) or {}
        who = tuple(name for name, score in scores.items() if score is not None)
        if not who:
            continue
        when = f"{'was recorded' if started is None else 'began'} {moment(to_ms(known))}"
        why = f"{written['game']} {when}, not before {moment(at)}, and counts: void or leave it"
        found.append(Open(kind="late", id=str(number), why=why, machine=machine, who=who))
    return tuple(found)


def _text(written: Json, key: str) -> str | None:
    value = written.get(key)
    return value if isinstance(value, str) else None


def words(state: State, found: Iterable[Open]) -> str:
    """One line for people."""
    parts = []
    for one in found:
        machine = state.machines.get(one.machine or "")
        where = f"{machine.name}: " if machine is not None else ""
        parts.append(f"{where}{one.why}{' (' + ', '.join(one.who) + ')' if one.who else ''}")
    more = f"; and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return "; ".join(parts[:_SHOWN]) + more


_SHOWN = 10


def _readings(state: State, tournament: Tournament, stage: str, until: int | None) -> list[Open]:
    found = []
    for name in state.waiting:
        reading = state.readings.get(name.removeprefix("reading:")) if name.startswith("reading:") else None
        game = state.games.get(reading.game) if reading is not None else None
        if reading is None or game is None or not _may_count(state, game, tournament, stage, until):
            continue
        why = f"reading {reading.id} waits for an official"
        who = () if reading.who is None else (reading.who,)
        found.append(
            Open(kind="reading", id=reading.id, why=why, machine=reading.machine, who=who, since=reading.since)
        )
    return found


def _games(state: State, tournament: Tournament, stage: str, until: int | None) -> list[Open]:
    found = []
    for name, since in state.waiting.items():
        game = state.games.get(name.removeprefix("game:")) if name.startswith("game:") else None
        if game is None or not _may_count(state, game, tournament, stage, until):
            continue
        if any(state.readings[reading].status == "waiting" for reading in game.readings):
            continue  # its readings are listed
        why = "a game waits for an official" + (f": {'; '.join(game.why)}" if game.why else "")
        found.append(Open(kind="game", id=game.id, why=why, machine=game.machine, who=_who(game), since=since))
    return found


def _running(state: State, tournament: Tournament, stage: str, until: int | None) -> list[Open]:
    found = []
    for machine in state.machines.values():
        game = state.games.get(machine.game) if machine.game else None
        if game is None or game.status != "running" or game.place is None:
            continue
        if _may_count(state, game, tournament, stage, until):
            why = "a game is running"
            found.append(
                Open(kind="running", id=game.id, why=why, machine=machine.id, who=_who(game), since=game.started)
            )
    return found


def _agents(state: State, tournament: Tournament, stage: str, silent: Iterable[Silence]) -> list[Open]:
    why: Mapping[str, str] = {one.agent: one.why for one in silent}
    machines: dict[str, list[str]] = {}
    first = _first_stage(tournament)
    for name in tournament.machines:
        machine = state.machines.get(name)
        if machine is not None and machine.agent is not None and machine.agent in why:
            of = stage_of(state, Place(tournament=tournament.id), name)
            # In a stage after the first any machine may be played.
            if of is None or of == stage or not stage.endswith(first):
                machines.setdefault(machine.agent, []).append(machine.name)
    return [
        Open(kind="agent", id=agent, why=f"{agent} ({', '.join(names)}) {why[agent]}")
        for agent, names in sorted(machines.items())
    ]


def _first_stage(tournament: Tournament) -> str:
    preset = rules.PRESETS.get(str(tournament.head.get("preset")))
    return "qualifying" if preset is None else preset.first_name


def _may_count(state: State, game: Game, tournament: Tournament, stage: str, until: int | None) -> bool:
    if not _belongs(state, game, tournament, stage):
        return False
    return until is None or began(game).early < until


def _belongs(state: State, game: Game, tournament: Tournament, stage: str) -> bool:
    """Whether a game is the stage's; one that nobody has matched may be, where its machine serves the tournament."""
    place = game.place
    if place is None and game.machine in tournament.machines and state.current == tournament.id:
        place = Place(tournament=tournament.id)
    if place is None or place.tournament != tournament.id:
        return False
    return stage_of(state, place, game.machine) in {stage, None}


def _who(game: Game) -> tuple[str, ...]:
    return tuple(player for player in game.players if player is not None)
