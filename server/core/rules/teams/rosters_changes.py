"""Changes of a roster: who comes, who goes, whose role changes, and from which day on (PC1 to PC5, PC40).

Invariant: a change is checked as a whole before anything of it is kept, and no membership is ever taken out of the
history.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

from server.core.rules.acts import ChangeRoster
from server.core.rules.state import PlayerState, State
from server.core.rules.teams.rosters import members_on
from server.core.rules.teams.rosters_limits import MOST_TEAMS_OF_ONE, STARTER, faults, tops_of
from server.core.rules.teams.state import Membership, TeamState
from server.core.rules.tournament import Player


def change_roster(state: State, entry: int, at: datetime | None, act: ChangeRoster) -> str | None:
    """PC1 to PC5, PC40: change a roster. Gives the reason when refused."""
    team = state.teams.get(act.team)
    if team is None:
        return f"there is no team {act.team}"
    if state.divisions[""].qualifying.closed:
        return f"PC40: the season is closed, and rosters of the playoffs are those of its last week: {act.team} stays"
    day = counts_from(state, at)
    now = members_on(team, None)
    problem = _bad_change(act, now, team) or _cannot_join(state, team, act, day)
    problem = problem or _breaks_limits(state, team, now, act)
    if problem:
        return problem
    _keep(state, team, entry, day, act)
    return None


def counts_from(state: State, at: datetime | None) -> date | None:
    """PC3: give the day from which a change counts: that day until the deadline, later the next; None: at once."""
    if at is None:
        return None
    local = at.astimezone(state.head.zone)
    deadline = state.settings.roster_deadline
    minutes = local.hour * 60 + local.minute
    late = deadline is not None and (minutes, local.second, local.microsecond) > (deadline, 0, 0)
    return local.date() + timedelta(days=1) if late else local.date()


def _bad_change(act: ChangeRoster, now: Mapping[str, str], team: TeamState) -> str | None:
    """PC3: what a change must say, and of whom."""
    named = [who for who in (act.add, act.drop, act.set) if who is not None]
    if not named:
        return "PC3: say what changes: add, drop or set (a player each)"
    if len(set(named)) != len(named):
        return "PC3: one change names each player once"
    if act.set is not None and act.role is None:
        return f"PC3: say what {act.set} is to be (role: starter or reserve)"
    if act.role is not None and act.add is None and act.set is None:
        return "PC3: a role is that of a player who comes (add) or changes (set)"
    if act.add is not None and act.add in now:
        return f"PC3: {act.add} is on the roster of {act.team} already"
    absent = next((who for who in (act.drop, act.set) if who is not None and who not in now), None)
    if absent is not None:
        return f"PC3: {absent} is not on the roster of {act.team}"
    captains = [who for who in team.head.captains if who in now]
    if act.set in captains and act.role != STARTER:
        return f"PC1: {act.set} is a captain of {act.team}, and captains are starters"
    if captains == [act.drop]:
        return (
            f"PC1: {act.drop} is the only captain of {act.team}, and a team needs one:"
            f" name another of its starters in the list of teams first (captain: [{act.drop}, PLAYER])"
        )
    return None


def _cannot_join(state: State, team: TeamState, act: ChangeRoster, day: date | None) -> str | None:
    """PC4, PC5: no return to the same team, and no third team."""
    who = act.add
    if who is None:
        return None
    if who in state.teams:
        return f"{who} is a team: a player needs another id"
    if any(one.who == who for one in team.roster):
        return f"PC4: {who} was dropped by {act.team} and does not return in this season"
    others = [name for name, other in state.teams.items() if other is not team and _is_on(other, who, day)]
    if len(others) >= MOST_TEAMS_OF_ONE:
        return f"PC5: {who} is on {' and '.join(others)}: a player may be on {MOST_TEAMS_OF_ONE} teams"
    return None


def _is_on(team: TeamState, who: str, day: date | None) -> bool:
    """Say whether somebody is on a roster then, or will be."""
    return any(one.who == who and (one.until is None or (day is not None and day < one.until)) for one in team.roster)


def _breaks_limits(state: State, team: TeamState, now: Mapping[str, str], act: ChangeRoster) -> str | None:
    """PC1, PC2: a roster may not miss a limit by more than it did before, nor by who comes, even for another.

    A team that is not listed is not checked.
    """
    if team.head.roster is None:
        return None
    after = {who: role for who, role in now.items() if who != act.drop}
    if act.set is not None and act.role is not None:
        after[act.set] = act.role
    if act.add is not None:
        after[act.add] = act.role or STARTER
    before = faults(state, now)
    for limit, (count, why) in faults(state, after).items():
        recruits = act.add is not None and limit in tops_of(state, act.add)
        if count > 0 and (count > before[limit][0] or recruits):
            return f"{why}: {act.team} cannot change so"
    return None


def _know(state: State, who: str) -> None:
    """Give somebody who is new in the tournament a place in it."""
    if who not in state.players:
        state.players[who] = PlayerState(head=Player(id=who), division=None)


def _keep(state: State, team: TeamState, entry: int, day: date | None, act: ChangeRoster) -> None:
    if act.drop is not None:
        _end(team, act.drop, day)
    if act.set is not None and act.role is not None:
        _end(team, act.set, day)
        team.roster.append(Membership(who=act.set, role=act.role, entry=entry, since=day))
    if act.add is not None:
        _know(state, act.add)
        team.roster.append(Membership(who=act.add, role=act.role or STARTER, entry=entry, since=day))


def _end(team: TeamState, who: str, day: date | None) -> None:
    """End a membership before a day; one that ends at once, with no day known, is of no day any more."""
    for index, one in enumerate(team.roster):
        if one.who == who and one.until is None:
            team.roster[index] = replace(one, until=day if day is not None else date.min)
