"""Two sources of one machine, of which one is lost, late or wrong: the other carries the game."""

import pytest

from capture.pair import HOLD_MS, WORD_MS
from capture.pair_game import compare
from capture.pair_voice import START_MS
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineDetached,
    PlayerScore,
    ScoreFrozen,
)
from tests.capture.pair_bench import CAMERA, SENSOR, WIRE, Bench, both_playing, play


@pytest.fixture(name="bench")
def both() -> Bench:
    return both_playing()


def test_the_camera_carries_the_game_on_when_the_wire_is_lost(bench: Bench):
    play(bench, 1_000, 2_000)
    bench.say(WIRE, FaultRaised(at=bench.now, fault="link-lost"), MachineDetached(at=bench.now, port="port0"))
    bench.pass_(15_000)
    bench.abort(WIRE, "link-lost")
    bench.pass_(9_000)
    bench.show(CAMERA, p1=9_000)
    bench.end(CAMERA)
    assert bench.finals() == {1: 9_000}
    assert bench.all(GameEnded)[0].source == "camera"
    assert not bench.all(GameAborted)
    assert not bench.all(MachineDetached)


def test_a_camera_that_ends_below_the_lost_wires_last_score_is_held(bench: Bench):
    play(bench, 1_000, 20_000)
    bench.say(WIRE, MachineDetached(at=bench.now, port="port0"))
    bench.abort(WIRE, "link-lost")
    bench.pass_(9_000)
    bench.show(CAMERA, p1=9_000)
    bench.end(CAMERA)
    assert bench.finals() == {1: None}


@pytest.mark.parametrize("lost", [False, True])
def test_a_camera_that_showed_ten_times_as_much_before_the_wire_was_lost_is_held(bench: Bench, lost: bool):  # noqa: FBT001
    """In the first seconds its scores of just before may be those of the wire now: that it was ahead gives it away."""
    for score in (10, 1010, 2010, 3010):
        bench.show(WIRE, p1=score)
        bench.show(CAMERA, p1=10 * score)
        bench.pass_(2_000)
    bench.show(WIRE, p1=3020)
    bench.say(WIRE, MachineDetached(at=bench.now, port="port0"))
    bench.abort(WIRE, "link-lost")
    bench.pass_(9_000)
    bench.show(CAMERA, p1=1_716_600)
    if lost:
        bench.abort(CAMERA, "display-lost")
        assert [(one.score, one.candidates) for one in bench.all(GameAborted)[0].scores] == [(None, (1_716_600, 3020))]
        return
    bench.end(CAMERA)
    assert bench.finals() == {1: None}


def test_the_wire_carries_the_game_on_when_the_camera_sees_nothing(bench: Bench):
    play(bench, 1_000, 2_000)
    bench.abort(CAMERA, "display-lost")
    play(bench, 9_000, camera=False)
    bench.end(WIRE)
    bench.pass_(HOLD_MS)
    assert bench.finals() == {1: 9_000}
    assert not bench.all(GameAborted)


def test_the_game_is_aborted_when_both_are_lost(bench: Bench):
    play(bench, 1_000, 2_000)
    bench.abort(WIRE, "link-lost")
    bench.pass_(5_000)
    bench.abort(CAMERA, "display-lost")
    [gone] = bench.all(GameAborted)
    assert gone.how == "display-lost"
    assert [score.score for score in gone.scores] == [2_000]


def test_a_wire_that_comes_back_into_the_game_joins_it(bench: Bench):
    play(bench, 1_000, 2_000)
    bench.abort(WIRE, "link-lost")
    bench.pass_(20_000)
    bench.show(CAMERA, p1=5_000)
    bench.start(WIRE, late=True, p1=5_500)
    bench.show(CAMERA, p1=5_500)
    bench.end(WIRE)
    assert bench.finals() == {1: 5_500}
    assert len(bench.all(GameStarted)) == 1


def test_a_wire_that_comes_back_after_the_end_was_said_starts_nothing(bench: Bench):
    play(bench, 1_000, 2_000)
    bench.abort(WIRE, "link-lost")
    bench.end(CAMERA)
    bench.pass_(20_000)
    bench.start(WIRE, late=True, p1=2_000)
    bench.end(WIRE)
    assert bench.finals() == {1: 2_000}
    assert len(bench.all(GameStarted)) == 1


def test_a_camera_alone_ends_no_game_that_the_wire_plays_on(bench: Bench):
    play(bench, 1_000)
    bench.end(CAMERA)
    bench.pass_(30_000)
    play(bench, 2_000, camera=False)
    bench.pass_(80_000)
    play(bench, 3_000, camera=False)
    bench.end(WIRE)
    bench.pass_(HOLD_MS)
    assert bench.finals() == {1: 3_000}


