"""Rosters over time: who is of a team on a day (PC3, PC40). What a change needs is in `rosters_changes`.

Invariant: who has been on a roster stays in its history; nobody is on one twice on the same day.
"""

from datetime import date, datetime, timedelta

from server.core.rules.state import State
from server.core.rules.teams.state import Match, TeamState

NIGHT_ENDS = 6
"""Before this hour a game is still of the evening before, where its match was set then."""


def members_on(team: TeamState, day: date | None) -> dict[str, str]:
    """Give who is on a team's roster on a day of the venue, with the role; without a day, at the end of the log."""
    return {
        one.who: one.role
        for one in team.roster
        if (one.since is None or day is None or one.since <= day)
        and (one.until is None or (day is not None and day < one.until))
    }


def roster_for(state: State, match: Match, team: str, day: date | None) -> dict[str, str]:
    """Give who may be lined up for a team in a match: its roster that day, in the playoffs that of the last week.

    PC40: what counts only after the last match of the season does not reach the playoffs.
    """
    return members_on(state.teams[team], last_day(state) if match.stage.form is not None else day)


def last_day(state: State) -> date | None:
    """PC40: give the day of the last match of the regular season, None where no day of its matches is known."""
    season = state.divisions[""].qualifying
    days = [
        day
        for match in state.matches.values()
        if match.stage is season and not match.tiebreak and (day := match.played_on) is not None
    ]
    return max(days, default=None)


def note_day(match: Match, day: date | None) -> None:
    """Keep the last day of which a game of a match is known to be."""
    if day is not None and (match.played_on is None or day > match.played_on):
        match.played_on = day


def day_of(state: State, at: datetime | None) -> date | None:
    """Give the venue's day of a moment."""
    return None if at is None else at.astimezone(state.head.zone).date()


def evening_of(state: State, match: Match, moment: datetime | None) -> date | None:
    """Give the day of which a game or a line-up of a match is: past midnight still that of the evening's match.

    Without a moment it is the day on which the match was set; None where that is not known either.
    """
    set_on = day_of(state, match.at)
    if moment is None:
        return set_on
    local = moment.astimezone(state.head.zone)
    before = local.date() - timedelta(days=1)
    return before if local.hour < NIGHT_ENDS and set_on == before else local.date()


def team_of(state: State, who: str, teams: tuple[str, ...], day: date | None) -> str | None:
    """Give for which of some teams a player (or a team itself) plays on a day, None where for none of them."""
    if who in teams:
        return who
    return next((team for team in teams if who in members_on(state.teams[team], day)), None)
