"""What the reader says of one picture: plain data, shared by `read`, `settle` and the game.

No pixels are understood here. One invariant: a place that was not seen is `?` in `text` and then `score` is None;
nothing in here ever fills a place in.
"""

from dataclasses import dataclass

from capture.signals import Picture

SETTLED = "settled"
ROLLING = "rolling"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReading:
    """One player's number as one picture shows it.

    `player` counts from 1, None where the picture does not say whose it is (a lone score: whoever is up).
    `text` is what is shown, separators left out, `?` for a place not seen. `score` is the number proposed, or None.
    `candidates` are other numbers it may be, best first. `confidence` is the chance that `score` is right.
    """

    player: int | None
    text: str
    score: int | None
    state: str = SETTLED
    candidates: tuple[int, ...] = ()
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything read from one picture.

    `scores[0]`, where there is one, is the score of the player who is up; the other players' follow.
    `accepted` speaks of `scores[0]` alone: it may count by itself. Else `why` says, in one line, what is missing.
    `words` are the words that matter as far as they are read: GAME OVER, TILT, SLAM TILT, PLAYER 2, BALL 3, ...
    """

    display: str
    scores: tuple[ScoreReading, ...] = ()
    accepted: bool = False
    why: str = ""
    words: tuple[str, ...] = ()
    quality: str = ""
    """Empty, or in one word why the picture itself cannot be read: dark, white, blank, small, no-dots, upside-down."""
    picture: Picture | None = None
