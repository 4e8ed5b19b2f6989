"""Who is to play a game of a match next, in order of play, as line-ups say (PC7, PC11, PC15, PC16, PC19, PC20, UT2).

Only reading, for whoever puts people on a machine: an order is shown and filled in, never enforced here.
Invariant: nobody is named who has a score in that slot already.
"""

from itertools import zip_longest

from server.core.rules.acts import LinedUp
from server.core.rules.state import State
from server.core.rules.teams.league import declares_first, find_slot, is_over, no_slot, plays_first
from server.core.rules.teams.league_scores import has_played
from server.core.rules.teams.restricted import is_restricted
from server.core.rules.teams.state import Match


def who_plays(state: State, name: str, number: int | None, slot: str | None, machine: str) -> tuple[str, ...] | str:
    """Give who plays a game of a match on this machine now, in order of play; or the reason why that is not known.

    Without round and slot the match's one game of its teams is meant: its game where teams play one position (UT2), or
    its tie-break game (PC19, the away team first).
    """
    match = state.matches.get(name)
    if match is None:
        return f"there is no match {name}"
    if state.head.preset.first != "season":
        return match.teams if state.settings.match_points else "say who plays: scores of a match are kept by player"
    if (over := is_over(match)) is not None:
        return over
    if number is None and slot is None:
        return match.away, match.home
    if find_slot(state.settings, number, slot) is None or number is None or slot is None:
        return no_slot(state, number, slot)
    declared = {team: lined_up(match, number, slot, team) for team in match.teams}
    missing = [team for team, game in declared.items() if game is None]
    if missing:
        return f"PC7: {' and '.join(missing)} declared no line-up for round {number}, game {slot}: say who plays"
    chosen = machine_of(match, number, slot)
    if chosen is not None and chosen != machine:
        return f"PC7: the line-ups name {chosen} for round {number}, game {slot}, not {machine}"
    return _next(state, match, number, slot, machine)


def order_of_play(state: State, match: Match, number: int, slot: str) -> tuple[str, ...]:
    """PC11: give who plays a slot, alternating, the team that declared second first; empty where nobody is declared.

    A top-150 player on a machine of the own choice plays last of the team, and so fourth (PC20).
    """
    chooser = declares_first(match, number)
    sides = []
    for team in (plays_first(match, number), chooser):
        game = lined_up(match, number, slot, team)
        players = game.players if game is not None else ()
        sides.append(sorted(players, key=lambda who: team == chooser and is_restricted(state, who)))
    return tuple(who for pair in zip_longest(*sides) for who in pair if who is not None)


def lined_up(match: Match, number: int, slot: str, team: str) -> LinedUp | None:
    """Give what a team has declared for a slot, None where nothing."""
    lineup = match.lineups.get((number, team))
    return None if lineup is None else lineup.games.get(slot)


def machine_of(match: Match, number: int, slot: str) -> str | None:
    """Give the machine that the line-ups name for a slot."""
    games = (
        lined_up(match, number, slot, team) for team in (declares_first(match, number), plays_first(match, number))
    )
    return next((game.machine for game in games if game is not None and game.machine is not None), None)


def _next(state: State, match: Match, number: int, slot: str, machine: str) -> tuple[str, ...] | str:
    games = [game for game in match.games if game.key == (number, slot) and not game.is_void]
    played = {who for game in games for who in game.scores if has_played(game, who)}
    order = [who for who in order_of_play(state, match, number, slot) if who not in played]
    if not order:
        return f"{match.id}: round {number}, game {slot} has been played"
    known = state.machines.get(machine)
    positions = known.head.players if known is not None else None
    size = len(order)
    if positions is not None and positions < size:
        size = 2 if positions > 1 else 1  # PC15: two one-on-one games; PC16: one at a time
    if games:
        size = min(size, *(len(game.scores) for game in games))
    return tuple(order[:size])
