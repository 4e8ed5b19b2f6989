"""Declaring again after a breakdown: the unplayed games of a round on the machine that failed, and nothing else (PC36).

The team that chose the machine goes first and names another; then the other team may change those games, or keep them.
Invariant: nothing here changes the state.
"""

from server.core.rules.acts import DeclareLineup
from server.core.rules.state import State
from server.core.rules.teams.league import declares_first
from server.core.rules.teams.lineups_machines import out_of_order
from server.core.rules.teams.lineups_sheet import sheet_of
from server.core.rules.teams.rosters import roster_for
from server.core.rules.teams.state import Lineup, Match


def open_again(state: State, match: Match, number: int, team: str) -> tuple[str, ...]:
    """Give the games of a round that a team may declare again now, in the order in which it declared them."""
    lineup = match.lineups.get((number, team))
    if lineup is None:
        return ()
    chooser = match.lineups.get((number, declares_first(match, number)))
    played = {game.key for game in match.games if not game.is_void}
    found = []
    for slot, game in lineup.games.items():
        if (number, slot) in played or (number, slot) in match.given_up:
            continue
        failed = game.machine is not None and out_of_order(state, match, game.machine) is not None
        if chooser is lineup:
            again = failed
        else:
            again = not failed and chooser is not None and chooser.entry.get(slot, 0) > lineup.entry[slot]
        if again:
            found.append(slot)
    return tuple(found)


def cannot_declare_again(state: State, match: Match, act: DeclareLineup) -> str | None:
    """Say why a team may not change what it has declared, None where it may."""
    number, team = act.round, act.team
    before = match.lineups[number, team]
    again = open_again(state, match, number, team)
    closed = next((game.slot for game in act.games if game.slot not in again), None)
    if closed is not None:
        if waits := _waits_for(state, match, number, team, closed):
            return waits
        what = f"{team} has declared round {number} already (entry {max(before.entry.values())}), and that stands"
        only = f"; only game {', '.join(again)} may be declared again, as its machine failed (PC36)" if again else ""
        return f"PC7: {what}{only}"
    return _leaves_out(state, match, act, before)


def _waits_for(state: State, match: Match, number: int, team: str, slot: str) -> str | None:
    """PC36: the team that chose the machine goes first."""
    first = declares_first(match, number)
    if team != first and slot in open_again(state, match, number, first):
        return f"PC36: {first} chose the machine of game {slot} of round {number} and names another first"
    return None


def _leaves_out(state: State, match: Match, act: DeclareLineup, before: Lineup) -> str | None:
    """PC36, PC18: a starter who was lined up is not left without a game by the change."""
    if state.teams[act.team].head.roster is None:
        return None
    roles = roster_for(state, match, act.team, None)
    new = {who for game in act.games for who in game.players}
    old = {who for game in act.games for who in before.games[game.slot].players}
    keys = {(act.round, game.slot) for game in act.games}
    sheet = {key: cell for key, cell in sheet_of(state, match).items() if key not in keys}
    playing = {who for cell in sheet.values() for who in cell.players.get(act.team, ())} | new
    rounds = range(1, len(state.settings.round_kinds) + 1)
    if any(number != act.round and (number, act.team) not in match.lineups for number in rounds):
        return None
    out = next((who for who in sorted(old - playing) if roles.get(who) == "starter"), None)
    return None if out is None else f"PC36, PC18: {out} is a starter and would play no game of {match.id}"
