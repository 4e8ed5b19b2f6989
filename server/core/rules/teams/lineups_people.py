"""Who may be lined up: the players of a team's roster that evening, each for one team (PC3, PC5, PC8, PC40).

Invariant: a team without a roster is not checked against one, but its players are known.
"""

from datetime import date

from server.core.rules.acts import DeclareLineup
from server.core.rules.state import State
from server.core.rules.teams.rosters import members_on, roster_for
from server.core.rules.teams.rosters_playoffs import barred_from_playoffs
from server.core.rules.teams.state import Match


def cannot_line_up(state: State, match: Match, act: DeclareLineup, day: date | None) -> str | None:
    """Say who of a line-up may not play for the team that day, None where all may."""
    for game in act.games:
        for who in game.players:
            if problem := no_player_of(state, match, act.team, who, day):
                return problem
    return None


def no_player_of(state: State, match: Match, team: str, who: str, day: date | None) -> str | None:
    """Say why somebody may not play for a team in a match on a day, None where he may."""
    if who not in state.players:
        return f"there is no player {who}"
    if state.players[who].ejected:
        return f"{who} is disqualified"
    other = match.opponent(team)
    roster = state.teams[team].head.roster
    if roster is not None and who not in roster_for(state, match, team, day):
        return f"PC3: {who} is not on the roster of {team}{'' if day is None else f' on {day.isoformat()}'}"
    if roster is None and who in members_on(state.teams[other], day):
        return f"PC8: {who} is a player of {other}"
    theirs = ((number, lineup) for (number, side), lineup in match.lineups.items() if side == other)
    for number, lineup in theirs:
        if any(who in game.players for game in lineup.games.values()):
            return f"PC5: {who} is lined up for {other} in round {number}: nobody plays for both"
    return barred_from_playoffs(state, match, team, who)
