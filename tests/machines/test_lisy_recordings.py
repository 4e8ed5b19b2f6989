"""What Mission Pinball Framework says to a LISY board, recorded: one game each, and never a wrong score."""

from pathlib import Path

import pytest

from capture.pipeline import Capture
from capture.signals import FaultRaised, GameEnded, GameStarted, ScoreLive
from hardware.ports.base import Chunk, Closed, Opened
from hardware.profile import parse_profile

HERE = Path(__file__).parent / "lisy"
PROFILE = """id = "mpf-lisy"
name = "MPF on a LISY board"
kind = "wire"
dialect = "lisy"
hold_ms = {hold}
[lisy]
credits = []
ball = [1, 4]
"""


def replay(name: str, hold: int) -> tuple[list[object], list[int | None]]:
    capture = Capture(parse_profile(PROFILE.format(hold=hold), file="mpf-lisy.toml"))
    said: list[object] = list(capture.feed(Opened(at=0, port="tap", passive=True)))
    live: list[int | None] = []
    at = 0
    for line in (HERE / name).read_text("utf-8").splitlines():
        seconds, direction, data = line.split(" ", 2)
        if direction == "<":
            at = round(float(seconds) * 1000)
            said += capture.tick(at) + capture.feed(Chunk(at=at, data=bytes.fromhex(data)))
            live += [one.score for one in capture.live() if isinstance(one, ScoreLive) and [one.score] != live[-1:]]
    said += capture.tick(at + 20_000) + capture.feed(Closed(at=at + 20_000, reason="ended", why=""))
    return said, live


@pytest.mark.parametrize("name", ["mpf_seg7.txt", "mpf_bcd.txt"])
@pytest.mark.parametrize(("hold", "final"), [(8_000, None), (2_000, 5_000_600)])
def test_a_game_of_mpf_is_one_game_with_its_scores(name: str, hold: int, final: int | None):
    """Attract mode takes the scores' place at once: they are final where they had stood for the profile's hold."""
    said, live = replay(name, hold)
    assert len([one for one in said if isinstance(one, GameStarted)]) == 1
    assert [one.detail for one in said if isinstance(one, FaultRaised) and one.fault != "no-data"] == []
    [over] = [one for one in said if isinstance(one, GameEnded)]
    assert [score.score for score in over.scores] == [final]
    assert final or over.scores[0].candidates == (5_000_600,)
    points = [0, 120, 1250120, 1250240, 2500240, 2500360, 3750360, 3750480, 5000480, 5000600]
    assert live == points
