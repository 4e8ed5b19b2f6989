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
CALM_MS = 60_000
"""A restless fault that comes again so soon after its end is over only when it has not come for so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultKind:
    """How a fault behaves. `freezes`: in a game, the last stable scores are kept with it."""

    freezes: bool = False
    moment: bool = False
    restless: bool = False
    """May come and go many times a minute: that is one fault."""
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
    "data-garbled": FaultKind(restless=True),
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
        self._over: dict[str, int] = {}
        """When a restless fault was over last."""
        self._calm: dict[str, int] = {}
        """When one that is open is over, unless it comes again."""

    def __contains__(self, fault: str) -> bool:
        return fault in self._open

    def raise_(self, fault: str, at: int, game: Match | None, detail: str | None = None) -> list[Signal]:
        """Say that a fault has begun, and keep the scores where its kind says so. Nothing where it is open already."""
        if fault in self._open:
            self._calm.pop(fault, None)
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
        """Say that a fault is over: nothing where it is not open, or where it may come again at once."""
        since = self._open.get(fault)
        if since is None:
            return []
        if FAULTS[fault].restless and since < self._over.get(fault, -CALM_MS) + CALM_MS:
            self._calm.setdefault(fault, at + CALM_MS)
            if at < self._calm[fault]:
                return []
        self._over[fault] = at
        self._calm.pop(fault, None)
        del self._open[fault]
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
        passed += [f for f, due in self._calm.items() if now >= due]
        return self._clear_all(passed, now, game)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        moments = [since + MOMENT_MS for f, since in self._open.items() if FAULTS[f].moment]
        return min([*moments, *self._calm.values()], default=None)

    def _clear_all(self, faults: list[str], at: int, game: Match | None) -> list[Signal]:
        return [signal for fault in faults for signal in self.clear(fault, at, game)]
