"""What a dot-matrix machine shows through a game, drawn from the true events.

No clock, no I/O: `tell` it what happened, ask it to `draw` any machine time that is not before the last event. Layout
and fonts are a maker's own, by seed. Invariant: a number in the place of a score is that player's true score, or a
number on its way there (`shown`); all other numbers are in words' places: jackpots, bonus, high scores, credits.
"""

import random

from hardware.sim import dmd_pages as pages
from hardware.sim import fonts
from hardware.sim.canvas import Canvas
from hardware.sim.canvas import Dots as Dots  # noqa: PLC0414 - part of this door
from hardware.sim.oracle import Event

ROWS, COLUMNS = 32, 128

ROLL_MS = 350
WIPE_MS = 250
CHANGE_MS = 400
"""How long a wipe, push or fade from one screen to the next takes."""
JACKPOT_MS = 1400
FINAL_MS = 12_000
"""So long the final scores stand after a game, in turn with GAME OVER."""
PAGE_MS = 3_000


class Display:
    """One machine's display. Its title, fonts and places come from the seed.

    `pace`: how much faster than the real thing games run here; what attract mode shows keeps its time on the wall.
    `wipes`: the share of changes of screen that do not come at once.
    """

    def __init__(
        self, seed: int, *, pace: float = 1.0, rows: int = ROWS, columns: int = COLUMNS, wipes: float = 0.0
    ) -> None:
        chance = random.Random(f"inlane/{seed}/maker")  # noqa: S311 -- repeatable looks, no secrets
        self.seed, self.rows, self.columns, self.wipes = seed, rows, columns, wipes
        self.page_ms, self.final_ms = round(PAGE_MS * max(1.0, pace)), round(FINAL_MS * max(1.0, pace))
        self.hand = chance.choice(fonts.HANDS)
        self.words_rows = chance.choice((5, 5, 7)) if rows >= 32 else 5
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
        self._old: tuple[int, str, Dots] | None = None
        """When a screen began to go, how, and what it showed."""

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        if self.wipes:
            self._remember(event)
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

    def truth(self, at: int) -> dict[int, frozenset[int]]:
        """For each player whose score the screen of `at` shows: the number that is right to read."""
        screen = self._screen(at) if self.powered else ""
        if screen == "scores" and self._is_blinked_off(at):
            return {}
        players = {"scores": range(1, len(self.scores) + 1), "finals": range(1, len(self.scores) + 1)}
        players["bonus"] = range(self.player, self.player + 1)
        return {player: frozenset({self.shown(player, at)}) for player in players.get(screen, range(0))}

    def draw(self, at: int) -> Dots:
        """The dots at this machine time."""
        dots = self._draw(at)
        if self._old is not None and 0 <= at - self._old[0] < CHANGE_MS and self.powered:
            return pages.change(self._old[2], dots, self._old[1], (at - self._old[0]) / CHANGE_MS)
        return dots

    def _remember(self, event: Event) -> None:
        """A screen goes: by chance slowly."""
        if event.kind in _OVERLAYS | {"ball-ended", "game-ended", "tilt"} and (
            event.kind != "scored" or event.detail == "jackpot"
        ):
            chance = random.Random(f"inlane/{self.seed}/{event.at}/change")  # noqa: S311 -- as above
            how = chance.choice(pages.CHANGES)
            self._old = (event.at, how, self._draw(event.at)) if chance.random() < self.wipes else None

    def _draw(self, at: int) -> Dots:
        canvas = Canvas(self.rows, self.columns, self.hand)
        if not self.powered:
            return canvas.dots
        event = self.overlay
        match self._screen(at):
            case "scores":
                self._draw_scores(canvas, at)
                if self.event.kind == "ball-started" and (gone := at - self.event.at) < WIPE_MS:
                    canvas.dots[:, gone * self.columns // WIPE_MS :] = 0  # a new ball's screen comes in from the left
            case "finals":
                pages.finals(canvas, self.scores, self.bright)
            case "bonus":
                pages.bonus(canvas, self.shown(self.player, at))
            case "jackpot":
                pages.jackpot(canvas, event.points, at - event.at)
            case "initials":
                pages.initials(canvas, self.event, at)
            case "service":
                canvas.words("SERVICE MENU", 6, 7, 15)
                canvas.words("1. TESTS   2. ADJUSTMENTS", 18, 5, 8)
            case "search":
                canvas.words("LOCATING PINBALLS", 8, 5, 15)
                canvas.words("PLEASE WAIT", 18, 5, 15)
            case screen:
                self._draw_page(canvas, screen, at)
        return canvas.dots

    def _draw_page(self, canvas: Canvas, screen: str, at: int) -> None:
        match screen:
            case "title":
                pages.title(canvas, self.title)
            case "start":
                pages.start(canvas, at)
            case "high":
                pages.high_scores(canvas, self.names[1:], self.high_scores[1:])
            case "champion":
                pages.champion(canvas, self.names[0], self.high_scores[0])
            case word:
                canvas.words(word, 9, 14, 15)

    def _screen(self, at: int) -> str:
        """Which screen shows: its name in small letters, or the big word that it consists of."""
        if not self.playing:
            return "service" if self.event.kind == "service-entered" else self._attract(at)
        event, now, since = self.overlay, self.event.kind, at - self.overlay.at
        if self.tilted:
            return self.tilted if at // 400 % 4 else ""
        if now == "initials":
            return "initials"
        if now == "bonus" or (event.kind == "bonus" and self.event.detail == "bonus"):
            return "bonus"
        if event.kind == now == "scored" and since < JACKPOT_MS:
            return "jackpot"
        if event.kind == "tilt-warning" and since < 1200 and since // 200 % 3:
            return "WARNING"
        if event.kind == "extra-ball" and since < 1500:
            return "EXTRA BALL"
        return "search" if event.kind == now == "ball-search-started" else "scores"

    def _attract(self, at: int) -> str:
        """Which page of attract mode."""
        since = at - (self.over_at if self.over_at is not None else self.event.at)
        page = since // self.page_ms
        if self.over_at is not None and self.scores and since < self.final_ms:
            return "GAME OVER" if page % 2 else "finals"
        last = ["finals"] if self.scores and self.over_at is not None else []
        return ["title", "start", "high", "champion", *last][page % (4 + len(last))]

    def _is_blinked_off(self, at: int) -> bool:
        return self.blinks and at // 500 % 2 == 1 and self.event.kind == "ball-started"

    # --- scores

    def _draw_scores(self, canvas: Canvas, at: int) -> None:
        """Scores in their places; the one who is up is bigger and brighter."""
        high = canvas.size(self.words_rows)
        floor = self.rows - 1 - high
        if len(self.scores) == 1:
            rows = canvas.tallest(self.shown(1, at), self.columns, floor - (2 if self.rows >= 32 else 1))
            canvas.number(self.shown(1, at), max(0, (floor - rows) // 2), rows, self.bright)
        else:
            for player in range(1, len(self.scores) + 1):
                self._draw_place(canvas, player, self.shown(player, at), floor=floor)
        if self._is_blinked_off(at):
            canvas.dots[:floor] = 0
        note = f"BALL {self.ball}" if len(self.scores) == 1 or at // 3000 % 2 else f"PLAYER {self.player}"
        canvas.stamp(fonts.text(note, high), self.rows - high, 2, 9)
        if len(note) < 9:
            free = fonts.text("FREE PLAY", high)
            canvas.stamp(free, self.rows - high, self.columns - 2 - free.shape[1], 9)

    def _draw_place(self, canvas: Canvas, player: int, score: int, *, floor: int) -> None:
        """Player 1 top left, 2 top right, 3 and 4 below them."""
        small, big = (7 * (self.rows // 32), 12 * (self.rows // 32)) if self.rows >= 32 else (5, 5)
        half = self.columns * 58 // 128
        neighbour = player + 1 if player % 2 else player - 1
        there = self.scores[neighbour - 1] if neighbour <= len(self.scores) else 0
        used = fonts.number(there, canvas.tallest(there, half, small), self.hand).shape[1]
        up = player == self.player
        rows = canvas.tallest(score, self.columns - used - 6, big) if up else canvas.tallest(score, half, small)
        glyph = fonts.number(score, rows, self.hand)
        top = 0 if player <= 2 else floor - rows - 1
        left = 1 if player % 2 else self.columns - 1 - glyph.shape[1]
        canvas.stamp(glyph, top, max(0, left), self.bright if up else self.dim)


_OVERLAYS = frozenset({"scored", "bonus", "tilt-warning", "extra-ball", "ball-search-started", "ball-started"})
