"""From what a machine shows at one moment, again and again, to hints for the game: for every source that is looked at.

Here: the `StateFollower`, which finds beginnings and ends. Not here: bytes (`dialects`), what follows (`game`), turns
and scores within a game (`sampled_game`), final scores (`sampled_end`). Invariant: a state that lasts for less than the
profile's dwell, or was seen but once, changes no phase; two games are never made one.

| between games, it shows | and then |
|---|---|
| no play | its scores are leftovers: they count in no game until they change |
| play, for less than the dwell | nothing: the flag blinked |
| play, for the dwell | a game began; on ball 2 and later, or where nothing else was seen before, one was found |

| in a game, it shows | and then |
|---|---|
| the same game | turns, players and scores, as `sampled_game` has it |
| no play, then the same game within the hold | nothing: the game goes on |
| no play, scores that stand for the hold, or the machine's own final ones | the game is over, with these |
| no play, then other scores than a bonus makes | the game is over, with those that stood before, if they stood |
| no play and all scores nought for the dwell | the machine began anew: the game is gone |
| an earlier ball and lower scores, or all nought on ball 1, or another number, for the dwell | another game: the one \
before is over if it looked over or its last turn was up (what was not seen to stand waits for an official), else \
it was aborted by a restart |
| lower scores and nothing else, for the dwell | a fall within the game: said, and held |
"""

from dataclasses import replace

from capture import hints as h
from capture.lost import RETURN_MS
from capture.sampled import MachineState as MachineState  # noqa: PLC0414 - part of this door
from capture.sampled import Streak, Values, differ, is_played
from capture.sampled_end import Closing, doubt
from capture.sampled_flags import Flags
from capture.sampled_game import SampledGame
from capture.sampled_rival import Rival
from hardware.profile import MachineProfile

AGAIN_MS = 250
"""What is pushed and stands is looked at so often, while something waits for it to stand."""
AWAY_MS = 5_000
"""A game that looked over for a moment, so short a time ago, may have been."""
FEW_GAPS = 3
"""So many times the longest gap of late must pass until the silence of a source that is asked means that all stands."""


