"""What a source hints at: the one language in which every dialect and display reader speaks to the game.

Plain data, no behaviour. A hint says what the source said, not what follows from it: that is decided in `capture.game`
alone, by one table for all sources. Times are milliseconds since boot; players and balls count from 1.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """All hints have a time."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Hint):
    """The source makes sense: the first thing said in a conversation."""

    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DotsShown(Hint):
    """A dot-matrix display shows this now (rows x columns, 0 dark to 1 brightest): for the reader of displays."""

    levels: NDArray[np.float32] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DotsLost(Hint):
    """What the display shows is not known until the next `DotsShown`: a picture was damaged, or none comes."""

    why: str
    told: bool = False
    """A fault that says so has been raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened(Hint):
    """A game is being set up: it counts from its first player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFound(Hint):
    """A game was running already when we began to listen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoGameFound(Hint):
    """No game was running when we began to listen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingDone(Hint):
    """All that the source can say of the game that was found has been said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersFound(Hint):
    """How many players are in the game that is running."""

    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Hint):
    """A player has been added to the game."""

    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUp(Hint):
    """Whose turn it is and on which ball, as far as it is said; `balls` is how many the machine plays a game."""

    player: int | None = None
    ball: int | None = None
    balls: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSeen(Hint):
    """A player's score, absolute. `score` None: seen, but not for certain (`text` as shown, `candidates`)."""

    player: int
    score: int | None
    text: str | None = None
    candidates: tuple[int, ...] = ()
    confidence: float = 1.0
    held: bool = False
    """Known, but read in a way that nobody has confirmed for this machine: an official looks before it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresDoubted(Hint):
    """Something was lost on the way: a score may have changed unseen. Each player's next score settles it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallDrained(Hint):
    """A ball has left the playfield by the drain. Who says this once is believed to say it of every ball."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPressed(Hint):
    """Somebody pressed the start button: it explains a game that begins anew, and starts none by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialCalled(Hint):
    """Somebody pressed the button that calls an official: the scores are kept at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallOver(Hint):
    """The ball has ended and its bonus is counted; with an extra ball the turn goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver(Hint):
    """The player's turn has ended, extra balls and all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresFinal(Hint):
    """The scores will not change any more. `again`: each is said once more before the end (`FinalScore`)."""

    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalScore(Hint):
    """A player's final score, as the source gives it once more at the end."""

    player: int
    score: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(Hint):
    """The game has ended as a game ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameGone(Hint):
    """The game is not there any more, without having ended. `how` is a `how` of `game.aborted`."""

    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBroken(Hint):
    """The source is not heard any more; `renewed`: it begins a new conversation in the old one's place."""

    renewed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble(Hint):
    """A malfunction signal begins."""

    fault: str
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relief(Hint):
    """A malfunction signal is over."""

    fault: str
