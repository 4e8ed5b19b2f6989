"""The lattice of dots in a flat picture of a display: where each dot's middle lies, to a few hundredths of a dot.

Pitch comes from the spectrum; place and warp come from the local phase of the lattice, fitted by least squares to a
smooth polynomial. Pure arithmetic on one grey picture. One invariant: no lattice is better than a doubtful one, so
`quality` is how far the picture agrees with the lattice, 0 (noise) to 1, and the caller refuses below its floor.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]
Floats = NDArray[np.float64]
Phases = NDArray[np.complex128]

_TERMS = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (3, 0), (2, 1))
"""Powers of (across, down) in the smooth displacement."""
_HELD = np.array([1e-4, 3e-4, 3e-4, 5e-4, 1e-3, 0.01, 0.03, 0.05])
"""How firmly each term is held to zero where corners were given: place freely, bends hardly."""
_CELL = 2
"""Dots a side of the cells in which the local phase is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One direction of the lattice: dot k of a line lies at `first + pitch * (k + displacement(across, down))`."""

    first: float
    pitch: float
    count: int
    warp: tuple[float, ...]
    coherence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """Dots in a flat picture of `width` x `height` pixels."""

    x: Axis
    y: Axis
    width: int
    height: int
    quality: float

    def place(self, columns: Floats, rows: Floats) -> tuple[Floats, Floats]:
        """Pixel coordinates of points given in dots (0.5 is the middle of the first dot), by outer product."""
        u, v = np.meshgrid(columns - 0.5, rows - 0.5)
        x = self.x.first + self.x.pitch * u
        y = self.y.first + self.y.pitch * v
        for _ in range(2):
            across, down = x / self.width - 0.5, y / self.height - 0.5
            x = self.x.first + self.x.pitch * (u + _displace(self.x.warp, across, down))
            y = self.y.first + self.y.pitch * (v + _displace(self.y.warp, across, down))
        return x, y


def fit_lattice(flat: Grey, columns: int, rows: int, *, exact: bool) -> Lattice | None:
    """Fit the lattice of `columns` x `rows` dots that fill `flat`; None where there is no trace of one.

    `exact`: the picture's edges are the display's, give or take half a dot; else it was cropped by eye, some dots may
    be missing or foreign at each side, and the counts found may differ by a few.
    """
    height, width = flat.shape
    wide, high = width / columns, height / rows
    edges = _edges(flat, min(wide, high))
    if exact:
        x = _fit_exact(edges, (wide, high), columns, down=False)
        y = _fit_exact(edges, (wide, high), rows, down=True)
        return Lattice(x=x, y=y, width=width, height=height, quality=float(np.sqrt(x.coherence * y.coherence)))
    pitch_x = _pitch(edges, wide, 0.09)
    pitch_y = _pitch(np.ascontiguousarray(edges.T), high, 0.09)
    if pitch_x is None or pitch_y is None:
        return None
    x = _fit_axis(edges, pitch_x, (pitch_x, pitch_y), down=False)
    y = _fit_axis(edges, pitch_y, (pitch_x, pitch_y), down=True)
    return Lattice(x=x, y=y, width=width, height=height, quality=float(np.sqrt(x.coherence * y.coherence)))


def drift(flat: Grey, lattice: Lattice) -> tuple[float, float, float]:
    """How far the picture has moved against the lattice, in dots across and down, and how sure that is (0..1).

    Cheap: one demodulation, no fit. Movement of more than half a dot looks like less: the lattice repeats.
    """
    edges = _edges(flat, min(lattice.x.pitch, lattice.y.pitch))
    moved = []
    for axis, down in ((lattice.x, False), (lattice.y, True)):
        phase = _phases(edges, axis.first, axis.pitch, (lattice.x.pitch, lattice.y.pitch), down=down)
        across, below = _cells(phase.shape)
        turned = phase * np.exp(2j * np.pi * _displace(axis.warp, across, below))
        total = complex(turned.sum())
        sure = abs(total) / max(float(np.abs(turned).sum()), 1e-9)
        moved.append((-float(np.angle(total)) / (2 * np.pi), sure))
    return moved[0][0], moved[1][0], float(np.sqrt(moved[0][1] * moved[1][1]))


def _edges(flat: Grey, pitch: float) -> Grey:
    """The picture's content at the size of a dot, with like strength where it is dim and where it is bright."""
    fine = cv2.GaussianBlur(flat, (0, 0), max(0.6, pitch / 5))
    coarse = cv2.GaussianBlur(flat, (0, 0), pitch / 1.8)
    detail = fine - coarse
    strength = np.maximum(cv2.boxFilter(detail * detail, -1, (2 * int(pitch * 3) + 1,) * 2), 0)  # its sums run below 0
    floor = 1.0 + 0.12 * float(np.sqrt(np.percentile(strength[::8, ::8], 95)))
    return np.clip(detail / (np.sqrt(strength) + floor), -3, 3).astype(np.float32)


