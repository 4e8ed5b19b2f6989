"""Rosters of teams that play in groups: a missing player may be replaced (UT12; the document's "Missing Players").

Invariant: who comes in plays for one team only, and a game that was taken stays that of whom it was played for.
"""

from dataclasses import replace
from datetime import date, datetime

from server.core.rules.acts import ChangeRoster
from server.core.rules.state import PlayerState, State
from server.core.rules.teams.rosters import day_of, members_on
from server.core.rules.teams.state import Membership
from server.core.rules.tournament import Player


def change_group_roster(state: State, entry: int, at: datetime | None, act: ChangeRoster) -> str | None:
    """Take a player off a roster, or put one on it who has neither played nor is due to. Why it is refused."""
    team = state.teams.get(act.team)
    if team is None:
        return f"there is no team {act.team}"
    if act.add is None and act.drop is None:
        return "say who comes (add) and who goes (drop); roles have no meaning here"
    now = members_on(team, None)
    if act.drop is not None and act.drop not in now:
        return f"{act.drop} is not on the roster of {act.team}"
    if act.add is not None and (problem := _cannot_come(state, act.add)):
        return problem
    if act.drop is not None:
        gone = day_of(state, at) or date.min
        team.roster = [replace(one, until=gone) if one.who == act.drop else one for one in team.roster]
    if act.add is not None:
        state.players.setdefault(act.add, PlayerState(head=Player(id=act.add), division=None))
        team.roster.append(Membership(who=act.add, role=act.role or "starter", entry=entry))
    return None


def _cannot_come(state: State, who: str) -> str | None:
    if who in state.teams:
        return f"{who} is a team"
    for team in state.teams.values():
        if who in members_on(team, None):
            return f"{who} is on the roster of {team.head.id}: he is due to play there"
    played = (match.id for match in state.matches.values() for sides in match.sides.values() if who in sides)
    match = next(played, None)
    return None if match is None else f"{who} has played already, in {match}"
