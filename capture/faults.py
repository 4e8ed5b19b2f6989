"""Malfunction signals: raised once, cleared once.

Here: the names there are, and which of them are open. Not here: what makes one. Invariant: between two
`FaultRaised` of one name there is a `FaultCleared` of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from capture.match import Match
from capture.signals import FaultCleared, FaultRaised, Picture, Signal

MOMENT_MS = 5_000
"""A fault that is a moment and no state is over after this long, so that the next one counts again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultKind:
    """How a fault behaves. `freezes`: in a game, the last stable scores are kept with it."""

    freezes: bool = False
    moment: bool = False
    in_game: bool = False
    """Only in a game; with the game it is over."""
    in_ball: bool = False
    """With the ball it is over."""


FAULTS = {
    "tilt": FaultKind(in_game=True, in_ball=True),
    "tilt-warning": FaultKind(moment=True, in_game=True, in_ball=True),
    "slam-tilt": FaultKind(freezes=True, moment=True),
    "ball-search": FaultKind(freezes=True, in_game=True, in_ball=True),
    "ball-missing": FaultKind(freezes=True, in_game=True, in_ball=True),
    "reset": FaultKind(freezes=True, moment=True),
    "link-lost": FaultKind(freezes=True),
    "power-lost": FaultKind(freezes=True),
    "official-called": FaultKind(freezes=True, moment=True),
    "restarted": FaultKind(freezes=True, moment=True),
    "service-mode": FaultKind(freezes=True),
    "score-jump": FaultKind(moment=True, in_game=True),
    "score-stuck": FaultKind(freezes=True, in_game=True, in_ball=True),
    "ball-ended-early": FaultKind(freezes=True, moment=True, in_game=True),
    "display-unreadable": FaultKind(),
    "display-dark": FaultKind(freezes=True),
    "display-frozen": FaultKind(),
    "camera-moved": FaultKind(),
    "camera-lost": FaultKind(),
    "data-garbled": FaultKind(),
    "wrong-device": FaultKind(),
    "no-data": FaultKind(),
    "port-lost": FaultKind(),
    "sources-disagree": FaultKind(),
}
"""The faults that capture raises by itself. docs/signals.md explains each."""


class Faults:
    """Which faults are open. `game` is the game they happen in, None outside of one."""

    def __init__(self, picture: Callable[[], Picture | None] = lambda: None) -> None:
        self._picture = picture
        self._open: dict[str, int] = {}

    def __contains__(self, fault: str) -> bool:
        return fault in self._open

    def raise_(self, fault: str, at: int, game: Match | None, detail: str | None = None) -> list[Signal]:
        """Say that a fault has begun, and keep the scores where its kind says so. Nothing where it is open already."""
        if fault in self._open:
            return []
        self._open[fault] = at
        evidence = self._picture()
        raised = FaultRaised(
            at=at,
            fault=fault,
            game=game.id if game else None,
            player=game.player if game else None,
            ball=game.ball if game else None,
            scores=game.board.stable() if game else (),
            detail=detail,
            evidence=evidence,
        )
        return [raised, *(game.frozen(at, fault, evidence) if game and FAULTS[fault].freezes else [])]

    def clear(self, fault: str, at: int, game: Match | None) -> list[Signal]:
        """Say that a fault is over: nothing where it is not open."""
        if self._open.pop(fault, None) is None:
            return []
        cleared = FaultCleared(
            at=at,
            fault=fault,
            game=game.id if game else None,
            player=game.player if game else None,
            ball=game.ball if game else None,
            scores=game.board.stable() if game else (),
        )
        return [cleared]

    def clear_game(self, at: int, game: Match | None) -> list[Signal]:
        """The game is over, and with it what can only be wrong in a game."""
        return self._clear_all([fault for fault in self._open if FAULTS[fault].in_game], at, game)

    def clear_ball(self, at: int, game: Match | None) -> list[Signal]:
        """The ball is over, and with it what can only be wrong in a ball."""
        return self._clear_all([fault for fault in self._open if FAULTS[fault].in_ball], at, game)

    def tick(self, now: int, game: Match | None) -> list[Signal]:
        """Moments pass."""
        passed = [f for f, since in self._open.items() if FAULTS[f].moment and now >= since + MOMENT_MS]
        return self._clear_all(passed, now, game)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return min((since + MOMENT_MS for f, since in self._open.items() if FAULTS[f].moment), default=None)

    def _clear_all(self, faults: list[str], at: int, game: Match | None) -> list[Signal]:
        return [signal for fault in faults for signal in self.clear(fault, at, game)]
