"""A game as one display shows it: whose turn, which scores were accepted, and what speaks for them at the end.

No words and no phases here. Invariant: a final score is sure only if pictures from after the last play agree with it;
else it is handed on as doubtful, with what was seen.
"""

from collections import deque

from capture import hints as h
from capture.vision.reading import SETTLED, ScoreReading
from hardware.profile import MachineProfile

VOTES = 3
"""So many pictures from after the play must show a score for it to be sure."""
SURE = 0.9
"""Confidence of a single number that speaks against the score we have."""


class Endgame:
    """One game on the display. `worded`: this display shows words of play, so that their absence means something."""

    def __init__(self, profile: MachineProfile, at: int) -> None:
        self._profile = profile
        self._scores: dict[int, ScoreReading] = {}
        """The last accepted reading of each player."""
        self._unsure: dict[int, ScoreReading] = {}
        """What was settled since, but not accepted."""
        self._votes: deque[tuple[int, int, int]] = deque(maxlen=256)
        """(at, player, score) of single pictures."""
        self._left_at: dict[int, int] = {}
        """When each player's own last turn ended: what was accepted before may be an earlier ball's score."""
        self._standing: tuple[str, object, int] = ("", None, at)
        self.player = 1
        self.ball: int | None = None
        self.worded = False
        self.active_at = at
        """When play showed last."""
        self.over_at: int | None = None
        """When GAME OVER showed first."""
        self.tilted = self.slammed = False

    @property
    def players(self) -> int:
        """The highest player of whom a score was accepted."""
        return max(self._scores, default=0)

    @property
    def last_ball(self) -> bool:
        """Nobody has a ball to come, as far as it is known."""
        if self.ball is None or self._profile.balls is None:
            return False
        return self.ball >= self._profile.balls and self.player >= self.players

    def value(self, player: int) -> int | None:
        """The last accepted score."""
        reading = self._scores.get(player)
        return reading.score if reading else None

    def score(self, player: int, reading: ScoreReading, at: int) -> h.ScoreSeen:
        """An accepted score."""
        self._scores[player] = reading
        self._unsure.pop(player, None)
        return h.ScoreSeen(at=at, player=player, score=reading.score, text=reading.text, confidence=reading.confidence)

    def doubtful(self, player: int, reading: ScoreReading, at: int) -> h.ScoreSeen:
        """A settled number that was not accepted."""
        self._unsure[player] = reading
        return _unsure(player, reading, at)

    def vote(self, player: int, reading: ScoreReading, at: int) -> None:
        """One picture shows this number in this player's place."""
        known = reading.score == self.value(player)
        if reading.score is not None and (known or (reading.state == SETTLED and reading.confidence >= SURE)):
            self._votes.append((at, player, reading.score))

    def stands(self, what: str, value: object, at: int, dwell: int) -> bool:
        """Whether this value of something has been seen for `dwell` without another in between."""
        if self._standing[:2] != (what, value):
            self._standing = (what, value, at)
        return at - self._standing[2] >= dwell

    def next_turn(self, player: int, ball: int | None, at: int) -> None:
        """Another turn begins."""
        self._left_at[self.player] = at
        self.player, self.ball, self.tilted, self.slammed = player, ball, False, False
        self.over_at, self.active_at = None, at

    def confirmed(self, since: int) -> bool:
        """Every player's score who was seen since then was seen as we have it; the last one's in any case."""
        if not self._scores or self._unsure.keys() - self._scores.keys():
            return False
        seen = {player for at, player, _ in self._votes if at > since}
        return self.player in seen and all(self._agree(player, since) for player in seen & self._scores.keys())

    def finals(self, at: int, *, seen_to_end: bool) -> list[h.Hint]:
        """The final scores, as sure as they are."""
        hints: list[h.Hint] = []
        since = self.active_at if self.over_at is None else min(self.active_at, self.over_at)
        for player, reading in sorted(self._scores.items()):
            held_to_end = seen_to_end if player == self.player else self._stood(player)
            unopposed = held_to_end and not self._against(player, since)
            if self._agree(player, since) or unopposed:
                hints.append(self.score(player, reading, at))
            else:
                others = tuple(
                    dict.fromkeys(score for when, who, score in self._votes if who == player and when > since)
                )
                hints.append(_unsure(player, self._unsure.get(player, reading), at, others))
        hints += [
            _unsure(player, reading, at) for player, reading in self._unsure.items() if player not in self._scores
        ]
        return hints

    def _agree(self, player: int, since: int) -> bool:
        """The last pictures since then all show the score that we have."""
        last = [score for at, who, score in self._votes if who == player and at > since][-VOTES:]
        return len(last) == VOTES and set(last) == {self.value(player)}

    def _stood(self, player: int) -> bool:
        """Pictures from after this player's own last turn show the score that we have."""
        left = self._left_at.get(player)
        return left is not None and self._agree(player, left)

    def _against(self, player: int, since: int) -> bool:
        """Pictures since then show something else."""
        return any(who == player and at > since and score != self.value(player) for at, who, score in self._votes)


def _unsure(player: int, reading: ScoreReading, at: int, others: tuple[int, ...] = ()) -> h.ScoreSeen:
    proposed = () if reading.score is None else (reading.score,)
    return h.ScoreSeen(
        at=at,
        player=player,
        score=None,
        text=reading.text,
        candidates=tuple(dict.fromkeys((*proposed, *reading.candidates, *others)))[:8],
        confidence=reading.confidence,
    )
