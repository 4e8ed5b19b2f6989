"""Games that break a tie: the one that decides a level match (PC19), and the replay of a drawn game (C4.4).

Invariant: neither gives points of its own; a drawn game's replay gives what that game is worth.
"""

from collections.abc import Mapping
from datetime import datetime

from server.core.rules.state import TIEBREAK, Game, State
from server.core.rules.teams.league import (
    LEVEL,
    complete,
    is_level,
    is_over,
    league_outcome,
    slot_results,
    tie_break_winner,
)
from server.core.rules.teams.league_incidents import attach_incidents
from server.core.rules.teams.league_players import cannot_serve, sides_of
from server.core.rules.teams.rosters import evening_of
from server.core.rules.teams.state import Match

KINDS = ("shared", "split-flipper")


def take_match_tie(state: State, match: Match, game: Game, begun: datetime | None) -> str | None:
    """PC19: one game of a level match after its last round, by team, the away team first. Reason when refused."""
    act = game.played
    if league_outcome(state, match).losers:
        return is_over(match)
    if not is_level(state, match):
        return f"PC19: {match.id} is not level: it needs no tie-break game"
    if is_over(match) is None and not complete(state, match):
        return f"PC19: {match.id} is not complete: a tie-break game comes after the last round"
    winner = tie_break_winner(state, match)
    if winner is not None:
        return f"PC19: {winner} has won the tie-break game of {match.id} already: correct or void that one"
    if match.decided is not None:
        return f"PC19: officials gave {match.id} to {match.decided}"
    if set(act.scores) != {*match.teams}:
        return f"PC19: the scores of a tie-break game are by team: {match.away} and {match.home}"
    if act.format is not None and act.format not in KINDS:
        return f"PC19: format is {' or '.join(KINDS)}, as {match.home} chooses, not {act.format}"
    if problem := cannot_serve(match, game, begun):
        return problem
    if next(iter(act.scores)) != match.away:
        state.flag(game.entry, "order", f"PC19: {match.away} starts the tie-break game; {game.id} has it second")
    _keep(match, game, {team: team for team in act.scores}, ())
    return None


def take_game_tie(state: State, game: Game, begun: datetime | None) -> str | None:
    """C4.4: decide a drawn game of a match. Gives the reason when refused."""
    act = game.played
    drawn = state.games.get(str(act.tiebreak))
    match = next((one for one in state.matches.values() if drawn is not None and drawn.id in one.sides), None)
    if drawn is None or match is None:
        return f"there is no game {act.tiebreak} of a match"
    if act.match is not None and act.match != match.id:
        return f"{drawn.id} is a game of {match.id}, not of {act.match}"
    if drawn in match.tiebreaks and drawn.key == ():
        return take_match_tie(state, match, game, begun)
    if problem := is_over(match):
        return problem
    key = drawn.key
    result = next((one for one in slot_results(state, match) if (one.slot.round, one.slot.slot) == key), None)
    if result is None or result.status != LEVEL or drawn.id not in {*result.games, *result.replays}:
        return f"{drawn.id} is not drawn: there is no tie to break"
    sides = sides_of(state, match, tuple(act.scores), evening_of(state, match, begun))
    if isinstance(sides, str):
        return sides
    if {*sides.values()} != {*match.teams}:
        return f"{game.id} needs scores of both teams: it breaks the tie of {drawn.id}"
    if problem := cannot_serve(match, game, begun):
        return problem
    _keep(match, game, sides, drawn.key)
    return None


def _keep(match: Match, game: Game, sides: Mapping[str, str], key: tuple[str | int | None, ...]) -> None:
    game.kind = TIEBREAK
    game.stage = match.stage
    game.who = tuple(sides)
    game.key = key
    match.tiebreaks.append(game)
    match.sides[game.id] = sides
    attach_incidents(match, game)