def _pitch(edges: Grey, near: float, reach: float) -> float | None:
    """The pitch along lines: where the lines' spectra, added without regard to phase, are strongest."""
    length = edges.shape[1]
    step = near * near / length / 6
    pitches = np.arange(near * (1 - reach), near * (1 + reach) + step, step)
    lines = edges[:: max(1, edges.shape[0] // 128)]
    angle = 2 * np.pi * np.arange(length)[:, None] / pitches[None]
    strength = np.hypot(lines @ np.cos(angle).astype(np.float32), lines @ np.sin(angle).astype(np.float32)).sum(0)
    best = int(strength.argmax())
    if strength[best] <= 0:
        return None
    if 0 < best < len(pitches) - 1:
        a, b, c = strength[best - 1 : best + 2]
        return float(pitches[best] + step * 0.5 * (a - c) / min(a - 2 * b + c, -1e-9))
    return float(pitches[best])


def _fit_exact(edges: Grey, pitch: tuple[float, float], count: int, *, down: bool) -> Axis:
    """The edges are the display's: only a small, smooth correction of the nominal lattice is looked for."""
    along = pitch[1] if down else pitch[0]
    first = along / 2 - 0.5
    phase = _phases(edges, first, along, pitch, down=down)
    across, below = _cells(phase.shape)
    warp = _search(phase, across, below, np.zeros(len(_TERMS)))
    for turn in range(5):
        turned = phase * np.exp(2j * np.pi * _displace(tuple(warp), across, below))
        smooth = _smooth(turned) if turn < 3 else turned
        off = np.angle(smooth) / (2 * np.pi)
        weight = np.abs(smooth) * np.maximum(0, np.cos(2 * np.pi * off))
        warp = _pull(across, below, off - _displace(tuple(warp), across, below), weight, _HELD)
    turned = phase * np.exp(2j * np.pi * _displace(tuple(warp), across, below))
    return Axis(first=first, pitch=along, count=count, warp=tuple(warp), coherence=_coherence(turned))


def _search(phase: Phases, across: Floats, below: Floats, warp: Floats) -> Floats:
    """The best of small shifts and slopes about `warp`, with a preference for none: a start in the right dot."""
    turned = _smooth(phase * np.exp(2j * np.pi * _displace(tuple(warp), across, below)))
    total = float(np.abs(turned).sum()) or 1.0
    shifts, slopes = np.linspace(-0.5, 0.5, 11), np.linspace(-0.8, 0.8, 9)
    shift, slope, lean = (grid.ravel() for grid in np.meshgrid(shifts, slopes, slopes[2:7]))
    # the sum over cells factorises: along each row first, then over the rows
    rows = turned @ np.exp(2j * np.pi * across[0][:, None] * slopes[None])
    sums = np.exp(2j * np.pi * below[:, 0][:, None] * slopes[None]).T @ rows
    at_slope, at_lean = np.searchsorted(slopes, slope), np.searchsorted(slopes, lean)
    agreed = (sums[at_lean, at_slope] * np.exp(2j * np.pi * shift)).real / total
    best = int((agreed - 0.15 * shift**2 - 0.05 * slope**2 - 0.05 * lean**2).argmax())
    found = warp.copy()
    found[:3] += (shift[best], slope[best], lean[best])
    return found


def _pull(across: Floats, below: Floats, off: Floats, weight: Floats, held: Floats) -> Floats:
    """The warp that undoes `off`, pulled to zero by `held` where the picture does not say otherwise."""
    scale = np.sqrt(weight / max(float(weight.mean()), 1e-12)).ravel()
    design = np.stack([(across**a * below**b).ravel() for a, b in _TERMS], 1) * scale[:, None]
    normal = design.T @ design / scale.size + np.diag(held)
    return np.asarray(np.linalg.solve(normal, -design.T @ (off.ravel() * scale) / scale.size), np.float64)


def _fit_axis(edges: Grey, pitch: float, cell: tuple[float, float], *, down: bool) -> Axis:
    phase = _phases(edges, 0.0, pitch, cell, down=down)
    across, below = _cells(phase.shape)
    warp = _by_slope(phase, across, below)
    for turn in range(6):
        turned = phase * np.exp(2j * np.pi * _displace(tuple(warp), across, below))
        if turn == 0:
            warp = _search(phase, across, below, warp)
            continue
        smooth = _smooth(turned) if turn < 3 else turned
        off = np.angle(smooth)
        weight = np.abs(smooth) * np.maximum(0, np.cos(off))
        warp -= _least_squares(across, below, off / (2 * np.pi), weight)
    turned = phase * np.exp(2j * np.pi * _displace(tuple(warp), across, below))
    return _anchor(warp, pitch, edges.shape, _coherence(turned), down=down)


def _anchor(warp: Floats, pitch: float, size: tuple[int, ...], coherence: float, *, down: bool) -> Axis:
    """Choose which dot is the first: the first whose middle is in the picture."""
    length = size[0] if down else size[1]
    bend = float(np.mean(_displace(tuple(warp), *_cells((16, 64)))))
    first = pitch * np.ceil(-bend - 0.05)
    count = int((length - 0.5 - (first + pitch * bend)) // pitch) + 1
    return Axis(first=float(first), pitch=pitch, count=count, warp=tuple(warp), coherence=coherence)


def _phases(edges: Grey, first: float, pitch: float, cell: tuple[float, float], *, down: bool) -> Phases:
    """The lattice's complex amplitude in cells of about two dots a side: its angle is -2 pi x the displacement."""
    rows, columns = edges.shape
    size = (max(8, round(columns / cell[0] / _CELL)), max(4, round(rows / cell[1] / _CELL)))
    angle = 2 * np.pi * (np.arange(rows if down else columns) - first) / pitch
    wave = angle[:, None] if down else angle[None]
    real = cv2.resize(edges * np.cos(wave).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    imaginary = cv2.resize(edges * np.sin(wave).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    phase: Phases = real.astype(np.float64) - 1j * imaginary.astype(np.float64)
    return phase


def _by_slope(phase: Phases, across: Floats, below: Floats) -> Floats:
    """A first warp from the phase's steps between neighbours, which cannot wrap however long the drift is."""
    rows, columns = phase.shape
    smooth = _smooth(phase)
    right, under = smooth[:, 1:] * smooth[:, :-1].conj(), smooth[1:] * smooth[:-1].conj()
    warp = np.zeros(len(_TERMS))
    for _ in range(3):
        u, v = (across[:, 1:] + across[:, :-1]) / 2, (below[:, 1:] + below[:, :-1]) / 2
        step = _displace(tuple(warp), across[:, 1:], below[:, 1:]) - _displace(
            tuple(warp), across[:, :-1], below[:, :-1]
        )
        off_right = np.angle(right * np.exp(2j * np.pi * step))
        design_right = _slopes(u, v, 0) / columns
        u, v = (across[1:] + across[:-1]) / 2, (below[1:] + below[:-1]) / 2
        step = _displace(tuple(warp), across[1:], below[1:]) - _displace(tuple(warp), across[:-1], below[:-1])
        off_under = np.angle(under * np.exp(2j * np.pi * step))
        design_under = _slopes(u, v, 1) / rows
        weight = np.sqrt(np.concatenate([np.abs(right).ravel(), np.abs(under).ravel()]))
        weight *= np.concatenate([(np.abs(off_right) < 2).ravel(), (np.abs(off_under) < 2).ravel()])
        design = np.concatenate([design_right, design_under]) * weight[:, None]
        goal = -np.concatenate([off_right.ravel(), off_under.ravel()]) / (2 * np.pi) * weight
        warp += _solve(design, goal)
    return warp


def _slopes(u: Floats, v: Floats, axis: int) -> Floats:
    terms = []
    for a, b in _TERMS:
        if axis == 0:
            terms.append((a * u ** max(0, a - 1) * v**b).ravel())
        else:
            terms.append((b * u**a * v ** max(0, b - 1)).ravel())
    return np.stack(terms, 1)


def _least_squares(across: Floats, below: Floats, off: Floats, weight: Floats) -> Floats:
    design = np.stack([(across**a * below**b).ravel() for a, b in _TERMS], 1) * weight.ravel()[:, None]
    return _solve(design, (off * weight).ravel())


def _solve(design: Floats, goal: Floats) -> Floats:
    """Least squares with a light pull to zero, so that a dark corner cannot run away."""
    normal = design.T @ design
    normal += np.diag([0, *[1e-3] * (len(_TERMS) - 1)]) * max(float(np.trace(normal)) / len(_TERMS), 1e-9)
    return np.asarray(np.linalg.solve(normal + 1e-12 * np.eye(len(_TERMS)), design.T @ goal), np.float64)


def _displace(warp: tuple[float, ...], across: Floats, below: Floats) -> Floats:
    total = np.zeros_like(across)
    for weight, (a, b) in zip(warp, _TERMS, strict=True):
        total += weight * across**a * below**b
    return total


def _cells(shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    rows, columns = shape
    across, below = np.meshgrid((np.arange(columns) + 0.5) / columns - 0.5, (np.arange(rows) + 0.5) / rows - 0.5)
    return across, below


def _smooth(phase: Phases) -> Phases:
    real = cv2.blur(np.ascontiguousarray(phase.real), (3, 3))
    return real + 1j * cv2.blur(np.ascontiguousarray(phase.imag), (3, 3))


def _coherence(turned: Phases) -> float:
    """1 where every cell's phase is as the lattice says; near 0 for noise."""
    total = float(np.abs(turned).sum())
    return max(0.0, float(turned.real.sum()) / total) if total > 0 else 0.0
