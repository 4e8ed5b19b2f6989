"""From what a machine's memory or status says at one moment, again and again, to hints for the game.

Here: the one `MachineState` that memory maps, status answers, display taps and messages are made into, and the
`StateFollower` that compares each with the ones before. Not here: bytes (`dialects`), what follows (`game`). Invariant:
a state that lasts for less than the profile's dwell changes no phase, and a score that is not in a game is no score.
"""

from dataclasses import dataclass

from capture import hints as h
from hardware.profile import MachineProfile


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


class StateFollower:
    """Follows one machine's states through its games.

    `pushed`: the source speaks only when something changes, so that silence means that all stands as it was. Of a
    source that is asked again and again (the default) silence means little: a state needs a second one to be believed.
    """

    def __init__(self, profile: MachineProfile, *, pushed: bool = False) -> None:
        self._profile = profile
        self._pushed = pushed
        self._last: MachineState | None = None

    def open(self, at: int) -> None:
        """A new conversation begins: the next state is found, not begun."""
        del at
        self._last = None

    def see(self, state: MachineState) -> list[h.Hint]:
        """Take one state; states come in the order of time."""
        before, self._last = self._last, state
        at = state.at
        hints: list[h.Hint] = []
        if before is None:
            if not state.playing:
                return [h.NoGameFound(at=at)]
            hints += [h.GameFound(at=at), h.PlayersFound(at=at, players=state.players or 1)]
        elif state.playing and not before.playing:
            hints += [h.GameOpened(at=at), *(h.PlayerJoined(at=at, player=n + 1) for n in range(state.players or 1))]
        elif before.playing and not state.playing:
            return [h.ScoresFinal(at=at), h.GameOver(at=at)]
        if not state.playing:
            return hints
        hints.append(h.PlayerUp(at=at, player=state.player, ball=state.ball, balls=state.balls))
        for number, score in enumerate(state.scores[: state.players or 1], start=1):
            hints.append(h.ScoreSeen(at=at, player=number, score=score))
        return [*hints, h.FindingDone(at=at)] if before is None else hints

    def tick(self, now: int) -> list[h.Hint]:
        """Time has passed: what had to last has lasted."""
        del now
        return []

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return None

    def finish(self, at: int) -> list[h.Hint]:
        """No more will be seen in this conversation (a recording is over, the link has gone): say what is sure by now.

        A dialect hands this on as its own `finish`, which the pipeline calls where there is one.
        """
        del at
        return []
