"""The vocabulary of capture: what a machine's bytes or pictures mean, whatever the source.

`docs/signals.md` explains each; the wire's bodies are made from these in `bridge.translate`. Times are milliseconds
since the agent's boot. Scores are whole numbers; a digit that was not seen is `?` in `text` and the score is None.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Picture:
    """Evidence: an encoded picture, named by its content."""

    data: bytes = field(repr=False)
    media: str = "image/png"

    @property
    def digest(self) -> str:
        """`sha256:` and 64 hex digits."""
        return "sha256:" + hashlib.sha256(self.data).hexdigest()


class Pictures(Protocol):
    """Where evidence comes from."""

    def __call__(self, numbers: tuple[int, ...] = ()) -> Picture | None:
        """The picture of now; of these numbers the first one that was seen of late, if any was."""
        ...


def no_picture(numbers: tuple[int, ...] = ()) -> Picture | None:
    """The evidence of a source that shows nothing."""
    del numbers
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore:
    """One player's score. `player` counts from 1. `score` is None where it was not read for certain."""

    player: int
    score: int | None
    confidence: float = 1.0
    text: str | None = None
    candidates: tuple[int, ...] = ()


Scores = tuple[PlayerScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """A game began; said once. `game` is unique within one capture."""

    at: int
    game: str
    players: int
    joined_late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BallEnded:
    """`game.ball`: a turn is over, the bonus counted."""

    at: int
    game: str
    player: int
    ball: int
    scores: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The final scores of a game; said once. `how`: normal, slam-tilt, ended-early."""

    at: int
    game: str
    how: str
    scores: Scores
    balls_played: int | None
    source: str
    """`wire`, `camera` or `manual`."""
    evidence: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAborted:
    """The game vanished. `how`: link-lost, shutdown, reset, restart, service, display-lost."""

    at: int
    game: str
    how: str
    scores: Scores
    evidence: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFrozen:
    """The last stable scores, kept at a malfunction or on the desk's command."""

    at: int
    game: str
    scores: Scores
    why: str
    evidence: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRead:
    """A camera reading that needs eyes."""

    at: int
    game: str
    player: int
    text: str
    candidates: tuple[int, ...]
    confidence: float
    evidence: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLive:
    """The score as it stands: never stored."""

    at: int
    game: str
    player: int
    score: int | None
    confidence: float = 1.0
    accepted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRaised:
    """A malfunction signal; raised once until it is cleared. The names are in docs/signals.md."""

    at: int
    fault: str
    game: str | None = None
    player: int | None = None
    ball: int | None = None
    scores: Scores = ()
    evidence: Picture | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCleared:
    """The fault raised under this name is over."""

    at: int
    fault: str
    game: str | None = None
    player: int | None = None
    ball: int | None = None
    scores: Scores = ()
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineAttached:
    """The machine talks sense (or shows itself) on this port."""

    at: int
    port: str
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineDetached:
    """The machine is no longer heard on this port."""

    at: int
    port: str
    detail: str | None = None


Signal = (
    GameStarted
    | BallEnded
    | GameEnded
    | GameAborted
    | ScoreFrozen
    | ScoreRead
    | ScoreLive
    | FaultRaised
    | FaultCleared
    | MachineAttached
    | MachineDetached
)
