"""Who plays a game of a league match for which team, and on which machine it may be played.

Invariant: for whom somebody plays is asked of the roster of that day; a team without a roster is not checked.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from server.core.rules.machines import unavailable
from server.core.rules.state import Game, State
from server.core.rules.teams.rosters import roster_for
from server.core.rules.teams.state import Match


def sides_of(state: State, match: Match, who: Sequence[str], day: date | None) -> Mapping[str, str] | str:
    """Give for which team each of some players (or teams) plays that day, or why that cannot be told."""
    rosters = {
        team: roster_for(state, match, team, day) if state.teams[team].head.roster is not None else None
        for team in match.teams
    }
    open_ = [team for team, members in rosters.items() if members is None]
    found: dict[str, str] = {}
    for one in who:
        teams = [one] if one in rosters else [team for team, members in rosters.items() if members and one in members]
        if not teams and one not in state.players:
            return f"there is no player {one}"
        if one in state.players and state.players[one].ejected:
            return f"C3.5: {one} is disqualified: no further result of his counts"
        declared = [team for team in teams or open_ if len(teams) != 1 and _declares(match, team, one)]
        if len(declared) == 1:
            teams = declared
        elif not teams and len(open_) == 1:
            teams = open_
        if len(teams) != 1:
            return _homeless(match, one, teams, open_)
        found[one] = teams[0]
    return found


def cannot_serve(match: Match, game: Game, begun: datetime | None) -> str | None:
    """Say why a machine takes no game of this match (PC10, PC36)."""
    head = game.machine.head
    barred = match.barred.get(head.id)
    if head.id in match.barred and not (barred is not None and begun is not None and begun < barred):
        return f"PC36: {head.id} is out of {match.id} for good"
    if head.venue is not None and match.venue is not None and head.venue != match.venue:
        return f"PC10: {head.id} is at {head.venue}, {match.id} is played at {match.venue}"
    if game.machine.status == "closed" and not (begun and game.machine.changed_at and begun < game.machine.changed_at):
        return f"PC36: {head.id} is closed"
    free = game.machine.status == "disabled"  # out of another match, which says nothing of this one
    problem = None if free else unavailable(game.machine, begun, match.stage)
    return None if problem is None else f"PC36: {problem}"


def _declares(match: Match, team: str, who: str) -> bool:
    """Say whether a team has lined somebody up in a match: nobody is lined up for both (PC5)."""
    lineups = (lineup for (_, side), lineup in match.lineups.items() if side == team)
    return any(who in game.players for lineup in lineups for game in lineup.games.values())


def _homeless(match: Match, who: str, teams: Sequence[str], open_: Sequence[str]) -> str:
    if teams:
        return f"PC5: {who} is on the rosters of both {' and '.join(teams)}: nobody plays for both in {match.id}"
    if open_:
        return f"{' and '.join(open_)} have no roster: key the scores by team, or give the teams their rosters"
    return f"PC3: {who} is on the roster of neither {match.home} nor {match.away} that day"
