"""Malfunctions that a game is watched for: raised once, cleared once, with player, ball and the last stable scores."""

import pytest

from capture import hints as h
from capture.game import GameMachine
from capture.match import Phase
from capture.signals import FaultCleared, FaultRaised, GameAborted, GameEnded, PlayerScore, ScoreFrozen, Signal
from capture.watchman import STUCK_MS
from hardware.profile import MachineProfile, UsualScores

USUAL = UsualScores(low=1_000_000, median=40_000_000, high=80_000_000, games=50)


def machine(**more: object) -> GameMachine:
    game = GameMachine(MachineProfile(id="m", name="M", kind="wire", dialect="lines", balls=3, **more))  # type: ignore[arg-type]
    game.take(h.PlayerJoined(at=0, player=1))
    game.take(h.PlayerUp(at=0, player=1, ball=1))
    return game


def score(game: GameMachine, at: int, *scores: int) -> list[Signal]:
    return [said for value in scores for said in game.take(h.ScoreSeen(at=at, player=1, score=value))]


def of(said: list[Signal], *kinds: type[Signal]) -> list[Signal]:
    return [signal for signal in said if isinstance(signal, kinds)]


def faults(said: list[Signal]) -> list[tuple[str, str]]:
    return [(type(one).__name__, one.fault) for one in said if isinstance(one, FaultRaised | FaultCleared)]


def tick(game: GameMachine, until: int) -> list[Signal]:
    said: list[Signal] = []
    while (due := game.deadline()) is not None and due <= until:
        said += game.tick(due)
    return said


def test_a_ball_that_scores_no_more_is_stuck_then_missing_and_both_are_over_with_the_next_score():
    game = machine()
    score(game, 1000, 0, 500)
    said = tick(game, 1000 + 3 * STUCK_MS)
    raised = [one for one in said if isinstance(one, FaultRaised)]
    assert [(one.fault, one.at) for one in raised] == [
        ("score-stuck", 1000 + STUCK_MS), ("ball-missing", 1000 + 2 * STUCK_MS)
    ]  # fmt: skip
    assert {(one.player, one.ball, one.scores) for one in raised} == {(1, 1, (PlayerScore(player=1, score=500),))}
    assert len(of(said, ScoreFrozen)) == 2
    assert faults(score(game, 10**6, 510)) == [("FaultCleared", "ball-missing"), ("FaultCleared", "score-stuck")]


@pytest.mark.parametrize(
    "then",
    [h.BallOver(at=2000), h.GameOver(at=2000), h.GameGone(at=2000, how="service"), h.LinkBroken(at=2000),
     h.PlayerUp(at=2000, player=1, ball=2)],
)  # fmt: skip
def test_nothing_is_stuck_between_balls_and_out_of_a_game(then: h.Hint):
    game = machine()
    score(game, 1000, 0, 500)
    game.take(then)
    assert not {fault for _, fault in faults(tick(game, 10**7))} & {"score-stuck", "ball-missing"}


def test_a_ball_that_waits_for_its_player_is_not_stuck():
    game = machine()
    score(game, 1000, 0)
    assert tick(game, 10**7) == []


def test_who_has_a_word_for_a_ball_that_it_misses_is_not_spoken_for():
    game = machine()
    score(game, 1000, 0, 500)
    game.take(h.Trouble(at=2000, fault="ball-search"))
    assert ("FaultRaised", "ball-missing") not in faults(tick(game, 10**7))


def play_ball(game: GameMachine, at: int, *, drained: bool, tilted: bool = False, quiet: int = 2000) -> list[Signal]:
    said = score(game, at, at, at + 100)
    if tilted:
        said += game.take(h.Trouble(at=at, fault="tilt"))
    said += game.take(h.BallDrained(at=at + 1000)) if drained else []
    said += game.take(h.BallOver(at=at + quiet))
    return said + game.take(h.PlayerUp(at=at + quiet, player=1, ball=(game.last.ball or 0) + 1 if game.last else 1))


def test_a_ball_that_ends_without_a_drain_is_told_where_drains_are_told():
    game = machine()
    early = ("FaultRaised", "ball-ended-early")
    assert early not in faults(play_ball(game, 1000, drained=False))  # nobody tells drains here
    assert early not in faults(play_ball(game, 11_000, drained=True))
    said = play_ball(game, 21_000, drained=False)
    assert faults(said) == [early]
    (raised,) = of(said, FaultRaised)
    assert (raised.player, raised.ball, raised.scores[0].score) == (1, 3, 21_100)
    assert len(of(said, ScoreFrozen)) == 1
    tick(game, 30_000)
    assert early not in faults(play_ball(game, 31_000, drained=False))  # the switch is broken, then


@pytest.mark.parametrize("how", [{"tilted": True}, {"quiet": 60_000}])
def test_a_tilt_or_a_long_silence_explains_the_end_of_a_ball(how: dict[str, object]):
    game = machine()
    play_ball(game, 1000, drained=True)
    assert ("FaultRaised", "ball-ended-early") not in faults(play_ball(game, 11_000, drained=False, **how))  # type: ignore[arg-type]


