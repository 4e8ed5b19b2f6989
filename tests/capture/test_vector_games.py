"""Games that a Vector board pushes as datagrams: lost ones, ends said six times, ends of other games, resets."""

import pytest

from capture.signals import GameStarted, ScoreRead
from tests.capture.vector_board import IDLE, STATUS, Ear, answer, end, listening, over, play, push, status


def test_a_game_whose_end_is_said_six_times_is_told_once():
    ear = listening()
    play(ear)
    ear.hear(over(2500, 900, number=0))
    for attempt in range(1, 7):
        ear.wait(4_750)
        ear.hear(end(2500, 900, attempt=attempt))
        ear.wait(250)
        ear.hear(over(2500, 900))
    ear.wait(30_000)
    assert ear.games() == [("normal", (2500, 900))]
    assert ear.faults() == []


def test_the_boards_word_ends_a_game_whose_last_datagrams_were_lost():
    ear = listening()
    play(ear)
    ear.wait(5_000)
    ear.hear(end(2500, 900))
    ear.wait(5_000)
    assert ear.games() == []
    ear.hear(end(2500, 900, attempt=2))
    ear.wait(10_000)
    assert ear.games() == [("normal", (2500, 900))]


def test_an_end_that_was_said_but_once_and_stands_alone_waits_for_an_official():
    """It may be one of those that the next status, which got lost, would have contradicted."""
    ear = listening()
    play(ear)
    ear.hear(end(2500, 900), end(2500, 900))  # one datagram, doubled on its way
    ear.wait(30_000)
    assert ear.games() == [("normal", (None, None))]
    assert [read.candidates for read in ear.of(ScoreRead)] == [(2500,), (900,)]


def test_the_first_tries_may_be_lost_too():
    ear = listening()
    play(ear)
    ear.wait(25_000)
    ear.hear(end(2500, 900, attempt=5))
    ear.wait(250)
    ear.hear(over(2500, 900))
    ear.wait(10_000)
    assert ear.games() == [("normal", (2500, 900))]


def test_an_end_that_the_next_status_contradicts_ends_nothing():
    """The ball stood at 0 for the one look in five seconds; the count of games moves on, and the game goes on."""
    ear = listening()
    play(ear)
    for attempt in range(1, 7):
        ear.hear(end(2500, 700, attempt=attempt))
        ear.wait(250)
        ear.hear(push("game_state", status(2500, 700, ball=3, player=2, number=1)))
        ear.wait(4_750)
    ear.hear(push("game_state", status(2500, 950, ball=3, player=2, number=1)))
    ear.wait(3_000)
    ear.hear(over(2500, 950, number=1))
    ear.wait(4_000)
    ear.hear(end(2500, 950, number=1))
    ear.wait(250)
    ear.hear(over(2500, 950, number=2))
    ear.wait(30_000)
    assert ear.games() == [("normal", (2500, 950))]
    assert len(ear.of(GameStarted)) == 1


def test_late_tries_of_the_last_game_do_not_touch_the_next_one():
    ear = listening()
    play(ear)
    ear.hear(over(2500, 900, number=0))
    ear.wait(4_000)
    ear.hear(end(2500, 900))
    ear.wait(250)
    ear.hear(over(2500, 900))
    ear.wait(1_000)
    ear.hear(push("game_state", status(0, number=1)))
    for attempt in range(2, 7):
        ear.wait(4_000)
        ear.hear(end(2500, 900, attempt=attempt))
        ear.wait(250)
        ear.hear(push("game_state", status(attempt * 1000, number=1)))
    ear.wait(3_000)
    ear.hear(over(6000, number=1))
    ear.wait(20_000)
    assert [scores for _, scores in ear.games()] == [(2500, 900), (6000,)]


def test_a_late_try_whose_first_ones_were_lost_does_not_end_the_next_game():
    ear = listening()
    play(ear)
    ear.hear(over(2500, 900, number=0))
    ear.wait(12_000)
    ear.hear(push("game_state", status(0, number=1)))
    ear.wait(3_000)
    ear.hear(end(2500, 900, attempt=3))
    ear.wait(20_000)
    assert [scores for _, scores in ear.games()] == [(2500, 900)]
    ear.hear(push("game_state", status(4000, number=1)))
    ear.wait(3_000)
    ear.hear(over(4000, number=1))
    ear.wait(20_000)
    assert [scores for _, scores in ear.games()] == [(2500, 900), (4000,)]


def test_who_scored_nought_is_left_out_of_the_boards_word_and_has_nought():
    ear = listening()
    for told in (
        status(0), status(1000), status(1000, 0, player=2), status(1000, 0, 0, player=3), status(1000, 0, 50, player=3)
    ):  # fmt: skip
        ear.hear(push("game_state", told))
        ear.wait(2_000)
    ear.hear(end(1000, 80))
    ear.wait(250)
    ear.hear(over(1000, 0, 80, players=3))
    ear.wait(10_000)
    assert [scores for _, scores in ear.games()] == [(1000, 0, 80)]


