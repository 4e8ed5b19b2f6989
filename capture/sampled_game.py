"""One game as it is seen by looking again and again: whose turn, which scores, and what can be no part of it.

Here: states of one game in, hints out. Not here: beginnings and ends (`states`, `sampled_end`). Rules: a turn, a
player who joins and a fall of a score must last for the profile's dwell; a score counts once the next look shows it
again or more, so that one whose digits had changed only in part never does; what stood in a slot before the game
began is no score of it until it has changed.
"""

from capture import hints as h
from capture.lost import RETURN_MS
from capture.sampled import MachineState, Streak, Values, differ
from hardware.profile import MachineProfile

LONG_GAP_MS = 15_000
"""After so long without a look, a fallen score is another game's: nobody saw what was between."""
GAP_MS = 3_000
"""The same on ball 1: within it, a new game may have begun and scored."""
LATE_JOIN = 5
"""Who joins after ball 1, as few machines allow, or with another at once, must be seen for so many dwells."""


class SampledGame:
    """A game, from the first state that shows it. `left`: what stood in the slots before it began."""

    def __init__(self, profile: MachineProfile, state: MachineState, *, left: tuple[Values, ...] = ()) -> None:
        self._profile = profile
        self.number = state.number
        self.players = 0
        self.player = state.player or None
        self.ball = state.ball
        self.balls = state.balls
        self.scores: dict[int, int] = {}
        """What was told, by player."""
        self.risen: dict[int, int] = {}
        """The last score but nought that was seen of a player at all, told or not."""
        self.finals = state.finals
        """What stood there while the game was played: the game before's."""
        self.last = state
        self.suspect = False
        """It may have been another game for a moment: an official looks."""
        self._left = {(player, score) for values in left for player, score in enumerate(values, start=1) if score}
        self._after_another, self._began = bool(left), state.at
        self._waiting: dict[int, tuple[int, int]] = {}
        """Scores seen once, with the time."""
        self._below: dict[int, Streak[int]] = {}
        """Scores that are less than what was told."""
        self._turn: Streak[tuple[int | None, int | None]] | None = None
        self._turn_scores: MachineState | None = None
        self._joining: Streak[int] | None = None
        self.players = self._count(state)

    @property
    def unsettled(self) -> bool:
        """Something waits to be seen again."""
        return bool(self._waiting or self._below or self._turn or self._joining)

    @property
    def on_last_turn(self) -> bool:
        """The last player's last ball is up, as far as that is known."""
        balls = self.balls or self._profile.balls
        done = balls is not None and self.ball is not None and self.ball >= balls
        return done and (self.player is None or self.player >= self.players)

    def start(self, at: int, *, late: bool) -> list[h.Hint]:
        """The hints with which it begins."""
        players = max(1, self.players)
        up = h.PlayerUp(at=at, player=self.player, ball=self.ball, balls=self.balls)
        if late:
            return [h.GameFound(at=at), h.PlayersFound(at=at, players=players), up]
        return [h.GameOpened(at=at), h.PlayerJoined(at=at, player=players), up]

    def is_other(self, state: MachineState, *, ended: bool, blind_ms: int) -> bool:
        """The state is in play, but in another game.

        `ended`: this one has looked over for long enough. `blind_ms`: how long nobody has looked.
        """
        if differ(self.number, state.number):
            return True
        players = max(1, self.players)
        fell, wiped = self.has_fallen(state), state.wiped(max(players, state.players or 0))
        back = self.ball is not None and state.ball is not None and state.ball < self.ball
        first = state.ball is None or state.ball == 1
        if back and (ended or fell or wiped or blind_ms > GAP_MS):
            return True
        if fell and (self._goes_back((state.player, state.ball)) or 0 < (state.players or 0) < self.players):
            return True
        if ended and state.ball is None and state.playing:
            return True
        first = first and not self._is_wipe(state) and (blind_ms > GAP_MS or state.player in {None, 0, 1})
        fewer = 0 < (state.players or 0) < self.players
        if (fewer and (fell or (wiped and first))) or (fell and first and wiped):
            return True
        return fell and (blind_ms > LONG_GAP_MS or (first and blind_ms > GAP_MS)) and not self._rolls(state)

    def is_odd(self, state: MachineState) -> bool:
        """The state is no part of this game as it is known, and shows no other one: a look at a moment between."""
        if self.ball is not None and state.ball is not None and state.ball < self.ball:
            return True
        return state.wiped(max(1, self.players)) and any(self.scores.values()) and not self._is_wipe(state)

    def has_fallen(self, state: MachineState) -> bool:
        """A score is lower than what was told."""
        return any(
            (seen := state.score(player)) is not None and seen < told and not self.leftover(player, seen)
            for player, told in self.scores.items()
        )

    def is_same(self, state: MachineState) -> bool:
        """It shows exactly the scores that were told."""
        return all(state.score(player) in {score, None} for player, score in self.scores.items())

    def take(self, state: MachineState) -> list[h.Hint]:
        """Take a state of this game."""
        if self._is_wipe(state):
            self.scores.clear()
            self.risen.clear()
        hints = self._join(state)
        for player in range(1, max(1, self.players) + 1):
            if (seen := state.score(player)) and not self.leftover(player, seen):
                self.risen[player] = seen
        if state.finals:
            self.finals = state.finals
        hints += self._take_turn(state)
        if self._turn is None:
            hints += self._take_scores(state)
        self.last = state
        return hints

    def stop(self, state: MachineState) -> list[h.Hint]:
        """The game looks over: a turn that was seen once, and a dwell ago, was the last; who joined unseen played."""
        hints: list[h.Hint] = []
        if self._turn is not None and state.at - self._turn.since >= self._profile.dwell_ms:
            hints += self._enter_turn(state)
        if self.players < (state.players or 0) <= self._profile.players and state.at - self.last.at > GAP_MS:
            self.players, self.suspect = state.players or 0, True
            hints.append(h.PlayersFound(at=state.at, players=self.players))
        return hints

    def ended_unseen(self, state: MachineState) -> bool:
        """No game is played, and what stands there may be what this one ended with while nobody looked."""
        soon = state.at - self.last.at < RETURN_MS and any(self.scores.values())
        shown = [state.score(player) for player in self.scores]
        same = all(now is not None and now >= told for now, told in zip(shown, self.scores.values(), strict=True))
        return soon and same and (state.players or self.players) == self.players

    def missed_end(self, state: MachineState) -> list[h.Hint]:
        """The hints of an end that was not seen: what has changed since waits for an official."""
        at, scores = state.at, []
        for player in range(1, self.players + 1):
            score = state.score(player)
            held = not state.verified or score != self.scores.get(player)
            scores.append(h.ScoreSeen(at=at, player=player, score=score, held=held))
        found = [h.GameFound(at=at), h.PlayersFound(at=at, players=self.players), *scores, h.FindingDone(at=at)]
        return [*found, h.ScoresFinal(at=at), h.GameOver(at=at)]

    def sure(self, player: int, score: int, at: int, *, verified: bool) -> h.Hint:
        """A score that counts."""
        self.scores[player] = score
        self._left = {(who, what) for who, what in self._left if who != player}
        self._waiting.pop(player, None)
        self._below.pop(player, None)
        return h.ScoreSeen(at=at, player=player, score=score, held=not verified)

    def leftover(self, player: int, score: int | None) -> bool:
        """Such a score stood in this slot before the game began, and has not changed since."""
        return (player, score) in self._left

    def _is_wipe(self, state: MachineState) -> bool:
        """What the game before had left is cleared now, and some of it had been taken for scores of this one."""
        young = self._after_another and state.at - self._began < GAP_MS
        return young and state.wiped(max(1, self.players)) and any(self.scores.values())

    # --- whose turn ------------------------------------------------------------------------------------

    def _count(self, state: MachineState) -> int:
        """How many players: as said, else as many as are up or have scored."""
        if state.players:
            return state.players
        scored = [p for p, s in enumerate(state.scores, start=1) if s and not self.leftover(p, s)]
        return min(self._profile.players, max(self.players, state.player or 1, *scored, 1))

    def _join(self, state: MachineState) -> list[h.Hint]:
        count = self._count(state)
        if count <= self.players:
            self._joining = None
            return []
        if self._joining is None or self._joining.value != count:
            self._joining = Streak(count, state.at, state.at)
        else:
            self._joining.again(state.at)
        odd = (self.ball or 1) > 1 or count > self.players + 1
        if not self._joining.lasted(self._profile.dwell_ms * (LATE_JOIN if odd else 1)):
            return []
        self.players, since, self._joining = count, self._joining.since, None
        return [h.PlayersFound(at=since, players=count)]

    def _take_turn(self, state: MachineState) -> list[h.Hint]:
        turn = (state.player or self.player, state.ball if state.ball is not None else self.ball)
        if turn == (self.player, self.ball) or self._goes_back(turn):
            self._turn = self._turn_scores = None
            return []
        if self._turn is None or self._turn.value != turn:
            hints = self._enter_turn(state) if self._leads_on(turn, state.at) else []
            self._turn, self._turn_scores = Streak(turn, state.at, state.at), state
            return hints
        self._turn.again(state.at)
        return self._enter_turn(state) if self._turn.lasted(self._profile.dwell_ms) else []

    def _enter_turn(self, state: MachineState) -> list[h.Hint]:
        """The turn that waited is believed."""
        assert self._turn is not None, "the callers have looked"  # noqa: S101
        assert self._turn_scores is not None, "set with the streak"  # noqa: S101
        hints = self._close_turn(self._turn_scores, state)
        at, (self.player, self.ball) = self._turn.since, self._turn.value
        self._turn = self._turn_scores = None
        self.balls = state.balls or self.balls
        return [*hints, h.BallOver(at=at), h.PlayerUp(at=at, player=self.player, ball=self.ball, balls=self.balls)]

    def _leads_on(self, turn: tuple[int | None, int | None], at: int) -> bool:
        """What was seen once, a dwell ago, lies on the way to this turn: it was played, though nobody looked again."""
        if self._turn is None or at - self._turn.since < self._profile.dwell_ms:
            return False
        (player, ball), (next_player, next_ball) = self._turn.value, turn
        return ball is not None and next_ball is not None and (ball, player or 0) < (next_ball, next_player or 0)

    def _goes_back(self, turn: tuple[int | None, int | None]) -> bool:
        player, ball = turn
        if ball is None or self.ball is None:
            return False
        return (ball, player or self.player or 0) < (self.ball, self.player or 0)

    def _close_turn(self, first: MachineState, now: MachineState) -> list[h.Hint]:
        """The scores as they stood when the turn ended; what the next look took back does not count."""
        hints = []
        for player in range(1, self.players + 1):
            score, later = first.score(player), now.score(player)
            if score is None or later is None or self.leftover(player, score) or later < score:
                continue
            if score > self.scores.get(player, -1):
                hints.append(self.sure(player, score, first.at, verified=first.verified))
        return hints

    # --- scores ----------------------------------------------------------------------------------------

    def _rolls(self, state: MachineState) -> bool:
        """One score fell, and from near the top of its display; where that is not known, of any display."""
        fallen = [told for player, told in self.scores.items() if (state.score(player) or 0) < told]
        if len(fallen) != 1:
            return False
        share, digits = (90, self._profile.digits) if self._profile.digits else (98, max(4, len(str(fallen[0]))))
        return fallen[0] * 100 >= share * int("1" + "0" * digits)

    def _take_scores(self, state: MachineState) -> list[h.Hint]:
        hints = []
        for player in range(1, self.players + 1):
            score = state.score(player)
            if self.leftover(player, score):
                self._waiting.pop(player, None)
            elif score is not None:
                hints += self._take_score(player, score, state)
        return hints

    def _take_score(self, player: int, score: int, state: MachineState) -> list[h.Hint]:
        told, waiting = self.scores.get(player), self._waiting.get(player)
        if told is not None and score < told:
            self._waiting.pop(player, None)
            return self._fall(player, score, state)
        self._below.pop(player, None)
        if score == told:
            self._waiting.pop(player, None)
            return []
        self._waiting[player] = (score, state.at)
        if waiting is None or waiting[0] > score:
            return []
        hint = self.sure(player, waiting[0], waiting[1], verified=state.verified)
        if score > waiting[0]:
            self._waiting[player] = (score, state.at)
        return [hint]

    def _fall(self, player: int, score: int, state: MachineState) -> list[h.Hint]:
        """A score that stays lower is told: what it means is for the game to say."""
        below = self._below.get(player)
        if below is None or score < below.value:
            self._below[player] = Streak(score, state.at, state.at) if below is None else below
            self._below[player].value = score
            if below is not None:
                below.again(state.at)
            return []
        below.again(state.at)
        below.value = score
        if not below.lasted(self._profile.dwell_ms):
            return []
        return [self.sure(player, score, state.at, verified=state.verified)]
