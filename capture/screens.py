"""What a display shows through a game, as hints for the game: readings in, hints out.

No pictures and no phases of the game machine here. Rules: play shows by BALL #, by PLAYER # beside a score, or by a
number that rises again and again; numbers in attract mode begin nothing. A game is over when GAME OVER has shown and
its scores were seen once more, or when play has not shown for long. Invariant: a number that was not accepted never
becomes a score; it can only make a final score wait for an official.
"""

from capture import hints as h
from capture.endgame import Endgame
from capture.settle import Settled
from capture.vision.reading import Reading, ScoreReading
from hardware.profile import DisplayWords, MachineProfile

RISES = 3
"""So many rises of a number within `RISING_MS` show, without a word, that a game is played."""
RISING_MS = 60_000
SIGHTINGS, SIGHT_MS = 3, 2_000
"""So many pictures must say BALL #, the gaps between them no longer than this and the profile's dwell."""
LONG_AWAY = 8
"""In mid-game, play may be away this many holds (a tilt, a video mode) before the game is over."""
ATTRACT_MS = 15_000
"""Who saw attract mode so short a time ago has seen the game begin."""


class Screens:
    """Follows the screens of one machine."""

    def __init__(self, profile: MachineProfile) -> None:
        self._profile = profile
        self._words = profile.words
        self._play: Endgame | None = None
        self._attract_at: int | None = None
        self._rises: list[tuple[int, int]] = []
        self._sightings: list[int] = []
        """Attract mode: when BALL # was seen."""
        self._settled: Settled | None = None
        """Attract mode: what settled last; it may be the score of a game that is running already."""

    @property
    def playing(self) -> bool:
        """A game shows."""
        return self._play is not None

    def see(self, reading: Reading, settled: Settled | None, at: int) -> list[h.Hint]:
        """Take one readable picture, and what has settled with it."""
        ball, up = _number(reading, self._words.ball), self._up(reading)
        play = self._play
        if play is None:
            return self._attract(reading, settled, at, ball)
        hints = self._go_on(play, reading, settled, at)
        if self._play is play and (ball is not None or up is not None):
            hints += self._turn(play, reading, at, ball, up)
        return hints + (self._end(play, at) if self._play is play else [])

    def lose(self, at: int, how: str) -> list[h.Hint]:
        """Nothing has been seen for long: the game is gone."""
        if self._play is None:
            return []
        self._forget()
        return [h.GameGone(at=at, how=how)]

    def finish(self, at: int) -> list[h.Hint]:
        """Nothing more will be seen (a recording is over): a game whose end has shown has ended, another is gone."""
        if self._play is not None and self._play.over_at is not None:
            return self._finish(self._play, at, seen_to_end=True)
        return self.lose(at, "display-lost")

    # --- attract mode ----------------------------------------------------------------------------------

    def _attract(self, reading: Reading, settled: Settled | None, at: int, ball: int | None) -> list[h.Hint]:
        """Play must show for the profile's dwell before it is believed: one misread word begins no game."""
        dwell = self._profile.dwell_ms
        self._settled = settled or self._settled
        self._sightings = [seen for seen in self._sightings if at - seen <= dwell + SIGHT_MS]
        if ball is not None:
            self._sightings.append(at)
        elif not self._sightings:
            self._attract_at = at
        long = len(self._sightings) >= SIGHTINGS and self._sightings[-1] - self._sightings[0] >= dwell
        if not (ball is not None and long) and not self._rising(reading, settled, at):
            return []
        began = self._sightings[0] if self._sightings else at
        seen_attract = self._attract_at is not None and began - self._attract_at <= ATTRACT_MS
        late = not seen_attract or (ball or 1) > 1
        return self._begin(reading, at, ball, late=late)

    def _begin(self, reading: Reading, at: int, ball: int | None, *, late: bool) -> list[h.Hint]:
        play = self._play = Endgame(self._profile, at)
        play.player, play.ball = self._up(reading) or 1, ball
        count = play.player
        start: list[h.Hint] = (
            [h.GameFound(at=at)] if late else [h.GameOpened(at=at), h.PlayerJoined(at=at, player=count)]
        )
        start += [h.PlayersFound(at=at, players=count), h.PlayerUp(at=at, player=play.player, ball=ball)]
        for place, score in enumerate(reading.scores):
            if score.score is not None and place == 0 and reading.accepted:
                start.append(play.score(self._whose(play, score), score, at))
        start += self._doubtful_from_before(play, reading, at)
        return [*start, h.FindingDone(at=at)]

    def _doubtful_from_before(self, play: Endgame, reading: Reading, at: int) -> list[h.Hint]:
        """A number that settled before the game was believed, and still shows: it would not be told again."""
        before, self._settled = self._settled, None
        if before is None or reading.accepted or not reading.scores:
            return []
        shown = {score.score for score in reading.scores if score.score is not None}
        return [play.doubtful(self._whose(play, score), score, at) for score in before.scores if score.score in shown]

    def _rising(self, reading: Reading, settled: Settled | None, at: int) -> bool:
        """A display without words: a number that rises, rises and rises is a score in play."""
        if any(word in reading.words for word in self._words.game_over):
            self._rises.clear()
        if settled is None or not settled.accepted or not settled.changed:
            return len(self._rises) >= RISES
        score = settled.scores[0].score or 0
        if self._rises and score < self._rises[-1][1]:
            self._rises.clear()
        if not self._rises or score > self._rises[-1][1]:
            self._rises.append((at, score))
        self._rises = [rise for rise in self._rises if at - rise[0] <= RISING_MS]
        return len(self._rises) >= RISES

    # --- a game ----------------------------------------------------------------------------------------

    def _go_on(self, play: Endgame, reading: Reading, settled: Settled | None, at: int) -> list[h.Hint]:
        hints: list[h.Hint] = []
        words = set(reading.words)
        if words & set(self._words.game_over):
            play.over_at = at if play.over_at is None else play.over_at
        if _number(reading, self._words.ball) is not None or words & set(self._words.tilt):
            play.active_at = at
        if reading.scores:
            play.look({self._whose(play, score) for score in reading.scores}, at)
        for score in reading.scores:
            play.vote(self._whose(play, score), score, at)
        if settled is None:
            return hints
        hints += self._tilts(play, set(settled.words), at)
        for score in settled.scores:
            whose = self._whose(play, score)
            if score.player not in settled.changed or not play.takes_part(whose, at):
                continue
            if score.player in settled.accepted_players:
                hints += self._accepted(play, whose, score, at)
            elif whose == play.player:
                hints.append(play.doubtful(whose, score, at))
        return hints

    def _tilts(self, play: Endgame, said: set[str], at: int) -> list[h.Hint]:
        hints: list[h.Hint] = []
        if said & set(self._words.slam_tilt) and not play.slammed:
            play.slammed = play.tilted = True
            hints.append(h.Trouble(at=at, fault="slam-tilt", detail="the display says so"))
        if said & set(self._words.tilt) and not play.tilted:
            play.tilted = True
            hints.append(h.Trouble(at=at, fault="tilt", detail="the display says so"))
        return hints

    def _accepted(self, play: Endgame, whose: int, score: ScoreReading, at: int) -> list[h.Hint]:
        """A score to count. One that begins at nothing again is another game's."""
        before = play.value(whose)
        if before and score.score == 0:
            return self._finish(play, at, seen_to_end=play.last_ball)
        if score.score != before:
            play.active_at = at
        new = [] if whose <= play.players else [h.PlayersFound(at=at, players=whose)]
        return [*new, play.score(whose, score, at)]

    def _turn(self, play: Endgame, reading: Reading, at: int, ball: int | None, up: int | None) -> list[h.Hint]:
        """BALL # or PLAYER # stands beside a score: whose turn it is."""
        if ball is not None and play.ball is not None and ball < play.ball:
            if not play.stands("ball", ball, at, self._profile.dwell_ms):
                return []
            return self._finish(play, at, seen_to_end=play.last_ball)
        if up is None and play.ball is not None and ball != play.ball and play.players > 1:
            return []  # the ball is another one: whose it is shows in a moment
        player = up or play.player
        new = ball if ball is not None else play.ball if player >= play.player else None
        if (player, new) == (play.player, play.ball):
            if play.over_at is not None and at > play.over_at and reading.accepted:
                play.over_at = None  # GAME OVER only blinked
            play.stands("turn", play.ball, at, 0)
            return []
        if not play.stands("turn", (player, new), at, self._profile.dwell_ms // 2):
            return []
        if player == play.player and play.ball is None:
            play.ball = new
            return [h.PlayerUp(at=at, player=player, ball=new)]
        over: list[h.Hint] = [h.BallOver(at=at)]
        if play.tilted:
            over += [h.Relief(at=at, fault="tilt"), h.Relief(at=at, fault="slam-tilt")]
        play.next_turn(player, new, at)
        return [*over, h.PlayerUp(at=at, player=player, ball=new)]

    def _end(self, play: Endgame, at: int) -> list[h.Hint]:
        hold = self._profile.hold_ms
        if play.over_at is not None and (play.confirmed(play.over_at) or at - play.over_at >= hold):
            return self._finish(play, at, seen_to_end=True)
        if at - play.active_at >= (hold if play.last_ball else LONG_AWAY * hold):
            return self._finish(play, at, seen_to_end=play.last_ball)
        return []

    def _finish(self, play: Endgame, at: int, *, seen_to_end: bool) -> list[h.Hint]:
        self._forget()
        self._attract_at = at
        return [*play.finals(at, seen_to_end=seen_to_end), h.GameOver(at=at)]

    def _forget(self) -> None:
        self._play = None
        self._rises.clear()
        self._sightings.clear()

    def _up(self, reading: Reading) -> int | None:
        """Who is up, where the display says so."""
        if not reading.scores:
            return None
        said = _number(reading, self._words.player)
        if said is None and reading.accepted and _number(reading, self._words.ball) is not None:
            said = reading.scores[0].player
        return said if said is not None and 1 <= said <= self._profile.players else None

    @staticmethod
    def _whose(play: Endgame, score: ScoreReading) -> int:
        return play.player if score.player is None else score.player


def _number(reading: Reading, patterns: DisplayWords | tuple[str, ...]) -> int | None:
    """The number in the first of these words (`BALL #`) that stands on the display."""
    for pattern in patterns:
        start, _, end = str(pattern).upper().partition("#")
        for word in reading.words:
            if word.startswith(start) and word.endswith(end):
                digits = word[len(start) : len(word) - len(end)]
                if digits.isascii() and digits.isdigit() and len(digits) <= 2 and 1 <= int(digits) <= 99:
                    return int(digits)
    return None
