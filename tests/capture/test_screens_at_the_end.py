"""How games end on a display: a number that is not sure never becomes a final score."""

from capture.signals import GameAborted, GameEnded, GameStarted, PlayerScore, ScoreRead
from tests.capture.display_table import Table


def test_a_bonus_that_was_not_read_makes_the_final_score_wait():
    """The last accepted number is from before the bonus; the final screen cannot be read for certain."""
    table = Table()
    table.attract()
    for ball in (1, 2, 3):
        table.show(4, f"BALL {ball}", p0=ball * 1000)
    table.show(2, accepted=False, p0=3500)
    table.show(3, accepted=False, p0=8000)
    table.show(3, "GAME OVER")
    table.show(3, accepted=False, p0=8000)
    table.show(3, "GAME OVER")
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    (score,) = end.scores
    assert score.score is None
    assert {3000, 8000} <= set(score.candidates)
    assert len(table.of(ScoreRead)) == 1


def test_digits_that_were_not_seen_stay_unseen():
    table = Table()
    table.attract()
    table.show(4, "BALL 3", p0=400)
    table.show(3, "BALL 3", p0=None)
    table.show(4, "GAME OVER", p0=None)
    table.show(6, p0=None)
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    assert [score.score for score in end.scores] == [None]


def test_game_over_that_blinks_in_mid_game_ends_nothing():
    """B01: three blinks, one game."""
    table = Table()
    table.attract()
    for ball in (1, 2, 3):
        table.show(4, f"BALL {ball}", p0=ball * 1000)
        table.show(0.2, "GAME OVER")
        table.show(2, f"BALL {ball}", p0=ball * 1000)
    assert table.of(GameEnded) == []
    table.show(3, "GAME OVER")
    table.show(3, p0=3000)
    assert table.ended() == [{1: 3000}]


def test_a_game_whose_end_was_not_seen_ends_when_the_next_begins_and_waits_for_an_official():
    table = Table()
    table.attract()
    table.show(4, "BALL 2", p0=5000)
    table.show(8, "BALL 1", p0=0)
    table.show(4, "BALL 1", p0=70)
    assert table.ended() == [{1: None}]
    assert len(table.of(GameStarted)) == 2
    assert table.live() == [70]


def test_play_that_does_not_come_back_ends_at_last_and_waits_for_an_official():
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=100)
    table.attract(30)
    assert table.of(GameEnded) == []
    table.attract(60)
    assert table.ended() == [{1: None}]


def test_a_number_that_falls_for_a_moment_is_no_new_truth():
    """One misreading that was accepted does not shut out what follows; the final score is the last one, held."""
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=1000)
    table.show(1.4, "BALL 1", p0=81_000)
    table.show(4, "BALL 1", p0=1500)
    assert table.live()[-1] == 1500
    table.show(4, "BALL 3", p0=2500)
    table.show(3, "GAME OVER")
    table.show(3, p0=2500)
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    assert end.scores == (PlayerScore(player=1, score=None, confidence=0.0, text="2500", candidates=(2500,)),)


def test_a_number_that_never_was_sure_waits_with_what_was_read():
    table = Table()
    table.show(6, "BALL 3", accepted=False, p0=8_618_490)
    table.show(12)
    assert table.ended() == [{1: None}]
    (read,) = table.of(ScoreRead)
    assert isinstance(read, ScoreRead)
    assert (read.text, read.candidates) == ("8618490", (8_618_490,))


def test_an_aborted_game_keeps_what_was_read_of_a_score_that_never_was_sure():
    table = Table()
    table.show(6, "BALL 1", accepted=False, p0=8_618_490)
    for hint in table.screens.lose(table.at, "display-lost"):
        table.said += table.game.take(hint)
    (aborted,) = table.of(GameAborted)
    assert isinstance(aborted, GameAborted)
    assert [(one.score, one.text, one.candidates) for one in aborted.scores] == [(None, "8618490", (8_618_490,))]
