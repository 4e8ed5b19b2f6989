"""What a camera makes of lit dots, dot by dot: misfit of the lattice, bleed, glow, veil, glare, saturation, noise.

Works on a batch at once. The result is what the product's `dots.py` hands to its networks: two channels, the plain
sample at each dot's centre and the sample less the median of the four gaps around it, both scaled by `normalise`.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812

Tensor = torch.Tensor
Chance = Callable[..., Tensor]


def photograph(
    light: Tensor, random: torch.Generator, *, hard: float = 1.0, edges: bool = False, exact: float = 0.0
) -> Tensor:
    """From brightness b x rows x columns (0..1) to channels b x 2 x rows x columns; a part `exact` without a camera."""
    b, rows, columns = light.shape

    def uniform(low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(b, *(shape or (1, 1)), generator=random) * (high - low) + low

    def seldom(chance: float) -> Tensor:
        return (torch.rand(b, 1, 1, generator=random) < chance).float()

    lit = light ** uniform(0.6, 1.6)
    lit = lit * (1 + torch.randn(b, rows, columns, generator=random) * uniform(0, 0.15))
    lit = lit * (
        1 - uniform(0, 0.5) * seldom(0.3) * (0.5 + 0.5 * _smooth(random, b, (4, 2), (rows, columns))).clamp(0, 1)
    )
    lit = torch.maximum(lit, uniform(0, 0.08) * seldom(0.6))
    dx = _misfit(random, b, (rows, columns), hard)
    dy = _misfit(random, b, (rows, columns), hard)
    width = uniform(0.25, 0.48)
    centre = _see(lit, dx, dy, width)
    gaps = torch.stack([_see(lit, dx + sx, dy + sy, width) for sx in (-0.5, 0.5) for sy in (-0.5, 0.5)])
    haze = _haze(lit, random, uniform, seldom, hard)
    gain = uniform(0.6, 1.9)
    noise = uniform(0.02, 0.2) ** 2 * hard
    centre = _expose(centre + haze, gain, noise, random)
    gaps = torch.stack([_expose(gap + haze, gain, noise * 0.7, random) for gap in gaps])
    middle = gaps.sort(0).values[1:3].mean(0)
    seen = normalise(torch.stack([centre, centre - middle], 1))
    if exact:  # dots by wire or file: their levels as they are, no lens before them
        steps = torch.tensor([3.0, 15.0, 3.0, 15.0, 1.0])[torch.randint(0, 5, (b, 1, 1), generator=random)]
        level = (light * steps).ceil() / steps
        seen = torch.where(
            (torch.rand(b, 1, 1, 1, generator=random) < exact), level[:, None].expand(-1, 2, -1, -1), seen
        )
    if edges:  # rows and columns that lie outside the picture are nought
        gone = [torch.randint(0, 3, (b,), generator=random) * (torch.rand(b, generator=random) < 0.4) for _ in "yx"]
        rows_gone, columns_gone = gone
        seen = seen * (torch.arange(rows)[None] < rows - rows_gone[:, None])[:, None, :, None]
        seen = seen * (torch.arange(columns)[None] < columns - columns_gone[:, None])[:, None, None, :]
    return seen


def normalise(channels: Tensor) -> Tensor:
    """Dark to 0 and bright to 1, by quantiles over the whole display (the product's dots.py does the same)."""
    flat = channels.flatten(2)
    low = flat[:, :1].kthvalue(int(0.1 * flat.shape[2]) + 1, dim=2, keepdim=True).values
    high = flat.kthvalue(int(0.995 * flat.shape[2]), dim=2, keepdim=True).values
    plain = (flat[:, :1] - low) / (high[:, :1] - low).clamp(min=0.04)
    edge = flat[:, 1:] / high[:, 1:].clamp(min=0.04)
    return torch.cat([plain, edge], 1).clamp(-0.5, 1.5).view_as(channels)


def _see(lit: Tensor, dx: Tensor, dy: Tensor, width: Tensor) -> Tensor:
    """Light at a place beside each dot: its own and its neighbours', each a round spot."""
    padded = F.pad(lit[:, None], (1, 1, 1, 1))[:, 0]
    rows, columns = lit.shape[1:]
    total = torch.zeros_like(lit)
    scale = -0.5 / (width * width)
    for j in (-1, 0, 1):
        down = torch.exp(scale * (j - dy) ** 2)
        for i in (-1, 0, 1):
            weight = down * torch.exp(scale * (i - dx) ** 2)
            total = total + weight * padded[:, 1 + j : 1 + j + rows, 1 + i : 1 + i + columns]
    return total


def _misfit(random: torch.Generator, b: int, size: tuple[int, int], hard: float) -> Tensor:
    """How far the lattice lies beside the dots, in dots: one shift and a slow drift over the display."""
    shift = torch.randn(b, 1, 1, generator=random) * 0.09
    drift = _smooth(random, b, (2, 4), size) * (torch.rand(b, 1, 1, generator=random) * 0.15)
    return ((shift + drift) * hard).clamp(-0.35, 0.35)


def _smooth(random: torch.Generator, b: int, cells: tuple[int, int], size: tuple[int, int]) -> Tensor:
    coarse = torch.randn(b, 1, *cells, generator=random)
    return F.interpolate(coarse, size=size, mode="bicubic", align_corners=True)[:, 0]


def _haze(lit: Tensor, random: torch.Generator, uniform: Chance, seldom: Chance, hard: float) -> Tensor:
    """Light that is not the dots': their glow, the room's veil, glare on the glass."""
    b, rows, columns = lit.shape
    near = F.avg_pool2d(F.avg_pool2d(lit[:, None], 3, 1, 1), 3, 1, 1)[:, 0]
    wide = F.avg_pool2d(F.avg_pool2d(lit[:, None], 7, 1, 3), 7, 1, 3)[:, 0]
    glow = uniform(0, 0.35) * near + uniform(0, 0.35) * wide
    veil = uniform(0, 0.5) * seldom(0.6)
    veil = veil + uniform(0, 0.3) * seldom(0.6) * _smooth(random, b, (3, 7), (rows, columns)).clamp(min=0)
    spot = (_smooth(random, b, (6, 20), (rows, columns)) - 1.6).clamp(min=0) * 2.0 * seldom(0.12)
    return glow + (veil + spot) * hard


def _expose(value: Tensor, gain: Tensor, noise: Tensor, random: torch.Generator) -> Tensor:
    seen = value * gain
    knee = torch.where(seen > 0.8, 0.8 + 0.2 * torch.tanh((seen - 0.8) / 0.2), seen)
    return (knee + torch.randn(value.shape, generator=random) * noise).clamp(0, 1)
