"""Deciding about changes of what is recorded: a game moves to another player, an entry is taken out, or put back.

Entries are never edited: one that stands in for another replaces it, at its place in the log. The invariant: what
speaks of a game and a player goes with them, or the person is told and nothing happens.
"""

from typing import Any, NoReturn

from server.core.venue import commands as c
from server.core.venue import disputes, manual, posting
from server.core.venue.book import Book
from server.core.venue.entries import newer_about
from server.core.venue.events import EntryRecorded, EntryRestored, EntryUndone, Event
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.recusals import refuse_recused
from server.core.venue.roles import OFFICIALS
from server.core.venue.state import LogEntry, State, Tournament
from server.core.venue.stops import conflict, need, need_reason, need_role, need_tournament, refuse
from server.core.venue.times import moment
from server.core.venue.values import Json, entry_kind


def move_game(state: State, command: c.MoveGame, actor: Actor, _at: int, book: Book) -> Decision:
    """Give a player's score in a game to somebody else.

    A new entry stands in for the game with its corrections; voids, rulings and penalties that name the player in this
    game are said anew of the other one, and are undone and restored together with it.
    """
    tournament = need_tournament(state, command.tournament)
    why = need_reason(command.why)
    naming = _naming(state, tournament, command.game)
    old = need(next((x for x in naming if entry_kind(x.entry) == "game" and x.entry["game"] == command.game), None),
               f"game {command.game} that counts")  # fmt: skip
    newer = newer_about(state, tournament, {"game": command.game}, command.based_on)
    if newer is not None:
        conflict_with(newer, tournament)
    recused = refuse_recused(state, tournament, actor, old.entry, despite=command.despite_recusal)
    if not tournament.knows(command.to):
        refuse(f"{command.to} is not entered in {tournament.name}")
    scores = dict(old.entry["scores"])
    merged = [old, *(later for later in naming if entry_kind(later.entry) == "correct")]
    for later in merged[1:]:
        scores.update(later.entry.get("scores") or {})
    if command.who not in scores:
        refuse(f"{command.who} has no score in {command.game}; there are {', '.join(scores)}")
    if command.to in scores:
        refuse(f"{command.to} is in {command.game} already: correct the scores instead")
    moved = _renamed({**old.entry, "scores": scores}, command.who, command.to)
    along = {x.number: (x, _renamed(x.entry, command.who, command.to)) for x in naming if _goes_along(x, command)}
    entries = {old.number: moved, **{number: entry for number, (_, entry) in along.items()}}
    objections = book.exchange(state, tournament.id, entries, {x.number for x in merged[1:]})
    against = "; ".join(objection.text for objection in objections[:5])
    if objections and (objections[0].malformed or not command.despite_rules):
        refuse(against)
    number = tournament.entries + 1
    first = EntryRecorded(
        tournament=tournament.id,
        number=number,
        entry=moved,
        capture=old.capture,
        replaces=tuple(entry.number for entry in merged),
        why=why,
        despite=against or None,
        recused=recused,
    )
    more = tuple(
        EntryRecorded(
            tournament=tournament.id, number=number + n, entry=entry, replaces=(x.number,), why=why, follows=number
        )
        for n, (x, entry) in enumerate(along.values(), 1)
    )
    return Decision(events=(first, *more), result={"number": number, "game": command.game, "along": list(along)})


def undo_entry(state: State, command: c.UndoEntry, actor: Actor, at: int, _book: Book) -> Decision:
    """Take an entry out. Who typed a game at a machine may take back that one for a while; officials any."""
    tournament, entry = _entry(state, command)
    if not actor.roles & OFFICIALS and not manual.may_take_back(state, entry, actor, at):
        need_role(actor, OFFICIALS, "taking back what is not one's own, or older than some minutes,")
    if entry.undone:
        conflict_with(entry, tournament)
    left = next((w for (t, _), w in state.withdrawn.items() if t == tournament.id and w.entry == entry.number), None)
    if left is not None:
        refuse(f"entry {entry.number} says that {left.player} has withdrawn: let him return instead")
    if not state.counts(entry, tournament.id):
        refuse(f"entry {entry.number} was replaced by entry {entry.replaced_by}: undo that one")
    why = need_reason(command.why)
    gone = [x for x in _with_followers(state, tournament, entry) if not x.undone]
    events = tuple(EntryUndone(tournament=tournament.id, number=x.number, why=why) for x in reversed(gone))
    return Decision(events=events, result={"number": entry.number})


