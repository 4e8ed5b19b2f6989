"""A machine with segment displays: four players' windows, credits and ball, through a game and attract mode.

Cells are lit one after the other (multiplexed), unlit segments show as ghosts, whoever is up blinks until he scores.
Invariant: `truth` names what the windows themselves show, whatever a camera makes of it.
"""

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.sim.address import Setting
from hardware.sim.board import Board, Light, Truth
from hardware.sim.colours import GLOW
from hardware.sim.oracle import Event
from hardware.sim.segment_cells import COMMA, NAMES, Shape

CELL = (64, 44)
"""Rows and columns of one cell on the flat face."""
STROBE_MS = 9.0
"""All cells of a display are lit once in this time, one after the other."""
BLINK_MS = 500
PAGE_MS = 4_000
MATCH_MS = 7_000
ATTRACT = (("GAME", "OVER"), ("HIGH", "SCORE"), ("PRESS", "START"), ("FREE", "PLAY"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One window of the face, in flat pixels: `cells` cells from (left, top)."""

    shows: str
    player: int
    cells: int
    left: int
    top: int


def layout(players: int, digits: int) -> tuple[tuple[Place, ...], tuple[int, int]]:
    """The windows of a machine, and the face's size in rows and columns: players in pairs, small ones below."""
    high, wide = CELL
    across = 2 if players > 1 else 1
    down = (players + 1) // 2
    gap, margin = wide * 2, wide // 2
    columns = margin * 2 + across * digits * wide + (across - 1) * gap
    columns = max(columns, margin * 2 + wide * 7)
    places = [
        Place(shows="score", player=player, cells=digits, top=high // 4 + (player - 1) // 2 * (high + high // 2),
              left=margin + (player - 1) % 2 * (digits * wide + gap))
        for player in range(1, players + 1)
    ]  # fmt: skip
    top = high // 4 + down * (high + high // 2)
    middle = columns // 2
    places.append(Place(shows="credits", player=0, cells=2, top=top, left=middle - 3 * wide))
    places.append(Place(shows="ball", player=0, cells=2, top=top, left=middle + wide))
    return tuple(places), (top + high + high // 4, columns)


class SegmentFace:
    """One machine's displays; shapes come from the seed, and the colour unless the setting names one."""

    def __init__(self, setting: Setting, *, pace: float = 1.0) -> None:
        seed, glass, digits = setting.seed, setting.glass, setting.digits
        dead, dim = setting.trouble.dead, setting.trouble.dim
        chance = random.Random(f"inlane/{seed}/segments")  # noqa: S311 -- repeatable looks, no secrets
        self.board = Board()
        self._pace = max(1.0, pace)
        self.shape = Shape.drawn(seed, setting.segments)
        self.places, self.size = layout(setting.most, digits)
        self.players, self.digits, self.glass, self.text = setting.most, digits, glass, setting.segments > 7
        self._glow = np.array(GLOW[setting.colour or chance.choice(tuple(GLOW))], np.float32)
        self._ghost = chance.choice((0.012, 0.03, 0.05, 0.08)) if glass == "lit" else chance.choice((0.01, 0.04, 0.1))
        self._bright = chance.uniform(0.8, 1.5)
        self._commas = chance.random() < 0.75
        self._blinks, self._shows_match = chance.random() < 0.7, chance.random() < 0.6
        self._leading = chance.random() < 0.5
        """Credits and ball have a leading nought."""
        self._high = chance.randrange(10, 90) * 10 ** max(1, digits - 2)
        self._credits = chance.randrange(0, 15)
        self._shutter, self._flicker = setting.trouble.shutter, setting.trouble.flicker
        names = [*NAMES[setting.segments], COMMA]
        templates = self.shape.templates(*CELL)
        self._names = names
        self._templates = np.stack([templates[name] for name in names]).reshape(len(names), -1)
        self._health = _wear(np.random.default_rng([seed, 0xDE]), (sum(p.cells for p in self.places), len(names)),
                             dead, dim)  # fmt: skip
        self._ground = _ground(np.random.default_rng([seed, 0x60]), self.size, glass)

    @property
    def event(self) -> Event:
        """The last one told."""
        return self.board.event

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        self.board.tell(event)

    def truth(self, at: int) -> Truth:
        """The number in each player's window that is lit."""
        shown = self._texts(at)
        return {
            place.player: frozenset({int(text)})
            for place, text in zip(self.places, shown, strict=True)
            if place.shows == "score" and text.strip().isdigit()
        }

    def draw(self, at: int) -> Light:
        """The flat face at this machine time."""
        light = self._ground.copy()
        cell = 0
        for place, text in zip(self.places, self._texts(at), strict=True):
            for column, levels in enumerate(self._levels(text, place, at)):
                self._light(light, place, column, levels * self._health[cell], at, cell)
                cell += 1
        return light

    def _light(self, light: Light, place: Place, column: int, levels: NDArray[np.float32], at: int, cell: int) -> None:
        high, wide = CELL
        left = place.left + column * wide
        part = light[place.top : place.top + high, left : left + wide]
        if self.glass == "lcd":
            dark = (np.maximum(levels * 0.8, self._ghost) @ self._templates).reshape(high, wide)
            part *= 1 - np.clip(dark, 0, 0.93)[..., None]
            return
        strobe = self._strobe(at, cell)
        shine = (np.maximum(levels * strobe * self._bright, self._ghost) @ self._templates).reshape(high, wide)
        part += shine[..., None] * self._glow

    def _strobe(self, at: int, cell: int) -> float:
        """How bright this cell is in a picture whose shutter closed at `at`, 1 on average."""
        cells = max(8, self.digits * 2)
        turn = STROBE_MS / cells
        begin = (at - self._shutter) / STROBE_MS - cell % cells / cells
        end = at / STROBE_MS - cell % cells / cells
        seen = _lit_until(end, cells) - _lit_until(begin, cells)
        bright = seen * STROBE_MS / (self._shutter * turn / STROBE_MS)
        return max(0.0, 1 + (bright - 1) * self._flicker)

    def _levels(self, text: str, place: Place, at: int) -> list[NDArray[np.float32]]:
        """For each cell, how bright each segment is."""
        del at
        cells = []
        for column, sign in enumerate(text):
            lit = self.shape.lit(sign)
            left = place.cells - 1 - column
            comma = place.shows == "score" and self._commas and left and left % 3 == 0 and sign.isdigit()
            cells.append(np.array([name in lit or (name == COMMA and bool(comma)) for name in self._names], np.float32))
        return cells

    # --- what the windows say

    def _texts(self, at: int) -> list[str]:
        """One text a window, as many signs as it has cells; all blank without power."""
        board = self.board
        if not board.powered:
            return [" " * place.cells for place in self.places]
        scores = self._scores(at) if board.playing or self._since(at) is not None else self._attract(at)
        small = {"credits": f"{self._credits:{'02' if self._leading else '2'}d}", "ball": self._ball(at)}
        texts = [scores[place.player - 1] if place.shows == "score" else small[place.shows] for place in self.places]
        return [text.rjust(place.cells)[-place.cells :] for text, place in zip(texts, self.places, strict=True)]

    def _since(self, at: int) -> int | None:
        """Milliseconds of attract mode, while the last game's scores stand; None on other pages."""
        board = self.board
        if board.over_at is None:
            return None
        since = at - board.over_at
        page = round(PAGE_MS * self._pace)
        return since if since < 3 * page or since // page % 3 != 2 else None

    def _scores(self, at: int) -> list[str]:
        board = self.board
        shown = [f"{score % 10**self.digits:02d}" for score in board.scores[: self.players]]
        waiting = board.event.kind in {"ball-started", "player-added"}
        if board.playing and self._blinks and waiting and at // BLINK_MS % 2 and board.player <= len(shown):
            shown[board.player - 1] = ""
        if board.playing and board.tilted and self.text and board.player <= len(shown) and at // BLINK_MS % 2:
            shown[board.player - 1] = "TILT".center(self.digits)
        return shown + [""] * (self.players - len(shown))

    def _attract(self, at: int) -> list[str]:
        """Pages between games: the high score in all windows, or words where the cells can show them."""
        board = self.board
        page = at // round(PAGE_MS * self._pace)
        if board.event.kind == "service-entered":
            return [f"{page % 60:02d}", *[""] * (self.players - 1)]
        if self.text:
            words = ATTRACT[page % len(ATTRACT)]
            filled = [word.center(self.digits) for word in words]
            high = [str(self._high)] if words[0] == "HIGH" else []
            return ([*filled, *high] + [""] * self.players)[: self.players]
        if board.over_at is None and page % 2:
            return ["00"] * self.players
        return [str(self._high)] * self.players

    def _ball(self, at: int) -> str:
        board = self.board
        if board.playing:
            return f"{board.ball:{'02' if self._leading else '2'}d}"
        if board.over_at is not None and at - board.over_at < MATCH_MS * self._pace and self._shows_match:
            return f"{board.match_number():02d}" if at // 250 % 4 or at - board.over_at > 2500 else ""
        return "00" if self._leading else ""


def _lit_until(turns: float, cells: int) -> float:
    """How many turns a cell was lit since 0: it shines in the first 1/cells of each."""
    whole = np.floor(turns)
    return float(whole / cells + min(turns - whole, 1 / cells))


def _wear(chance: np.random.Generator, shape: tuple[int, int], dead: float, dim: float) -> NDArray[np.float32]:
    health = np.where(chance.random(shape) < dim, 0.45, chance.uniform(0.85, 1.0, shape)).astype(np.float32)
    health[chance.random(shape) < dead] = 0
    return health


def _ground(chance: np.random.Generator, size: tuple[int, int], glass: str) -> Light:
    """The unlit face: dark glass, or a liquid crystal's grey-green."""
    rows, columns = size
    base = chance.uniform(0.01, 0.04, 3) if glass == "lit" else np.array((0.42, 0.55, 0.5)) * chance.uniform(0.8, 1.2)
    ground = np.empty((rows, columns, 3), np.float32)
    ground[...] = base
    slope = np.linspace(chance.uniform(0.85, 1.0), chance.uniform(0.85, 1.0), columns, dtype=np.float32)
    return np.asarray(ground * slope[None, :, None], np.float32)
