"""Why a player stands where he stands in a stage: total, rank, ties and how they were broken, group, who goes on.

Numbers are those of the stage's result. Invariant: the parts of a total add up to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.rules.explain_attempts import other_attempts, uncounted_machines
from server.core.rules.explain_cuts import explain_going_on
from server.core.rules.explain_grounds import Grounds, count, number
from server.core.rules.explain_lines import Line
from server.core.rules.explain_machines import Cell, Together, cells_of, explain_cell
from server.core.rules.explain_ties import explain_tie
from server.core.rules.results import StageResult

MANY = 12
"""Numbers of a sum that are still written out."""


def explain_row(grounds: Grounds, result: StageResult, who: str, rivals: Together) -> list[Line]:
    """Give the lines of a player in a stage: rank (with the total and all that it is made of), group, going on.

    A player who has no row there, but games that do not count, has these lines alone.
    """
    row = next((row for row in result.rows if row["who"] == who), None)
    stage = result.stage
    cells = cells_of(grounds, row) if row is not None else []
    counting = {cell.game.id: cell.game for cell in cells}
    uncounted = [
        line
        for machine in uncounted_machines(grounds, result, who, counting)
        for line in other_attempts(grounds, result, who, counting, machine, None)
    ]
    if row is None:
        return uncounted
    lines = [explain_cell(grounds, result, cell, rivals, counting) for cell in cells]
    total = _total(grounds, result, row, cells, [*lines, *uncounted])
    ties = explain_tie(grounds, result, row)
    group = _group(grounds, result, who)
    rank = row.get("rank")
    because = f"rank {rank} of {len(result.rows)} in {stage.id}{_before(result, row)}"
    entries = [entry for line in ties for entry in line.entries]
    found = [
        grounds.line("rank", because, rank, stage=stage, who=who, entries=entries, parts=[total, *ties, *group])  # type: ignore[arg-type]
    ]
    return found + explain_going_on(grounds, result, who)


def _total(
    grounds: Grounds, result: StageResult, row: Mapping[str, Any], cells: Sequence[Cell], parts: Sequence[Line]
) -> Line:
    """C2.5: what the row adds up to, or the score that it ranks by."""
    entries = [entry for line in parts if line.value is not None for entry in line.entries]
    points = row.get("points")
    earned = [cell.points for cell in cells if cell.points is not None]
    value = points if points is not None else row.get("score")
    if not cells or not isinstance(value, int):
        because = "nothing played that counts: 0"
    elif points is None:
        because = f"best score: {number(value)}" if len(cells) > 1 else f"score: {number(value)}"
    elif len(earned) == 1:
        because = f"{count(points, 'point')} from one game"
    elif len(earned) <= MANY:
        because = f"{' + '.join(str(each) for each in earned)} = {count(points, 'point')}"
    else:
        because = f"{count(points, 'point')} from {len(earned)} games"
    return grounds.line("total", because, value, stage=result.stage, who=row["who"], entries=entries, parts=parts)


def _before(result: StageResult, row: Mapping[str, Any]) -> str:
    """Say who is counted before a rank."""
    rank = row.get("rank")
    sharing = sum(other.get("rank") == rank for other in result.rows)
    return f", shared by {sharing}" if sharing > 1 else ""


def _group(grounds: Grounds, result: StageResult, who: str) -> list[Line]:
    """T9, E3.1, U5.1: the group and by which seeds it was made."""
    seeds = {player: seed for seed, player in enumerate(result.seeds, 1)}
    found = []
    for group in result.groups or ():
        if who not in group.who:
            continue
        numbers = [str(seeds[player]) for player in group.who if player in seeds]
        others = grounds.people([player for player in group.who if player != who])
        seed = f"seed {seeds[who]}, " if who in seeds else ""
        because = f"{seed}group {group.id} of the seeds {', '.join(numbers)}: with {others}"
        found.append(grounds.line("group", because, group.id, stage=result.stage, who=who))
    return found