class StateFollower:
    """Follows one machine's states through its games.

    `pushed`: the source speaks only when something changes, so that silence means that all stands as it was. Of a
    source that is asked again and again (the default) silence means little: a state needs a second one to be believed.
    """

    def __init__(self, profile: MachineProfile, *, pushed: bool = False) -> None:
        self._profile = profile
        self._pushed = pushed
        self._flags = Flags(profile.dwell_ms)
        self._left: tuple[Values, ...] = ()
        """What stood in the slots while no game was played."""
        self._game: SampledGame | None = None
        self._closing: Closing | None = None
        """Since the game looks over."""
        self._rival: Rival | None = None
        """Another game that shows."""
        self._odd: Streak[None] | None = None
        """What shows is no part of the game, and no other one."""
        self._idle: Streak[None] | None = None
        """No game shows, in a conversation that has just begun."""
        self._fresh = True
        """Nothing is known of this conversation yet."""
        self._last: MachineState | None = None
        self._fed_at = 0
        self._gap = 0
        """The longest time between two looks of late."""
        self._rose_at: int | None = None
        self._after: list[h.Hint] = []
        """Said when it is known whether the game is over."""
        self._finished = self._guessed = False
        self._lost: SampledGame | None = None
        """The game that was played when the conversation before this one broke off."""
        self._away_at = -AWAY_MS
        """When the game looked over last."""

    def open(self, at: int) -> None:
        """A new conversation begins: the next state is found, not begun."""
        lost = self._game
        self._lost = lost if lost is not None and at - lost.last.at < RETURN_MS else None
        self._flags.forget()
        self._after.clear()
        self._left, self._fresh, self._last, self._rose_at = (), True, None, None
        self._forget()

    def see(self, state: MachineState) -> list[h.Hint]:
        """Take one state; states come in the order of time."""
        if self._last is not None:
            state = state if state.at >= self._last.at else replace(state, at=self._last.at)
            self._gap = max(state.at - self._last.at, self._gap * 7 // 8)
        self._finished = self._guessed = False
        blind = 0 if self._last is None or self._pushed else state.at - self._last.at
        hints = self._look(state, blind)
        self._last = state
        return hints

    def tick(self, now: int) -> list[h.Hint]:
        """Time has passed: what had to stand has stood."""
        due = self.deadline()
        if due is None or now < due or self._last is None:
            return []
        self._guessed = not self._pushed
        return self._look(replace(self._last, at=now), 0)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        unsettled = self._closing or self._rival or self._idle or self._flags.unsettled
        if self._finished or self._last is None or not (unsettled or (self._game and self._game.unsettled)):
            return None
        if self._pushed:
            return self._fed_at + AGAIN_MS
        patience = max(self._profile.hold_ms, self._profile.dwell_ms, FEW_GAPS * self._gap)
        return max(self._fed_at + AGAIN_MS, self._last.at + patience)

    def finish(self, at: int) -> list[h.Hint]:
        """No more will be seen in this conversation (a recording is over, the link has gone): say what is sure by now.

        A dialect hands this on as its own `finish`.
        """
        del at
        self._finished = True
        if self._rival is not None and self._rival.believed(sure=True):
            return self._change(self._rival)
        if self._game is not None and self._closing is not None and self._closing.believed:
            return self._end(cut_short=True)
        return []

    # --- one look ----------------------------------------------------------------------------------------

    def _look(self, state: MachineState, blind: int) -> list[h.Hint]:
        self._fed_at = state.at
        hints = self._tell(self._flags.see(state))
        played = is_played(state, self._profile)
        if played is None:
            played = self._moves(state)
        if played:
            return hints + self._see_play(state, blind)
        return hints + self._see_none(state)

    def _tell(self, hints: list[h.Hint]) -> list[h.Hint]:
        """What began when the game looked over already is said when that is decided: it may not be of that game."""
        if self._closing is None:
            return hints
        since = self._closing.since
        self._after += [hint for hint in hints if hint.at > since]
        return [hint for hint in hints if hint.at <= since]

    def _moves(self, state: MachineState) -> bool:
        """Where scores are all that is said: they rose of late."""
        if self._last is not None and state.scores != self._last.scores:
            pairs = zip(self._last.scores, state.scores, strict=False)
            rose = all(old is None or (new is not None and new >= old) for old, new in pairs)
            self._rose_at = state.at if rose or self._game else None
        holds = 8 if self._game else 1
        return self._rose_at is not None and state.at - self._rose_at < holds * self._profile.hold_ms

    def _see_play(self, state: MachineState, blind: int) -> list[h.Hint]:
        self._idle = None
        game = self._game
        if game is None:
            return self._court(state)
        ended = self._closing is not None and self._closing.believed
        if game.is_other(state, ended=ended, blind_ms=blind) or (self._rival is not None and game.has_fallen(state)):
            return self._court(state)
        if game.is_odd(state):
            return self._court(state) if self._rival is not None or self._odd_for_long(state.at) else []
        self._odd = None
        if self._rival is not None:
            unclear = game.ball in {None, 1} and not game.is_same(state)
            game.suspect |= unclear and self._rival.count >= 2
        self._rival = self._closing = None
        return self._rest() + game.take(state)

    def _odd_for_long(self, at: int) -> bool:
        if self._odd is None:
            self._odd = Streak(None, at, at)
        self._odd.again(at)
        return self._odd.lasted(max(self._profile.hold_ms, self._profile.dwell_ms))

    def _court(self, state: MachineState) -> list[h.Hint]:
        """A game shows that is not the one we know: it must last."""
        rival = self._rival
        if rival is None or rival.game.is_other(state, ended=False, blind_ms=0) or rival.game.is_odd(state):
            self._rival = rival = Rival(self._profile, state, left=() if self._fresh else self._leftovers())
        else:
            rival.see(state)
        sure = self._game is None or self._closing is not None or state.at - self._away_at <= AWAY_MS
        return self._change(rival) if rival.believed(sure=sure) or self._plain(rival) else []

    def _plain(self, rival: Rival) -> bool:
        """Nothing but a new game looks like this: over, then another number on an earlier ball."""
        game = self._game
        if game is None or self._closing is None or not differ(game.number, rival.game.number):
            return False
        return None not in {game.ball, rival.game.ball} and rival.game.ball == 1 and (game.ball or 0) > 1

    def _leftovers(self) -> tuple[Values, ...]:
        """What stood in the slots of late, and may stand there still when a new game has begun."""
        played = (self._game.last.scores,) if self._game else ()
        return (*self._left[-2:], *played, *((self._last.scores,) if self._last else ()))

    def _see_none(self, state: MachineState) -> list[h.Hint]:
        self._rival = None
        game = self._game
        if game is None:
            self._left = (*self._left[-1:], state.scores)
            return self._see_idle(state)
        self._away_at = state.at
        hints: list[h.Hint] = []
        if self._closing is None:
            hints = game.stop(state)
            self._closing = Closing(self._profile, game, state)
        over = self._closing.see(state, guessed=self._guessed)
        if over and not self._flags.service:
            return hints + self._end(cut_short=False)
        if self._closing.gone or (self._flags.service and self._closing.believed):
            at, how = self._closing.since, "service" if self._flags.service else "reset"
            self._left = (*self._left[-1:], state.scores)
            self._forget()
            return [*hints, h.GameGone(at=at, how=how), *self._rest()]
        return hints

    def _see_idle(self, state: MachineState) -> list[h.Hint]:
        if not self._fresh:
            return []
        if self._idle is None:
            self._idle = Streak(None, state.at, state.at)
            return []
        self._idle.again(state.at)
        if not self._idle.lasted(self._profile.dwell_ms):
            return []
        at, self._idle, self._fresh = self._idle.since, None, False
        lost, self._lost = self._lost, None
        unseen = lost is not None and lost.ended_unseen(state)
        return lost.missed_end(state) if lost is not None and unseen else [h.NoGameFound(at=at)]

    # --- beginnings and ends -----------------------------------------------------------------------------

    def _change(self, rival: Rival) -> list[h.Hint]:
        """Another game is believed: the one before is over, or was given up for it."""
        hints: list[h.Hint] = []
        game = self._game
        seen_before = bool(self._left) and self._lost is None and rival.first.wiped(max(1, rival.game.players))
        late = (self._fresh and not seen_before) or (rival.first.ball or 1) > 1
        if game is not None:
            if self._closing is not None and self._closing.shown:
                hints += self._end(cut_short=True)
            elif game.on_last_turn or self._flags.slammed:
                hints += self._unseen(game, rival.since)
            hints += self._rest()
            if late:
                hints.append(h.GameOpened(at=rival.since))  # gives up a game that is still open
        elif self._lost is not None and differ(self._lost.number, rival.game.number):
            hints.append(h.GameOpened(at=rival.since))  # the link was lost in another game: that one is given up
        hints += [*rival.game.start(rival.since, late=late), *rival.hints]
        self._forget()
        self._game, self._fresh = rival.game, False
        return [*hints, h.FindingDone(at=rival.since)] if late else hints

    def _end(self, *, cut_short: bool) -> list[h.Hint]:
        assert self._closing is not None, "the callers have looked"  # noqa: S101
        hints = self._closing.finals(cut_short=cut_short)
        self._left = self._leftovers()
        self._forget()
        return hints + self._rest()

    def _unseen(self, game: SampledGame, at: int) -> list[h.Hint]:
        """Its last turn was up, and then another game showed: what the last player had in the end was not seen."""
        player = game.player or 1
        return [
            doubt(player, (game.scores.get(player),), at),
            h.BallOver(at=at),
            h.ScoresFinal(at=at),
            h.GameOver(at=at),
        ]

    def _rest(self) -> list[h.Hint]:
        rest, self._after = self._after, []
        return rest

    def _forget(self) -> None:
        self._game = self._closing = self._rival = self._idle = self._odd = None
