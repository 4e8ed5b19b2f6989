"""A machine of the lights era: the score is shown by lamps behind numbers painted on the backglass; one player.

In each decade one lamp at most is lit, and the score is the sum. Bulbs glow up and die down. Invariant: `truth` has
the sum before and the sum after while any bulb is between dark and bright, and nothing between them.
"""

import random

import numpy as np

from hardware.sim.board import Board, Light, Truth
from hardware.sim.lettering import FONTS, Pen, Triple, write
from hardware.sim.oracle import Event

FIELD = (52, 74)
"""Rows and columns of one lamp's field on the flat face."""
DECADES = (1000, 10_000, 100_000, 1_000_000, 10_000_000)
GLOW_MS = 140
"""A bulb needs this long to come and to go."""
_WARM: Triple = (0.45, 0.85, 1.15)


class LightFace:
    """One machine. Fields stand in rows of nine, the weakest decade at the bottom."""

    def __init__(self, seed: int, *, pace: float = 1.0) -> None:
        del pace
        chance = random.Random(f"inlane/{seed}/lights")  # noqa: S311 -- repeatable looks, no secrets
        self.board = Board()
        high, wide = FIELD
        self.size = (len(DECADES) * high + 50, 9 * wide + 20)
        self._font = chance.choice(FONTS)
        noise = np.random.default_rng(chance.randrange(2**31)).uniform(0.05, 0.3, (len(DECADES), 9, 3))
        self._colours = noise.astype(np.float32)
        self._unlit = chance.uniform(0.2, 0.5)
        self._shown = 0
        self._before = 0
        self._changed_at = -GLOW_MS

    @property
    def event(self) -> Event:
        """The last one told."""
        return self.board.event

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        self.board.tell(event)
        score = (event.scores[0] if event.scores else 0) if event.game else self._shown
        score = score // DECADES[0] * DECADES[0] % (DECADES[-1] * 10)
        if event.kind == "power-lost":
            score = 0
        if score != self._shown:
            self._before, self._shown, self._changed_at = self._shown, score, event.at

    def fields(self) -> list[tuple[int, tuple[float, float, float, float]]]:
        """Each lamp: what it adds, and its place (left, top, right, bottom) as shares of the face."""
        rows, columns = self.size
        found = []
        for row, decade in enumerate(reversed(DECADES)):
            for digit in range(1, 10):
                left, top = 10 + (digit - 1) * FIELD[1], 10 + row * FIELD[0]
                place = (left / columns, top / rows, (left + FIELD[1]) / columns, (top + FIELD[0]) / rows)
                found.append((digit * decade, place))
        return found

    def truth(self, at: int) -> Truth:
        """The sum of the lamps; while some change, either sum is right."""
        if not self.board.powered:
            return {}
        if at - self._changed_at < GLOW_MS:
            return {1: frozenset({self._before, self._shown})}
        return {1: frozenset({self._shown})}

    def draw(self, at: int) -> Light:
        """The flat face at this machine time."""
        rows, columns = self.size
        light = np.full((rows, columns, 3), 0.03, np.float32)
        grow = min(1.0, (at - self._changed_at) / GLOW_MS)
        for value, (left, top, right, bottom) in self.fields():
            x0, y0, x1, y1 = int(left * columns), int(top * rows), int(right * columns), int(bottom * rows)
            decade = 10 ** (len(str(value)) - 1)
            now, before = (
                (self._shown // decade % 10 * decade == value),
                (self._before // decade % 10 * decade == value),
            )
            level = grow if now and not before else 1 - grow if before and not now else float(now)
            row = len(DECADES) - 1 - DECADES.index(decade)
            self._draw_field(light[y0:y1, x0:x1], f"{value:,}", self._colours[row, value // decade - 1], level)
        if self.board.tilted:
            write(light, "TILT", (20, rows - 14), Pen(16, _WARM, self._font))
        if not self.board.playing:
            write(light, "GAME OVER", (200, rows - 14), Pen(16, _WARM, self._font))
        return light if self.board.powered else light * np.float32(0.3)

    def _draw_field(self, part: Light, text: str, colour: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
                    level: float) -> None:  # fmt: skip
        """Translucent paint with the number left clear: a bulb behind it shines through."""
        high, wide = part.shape[:2]
        y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
        spot = np.exp(-(x**2 + y**2) / 0.7)[..., None]
        part[...] = colour * (self._unlit + 1.6 * level * spot)
        low = 0.12 + 0.15 * self._unlit
        ink = tuple(low + level * (shine - low) for shine in _WARM)
        pen = Pen(10, (ink[0], ink[1], ink[2]), self._font, 1)
        write(part, text, (wide // 2, high // 2 + 7), pen, by="centre")
