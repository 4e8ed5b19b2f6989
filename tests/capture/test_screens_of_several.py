"""Several players on one display: each number is of the player whose it is, or of nobody."""

from capture.signals import BallEnded, GameEnded, GameStarted
from tests.capture.display_table import Table, full_game


def test_two_players_are_told_apart():
    table = Table()
    table.attract()
    full_game(table, 900_000, 1_800_000)
    assert table.ended() == [{1: 900_000, 2: 1_800_000}]


def test_turns_are_told_once_though_ball_and_player_show_by_turns():
    table = Table()
    table.attract()
    before = {1: 0, 2: 0}
    for ball, player, score in ((1, 1, 100), (1, 2, 200), (2, 1, 300), (2, 2, 400), (3, 1, 500)):
        before[player] = score
        order = sorted(before, key=lambda one: one != player)
        shown = {f"p{one}": before[one] for one in order}
        table.show(3, f"PLAYER {player}", **shown)
        table.show(3, f"BALL {ball}", **shown)
        table.show(3, f"PLAYER {player}", **shown)
    turns = [(turn.player, turn.ball) for turn in table.said if isinstance(turn, BallEnded)]
    assert turns == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_a_bonus_in_another_players_place_makes_no_player():
    table = Table()
    table.attract()
    for ball, score in (("BALL 1", 1_000), ("BALL 2", 3_000), ("BALL 3", 8_000)):
        table.show(8, ball, p1=score)
        table.show(2, ball, p1=score, p2=950)
    table.show(4, "GAME OVER", p1=8_000)
    assert table.ended() == [{1: 8_000}]


def test_players_whose_lone_numbers_take_turns_are_told_apart_by_what_stays_in_view():
    """One large number for whoever is up, and everybody's small ones beside it."""
    table = Table()
    table.attract()
    table.show(3, "BALL 1", p0=0)
    table.show(3, "BALL 1", p0=5_000, beside=(5_000,))
    table.show(3, "BALL 1", p0=0, beside=(5_000, 0))
    for score in (700, 9_000):
        table.show(3, "BALL 1", p0=score, beside=(5_000, score))
    table.show(3, "BALL 2", p0=5_000, beside=(5_000, 9_000))
    table.show(3, "BALL 2", p0=6_000, beside=(6_000, 9_000))
    table.show(3, "BALL 2", p0=9_000, beside=(6_000, 9_000))
    assert [one.score for one in table.game.live()] == [6_000, 9_000]
    assert len(table.of(GameStarted)) == 1
    assert table.of(GameEnded) == []


def test_a_lone_number_that_may_be_anybodys_counts_for_nobody():
    table = Table()
    table.attract()
    table.show(3, "BALL 1", p0=0)
    table.show(3, "BALL 1", p0=5_000, beside=(5_000,))
    table.show(3, "BALL 1", p0=0, beside=(5_000, 0))
    table.show(3, "BALL 1", p0=9_000, beside=(9_000,))
    table.show(9)
    table.show(3, "BALL 2", p0=9_700)
    assert [one.score for one in table.game.live()] == [5_000, None]


def test_where_players_have_places_of_their_own_a_number_in_none_is_nobodys():
    """Player 1's number was misread, and player 3's stood alone."""
    table = Table()
    table.attract()
    table.show(3, "BALL 1", p1=0, p2=0)
    table.show(3, "BALL 1", p1=5_000, p2=0)
    table.show(3, "BALL 1", p2=700, p1=5_000)
    table.show(5, "BALL 2", p0=52_370)
    table.show(3, "BALL 2", p1=5_600, p2=700)
    assert [one.score for one in table.game.live()] == [5_600, 700]


def test_a_lone_nought_between_pictures_of_two_players_ends_no_game():
    """The number of who is up blinks, and it could not be read for certain before."""
    table = Table()
    table.attract()
    table.show(3, "BALL 1", accepted=False, p1=33_320, p2=None)
    for _ in range(3):
        table.show(1.2, "BALL 1", p0=0)
        table.show(1.2, "BALL 1", accepted=False, p1=33_320, p2=None)
    assert len(table.of(GameStarted)) == 1
    assert table.of(GameEnded) == []
