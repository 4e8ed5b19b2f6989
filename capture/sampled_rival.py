"""A game that shows while none, or another one, was believed to be played: seen on trial, until it has lasted.

Invariant: nothing is said of it before it is believed, and then everything, with its true times.
"""

from capture import hints as h
from capture.sampled import MachineState, Streak, Values
from capture.sampled_game import SampledGame
from hardware.profile import MachineProfile

RESTART = 2
"""What shows in the midst of another game must last for so many dwells, unless it scores: noughts may be a misread."""


class Rival:
    """A game on trial."""

    def __init__(self, profile: MachineProfile, state: MachineState, *, left: tuple[Values, ...]) -> None:
        self.first = state
        self.game = SampledGame(profile, state, left=left)
        self.hints: list[h.Hint] = self.game.take(state)
        """What it will have said."""
        self._dwell = profile.dwell_ms
        self._stale = bool(left) and (state.ball or 1) > 1
        """All that it says may be left from the game before, but that one is played: it must say a score."""
        self._streak = Streak(None, state.at, state.at)

    @property
    def since(self) -> int:
        """When it was seen first."""
        return self._streak.since

    @property
    def count(self) -> int:
        """How often it was seen."""
        return self._streak.count

    def see(self, state: MachineState) -> None:
        """Take one more state of it."""
        self._streak.again(state.at)
        self.hints += self.game.take(state)

    def believed(self, *, sure: bool) -> bool:
        """It has lasted. `sure`: nothing speaks for another game that goes on."""
        scored = any(self.game.scores.values())
        if self._stale and not self.game.scores:
            return False
        return self._streak.lasted(self._dwell * (1 if sure or scored else RESTART))
