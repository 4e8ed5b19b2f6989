"""Where the cells of a row lie: the grid that fits best what the network says of each cell.

Pure geometry on strips. Not here: what the cells show. Invariant: the grid stays even but for small steps of single
cells; a cell that shows nothing never moves it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capture.vision.segments.network import CellNetwork, Named
from capture.vision.segments.strip import HIGH, MARGIN_X, MARGIN_Y, Floats, Strip, Values, cut_cells, frames, grid

RATIOS = (0.58, 0.7, 0.84)
"""A digit's width to the pitch, where the first look starts; the fit goes on from there."""
LEANS = (0.0, 0.12, 0.24)
_OWN = 0.3
"""Most that a single cell may stand beside the even grid, in digits' widths."""
_PRIOR = 0.35
"""Weight of what was assumed against one seen cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """`corners` n x 4 x 2 in strip pixels; `sureness`: mean log chance of what the cells are said to be; `drift`: how
    far off the cells were at the last look, in digits' widths. `lit`: chance that each cell shows a sign.
    """

    corners: Values
    sureness: float
    drift: float
    lit: Values


def fit_grid(strip: Strip, network: CellNetwork, cells: int, *, leans: Sequence[float] = LEANS, rounds: int = 3) -> Fit:
    """The grid of so many cells in this strip."""
    starts = [grid(strip, cells, ratio, lean) for ratio in RATIOS for lean in leans]
    if cells == 1:
        starts = [grid(strip, 1, 1.0, lean) for lean in leans]
    named = network.name(cut_cells(strip, np.concatenate(starts)))
    scores = sure(named).reshape(len(starts), cells).mean(1)
    best: Fit | None = None
    for start in np.argsort(-scores)[:2]:
        found = refine(strip, network, starts[start], rounds=rounds)
        if best is None or found.sureness > best.sureness:
            best = found
    assert best is not None  # noqa: S101 - there is always a start
    return best


def refine(strip: Strip, network: CellNetwork, corners: Values, *, rounds: int) -> Fit:
    """Move a grid to where its cells say that they are, so many times."""
    best, before = None, corners
    for _ in range(rounds + 1):
        named = network.name(cut_cells(strip, before))
        after, drift = move(before, named)
        lit = named.kinds[:, :-2].sum(1)
        said = Fit(corners=before, sureness=float(sure(named).mean()), drift=drift, lit=lit)
        if best is None or said.sureness >= best.sureness - 0.01:
            best = said
        before = after
    assert best is not None  # noqa: S101 - at least one round
    return best


def sure(named: Named) -> Values:
    """Log chance of the best sign or blank for each cell."""
    said: Values = np.log(np.maximum(named.kinds[:, :-1].max(1), 0.05))
    return said


def move(corners: Values, named: Named) -> tuple[Values, float]:
    """The even grid through what the cells say, plus each cell's own small step; and the mean distance moved."""
    weight = np.clip(1 - named.kinds[:, -2] - named.kinds[:, -1], 0, 1)
    origin, across, down = frames(corners)
    width = float(np.linalg.norm(across, axis=1).mean())
    seen = (
        origin[:, None]
        + across[:, None] * named.corners[..., :1]
        + down[:, None] * named.corners[..., 1:]
    )  # fmt: skip
    even = _even(corners, seen, weight)
    own = (seen - even)[..., 0].mean(1) * weight * 0.8
    even[..., 0] += np.clip(own, -_OWN * width, _OWN * width)[:, None]
    total = float(weight.sum())
    off = float((np.abs(seen - corners).mean((1, 2)) * weight).sum() / max(total, 1e-6)) / width if total > 0.5 else 0.0
    return even.astype(np.float32), off


def outline(corners: Values) -> Values:
    """The block's four corners, by its first and last cell."""
    return np.stack([corners[0, 0], corners[-1, 1], corners[-1, 2], corners[0, 3]])


def inside_strip(corners: Values, strip: Strip) -> bool:
    """Whether the grid still lies on the strip, with room around it."""
    rows, columns = strip.planes.shape[1:]
    x, y = corners[..., 0], corners[..., 1]
    return bool(
        x.min() > 0.3 * MARGIN_X and x.max() < columns - 0.3 * MARGIN_X and y.min() > -MARGIN_Y / 2
        and y.max() < rows + MARGIN_Y / 2 and (corners[:, 1, 0] - corners[:, 0, 0]).min() > HIGH / 8
    )  # fmt: skip


def _even(corners: Values, seen: Values, weight: Values) -> Floats:
    """Least squares: each of a cell's corners runs evenly from cell to cell; what was assumed holds it a little."""
    count = len(corners)
    place = np.arange(count, dtype=np.float64) - (count - 1) / 2
    # the four corners share pitch and slope; each has its own start, and top and bottom may spread (perspective)
    sides = np.array([1.0, 1.0, -1.0, -1.0])
    rows = np.zeros((count, 4, 6))
    for corner in range(4):
        rows[:, corner, corner] = 1.0
        rows[:, corner, 4] = place
        rows[:, corner, 5] = place * sides[corner] / 2
    design = rows.reshape(-1, 6)
    w = np.sqrt(np.repeat(weight, 4))[:, None]
    p = np.sqrt(np.full(count * 4, _PRIOR / count))[:, None]
    even = np.empty((count, 4, 2))
    for axis in range(2):
        target = np.concatenate([seen[..., axis].reshape(-1, 1) * w, corners[..., axis].reshape(-1, 1) * p])
        solved = np.linalg.lstsq(np.concatenate([design * w, design * p]), target, rcond=None)[0]
        even[..., axis] = (design @ solved).reshape(count, 4)
    return even
