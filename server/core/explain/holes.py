"""Why a hole of pin golf took so many strokes: as recorded, by the target reached, or by what was missed (G1 to G5).

Strokes are those of the result's own row. Invariant: strokes that are not known are said to be not known.
"""

from collections.abc import Iterable

from server.core.explain.cells import Cell, Where
from server.core.explain.grounds import Grounds, count, number
from server.core.explain.lines import Line
from server.core.rules.results import StageResult


def explain_hole(grounds: Grounds, result: StageResult, cell: Cell, parts: Iterable[Line]) -> Line:
    """Give the line of one hole: its strokes, and the score and the target behind them."""
    settings, name = grounds.settings, grounds.machine(cell.machine)
    target = settings.targets.get(cell.machine)
    setting = "targets"
    if cell.points is None:
        because = f"the strokes on {name} are not known: officials say them"
    elif settings.scores == "strokes" or target is None:
        because, setting = f"{count(cell.points, 'stroke')} on {name}, as recorded", "scores"
    elif cell.score is not None and cell.score >= target:
        because = f"{count(cell.points, 'stroke')} on {name}: the target {number(target)} is reached"
    else:
        because = f"{count(cell.points, 'stroke')} on {name}: the target {number(target)} is not reached"
        setting = "missed"
    where: Where = {"stage": result.stage, "who": cell.who, "machine": cell.machine, "game": cell.game.id}
    return grounds.line(
        "points", because, cell.points, setting=setting, entries=(cell.game.entry,), parts=parts, **where
    )
