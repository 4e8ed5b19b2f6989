"""A game as one display shows it: whose turn, which scores were accepted, and what speaks for them at the end.

No words and no phases here. Invariant: a final score is sure only if the last pictures from after that player's last
turn show it, whatever else they showed before; else it is handed on as doubtful, with what was seen.
"""

from collections import Counter, deque

from capture import hints as h
from capture.burst import UNSEEN, fits
from capture.vision.reading import SETTLED, Reading, ScoreReading
from hardware.profile import MachineProfile

VOTES = 3
"""So many pictures from after the turn must show a score, and the last ones nothing else, for it to be sure."""
STEADY, STEADY_MS = 8, 5_000
"""Another player's number stands on the display ball after ball: in so many pictures, and over so long."""
WITHIN_MS = 5_000
"""A lone number that follows so soon upon the last one is the same player's, where there are several."""
PAIRS = 5
"""Pictures with several players' numbers, within so long, after which a lone number is nobody's: the others blink."""
PART, ANOTHER = 2, -1
"""Places seen of a number, the others not: it is a part of ours, or of another number."""
HEEDED = 0.5
"""Confidence from which another number in a player's place speaks against the score we have."""


class Endgame:
    """One game on the display."""

    def __init__(self, profile: MachineProfile, at: int, *, windows: bool = False) -> None:
        self._profile = profile
        self.windows = windows
        """Scores stand in windows of their own, whoever is up: no screens come and go."""
        self.changed_at = at
        """When a score changed last."""
        self._placed: Counter[int] = Counter()
        """In how many pictures each player's number stood in a place of his own."""
        self._pairs: deque[int] = deque(maxlen=PAIRS)
        """When pictures showed numbers in several players' places last."""
        self._scores: dict[int, ScoreReading] = {}
        """The last accepted reading of each player."""
        self._unsure: dict[int, ScoreReading] = {}
        """What was settled since, but not accepted."""
        self._votes: deque[tuple[int, int, int]] = deque(maxlen=256)
        """(at, player, score) of single pictures."""
        self._glimpses: dict[int, deque[int]] = {}
        """The last of what was read in a player's place, however unsure: told where nothing better is known."""
        self._sighted: dict[int, tuple[int, int, int]] = {}
        """Of each player: when first seen, the pictures looked at before that, and the pictures that showed him."""
        self._looks = 0
        self._turn_over: dict[int, int] = {}
        """When each player's own last turn ended: what was accepted before may be an earlier ball's score."""
        self._standing: tuple[str, object, int] = ("", None, at)
        self._earlier: dict[int, tuple[ScoreReading, int]] = {}
        """Of each player: the accepted reading before the last one, and when it came."""
        self._pages: dict[int, set[int]] = {}
        """Numbers that stood in a player's place for a while and went away again: high scores, not his."""
        self._waiting: dict[int, int] = {}
        """Numbers in players' places since no ball is named any more: pages, or scores."""
        self._ball_at: int | None = None
        """When the display named a ball last."""
        self.player = 1
        self.ball: int | None = None
        self.active_at = at
        """When play showed last."""
        self.over_at: int | None = None
        """When GAME OVER showed first."""
        self.tilted = self.slammed = False

    @property
    def players(self) -> int:
        """The highest player of whom a score was accepted."""
        return max(self._scores, default=0)

    def label(self, reading: Reading, at: int) -> None:
        """One picture shows numbers in these players' places."""
        if sum(score.player is not None for score in reading.scores) > 1:
            self._pairs.append(at)
        if reading.accepted:
            self._placed.update(score.player for score in reading.scores if score.player is not None)

    @property
    def several(self) -> bool:
        """Whether several players have places of their own on this display."""
        return sum(self._placed[player] >= VOTES for player in self._scores) > 1

    def anybodys(self, reading: Reading, at: int) -> bool:
        """Whether a number stands alone where several players' numbers stood, so that it may be anybody's."""
        if len(reading.scores) != 1:
            return False
        paired = len(self._pairs) == PAIRS and at - self._pairs[0] <= WITHIN_MS
        return self.several or (paired and reading.scores[0].player is None)

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

    def begins_anew(self, reading: Reading) -> bool:
        """Whether the score in view is less than the one of whoever is up, or none was accepted yet."""
        ours = self.value(self.player)
        first = reading.scores[0].score if reading.scores and reading.accepted else None
        return ours is None or (first is not None and first < ours)

    def look(self, players: set[int], at: int) -> None:
        """One picture shows numbers in these players' places."""
        for player in players:
            first, before, count = self._sighted.get(player, (at, self._looks, 0))
            self._sighted[player] = (first, before, count + 1)
        self._looks += 1

    def shown_at(self, player: int) -> int:
        """When a picture showed this player's score last."""
        value = self.value(player)
        return max((at for at, who, score in self._votes if (who, score) == (player, value)), default=-1)

    def takes_part(self, player: int, score: int | None, at: int) -> bool:
        """Whether there is such a player: up now, known, or seen so steadily that it is no bonus and no jackpot.

        In a window of its own a nought is no player: there is one in every window.
        """
        if player == self.player or player in self._scores:
            return True
        if self.windows and not score:
            return False
        first, before, count = self._sighted.get(player, (at, 0, 0))
        return count >= STEADY and at - first >= STEADY_MS and count >= (self._looks - before) / 2

    def name_ball(self, at: int) -> None:
        """The display names a ball."""
        self._ball_at = at

    def turn_page(self, player: int, score: int | None, at: int) -> bool:
        """Whether a number in a player's window is a page of attract mode: it takes turns there with his score.

        The first time it may be a score; while no ball is named any more it waits until it rises or goes.
        """
        ours, earlier, waiting = self.value(player), self._earlier.get(player), self._waiting.pop(player, None)
        if not self.windows or ours is None or score is None:
            return False
        if score == ours or score in self._pages.get(player, ()):
            if waiting is not None and waiting != ours:
                self._pages.setdefault(player, set()).add(waiting)
            return score != ours
        if earlier is not None and score == earlier[0].score and score < ours:
            self._pages.setdefault(player, set()).add(ours)
            self._scores[player], self.changed_at = earlier
            del self._earlier[player]
            return False
        idle = self._ball_at is not None and at - self._ball_at >= self._profile.dwell_ms
        if idle and score > ours and (waiting is None or score < waiting):
            self._waiting[player] = score
        return player in self._waiting

    def score(self, player: int, reading: ScoreReading, at: int) -> h.ScoreSeen:
        """An accepted score."""
        if reading.score != self.value(player):
            if player in self._scores:
                self._earlier[player] = (self._scores[player], self.changed_at)
            self.changed_at = at
        self._scores[player] = reading
        self._unsure.pop(player, None)
        return h.ScoreSeen(at=at, player=player, score=reading.score, text=reading.text, confidence=reading.confidence)

    def doubtful(self, player: int, reading: ScoreReading, at: int) -> h.ScoreSeen:
        """A settled number that was not accepted."""
        self._unsure[player] = reading
        return _unsure(player, reading, at)

    def vote(self, player: int, reading: ScoreReading, at: int) -> None:
        """One picture shows this number in this player's place; that it equals ours is no accident."""
        if reading.state != SETTLED:
            return
        ours = self.value(player)
        if reading.score in self._pages.get(player, ()):
            return
        if reading.score is not None:
            self._glimpses.setdefault(player, deque(maxlen=64)).append(reading.score)
        elif ours is not None and reading.candidates[:1] == (ours,):
            self._votes.append((at, player, ours))  # not sure of each place, but of none is it said to be another
        elif ours is not None and self.windows and len(reading.text) - reading.text.count(UNSEEN) >= PART:
            self._votes.append((at, player, ours if fits(reading.text, str(ours)) else ANOTHER))
        if reading.score is None or (reading.score != ours and reading.confidence < HEEDED):
            return
        self._votes.append((at, player, reading.score))

    def forget_reset(self, player: int) -> None:
        """The last pictures are of another game: the nought, and what was passed once on the way down to it."""
        value = self.value(player)
        last = max((at for at, who, said in self._votes if who == player and said == value), default=-1)
        since = Counter(said for at, who, said in self._votes if who == player and at > last and said)
        if all(times == 1 for times in since.values()):
            kept = [vote for vote in self._votes if vote[1] != player or vote[0] <= last]
        else:
            kept = [vote for vote in self._votes if vote[1] != player or vote[2]]
        self._votes = deque(kept, maxlen=self._votes.maxlen)

    def stands(self, what: str, value: object, at: int, dwell: int) -> bool:
        """Whether this value of something has been seen for `dwell` without another in between."""
        if self._standing[:2] != (what, value):
            self._standing = (what, value, at)
        return at - self._standing[2] >= dwell

    def next_turn(self, player: int, ball: int | None, at: int) -> None:
        """Another turn begins."""
        self._turn_over[self.player] = at
        self.player, self.ball, self.tilted, self.slammed = player, ball, False, False
        self.over_at = None
        self.active_at = self.changed_at = at

    def confirmed(self, since: int) -> bool:
        """The score of the player who was up last has been seen again since then."""
        return self._agree(self.player, since)

    def finals(self, at: int, *, seen_to_end: bool) -> list[h.Hint]:
        """The final scores, as sure as they are; none is where the game's end was not seen."""
        hints: list[h.Hint] = []
        for player, reading in sorted(self._scores.items()):
            since = self.active_at if player == self.player else self._turn_over.get(player, self.active_at)
            since = self.changed_at if self.windows else since
            if seen_to_end and self._agree(player, since) and player not in self._waiting:
                hints.append(self.score(player, reading, at))
            else:
                seen = [score for when, who, score in self._votes if who == player and when > since]
                others = [score for score, _ in Counter(seen).most_common(3) if score != ANOTHER]
                hints.append(_unsure(player, self._unsure.get(player, reading), at, (reading.score, *others)))
        unsure = {player: reading for player, reading in self._unsure.items() if player not in self._scores}
        hints += [_unsure(player, reading, at) for player, reading in unsure.items()]
        if self.player in self._glimpses and self.player not in {*self._scores, *unsure}:
            hints.append(self._glimpsed(self.player, at))
        return hints

    def _glimpsed(self, player: int, at: int) -> h.ScoreSeen:
        """What pictures showed most often in the place of a player of whom nothing settled."""
        often = [score for score, _ in Counter(self._glimpses[player]).most_common(8)]
        return h.ScoreSeen(at=at, player=player, score=None, text=str(often[0]), candidates=tuple(often), confidence=0)

    def _agree(self, player: int, since: int) -> bool:
        """The last pictures since then all show the score that we have."""
        last = [score for at, who, score in self._votes if who == player and at > since][-VOTES:]
        return len(last) == VOTES and set(last) == {self.value(player)}


def claim(play: Endgame, score: int, beside: set[int | None], at: int) -> int | None:
    """Whose a lone number is that is not the score of the player who was up: his next one, or another's.

    `beside`: the other numbers in view. The next player's number is his own as it stood, or nought for a new one, while
    the one before stays in view. None where it cannot be told.
    """
    before, known = play.value(play.player), range(1, play.players + 1)
    order: list[int] = [player for player in (*known[play.player :], *known[: play.player]) if player != play.player]
    same = [player for player in order if play.value(player) == score]
    if same:
        return same[0]
    if before in beside:
        return play.players + 1 if score == 0 and play.ball in {None, 1} else None
    alone = play.players <= 1 or at - play.shown_at(play.player) <= WITHIN_MS
    return play.player if alone or score == 0 else None


def _unsure(player: int, reading: ScoreReading, at: int, others: tuple[int | None, ...] = ()) -> h.ScoreSeen:
    proposed = [score for score in (reading.score, *others, *reading.candidates) if score is not None]
    return h.ScoreSeen(
        at=at,
        player=player,
        score=None,
        text=reading.text,
        candidates=tuple(dict.fromkeys(proposed))[:8],
        confidence=reading.confidence,
    )
