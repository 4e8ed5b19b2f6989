"""A display's readings begin games and follow them."""

from capture.signals import BallEnded, FaultRaised, GameEnded, GameStarted
from tests.capture.display_table import Table, full_game


def test_a_game_is_played_from_its_first_ball_to_game_over():
    table = Table()
    table.attract()
    table.show(2, "BALL 1", p0=0)
    assert table.live() == [0]
    full_game(table, 9_000_000)
    table.attract(60)
    assert table.ended() == [{1: 9_000_000}]
    (start,) = table.of(GameStarted)
    assert isinstance(start, GameStarted)
    assert not start.joined_late
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    assert (end.how, end.balls_played, end.source) == ("normal", 3, "camera")
    assert [(b.player, b.ball) for b in table.said if isinstance(b, BallEnded)] == [(1, 1), (1, 2)]


def test_two_games_in_a_row_are_two():
    table = Table()
    table.attract()
    full_game(table, 9_000_000)
    table.attract()
    full_game(table, 90_000)
    assert table.ended() == [{1: 9_000_000}, {1: 90_000}]


def test_who_comes_in_mid_game_joins_late():
    table = Table()
    table.show(3, "BALL 2", p0=500)
    (start,) = table.of(GameStarted)
    assert isinstance(start, GameStarted)
    assert start.joined_late


def test_attract_mode_begins_nothing_however_long_it_lasts():
    table = Table()
    for champion in (900_000_000, 40_000_000, 30_000_000):
        table.attract()
        table.show(3, p0=champion)  # read and accepted, but it does not rise and no ball is in play
        table.show(0.4, "BALL 2", p0=champion)  # one misread word
    assert table.said == []


def test_a_display_without_words_shows_play_by_a_number_that_rises():
    table = Table()
    table.attract()
    for score in (0, 100, 700, 900, 1500):
        table.show(2, p0=score)
    assert len(table.of(GameStarted)) == 1
    assert table.live() == [1500]


def test_a_tilt_is_a_fault_once_and_the_game_goes_on():
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=100)
    table.show(12, "TILT")
    table.show(4, "BALL 2", p0=100)
    faults = [fault for fault in table.said if isinstance(fault, FaultRaised)]
    assert [(fault.fault, fault.player, fault.ball) for fault in faults] == [("tilt", 1, 1)]
    assert table.of(GameEnded) == []


def test_a_ball_that_is_locked_ends_no_game():
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=100)
    table.show(4, "BALL 2", p0=500)
    table.show(3, "BALL 1")
    table.show(4, "BALL 2", p0=700)
    assert table.of(GameEnded) == []
    assert table.live() == [700]
