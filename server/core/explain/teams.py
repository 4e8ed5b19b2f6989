"""Why a team stands where it stands in a stage: its matches, what it earned in each, how level teams were ordered.

Numbers are those of the stage's result and of the matches' outcomes. Invariant: the parts of a total add up to it.
"""

from collections.abc import Mapping
from typing import Any

from server.core.explain.cuts import explain_going_on
from server.core.explain.grounds import Grounds, count, number
from server.core.explain.lines import Line
from server.core.explain.matches import brief_match, explain_match
from server.core.explain.ties import explain_open_tie
from server.core.rules.results import StageResult
from server.core.rules.teams.matches import outcome_of
from server.core.rules.teams.state import Match

MANY = 20
"""Numbers of a sum that are still written out."""


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
    sharing = sum(other.get("rank") == rank for other in result.rows)
    shared = f", shared by {sharing}" if sharing > 1 else ""
    because = f"rank {rank} of {len(result.rows)} in {stage.id}{shared}"
    entries = [*total.entries, *(entry for line in ties for entry in line.entries)]
    parts = [total, *_record(grounds, result, row), *ties]
    ranked = grounds.line("rank", because, rank, stage=stage, who=team, entries=entries, parts=parts)
    return [ranked, *explain_going_on(grounds, result, team)]


def matches_of(grounds: Grounds, result: StageResult, team: str) -> list[Match]:
    """Give the matches of a team in a stage, in the order in which they were set."""
    return [match for match in grounds.state.matches.values() if match.stage is result.stage and team in match.teams]


def _total(grounds: Grounds, result: StageResult, row: Mapping[str, Any], *, brief: bool) -> Line:
    team, value = row["who"], row.get("points", row.get("score"))
    write = brief_match if brief else explain_match
    parts = [write(grounds, match, team) for match in matches_of(grounds, result, team) if not match.tiebreak]
    earned = [part.value for part in parts if isinstance(part.value, int)]
    if len(earned) > 1 and len(earned) <= MANY and sum(earned) == value:
        because = f"{' + '.join(map(str, earned))} = {count(value, 'point')}"
    else:
        because = f"{count(value, 'point')}" if "points" in row else f"score: {number(value or 0)}"
    entries = [entry for part in parts for entry in part.entries]
    return grounds.line("total", because, value, stage=result.stage, who=team, entries=entries, parts=parts)


def _record(grounds: Grounds, result: StageResult, row: Mapping[str, Any]) -> list[Line]:
    """PC37: the matches that a team has won and lost."""
    if "wins" not in row:
        return []
    team = row["who"]
    over = [
        (match, outcome)
        for match in matches_of(grounds, result, team)
        if not match.tiebreak and (outcome := outcome_of(grounds.state, match)).status == "final"
    ]
    won = [match for match, outcome in over if outcome.winner == team]
    because = f"{row['wins']} won, {row['losses']} lost"
    if won:
        because += f": won {', '.join(match.id for match in won)}"
    return [
        grounds.line(
            "record",
            because,
            row["wins"],
            stage=result.stage,
            who=team,
            entries=[match.ended or match.entry for match, _ in over],
        )
    ]
