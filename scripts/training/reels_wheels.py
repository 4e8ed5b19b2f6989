"""Wheels as a camera sees them, drawn in batches: a strip of digits round a wheel, its window, light, lens and noise.

`paint` gives pictures (n x 3 x 32 x 20, 0..1, BGR) and what is on them. Positions are told as the picture shows them:
which digit is nearest to the window's middle, and by how many tenths of the digits' pitch it stands too high.
Invariant: everything comes from the generator that is handed in.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812

ROWS, COLUMNS, FINER = 32, 20, 2
PLACES = 100
"""10 x the digit + tenths by which it stands above the middle, round the wheel."""


@dataclass(slots=True)
class Wheels:
    """A batch: pictures; per picture the weight of each place, whether it is a wheel, is cut, and which way it turns.

    `turn` is 1 where digits travel up (the next one comes from below), 0 where they travel down, -1 where it shows not.
    """

    pictures: torch.Tensor
    places: torch.Tensor
    wheel: torch.Tensor
    cut: torch.Tensor
    turn: torch.Tensor
    digit: torch.Tensor
    above: torch.Tensor


class Painter:
    """Draws wheels of one set of digits."""

    def __init__(self, digits: torch.Tensor, others: torch.Tensor, seed: int) -> None:
        self.glyphs = torch.cat([digits.flatten(0, 1), others]).float() / 255
        ink = (self.glyphs.amax(1) > 0.4).float()
        self.widths = ink.sum(1) / self.glyphs.shape[2]
        self.fonts, self.others = len(digits), len(others)
        self.random = torch.Generator().manual_seed(seed)

    def paint(self, count: int, *, hard: float = 1.0) -> Wheels:
        """`count` pictures; every seventh is no wheel. `hard` scales the camera's troubles."""
        r = self.random
        wheel = torch.rand(count, generator=r) > 0.14
        settled = torch.rand(count, generator=r) < 0.45
        above = torch.where(settled, 0.075 * torch.randn(count, generator=r), torch.rand(count, generator=r) - 0.5)
        above = above.clamp(-0.5, 0.4999)
        digit = torch.randint(0, 10, (count,), generator=r)
        up = torch.rand(count, generator=r) < 0.65
        ink, cut = self._ink(digit, above, up, wheel)
        fast = (torch.rand(count, generator=r) < 0.04).float()
        covered, hidden = _cover(_colour(ink, r), r)
        pictures = _shoot(covered, fast * (3 + 4 * torch.rand(count, generator=r)), r, hard)
        cut = torch.maximum(torch.maximum(cut, hidden), fast)
        return Wheels(
            pictures=pictures, places=spread(digit, above, up), wheel=wheel.float(), cut=cut,
            turn=torch.where(above.abs() > 0.22, up.long(), -1), digit=digit, above=above,
        )  # fmt: skip

    def _ink(
        self, digit: torch.Tensor, above: torch.Tensor, up: torch.Tensor, wheel: torch.Tensor
    ) -> tuple[tuple[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]:
        """Ink, gaps between wheels and height in the window, at twice the resolution; and what is cut."""
        r, n = self.random, len(digit)
        u = lambda low, high: low + (high - low) * torch.rand(n, 1, 1, generator=r)  # noqa: E731
        often = lambda chance: (torch.rand(n, 1, 1, generator=r) < chance).float()  # noqa: E731
        y, x = torch.meshgrid(
            (torch.arange(ROWS * FINER) + 0.5) / (ROWS * FINER) - 0.5,
            (torch.arange(COLUMNS * FINER) + 0.5) / (COLUMNS * FINER) - 0.5,
            indexing="ij",
        )
        pitch = torch.where(often(0.75) > 0, u(0.9, 1.35), u(0.62, 1.7))
        tall = (u(0.55, 0.92) * pitch).clamp(0.36, 1.05)
        font = torch.randint(0, self.fonts, (n,), generator=r)
        natural = self.widths[font * 10 + 8][:, None, None]  # the 8's width in tiles
        wanted = (u(0.68, 1.25) * natural * tall * 1.4).clamp(0.2, 1.0)
        across = wanted / natural.clamp(min=0.1)  # the tile's width in windows
        lean, turn = u(-0.12, 0.12), u(-0.09, 0.09) * often(0.6)
        off_x = u(-0.1, 0.1) + often(0.12) * u(-0.35, 0.35)
        off_y = 0.03 * torch.randn(n, 1, 1, generator=r)
        px = (x + turn * y * 1.6 - lean * y - off_x) * (1 + u(-0.12, 0.12) * y)
        py = (y - turn * x * 0.6) * (1 + u(-0.1, 0.1) * x)
        round_ = u(0, 0.5) * often(0.7)
        seen = (py - off_y) * (1 + round_ * py * py) / pitch
        beside = torch.where(often(0.7) > 0, u(1.0, 1.5), u(0.85, 1.05)) + (wanted - 0.9).clamp(min=0)
        column = torch.round(px / beside).clamp(-1, 1)
        local_x = px - column * beside
        gap = (local_x.abs() > beside / 2 - u(0.0, 0.08) * often(0.7)).float()
        others = torch.randint(-4, 5, (n, 3), generator=r)
        others[:, 1] = 0
        shift = torch.gather(others, 1, (column + 1).long().flatten(1)).view_as(column)
        sign = torch.where(up, 1.0, -1.0)[:, None, None]
        place = sign * (seen + above[:, None, None]) + shift
        nearest = torch.round(place)
        local_y = sign * (place - nearest)
        index = (font[:, None, None] * 10 + (digit[:, None, None] + nearest.long()) % 10).long()
        odd = self.fonts * 10 + torch.randint(0, self.others, (n,), generator=r)
        use_odd = ((~wheel)[:, None, None] & (often(0.6) > 0)).expand_as(index)
        lone = use_odd & (often(0.5) > 0) & (nearest != 0)
        index = torch.where(use_odd, odd[:, None, None].expand_as(index), index)
        ink = self._look(index, local_y / tall * pitch, local_x / across)
        ink = torch.where(lone, torch.zeros(()), ink)
        blank = (~wheel)[:, None, None] & ~use_odd[:, :1, :1]
        ink = torch.where(blank, torch.zeros(()), ink)
        half = wanted / 2 * (self.widths[font * 10 + digit][:, None, None] / natural.clamp(min=0.1))
        lost = (off_x.abs() + half - 0.5).clamp(min=0) / (2 * half)
        lost = torch.maximum(lost, (half - beside / 2).clamp(min=0) / half)
        marks = self._marks(place, local_x, beside, blank)
        return (torch.maximum(ink, marks), gap, py), (lost.flatten() > 0.14).float()

    def _look(self, index: torch.Tensor, v: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        """Bilinear looks into the glyphs: v, h in -.5...5 of the tile."""
        high, wide = self.glyphs.shape[1:]
        fy, fx = (v + 0.5) * high - 0.5, (h + 0.5) * wide - 0.5
        inside = ((v.abs() < 0.5) & (h.abs() < 0.5)).float()
        y0, x0 = fy.floor().clamp(0, high - 2), fx.floor().clamp(0, wide - 2)
        wy, wx = (fy - y0).clamp(0, 1), (fx - x0).clamp(0, 1)
        flat = self.glyphs.flatten()
        base = (index * high + y0.long()) * wide + x0.long()
        top = flat[base] * (1 - wx) + flat[base + 1] * wx
        low = flat[base + wide] * (1 - wx) + flat[base + wide + 1] * wx
        return (top * (1 - wy) + low * wy) * inside

    def _marks(self, place: torch.Tensor, x: torch.Tensor, beside: torch.Tensor, blank: torch.Tensor) -> torch.Tensor:
        """Gear teeth at a side, rules between the digits, dots beside them; on what is no wheel also bars."""
        r, n = self.random, len(place)
        u = lambda low, high: low + (high - low) * torch.rand(n, 1, 1, generator=r)  # noqa: E731
        often = lambda chance: (torch.rand(n, 1, 1, generator=r) < chance).float()  # noqa: E731
        side = torch.where(often(0.75) > 0, 1.0, -1.0)
        rate = torch.randint(3, 14, (n, 1, 1), generator=r)
        teeth = (((place * rate) % 1) < u(0.3, 0.6)).float() * (side * x > beside / 2 - u(0.04, 0.2)).float()
        teeth = teeth * torch.maximum(often(0.25), often(0.5) * blank.float())
        rule = ((place - torch.round(place)).abs() > 0.5 - u(0.01, 0.04)).float() * often(0.08)
        half = 1 - torch.round(place) % 2 * 0.7
        bars = (((place * rate.clamp(max=6) + u(0, 1)) % 1) < u(0.1, 0.6)).float() * (x.abs() < u(0.2, 0.6)).float()
        posts = (((x * rate + u(0, 1)) % 1) < u(0.2, 0.6)).float()
        bars = torch.where(often(0.7) > 0, bars * half, posts) * often(0.6) * blank.float()
        return torch.maximum(torch.maximum(teeth, rule), bars) * u(0.5, 1.0)


def spread(digit: torch.Tensor, above: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """N x 100: the true place softened by a tenth, round the wheel in the way that it turns."""
    out = torch.zeros(len(digit), PLACES)
    for step in torch.linspace(-0.2, 0.2, 9):
        moved = above + step
        over = torch.where(moved >= 0.5, 1, torch.where(moved < -0.5, -1, 0))
        shown = (digit + over * torch.where(up, 1, -1)) % 10
        rest = (moved - over) * 10
        low = rest.floor()
        weight = float(torch.exp(-0.5 * (step / 0.08) ** 2))
        for extra, share in ((0, 1 - (rest - low)), (1, rest - low)):
            tenth = (low + extra).long()
            # the fifth tenth above one digit is the fifth below its neighbour: which, the way of turning says
            beyond = tenth > 4
            name = torch.where(beyond, (shown + torch.where(up, 1, -1)) % 10, shown)
            bin_ = (10 * name + torch.where(beyond, tenth - 10, tenth)) % PLACES
            out.scatter_add_(1, bin_[:, None], (share * weight)[:, None])
    return out / out.sum(1, keepdim=True)


def _colour(parts: tuple[torch.Tensor, torch.Tensor, torch.Tensor], r: torch.Generator) -> torch.Tensor:
    """Ink on a wheel in its window, in colour, lit unevenly."""
    ink, gap, y = parts
    n = len(ink)
    u = lambda low, high, *shape: low + (high - low) * torch.rand(n, *(shape or (1, 1, 1)), generator=r)  # noqa: E731
    often = lambda chance: (torch.rand(n, 1, 1, 1, generator=r) < chance).float()  # noqa: E731
    dark = torch.rand(n, 1, 1, 1, generator=r) < 0.55
    low, high = u(0.03, 0.5), u(0.5, 1.0)
    tint = lambda much: 1 - much * torch.rand(n, 3, 1, 1, generator=r)  # noqa: E731
    ground = torch.where(dark, low, high) * tint(u(0, 0.5) * often(0.5))
    paint = torch.where(dark, high, low) * tint(u(0, 0.4) * often(0.4))
    red = torch.tensor([0.15, 0.12, 0.75]).view(1, 3, 1, 1) * u(0.6, 1.2)
    paint = torch.where((often(0.3) > 0) & ~dark, red, paint)
    ground = torch.where((often(0.1) > 0) & dark, red * 0.7, ground)
    blotch = _smooth(n, 4, 3, r)
    worn = 1 - often(0.35) * u(0.1, 0.7) * _smooth(n, 10, 6, r).clamp(0, 1)
    ink = ink[:, None] * worn
    wheel = ground * (1 + u(0, 0.25) * blotch)
    flat = wheel * (1 - ink) + paint * ink
    bars = tint(u(0, 0.9)) * torch.rand(n, 1, 1, 1, generator=r)
    flat = torch.where(gap[:, None] > 0, bars, flat)
    flat = flat * (1 - u(0, 1.6) * often(0.6) * (2 * y[:, None]).abs() ** u(1.5, 4) * 0.5)
    return _frame(flat, bars, r)


def _frame(flat: torch.Tensor, bars: torch.Tensor, r: torch.Generator) -> torch.Tensor:
    """The window's edges, their shadow, light that falls unevenly, lamps that are reflected."""
    n, _, rows, columns = flat.shape
    u = lambda low, high: low + (high - low) * torch.rand(n, 1, 1, 1, generator=r)  # noqa: E731
    often = lambda chance: (torch.rand(n, 1, 1, 1, generator=r) < chance).float()  # noqa: E731
    y = torch.linspace(-0.5, 0.5, rows).view(1, 1, rows, 1)
    x = torch.linspace(-0.5, 0.5, columns).view(1, 1, 1, columns)
    tilt = u(-0.08, 0.08)
    for at, slope, across in ((y, x, 0.12), (-y, x, 0.12), (x, y, 0.16), (-x, y, 0.16)):
        edge = (at + tilt * slope > 0.5 - u(0, across)).float() * often(0.22)
        same = often(0.5)
        other = (1 - u(0, 0.9) * torch.rand(n, 3, 1, 1, generator=r)) * u(0, 1)
        flat = flat * (1 - edge) + (same * bars + (1 - same) * other) * edge
        shade = ((at - 0.5 + u(0.1, 0.3)) * 5).clamp(0, 1) * often(0.2) * u(0, 0.7)
        flat = flat * (1 - shade)
    flat = flat * (1 + u(-0.5, 0.5) * x + u(-0.5, 0.5) * y)
    gx, gy = u(-0.5, 0.5), u(-0.6, 0.6)
    wide, high = u(0.03, 0.4), u(0.02, 0.2)
    glare = torch.exp(-(((x - gx) / wide) ** 2) - ((y - gy) / high) ** 2) * often(0.3) * u(0.1, 1.0)
    return flat + glare * (0.5 + 0.5 * torch.rand(n, 3, 1, 1, generator=r))


def _cover(flat: torch.Tensor, r: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Something in front of a few wheels: a lamp, a finger, a frame's bar. Which of them hide their digit."""
    n, _, rows, columns = flat.shape
    u = lambda low, high: low + (high - low) * torch.rand(n, 1, 1, 1, generator=r)  # noqa: E731
    y = torch.linspace(-0.5, 0.5, rows).view(1, 1, rows, 1)
    x = torch.linspace(-0.5, 0.5, columns).view(1, 1, 1, columns)
    angle, much = u(0, 6.283), u(0.3, 0.65)
    over = (x * torch.cos(angle) + y * torch.sin(angle) > 0.55 - much).float()
    over = over * (torch.rand(n, 1, 1, 1, generator=r) < 0.05).float()
    thing = (1 - u(0, 0.8) * torch.rand(n, 3, 1, 1, generator=r)) * u(0, 1.2)
    return flat * (1 - over) + thing * over, (over.mean((1, 2, 3)) > 0.15).float()


def _shoot(flat: torch.Tensor, fast: torch.Tensor, r: torch.Generator, hard: float) -> torch.Tensor:
    """Lens, motion (`fast`: pixels up and down), exposure, veil, noise and compression."""
    n = len(flat)
    u = lambda low, high: low + (high - low) * torch.rand(n, 1, 1, 1, generator=r)  # noqa: E731
    often = lambda chance: (torch.rand(n, 1, 1, 1, generator=r) < chance).float()  # noqa: E731
    flat = _blur(
        flat, 0.3 + 1.6 * hard * torch.rand(n, generator=r) ** 1.5, torch.rand(n, generator=r) * 1.2 * hard + fast
    )
    small = F.avg_pool2d(flat, FINER)
    coarse = F.interpolate(F.avg_pool2d(small, 2), scale_factor=2, mode="bilinear", align_corners=False)
    small = torch.where(often(0.12) > 0, coarse, small)
    colourless = small.mean(1, keepdim=True)
    small = colourless + (small - colourless) * u(0.2, 1.5)
    veil = u(0, 0.6) * often(0.3) * hard
    small = small * (1 - veil) + veil * torch.rand(n, 3, 1, 1, generator=r)
    small = small * torch.where(often(0.2) > 0, u(0.12, 0.6), u(0.6, 1.4))
    small = small.clamp(0, 1) ** u(0.6, 1.5)
    noise = torch.randn(small.shape, generator=r) * 0.6 + torch.randn(n, 1, ROWS, COLUMNS, generator=r) * 0.6
    small = small + noise * 0.045 * hard * torch.rand(n, 1, 1, 1, generator=r) ** 2
    sharp = small + u(0, 1.2) * often(0.35) * (small - F.avg_pool2d(small, 3, 1, 1, count_include_pad=False))
    return (sharp.clamp(0, 1) * 255).round() / 255


def _smooth(n: int, rows: int, columns: int, r: torch.Generator) -> torch.Tensor:
    noise = torch.randn(n, 1, rows, columns, generator=r)
    return F.interpolate(noise, (ROWS * FINER, COLUMNS * FINER), mode="bilinear", align_corners=False)


def _blur(flat: torch.Tensor, sigma: torch.Tensor, more_down: torch.Tensor) -> torch.Tensor:
    """Gaussian blur, each picture its own, stronger up and down by `more_down` (wheels move that way)."""
    n, colours, rows, columns = flat.shape
    at = torch.arange(-9, 10).float()
    down = torch.exp(-0.5 * (at / (sigma + more_down)[:, None]) ** 2)
    over = torch.exp(-0.5 * (at / sigma[:, None]) ** 2)
    down, over = down / down.sum(1, keepdim=True), over / over.sum(1, keepdim=True)
    lines = flat.reshape(1, n * colours, rows, columns)
    down = down.repeat_interleave(colours, 0).view(-1, 1, 19, 1)
    over = over.repeat_interleave(colours, 0).view(-1, 1, 1, 19)
    lines = F.conv2d(F.pad(lines, (0, 0, 9, 9), mode="replicate"), down, groups=n * colours)
    return F.conv2d(F.pad(lines, (9, 9, 0, 0), mode="replicate"), over, groups=n * colours).view_as(flat)
