"""What is seen of a machine at one moment, where it is looked at again and again; and how long a thing has been so.

Here: `MachineState`, which memory maps, status answers, display taps and messages are made into; whether it shows a
game in play; streaks. Not here: what follows (`states`). Invariant: nothing here remembers one machine's past.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from hardware.profile import MachineProfile

T = TypeVar("T")

MOST_BALLS = 10
"""Where the source does not say how many balls a game has, a ball beyond this is none: 15 stands while initials are
entered, other numbers for the match. The profile's own number does not count here: an operator may set more."""

Values = tuple[int | None, ...]
"""Scores by player, in order; None where one is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineState:
    """What is said at one moment; None for what the source does not say. Players and balls count from 1."""

    at: int
    """Milliseconds since boot."""
    playing: bool | None = None
    """A game runs, in the source's own word. Where it has none, ball and player decide."""
    players: int | None = None
    player: int | None = None
    """Who is up; 0 or more than `players`: nobody."""
    ball: int | None = None
    """0 or more than `balls`: no ball is played."""
    balls: int | None = None
    """Balls a game."""
    scores: tuple[int | None, ...] = ()
    """By player, absolute, also of players who do not play; None where it cannot be told."""
    finals: tuple[int | None, ...] = ()
    """Where the machine keeps the last game's scores apart: these."""
    tilted: bool | None = None
    slam_tilted: bool | None = None
    warnings: int | None = None
    """Tilt warnings of this ball."""
    credits: int | None = None
    service: bool | None = None
    """Somebody is in the service menu."""
    number: int | None = None
    """The machine's own count of games, where it has one: another number is another game."""
    verified: bool = True
    """False: read in a way that nobody has confirmed for this machine: an official looks at every score."""

    def score(self, player: int) -> int | None:
        """This player's score, None where it is not said."""
        return self.scores[player - 1] if 1 <= player <= len(self.scores) else None

    def wiped(self, players: int) -> bool:
        """So many players' scores are all nought, as far as they are said."""
        return not any(self.scores[:players]) and any(score == 0 for score in self.scores[:players])


def differ(number: int | None, other: int | None) -> bool:
    """The machine's own counts of two games are known, and are not the same."""
    return None not in {number, other} and number != other


def is_played(state: MachineState, profile: MachineProfile) -> bool | None:
    """Whether the state shows a game in play: a flag alone is not believed against ball and player.

    None: it says neither flag, ball nor player.
    """
    player, players, ball = state.player, state.players or 0, state.ball
    if state.playing is None and player is None and ball is None:
        return None
    if state.playing is False or not 0 <= players <= profile.players:
        return False
    if ball is not None and not 1 <= ball <= (state.balls or MOST_BALLS):
        return False
    if player is None:
        return True
    nobody = player == 0 and (players > 0 or not state.playing)
    return not nobody and 0 <= player <= (players or profile.players)


@dataclass(slots=True)
class Streak(Generic[T]):
    """One thing seen again and again without a break: since when, how often, and when last."""

    value: T
    since: int
    last: int
    count: int = 1

    def again(self, at: int) -> None:
        """It was seen once more."""
        self.last, self.count = max(self.last, at), self.count + 1

    def lasted(self, dwell_ms: int) -> bool:
        """Seen twice at least, and for so long."""
        return self.count >= 2 and self.last - self.since >= dwell_ms
