"""A machine that is looked at again and again: each game once, its finals right or held, whatever blinks."""

from dataclasses import replace

import pytest

from capture.signals import BallEnded, FaultCleared, FaultRaised, GameAborted, GameEnded, GameStarted
from capture.states import MachineState
from tests.capture.sampled_watch import Watch, every, finals, idle, up


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


TOP = [up(0, 2, 99_200_000), up(0, 2, 99_990_000), up(0, 2, 310_000), up(0, 2, 1_540_000)]


@pytest.mark.parametrize(("digits", "candidates"), [(8, [101_540_000, 1_540_000]), (None, [1_540_000])])
@pytest.mark.parametrize(("step", "looks"), [(250, 8), (1000, 3), (1000, 1), (5000, 1)])
def test_a_rollover_is_held_with_what_it_may_be(step: int, looks: int, digits: int | None, candidates: list[int]):
    """B04."""
    played = [replace(state, ball=ball) for ball, state in zip((2, 2, 2, 3), TOP, strict=True) for _ in range(looks)]
    watch = Watch(digits=digits)
    watch.see(
        *every(step, *ATTRACT, *climb(1, 0, 99_000_000), *played, *[over(up(0, 3, 1_540_000))] * (9000 // step + 3))
    )
    (ended,) = watch.of(GameEnded)
    (score,) = ended.scores
    assert (score.score, score.text, list(score.candidates)) == (None, "1540000", candidates)
    assert len(watch.of(GameStarted)) == 1
    assert [one.fault for one in watch.of(FaultRaised)] == ["score-jump"]


@pytest.mark.parametrize("step", [250, 1000, 5000])
def test_ball_1_with_all_slots_at_nought_is_a_new_game(step: int):
    """B04, the control; the game before never looked over."""
    watch = Watch()
    watch.see(*every(step, *ATTRACT, *climb(1, 0, 900), *climb(2, 900, 5_000_000), *[up(0, 1, 0)] * 10))
    assert len(watch.of(GameStarted)) == 2
    (aborted,) = watch.of(GameAborted)
    assert (aborted.how, finals(aborted)) == ("restart", [5_000_000])


@pytest.mark.parametrize("step", [250, 1000, 5000])
def test_a_game_that_ended_and_began_anew_between_two_looks_is_over_and_held(step: int):
    watch = Watch()
    watch.see(
        *every(step, *ATTRACT, *climb(1, 0, 900), *climb(2, 900, 5000), *climb(3, 5000, 7000), *[up(0, 1, 0)] * 10)
    )
    (ended,) = watch.of(GameEnded)
    assert (finals(ended), ended.scores[0].candidates) == ([None], (7000,))
    assert [one.joined_late for one in watch.of(GameStarted)] == [False, False]


def test_scores_of_the_game_before_count_in_no_game():
    """B06 too: the final scores again, and noughts, begin nothing."""
    watch = Watch()
    first = [*ATTRACT, *climb(1, 0, 900), *climb(2, 900, 1000), *climb(3, 1000, 210_000)]
    rest = [over(up(0, 3, 210_000)), *[idle(0, 210_000)] * 40, idle(0, 210_000), idle(0, 0), idle(0, 210_000)]
    watch.see(*every(250, *first, *rest))
    assert [finals(one) for one in watch.of(GameEnded)] == [[210_000]]
    second = [up(0, 1, 210_000), up(0, 1, 210_000), up(0, 1, 210_000), *climb(1, 0, 50), *climb(2, 50, 60)]
    watch.see(*every(250, *second, *climb(3, 60, 70), *[idle(0, 70)] * 40, start=60_000))
    assert [finals(one) for one in watch.of(GameEnded)] == [[210_000], [70]]
    assert [one.scores[0].score for one in watch.of(BallEnded)][-3:] == [50, 60, 70]
    assert watch.of(FaultRaised) == []


def test_the_bonus_that_is_counted_after_the_flag_is_final():
    watch = Watch()
    bonus = [over(up(0, 3, 7000 + 100 * step)) for step in range(9)]
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 900), *climb(3, 900, 7000), *bonus, *[idle(0, 7800)] * 40))
    (ended,) = watch.of(GameEnded)
    assert finals(ended) == [7800]


@pytest.mark.parametrize("shown", [(100_000, 0), (100_000, 90_000), (0, 0), (5, 6)])
def test_what_attract_mode_shows_after_the_scores_is_no_score(shown: tuple[int, int]):
    watch = Watch()
    last = [*[over(up(0, 3, 7000, 0))] * 16, *[over(up(0, 3, *shown))] * 60]
    before = [up(0, ball, state.scores[0], 0) for ball in (1, 3) for state in climb(ball, 900 * (ball == 3), 7000)]
    watch.see(*every(250, *[idle(0, 0, 0)] * 8, *before, *last))
    (ended,) = watch.of(GameEnded)
    assert finals(ended) in ([7000], [None])


