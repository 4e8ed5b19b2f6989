"""Games that a Vector board pushes as datagrams: lost ones, ends said six times, ends of other games, resets."""

from collections.abc import Callable

import pytest

from capture.signals import GameStarted, ScoreRead
from tests.capture.vector_board import DEVICE, Ear, push, status

SECRET = b"0123456789abcdef0123456789abcdef"
IDLE = status(active=False, ball=0)


def end(*plays: int, attempt: int = 1, number: int | None = 0) -> bytes:
    told: dict[str, object] = {"plays": [["AAA", play] for play in plays], "try": attempt}
    return push("end_of_game", told | ({} if number is None else {"game_num": number}))


def over(*scores: int, number: int = 1, **more: int) -> bytes:
    """The status after the end: the count has moved on."""
    return push("game_state", status(*scores, active=False, ball=0, number=number, **more))


def listening(*, device: str | None = None) -> Ear:
    ear = Ear(device=device)
    ear.open(passive=True)
    ear.hear(push("game_state", IDLE))
    ear.wait(5_000)
    return ear


def play(ear: Ear, *, number: int = 0) -> None:
    """Two players, to the last ball's last points but one push."""
    for told in (
        status(0), status(1000), status(1000, 0, player=2), status(1000, 700, player=2),
        status(1000, 700, ball=2), status(1500, 700, ball=2), status(1500, 700, ball=2, player=2),
        status(1500, 700, ball=3), status(2500, 700, ball=3), status(2500, 700, ball=3, player=2),
    ):  # fmt: skip
        ear.hear(push("game_state", told | {"game_num": number}))
        ear.wait(2_000)


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
    ear.wait(10_000)
    assert ear.games() == [("normal", (2500, 900))]


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
    ear.hear(end(1000, 80))
    ear.wait(20_000)
    ((_, scores),) = ear.games() or [("", (1000, None, None))]
    assert scores[0] == 1000
    assert 80 not in scores


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


def bare(*scores: int, active: bool = True) -> bytes:
    return push("game_state", {"GameActive": active, "Scores": [*scores, *[0] * (4 - len(scores))]})


@pytest.mark.parametrize("word", [True, False])
def test_the_board_for_electromechanical_machines_clears_its_scores_at_the_end(word: bool):  # noqa: FBT001 - a case
    """It counts no games: each end has the number 0."""
    ear = Ear()
    ear.open(passive=True)
    ear.hear(bare(active=False))
    ear.wait(10_000)
    finals = []
    for game in (1, 2):
        for score in (0, 10 * game, 350 * game, 1280 * game):
            ear.hear(bare(score))
            ear.wait(3_000)
        ear.hear(*([end(1280 * game)] if word else []), bare(active=False))
        ear.wait(4_750)
        ear.hear(*([end(1280 * game, attempt=2)] if word else []))
        ear.wait(20_000)
        finals.append((1280 * game,))
    assert [scores for _, scores in ear.games()] == finals


def test_signed_datagrams_alone_count_where_there_is_a_secret():
    ear = Ear(device=DEVICE, secret=SECRET)
    ear.open(passive=True)

    def say(told: dict[str, object], n: int) -> None:
        ear.hear(push("game_state", told, secret=SECRET, n=n), push("game_state", status(99, ball=9)))
        ear.wait(3_000)

    say(IDLE, 1)
    for n, told in enumerate((status(0), status(500), status(500, ball=2), status(800, ball=3)), 2):
        say(told, n)
    say(status(800, active=False, ball=0), 7)
    ear.hear(push("game_state", status(1), secret=SECRET, n=3))
    ear.wait(20_000)
    assert ear.games() == [("normal", (800,))]


def test_datagrams_with_the_wrong_signature_are_said_and_start_nothing():
    ear = Ear(secret=SECRET)
    ear.open(passive=True)
    for n in range(1, 8):
        ear.hear(push("game_state", status(n * 100), secret=b"another", n=n))
        ear.wait(1_000)
    assert ear.faults() == ["wrong-device"]
    assert "not signed with the secret" in ear.details()
    assert ear.of(GameStarted) == []


LINES: list[Callable[[], bytes]] = [
    lambda: push("game_state", status(5) | {"Scores": [5.0, 0, 0, 0]}),
    lambda: push("game_state", status(5) | {"Scores": ["5", 0, 0, 0]}),
    lambda: push("game_state", status(5) | {"Scores": [2**64, 0, 0, 0]}),
    lambda: push("game_state", []),
    lambda: push("game_state"),
    lambda: push("end_of_game"),
    lambda: push("end_of_game", {"plays": [["A", float("nan")]]}),
    lambda: push("something_new", {"a": [1, 2, 3]}),
    lambda: b"\x00\xff\n",
    lambda: b'{"machine_id": "39819ddb", "type": "game_state", "data": ' + b"[" * 50_000 + b"\n",
    lambda: b"{" * 70_000 + b"\n",
]


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_a_bad_datagram_in_mid_game_changes_nothing(line: Callable[[], bytes]):
    ear = listening()
    play(ear)
    ear.hear(line())
    ear.wait(2_000)
    ear.hear(over(2500, 900, number=0))
    ear.wait(20_000)
    assert ear.games() == [("normal", (2500, 900))]
