"""By which rung a team of a league stands above or below those whose record is equal (PC37, PC38).

Ranks are the result's own; the rungs are counted from the same matches. Invariant: a rung is named only where all
above it are equal.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.explain.grounds import Grounds, count
from server.core.explain.lines import Line
from server.core.rules.results import StageResult
from server.core.rules.teams.ladder import Counted, counted_in, records_of
from server.core.rules.teams.matches import outcome_of

Row = Mapping[str, Any]


def counted_matches(grounds: Grounds, result: StageResult) -> list[Counted]:
    """Give the matches that count in a league's table: those of the stage that are over, but for tie-break matches."""
    mine = [one for one in grounds.state.matches.values() if one.stage is result.stage and not one.tiebreak]
    return counted_in({match.id: outcome_of(grounds.state, match) for match in mine})


def explain_rungs(grounds: Grounds, result: StageResult, row: Row) -> list[Line]:
    """Give a line for each rung that was needed to order a team among those that are level with it above."""
    if result.stage.form is not None:
        return []
    team, rank = row["who"], row["rank"]
    level = [other for other in result.rows if _same_percentage(row, other)]
    if len(level) == 1:
        return []
    names = _others(grounds, level, team)
    lines = [_rung(grounds, result, row, f"equal record as {names}: {count(row['points'], 'match point')}", [])]
    level = [other for other in level if other["points"] == row["points"]]
    matches = counted_matches(grounds, result)
    while len(level) > 1:
        inside = {str(other["who"]) for other in level}
        among = [match for match in matches if match.points.keys() <= inside]
        records = records_of(sorted(inside), among)
        own = records[team]
        because = f"level with {_others(grounds, level, team)} in record and points; in the matches among them: "
        because += f"{own.wins} won, {count(own.points, 'point')}" if among else "none"
        entries = [grounds.state.matches[match.id].ended for match in among if team in match.points]
        lines.append(_rung(grounds, result, row, because, entries))
        by_wins = [other for other in level if records[str(other["who"])].wins == own.wins]
        kept = (
            by_wins if len(by_wins) < len(level) else [o for o in level if records[str(o["who"])].points == own.points]
        )
        if len(kept) == len(level):
            break
        level = kept
    if len(level) > 1:
        lines.append(_last(grounds, result, row, level, rank))
    return lines


def _last(grounds: Grounds, result: StageResult, row: Row, level: Sequence[Row], rank: int) -> Line:
    """PC38: say what becomes of teams that are level to the last rung."""
    team, names = row["who"], _others(grounds, level, row["who"])
    shared = [other for other in level if other["rank"] == rank and other["who"] != team]
    if not shared:
        because = f"level with {names} to the last rung: in the order of a tie-break match or of the lot"
        return grounds.line("tie", because, rank, stage=result.stage, who=team, entries=_tie_breaks(grounds, result))
    because = f"level with {_others(grounds, [row, *shared], team)} to the last rung: the rank is shared"
    return grounds.line("shared-rank", because, rank, stage=result.stage, who=team)


def _tie_breaks(grounds: Grounds, result: StageResult) -> list[int]:
    entries = [entry for entry, _ in result.stage.draws]
    return entries + [
        match.ended or match.entry
        for match in grounds.state.matches.values()
        if match.stage is result.stage and match.tiebreak
    ]


def _rung(grounds: Grounds, result: StageResult, row: Row, because: str, entries: Sequence[int]) -> Line:
    return grounds.line("tie", because, row["rank"], stage=result.stage, who=row["who"], entries=entries)


def _same_percentage(one: Row, other: Row) -> bool:
    """Compare win percentages without rounding; who has not played has 0."""
    mine, theirs = one["wins"] + one["losses"], other["wins"] + other["losses"]
    return bool(one["wins"] * (theirs or 1) == other["wins"] * (mine or 1))


def _others(grounds: Grounds, level: Sequence[Row], team: str) -> str:
    return grounds.people([other["who"] for other in level if other["who"] != team])
