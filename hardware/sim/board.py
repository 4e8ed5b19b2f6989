"""What a simulated machine of any kind knows of its game: who is up, which ball, the scores; and what a face is.

Here: the state that follows from the true events. Not here: how a display shows it (`segments`, `reels`, `monitor`,
`lights`, `dmd`). Invariant: `scores` are the true ones after the last event told.
"""

import random
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.sim.oracle import Event

Light = NDArray[np.float32]
"""What leaves the display towards the camera: rows x columns x 3 (blue, green, red), 0 dark, 1 as bright as the camera
can tell apart; what shines may be brighter."""
Truth = dict[int, frozenset[int]]
"""For each player whose score the display has: the numbers that are right to read at a time; none while it changes."""


class Face(Protocol):
    """The front of a machine, at its own time. `draw` and `truth` take times that are not before the last event."""

    event: Event

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        ...

    def truth(self, at: int) -> Truth:
        """What is right to read."""
        ...


@dataclass(slots=True)
class Board:
    """A game's state; `tell` it each event."""

    event: Event = field(default_factory=lambda: Event(at=0, kind="power-back"))
    scores: tuple[int, ...] = ()
    scored_at: int = 0
    before: tuple[int, ...] = ()
    """The scores before the last change."""
    player: int = 0
    ball: int = 0
    playing: bool = False
    powered: bool = True
    tilted: bool = False
    over_at: int | None = None
    began_at: int = 0
    games: int = 0

    def tell(self, event: Event) -> None:
        """Take the next true event."""
        match event.kind:
            case "game-started":
                self.player, self.ball, self.playing, self.tilted = 1, 1, True, False
                self.over_at, self.began_at, self.games = None, event.at, event.game
            case "ball-started":
                self.player, self.ball, self.tilted = event.player, event.ball, False
            case "tilt" | "slam-tilt":
                self.tilted = self.playing
            case "game-ended":
                self.playing, self.over_at = False, event.at
            case "service-entered" | "power-lost":
                self.playing, self.over_at, self.powered = False, None, event.kind != "power-lost"
            case "power-back":
                self.powered, self.scores, self.before = True, (), ()
            case _:
                pass
        if event.game and event.scores != self.scores:
            self.before, self.scores, self.scored_at = self.scores, event.scores, event.at
        self.event = event

    def match_number(self) -> int:
        """The match of the last game: 00, 10, ... 90."""
        chance = random.Random(f"inlane/{self.games}/match")  # noqa: S311 -- repeatable, no secrets
        return chance.randrange(10) * 10
