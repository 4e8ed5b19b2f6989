"""Two sources of one machine: one game, one end; agreed scores at once, differing ones held, losses bridged."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from capture.pair import DISAGREE, HOLD_MS, WORD_MS, Pair
from capture.pair_game import compare
from capture.pair_voice import START_MS, Kind
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    MachineDetached,
    PlayerScore,
    ScoreFrozen,
    ScoreLive,
    ScoreRead,
    Signal,
)

WIRE, CAMERA, SENSOR = 0, 1, 2


@dataclass
class Bench:
    """A pair, and what it has said so far."""

    pair: Pair = field(
        default_factory=lambda: Pair(
            [
                Kind(name="wire", exact=True),
                Kind(name="camera", exact=False),
                Kind(name="sensor", exact=True, sensor=True),
            ]
        )
    )
    said: list[Signal] = field(default_factory=list)
    now: int = 0
    games: dict[int, int] = field(default_factory=lambda: {WIRE: 0, CAMERA: 0})
    live: dict[int, dict[int, int]] = field(default_factory=lambda: {WIRE: {}, CAMERA: {}})

    def pass_(self, ms: int) -> None:
        end = self.now + ms
        while (due := self.pair.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.said += self.pair.tick(self.now)
            if self.pair.deadline() == due:
                break
        self.now = end
        self.said += self.pair.tick(end)

    def say(self, source: int, *signals: Signal) -> None:
        lives = self.live.get(source, {})
        game = f"game-{self.games.get(source, 0)}"
        scores = [ScoreLive(at=self.now, game=game, player=player, score=score) for player, score in lives.items()]
        self.said += self.pair.take(source, list(signals), scores, self.now)

    def attach(self, *sources: int) -> None:
        for source in sources:
            self.say(source, MachineAttached(at=self.now, port=f"port{source}"))

    def start(self, source: int, *, late: bool = False, **scores: int) -> None:
        self.games[source] += 1
        self.live[source] = {int(player[1:]): score for player, score in scores.items()}
        self.say(source, GameStarted(at=self.now, game=f"game-{self.games[source]}", players=1, joined_late=late))

    def show(self, source: int, **scores: int) -> None:
        self.live[source] |= {int(player[1:]): score for player, score in scores.items()}
        self.say(source)

    def end(self, source: int, how: str = "normal", doubt: PlayerScore | None = None) -> None:
        game = f"game-{self.games[source]}"
        scores = tuple(PlayerScore(player=player, score=score) for player, score in self.live[source].items())
        if doubt is not None:
            scores = tuple(doubt if one.player == doubt.player else one for one in scores)
        self.live[source] = {}
        kind = "wire" if source == WIRE else "camera"
        ended = GameEnded(at=self.now, game=game, how=how, scores=scores, balls_played=3, source=kind)
        reads = [
            ScoreRead(at=self.now, game=game, player=one.player, text=one.text or "?", candidates=(), confidence=0.1)
            for one in scores if one.score is None
        ]  # fmt: skip
        self.say(source, ended, *reads)

    def abort(self, source: int, how: str) -> None:
        self.live[source] = {}
        self.say(source, GameAborted(at=self.now, game=f"game-{self.games[source]}", how=how, scores=()))

    def all(self, kind: type) -> list[Any]:
        return [signal for signal in self.said if isinstance(signal, kind)]

    def finals(self) -> dict[int, int | None]:
        [ended] = self.all(GameEnded)
        return {score.player: score.score for score in ended.scores}


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.attach(WIRE, CAMERA)
    made.start(WIRE, p1=0)
    made.pass_(2_000)
    made.start(CAMERA, p1=0)
    return made


def play(bench: Bench, *scores: int, camera: bool = True, lag: int = 700) -> None:
    for score in scores:
        bench.pass_(3_000)
        bench.show(WIRE, p1=score)
        bench.pass_(lag)
        if camera:
            bench.show(CAMERA, p1=score)


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
