"""Which matches may be set in a season, and which tie-break matches after it (PC38).

Invariant: after the close only who is level over the cut plays on.
"""

from server.core.rules.stages import chain
from server.core.rules.state import State
from server.core.rules.teams.league import league_outcome
from server.core.rules.teams.state import Match


def cannot_set_season_match(state: State, match: Match) -> str | None:
    """Say why a match cannot be set in the season, None where it can."""
    stage = match.stage
    if match.tiebreak:
        return _no_tie_break(state, match)
    if stage.closed:
        return f"{stage.id} is closed (entry {stage.closed_entry}): only a tie-break match (`tiebreak: true`) follows"
    return None


def _no_tie_break(state: State, match: Match) -> str | None:
    stage = match.stage
    if not stage.closed:
        return f"PC38: {stage.id} is open: a tie-break match follows its close, where the tie decides who goes on"
    cuts = [tie.tie.who for tie in chain(state, state.divisions[stage.division])[0].ties if tie.tie.reason == "cut"]
    if not any(set(match.teams) <= set(who) for who in cuts):
        level = "; ".join(", ".join(who) for who in cuts)
        over = f"only {level} are level there" if level else "nobody is level there"
        return f"PC38: a tie-break match is played where a tie lies over the cut: {over}"
    for other in state.matches.values():
        if other.tiebreak and set(other.teams) == set(match.teams) and league_outcome(state, other).status != "final":
            return f"PC38: {other.id} is set for {match.home} and {match.away} already, and not over"
    return None
