"""A machine with a screen of pixels: a scoreboard along the bottom, animations behind it, and popups over all of it.

Invariant: a player's number in `truth` is whole and uncovered on the screen; under a popup there is none.
"""

import random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.board import Board, Light, Truth
from hardware.sim.lettering import FONTS, Pen, Triple, write
from hardware.sim.oracle import Event

SIZE = (270, 480)
"""Rows and columns of the screen, as drawn."""
POPUP_MS = 1600
ROLL_MS = 400
PAGE_MS = 3500
TALL = 16
"""Pixels of a score's digits."""
_INKS: tuple[Triple, ...] = ((1.0, 1.0, 1.0), (0.3, 0.9, 1.0), (1.0, 0.9, 0.4), (0.6, 1.0, 0.7))


class MonitorFace:
    """One machine's screen; its look comes from the seed. Scores have commas, as such machines show them."""

    def __init__(self, seed: int, *, players: int = 4, pace: float = 1.0) -> None:
        chance = random.Random(f"inlane/{seed}/monitor")  # noqa: S311 -- repeatable looks, no secrets
        self.board = Board()
        self.players, self.size = players, SIZE
        self._pace = max(1.0, pace)
        self._font, self._thick = chance.choice(FONTS), chance.choice((1, 2))
        self._ink, self._tint = (
            chance.choice(_INKS),
            np.array([chance.uniform(0.05, 0.4) for _ in "bgr"], np.float32),
        )
        self._panel = chance.uniform(0.25, 0.9)
        """How much of the animation the scoreboard's ground covers."""
        self._waves = [
            (chance.uniform(0.01, 0.05), chance.uniform(0.01, 0.05), chance.uniform(300, 900)) for _ in "bgr"
        ]
        self._high = chance.randrange(10, 900) * 1_000_000
        self.places = tuple((5 + index * 118, 216, 117, 44) for index in range(4))[:players]
        """Left, top, width and height of each player's box."""
        self.ball_place = (392, 4, 84, 26)
        self._popup = Event(at=-10_000, kind="power-back")
        y, x = np.mgrid[0 : SIZE[0], 0 : SIZE[1]].astype(np.float32)
        self._x, self._y = x, y

    @property
    def event(self) -> Event:
        """The last one told."""
        return self.board.event

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        self.board.tell(event)
        if event.detail == "jackpot" or event.kind in {"extra-ball", "tilt-warning", "tilt"}:
            self._popup = event

    def truth(self, at: int) -> Truth:
        """The numbers that stand in the players' boxes, uncovered."""
        if not self.board.powered or self._covered(at) or not self._shows_scores(at):
            return {}
        return {player: frozenset({self._shown(player, at)}) for player in range(1, self._joined() + 1)}

    def draw(self, at: int) -> Light:
        """The screen at this machine time."""
        if not self.board.powered:
            return np.zeros((*SIZE, 3), np.float32)
        light = self._animation(at)
        if self._shows_scores(at):
            for player in range(1, self._joined() + 1):
                self._draw_score(light, player, at)
            if self.board.playing:
                self._draw_ball(light)
        else:
            write(light, "HIGH SCORE", (SIZE[1] // 2, 90), Pen(26, (1, 1, 1), self._font), by="centre")
            write(light, f"{self._high:,}", (SIZE[1] // 2, 160), Pen(34, (0.3, 0.9, 1), self._font), by="centre")
        if not self.board.playing:
            word = "GAME OVER" if at // 900 % 2 else "PRESS START"
            write(light, word, (SIZE[1] // 2, 50), Pen(24, (0.9, 0.9, 1), self._font), by="centre")
        if self.board.playing and at - self._popup.at < POPUP_MS:
            self._draw_popup(light, at)
        return light

    def _joined(self) -> int:
        return min(self.players, len(self.board.scores))

    def _shown(self, player: int, at: int) -> int:
        """The score, or on its way there for a moment."""
        board = self.board
        score = board.scores[player - 1]
        before = board.before[player - 1] if player <= len(board.before) else score
        done = at - board.scored_at
        if done >= ROLL_MS or not score - before >= 100:
            return score
        return before + (score - before) * done // ROLL_MS // 10 * 10

    def _shows_scores(self, at: int) -> bool:
        board = self.board
        if board.playing:
            return True
        if not board.scores or board.over_at is None:
            return False
        page = (at - board.over_at) // round(PAGE_MS * self._pace)
        return page < 3 or page % 2 == 0

    def _covered(self, at: int) -> bool:
        return self.board.playing and at - self._popup.at < POPUP_MS and self._popup.at % 3 == 0

    def _animation(self, at: int) -> Light:
        """Something that moves behind everything."""
        light = np.empty((*SIZE, 3), np.float32)
        for channel, (along, down, time) in enumerate(self._waves):
            wave = np.sin(self._x * along + self._y * down + at / time) + np.sin(self._y * along - at / time / 2)
            light[..., channel] = self._tint[channel] * (0.6 + 0.4 * wave)
        for spark in range(3):
            x = int((at / (3 + spark) + spark * 170) % SIZE[1])
            y = int(60 + 60 * np.sin(at / 700 + spark))
            cv2.circle(light, (x, y), 9 + 4 * spark, (0.9, 0.7 - 0.2 * spark, 0.4), -1, cv2.LINE_AA)
        return light

    def _draw_score(self, light: Light, player: int, at: int) -> None:
        left, top, wide, high = self.places[player - 1]
        part: NDArray[np.float32] = light[top : top + high, left : left + wide]
        part *= np.float32(1 - self._panel)
        up = self.board.playing and player == self.board.player
        cv2.rectangle(light, (left, top), (left + wide - 1, top + high - 1), (0.2, 0.2, 0.25), 1)
        score = self._shown(player, at)
        text = f"{score:,}" if score else "00"
        tall = TALL if len(text) < 9 else TALL - 6 if len(text) < 12 else TALL - 9
        ink: Triple = self._ink if up or not self.board.playing else (0.55, 0.55, 0.55)
        pen = Pen(tall, ink, self._font, self._thick)
        write(light, text, (left + wide - 5, top + (high + tall) // 2), pen, by="right")

    def _draw_ball(self, light: Light) -> None:
        left, top, wide, high = self.ball_place
        light[top : top + high, left : left + wide] *= np.float32(1 - self._panel)
        text = f"BALL {self.board.ball}"
        write(light, text, (left + 6, top + 20), Pen(13, (1, 1, 1), self._font, self._thick))

    def _draw_popup(self, light: Light, at: int) -> None:
        """A shout in the middle; every third one lies over the scores."""
        words = {"scored": f"JACKPOT {self._popup.points:,}", "extra-ball": "EXTRA BALL", "tilt": "TILT"}
        low = 222 if self._covered(at) else 110
        cv2.rectangle(light, (20, low - 42), (SIZE[1] - 20, min(SIZE[0], low + 40)), (0.5, 0.1, 0.1), -1)
        pen = Pen(22, (0.9, 1, 1), self._font)
        write(light, words.get(self._popup.kind, "WARNING"), (SIZE[1] // 2, low + 12), pen, by="centre")
