"""Deciding about tournaments: opening, people, machines, and each entry of the log with its undo and restore.

The rules themselves are asked through the book. The invariant: nothing is recorded that the rules refuse, unless an
official says so and the objection is kept with the entry.
"""

import re
from typing import Any, NoReturn

from server.core import rules
from server.core.venue import commands as c
from server.core.venue import disputes, manual, posting
from server.core.venue.book import Book
from server.core.venue.entries import KINDS, OFFICIAL_ONLY, check_entry, newer_about
from server.core.venue.events import (
    EntryRecorded,
    EntryRestored,
    EntryUndone,
    Event,
    MachinesAdded,
    MachineUnassigned,
    PlayersAdded,
    TournamentOpened,
)
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.posting import moment
from server.core.venue.state import LogEntry, State, Tournament
from server.core.venue.stops import conflict, invalid, need, need_reason, need_role, need_tournament, refuse
from server.core.venue.values import Json, entry_kind

ID = re.compile(r"[a-z0-9-]{1,40}")
OFFICIALS = frozenset({"admin", "official"})


def open_tournament(state: State, command: c.OpenTournament, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Open a tournament with its head; a log in it is refused: `import` is another door."""
    if not ID.fullmatch(command.id) or command.id == "current":
        invalid("a tournament's id is 1 to 40 small letters, digits or hyphens, and not current")
    if command.id in state.tournaments:
        conflict(f"there is a tournament {command.id} already", version=state.tournaments[command.id].version)
    if command.head.get("log"):
        invalid("a new tournament has no log yet")
    head = {**command.head, "log": []}
    check_head(head)
    head.pop("log")
    return Decision(events=(TournamentOpened(tournament=command.id, head=head),), result={"tournament": command.id})


def add_players(state: State, command: c.AddPlayers, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Add people to the head."""
    tournament = _grown(state, command.tournament, "players", command.players, command.based_on)
    event = PlayersAdded(tournament=tournament.id, players=command.players)
    return Decision(events=(event,), result={"players": [p["id"] for p in command.players]})


def add_machines(state: State, command: c.AddMachines, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Add machines to the head."""
    tournament = _grown(state, command.tournament, "machines", command.machines, command.based_on)
    event = MachinesAdded(tournament=tournament.id, machines=command.machines)
    return Decision(events=(event,), result={"machines": [m["id"] for m in command.machines]})


def record_entry(state: State, command: c.RecordEntry, actor: Actor, at: int, book: Book) -> Decision:
    """Record one entry; a typed game takes its players off the machine."""
    tournament = need_tournament(state, command.tournament)
    entry = check_entry(state, tournament, command.entry, at)
    kind = entry_kind(entry)
    need_role(actor, KINDS[kind], kind)
    why = need_reason(entry.get("why") or command.why) if kind in OFFICIAL_ONLY else command.why
    newer = newer_about(state, tournament, entry, command.based_on)
    if newer is not None:
        _conflict_with(newer, tournament)
    objection = book.objection(state, tournament.id, entry)
    if objection is not None:
        if objection.malformed:
            invalid(objection.text)
        if not command.despite_rules:
            refuse(objection.text)
        need_role(actor, OFFICIALS, "recording against the rules")
    recorded = EntryRecorded(
        tournament=tournament.id,
        number=tournament.entries + 1,
        entry=entry,
        why=why,
        despite=objection.text if objection else None,
    )
    result = {"number": recorded.number, kind: entry[kind], "at": entry["at"]}
    return Decision(events=(recorded, *_typed(state, tournament, entry)), result=result)


def move_game(state: State, command: c.MoveGame, _actor: Actor, _at: int, book: Book) -> Decision:
    """Give a player's score in a game to somebody else: a new entry stands in for the game and its corrections."""
    tournament = need_tournament(state, command.tournament)
    counting = [x for x in state.seen_by_rules(tournament.id) if _about(x, command.game)]
    old = need(next((x for x in counting if entry_kind(x.entry) == "game"), None), f"game {command.game} that counts")
    newer = newer_about(state, tournament, {"game": command.game}, command.based_on)
    if newer is not None:
        _conflict_with(newer, tournament)
    if not tournament.knows(command.to):
        refuse(f"{command.to} is not entered in {tournament.name}")
    scores = dict(old.entry["scores"])
    replaced = [old]
    for later in counting:
        if entry_kind(later.entry) == "correct":
            scores.update(later.entry.get("scores") or {})
            replaced.append(later)
    if command.who not in scores or command.to in scores:
        refuse(f"{command.who} must be in {command.game}, and {command.to} must not")
    moved = {command.to if who == command.who else who: score for who, score in scores.items()}
    entry = {**old.entry, "scores": moved}
    objection = book.exchange(state, tournament.id, entry, {x.number for x in replaced})
    if objection is not None:
        refuse(objection.text)
    recorded = EntryRecorded(
        tournament=tournament.id,
        number=tournament.entries + 1,
        entry=entry,
        capture=old.capture,
        replaces=tuple(entry.number for entry in replaced),
        why=need_reason(command.why),
    )
    return Decision(events=(recorded,), result={"number": recorded.number, "game": command.game})


def undo_entry(state: State, command: c.UndoEntry, actor: Actor, at: int, _book: Book) -> Decision:
    """Take an entry out. Who typed a game at a machine may take back that one for a while; officials any."""
    tournament, entry = _entry(state, command)
    if not actor.roles & OFFICIALS and not manual.may_take_back(state, entry, actor, at):
        need_role(actor, OFFICIALS, "taking back what is not one's own, or older than some minutes,")
    if entry.undone:
        _conflict_with(entry, tournament)
    if not state.counts(entry, tournament.id):
        refuse(f"entry {entry.number} was replaced by entry {entry.replaced_by}: undo that one")
    event = EntryUndone(tournament=tournament.id, number=entry.number, why=need_reason(command.why))
    return Decision(events=(event,), result={"number": entry.number})


def restore_entry(state: State, command: c.RestoreEntry, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Put an undone entry back, unless what it says has been recorded again meanwhile."""
    tournament, entry = _entry(state, command)
    if not entry.undone:
        _conflict_with(entry, tournament)
    game = state.games.get(entry.capture) if entry.capture else None
    if game is not None and game.status == "posted" and game.entry not in entry.replaces:
        refuse(f"its game is posted by entry {game.entry}: undo that one first")
    if game is not None and game.status == "discarded":
        refuse(f"{game.decided_by} has discarded its game")
    restored = EntryRestored(tournament=tournament.id, number=entry.number, why=need_reason(command.why))
    settled: tuple[Event, ...] = ()
    if game is not None:
        eyes = posting.settle_readings(state, game, f"entry {entry.number} counts again")
        settled = (*eyes, *disputes.settled(state, game))
    return Decision(events=(*settled, restored), result={"number": entry.number})


def _grown(state: State, tournament_id: str, part: str, added: tuple[Json, ...], based_on: int | None) -> Tournament:
    tournament = need_tournament(state, tournament_id)
    known = {"players": tournament.players, "machines": tournament.machines}[part]
    ids = [str(member.get("id", "")) for member in added]
    if not ids:
        invalid(f"no {part} are named")
    for name in ids:
        if not name or len(name) > 40:
            invalid(f"each of the {part} needs an id of 1 to 40 characters")
        if name in known or ids.count(name) > 1:
            conflict(f"{name} is there already", version=tournament.version)
    if based_on is not None and based_on != tournament.version:
        conflict("the tournament has changed since you looked", version=tournament.version, by=tournament.changed_by)
    check_head({**tournament.head, part: [*(tournament.head.get(part) or ()), *added], "log": []})
    return tournament


def check_head(document: dict[str, Any]) -> None:
    """Stop where the rules cannot read this head (with the log in it)."""
    try:
        rules.parse({"inlane": 1, **document})
    except rules.TournamentInvalid as error:
        invalid(str(error))


def _entry(state: State, command: c.UndoEntry | c.RestoreEntry) -> tuple[Tournament, LogEntry]:
    tournament = need_tournament(state, command.tournament)
    entry = need(state.entries.get((tournament.id, command.number)), f"entry {command.number}")
    if command.based_on is not None and entry.version > command.based_on:
        _conflict_with(entry, tournament)
    return tournament, entry


def _conflict_with(entry: LogEntry, tournament: Tournament) -> NoReturn:
    state = "undone" if entry.undone else "recorded" if entry.changed_by is None else "restored"
    conflict(
        f"entry {entry.number} was {state} by {entry.changed_by or entry.who}",
        version=tournament.version,
        number=entry.number,
        entry=dict(entry.entry),
        by=entry.changed_by or entry.who,
        at=moment(entry.changed_at or entry.at),
        reason=entry.changed_why or entry.why,
    )


def _about(entry: LogEntry, game: str) -> bool:
    return entry_kind(entry.entry) in {"game", "correct"} and entry.entry[entry_kind(entry.entry)] == game


def _typed(state: State, tournament: Tournament, entry: Json) -> tuple[Event, ...]:
    machine = state.machines.get(str(entry.get("machine"))) if entry_kind(entry) == "game" else None
    held = machine.assignment if machine is not None else None
    if machine is None or held is None or held.place.tournament != tournament.id or machine.game is not None:
        return ()
    if set(held.players) != set(entry["scores"]):
        return ()
    return (MachineUnassigned(machine=machine.id, assignment=held.id, why="the game was typed in"),)