def test_finals_that_the_machine_keeps_apart_end_the_game_at_once():
    watch = Watch()
    played = [replace(state, finals=(123, 0)) for state in (*climb(1, 0, 900), *climb(3, 900, 7000))]
    watch.see(*every(250, *ATTRACT, *played, *[idle(0, 0, finals=(7200, 0))] * 7))
    (ended,) = watch.of(GameEnded)
    assert finals(ended) == [7200]


def test_a_machine_that_shows_noughts_and_no_game_began_anew():
    watch = Watch()
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 900), *climb(2, 900, 7000), *[up(0, 0, 0)] * 8))
    (aborted,) = watch.of(GameAborted)
    assert (aborted.how, finals(aborted)) == ("reset", [7000])
    assert [one.fault for one in watch.of(FaultRaised)] == ["reset"]


def test_a_game_that_goes_for_the_service_menu_is_lost_to_it():
    watch = Watch()
    menu = [idle(0, 7000, service=True)] * 40
    watch.see(
        *every(250, *ATTRACT, *climb(1, 0, 900), *climb(2, 900, 7000), *menu, *[idle(0, 7000, service=False)] * 8)
    )
    (aborted,) = watch.of(GameAborted)
    assert (aborted.how, finals(aborted)) == ("service", [7000])
    assert [one.fault for one in watch.of(FaultRaised, FaultCleared)] == ["service-mode"] * 2


def test_another_number_is_another_game_though_nothing_fell():
    watch = Watch()
    first = [replace(state, number=99) for state in climb(1, 0, 100)]
    watch.see(
        *every(5000, *ATTRACT, *first, *[up(0, 1, 5000, number=0), up(0, 1, 6000, number=0), up(0, 1, 6000, number=0)])
    )
    assert len(watch.of(GameStarted)) == 2
    assert [finals(one) for one in watch.of(GameAborted)] == [[100]]


def test_another_number_after_a_lost_link_is_another_game_though_it_fits():
    watch = Watch()
    watch.see(*every(500, *[idle(0, 0)] * 4, *[up(0, 1, 0, number=10)] * 6))
    watch.lose(5_000)
    watch.see(*every(500, *[up(0, 1, 0, number=11)] * 6, *[up(0, 1, 110, number=11)] * 6, start=9_000))
    assert [one.joined_late for one in watch.of(GameStarted)] == [False, True]
    assert [finals(one) for one in watch.of(GameAborted)] == [[0]]


def test_a_score_that_nobody_has_confirmed_goes_to_an_official():
    watch = Watch()
    played = [replace(state, verified=False) for state in (*climb(1, 0, 900), *climb(3, 900, 7000))]
    watch.see(*every(250, *ATTRACT, *played, *[idle(0, 7000, verified=False)] * 40))
    (ended,) = watch.of(GameEnded)
    assert (finals(ended), ended.scores[0].candidates) == ([None], (7000,))


def test_who_comes_in_mid_game_finds_it_and_hears_its_end():
    watch = Watch()
    watch.see(*every(250, *climb(2, 900, 7000), *climb(3, 7000, 8000), *[idle(0, 8000)] * 40))
    (started,) = watch.of(GameStarted)
    assert started.joined_late
    assert [finals(one) for one in watch.of(GameEnded)] == [[8000]]


def test_players_who_join_are_in_the_game_and_those_who_flash_up_are_not():
    watch = Watch()
    joined = [replace(state, players=2, scores=(*state.scores, 0)) for state in climb(1, 100, 900)]
    flash = replace(joined[-1], players=4, scores=(900, 0, 0, 0))
    second = [replace(state, players=2, player=2, scores=(900, *state.scores)) for state in climb(1, 0, 70)]
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 100), *joined, flash, flash, *second, *[idle(0, 900, 70)] * 40))
    (ended,) = watch.of(GameEnded)
    assert finals(ended) == [900, 70]
    assert [(one.player, one.ball, finals(one)) for one in watch.of(BallEnded)] == [(1, 1, [900, 0]), (2, 1, [900, 70])]


def test_what_is_pushed_stands_until_something_else_is():
    watch = Watch(pushed=True)
    watch.see(idle(0, 0), up(5000, 1, 0), up(9000, 1, 70), up(20_000, 3, 90), idle(60_000, 90))
    watch.wait(60_000 + 8_500)
    (ended,) = watch.of(GameEnded)
    assert (finals(ended), ended.at) == ([90], 60_000)
    assert watch.follower.deadline() is None


