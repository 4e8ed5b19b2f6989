"""Folding the tournaments: heads, log entries, undo and restore, and what they mean for captured games.

The invariant: an entry is never removed; whether it counts follows from `undone` and `replaced_by` alone.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from server.core.venue import events as e
from server.core.venue.filing import Happened
from server.core.venue.games import POSITIONS
from server.core.venue.heads import changed_head
from server.core.venue.state import LogEntry, Machine, Span, State, Tournament, Withdrawal
from server.core.venue.tables import changed
from server.core.venue.teams import joined_by, named_in
from server.core.venue.times import span_of
from server.core.venue.values import Json, entry_kind, named_games


def _opened(state: State, happened: Happened, event: e.TournamentOpened) -> None:
    head = event.head
    state.tournaments[event.tournament] = Tournament(
        id=event.tournament,
        name=str(head.get("tournament", event.tournament)),
        head=head,
        players=_ids(head.get("players")),
        members=named_in(head),
        machines=_ids(head.get("machines")),
        opened=happened.at,
        opened_by=happened.who,
        changed=happened.at,
        changed_by=happened.who,
        positions=(happened.position,),
    )
    if event.kept:
        return
    state.current = event.tournament
    _name_machines(state, head.get("machines") or ())
    _forget_decisions(state, state.tournaments[event.tournament].machines)


def _players(state: State, happened: Happened, event: e.PlayersAdded) -> None:
    _grow(state, happened, event.tournament, "players", event.players)


def _machines(state: State, happened: Happened, event: e.MachinesAdded) -> None:
    _grow(state, happened, event.tournament, "machines", event.machines)
    _name_machines(state, event.machines)


def _head(state: State, happened: Happened, event: e.HeadChanged) -> None:
    found = state.tournaments.get(event.tournament)
    if found is None:
        return
    head = changed_head(found.head, event.after)
    state.tournaments[event.tournament] = changed(
        _touched(found, happened, disturbs=True),
        head=head,
        name=str(head.get("tournament", event.tournament)),
        members=found.members | named_in(head),
    )
    _name_machines(state, event.after.get("machines") or ())


def _entered(state: State, _happened: Happened, event: e.OfficialEntered) -> None:
    if event.player is None:
        state.entered.pop((event.tournament, event.user), None)
    else:
        state.entered[event.tournament, event.user] = event.player


def _grow(state: State, happened: Happened, tournament: str, part: str, added: tuple[Json, ...]) -> None:
    found = state.tournaments.get(tournament)
    if found is None:
        return
    members = [*(found.head.get(part) or ()), *added]
    ids = {"players": found.players, "machines": found.machines, part: _ids(members)}
    state.tournaments[tournament] = changed(
        _touched(found, happened, disturbs=True),
        head={**found.head, part: members},
        players=ids["players"],
        machines=ids["machines"],
    )


def _recorded(state: State, happened: Happened, event: e.EntryRecorded) -> None:
    tournament = state.tournaments.get(event.tournament)
    if tournament is None:
        return
    kind = entry_kind(event.entry)
    origin = event.number
    touched = _touched(tournament, happened, disturbs=bool(event.replaces))
    for number in event.replaces:
        old = state.entries[event.tournament, number]
        origin = min(origin, old.origin)
        state.entries[event.tournament, number] = changed(
            old, replaced_by=event.number, version=touched.version, positions=(*old.positions, happened.position)
        )
    state.entries[event.tournament, event.number] = LogEntry(
        number=event.number,
        entry=event.entry,
        at=happened.at,
        who=happened.who,
        position=happened.position,
        origin=origin,
        version=touched.version,
        capture=event.capture,
        replaces=event.replaces,
        why=event.why,
        despite=event.despite,
        open=event.open,
        follows=event.follows,
        recused=event.recused,
        positions=(happened.position,),
    )
    state.tournaments[event.tournament] = changed(
        touched,
        entries=event.number,
        games=tournament.games + (kind == "game"),
        members=tournament.members | joined_by((event.entry,)),
    )
    note_names(state, event.tournament, event.number, event.entry)
    _settle(state, happened, event.tournament, event.number, f"replaced by entry {event.number}")
    if kind == "game":
        state.posted[event.tournament, str(event.entry["game"])] = event.number
        _count_scores(state, event.entry)
    elif kind == "machine":
        _condition(state, event.tournament, str(event.entry["machine"]))


def note_names(state: State, tournament: str, number: int, entry: Json) -> None:
    """Remember of what an entry speaks: its games, from when until when its players were in the one that it records,
    the match that it sets, a roster that it changes.
    """
    kind = entry_kind(entry)
    if kind == "match" and state.entries[tournament, number].despite is None:
        state.fixtures[tournament, str(entry["match"])] = number
    elif kind == "roster":
        state.rosters[tournament] = (*state.rosters.get(tournament, ()), number)
    for game in named_games(entry):
        state.naming[tournament, game] = (*state.naming.get((tournament, game), ()), number)
    scores = entry.get("scores")
    if kind == "game" and isinstance(scores, Mapping):
        start, end = span_of(entry) or (None, None)
        for who in scores:
            spans = state.spans.get((tournament, who), ())
            state.spans[tournament, who] = (*spans, Span(number=number, start=start, end=end))


def _undone(state: State, happened: Happened, event: e.EntryUndone) -> None:
    _flip(state, happened, event.tournament, event.number, event.why, undone=True)


def _restored(state: State, happened: Happened, event: e.EntryRestored) -> None:
    _flip(state, happened, event.tournament, event.number, event.why, undone=False)


def _flip(state: State, happened: Happened, tournament: str, number: int, why: str, *, undone: bool) -> None:
    entry = state.entries.get((tournament, number))
    if entry is None:
        return
    touched = _touched(state.tournaments[tournament], happened, disturbs=True)
    state.entries[tournament, number] = changed(
        entry,
        version=touched.version,
        undone=undone,
        changed_by=happened.who,
        changed_at=happened.at,
        changed_why=why,
        positions=(*entry.positions, happened.position),
    )
    for replaced in () if undone else entry.replaces:
        state.entries[tournament, replaced] = changed(state.entries[tournament, replaced], replaced_by=number)
    state.tournaments[tournament] = touched
    _settle(state, happened, tournament, number, f"entry {number} was undone: {why}")
    if entry_kind(entry.entry) == "machine":
        _condition(state, tournament, str(entry.entry["machine"]))


def _withdrawn(state: State, happened: Happened, event: e.PlayerWithdrawn) -> None:
    state.withdrawn[event.tournament, event.player] = Withdrawal(
        player=event.player,
        why=event.why,
        by=happened.who,
        at=happened.at,
        position=happened.position,
        entry=event.entry,
    )


def _returned(state: State, _: Happened, event: e.PlayerReturned) -> None:
    state.withdrawn.pop((event.tournament, event.player), None)


def _stage_settled(state: State, happened: Happened, event: e.StageSettled) -> None:
    state.settled[event.tournament, event.stage] = happened.position


def _touched(tournament: Tournament, happened: Happened, *, disturbs: bool) -> Tournament:
    version = tournament.version + 1
    return changed(
        tournament,
        version=version,
        disturbed=version if disturbs else tournament.disturbed,
        changed=happened.at,
        changed_by=happened.who,
        positions=(tournament.positions[0], happened.position),
    )


def _settle(state: State, happened: Happened, tournament: str, number: int, why: str) -> None:
    """Bring the captured games behind an entry, and behind what it replaces, in line with what counts now."""
    entry = state.entries[tournament, number]
    entries = [entry, *(state.entries[tournament, n] for n in entry.replaces)]
    posting = {x.capture: x.number for x in entries if x.capture and state.counts(x, tournament)}
    for capture in {x.capture for x in entries if x.capture}:
        game = state.games.get(capture)
        if game is None:
            continue
        counts = capture in posting
        state.games[capture] = changed(
            game,
            status="posted" if counts else "waiting",
            entry=posting.get(capture),
            against=state.entries[tournament, posting[capture]].despite if counts else None,
            why=() if counts else (why,),
            version=game.version + 1,
            decided_by=happened.who,
            decided_at=happened.at,
            positions=(*game.positions, happened.position)[-POSITIONS:],
        )
        if counts:
            state.waiting.pop(f"game:{capture}", None)
        else:
            state.waiting[f"game:{capture}"] = happened.at


def _count_scores(state: State, entry: Json) -> None:
    machine = state.machines.get(str(entry.get("machine")))
    scores = entry.get("scores")
    if machine is None or not isinstance(scores, Mapping):
        return
    numbers = [score for score in scores.values() if type(score) is int]
    top = max([*numbers, *(() if machine.top is None else (machine.top,))], default=None)
    state.machines[machine.id] = changed(machine, posted=machine.posted + len(numbers), top=top)


def _condition(state: State, tournament: str, machine_id: str) -> None:
    machine = state.machines.get(machine_id) or Machine(id=machine_id, name=machine_id)
    said = [
        str(x.entry.get("status", "up"))
        for x in state.seen_by_rules(tournament)
        if entry_kind(x.entry) == "machine" and x.entry["machine"] == machine_id
    ]
    state.machines[machine_id] = changed(machine, condition=said[-1] if said else "up", version=machine.version + 1)


def _forget_decisions(state: State, machines: Iterable[str]) -> None:
    """What another tournament decided of a machine does not bind this one; that it is broken, `down`, is still true."""
    for machine in (state.machines[name] for name in machines):
        if machine.condition != "down":
            state.machines[machine.id] = changed(machine, condition="up")


def _name_machines(state: State, machines: tuple[Json, ...] | list[Json]) -> None:
    for facts in machines:
        known = state.machines.get(str(facts["id"])) or Machine(id=str(facts["id"]), name=str(facts["id"]))
        state.machines[known.id] = changed(
            known,
            name=str(facts.get("name") or known.name),
            max_score=facts.get("max_score", known.max_score),
            quantum=facts.get("score_quantum", known.quantum),
            version=known.version + 1,
        )


def _ids(members: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    return tuple(str(member["id"]) for member in members or ())


LOG_HANDLERS: dict[type[Any], Callable[[State, Happened, Any], None]] = {
    e.TournamentOpened: _opened,
    e.PlayersAdded: _players,
    e.PlayerWithdrawn: _withdrawn,
    e.PlayerReturned: _returned,
    e.StageSettled: _stage_settled,
    e.MachinesAdded: _machines,
    e.HeadChanged: _head,
    e.OfficialEntered: _entered,
    e.EntryRecorded: _recorded,
    e.EntryUndone: _undone,
    e.EntryRestored: _restored,
}
