"""An electromechanical machine: wheels with digits for each player, lamps for who is up, the ball, and the game's end.

The wheels are printed and lit from outside: nothing shines but the lamps. Invariant: `truth` has a player's number only
while all his wheels stand; what the machine scores faster than its wheels turn waits.
"""

import random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.board import Board, Light, Truth
from hardware.sim.lettering import FONTS, Pen, Triple, write
from hardware.sim.oracle import Event
from hardware.sim.wheels import Wheels

WHEEL = (76, 48)
"""Rows and columns of what is seen of one wheel on the flat face."""
PITCH = 60
"""Rows from one digit to the next on the wheel's rim."""
TALL = 40
"""Of a digit."""
Strip = NDArray[np.float32]
_PAINT = (((0.82, 0.9, 0.93), (0.08, 0.08, 0.1)), ((0.07, 0.07, 0.07), (0.88, 0.93, 0.95)),
          ((0.85, 0.88, 0.9), (0.12, 0.1, 0.62)))  # fmt: skip
"""Ground and digits: black on ivory, white on black, red on ivory."""


class ReelFace:
    """One machine. `digits` wheels a player and `zeros` painted noughts behind them."""

    def __init__(
        self, seed: int, *, digits: int = 5, players: int = 2, zeros: int = 1, stick: float = 0.0, pace: float = 1.0
    ) -> None:
        del pace
        chance = random.Random(f"inlane/{seed}/reels")  # noqa: S311 -- repeatable looks, no secrets
        self.board = Board()
        self.digits, self.players, self.zeros = digits, players, zeros
        self.wheels = [Wheels(digits, stick=stick, seed=seed * 16 + player) for player in range(players)]
        self._up = chance.random() < 0.5
        """The digits travel upwards as the wheel counts on."""
        paint, other, font = chance.choice(_PAINT), chance.choice(_PAINT), chance.choice(FONTS)
        thick, odd = chance.choice((3, 4, 5, 6)), chance.random() < 0.3
        self._strips = [
            _strip(chance, other if odd and wheel == 0 else paint, font, thick, up=self._up) for wheel in range(digits)
        ]
        """By wheel, the ones' first; that one often looks different."""
        self._skew = [chance.uniform(-0.05, 0.05) for _ in range(players * digits)]
        self._font = font
        high, wide = WHEEL
        self._gap = chance.randint(4, 10)
        step = wide + self._gap
        across, down = min(2, players), (players + 1) // 2
        self.block = digits * step - self._gap
        whole = self.block + zeros * step
        self.size = (down * (high + 60) + 40, across * (whole + 60) + 40)
        self.places = [(30 + player // 2 * (high + 60), 40 + player % 2 * (whole + 60)) for player in range(players)]
        """Top and left of each player's first wheel, in flat pixels."""
        self._ground = self._painted(chance)
        self._shade = _curve(high, chance)

    @property
    def event(self) -> Event:
        """The last one told."""
        return self.board.event

    def tell(self, event: Event) -> None:
        """Take the next true event; the wheels begin to move."""
        before = self.board.scores
        if event.kind == "game-started":
            for wheels in self.wheels:
                wheels.reset(event.at)
        self.board.tell(event)
        if event.game:
            for player, score in enumerate(event.scores[: self.players]):
                gained = score - (before[player] if event.kind != "game-started" and player < len(before) else 0)
                if gained > 0:
                    self.wheels[player].add(gained // 10**self.zeros, event.at)

    def truth(self, at: int) -> Truth:
        """The number on each player's wheels, where they all stand."""
        seen: Truth = {}
        for player, wheels in enumerate(self.wheels, 1):
            number = wheels.shown(at)
            seen[player] = frozenset() if number is None else frozenset({number * 10**self.zeros})
        return seen

    def draw(self, at: int) -> Light:
        """The flat face at this machine time."""
        light = self._ground.copy()
        high, wide = WHEEL
        for player, (top, left) in enumerate(self.places):
            for wheel, place in enumerate(self.wheels[player].places(at)):
                column = self.digits - 1 - wheel
                x = left + column * (wide + self._gap)
                number = player * self.digits + wheel
                strip = self._strips[wheel]
                light[top : top + high, x : x + wide] = self._seen(strip, place + self._skew[number])
            up = self.board.playing and self.board.player == player + 1
            _lamp(light, f"PLAYER {player + 1}", top + high + 26, left, lit=up)
        rows, columns = self.size
        _lamp(light, f"BALL {max(1, self.board.ball)}", rows - 12, columns // 2 - 110, lit=self.board.playing)
        over = not self.board.playing and self.board.powered
        _lamp(light, "GAME OVER", rows - 12, columns // 2 + 20, lit=over)
        if self.board.tilted:
            _lamp(light, "TILT", 22, columns // 2 - 20, lit=True)
        return light if self.board.powered else light * np.float32(0.25)

    def _seen(self, strip: Strip, place: float) -> Strip:
        """What shows of one wheel: the digit at `place` in the middle, its neighbours at the edges."""
        high = WHEEL[0]
        middle = (place if self._up else 10 - place) % 10 * PITCH + 10 * PITCH
        rows = (middle - high / 2 + np.arange(high) + PITCH / 2) % (10 * PITCH)
        lower = rows.astype(int)
        part = (rows - lower)[:, None, None].astype(np.float32)
        seen = strip[lower] * (1 - part) + strip[(lower + 1) % (10 * PITCH)] * part
        return np.asarray(seen * self._shade, np.float32)

    def _painted(self, chance: random.Random) -> Light:
        """The backglass around the wheels, with its painted noughts."""
        rows, columns = self.size
        noise = np.random.default_rng(chance.randrange(2**31)).uniform(0.08, 0.5, (6, 9, 3)).astype(np.float32)
        ground = np.asarray(cv2.resize(noise, (columns, rows), interpolation=cv2.INTER_CUBIC), np.float32)
        high, wide = WHEEL
        pen = Pen(TALL, (0.1, 0.1, 0.1), self._font, 4)
        for top, left in self.places:
            cv2.rectangle(ground, (left - 8, top - 8), (left + self.block + 7, top + high + 7), (0.03,) * 3, -1)
            for nought in range(self.zeros):
                x = left + self.block + self._gap + nought * (wide + self._gap)
                cv2.rectangle(ground, (x, top), (x + wide, top + high), (0.62, 0.66, 0.66), -1)
                write(ground, "0", (x + wide // 2, top + (high + TALL) // 2), pen, by="centre")
        return ground


def _strip(chance: random.Random, paint: tuple[Triple, Triple], font: int, thick: int, *, up: bool) -> Strip:
    """A wheel's whole rim: ten digits below each other, 10 x PITCH rows, a little dirty."""
    ground, ink = paint
    pen = Pen(TALL, ink, font, thick)
    strip = np.empty((10 * PITCH, WHEEL[1], 3), np.float32)
    strip[...] = ground
    for place in range(10):
        digit = place if up else (10 - place) % 10
        write(strip, str(digit), (WHEEL[1] // 2, place * PITCH + (PITCH + TALL) // 2), pen, by="centre")
    dirt = np.random.default_rng(chance.randrange(2**31)).normal(1, 0.03, (10 * PITCH // 4, WHEEL[1] // 4, 1))
    spots = cv2.resize(dirt.astype(np.float32), (WHEEL[1], 10 * PITCH), interpolation=cv2.INTER_LINEAR)
    return np.asarray(strip * spots[..., None], np.float32)


def _curve(high: int, chance: random.Random) -> Strip:
    """The rim is round, and lit from above: darker towards its edges."""
    y = np.linspace(-1, 1, high, dtype=np.float32) + np.float32(chance.uniform(-0.2, 0.2))
    shade: Strip = (chance.uniform(0.55, 0.95) * (1 - 0.45 * y**2))[:, None, None].astype(np.float32)
    return shade


def _lamp(light: Light, word: str, bottom: int, left: int, *, lit: bool) -> None:
    write(light, word, (left, bottom), Pen(13, (0.35, 0.75, 1.2) if lit else (0.06, 0.07, 0.08), FONTS[1]))
