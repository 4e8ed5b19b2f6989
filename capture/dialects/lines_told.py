"""What lines have told of one game, and whether something that is said can belong to it.

Data and comparisons; which game runs is `lines_story`'s business. Invariant: scores never fall within a game, so what
is lower than what was told is another game's.
"""

from dataclasses import dataclass, field

from capture import hints as h

REPEATS_MS = 10_000
"""So long after an END, the same one again is a repeat."""
TOO_SHORT_MS = 5_000
"""A game that has told nothing of itself does not end with nothing but noughts before this."""


@dataclass(slots=True, kw_only=True)
class Told:
    """The game that runs, or ran last, as far as it was told."""

    players: int = 1
    player: int | None = None
    ball: int | None = None
    balls: int | None = None
    number: int | None = None
    begun: int = 0
    scores: dict[int, int] = field(default_factory=dict)
    fresh: bool = True
    """Nothing has been told of it but that it begins."""
    ball_runs: bool = False
    unsure: bool = False
    """Lines were lost since somebody was last said to be up: others may have played."""

    def opened(self, at: int) -> list[h.Hint]:
        """It begins: every score is nought."""
        self.scores = dict.fromkeys(range(1, self.players + 1), 0)
        noughts = (h.ScoreSeen(at=at, player=player, score=0) for player in self.scores)
        return [h.GameOpened(at=at), h.PlayerJoined(at=at, player=self.players), *noughts]

    def join(self, players: int, at: int) -> list[h.Hint]:
        """So many play now: those who are new have nought, where the game was heard from its beginning."""
        new = range(self.players + 1, players + 1)
        self.players = max(players, self.players)
        joined: list[h.Hint] = [h.PlayerJoined(at=at, player=player) for player in new]
        if 1 not in self.scores:
            return joined
        self.scores |= dict.fromkeys(new, 0)
        return [*joined, *(h.ScoreSeen(at=at, player=player, score=0) for player in new)]

    def again(self, at: int) -> list[h.Hint]:
        """It goes on after a break; what was scored meanwhile is not known until it is said."""
        hints: list[h.Hint] = [h.GameFound(at=at), h.PlayersFound(at=at, players=self.players)]
        if self.player:
            hints.append(h.PlayerUp(at=at, player=self.player, ball=self.ball))
        hints += [h.ScoreSeen(at=at, player=player, score=score) for player, score in sorted(self.scores.items())]
        self.unsure = True
        return [*hints, h.FindingDone(at=at), h.ScoresDoubted(at=at)]

    def last_turn(self, players: int, at: int) -> list[h.Hint]:
        """Before its end: where turns may have been missed, the last one is taken for the last player's."""
        if not self.unsure or self.player is None:
            return []
        if self.player >= players and (self.balls is None or self.ball == self.balls):
            return []  # it is the last one that was told
        return [h.PlayerUp(at=at, player=max(players, self.player), ball=self.balls)]

    def goes_on(self, scores: dict[int, int], number: int | None) -> bool:
        """These scores can come after those that were told."""
        if number is not None and self.number is not None and number != self.number:
            return False
        return all(one <= self.players and score >= self.scores.get(one, 0) for one, score in scores.items())

    def disowns(
        self, scores: dict[int, int], number: int | None, at: int, *, before: dict[int, int] | None, before_at: int
    ) -> bool:
        """These final scores are another game's: those of `before` repeated, or a device's idea of an empty display."""
        if number is not None and self.number is not None:
            return number != self.number
        shown = all(self.scores.get(player, 0) == score for player, score in scores.items())
        if scores == before and not shown and (self.fresh or at - before_at <= REPEATS_MS):
            return True
        return self.fresh and not any(scores.values()) and at - self.begun < TOO_SHORT_MS
