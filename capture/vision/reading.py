"""What the reader says of one picture: plain data, shared by `read`, `settle` and the game.

No pixels are understood here. One invariant: a place that was not seen is `?` in `text` and then `score` is None;
nothing in here ever fills a place in.
"""

from dataclasses import dataclass

from capture.signals import Picture

SETTLED = "settled"
ROLLING = "rolling"

LIVE, LIKELY, OPEN, OTHER = "live", "likely", "open", "other"
"""How `scores[0]` stands as the score of the player who is up, by the picture around it (`Reading.standing`): the
display itself says so; nothing says otherwise, but one picture alone cannot tell; another number may be meant as well;
the display says that it is something else."""

Place = tuple[float, float, float, float]
"""Left, top, right, bottom, as fractions of the display."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReading:
    """One player's number as one picture shows it.

    `player` counts from 1, None where the picture does not say whose it is (a lone score: whoever is up).
    `text` is what is shown, separators left out, `?` for a place not seen. `score` is the number proposed, or None.
    `candidates` are other numbers it may be, best first. `confidence` is the chance that `score` is right.
    `place` is where it stands, where the reader knows. `sound`: its digits passed every gate; what is open, if
    anything, is only whose number it is.
    """

    player: int | None
    text: str
    score: int | None
    state: str = SETTLED
    candidates: tuple[int, ...] = ()
    confidence: float = 0.0
    place: Place | None = None
    sound: bool = False


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
    standing: str = ""
    """LIVE, LIKELY, OPEN or OTHER: what the picture says of `scores[0]`; empty where the kind of display has no such
    question or there is no number."""
    others: tuple[ScoreReading, ...] = ()
    """The other numbers in view that are no player's score as far as one picture tells: awards, timers, levels. With
    their places, for those who compare pictures; never to be counted by themselves."""
