"""What a display shows through a game, as hints for the game: readings in, hints out.

No pictures and no phases of the game machine here. Rules: play shows by BALL #, by PLAYER # beside a score, or by a
number that rises again and again; numbers in attract mode begin nothing. A game is over when GAME OVER has shown and
its scores were seen once more, or when play has not shown for long. Invariant: a number that was not accepted never
becomes a score; it can only make a final score wait for an official.
"""

from capture import hints as h
from capture.attract import MECHANICAL, Attract
from capture.endgame import Endgame, claim
from capture.settle import Settled
from capture.vision.reading import Reading, ScoreReading
from hardware.profile import DisplayWords, MachineProfile

MOST_BALLS = 9
LONG_AWAY = 8
"""In mid-game, play may be away this many holds (a tilt, a video mode) before the game is over."""
BACK = 5
"""An earlier ball beside no lower score must stand for so many dwells: BALL 1 is locked."""


class Screens:
    """Follows the screens of one machine."""

    def __init__(self, profile: MachineProfile) -> None:
        self._profile = profile
        self._words = profile.words
        self._play: Endgame | None = None
        self._attract = Attract(profile)
        self.starved = False
        """Pictures come so seldom that what was not seen proves nothing."""

    @property
    def playing(self) -> bool:
        """A game shows."""
        return self._play is not None

    def see(self, reading: Reading, settled: Settled | None, at: int) -> list[h.Hint]:
        """Take one readable picture, and what has settled with it."""
        ball, up = self._ball(reading), self._up(reading)
        play = self._play
        if play is None:
            return self._wait(reading, settled, at, ball)
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
        play = self._play
        if play is not None and (play.over_at is not None or (play.windows and self._quiet(play, at, 1))):
            return self._finish(play, at, seen_to_end=True)
        return self.lose(at, "display-lost")

    # --- between games -----------------------------------------------------------------------------------

    def _wait(self, reading: Reading, settled: Settled | None, at: int, ball: int | None) -> list[h.Hint]:
        begun = self._attract.see(reading, settled, at, ball)
        return [] if begun is None else self._begin(reading, at, ball, late=begun.late)

    def _begin(self, reading: Reading, at: int, ball: int | None, *, late: bool) -> list[h.Hint]:
        before = self._attract.settled
        play = self._play = Endgame(self._profile, at, windows=reading.display != "dmd")
        play.player, play.ball = self._up(reading) or 1, ball
        count = play.player
        start: list[h.Hint] = (
            [h.GameFound(at=at)] if late else [h.GameOpened(at=at), h.PlayerJoined(at=at, player=count)]
        )
        start += [h.PlayersFound(at=at, players=count), h.PlayerUp(at=at, player=play.player, ball=ball)]
        shown = {score.score for score in reading.scores if score.score is not None}
        for place, score in enumerate(reading.scores):
            if score.score is not None and place == 0 and reading.accepted:
                start.append(play.score(self._whose(play, score), score, at))
        if before is not None and not reading.accepted:  # what settled before, and still shows, is not told again
            start += [play.doubtful(self._whose(play, one), one, at) for one in before.scores if one.score in shown]
        return [*start, h.FindingDone(at=at)]

    # --- a game ----------------------------------------------------------------------------------------

    def _go_on(self, play: Endgame, reading: Reading, settled: Settled | None, at: int) -> list[h.Hint]:
        hints: list[h.Hint] = []
        words = set(reading.words)
        if words & set(self._words.game_over):
            play.over_at = at if play.over_at is None else play.over_at
        if self._ball(reading) is not None:
            play.name_ball(at)
        if self._ball(reading) is not None or words & set(self._words.tilt):
            play.active_at = at
        if reading.scores:
            play.look({self._whose(play, score) for score in reading.scores}, at)
        play.label(reading, at)
        for score in reading.scores:
            if play.several and len(reading.scores) == 1:
                continue
            play.vote(self._whose(play, score), score, at)
        return hints if settled is None else hints + self._changes(play, reading, settled, at)

    def _changes(self, play: Endgame, reading: Reading, settled: Settled, at: int) -> list[h.Hint]:
        """What has settled anew."""
        hints = self._tilts(play, set(settled.words), at)
        if play.anybodys(reading, at):
            return hints  # each player has a place of his own here: a number that stands alone may be anybody's
        for score in settled.scores:
            whose = self._whose(play, score)
            if score.player is None and play.several:
                continue
            if score.player not in settled.changed or not play.takes_part(whose, score.score, at):
                continue
            if score.player in settled.accepted_players:
                hints += self._accepted(play, whose, score, reading, at)
                if self._play is not play:
                    break
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

    def _accepted(self, play: Endgame, whose: int, score: ScoreReading, reading: Reading, at: int) -> list[h.Hint]:
        """A score to count. One that begins at nothing again is another game's, or the next player's."""
        if play.turn_page(whose, score.score, at):
            return []
        before = play.value(whose)
        if score.player is None and before and score.score != before:
            other = claim(play, score.score or 0, {one.score for one in reading.others}, at)
            if other is None:
                return [play.doubtful(whose, score, at)]
            if other != whose and other <= self._profile.players:
                new = [h.PlayersFound(at=at, players=other), *self._pass_on(play, other, play.ball, at)]
                return [*new, play.score(other, score, at)]
        fell = before is not None and (score.score or 0) < before and not self._rolls(before)
        stepped = reading.display in MECHANICAL and self._quiet(play, at, 1)
        if fell and (score.score == 0 or stepped):  # wheels and lamps never fall in a game: their nought was not seen
            for player in range(1, play.players + 1) if play.windows else (whose,):
                play.forget_reset(player)  # all step back together, and some show it before others
            ended = self._finish(play, at, seen_to_end=play.last_ball or self._quiet(play, at, 1))
            self._attract.rose(score.player, 0, at)
            return ended
        hints: list[h.Hint] = [] if whose <= play.players else [h.PlayersFound(at=at, players=whose)]
        if play.windows and before is not None and (score.score or 0) > before and whose != play.player:
            hints += self._pass_on(play, whose, self._ball(reading), at)
        if score.score != before:
            play.active_at = at
        return [*hints, play.score(whose, score, at)]

    def _rolls(self, before: int) -> bool:
        """So near to the top of its display that the next number is a small one."""
        digits = self._profile.digits
        return digits is not None and before >= 98 * 10 ** (digits - 2)

    def _turn(self, play: Endgame, reading: Reading, at: int, ball: int | None, up: int | None) -> list[h.Hint]:
        """BALL # or PLAYER # stands beside a score: whose turn it is."""
        if ball is not None and play.ball is not None and ball < play.ball:
            if not play.stands("ball", ball, at, self._profile.dwell_ms * (1 if play.begins_anew(reading) else BACK)):
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
        return self._pass_on(play, player, new, at)

    def _pass_on(self, play: Endgame, player: int, ball: int | None, at: int) -> list[h.Hint]:
        """Another turn begins."""
        over: list[h.Hint] = [h.BallOver(at=at)]
        if play.tilted:
            over += [h.Relief(at=at, fault="tilt"), h.Relief(at=at, fault="slam-tilt")]
        play.next_turn(player, ball, at)
        return [*over, h.PlayerUp(at=at, player=player, ball=ball)]

    def _end(self, play: Endgame, at: int) -> list[h.Hint]:
        hold = self._profile.hold_ms
        if play.over_at is not None and (play.confirmed(play.over_at) or at - play.over_at >= hold):
            return self._finish(play, at, seen_to_end=True)
        if play.windows and self._quiet(play, at, LONG_AWAY):
            return self._finish(play, at, seen_to_end=True)
        if at - play.active_at >= (hold if play.last_ball else LONG_AWAY * hold):
            return self._finish(play, at, seen_to_end=play.last_ball)
        return []

    def _quiet(self, play: Endgame, at: int, holds: int) -> bool:
        """Whether the scores have stood still for so many of the profile's holds."""
        return at - play.changed_at >= holds * self._profile.hold_ms

    def _finish(self, play: Endgame, at: int, *, seen_to_end: bool) -> list[h.Hint]:
        """The game is over. Who saw too little of it has only lost sight of it."""
        if self.starved and not (play.over_at is not None and play.confirmed(play.over_at)):
            return self.lose(at, "display-lost")
        self._forget(at)
        return [*play.finals(at, seen_to_end=seen_to_end), h.GameOver(at=at)]

    def _forget(self, at: int | None = None) -> None:
        """No game shows any more; `at`: its end was seen then."""
        self._play, self._attract = None, Attract(self._profile, since=at)

    def _ball(self, reading: Reading) -> int | None:
        """The ball that the display names. Windows for the ball show other numbers after the game: a match, credits."""
        ball = _number(reading, self._words.ball)
        return None if ball is not None and reading.display != "dmd" and ball > MOST_BALLS else ball

    def _up(self, reading: Reading) -> int | None:
        """Who is up, where the display says so."""
        if not reading.scores:
            return None
        said = _number(reading, self._words.player)
        if said is None and reading.accepted and self._ball(reading) is not None:
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
