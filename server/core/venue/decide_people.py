"""Deciding about people: who is added, who plays no more, who comes back.

Somebody who leaves keeps every result; he is taken off machines and out of lines, and the rules are told by a log
entry. The invariant: nothing that he or anybody else has played is changed.
"""

from server.core.venue import commands as c
from server.core.venue import leaving
from server.core.venue.book import Book
from server.core.venue.decide_log import grown
from server.core.venue.entries import check_entry
from server.core.venue.events import (
    EntryRecorded,
    EntryUndone,
    Event,
    PlayerReturned,
    PlayersAdded,
)
from server.core.venue.outcomes import Actor, Decision
from server.core.venue.state import State, Tournament
from server.core.venue.stops import conflict, need, need_players, need_reason, need_tournament, refuse
from server.core.venue.values import Json, entry_kind


def add_players(state: State, command: c.AddPlayers, _actor: Actor, _at: int, _book: Book) -> Decision:
    """Add people to the head. Two people of one name are told apart by somebody who says that they are two."""
    tournament = grown(state, command.tournament, "players", command.players, command.based_on)
    if not command.same_name:
        known = {_folded(one): one for one in tournament.head.get("players") or ()}
        for player in command.players:
            name = _folded(player)
            if name and name in known:
                conflict(
                    f"{known[name]['id']} is called {known[name]['name']} too: somebody else? Then say same_name",
                    version=tournament.version,
                    player=known[name]["id"],
                )
            known[name] = player
    event = PlayersAdded(tournament=tournament.id, players=command.players)
    return Decision(events=(event,), result={"players": [p["id"] for p in command.players]})


def withdraw(state: State, command: c.Withdraw, _actor: Actor, at: int, book: Book) -> Decision:
    """A player plays no more: the rules hear of it, machines and lines are rid of him, his running game is held."""
    tournament = need_tournament(state, command.tournament)
    need_players(tournament, (command.player,))
    found = state.withdrawn.get((tournament.id, command.player))
    if found is not None:
        conflict(
            f"{found.by} has withdrawn {command.player} already", version=tournament.version, by=found.by, at=found.at
        )
    why = need_reason(command.why)
    entry = _told_to_rules(state, tournament, command, at, book)
    number = tournament.entries + 1
    recorded = EntryRecorded(tournament=tournament.id, number=number, entry=entry, why=why)
    events, game = leaving.leave(state, tournament, command.player, why, number)
    result = {"number": number, "player": command.player, "entry": entry_kind(entry), "game": game}
    return Decision(events=(recorded, *events), result=result)


def let_return(state: State, command: c.Return, _actor: Actor, at: int, book: Book) -> Decision:
    """A player who had withdrawn plays again; what he missed he has not played.

    Where rounds were drawn without him his absence stays on record, and the rules hear that he is back.
    """
    tournament = need_tournament(state, command.tournament)
    found = need(state.withdrawn.get((tournament.id, command.player)), f"withdrawal of {command.player}")
    why = need_reason(command.why)
    events: list[Event] = [PlayerReturned(tournament=tournament.id, player=command.player, why=why)]
    entry = state.entries[tournament.id, found.entry]
    if state.counts(entry, tournament.id):
        back = check_entry(state, tournament, {"decision": "returned", "who": [command.player]}, at)
        if book.objection(state, tournament.id, back) is None:
            number = tournament.entries + 1
            events.append(EntryRecorded(tournament=tournament.id, number=number, entry=back, why=why))
        else:
            events.append(EntryUndone(tournament=tournament.id, number=entry.number, why=why))
    return Decision(events=tuple(events), result={"player": command.player})


def _told_to_rules(state: State, tournament: Tournament, command: c.Withdraw, at: int, book: Book) -> Json:
    """The log entry: `absent` where the preset knows what it means, else a decision that is on record."""
    stage = {} if command.stage is None else {"stage": command.stage}
    absent = check_entry(state, tournament, {"absent": command.player, **stage}, at)
    objection = book.objection(state, tournament.id, absent)
    if objection is None:
        return absent
    if command.stage is not None:
        refuse(objection.text)
    return check_entry(state, tournament, {"decision": "withdrawn", "who": [command.player]}, at)


def _folded(player: Json) -> str:
    return " ".join(str(player.get("name") or "").casefold().split())
