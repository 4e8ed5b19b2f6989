"""A game that we lost sight of, and whether one that is found later is the same.

No phases and no signals here. Invariant: two games are never made one unless every score of the lost one is there
again and none is lower; a doubt makes them two, for an official to join.
"""

from dataclasses import dataclass
from enum import Enum, auto

from capture import hints as h
from capture.match import Match

_OF_A_GAME = (h.ScoreSeen, h.PlayerUp, h.BallOver, h.TurnOver, h.ScoresFinal, h.GameOver)
RETURN_MS = 15_000
"""How long a machine may be unheard and still be believed to play the same game."""
RENEW_MS = 2_000
"""The same where it began a new conversation without a break."""


class Found(Enum):
    """What a game that was found is to the one that we knew."""

    NEW = auto()
    """There is nothing to compare it with, or that one is told."""
    SAME = auto()
    TOLD = auto()
    """It is the one whose end was told: these are its leftovers."""
    OTHER = auto()
    """It is not the lost one, which is gone."""


@dataclass(slots=True, kw_only=True)
class Lost:
    """The game we knew. `renewed`: the conversation began anew without a break. `until`: when to give it up.

    `dip`: only its power is said to be gone, and it is still listened to.
    """

    game: Match
    renewed: bool = False
    until: int = 0
    dip: bool = False

    @classmethod
    def at(cls, at: int, game: Match, *, renewed: bool, dip: bool = False) -> "Lost":
        """Lost just now."""
        return cls(game=game, renewed=renewed, until=at + (RENEW_MS if renewed else RETURN_MS), dip=dip)

    def outlives(self, hint: h.Hint) -> bool:
        """The hint shows that the game went on through a dip of the power."""
        self.dip = self.dip and not isinstance(hint, h.LinkBroken)
        back = isinstance(hint, h.Relief) and hint.fault == "power-lost"
        return self.dip and (back or isinstance(hint, _OF_A_GAME))

    def recognise(self, found: Match) -> Found:
        """What the game that was found is."""
        if self.game.ended:
            return Found.TOLD if self.game.shows_the_same(found) else Found.NEW
        return Found.SAME if self._goes_on_in(found) else Found.OTHER

    def _goes_on_in(self, found: Match) -> bool:
        """Nobody is missing, the ball is no earlier, every score is seen and none is lower.

        Where the conversation was renewed without a break it is enough that nothing speaks against it.
        """
        lost = self.game
        if found.board.players < lost.board.players and not (self.renewed and found.board.players == 0):
            return False
        if found.board.players > lost.board.players and (lost.ball or 1) > 1:
            return False
        if lost.ball and found.ball and (found.ball, found.player or 1) < (lost.ball, lost.player or 1):
            return False
        for player in range(1, lost.board.players + 1):
            before, after = lost.board.value(player), found.board.value(player)
            if after is None and not self.renewed:
                return False
            if before is not None and after is not None and after < before:
                return False
        return True
