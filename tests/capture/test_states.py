"""A machine that is looked at again and again: each game once, its finals right or held, whatever blinks."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from capture.game import GameMachine
from capture.signals import FaultRaised, GameAborted, GameEnded, GameStarted, Signal
from capture.states import MachineState, StateFollower
from hardware.profile import MachineProfile


def profile(**more: object) -> MachineProfile:
    return MachineProfile(id="m", name="M", kind="wire", dialect="vector", **{"balls": 3} | more)


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

    def finish(self, at: int) -> None:
        self._take(self.follower.finish(at))

    def of(self, *kinds: type[Signal]) -> list[Any]:
        return [signal for signal in self.said if isinstance(signal, kinds)]

    def _take(self, hints: Iterable[Any]) -> None:
        for hint in hints:
            self.said += self.game.take(hint)


def finals(signal: GameEnded | GameAborted) -> list[int | None]:
    return [score.score for score in signal.scores]


def idle(at: int, *scores: int, **more: object) -> MachineState:
    return MachineState(at=at, **{"playing": False, "ball": 0, "player": 0, "players": 1, "scores": scores} | more)


def up(at: int, ball: int, *scores: int, **more: object) -> MachineState:
    return MachineState(at=at, **{"playing": True, "ball": ball, "player": 1, "players": 1, "scores": scores} | more)


def every(step: int, *states: MachineState, start: int = 0) -> list[MachineState]:
    return [replace(state, at=start + step * number) for number, state in enumerate(states)]


def over(state: MachineState) -> MachineState:
    return replace(state, playing=False)


def climb(ball: int, start: int, end: int, looks: int = 8) -> list[MachineState]:
    rise = [start + (end - start) * min(look, looks - 3) // (looks - 3) for look in range(looks)]
    return [up(0, ball, score) for score in rise]


ATTRACT = [idle(0, 0)] * 8
B01 = [
    *ATTRACT, *climb(1, 0, 9770), over(up(0, 1, 9770)), *climb(2, 9770, 40600), *[over(up(0, 2, 40600))] * 2,
    *climb(3, 40600, 59620), *[over(up(0, 3, 59620))] * 20,
]  # fmt: skip


@pytest.mark.parametrize("step", [250, 300, 450])
def test_a_flag_that_blinks_between_balls_ends_no_game(step: int):
    """B01."""
    watch = Watch()
    watch.see(*every(step, *B01))
    watch.finish(10**6)
    (ended,) = watch.of(GameEnded)
    assert (finals(ended), ended.how) == ([59620], "normal")
    assert len(watch.of(GameStarted)) == 1
    assert watch.of(GameAborted) == []


@pytest.mark.parametrize("ball", [0, 1])
@pytest.mark.parametrize("step", [250, 1000, 2000])
def test_a_flag_that_blinks_on_an_idle_machine_begins_no_game(ball: int, step: int):
    """B01, the second run: seventeen times in three minutes."""
    looks = [idle(0, 0)] * (180_000 // step)
    for blink in range(17):
        looks[(blink + 1) * len(looks) // 19] = up(0, ball, 0, player=ball)
    watch = Watch()
    watch.see(*every(step, *looks))
    watch.finish(180_000)
    assert watch.said == []


@pytest.mark.parametrize("step", [250, 1500, 5000])
def test_one_look_at_noughts_in_mid_game_changes_nothing(step: int):
    """B01, the third run."""
    for nought in (up(0, 2, 0), up(0, 1, 0), up(0, 0, 0), idle(0, 0)):
        watch = Watch()
        watch.see(*every(step, *ATTRACT, *climb(1, 0, 9770), *climb(2, 9770, 40600), nought, *[up(0, 2, 40600)] * 8))
        assert [type(signal) for signal in watch.of(GameStarted, GameEnded, GameAborted, FaultRaised)] == [GameStarted]
        assert [one.score for one in watch.game.live()] == [40600]
