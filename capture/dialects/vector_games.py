"""A Vector board's statuses and ends of games, in their order, to hints.

Here: what one status is beside the ones before, and what the board's word of an end is worth. Not here: lines, whose
they are, phases (`capture.states`). Invariant: an end that the board says again, or of another game, ends nothing, and
an end that the next status contradicts is dropped: firmware 1.11.28 takes ball 0 at one look in five seconds for one.
"""

from dataclasses import replace

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects.vector_status import Ending, Status, place_plays, state_of
from capture.states import MachineState, StateFollower
from hardware.profile import MachineProfile

CONFIRM_MS = 2_000
"""The board says its status at once after an end: so long is waited for it, should that datagram be lost."""
ALONE_MS = 12_000
"""An end that was said but once, and no status with it, is waited with for so long: it is said every 5 s. Then an
official decides: it may be one of those that the next status would have contradicted."""
JITTER_MS = 150
"""A datagram may come so late: only after that does silence say that what was pushed still stands."""
RECOUNT_MS = 5_000
"""The board looks for ends so often: its count of games moves on then, even where the game goes on."""
TRIES_MS = 40_000
"""An end is said again and again for 25 s, and first within 5 s: what is said later is of a game that ended later."""
REPEAT_MS = 60_000
"""The same end within this time is the same end: six tries take 25 s."""


