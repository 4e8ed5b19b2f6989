"""What a dot-matrix machine of 128 x 32 dots shows through a game, drawn from the true events.

No clock, no I/O: `tell` it what happened, ask it to `draw` any machine time that is not before the last event. Layout
and fonts are a maker's own, by seed. Invariant: a number in the place of a score is that player's true score, or a
number on its way there (`shown`); all other numbers are in words' places: jackpots, bonus, high scores, credits.
"""

import random

import numpy as np
from numpy.typing import NDArray

from hardware.sim import fonts
from hardware.sim.oracle import Event

ROWS, COLUMNS = 32, 128
Dots = NDArray[np.uint8]
"""32 x 128 levels of brightness, 0 to 15."""

ROLL_MS = 350
WIPE_MS = 250
JACKPOT_MS = 1400
FINAL_MS = 12_000
"""So long the final scores stand after a game, in turn with GAME OVER."""
PAGE_MS = 3_000


class Display:
    """One machine's display. Its title, fonts and places come from the seed.

    `pace`: how much faster than the real thing games run here; what attract mode shows keeps its time on the wall.
    """

    def __init__(self, seed: int, *, pace: float = 1.0) -> None:
        chance = random.Random(f"inlane/{seed}/maker")  # noqa: S311 -- repeatable looks, no secrets
        self.page_ms, self.final_ms = round(PAGE_MS * max(1.0, pace)), round(FINAL_MS * max(1.0, pace))
        self.hand = chance.choice(fonts.HANDS)
        self.words_rows = chance.choice((5, 5, 7))
        self.bright, self.dim = 15, chance.choice((5, 7, 9, 15))
        self.blinks = chance.random() < 0.3
        self.title = " ".join(chance.sample(("STAR", "COMET", "LUCKY", "RIVER", "GOLD", "NIGHT", "TIGER", "PIRATE"), 2))
        self.high_scores = sorted((chance.randrange(1000, 900_000) * 1000 for _ in range(4)), reverse=True)
        self.names = ["".join(chance.choices("ABCDEFGHKLMNPRSTW", k=3)) for _ in range(4)]
        self.event = Event(at=0, kind="power-back")
        self.scores: tuple[int, ...] = ()
        self.before: tuple[int, ...] = ()
        self.scored_at = 0
        self.player = self.ball = 0
        self.playing = False
        self.powered = True
        self.tilted = ""
        """The word that is shown while the ball is lost."""
        self.over_at: int | None = None
        self.overlay = Event(at=-10_000, kind="power-back")

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        if event.kind == "game-started":
            self.player = self.ball = 1
            self.playing, self.scores, self.before, self.over_at, self.tilted = True, (), (), None, ""
        elif event.kind == "ball-started":
            self.player, self.ball, self.tilted = event.player, event.ball, ""
        elif event.kind in {"tilt", "slam-tilt"}:
            self.tilted = (
                "" if not self.playing else "SLAM TILT" if "SLAM" in self.tilted or "slam" in event.kind else "TILT"
            )
        elif event.kind == "game-ended":
            self.playing, self.over_at = False, event.at
        elif event.kind in {"service-entered", "power-lost"}:
            self.playing, self.over_at = False, None
            self.powered = event.kind != "power-lost"
        elif event.kind == "power-back":
            self.powered, self.scores = True, ()
        if event.game and event.scores != self.scores:
            self.before = tuple(self.shown(slot + 1, event.at) for slot in range(len(self.scores)))
            self.scores, self.scored_at = event.scores, event.at
        if event.kind in _OVERLAYS and (event.kind != "scored" or event.detail == "jackpot"):
            self.overlay = event
        self.event = event

    def shown(self, player: int, at: int) -> int:
        """The number that stands in this player's place at `at`: the score, or on its way there for a moment."""
        score = self.scores[player - 1]
        before = self.before[player - 1] if player <= len(self.before) else score
        done = at - self.scored_at
        if done >= ROLL_MS or score - before < 100:
            return score
        return before + (score - before) * done // ROLL_MS // 10 * 10

    def draw(self, at: int) -> Dots:
        """The dots at this machine time."""
        dots = np.zeros((ROWS, COLUMNS), np.uint8)
        if not self.powered:
            return dots
        if self.playing:
            self._draw_play(dots, at)
        elif self.event.kind == "service-entered":
            _words(dots, "SERVICE MENU", 6, 7, 15)
            _words(dots, "1. TESTS   2. ADJUSTMENTS", 18, 5, 8)
        else:
            self._draw_attract(dots, at)
        return dots

    # --- a game

    def _draw_play(self, dots: Dots, at: int) -> None:
        event, since = self.overlay, at - self.overlay.at
        if self.tilted:
            if at // 400 % 4:
                _words(dots, self.tilted, 9, 14, 15)
        elif self.event.kind == "initials":
            self._draw_initials(dots, at)
        elif self.event.kind == "bonus" or (event.kind == "bonus" and self.event.detail == "bonus"):
            self._draw_bonus(dots, at)
        elif event.kind == "scored" and since < JACKPOT_MS and self.event.kind == "scored":
            _words(dots, "JACKPOT", 3, 7 if since // 150 % 2 else 14, 15)
            _number(dots, event.points, 19, 9, self.hand, 12)
        elif event.kind == "tilt-warning" and since < 1200 and since // 200 % 3:
            _words(dots, "WARNING", 9, 14, 15)
        elif event.kind == "extra-ball" and since < 1500:
            _words(dots, "EXTRA BALL", 9, 14, 12)
        elif event.kind == "ball-search-started" and self.event.kind == "ball-search-started":
            _words(dots, "LOCATING PINBALLS", 8, 5, 15)
            _words(dots, "PLEASE WAIT", 18, 5, 15)
        else:
            self._draw_scores(dots, at, up=self.player)
            self._wipe(dots, at)

    def _draw_scores(self, dots: Dots, at: int, *, up: int) -> None:
        """Scores in their places; the one who is up is bigger and brighter."""
        floor = 31 - self.words_rows if up else 32
        if len(self.scores) == 1:
            rows = _tallest(self.shown(1, at), COLUMNS, floor - 2, self.hand)
            _number(dots, self.shown(1, at), max(0, (floor - rows) // 2), rows, self.hand, self.bright)
        else:
            for player in range(1, len(self.scores) + 1):
                if up:
                    self._draw_place(dots, player, self.shown(player, at), up=player == up, floor=floor)
                else:
                    self._draw_final(dots, player)
        if self.blinks and up and at // 500 % 2 and self.event.kind == "ball-started":
            dots[:floor] = 0
        if up:
            note = f"BALL {self.ball}" if len(self.scores) == 1 or at // 3000 % 2 else f"PLAYER {up}"
            _words(dots, note, 32 - self.words_rows, self.words_rows, 9, left=2)
            if len(note) < 9:
                _words(dots, "FREE PLAY", 32 - self.words_rows, self.words_rows, 9, right=126)

    def _draw_place(self, dots: Dots, player: int, score: int, *, up: bool, floor: int) -> None:
        """Player 1 top left, 2 top right, 3 and 4 below them."""
        neighbour = player + 1 if player % 2 else player - 1
        there = self.scores[neighbour - 1] if neighbour <= len(self.scores) else 0
        used = fonts.number(there, _tallest(there, 58, 7, self.hand), self.hand).shape[1]
        rows = _tallest(score, COLUMNS - used - 6, 12, self.hand) if up else _tallest(score, 58, 7, self.hand)
        glyph = fonts.number(score, rows, self.hand)
        top = 0 if player <= 2 else floor - rows - 1
        left = 1 if player % 2 else COLUMNS - 1 - glyph.shape[1]
        _stamp(dots, glyph, top, max(0, left), self.bright if up else self.dim)

    def _draw_final(self, dots: Dots, player: int) -> None:
        """Nobody is up any more: all scores in one size, as large as the largest allows."""
        rows = min(_tallest(score, 60, 13, self.hand) for score in self.scores)
        glyph = fonts.number(self.scores[player - 1], rows, self.hand)
        left = 1 if player % 2 else COLUMNS - 1 - glyph.shape[1]
        _stamp(dots, glyph, 1 if player <= 2 else 31 - rows, left, self.bright)

    def _draw_bonus(self, dots: Dots, at: int) -> None:
        _words(dots, "BONUS", 1, 7, 10)
        counted = self.shown(self.player, at)
        rows = _tallest(counted, COLUMNS, 15, self.hand)
        _number(dots, counted, 13, rows, self.hand, 15)

    def _draw_initials(self, dots: Dots, at: int) -> None:
        asked, since = self.event, at - self.event.at
        _words(dots, f"PLAYER {asked.player}  GREAT SCORE", 1, 5, 9)
        entered = asked.detail[: 1 + since * 3 // max(1, asked.points)]
        _words(dots, entered if since // 300 % 2 else entered[:-1] or " ", 10, 14, 15)
        _words(dots, "ENTER INITIALS", 26, 5, 9)

    def _wipe(self, dots: Dots, at: int) -> None:
        """A new ball's screen comes in from the left."""
        if self.event.kind == "ball-started" and (since := at - self.event.at) < WIPE_MS:
            dots[:, since * COLUMNS // WIPE_MS :] = 0

    # --- attract mode

    def _draw_attract(self, dots: Dots, at: int) -> None:
        since = at - (self.over_at if self.over_at is not None else self.event.at)
        page = since // self.page_ms
        if self.over_at is not None and self.scores and since < self.final_ms:
            if page % 2:
                _words(dots, "GAME OVER", 9, 14, 15)
            else:
                self._draw_scores(dots, at, up=0)
            return
        pages = [self._page_title, self._page_start, self._page_high, self._page_champion]
        if self.scores and self.over_at is not None:
            pages.append(self._page_last)
        pages[page % len(pages)](dots, at)

    def _page_title(self, dots: Dots, _: int) -> None:
        _words(dots, self.title, 3, 14 if len(self.title) < 11 else 7, 15)
        _words(dots, "PINBALL", 21, 7, 8)

    def _page_start(self, dots: Dots, at: int) -> None:
        if at // 600 % 4:
            _words(dots, "PRESS START", 4, 7, 15)
        _words(dots, "FREE PLAY", 18, 7, 10)

    def _page_high(self, dots: Dots, _: int) -> None:
        _words(dots, "HIGH SCORES", 1, 5, 9)
        for line, (name, score) in enumerate(zip(self.names[1:], self.high_scores[1:], strict=True), 1):
            _words(dots, f"{line}. {name}", line * 8, 5, 12, left=6)
            _words(dots, f"{score:,}", line * 8, 5, 12, right=122)

    def _page_champion(self, dots: Dots, _: int) -> None:
        _words(dots, "GRAND CHAMPION", 1, 7, 9)
        _words(dots, self.names[0], 10, 7, 15)
        _number(dots, self.high_scores[0], 20, 11, self.hand, 15)

    def _page_last(self, dots: Dots, at: int) -> None:
        self._draw_scores(dots, at, up=0)


_OVERLAYS = frozenset({"scored", "bonus", "tilt-warning", "extra-ball", "ball-search-started", "ball-started"})


def _tallest(value: int, wide: int, rows: int, hand: fonts.Hand) -> int:
    """The tallest font up to `rows` in which this number fits."""
    for height in (20, 18, 16, 13, 11, 9, 7):
        if height <= rows and fonts.number(value, height, hand).shape[1] <= wide:
            return height
    return 5


def _number(dots: Dots, value: int, top: int, rows: int, hand: fonts.Hand, level: int) -> None:
    glyph = fonts.number(value, rows, hand)
    _stamp(dots, glyph, top, max(0, (COLUMNS - glyph.shape[1]) // 2), level)


def _words(
    dots: Dots, words: str, top: int, rows: int, level: int, *, left: int | None = None, right: int | None = None
) -> None:
    glyph = fonts.text(words, rows)
    if glyph.shape[1] > COLUMNS and rows > 7:
        glyph = fonts.text(words, rows // 2)
    place = left if left is not None else (COLUMNS - glyph.shape[1]) // 2
    _stamp(dots, glyph, top, max(0, place if right is None else right - glyph.shape[1]), level)


def _stamp(dots: Dots, glyph: fonts.Glyph, top: int, left: int, level: int) -> None:
    part = dots[top : top + glyph.shape[0], left : left + glyph.shape[1]]
    part[glyph[: part.shape[0], : part.shape[1]]] = level
