"""Two sources of one machine: one game, one end; agreed scores at once, differing ones held."""

import pytest

from capture.pair import DISAGREE, HOLD_MS, WORD_MS
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameEnded,
    GameStarted,
    MachineAttached,
    PlayerScore,
    ScoreRead,
)
from tests.capture.pair_bench import CAMERA, WIRE, Bench, both_playing, play


@pytest.fixture(name="bench")
def both() -> Bench:
    return both_playing()


def test_one_start_for_both(bench: Bench):
    play(bench, 1_000, 2_000)
    assert len(bench.all(GameStarted)) == 1
    assert len(bench.all(MachineAttached)) == 1


def test_finals_that_the_camera_shows_are_said_at_once(bench: Bench):
    play(bench, 1_000, 53_580)
    bench.end(WIRE)
    assert bench.finals() == {1: 53_580}
    assert bench.all(GameEnded)[0].source == "wire"


def test_finals_whose_bonus_the_camera_has_yet_to_show_are_said_at_once(bench: Bench):
    play(bench, 1_000, 53_580)
    bench.show(WIRE, p1=60_000)
    bench.end(WIRE)
    assert bench.finals() == {1: 60_000}


def test_the_cameras_own_end_long_after_is_not_said_again(bench: Bench):
    play(bench, 53_580)
    bench.end(WIRE)
    bench.pass_(45_000)
    bench.end(CAMERA)
    assert bench.finals() == {1: 53_580}
    assert not bench.all(FaultRaised)


def test_a_wire_alone_waits_a_moment_for_a_camera_that_sees_but_showed_nothing(bench: Bench):
    play(bench, 53_580, camera=False)
    bench.end(WIRE)
    assert not bench.all(GameEnded)
    bench.pass_(HOLD_MS)
    assert bench.finals() == {1: 53_580}


def test_nobody_waits_for_a_blind_camera(bench: Bench):
    play(bench, 53_580, camera=False)
    bench.say(CAMERA, FaultRaised(at=bench.now, fault="camera-lost", detail="no pictures"))
    bench.end(WIRE)
    assert bench.finals() == {1: 53_580}
    assert bench.all(FaultRaised)[0].detail == "camera: no pictures"


@pytest.mark.parametrize(("shown", "factor"), [(535_800, "×10"), (5_358, "÷10"), (153_580, "a digit more")])
def test_another_score_on_the_display_goes_to_an_official_with_both_and_the_factor(
    bench: Bench, shown: int, factor: str
):
    bench.pass_(30_000)
    play(bench, 53_580, camera=False)
    bench.pass_(12_000)
    bench.show(WIRE, p1=53_580)
    bench.show(CAMERA, p1=shown)
    bench.end(WIRE)
    bench.pass_(20_000)
    bench.end(CAMERA)
    assert bench.finals() == {1: None}
    score = bench.all(GameEnded)[0].scores[0]
    assert score.candidates == (53_580, shown)
    assert bench.all(ScoreRead)[0].candidates == (53_580, shown)
    [raised] = bench.all(FaultRaised)
    assert raised.fault == DISAGREE
    assert factor in (raised.detail or "")
    assert "53580" in (raised.detail or "")
    assert str(shown) in (raised.detail or "")


def test_a_denial_waits_for_the_cameras_last_word_and_not_for_ever(bench: Bench):
    play(bench, 53_580)
    bench.pass_(20_000)
    bench.show(CAMERA, p1=900_000)
    bench.end(WIRE)
    bench.pass_(WORD_MS - 1)
    assert not bench.all(GameEnded)
    bench.pass_(1)
    assert bench.finals() == {1: None}


def test_a_camera_that_corrects_itself_settles_it_at_once(bench: Bench):
    play(bench, 53_580)
    bench.pass_(20_000)
    bench.show(CAMERA, p1=900_000)
    bench.end(WIRE)
    bench.pass_(3_000)
    bench.show(CAMERA, p1=53_580)
    assert bench.finals() == {1: 53_580}


def test_a_doubtful_reading_that_may_be_the_wires_score_is_no_doubt(bench: Bench):
    play(bench, 53_580, camera=False)
    bench.end(CAMERA, doubt=PlayerScore(player=1, score=None, text="5?580", candidates=(52_580, 53_580)))
    bench.end(WIRE)
    assert bench.finals() == {1: 53_580}
    assert not bench.all(ScoreRead)


def test_after_a_disagreement_a_lone_word_is_held_until_both_agree(bench: Bench):
    play(bench, 53_580, camera=False)
    bench.pass_(20_000)
    bench.show(CAMERA, p1=535_800)
    bench.end(WIRE)
    bench.end(CAMERA)
    bench.said.clear()
    bench.pass_(90_000)
    bench.start(WIRE, p1=0)
    play(bench, 7_000, camera=False)
    bench.end(WIRE)
    bench.pass_(HOLD_MS)
    assert bench.finals() == {1: None}
    bench.said.clear()
    bench.pass_(90_000)
    bench.start(WIRE, p1=0)
    bench.start(CAMERA, p1=0)
    play(bench, 8_000, 9_000)
    bench.end(WIRE)
    assert bench.finals() == {1: 9_000}
    assert [signal.fault for signal in bench.all(FaultCleared)] == [DISAGREE]
