"""The pages of a simulated dot-matrix display that are no score screen: bonus, jackpots, initials, attract mode.

Plain functions that draw on a canvas; which page shows when is `dmd`'s. Invariant: a page draws what it is told and
nothing that depends on anything else.
"""

import numpy as np

from hardware.sim import fonts
from hardware.sim.canvas import Canvas, Dots
from hardware.sim.oracle import Event

CHANGES = ("wipe-left", "wipe-right", "curtain", "push-up", "push-left", "fade", "blend")


def change(old: Dots, new: Dots, how: str, done: float) -> Dots:
    """Between two screens: `done` goes from 0 (all old) to 1 (all new)."""
    rows, columns = new.shape
    across, down = int(columns * done), int(rows * done)
    mixed = old.copy()
    if how == "wipe-left":
        mixed[:, :across] = new[:, :across]
    elif how == "wipe-right":
        mixed[:, columns - across :] = new[:, columns - across :]
    elif how == "curtain":
        mixed[:down] = new[:down]
    elif how == "push-up":
        mixed = np.vstack([old[down:], new[:down]])
    elif how == "push-left":
        mixed = np.hstack([old[:, across:], new[:, :across]])
    elif how == "fade":
        part = old if done < 0.5 else new
        mixed = (part * abs(1 - 2 * done)).astype(np.uint8)
    else:
        mixed = (old * (1 - done) + new * done).astype(np.uint8)
    return mixed


def jackpot(canvas: Canvas, points: int, since: int) -> None:
    """An award, its word jumping."""
    canvas.words("JACKPOT", 3, 7 if since // 150 % 2 else 14, 15)
    canvas.number(points, canvas.at(19), canvas.tallest(points, canvas.columns, max(7, canvas.at(9))), 12)


def bonus(canvas: Canvas, counted: int) -> None:
    """The bonus is counted onto the score."""
    canvas.words("BONUS", 1, 7, 10)
    top = canvas.at(13)
    canvas.number(counted, top, canvas.tallest(counted, canvas.columns, min(canvas.rows - top, canvas.at(15) + 1)), 15)


def initials(canvas: Canvas, asked: Event, at: int) -> None:
    """Somebody enters initials."""
    since = at - asked.at
    canvas.words(f"PLAYER {asked.player}  GREAT SCORE", 1, 5, 9)
    entered = asked.detail[: 1 + since * 3 // max(1, asked.points)]
    canvas.words(entered if since // 300 % 2 else entered[:-1] or " ", 12 if canvas.rows < 32 else 10, 14, 15)
    if canvas.rows >= 32:
        canvas.words("ENTER INITIALS", 26, 5, 9)


def finals(canvas: Canvas, scores: tuple[int, ...], level: int) -> None:
    """Nobody is up any more: all scores in one size, as large as the largest allows."""
    if len(scores) == 1:
        rows = canvas.tallest(scores[0], canvas.columns, canvas.rows - 2)
        canvas.number(scores[0], max(0, (canvas.rows - rows) // 2), rows, level)
        return
    half = canvas.columns * 60 // 128
    rows = min(canvas.tallest(score, half, canvas.at(13) if canvas.rows >= 32 else 7) for score in scores)
    for player, score in enumerate(scores, 1):
        glyph = fonts.number(score, rows, canvas.hand)
        left = 1 if player % 2 else canvas.columns - 1 - glyph.shape[1]
        canvas.stamp(glyph, 1 if player <= 2 else canvas.rows - 1 - rows, left, level)


def title(canvas: Canvas, name: str) -> None:
    """The game's name."""
    canvas.words(name, 3, 14 if len(name) < 11 else 7, 15)
    canvas.words("PINBALL", 21, 7, 8)


def start(canvas: Canvas, at: int) -> None:
    """Come and play."""
    if at // 600 % 4:
        canvas.words("PRESS START", 4, 7, 15)
    canvas.words("FREE PLAY", 18, 7, 10)


def high_scores(canvas: Canvas, names: list[str], scores: list[int]) -> None:
    """The table; a low display has room for one line."""
    canvas.words("HIGH SCORES", 1, 5, 9)
    step = 8 if canvas.rows >= 32 else 16
    for line, (name, score) in enumerate(zip(names, scores, strict=True), 1):
        if line * step < 32:
            canvas.words(f"{line}. {name}", line * step, 5, 12, left=6)
            canvas.words(f"{score:,}", line * step, 5, 12, right=canvas.columns - 6)


def champion(canvas: Canvas, name: str, score: int) -> None:
    """The best of all."""
    canvas.words("GRAND CHAMPION", 1, 7, 9)
    canvas.words(name, 10, 7, 15)
    canvas.number(score, canvas.at(20), canvas.tallest(score, canvas.columns, max(5, canvas.at(11))), 15)
