"""Who may play in the playoffs: those who have played in the season, and for one team of a competition (PC5, PC40).

Invariant: rosters are those of the last week; nothing changes here.
"""

from server.core.rules.state import State
from server.core.rules.teams.league_scores import has_played
from server.core.rules.teams.playoffs_matches import seeds_now
from server.core.rules.teams.rosters import last_day, members_on
from server.core.rules.teams.state import Match


def barred_from_playoffs(state: State, match: Match, team: str, who: str) -> str | None:
    """Say why somebody may not play for a team in a match of the playoffs; None where he may, and in other matches."""
    if match.stage.form is None or state.teams[team].head.roster is None:
        return None
    other = _other_team(state, match, team, who)
    if other is not None:
        return f"PC5: {who} is on {team} and {other}, which are both in {match.stage.id}: he plays for neither there"
    return None if has_a_game(state, who) else f"PC40: {who} has played no game of the season"


def has_a_game(state: State, who: str) -> bool:
    """PC40: say whether somebody has played a game of the regular season that is not void, for whichever team."""
    season = state.divisions[""].qualifying
    return any(
        who in game.scores and has_played(game, who)
        for match in state.matches.values()
        if match.stage is season and not match.tiebreak
        for game in match.games
    )


def _other_team(state: State, match: Match, team: str, who: str) -> str | None:
    """PC5: another team for the same trophy (that is, of the same conference) that is in the playoffs, too."""
    field = match.stage.seeds or seeds_now(state)
    conference = state.teams[team].head.division
    for name in field:
        other = state.teams.get(name)
        if (
            other is not None
            and name != team
            and other.head.division == conference
            and who in members_on(other, last_day(state))
        ):
            return name
    return None
