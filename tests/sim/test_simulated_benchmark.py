"""The measuring itself: what it counts as right, held, wrong and missing; and a short seeded run of the real reader."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.simulated import address, keep, reliability, row
from benchmarks.simulated_tally import Tally
from benchmarks.simulated_watch import Read, Watched, read_still, watch
from capture.signals import GameEnded, PlayerScore
from hardware.sim.address import parse
from hardware.sim.oracle import Finished

URL = "sim://dmd?seed=1"
READ = Read(url=URL, at=1, player=1, read=500, confidence=0.995, accepted=True, right=frozenset({500}),
            image=np.zeros((4, 4, 3), np.uint8))  # fmt: skip


@pytest.mark.parametrize("kind", ["dmd", "dmd-sizes", "segments7", "reels", "lcd", "lights"])
@pytest.mark.parametrize("setting", ["normal", "hard"])
def test_every_row_is_an_address(kind: str, setting: str):
    for seed in range(3):
        trouble = parse(address(kind, setting, seed)).setting.trouble
        assert (trouble.veil > 0) == (setting == "hard")


def test_accepted_readings_that_were_not_right_are_counted_and_kept(tmp_path: Path):
    wrong = replace(READ, read=600, confidence=0.6)
    nothing = replace(READ, right=frozenset())
    held = replace(READ, read=700, accepted=False, confidence=0.2)
    tally = Tally()
    tally.add(Watched(URL, reads=[READ, wrong, nothing, held], pictures=4, readable=3, exact=1))
    assert (tally.accepted, tally.accepted_wrong) == (3, 2)
    assert tally.bins[0.99] == [2, 1]
    assert tally.bins[0.5] == [1, 0]
    assert tally.bins[0.0] == [1, 0]
    assert "66666.7 in 100,000" in reliability("hard", tally)
    keep(tmp_path, "dmd", tally)
    lines = (tmp_path / "wrong.md").read_text().splitlines()
    assert len(lines) == 2
    assert "read 600 (0.6000), truth 500" in lines[0]
    assert len(list((tmp_path / "wrong").iterdir())) == 2


def test_final_scores_are_right_held_wrong_or_missing():
    over = Finished(game=1, how="normal", scores=(100, 200, 300, 400), at=5)
    told = [PlayerScore(player=1, score=100), PlayerScore(player=2, score=None), PlayerScore(player=3, score=999)]
    ended = GameEnded(at=9, game="g", how="normal", scores=tuple(told), balls_played=3, source="camera")
    lost = replace(over, game=2, how="power-lost")
    tally = Tally()
    tally.add(Watched(URL, games=[(over, ended), (lost, None), (replace(over, game=3), None)], reads=[READ]))
    assert (tally.finals_right, tally.finals_held, tally.finals_wrong, tally.finals_missing) == (1, 1, 1, 5)
    assert "1/1/1/5" in row("dmd", "normal", tally)


def test_a_short_run_accepts_nothing_wrong():
    cv2.setNumThreads(1)
    tally = Tally()
    tally.add(watch("sim://dmd?seed=1002&players=1&ball_seconds=4&idle=3&fps=6&calm=1", longest_ms=16_000))
    for seed, at in ((1, 9000), (2, 14_000)):
        tally.add(read_still(f"sim://dmd?seed={seed}&players=1-2&ball_seconds=6&idle=3", at))
    assert tally.pictures > 60
    assert tally.readable > 20
    assert tally.exact > tally.readable / 2
    assert not tally.wrong
