"""Why a team stands where it stands in a stage: its matches, what it earned in each, how level teams were ordered.

Numbers are those of the stage's result and of the matches' outcomes. Invariant: the parts of a total add up to it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from server.core.explain.cuts import explain_going_on
from server.core.explain.grounds import Grounds, count, number
from server.core.explain.ladder import counted_matches, explain_rungs
from server.core.explain.lines import Line
from server.core.explain.matches import added, explain_points
from server.core.explain.team_groups import bonus_parts, explain_level, group_apart, score_parts
from server.core.explain.ties import explain_open_tie
from server.core.rules.results import StageResult
from server.core.rules.teams.state import Match

MANY = 20
"""Numbers of a sum that are still written out."""


LEVEL: Mapping[str, Callable[[Grounds, StageResult, Mapping[str, Any]], list[Line]]] = {
    "season": explain_rungs,
    "team_groups": explain_level,
}
"""By what teams are in order that are level, by how the first stage is played."""


def explain_team_row(grounds: Grounds, result: StageResult, team: str, *, brief: bool) -> list[Line]:
    """Give the lines of a team in a stage: rank (with the total, the record, how it is ordered), going on.

    Without a row there are none but whether it goes on. `brief` leaves out what each match rests on.
    """
    row = grounds.row_of(result, team)
    if row is None:
        return explain_going_on(grounds, result, team) if team in {*result.players, *result.advance} else []
    stage, rank = result.stage, row["rank"]
    total = _total(grounds, result, row, brief=brief)
    ties = [explain_open_tie(grounds, result, tie, team) for tie in result.ties if team in tie.tie.who]
    apart = group_apart(grounds, result, team)
    among = [other for other in result.rows if apart is None or other["who"] in apart.who]
    sharing = sum(other.get("rank") == rank for other in among)
    where = f"group {apart.id} of {stage.id}" if apart is not None else stage.id
    because = f"rank {rank} of {len(among)} in {where}" + (f", shared by {sharing}" if sharing > 1 else "")
    entries = [*total.entries, *(entry for line in ties for entry in line.entries)]
    rungs = LEVEL[grounds.preset.first](grounds, result, row) if grounds.preset.first in LEVEL else []
    parts = [total, *_record(grounds, result, row), *rungs, *ties]
    ranked = grounds.line("rank", because, rank, stage=stage, who=team, entries=entries, parts=parts)
    return [ranked, *explain_going_on(grounds, result, team)]


def matches_of(grounds: Grounds, result: StageResult, team: str) -> list[Match]:
    """Give the matches of a team in a stage, in the order in which they were set."""
    return [match for match in grounds.state.matches.values() if match.stage is result.stage and team in match.teams]


def _total(grounds: Grounds, result: StageResult, row: Mapping[str, Any], *, brief: bool) -> Line:
    team, value = row["who"], row.get("points", row.get("score"))
    counted = _counted(grounds, result)
    parts = [
        explain_points(grounds, match, team, counts=match.id in counted, brief=brief)
        for match in matches_of(grounds, result, team)
    ]
    if grounds.preset.first == "team_groups":
        parts += bonus_parts(grounds, result, team) if "points" in row else score_parts(grounds, result, team)
    earned = [part.value for part in parts if isinstance(part.value, int)]
    if "points" not in row:
        because = f"score: {number(value or 0)}"
    elif 1 < len(earned) <= MANY and added(parts) == value:
        because = f"{' + '.join(map(str, earned))} = {count(value, 'point')}"
    else:
        because = count(value, "point")
    entries = [entry for part in parts for entry in part.entries]
    return grounds.line("total", because, value, stage=result.stage, who=team, entries=entries, parts=parts)


def _counted(grounds: Grounds, result: StageResult) -> set[str]:
    """Give the matches whose points count in the stage's table."""
    if result.rows and "wins" in result.rows[0]:
        return {match.id for match in counted_matches(grounds, result)}
    return {name for name, match in grounds.state.matches.items() if match.stage is result.stage and not match.tiebreak}


def _record(grounds: Grounds, result: StageResult, row: Mapping[str, Any]) -> list[Line]:
    """PC37: the matches that a team has won and lost."""
    if "wins" not in row:
        return []
    team = row["who"]
    over = [match for match in counted_matches(grounds, result) if team in match.points]
    won = [match.id for match in over if match.winner == team]
    lost = [match.id for match in over if team in match.losers]
    because = f"{row['wins']} won{_listed(won)}, {row['losses']} lost{_listed(lost)}"
    matches = grounds.state.matches
    entries = [matches[match.id].ended or matches[match.id].entry for match in over]
    return [grounds.line("record", because, row["wins"], stage=result.stage, who=team, entries=entries)]


def _listed(names: list[str]) -> str:
    return f" ({', '.join(names)})" if names else ""