class Games:
    """The games of one machine."""

    def __init__(self, profile: MachineProfile) -> None:
        self._profile = profile
        self._pushed = False
        self._follower = StateFollower(profile)
        self._told: list[tuple[int, Ending]] = []
        self._forget()

    def _forget(self) -> None:
        self._last: Status | None = None
        self._last_at = 0
        self._waits_since = 0
        """Since when the board has waited for the game of the number that it says."""
        self._played: Status | None = None
        """The last status of a game."""
        self._stood: tuple[int | None, ...] = ()
        """Its scores, as the board last had them: one for electromechanical machines clears them as the game ends."""
        self._count: tuple[int | None, int | None] = (None, None)
        """The board's number of the game that is played, and the one that it began with."""
        self._pending: Ending | None = None
        self._pending_at = 0
        self._tries = 0
        """How often it was said."""
        self._tried_since = 0
        self._trusted = True

    def open(self, at: int) -> None:
        """A new conversation: the next status is found, not begun."""
        self._forget()
        self._follower.open(at)

    def close(self) -> None:
        """The conversation is over: nothing that it left unsettled will settle."""
        self._forget()
        self._follower = StateFollower(self._profile, pushed=self._pushed)

    def push(self, at: int) -> list[h.Hint]:
        """The statuses are pushed when something changes: silence says that nothing has."""
        if self._pushed:
            return []
        self._pushed = True
        hints = self._follower.finish(at) if self._last else []
        self._follower = StateFollower(self._profile, pushed=True)
        self._follower.open(at)
        return hints

    def see(self, status: Status, at: int, *, trusted: bool) -> list[h.Hint]:
        """Take a status. `trusted`: the board sees nothing wrong with itself."""
        self._trusted = trusted
        number = self._number(status, at)
        hints: list[h.Hint] = []
        if self._pending:
            same = status.active and (number is None or number == self._count[1])
            ending, self._pending = self._pending, None
            hints += [] if same and self._plays_on(status) else self._end(ending, at, sure=True)
        if status.active:
            self._played, self._count, self._stood = status, (status.number, number), status.scores
        before, self._last, self._last_at = self._last, status, at
        if before is None or before.active or before.number != status.number:
            self._waits_since = at
        state = state_of(status, at, number=number, trusted=trusted and not self._is_blank(status))
        return hints + self._follower.see(state if state.scores else replace(state, scores=self._stood))

    def over(self, ending: Ending, at: int) -> list[h.Hint]:
        """The board says that a game is over."""
        if any(at - when < REPEAT_MS and ending.is_again(told) for when, told in self._told):
            return []
        if self._is_ours(ending):
            return self._wait_for(ending, at)
        return self._missed(ending, at)

    def reset(self, at: int) -> list[h.Hint]:
        """The board has started anew, and the machine it sits in with it."""
        hints = [*self.finish(at), h.GameGone(at=at, how="reset")]
        self.open(at)
        self._told.clear()
        return hints

    def tick(self, now: int) -> list[h.Hint]:
        """Time has passed."""
        hints: list[h.Hint] = []
        if self._pending and now >= self._pending_at + self._patience:
            ending, self._pending = self._pending, None
            hints = self._end(ending, now, sure=self._tries > 1)
        due = self._stands_at
        return hints + (self._follower.tick(now) if due is not None and now >= due else [])

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._stands_at, self._pending_at + self._patience if self._pending else None)

    def finish(self, at: int) -> list[h.Hint]:
        """No more will come: say what is sure by now."""
        ending, self._pending = self._pending, None
        said = self._end(ending, at, sure=self._tries > 1) if ending else []
        return [*said, *self._follower.finish(at)]

    def _wait_for(self, ending: Ending, at: int) -> list[h.Hint]:
        """It waits for a status, or for the next try; a datagram that came twice is one try."""
        before = self._pending
        again = before is not None and ending.is_again(before)
        if before is None or not again or ending.attempt != before.attempt:
            self._pending, self._pending_at, self._tries = ending, at, self._tries + 1 if again else 1
            self._tried_since = self._tried_since if again else at
        return []

    @property
    def _stands_at(self) -> int | None:
        """When the follower may take silence for a look."""
        due = self._follower.deadline()
        return due + JITTER_MS if due is not None and self._pushed else due

    @property
    def _patience(self) -> int:
        return CONFIRM_MS if self._tries > 1 else ALONE_MS

    # --- which game ------------------------------------------------------------------------------------

    def _number(self, status: Status, at: int) -> int | None:
        """The number of the game that is played. One that moves on while the same game goes on is not believed."""
        if not status.active or status.number is None:
            return None
        now, began = self._count
        if status.number == now:
            return began
        goes_on = self._last is not None and self._last.active and at - self._last_at < RECOUNT_MS
        return began if goes_on and self._plays_on(status) else status.number

    def _plays_on(self, status: Status) -> bool:
        """It may be the game that was played: no score is lower, nor the ball, and nobody is missing."""
        before = self._played
        if before is None:
            return False
        pairs = zip(before.scores, status.scores, strict=False)
        return (
            all(now >= then for then, now in pairs)
            and (status.ball or 0) >= (before.ball or 0)
            and (status.players or 0) >= (before.players or 0)
        )

    def _is_blank(self, status: Status) -> bool:
        """A game is over in which nobody was seen to score: or the memory was cleared before anything was seen."""
        played = self._played
        return not status.active and played is not None and not any(played.scores) and not any(status.scores)

    def _is_ours(self, ending: Ending) -> bool:
        """It tells of the game that is played or was played last."""
        if self._played is None:
            return False
        return ending.number is None or self._played.number is None or ending.number in self._count

    def _end(self, ending: Ending, at: int, *, sure: bool) -> list[h.Hint]:
        """The game that we followed is over, with these scores: one more thing that was seen, and no more."""
        played = self._played
        if played is None:
            return []
        self._told = [*self._told[-3:], (at, ending)]
        last = self._last if self._last and not self._last.active and any(self._last.scores) else played
        finals = place_plays(ending.plays, last.scores, played.players)
        if finals is None:
            return [h.ScoresDoubted(at=at)]
        self._stood = finals
        state = MachineState(
            at=at,
            playing=False,
            players=played.players,
            ball=None if played.bare else 0,
            scores=finals,
            finals=finals,
            verified=sure and self._trusted and played.format == 0,
        )
        first = self._follower.see(replace(state, at=self._tried_since)) if self._tries > 1 else []
        return first + self._follower.see(state)

    def _missed(self, ending: Ending, at: int) -> list[h.Hint]:
        """A game that was played while no datagram reached us: told, and every score left to an official.

        Only one that cannot have ended before we came: the board was waiting for this very game when we heard it.
        """
        last = self._last
        if last is None or last.active or at - self._waits_since < TRIES_MS:
            return []
        waited_for = last.number is not None and ending.number is not None and (ending.number - last.number) % 100 < 50
        if not waited_for:
            return []
        self._told = [*self._told[-3:], (at, ending)]
        self._last, self._waits_since = replace(last, number=((ending.number or 0) + 1) % 100), at
        plays = enumerate(ending.plays, 1)
        seen = [h.ScoreSeen(at=at, player=n, score=None, text=str(play), candidates=(play,)) for n, play in plays]
        found = [h.GameFound(at=at), h.PlayersFound(at=at, players=len(ending.plays)), *seen, h.FindingDone(at=at)]
        return [*found, h.ScoresFinal(at=at), h.GameOver(at=at)]
