"""Taking a game of a league match: the right players, on a machine that may still be played (PC6 to PC17, PC21).

A slot is one game, or the parts of one: two of one against one on a machine for two (PC15), or one for each player
where scores are stolen (PC16). Games that break a tie are in `league_ties`.
Invariant: a game of a match keeps to what its line-ups declare, where there are any.
"""

from collections.abc import Mapping
from datetime import datetime

from server.core.rules.stages import too_late
from server.core.rules.state import FINALS, Game, State
from server.core.rules.teams.disputes import drop_late_challenges
from server.core.rules.teams.league import (
    LEVEL,
    Slot,
    SlotResult,
    find_slot,
    is_over,
    no_slot,
    plays_first,
    slot_result,
)
from server.core.rules.teams.league_incidents import attach_incidents
from server.core.rules.teams.league_players import cannot_serve, sides_of
from server.core.rules.teams.league_scores import has_played, players_in, players_in_game, players_of
from server.core.rules.teams.league_ties import take_game_tie, take_match_tie
from server.core.rules.teams.lineups_games import cannot_play, note_place
from server.core.rules.teams.rosters import evening_of, note_day
from server.core.rules.teams.state import Match

FULL = 3
"""A machine for so many, or more, takes a whole doubles game, if need be of one against two (PC21)."""


def take_league_game(state: State, game: Game, begun: datetime | None) -> str | None:
    """Take a game of a match, also one that breaks a tie. Gives the reason when refused."""
    act = game.played
    if isinstance(act.tiebreak, str):
        return take_game_tie(state, game, begun)
    match = state.matches.get(act.match or "")
    if match is None:
        return _no_match(act.game, act.match, tiebreak=act.tiebreak)
    if act.stage is not None and act.stage != match.stage.id:
        return f"{match.id} is a match of {match.stage.id}, not of {act.stage}"
    if act.tiebreak:
        return take_match_tie(state, match, game, begun)
    return _take(state, match, game, begun)


def _no_match(game: str, match: str | None, *, tiebreak: object) -> str:
    if match is not None:
        return f"there is no match {match}: schedule it first"
    if tiebreak:
        return f"PC38: a tie of the season is played off in a match (match: ID, tiebreak: true), not in {game} alone"
    return f"{game} names no match (match: ...): without one it counts only once a ruling names it (PC35)"


def _take(state: State, match: Match, game: Game, begun: datetime | None) -> str | None:
    act = game.played
    if problem := is_over(match):
        return problem
    if not match.tiebreak and (problem := too_late(state, match.stage, begun, game.id)):
        return problem
    slot = find_slot(state.settings, act.round, act.slot)
    if slot is None:
        return no_slot(state, act.round, act.slot)
    sides = sides_of(state, match, tuple(act.scores), evening_of(state, match, begun))
    if isinstance(sides, str):
        return sides
    result = slot_result(state, match, slot)
    games = [state.games[name] for name in result.games]
    problem = _slot_taken(match, slot, result, sides, games)
    problem = problem or _wrong_size(game, match, slot, sides, begun=bool(games))
    problem = problem or cannot_serve(match, game, begun)
    problem = problem or cannot_play(state, match, game, slot, sides)
    if problem:
        return problem
    game.kind = FINALS
    game.stage = match.stage
    game.who = tuple(act.scores)
    game.key = (slot.round, slot.slot)
    match.games.append(game)
    match.stage.games.append(game)
    match.sides[game.id] = sides
    note_day(match, evening_of(state, match, begun))
    attach_incidents(match, game)
    drop_late_challenges(state, match)
    _check_order(state, match, game, slot, sides)
    note_place(state, match, game, slot, sides)
    return None


def _slot_taken(
    match: Match, slot: Slot, result: SlotResult, sides: Mapping[str, str], games: list[Game]
) -> str | None:
    """A slot that is complete, or that somebody has forfeited, takes no more; a void game frees it."""
    place = f"round {slot.round}, game {slot.slot} of {match.id}"
    for team, entry in match.given_up.get((slot.round, slot.slot), {}).items():
        return f"PC21, PC30: {place} is forfeited by {team} (entry {entry}): no result for it is taken"
    if not games:
        return None
    recorded = ", ".join(result.games)
    if result.status == LEVEL:
        return f"{place} is drawn: record its replay with tiebreak: {result.games[0]}"
    there = players_in(match, slot.side, games)
    again = next((who for who in sides if any(has_played(game, who) for game in games)), None)
    if again is not None:
        return f"PC8: {again} has a score in {place} already ({recorded}): correct or void it"
    more = players_in_game(slot.side, sides)
    for team in match.teams:
        if more.get(team, 0) and there[team] + more[team] > players_of(match, team, slot.side, games):
            return f"PC6: {place} is played ({recorded}): void it where it is to be played again"
    return None


def _wrong_size(game: Game, match: Match, slot: Slot, sides: Mapping[str, str], *, begun: bool) -> str | None:
    """PC14 to PC17, PC21: how many play a game for each side, and how many a machine has room for."""
    more = players_in_game(slot.side, sides)
    home, away = (more.get(team, 0) for team in match.teams)
    room = game.machine.head.players
    who = f"{game.id} has {home} of {match.home} and {away} of {match.away}"
    if room is not None and len(sides) > room and room < FULL:
        clause = "PC15, in games of one against one" if room > 1 else "PC16, one player at a time"
        return f"{who}, but {game.machine.head.id} is for {room}: record its parts as games of the same slot ({clause})"
    if (home, away) in {(1, 0), (0, 1)}:
        return None
    if slot.kind == "singles":
        return None if (home, away) == (1, 1) else f"PC17: a singles game is one against one; {who}"
    if (home, away) == (1, 1):
        half = room is None or room < FULL
        return None if half or _both_alone(match, slot) else f"PC14: a doubles game is two against two; {who}"
    if (home, away) not in {(2, 2), (1, 2), (2, 1)}:
        return f"PC14: a doubles game is two against two, or one against two where a team is short (PC21); {who}"
    return f"PC15: {game.id} is a whole game, but parts of this slot are recorded: void them first" if begun else None


def _both_alone(match: Match, slot: Slot) -> bool:
    """Say whether both teams have declared one player for a doubles game."""
    declared = [match.lineups.get((slot.round, team)) for team in match.teams]
    games = [lineup.games.get(slot.slot) for lineup in declared if lineup is not None]
    return [len(game.players) for game in games if game is not None] == [1, 1]


def _check_order(state: State, match: Match, game: Game, slot: Slot, sides: Mapping[str, str]) -> None:
    """PC11: who declared second plays first, and doubles alternate. Never penalised: it may be typing."""
    if len(sides) == 1:
        return
    first = plays_first(match, slot.round)
    left = {team: sum(other == team for other in sides.values()) for team in match.teams}
    expected = []
    turn = first
    while any(left.values()):
        if left[turn]:
            expected.append(turn)
            left[turn] -= 1
        turn = match.opponent(turn)
    if list(sides.values()) != expected:
        played = ", ".join(sides)
        why = f"PC11: {first} starts round {slot.round}, then the teams take turns; {game.id} has {played}"
        state.flag(game.entry, "order", why)
