"""Machines that are put out of the matches now going on at their venue, for good (PC36).

Invariant: the next match at that venue may use them again.
"""

from datetime import datetime

from server.core.rules.state import MachineState, State
from server.core.rules.teams.league import is_over
from server.core.rules.teams.state import Match


def put_out(state: State, machine: MachineState, at: datetime | None) -> None:
    """PC36: bar a machine from the matches now going on where it stands, for good."""
    for match in _going_on(state, machine.head.venue):
        match.barred.setdefault(machine.head.id, at)


def _going_on(state: State, venue: str | None) -> list[Match]:
    """Give the matches that are set and not over at a venue; of several weeks set before hand only the current one.

    The current ones are those that have begun and those of the same week, and what was set after all that they have;
    where none has begun, those of the first week.
    """
    there = [
        match
        for match in state.matches.values()
        if is_over(match) is None and (venue is None or match.venue in {venue, None})
    ]
    begun = [match for match in there if match.games or match.lineups or match.given_up]
    if not begun:
        weeks = [match.week for match in there if match.week is not None]
        return [match for match in there if match.week is None or match.week == min(weeks)]
    latest = max(_last_entry(match) for match in begun)
    current = {match.week for match in begun if match.week is not None}
    new = [match for match in there if match.entry > latest]
    weeks = [match.week for match in new if match.week is not None]
    if weeks:
        current.add(min(weeks))
    return [
        match for match in there if match in begun or match.week in current or (match in new and match.week is None)
    ]


def _last_entry(match: Match) -> int:
    games = [game.entry for game in match.games]
    return max([*games, *(entry for lineup in match.lineups.values() for entry in lineup.entry.values()), 0])
