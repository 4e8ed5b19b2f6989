"""What each cell of a row shows, by several looks at it that must agree.

Strips and grids in, signs with their chances out. Not here: what the signs mean together. Invariant: a cell that the
looks do not agree on, or that no sign explains, is `?`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capture.vision.segments.bars import measure_bars
from capture.vision.segments.network import CellNetwork
from capture.vision.segments.strip import Strip, Values, cut_cells, frames

BLANK, UNKNOWN = " ", "?"
LOOKS = ((0.0, 0.0, 1.0, 1.0), (0.07, 0.03, 1.05, 0.97), (-0.07, -0.03, 0.96, 1.04), (0.02, -0.04, 1.06, 1.05))
"""Step aside and down (digits' widths and heights), and how much wider and higher the cell is cut."""
LEAST = 0.4
"""Mean chance below which a cell is not said at all."""
_CLEAR = -0.5
"""Least log chance of all a cell's segments together: a bar that is neither lit nor dark costs about that much."""
DIM = 0.5
"""A blank cell of a number must be darker than this share of the lit ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRead:
    """`sign`: a sign, BLANK or UNKNOWN. `best`: the likeliest sign or blank all the same. `second`: the next one.
    `chance`: of `best`, the mean over the looks. `agreed`: all looks say so. `spelled`: its segments spell it too.
    `level`: how bright its brightest parts are (1: as bright as the display's).
    `bars`: see `bars.measure_bars`.
    """

    sign: str
    best: str
    second: str
    chance: float
    agreed: bool
    spelled: bool
    level: float
    bars: Values


def read_cells(strip: Strip, network: CellNetwork, corners: Values) -> list[CellRead]:
    """Read the cells that stand at these corners (n x 4 x 2, strip pixels)."""
    count = len(corners)
    looks = [cut_cells(strip, look_at(corners, *look)) for look in LOOKS]
    named = network.name(np.concatenate(looks))
    kinds = named.kinds.reshape(len(LOOKS), count, -1)
    codes = named.codes.reshape(len(LOOKS), count, -1).mean(0)
    return [_judge(kinds[:, i], codes[i], network.signs, looks[0][i]) for i in range(count)]


def look_at(corners: Values, aside: float, down: float, wider: float, higher: float) -> Values:
    """The same cells a little beside."""
    origin, across, below = frames(corners)
    middle = origin + across * (0.5 + aside) + below * (0.5 + down)
    across, below = across * wider, below * higher
    start = middle - across / 2 - below / 2
    return np.stack([start, start + across, start + across + below, start + below], 1).astype(np.float32)


def is_dark(cell: CellRead, cells: Sequence[CellRead], share: float = DIM) -> bool:
    """Whether a cell is truly unlit: darker than this share of those that show something."""
    lit = [other.level for other in cells if other.sign not in (BLANK, UNKNOWN)]
    return not lit or cell.level < share * float(np.median(lit))


def _judge(looks: Values, code: Values, signs: str, cell: Values) -> CellRead:
    names = [*signs, BLANK]
    mean = looks.mean(0)
    order = np.argsort(-mean[:-1])
    best, second = names[order[0]], names[order[1]]
    chance = float(mean[order[0]])
    agreed = bool((looks.argmax(1) == order[0]).all())
    spelled = best == BLANK or bool(code.argmax() == order[0] and code.max() > _CLEAR)
    sign = best if chance >= LEAST and chance > float(mean[-1]) else UNKNOWN
    return CellRead(
        sign=sign, best=best, second=second, chance=chance, agreed=agreed, spelled=spelled, level=_level(cell),
        bars=measure_bars(cell),
    )  # fmt: skip


def _level(cell: Values) -> float:
    """The brightest tenth within the digit, in the plane that is the brighter."""
    rows, columns = cell.shape[1:]
    inner = cell[:, rows // 7 : rows - rows // 7, columns // 6 : columns - columns // 6]
    return float(max(np.percentile(plane, 92) for plane in inner))
