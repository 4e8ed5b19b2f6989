"""The season of a league: the table of its teams, and who goes on to the playoffs (PC37 to PC39).

Invariant: nothing here changes the state.
"""

from server.core.rules.ranking import classes, positions
from server.core.rules.results import StageResult
from server.core.rules.state import Division, State
from server.core.rules.teams.league import league_outcome
from server.core.rules.teams.state import Match


def cannot_set_season_match(state: State, match: Match) -> str | None:
    """Say why a match cannot be set in the season, None where it can."""
    return f"{match.stage.id} is closed" if match.stage.closed and not match.tiebreak else None


def season_result(state: State, division: Division) -> StageResult:
    """Rank the teams of a season."""
    stage = division.qualifying
    points = dict.fromkeys(state.teams, 0)
    for match in state.matches.values():
        if match.stage is stage and not match.tiebreak:
            for team, earned in league_outcome(state, match).points.items():
                points[team] += earned
    ranks = positions(classes(points))
    rows: list[dict[str, object]] = [{"rank": rank, "who": who, "points": points[who]} for who, rank in ranks.items()]
    return StageResult(stage=stage, rows=rows, ranks=ranks)