def test_a_word_that_fits_two_players_leaves_both_to_an_official():
    ear = listening()
    for told in (status(0), status(1000), status(1000, 0, player=2), status(1000, 0, 0, player=2)):
        ear.hear(push("game_state", told))
        ear.wait(2_000)
    for attempt in (1, 2):
        ear.hear(end(1000, 80, attempt=attempt))
        ear.wait(5_000)
    ear.wait(15_000)
    ((_, scores),) = ear.games()
    assert scores == (1000, None, None)


def test_a_word_that_fits_no_player_makes_no_score_certain():
    """Where all scores in play read nought, the firmware sends its list of high scores instead."""
    ear = listening()
    play(ear)
    ear.hear(end(9_000_000, 8_000_000, 7_000_000))
    ear.wait(20_000)
    assert all(9_000_000 not in scores and 8_000_000 not in scores for _, scores in ear.games())


def test_a_game_of_which_no_datagram_came_is_told_and_left_to_an_official():
    ear = listening()
    ear.wait(600_000)
    ear.hear(end(1000, 80, attempt=4))
    ear.wait(250)
    ear.hear(over(1000, 80, players=2))
    ear.wait(5_000)
    ear.hear(end(1000, 80, attempt=5))
    ear.wait(20_000)
    ((_, scores),) = ear.games()
    assert scores == (None, None)
    assert [read.candidates for read in ear.of(ScoreRead)] == [(1000,), (80,)]


def test_the_word_of_a_game_that_ended_before_we_came_is_no_game():
    ear = Ear()
    ear.open(passive=True)
    ear.hear(end(1000, 80, attempt=3))
    ear.wait(250)
    ear.hear(over(1000, 80, players=2))
    ear.wait(5_000)
    ear.hear(end(1000, 80, attempt=4))
    ear.wait(20_000)
    assert ear.of(GameStarted) == []


def test_a_reset_of_the_board_ends_the_game_with_the_last_scores_kept():
    ear = listening()
    play(ear)
    ear.wait(20_000)
    ear.hear(push("reset"))
    ear.wait(4_000)
    ear.hear(push("game_state", IDLE))
    ear.wait(10_000)
    assert ear.games() == [("reset", (2500, 700))]
    assert "reset" in ear.faults()
    play(ear)  # with the number that the lost game had
    ear.hear(over(2500, 900, number=0))
    ear.wait(10_000)
    assert [scores for _, scores in ear.games()] == [(2500, 700), (2500, 900)]


def test_a_reset_just_after_a_game_does_not_take_its_end_away():
    ear = listening()
    play(ear)
    ear.hear(over(2500, 900, number=0))
    ear.wait(6_000)
    ear.hear(push("reset"))
    ear.wait(20_000)
    assert [scores for how, scores in ear.games() if how == "normal"] == [(2500, 900)]


def test_a_wiped_memory_says_a_game_on_ball_nought_and_is_none():
    ear = listening()
    play(ear)
    ear.hear(push("game_state", status(0, ball=0)))
    ear.wait(10_000)
    assert ear.games() == [("reset", (2500, 700))]
    ear.wait(60_000)
    assert len(ear.of(GameStarted)) == 1


def test_datagrams_that_begin_in_the_midst_of_answers_go_on_in_the_same_game():
    """A recording of both: from then on, silence says that nothing changes."""
    ear = Ear()
    ear.open(passive=True)
    for told in (IDLE, IDLE, IDLE, status(0), status(0), status(1000), status(1000), status(1000, 0, player=2)):
        ear.hear(answer(STATUS, told))
        ear.wait(400)
    for told in (status(1000, 700, player=2), status(1000, 700, ball=3), status(1000, 800, ball=3, player=2)):
        ear.hear(push("game_state", told))
        ear.wait(3_000)
    ear.hear(over(1000, 800, number=0))
    ear.wait(20_000)
    assert [scores for _, scores in ear.games()] == [(1000, 800)]
    assert len(ear.of(GameStarted)) == 1
    assert ear.faults() == []


def test_a_game_in_which_nobody_was_seen_to_score_waits_for_an_official():
    """The service menu or a reset may have cleared the memory before the board looked."""
    ear = listening()
    ear.hear(push("game_state", status(0)))
    ear.wait(3_000)
    ear.hear(over(0))
    ear.wait(20_000)
    assert [scores for how, scores in ear.games() if how in {"normal", "ended-early"}] == [(None,)]
    assert [read.candidates for read in ear.of(ScoreRead)] == [(0,)]


@pytest.mark.parametrize("ball", [15, 0])
def test_initials_are_no_ball(ball: int):
    ear = listening()
    play(ear)
    ear.hear(push("game_state", status(2500, 900, ball=3, player=2)))
    ear.wait(2_000)
    ear.hear(push("game_state", status(2500, 900, ball=ball, player=2)))
    ear.wait(20_000)
    assert ear.games() == [("normal", (2500, 900))]
    ear.hear(over(2500, 900))
    ear.wait(20_000)
    assert len(ear.games()) == 1
