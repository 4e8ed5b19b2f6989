"""Inlane's line format through the real capture, step by step: for the tests of lines."""

from capture.dialects import Setup
from capture.pipeline import Capture
from capture.signals import (
    FaultRaised,
    GameAborted,
    GameEnded,
    Signal,
)
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened
from hardware.profile import MachineProfile

Step = str | bytes | int | type
CUT, BACK = Closed, Opened


def play(
    *steps: Step, device: str | None = None, profile: MachineProfile | None = None, passive: bool = True
) -> list[Signal]:
    """Text is said, a number is milliseconds that pass, CUT and BACK are the link's."""
    capture = Capture(profile or load_profile("lines"), setup=Setup(device=device))
    now = 0
    said = capture.feed(Opened(at=now, port="test", passive=passive))
    for step in steps:
        if isinstance(step, int):
            now += step
            said += capture.tick(now)
        elif step is CUT:
            said += capture.feed(Closed(at=now, reason="eof", why="cut"))
        elif step is BACK:
            said += capture.feed(Opened(at=now, port="test", passive=passive))
        else:
            data = step.encode() if isinstance(step, str) else bytes(step)  # type: ignore[arg-type]
            said += capture.feed(Chunk(at=now, data=data))
    return said


def ends(said: list[Signal]) -> list[tuple[str, dict[int, int | None]]]:
    over = [one for one in said if isinstance(one, GameEnded | GameAborted)]
    return [(one.how, {score.player: score.score for score in one.scores}) for one in over]


def faults(said: list[Signal]) -> list[str]:
    return [one.fault for one in said if isinstance(one, FaultRaised)]


GAME = "GAME players=1\nPLAYER 1 BALL 1\nSCORE 1 210000\nBALL END\nEND 1=210000\n"