def test_a_score_beyond_the_usual_is_stored_at_once_and_flagged():
    """E16."""
    game = machine(usual=USUAL)
    score(game, 1000, 70_000_000, 2_100_000_000 - 40_000_000, 2_100_000_000)
    tick(game, 8000)
    said = game.take(h.GameOver(at=9000))
    (ended,) = of(said, GameEnded)
    assert [(one.score, one.confidence) for one in ended.scores] == [(2_100_000_000, 1.0)]
    assert faults(said)[0] == ("FaultRaised", "score-jump")
    assert said.index(of(said, FaultRaised)[0]) < said.index(ended)
    game.take(h.PlayerJoined(at=10_000, player=1))
    game.take(h.PlayerUp(at=10_000, player=1, ball=1))
    score(game, 11_000, 45_000_000)
    assert faults(game.take(h.GameOver(at=20_000))) == []


def test_one_step_out_of_all_measure_is_flagged_at_once_and_counts():
    game = machine(usual=USUAL)
    assert faults(score(game, 1000, 0, 10_000_000)) == []
    assert faults(score(game, 2000, 95_000_000)) == [("FaultRaised", "score-jump")]
    assert [one.score for one in game.live()] == [95_000_000]


def test_power_that_goes_keeps_the_scores_and_the_game_is_lost_where_it_stays_away():
    game = machine()
    score(game, 1000, 500)
    said = game.take(h.Trouble(at=2000, fault="power-lost"))
    assert faults(said) == [("FaultRaised", "power-lost")]
    assert of(said, ScoreFrozen)
    (aborted,) = of(tick(game, 60_000), GameAborted)
    assert (aborted.how, aborted.scores[0].score) == ("link-lost", 500)


def test_a_game_that_outlives_a_dip_of_the_power_goes_on():
    game = machine()
    score(game, 1000, 500)
    game.take(h.Trouble(at=2000, fault="power-lost"))
    assert faults(game.take(h.Relief(at=2100, fault="power-lost"))) == [("FaultCleared", "power-lost")]
    said = score(game, 3000, 600) + tick(game, 60_000) + game.take(h.GameOver(at=61_000))
    assert [type(one) for one in said] == [GameEnded]


@pytest.mark.parametrize(
    "then", [h.ScoreSeen(at=9000, player=2, score=70), h.PlayerUp(at=9000, player=2, ball=1), h.GameOver(at=9000),
             h.Relief(at=9000, fault="power-lost")],
)  # fmt: skip
def test_a_game_of_two_outlives_a_dip_when_anything_of_it_is_heard(then: h.Hint):
    game = machine()
    game.take(h.PlayerJoined(at=1, player=2))
    score(game, 1000, 500)
    game.take(h.ScoreSeen(at=1000, player=2, score=0))
    game.take(h.Trouble(at=2000, fault="power-lost"))
    said = game.take(then) + tick(game, 60_000) + game.take(h.GameOver(at=61_000))
    assert of(said, GameAborted) == []
    assert len(of(said, GameEnded)) == 1


def test_a_link_that_breaks_after_the_power_went_loses_the_game():
    game = machine()
    score(game, 1000, 500)
    game.take(h.Trouble(at=2000, fault="power-lost"))
    game.take(h.LinkBroken(at=2100))
    said = game.take(h.Relief(at=9000, fault="power-lost")) + tick(game, 60_000)
    assert [one.how for one in of(said, GameAborted)] == ["link-lost"]


def test_the_officials_button_keeps_the_scores_once_a_press_also_after_the_game():
    game = machine()
    score(game, 1000, 500)
    said = game.take(h.OfficialCalled(at=2000)) + game.take(h.OfficialCalled(at=2100))
    assert [type(one) for one in said] == [FaultRaised, ScoreFrozen]
    assert faults(tick(game, 20_000)) == [("FaultCleared", "official-called")]
    game.take(h.GameOver(at=21_000))
    said = game.take(h.OfficialCalled(at=22_000))
    assert [type(one) for one in said] == [FaultRaised, ScoreFrozen]
    assert said[1].scores[0].score == 500


def test_the_start_button_explains_a_restart():
    game = machine()
    score(game, 1000, 500)
    assert game.take(h.StartPressed(at=2000)) == []
    (raised,) = [one for one in game.take(h.PlayerJoined(at=3500, player=1)) if isinstance(one, FaultRaised)]
    assert raised.detail == "a new game began while one was running, 1.5 s after the start button was pressed"


def test_the_machines_last_word_is_a_candidate_where_ours_is_doubtful():
    game = machine()
    score(game, 1000, 900, 300)
    assert of(game.take(h.ScoresFinal(at=2000, again=True)), GameEnded) == []
    (ended,) = of(game.take(h.FinalScore(at=2100, player=1, score=910)), GameEnded)
    assert (ended.scores[0].score, ended.scores[0].candidates) == (None, (300, 910))
    assert game.phase is Phase.ENDING


def test_what_nobody_has_confirmed_is_known_and_held():
    game = machine()
    game.take(h.ScoreSeen(at=1, player=1, score=700, held=True))
    assert [(one.score, one.accepted) for one in game.live()] == [(700, False)]
    (ended,) = of(game.take(h.GameOver(at=2)), GameEnded)
    assert (ended.scores[0].score, ended.scores[0].text, ended.scores[0].candidates) == (None, "700", (700,))
