"""What lines tell of a game, one fact after another, as hints.

Here: leftovers, repeats, and games whose beginning or end was not heard. No bytes, no checksums (`lines_grammar`), no
silence (`lines_sense`). Invariants: nothing that is said after END, or before anything is played, begins or ends a
game; scores of END count only where they can belong to the game that runs.
"""

from capture import hints as h
from capture.dialects.lines_grammar import MOST_PLAYERS, MOST_SCORE, Line
from capture.dialects.lines_told import REPEATS_MS, TOO_SHORT_MS, Told
from capture.errors import LineGarbled
from capture.states import MachineState
from hardware.profile import MachineProfile

_Hints = list[h.Hint]

RETURN_MS = 15_000
"""A device that is back after so long is believed to tell of the same game, if what it says goes on from there."""


class Story:
    """The games of one machine. `running`: a game is known to run."""

    def __init__(self, profile: MachineProfile) -> None:
        self._hold = profile.hold_ms
        self._game = Told()
        self.running = False
        self._broken_at: int | None = None
        """The conversation ended then, in mid-game."""
        self._idle: dict[int, int] = {}
        """Scores that were said while no game was known to run."""
        self._final: dict[int, int] | None = None
        """Scores of the last END."""
        self._final_at = 0
        self._over_at: int | None = None
        """When the game that was told is over for good: its bonus may be counted late."""
        self._ending = False
        """The scores are final only when they have stood still until `_over_at`."""
        self._absent_at: int | None = None
        """A state has said, since then, that no game runs, though none was told to have ended."""

    def open(self) -> None:
        """A conversation begins."""
        self._idle.clear()
        self._over_at = self._absent_at = None

    def broke(self, at: int) -> None:
        """The conversation is over; one in which nothing was said of the game is none."""
        self._broken_at = at if self.running else self._broken_at
        self.running = self._ending = False

    def heed(self, hints: _Hints, number: int | None = None) -> _Hints:
        """Learn from hints that a follower of states has given; they are handed on as they are.

        `number`: the device's own count of the game that the state shows.
        """
        for hint in hints:
            if isinstance(hint, h.GameFound | h.GameOpened):
                self._begin(hint.at, 1)
                self._game.fresh, self._game.number = False, number
            elif isinstance(hint, h.GameOver | h.GameGone | h.NoGameFound):
                self.running = False
            elif isinstance(hint, h.PlayersFound | h.PlayerJoined):
                number = hint.players if isinstance(hint, h.PlayersFound) else hint.player
                self._game.players = max(self._game.players, number)
            elif isinstance(hint, h.ScoreSeen) and hint.score is not None:
                self._game.scores[hint.player] = hint.score
        return hints

    def tick(self, now: int) -> _Hints:
        """Time has passed: what was told to be over is."""
        if self._over_at is None or now < self._over_at:
            return []
        return self._close(now)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return self._over_at

    def finish(self, at: int) -> _Hints:
        """No more will come."""
        return self._close(at) if self._over_at is not None and not self._ending else []

    def doubt(self) -> None:
        """Lines were lost, or could not be understood."""
        self._game.unsure = True

    # --- what is told ----------------------------------------------------------------------------------

    def begin(self, line: Line, at: int) -> _Hints:
        """GAME: a game begins. Said twice before anything was played, it is the same one."""
        players = line.value("players", 1, MOST_PLAYERS) or 1
        balls, number = line.value("balls", 1, 99), line.value("game", 0, MOST_SCORE)
        game = self._game
        same = number is not None and number == game.number
        if self.running and not self._ending and (same or (game.fresh and (number is None or game.number is None))):
            return self._game.join(players, at)
        if same and not self.running and self._final is not None and at - self._final_at <= REPEATS_MS:
            return []  # it came twice
        hints = self._close(at)
        self._begin(at, players)
        self._game.balls, self._game.number = balls, number
        hints += self._game.opened(at)
        return hints + ([h.PlayerUp(at=at, balls=balls)] if balls else [])

    def join(self, line: Line, at: int) -> _Hints:
        """PLAYERS: so many play now."""
        return self._game.join(line.number(0, 1, MOST_PLAYERS), at) if self.running else []

    def turn(self, line: Line, at: int) -> _Hints:
        """PLAYER … BALL …: whose turn it is."""
        player, ball = line.number(0, 1, MOST_PLAYERS), None
        if line.plain[1:2] == ("BALL",):
            ball = line.number(2, 1, 99)
        if len(line.plain) not in {1, 3} or (len(line.plain) == 3 and ball is None):
            raise LineGarbled("PLAYER n BALL n")
        if not self.running and self._final is not None and (player, ball) == (self._game.player, self._game.ball):
            return []  # the last turn of the game that is over, said again
        return self._turn(player, ball, at)

    def score(self, player: int, score: int, at: int) -> _Hints:
        """SCORE: as it stands, absolute."""
        if self.running:
            self._game.scores[player] = score
            self._game.fresh = self._game.fresh and score == 0
            if self._ending:
                self._over_at = at + self._hold
            return [h.ScoreSeen(at=at, player=player, score=score)]
        if self._over_at is not None:
            return self._correct({player: score}, at)
        if self._resumes({player: score}, at):
            return [*self._resume(at), *self.score(player, score, at)]
        before = self._idle.get(player)
        if before is not None and score < before:
            self._idle.clear()  # another game: what was said of the others is left over
        self._idle[player] = score
        if before is None or score <= before:
            return []  # it may be left over: only one that rises is being played
        return self._find(at)

    def ball_over(self, at: int) -> _Hints:
        """BALL END: the ball is over and its bonus is counted."""
        if not self.running:
            return []
        self._game.ball_runs = self._game.fresh = False
        return [h.BallOver(at=at)]

    def end(self, scores: dict[int, int], number: int | None, at: int) -> _Hints:
        """END 1=… 2=…: the game is over, and these scores are final."""
        if set(scores) != set(range(1, len(scores) + 1)):
            raise LineGarbled("END without the score of every player")
        if not self.running:
            if self._over_at is None and self._resumes(scores, at) and self._game.goes_on(scores, number):
                return [*self._resume(at), *self._end(scores, at)]
            return self._correct(scores, at)
        if self._game.disowns(scores, number, at, before=self._final, before_at=self._final_at):
            self._final_at = at
            return []
        return self._end(scores, at)

    def over(self, at: int) -> _Hints:
        """The game is over, but nobody said that its scores are final: a bonus may follow."""
        if not self.running or (self._game.fresh and at - self._game.begun < TOO_SHORT_MS):
            return []
        if not self._ending:
            self._ending, self._over_at = True, at + self._hold
        return []

    def abort(self, how: str, at: int) -> _Hints:
        """ABORT: the game is not there any more."""
        if not self.running:
            return []
        self.running = self._ending = False
        self._over_at = None
        return [h.GameGone(at=at, how=how)]

    def state(self, line: Line, at: int, *, state: MachineState, dwell: int) -> _Hints:
        """STATE, of a device that tells its events as well: fills what was not heard, and no more."""
        playing = state.playing
        scores, number = line.scores(), line.value("game", 0, MOST_SCORE)
        player, ball = line.value("player", 0, MOST_PLAYERS), line.value("ball", 0, 99)
        players = max(line.value("players", 0, MOST_PLAYERS) or 1, player or 1)
        if playing is None:
            playing = bool(ball)
        if self._over_at is not None:
            return []
        if not playing:
            return self.abort("service", at) if state.service else self._absent(scores, at, dwell)
        game = self._game
        other = self.running and number is not None and game.number is not None and number != game.number
        new = other or not self.running
        hints: _Hints = []
        if new:
            self._begin(at, players)
            found: _Hints = [h.GameFound(at=at), h.PlayersFound(at=at, players=players)]
            hints = self._game.opened(at) if other else found
        else:
            hints = self._game.join(players, at)
        self._absent_at, self._game.fresh = None, False
        self._game.number = number if number is not None else self._game.number
        if player:
            hints += self._up(player, ball or None, at)
        seen = {one: score for one, score in sorted(scores.items()) if one <= self._game.players}
        self._game.scores |= seen
        hints += [h.ScoreSeen(at=at, player=one, score=score) for one, score in seen.items()]
        return [*hints, h.FindingDone(at=at)] if new and not other else hints

    # --- how it hangs together -------------------------------------------------------------------------

    def _begin(self, at: int, players: int) -> None:
        self._game = Told(players=players, begun=at)
        self.running, self._ending = True, False
        self._over_at = self._broken_at = self._absent_at = None
        self._idle.clear()

    def _turn(self, player: int, ball: int | None, at: int) -> _Hints:
        hints = self._close(at) if self._ending else []
        if not self.running:
            game = self._game
            later = player <= game.players and (ball or 0, player) >= (game.ball or 0, game.player or 0)
            hints += self._resume(at) if later and self._resumes({}, at) else self._find(at)
        return hints + self._up(player, ball, at)

    def _up(self, player: int, ball: int | None, at: int) -> _Hints:
        game = self._game
        another = player != game.player or (ball is not None and ball != game.ball)
        hints: _Hints = [h.BallOver(at=at)] if another and game.ball_runs else []
        game.player, game.ball = player, ball if another or ball is not None else game.ball
        game.players, game.ball_runs, game.fresh, game.unsure = max(game.players, player), True, False, False
        return [*hints, h.PlayerUp(at=at, player=player, ball=ball)]

    def _find(self, at: int) -> _Hints:
        """A game is played whose beginning was not heard."""
        scores = dict(self._idle)
        players = max(scores, default=1)
        self._close(at)
        self._begin(at, players)
        self._game.fresh, self._game.scores = False, scores
        seen = [h.ScoreSeen(at=at, player=player, score=score) for player, score in sorted(scores.items())]
        return [h.GameFound(at=at), h.PlayersFound(at=at, players=players), *seen, h.FindingDone(at=at)]

    def _resumes(self, scores: dict[int, int], at: int) -> bool:
        """The conversation broke in mid-game just now, and what is said goes on from there."""
        return self._broken_at is not None and at - self._broken_at < RETURN_MS and self._game.goes_on(scores, None)

    def _resume(self, at: int) -> _Hints:
        """The game of before goes on; what was scored meanwhile is not known until it is said."""
        self.running, self._broken_at = True, None
        return self._game.again(at)

    def _end(self, scores: dict[int, int], at: int) -> _Hints:
        game = self._game
        missing = game.players > len(scores)
        hints: _Hints = [h.ScoresDoubted(at=at)] if missing else []
        hints += [h.ScoreSeen(at=at, player=player, score=score) for player, score in sorted(scores.items())]
        last = game.last_turn(len(scores), at)
        hints += last or ([h.BallOver(at=at)] if game.ball_runs else [])
        game.ball_runs, self.running, self._ending = False, False, False
        self._final, self._final_at, self._over_at = dict(scores), at, at + self._hold
        self._broken_at = self._absent_at = None
        return [*hints, h.ScoresFinal(at=at)]

    def _correct(self, scores: dict[int, int], at: int) -> _Hints:
        """Scores that are said after the end: a repeat says nothing, a higher one that what was told was wrong."""
        final = self._final
        if self._over_at is None or final is None or not any(scores.values()):
            return []
        late = {player: score for player, score in scores.items() if score > final.get(player, -1)}
        final |= late
        return [h.FinalScore(at=at, player=player, score=score) for player, score in sorted(late.items())]

    def _absent(self, scores: dict[int, int], at: int, dwell: int) -> _Hints:
        """No game runs, says a state: where one did, its END was lost."""
        if not self.running:
            self._broken_at = None
            return [h.NoGameFound(at=at)]
        if self._absent_at is None:
            self._absent_at = at
        if at - self._absent_at < dwell:
            return []
        self._game.unsure = True
        known = set(scores) >= set(range(1, self._game.players + 1))
        ours = {player: score for player, score in scores.items() if player <= self._game.players}
        return self._end(ours, at) if known and self._game.goes_on(ours, None) else self._end({}, at)

    def _close(self, at: int) -> _Hints:
        """The game that was told to be over is over."""
        if self._over_at is None:
            return []
        self._over_at = None
        if not self._ending:
            return [h.GameOver(at=at)]
        hints: _Hints = [h.BallOver(at=at)] if self._game.ball_runs else []
        self.running = self._ending = self._game.ball_runs = False
        self._final, self._final_at = dict(self._game.scores), at
        return [*hints, h.ScoresFinal(at=at), h.GameOver(at=at)]