def restore_entry(state: State, command: c.RestoreEntry, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Put an undone entry back, unless what it says has been recorded again meanwhile."""
    tournament, entry = _entry(state, command)
    if not entry.undone:
        conflict_with(entry, tournament)
    game = state.games.get(entry.capture) if entry.capture else None
    if game is not None and game.status == "posted" and game.entry not in entry.replaces:
        refuse(f"its game is posted by entry {game.entry}: undo that one first")
    if game is not None and game.status == "discarded":
        refuse(f"{game.decided_by} has discarded its game")
    for number in entry.replaces:
        if state.entries[tournament.id, number].undone:
            refuse(f"entry {number}, for which it stands in, is undone: restore that one first")
        instead = state.entries.get((tournament.id, state.entries[tournament.id, number].replaced_by or 0))
        if instead is not None and instead.number != entry.number and not instead.undone:
            refuse(f"entry {instead.number} stands in for entry {number}: undo that one first")
    why = need_reason(command.why)
    back = [x for x in _with_followers(state, tournament, entry) if x.undone]
    restored = tuple(EntryRestored(tournament=tournament.id, number=x.number, why=why) for x in back)
    settled: tuple[Event, ...] = ()
    if game is not None:
        eyes = posting.settle_readings(state, game, f"entry {entry.number} counts again")
        settled = (*eyes, *disputes.settled(state, game))
    return Decision(events=(*settled, *restored), result={"number": entry.number})


def conflict_with(entry: LogEntry, tournament: Tournament) -> NoReturn:
    """Somebody has changed this entry since the person looked."""
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


def _naming(state: State, tournament: Tournament, game: str) -> list[LogEntry]:
    """The entries that count and speak of a game, in the order in which the rules read them."""
    counting = (x for x in state.about(tournament.id, game) if state.counts(x, tournament.id))
    return sorted(counting, key=lambda x: (x.origin, x.number))


def _goes_along(entry: LogEntry, command: c.MoveGame) -> bool:
    """Whether an entry says something of this player in this very game."""
    kind = entry_kind(entry.entry)
    if kind in {"void", "ruling"}:
        return bool(entry.entry[kind] == command.game and entry.entry.get("who") == command.who)
    return bool(kind in {"penalty", "abandon"} and entry.entry[kind] == command.who)


def _renamed(entry: Json, who: str, to: str) -> dict[str, Any]:
    """The same entry about somebody else."""
    kind = entry_kind(entry)
    renamed = {
        key: to if value == who and key in {"who", "penalty", "abandon"} else value for key, value in entry.items()
    }
    for notes in ("scores", "rollovers", "rings", "balls", "strokes"):
        if kind == "game" and isinstance(entry.get(notes), dict):
            renamed[notes] = {to if name == who else name: value for name, value in entry[notes].items()}
    return renamed


def _with_followers(state: State, tournament: Tournament, entry: LogEntry) -> list[LogEntry]:
    """An entry and those that stand and fall with it."""
    if entry.follows is not None:
        refuse(f"entry {entry.number} goes with entry {entry.follows}: change that one")
    found = [entry]
    while (after := state.entries.get((tournament.id, found[-1].number + 1))) and after.follows == entry.number:
        found.append(after)
    return found


def _entry(state: State, command: c.UndoEntry | c.RestoreEntry) -> tuple[Tournament, LogEntry]:
    tournament = need_tournament(state, command.tournament)
    entry = need(state.entries.get((tournament.id, command.number)), f"entry {command.number}")
    if command.based_on is not None and entry.version > command.based_on:
        conflict_with(entry, tournament)
    return tournament, entry
