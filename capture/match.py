"""One game as far as it is known: whose turn, which ball, which scores; and what is said of it.

Here: the state of one game and the signals made of it. Not here: when they are said (`capture.game`).
Invariant: nothing is said of a game that has no id, and a game has one id for ever.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from capture.hints import BallOver, Hint, PlayersFound, PlayerUp, ScoresDoubted
from capture.scoreboard import Scoreboard
from capture.signals import (
    BallEnded,
    GameAborted,
    GameEnded,
    GameStarted,
    Picture,
    Pictures,
    ScoreFrozen,
    ScoreLive,
    ScoreRead,
    Signal,
)
from hardware.profile import MachineProfile


class Phase(Enum):
    """Where a machine is, as far as it was said."""

    ATTRACT = auto()
    """No game."""
    PLAYING = auto()
    LOST = auto()
    """The link broke in mid-game."""
    ENDING = auto()
    """The scores are final; the machine still takes initials."""
    OVER = auto()
    """The game is told; what still shows are leftovers."""


@dataclass(slots=True, kw_only=True)
class Match:
    """A game between its first sign and its last. `late`: it was running when we came."""

    profile: MachineProfile
    late: bool
    id: str = ""
    player: int | None = None
    ball: int | None = None
    balls: int | None = None
    """Balls a game, as the source says or said of the game before, or the profile."""
    ball_over: bool = False
    tilted: bool = False
    """The ball that is or was played last ended in a tilt."""
    slammed: bool = False
    drained: bool = False
    """A ball has drained since this one began."""
    scored_at: int | None = None
    """When the ball that runs scored last; None where none runs, or it has not scored yet."""
    ended: bool = False
    board: Scoreboard = field(init=False)

    def __post_init__(self) -> None:
        self.board = Scoreboard(self.profile)
        self.balls = self.balls or self.profile.balls

    @property
    def announced(self) -> bool:
        """`game.started` was said."""
        return bool(self.id)

    def note(self, hint: Hint) -> None:
        """Take what changes nothing but our knowledge."""
        match hint:
            case BallOver():
                self.ball_over, self.scored_at = True, None
            case PlayersFound():
                self.board.join(hint.players)
            case ScoresDoubted():
                self.board.doubt()

    def up(self, hint: PlayerUp) -> None:
        """Someone is up: a new turn, or the same player once more with an extra ball."""
        if hint.balls is not None:
            self.balls = hint.balls
        if hint.player is None:
            return
        if self.is_next(hint):
            self.tilted = False
        self.board.join(hint.player)
        if hint.player != self.player:
            self.player, self.ball = hint.player, None
        self.ball = hint.ball if hint.ball is not None else self.ball
        self.ball_over, self.drained, self.scored_at = False, False, None

    def is_next(self, hint: PlayerUp) -> bool:
        """The hint begins another turn than the one we are in."""
        if hint.player is None:
            return False
        return hint.player != self.player or (hint.ball is not None and hint.ball != self.ball)

    def how_ended(self) -> str:
        """`how` of `game.ended`: early where the last player's last ball was not reached, and no tilt explains it."""
        if self.slammed:
            return "slam-tilt"
        if self.ball is None or self.player is None or self.tilted:
            return "normal"
        complete = self.player >= self.board.players and (self.balls is None or self.ball >= self.balls)
        return "normal" if complete else "ended-early"

    def shows_the_same(self, other: "Match") -> bool:
        """The other has exactly our players and scores."""
        ours, theirs = self.board, other.board
        return ours.players == theirs.players > 0 and all(
            ours.value(player) == theirs.value(player) for player in range(1, ours.players + 1)
        )

    def take_over(self, found: "Match") -> None:
        """This same game was found again: go on from where it stands now."""
        self.player, self.ball, self.ball_over = found.player or self.player, found.ball or self.ball, found.ball_over
        self.balls, self.tilted, self.slammed = found.balls or self.balls, found.tilted, self.slammed or found.slammed
        self.board.take_over(found.board)
        self.scored_at = None

    # --- what is said of it ----------------------------------------------------------------------------

    def started(self, at: int) -> list[Signal]:
        """It has begun."""
        return [GameStarted(at=at, game=self.id, players=max(1, self.board.players), joined_late=self.late)]

    def turn_ended(self, at: int) -> list[Signal]:
        """The turn is over: nothing where we do not know whose."""
        if not (self.ball_over and self.player and self.ball):
            return []
        self.ball_over = False
        return [BallEnded(at=at, game=self.id, player=self.player, ball=self.ball, scores=self.board.stable())]

    def finished(self, at: int, picture: Pictures) -> list[Signal]:
        """It has ended: the final scores, and for each that an official must look at a reading with its own picture."""
        self.ended = True
        scores = self.board.final()
        ended = GameEnded(
            at=at,
            game=self.id,
            how=self.how_ended(),
            scores=scores,
            balls_played=self.ball,
            source=self.profile.source,
            evidence=picture(),
        )
        doubtful = [
            ScoreRead(
                at=at,
                game=self.id,
                player=score.player,
                text=score.text or "?",
                candidates=score.candidates,
                confidence=score.confidence,
                evidence=picture(_proposed(score.text, score.candidates)),
            )
            for score in scores
            if score.score is None
        ]
        return [ended, *doubtful]

    def aborted(self, at: int, how: str, evidence: Picture | None) -> list[Signal]:
        """It has vanished."""
        self.ended = True
        return [GameAborted(at=at, game=self.id, how=how, scores=self.board.stable(), evidence=evidence)]

    def frozen(self, at: int, why: str, evidence: Picture | None) -> list[Signal]:
        """The last stable scores are kept."""
        return [ScoreFrozen(at=at, game=self.id, scores=self.board.stable(), why=why, evidence=evidence)]

    def live(self) -> list[ScoreLive]:
        """The scores as they stand."""
        return [
            ScoreLive(
                at=at,
                game=self.id,
                player=seen.player,
                score=seen.score,
                confidence=seen.confidence,
                accepted=seen.score is not None and seen.confidence > 0,
            )
            for at, seen in self.board.seen()
        ]


def _proposed(text: str | None, candidates: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers that a doubtful score may be, the one that was read first."""
    return ((int(text),) if text is not None and text.isdecimal() else ()) + candidates
