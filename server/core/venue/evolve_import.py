"""Folding what came in a table or a file: entries become entries of the log like recorded ones, teams join the head.

The invariant: an import touches machines of the venue only where its tournament is the running one.
"""

from collections.abc import Callable
from typing import Any

from server.core.venue.evolve_log import note_names
from server.core.venue.filing import Happened
from server.core.venue.heads import with_teams
from server.core.venue.import_events import EntriesImported
from server.core.venue.log_events import TeamsAdded
from server.core.venue.state import LogEntry, Machine, State
from server.core.venue.tables import changed
from server.core.venue.teams import joined_by, named_in
from server.core.venue.values import Json, entry_kind


def _imported(state: State, happened: Happened, event: EntriesImported) -> None:
    tournament = state.tournaments.get(event.tournament)
    if tournament is None:
        return
    version = tournament.version + 1
    despite = dict(event.despite)
    games = 0
    for number, entry in enumerate(event.entries, event.first):
        state.entries[event.tournament, number] = LogEntry(
            number=number,
            entry=entry,
            at=happened.at,
            who=happened.who,
            position=happened.position,
            origin=number,
            version=version,
            despite=despite.get(number),
            positions=(happened.position,),
        )
        note_names(state, event.tournament, number, entry)
        if entry_kind(entry) == "game":
            games += 1
            state.posted.setdefault((event.tournament, str(entry["game"])), number)
    state.tournaments[event.tournament] = changed(
        tournament,
        version=version,
        entries=event.first + len(event.entries) - 1,
        games=tournament.games + games,
        members=tournament.members | joined_by(event.entries),
        changed=happened.at,
        changed_by=happened.who,
        positions=(tournament.positions[0], happened.position),
    )
    if state.current == event.tournament:
        _bring_to_the_floor(state, [entry for n, entry in enumerate(event.entries, event.first) if n not in despite])


def _teams(state: State, happened: Happened, event: TeamsAdded) -> None:
    tournament = state.tournaments.get(event.tournament)
    if tournament is None:
        return
    head, version = with_teams(tournament.head, event.teams), tournament.version + 1
    state.tournaments[event.tournament] = changed(
        tournament,
        version=version,
        disturbed=version,
        head=head,
        members=tournament.members | named_in(head),
        changed=happened.at,
        changed_by=happened.who,
        positions=(tournament.positions[0], happened.position),
    )


def _bring_to_the_floor(state: State, entries: list[Json]) -> None:
    """What the venue's machines have seen: how many scores, the highest, and whether one is down."""
    scores: dict[str, list[int]] = {}
    said: dict[str, str] = {}
    for entry in entries:
        kind = entry_kind(entry)
        if kind == "game":
            scores.setdefault(str(entry.get("machine")), []).extend(entry["scores"].values())
        elif kind == "machine":
            said[str(entry["machine"])] = str(entry.get("status", "up"))
    for name, numbers in scores.items():
        machine = state.machines.get(name)
        if machine is not None:
            top = max([*numbers, *(() if machine.top is None else (machine.top,))], default=None)
            state.machines[name] = changed(machine, posted=machine.posted + len(numbers), top=top)
    for name, status in said.items():
        machine = state.machines.get(name) or Machine(id=name, name=name)
        state.machines[name] = changed(machine, condition=status, version=machine.version + 1)


IMPORT_HANDLERS: dict[type[Any], Callable[[State, Happened, Any], None]] = {
    EntriesImported: _imported,
    TeamsAdded: _teams,
}
