"""A machine that is looked at, seen by the follower and told by the game that it drives."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from capture import hints as h
from capture.game import GameMachine
from capture.signals import BallEnded, GameAborted, GameEnded, Signal
from capture.states import MachineState, StateFollower
from hardware.profile import MachineProfile


def profile(**more: object) -> MachineProfile:
    return MachineProfile(id="m", name="M", kind="wire", dialect="vector", **{"balls": 3} | more)


def idle(at: int, *scores: int, **more: object) -> MachineState:
    return MachineState(at=at, **{"playing": False, "ball": 0, "player": 0, "players": 1, "scores": scores} | more)


def up(at: int, ball: int, *scores: int, **more: object) -> MachineState:
    return MachineState(at=at, **{"playing": True, "ball": ball, "player": 1, "players": 1, "scores": scores} | more)


def every(step: int, *states: MachineState, start: int = 0) -> list[MachineState]:
    return [replace(state, at=start + step * number) for number, state in enumerate(states)]


class Watch:
    """A follower and the game that it drives."""

    def __init__(self, *, pushed: bool = False, **more: object) -> None:
        kind = profile(**more)
        self.follower, self.game = StateFollower(kind, pushed=pushed), GameMachine(kind)
        self.said: list[Signal] = []
        self.follower.open(0)

    def see(self, *states: MachineState) -> list[Signal]:
        before = len(self.said)
        for state in states:
            self.wait(state.at)
            self._take(self.follower.see(state))
        return self.said[before:]

    def wait(self, until: int) -> None:
        while (due := self.follower.deadline()) is not None and due <= until:
            self._take(self.follower.tick(due))
        while (due := self.game.deadline()) is not None and due <= until:
            self.said += self.game.tick(due)

    def lose(self, at: int) -> None:
        """The link breaks, and a new conversation begins with the next state."""
        self._take([*self.follower.finish(at), h.LinkBroken(at=at)])
        self.follower.open(at)

    def finish(self, at: int) -> None:
        self._take(self.follower.finish(at))

    def of(self, *kinds: type[Signal]) -> list[Any]:
        return [signal for signal in self.said if isinstance(signal, kinds)]

    def _take(self, hints: Iterable[h.Hint]) -> None:
        for hint in hints:
            self.said += self.game.take(hint)


def finals(signal: GameEnded | GameAborted | BallEnded) -> list[int | None]:
    return [score.score for score in signal.scores]
