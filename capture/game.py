"""The one state machine of a game, for every source: hints in, signals out. The table is at the end. Its rules:

- A game starts with its first player. It is said once; a game found running is said (`joined_late`) when all that the
  source can tell of it is in.
- It ends with `ScoresFinal` or `GameOver`, or is aborted by `GameGone`, a restart, or a link that stays lost. Exactly
  one of these is said, always with the last stable scores. Scores in `over` are leftovers and start nothing.
- A new game or a new player 1 in `playing` is a restart: the old game is aborted first, its scores kept.
- Who comes back after a broken link and shows the same game, no score lower, plays on in it; else the old one is
  aborted. A game that was told before the link broke is not told again.
- Where something was lost on the way, final scores wait for the source's own word (`FinalScore`), else they are held.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from capture import hints as h
from capture.deadlines import earliest
from capture.faults import FAULTS, Faults
from capture.lost import Found, Lost
from capture.match import Match, Phase
from capture.signals import Pictures, ScoreLive, Signal, no_picture
from capture.watchman import Watchman
from hardware.profile import MachineProfile

_A, _P, _L, _E, _O = Phase.ATTRACT, Phase.PLAYING, Phase.LOST, Phase.ENDING, Phase.OVER


class GameMachine:
    """Follows one machine's games. `picture` gives the evidence of this moment, where there is any."""

    def __init__(self, profile: MachineProfile, *, picture: Pictures = no_picture) -> None:
        self._profile = profile
        self._picture = picture
        self.phase = Phase.ATTRACT
        self.faults = Faults(picture)
        self._opened = False
        self._game: Match | None = None
        """The game that is played or was played last."""
        self._lost: Lost | None = None
        self._games, self._again = 0, False
        self._watchman = Watchman(profile, self.faults, self.freeze)

    def take(self, hint: h.Hint) -> list[Signal]:
        """Take one hint; return what follows from it."""
        if self.phase is Phase.LOST and self._lost and self._lost.outlives(hint):
            self.phase, self._lost = Phase.PLAYING, None
        rule = self._TABLE.get(type(hint), {}).get(self.phase)
        noticed = self._watchman.take(hint, self.game)
        return noticed + rule(self, hint) if rule else noticed

    def tick(self, now: int) -> list[Signal]:
        """Time has passed: a lost link stays lost, a ball scores no more, moments pass."""
        due = self.phase is Phase.LOST and self._lost and now >= self._lost.until
        said = self._give_up(h.Hint(at=now)) if due else []
        return said + self._watchman.tick(now, self._running) + self.faults.tick(now, self.game)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        lost = self._lost.until if self._lost and self.phase is Phase.LOST else None
        return earliest(self.faults.deadline(), lost, self._watchman.deadline(self._running))

    def flush(self, now: int) -> list[Signal]:
        """Nothing more will come (a recording is over): say what was kept back, and nothing else."""
        return self._give_up(h.Hint(at=now)) if self.phase is Phase.LOST else self._settle(h.Hint(at=now))

    @property
    def game(self) -> Match | None:
        """The game in which things happen now: None outside of one."""
        return self.last if self.phase in {Phase.PLAYING, Phase.LOST} else None

    @property
    def _running(self) -> Match | None:
        """The game that is played at this moment."""
        return self.game if self.phase is Phase.PLAYING else None

    @property
    def last(self) -> Match | None:
        """The game that is played, else the one that was played last."""
        return self._game if self._game and self._game.announced else None

    def freeze(self, at: int, why: str) -> list[Signal]:
        """Keep the last stable scores: of the game that is played, else of the last one. Nothing where none was."""
        return self.last.frozen(at, why, self._picture()) if self.last else []

    def live(self) -> list[ScoreLive]:
        """The scores as they stand in a running game."""
        return self._running.live() if self._running else []

    def _open(self, hint: h.Hint) -> list[Signal]:
        said = self._give_up(hint) if self.phase is Phase.LOST else self._close(hint)
        self.phase, self._opened, self._lost = Phase.ATTRACT, True, None
        return said

    def _unopen(self, _: h.Hint) -> list[Signal]:
        self._opened = False
        return []

    def _start(self, hint: h.PlayerJoined) -> list[Signal]:
        said = self._open(hint)
        self._begin(late=False)
        self._in_play.board.join(hint.player)
        return said + self._announce(hint)

    def _find(self, hint: h.Hint) -> list[Signal]:
        """A game was running already: whether we know it shows when the finding is done."""
        said = self._close(hint)
        if self.phase in {Phase.LOST, Phase.OVER}:
            self._lost = self._lost or (Lost(game=self._game) if self._game else None)
        self._begin(late=True)
        return said

    def _stumble(self, hint: h.PlayerUp | h.ScoreSeen) -> list[Signal]:
        """Play without a beginning: one that we missed."""
        if isinstance(hint, h.PlayerUp) and hint.player is None:
            return []
        late = not self._opened
        self._find(hint)
        self._in_play.late = late
        return self.take(hint) + self._settle(hint)

    def _begin(self, *, late: bool) -> None:
        self._game = Match(profile=self._profile, late=late, balls=self._game.balls if self._game else None)
        self.phase, self._opened = Phase.PLAYING, False

    @property
    def _in_play(self) -> Match:
        assert self._game is not None, "only attract has no game"  # noqa: S101 - the table's own invariant
        return self._game

    def _announce(self, hint: h.Hint) -> list[Signal]:
        self._games += 1
        self._in_play.id = f"game-{self._games}"
        return self._in_play.started(hint.at)

    def _settle(self, hint: h.Hint) -> list[Signal]:
        """Before anything is said of a game that was found: is it the one we lost, one already told, or a new one?"""
        game = self._game
        if self.phase is not Phase.PLAYING or game is None or game.announced:
            return []
        lost, self._lost = self._lost, None
        found = lost.recognise(game) if lost else Found.NEW
        if lost is None or found is Found.NEW:
            return self._announce(hint)
        if found is Found.OTHER:
            self._lost = lost
            said = self._give_up(hint)
            self._game, self.phase = game, Phase.PLAYING
            return said + self._announce(hint)
        self._game = lost.game
        if found is Found.TOLD:
            self.phase = Phase.OVER
        else:
            lost.game.take_over(game)
        return []

    def _restart(self, hint: h.Hint) -> list[Signal]:
        said = self._settle(hint)
        if self.phase is Phase.PLAYING:
            why = self._watchman.explain(hint.at)
            said += self._raise("restarted", hint.at, f"a new game began while one was running{why}")
            said += self._abort(hint.at, "restart")
        self.phase, self._opened = Phase.ATTRACT, True
        return said

    def _join(self, hint: h.PlayerJoined) -> list[Signal]:
        if hint.player == 1 and self._in_play.board.players:
            return self._restart(hint) + self._start(hint)
        self._in_play.board.join(hint.player)
        return []

    def _note(self, hint: h.Hint) -> list[Signal]:
        self._in_play.note(hint)
        return []

    def _turn(self, hint: h.PlayerUp) -> list[Signal]:
        said = self._end_turn(hint) if self._in_play.is_next(hint) else []
        self._in_play.up(hint)
        return said

    def _score(self, hint: h.ScoreSeen) -> list[Signal]:
        game = self._in_play
        before = game.board.value(hint.player)
        note = game.board.see(hint)
        jump = self._raise("score-jump", hint.at, f"player {hint.player} {note}") if note and game.announced else []
        return self._watchman.see_score(game, before, hint.player, hint.at) + jump

    def _ball_over(self, hint: h.BallOver) -> list[Signal]:
        return self._watchman.see_ball_end(self._in_play, hint.at) + self._note(hint)

    def _end_turn(self, hint: h.Hint) -> list[Signal]:
        said = self._settle(hint) if self._in_play.ball_over else []
        if self.phase is not Phase.PLAYING or not self._in_play.ball_over:
            return said
        return said + self._in_play.turn_ended(hint.at) + self.faults.clear_ball(hint.at, self.game)

    def _final(self, hint: h.Hint) -> list[Signal]:
        said = self._settle(hint)
        if self.phase is not Phase.PLAYING:
            return said
        said += self._end_turn(hint)
        self.phase = Phase.ENDING
        self._again = isinstance(hint, h.ScoresFinal) and hint.again
        return said if self._in_play.board.waits(again=self._again) else said + self._finish(hint)

    def _over(self, hint: h.Hint) -> list[Signal]:
        said = (self._final(hint) if self.phase is Phase.PLAYING else []) + self._close(hint)
        self.phase = Phase.OVER
        return said

    def _close(self, hint: h.Hint) -> list[Signal]:
        """A game whose final scores were still waited for is told as it stands."""
        ending, self.phase = self.phase is Phase.ENDING, Phase.OVER if self.phase is Phase.ENDING else self.phase
        return self._finish(hint) if ending and not self._in_play.ended else []

    def _finish(self, hint: h.Hint) -> list[Signal]:
        said = self._watchman.see_finals(self._in_play, hint.at) + self._in_play.finished(hint.at, self._picture)
        return said + self.faults.clear_game(hint.at, self._game)

    def _confirm(self, hint: h.FinalScore | h.ScoreSeen) -> list[Signal]:
        """The source gives a final score once more: it settles a doubt, or shows that what was told was wrong."""
        game = self._in_play
        if not game.ended:
            game.board.confirm(hint)
            return [] if game.board.waits(again=self._again) else self._finish(hint)
        told = game.board.contradicted(hint)
        return self.faults.raise_("score-jump", hint.at, game, told) if told else []

    def _gone(self, hint: h.GameGone) -> list[Signal]:
        said = self._settle(hint)
        if self.phase is not Phase.PLAYING:
            return said
        said += self._end_turn(hint)
        reset = self._raise("reset", hint.at, "the machine reset itself in mid-game") if hint.how == "reset" else []
        said += reset + self._abort(hint.at, hint.how)
        self.phase = Phase.ATTRACT
        return said

    def _break(self, hint: h.LinkBroken) -> list[Signal]:
        """The game may come back; one that was only just found is forgotten, for nothing was said of it."""
        if not self._in_play.announced:
            self._game = self._lost.game if self._lost else None
            self.phase = Phase.ATTRACT if not self._game else Phase.OVER if self._game.ended else Phase.LOST
            return []
        self.phase, self._lost = Phase.LOST, Lost.at(hint.at, self._in_play, renewed=hint.renewed)
        return []

    def _give_up(self, hint: h.Hint) -> list[Signal]:
        lost, self._lost = self._lost, None
        if lost is None:
            return []
        self._game, self.phase = lost.game, Phase.LOST
        said = self._raise("reset", hint.at, "the machine started anew in mid-game") if lost.renewed else []
        said += lost.game.turn_ended(hint.at) + self._abort(hint.at, "reset" if lost.renewed else "link-lost")
        self.phase = Phase.ATTRACT
        return said

    def _abort(self, at: int, how: str) -> list[Signal]:
        return self._in_play.aborted(at, how, self._picture()) + self.faults.clear_game(at, self._game)

    def _trouble_in_game(self, hint: h.Trouble) -> list[Signal]:
        self._in_play.slammed |= hint.fault == "slam-tilt"
        said = self._settle(hint)
        if self.phase is not Phase.PLAYING:
            return said
        self._in_play.tilted |= hint.fault == "tilt"
        if hint.fault == "tilt" and self._in_play.slammed:
            return said
        if hint.fault == "tilt-warning":
            said += self.faults.clear(hint.fault, hint.at, self.game)
        said += self._raise(hint.fault, hint.at, hint.detail)
        if hint.fault == "power-lost":
            self.phase, self._lost = Phase.LOST, Lost.at(hint.at, self._in_play, renewed=False, dip=True)
        return said

    def _trouble(self, hint: h.Trouble) -> list[Signal]:
        return [] if FAULTS[hint.fault].in_game else self._raise(hint.fault, hint.at, hint.detail)

    def _raise(self, fault: str, at: int, detail: str | None = None) -> list[Signal]:
        return self.faults.raise_(fault, at, self.game, detail)

    _TABLE: ClassVar[dict[type[h.Hint], dict[Phase, Callable[[Any, Any], list[Signal]]]]] = {
        h.GameOpened: {_A: _open, _P: _restart, _L: _open, _E: _open, _O: _open},
        h.PlayerJoined: {_A: _start, _P: _join, _L: _start, _E: _start, _O: _start},
        h.GameFound: {_A: _find, _L: _find, _E: _find, _O: _find},
        h.NoGameFound: {_L: _give_up, _E: _over},
        h.FindingDone: {_P: _settle},
        h.PlayersFound: {_P: _note},
        h.PlayerUp: {_A: _stumble, _P: _turn, _L: _stumble, _O: _stumble},
        h.ScoreSeen: {_A: _stumble, _P: _score, _L: _stumble, _E: _confirm},
        h.ScoresDoubted: {_P: _note},
        h.BallOver: {_P: _ball_over},
        h.TurnOver: {_P: _end_turn},
        h.ScoresFinal: {_P: _final},
        h.FinalScore: {_E: _confirm},
        h.GameOver: {_A: _unopen, _P: _over, _L: _give_up, _E: _over},
        h.GameGone: {_A: _unopen, _P: _gone, _L: _give_up, _E: _over},
        h.LinkBroken: {_P: _break, _E: _over},
        h.Trouble: {_A: _trouble, _P: _trouble_in_game, _L: _trouble, _E: _trouble, _O: _trouble},
    }
