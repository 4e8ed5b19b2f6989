"""Machines that are put out of the matches now going on at their venue, for good (PC36).

Invariant: the next match at that venue may use them again.
"""

from datetime import datetime

from server.core.rules.state import MachineState, State
from server.core.rules.teams.league import is_over
from server.core.rules.teams.state import Match


def put_out(state: State, machine: MachineState, entry: int, at: datetime | None) -> None:
    """PC36: bar a machine from the matches now going on where it stands, for good; where none is, say so."""
    matches = _going_on(state, machine.head.venue)
    for match in matches:
        match.barred.setdefault(machine.head.id, at)
    if not matches:
        name = machine.head.id
        why = f"PC36: no match is set where {name} stands, so it is put out of none; `down` keeps it from the next one"
        state.flag(entry, "needs-official", why)


def _going_on(state: State, venue: str | None) -> list[Match]:
    """Give the matches at a venue that have begun and are not over; where none has, those that are set for next.

    Of matches of several weeks that were set before hand the next ones are those of the first week.
    """
    there = [
        match
        for match in state.matches.values()
        if is_over(match) is None and (venue is None or match.venue in {venue, None})
    ]
    begun = [match for match in there if match.games or match.lineups or match.given_up]
    weeks = [match.week for match in there if match.week is not None]
    return begun or [match for match in there if match.week is None or match.week == min(weeks)]