def test_a_camera_that_sees_the_next_game_first_waits_for_the_wire(bench: Bench):
    play(bench, 1_000)
    bench.end(CAMERA)
    bench.pass_(3_000)
    bench.start(CAMERA, p1=0)
    bench.pass_(2_000)
    bench.end(WIRE)
    bench.start(WIRE, p1=0)
    play(bench, 700)
    bench.end(WIRE)
    first, second = bench.all(GameEnded)
    assert [one.scores[0].score for one in (first, second)] == [1_000, 700]
    assert len(bench.all(GameStarted)) == 2
    assert not bench.all(FaultRaised)


def test_a_camera_that_stays_in_the_first_game_is_no_witness_of_the_second(bench: Bench):
    play(bench, 1_000)
    bench.end(WIRE)
    bench.pass_(1_000)
    bench.start(WIRE, p1=0)
    play(bench, 200, camera=False)
    bench.end(WIRE)
    bench.pass_(HOLD_MS)
    bench.end(CAMERA)
    assert [one.scores[0].score for one in bench.all(GameEnded)] == [1_000, 200]
    assert not bench.all(FaultRaised)


def test_a_game_that_only_the_camera_sees_is_held_while_the_wire_says_there_is_none():
    bench = Bench()
    bench.attach(WIRE, CAMERA)
    bench.start(CAMERA, p1=0)
    bench.pass_(START_MS - 1)
    assert not bench.all(GameStarted)
    bench.pass_(1)
    assert len(bench.all(GameStarted)) == 1
    bench.show(CAMERA, p1=4_000)
    bench.end(CAMERA)
    bench.pass_(WORD_MS)
    assert bench.finals() == {1: None}


def test_a_camera_alone_is_as_good_as_it_was_when_no_wire_is_heard():
    bench = Bench()
    bench.attach(CAMERA)
    bench.start(CAMERA, p1=0)
    bench.show(CAMERA, p1=4_000)
    bench.end(CAMERA)
    assert bench.finals() == {1: 4_000}


def test_what_the_wire_says_of_a_service_menu_ends_the_game_for_both(bench: Bench):
    play(bench, 1_000)
    bench.abort(WIRE, "service")
    bench.pass_(25_000)
    bench.end(CAMERA)
    assert [one.how for one in bench.all(GameAborted)] == ["service"]
    assert not bench.all(GameEnded)


def test_a_tilt_is_said_once_whoever_says_it(bench: Bench):
    play(bench, 1_000)
    for source in (SENSOR, WIRE, CAMERA):
        game = f"game-{bench.games.get(source, 0)}"
        bench.say(source, FaultRaised(at=bench.now, fault="tilt", game=game))
    bench.say(WIRE, FaultCleared(at=bench.now, fault="tilt"))
    assert [one.detail for one in bench.all(FaultRaised)] == ["sensor"]
    assert bench.all(FaultRaised)[0].game == "game-1"
    assert bench.all(FaultRaised)[0].scores[0].score == 1_000


def test_freezing_names_the_joint_game(bench: Bench):
    play(bench, 1_000)
    bench.said += bench.pair.freeze(bench.now, "the desk asks")
    [kept] = bench.all(ScoreFrozen)
    assert (kept.game, kept.scores[0].score) == ("game-1", 1_000)


def test_a_source_that_crashes_stops_nothing(bench: Bench):
    play(bench, 1_000)
    bench.said += bench.pair.gone(CAMERA, bench.now)
    play(bench, 2_000, camera=False)
    bench.games[CAMERA] = 0
    bench.attach(CAMERA)
    bench.start(CAMERA, late=True, p1=2_000)
    bench.end(WIRE)
    assert bench.finals() == {1: 2_000}


@pytest.mark.parametrize(
    ("wire", "camera", "told"),
    [(53_580, 535_800, "×10"), (535_800, 53_580, "÷10"), (100, 10_000, "×100"), (1_234, 12_534, "more"), (7, 9, "9")],
)
def test_the_factor_between_two_scores_is_named(wire: int, camera: int, told: str):
    assert told in compare("wire", wire, "camera", camera)


def test_an_abort_carries_the_last_scores_that_the_wire_itself_had(bench: Bench):
    play(bench, 1_000)
    bench.live[WIRE] = {}
    scores = (PlayerScore(player=1, score=1_700),)
    bench.say(WIRE, GameAborted(at=bench.now, game="game-1", how="service", scores=scores))
    [gone] = bench.all(GameAborted)
    assert [score.score for score in gone.scores] == [1_700]