def test_a_score_that_was_wiped_at_once_is_no_final_nought():
    watch = Watch(pushed=True)
    watch.see(idle(0, 0), up(5000, 1, 0), up(9000, 1, 5000), idle(9250, 0))
    watch.wait(9250 + 20_000)
    assert watch.of(GameEnded) == []
    assert [one.how for one in watch.of(GameAborted)] == ["reset"]


def test_a_nought_that_took_a_scores_place_while_played_is_held():
    watch = Watch(pushed=True)
    watch.see(idle(0, 0), up(5000, 1, 0), up(9000, 1, 5000), up(9000, 1, 0), idle(9250, 0))
    watch.wait(9250 + 20_000)
    ((score,),) = (one.scores for one in watch.of(GameEnded))
    assert (score.score, score.candidates) == (None, (0, 5000))


def test_tilts_and_slams_are_told_once_and_a_flag_that_flashes_is_not():
    watch = Watch()
    tilted = [replace(state, tilted=True) for state in climb(2, 900, 900)]
    flash = replace(climb(1, 900, 900)[0], tilted=True, slam_tilted=True)
    played = [*ATTRACT, *climb(1, 0, 900), flash, flash, *climb(2, 900, 900), *tilted, *climb(3, 900, 950)]
    looks = [replace(one, tilted=bool(one.tilted), slam_tilted=bool(one.slam_tilted)) for one in played]
    slammed = [replace(up(0, 3, 950), slam_tilted=True, tilted=False)] * 6
    watch.see(*every(250, *looks, *slammed, *[idle(0, 950, slam_tilted=True)] * 40))
    assert [one.fault for one in watch.of(FaultRaised)] == ["tilt", "slam-tilt"]
    assert watch.of(GameEnded)[0].how == "slam-tilt"


@pytest.mark.parametrize(("shown", "told"), [(7000, [7000]), (7400, [None])])
def test_an_end_that_was_missed_while_the_link_was_down_is_told_when_it_is_back(shown: int, told: list[int | None]):
    watch = Watch()
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 900), *climb(3, 900, 7000)))
    watch.lose(7000)
    watch.see(*every(250, *[idle(0, shown)] * 60, start=12_000))
    (ended,) = watch.of(GameEnded)
    assert finals(ended) == told
    assert len(watch.of(GameStarted)) == 1


@pytest.mark.parametrize("shown", [0, 50])
def test_what_stands_there_after_a_link_was_down_may_be_another_games(shown: int):
    watch = Watch()
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 900), *climb(3, 900, 7000)))
    watch.lose(7000)
    watch.see(*every(250, *[idle(0, shown)] * 60, start=12_000))
    assert [(one.how, finals(one)) for one in watch.of(GameAborted)] == [("link-lost", [7000])]


@pytest.mark.parametrize("gap", [3000, 14_000, 20_000])
def test_a_game_that_is_found_again_is_the_same_for_a_while(gap: int):
    watch = Watch()
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 900), *climb(2, 900, 7000)))
    watch.lose(7000)
    watch.see(*every(250, *climb(2, 7000, 7500), *climb(3, 7500, 8000), *[idle(0, 8000)] * 40, start=7000 + gap))
    assert [finals(one) for one in watch.of(GameEnded)] == [[8000]]
    assert len(watch.of(GameStarted)) == (1 if gap < 14_000 else 2)


@pytest.mark.parametrize(("first", "late"), [([idle(0, 0)], False), ([], True), ([up(0, 1, 50)], True)])
def test_a_game_that_begins_right_after_we_came_was_seen_to_begin(first: list[MachineState], late: bool):  # noqa: FBT001
    watch = Watch()
    watch.see(*every(250, *first, *climb(1, 0, 900)))
    assert [one.joined_late for one in watch.of(GameStarted)] == [late]


def test_an_end_that_was_looked_at_but_once_before_a_long_silence_is_held():
    watch = Watch()
    watch.see(*every(250, *ATTRACT, *climb(1, 0, 900), *climb(3, 900, 7000), over(up(0, 3, 7000))))
    watch.wait(60_000)
    assert [(finals(one), one.scores[0].candidates) for one in watch.of(GameEnded)] == [([None], (7000,))]


def test_who_joined_and_ended_the_game_while_nobody_looked_is_in_it_and_an_official_looks():
    watch = Watch()
    watch.see(*every(250, *ATTRACT, up(0, 1, 0, 0, players=1), *[up(0, 1, 0, 0, players=1)] * 6))
    watch.see(*every(250, *[idle(0, 9000, 0, players=2)] * 60, start=20_000))
    assert [finals(one) for one in watch.of(GameEnded)] == [[None, None]]
