"""The simulated display, seen through the simulated lens by the real reader and capture: true, held, or nothing.

Time is the machine's own, so a game of minutes takes seconds. What capture says for certain must be what was played.
"""

from dataclasses import dataclass, field, replace

import pytest

from capture.pipeline import Capture
from capture.signals import GameAborted, GameEnded, GameStarted, ScoreRead, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Frame, Opened
from hardware.sim.course import Course
from hardware.sim.life import Life
from hardware.sim.machine import Seen
from hardware.sim.oracle import Event, Finished, finished
from hardware.sim.play import CALM

FRAME_MS = 250
SHORT = replace(CALM, ball_seconds=3, idle_seconds=18, jackpot=0.2, tilt=0.05)


class Remembered(Life):
    """A life that keeps what it told."""

    events: list[Event]

    def advance(self, wall: int) -> list[Event]:
        told = super().advance(wall)
        self.events = [*getattr(self, "events", []), *told]
        return told


@dataclass
class Watching:
    """A camera before a machine, and what capture said."""

    seed: int
    players: int
    games: int = 1
    reflection: float = 0.0
    said: list[Signal] = field(default_factory=list)

    def run(self) -> list[Finished]:
        life = Remembered(Course(replace(SHORT, fewest=self.players, most=self.players), self.seed))
        seen = Seen(life, self.seed, reflection=self.reflection)
        capture = Capture(load_profile("dmd-128x32"), corners=seen.lens.corners)
        self.said += capture.feed(Opened(at=0, port="sim://dmd"))
        at = 0
        while True:
            at += FRAME_MS
            self.said += capture.tick(at)
            if (image := seen.look(at)) is not None:
                self.said += capture.feed(Frame(at=at, image=image))
            overs = list(finished(life.events))
            if len(overs) >= self.games and at > overs[self.games - 1].at + 17_000:
                return overs[: self.games]

    def ended(self) -> list[GameEnded]:
        return [signal for signal in self.said if isinstance(signal, GameEnded)]


def check(watching: Watching, overs: list[Finished]) -> int:
    """Whatever was said for certain is true of the game that was over then; returns how many scores were certain."""
    certain = 0
    for ended in watching.ended():
        truth = [over for over in overs if over.at <= ended.at]
        assert truth, f"a game was ended at {ended.at}, when none was over: {ended}"
        for score in ended.scores:
            if score.score is not None:
                assert score.player <= len(truth[-1].scores)
                assert score.score == truth[-1].scores[score.player - 1], f"{ended} but truly {truth[-1]}"
                certain += 1
            else:
                reads = [one for one in watching.said if isinstance(one, ScoreRead) and one.game == ended.game]
                assert score.player in {one.player for one in reads}, "held, but nobody is asked"
    starts = [signal for signal in watching.said if isinstance(signal, GameStarted)]
    ends = [signal for signal in watching.said if isinstance(signal, GameEnded | GameAborted)]
    assert len(ends) <= len(starts) <= len(overs)
    return certain


@pytest.mark.parametrize("seed", [9, 11])
def test_what_is_certain_of_a_game_of_two_is_true(seed: int):
    watching = Watching(seed=seed, players=2)
    check(watching, watching.run())


def test_one_players_game_is_read_for_certain_and_right():
    watching = Watching(seed=7, players=1)
    assert check(watching, watching.run()) >= 1
    assert len(watching.ended()) == 1


def test_under_heavy_reflections_nothing_false_becomes_certain():
    watching = Watching(seed=7, players=1, reflection=0.7)
    check(watching, watching.run())
