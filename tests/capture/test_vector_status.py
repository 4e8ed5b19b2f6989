"""A Vector board's status and its ends of games: exactly what they say."""

import pytest

from capture.dialects.vector_status import Ending, place_plays, read_ending, read_status, state_of
from capture.errors import LineGarbled
from capture.states import MachineState

WHOLE = {
    "GameActive": True,
    "BallInPlay": 2,
    "PlayerUp": 1,
    "PlayersInGame": 2,
    "Scores": [352240, 126230, 0, 0],
    "Modes": {"Multiball": True},
    "ActiveFormatName": "Standard",
    "ActiveFormatId": 0,
    "game_num": 7,
}


def test_a_status_becomes_a_state_that_says_no_more_and_no_less():
    assert state_of(read_status(WHOLE), 5, number=7, trusted=True) == MachineState(
        at=5, playing=True, players=2, player=1, ball=2, scores=(352240, 126230, 0, 0), number=7
    )


def test_nought_players_and_nobody_up_mean_that_the_board_does_not_know():
    status = read_status(WHOLE | {"PlayerUp": 0, "PlayersInGame": 0})
    assert (status.player, status.players) == (None, None)


def test_rubbish_in_place_of_players_means_that_it_does_not_know():
    status = read_status(WHOLE | {"PlayerUp": 256, "PlayersInGame": 200})
    assert (status.player, status.players) == (None, None)


@pytest.mark.parametrize("ball", [0, 15])
def test_the_ball_is_said_as_the_board_says_it(ball: int):
    assert state_of(read_status(WHOLE | {"BallInPlay": ball}), 0, number=None, trusted=True).ball == ball


def test_the_board_for_electromechanical_machines_says_neither_ball_nor_player():
    status = read_status({"GameActive": True, "Scores": [1230, 0, 0, 0]})
    assert status.bare
    state = state_of(status, 0, number=None, trusted=True)
    assert (state.ball, state.player, state.players, state.number) == (None, None, None, None)


def test_noughts_that_such_a_board_sets_as_a_game_ends_are_no_scores():
    over = read_status({"GameActive": False, "Scores": [0, 0, 0, 0]})
    assert state_of(over, 0, number=None, trusted=True).scores == ()


def test_scores_of_a_game_format_of_the_boards_own_and_of_a_board_in_trouble_are_unverified():
    assert not state_of(read_status(WHOLE | {"ActiveFormatId": 3}), 0, number=7, trusted=True).verified
    assert not state_of(read_status(WHOLE), 0, number=7, trusted=False).verified


@pytest.mark.parametrize("score", [2**31, 2**32 + 5, 12345678910, 9999999999990, 2**63 - 1])
def test_large_scores_are_exact(score: int):
    assert read_status(WHOLE | {"Scores": [score, 0, 0, 0]}).scores[0] == score


@pytest.mark.parametrize(
    "change",
    [
        {"Scores": [2**63, 0, 0, 0]},
        {"Scores": [-1, 0, 0, 0]},
        {"Scores": [1.0, 0, 0, 0]},
        {"Scores": ["1", 0, 0, 0]},
        {"Scores": [True, 0, 0, 0]},
        {"Scores": [None, 0, 0, 0]},
        {"Scores": []},
        {"Scores": [0] * 17},
        {"Scores": 5},
        {"Scores": None},
        {"GameActive": 1},
        {"GameActive": "true"},
        {"GameActive": None},
        {"BallInPlay": "2"},
        {"BallInPlay": 256},
        {"BallInPlay": 1.5},
        {"PlayersInGame": -2},
        {"game_num": True},
        {"ActiveFormatId": "0"},
    ],
)
def test_a_status_with_one_thing_that_cannot_be_is_refused_whole(change: dict[str, object]):
    with pytest.raises(LineGarbled):
        read_status(WHOLE | change)


@pytest.mark.parametrize("told", [None, [], "x", 5, {}, {"plays": []}, {"plays": [["A", -1]]}, {"plays": [["A"]]},
                                  {"plays": [["A", 1.5]]}, {"plays": [5]}, {"plays": [["A", 1]] * 17},
                                  {"plays": [["A", 1]], "try": "1"}])  # fmt: skip
def test_an_end_that_cannot_be_is_refused(told: object):
    with pytest.raises(LineGarbled):
        read_ending(told)


def test_an_end_is_read_without_its_initials():
    told = {"plays": [["AAA", 123], [None, 5]], "try": 3, "game_num": 7}
    assert read_ending(told) == Ending(number=7, attempt=3, plays=(123, 5))


@pytest.mark.parametrize(
    ("plays", "last", "players", "finals"),
    [
        ((500, 300), (400, 300, 0, 0), 2, (500, 300)),
        ((500,), (400, 0, 0, 0), 1, (500,)),
        ((500, 300), (400, 0, 300, 0), 3, (500, 0, 300)),  # player 2 scored nought and is left out
        ((300,), (0, 300), 2, (0, 300)),
        ((500, 300), (400, 0, 0, 0), 3, (500, None, None)),  # whose 300 is it?
        ((500, 300, 0, 0), (500, 300, 0, 0), 2, (500, 300)),
        ((300, 500), (400, 300, 0, 0), 2, None),  # a score that fell: not of this game
        ((500, 300), (400, 0, 0, 0), 1, None),  # more plays than players
        ((500, 300), (500, 300, 0, 0), None, (500, 300, 0, 0)),
        ((500, 300), (400, 0, 0, 0), None, (500, None, None, None)),
        ((700,), (400, 300, 0, 0), 2, None),
    ],
)
def test_plays_are_given_to_players_only_where_there_is_one_way_to_do_it(
    plays: tuple[int, ...], last: tuple[int, ...], players: int | None, finals: tuple[int | None, ...] | None
):
    assert place_plays(plays, last, players) == finals
