"""Datagrams of Vector boards: of the kind for electromechanical machines, signed, forged and senseless."""

from collections.abc import Callable

import pytest

from capture.signals import GameStarted
from tests.capture.vector_board import DEVICE, IDLE, Ear, end, listening, over, play, push, status

SECRET = b"0123456789abcdef0123456789abcdef"


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


def test_a_score_that_stood_for_one_look_of_the_board_never_counts_though_the_next_datagram_is_late():
    """It was read while the machine wrote it."""
    ear = listening()
    ear.hear(push("game_state", status(0)))
    ear.wait(2_000)
    for torn, whole in ((299_990, 200_090), (209_990, 210_090)):
        ear.hear(push("game_state", status(torn)))
        ear.wait(330)
        ear.hear(push("game_state", status(whole)))
        ear.wait(2_000)
    ear.hear(push("game_state", status(210_090, ball=3)))
    ear.wait(2_000)
    ear.hear(over(210_090, number=0))
    ear.wait(20_000)
    assert ear.games() == [("normal", (210_090,))]
    assert ear.faults() == []


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
