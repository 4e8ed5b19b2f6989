"""A Vector board through capture: what it is asked, and what its silence and its noise are."""

import itertools

import pytest

from capture.signals import GameStarted, MachineAttached, ScoreFrozen
from tests.capture.vector_board import DEVICE, FAULT, ID, STATUS, Ear, Talk, answer, status


def test_a_board_is_asked_who_it_is_first_and_then_its_status_four_times_a_second():
    talk = Talk()
    talk.open(passive=False)
    talk.go(30_000)
    routes = [route for _, route in talk.questions]
    assert routes[:5] == [ID, "/api/game/name", "/api/version", FAULT, STATUS]
    assert 105 <= routes.count(STATUS) <= 121
    assert routes.count(FAULT) == 3
    assert routes.count(ID) == 1
    assert routes.count("/api/version") == 1
    (attached,) = talk.of(MachineAttached)
    assert attached.detail == f"Vector: High Speed, 1.11.28, {DEVICE}"
    assert talk.faults() == []


def test_a_board_that_answers_slowly_is_asked_less_often_and_one_question_at_a_time():
    talk = Talk()
    talk.takes = 900
    talk.open(passive=False)
    talk.go(60_000)
    answered = [at for at, route in talk.questions if route == STATUS]
    assert 20 <= len(answered) <= 33
    assert min(after - before for before, after in itertools.pairwise(answered)) >= 1_800
    assert len(talk.of(MachineAttached)) == 1


def test_a_board_that_answers_nothing_but_its_status_is_heard_all_the_same():
    talk = Talk(answers=dict.fromkeys([ID, "/api/version", "/api/game/name", FAULT]))
    talk.open(passive=False)
    talk.go(1_500)
    assert len(talk.of(MachineAttached)) == 1
    talk.go(60_000)
    answered = [at for at, route in talk.questions if route == STATUS]
    assert max(after - before for before, after in itertools.pairwise(answered)) < 1_500
    assert len(answered) > 200
    assert talk.faults() == []


def test_a_whole_game_by_questions():
    talk = Talk()
    talk.open(passive=False)
    talk.go(3_000)
    for told in (
        status(0, player=1), status(5000, player=1), status(5000, 0, player=2), status(5000, 70, player=2),
        status(5000, 70, ball=2), status(9000, 70, ball=2), status(9000, 70, ball=2, player=2),
        status(9000, 70, ball=3), status(12345678910, 70, ball=3), status(12345678910, 70, ball=3, player=2),
        status(12345678910, 990, ball=3, player=2), status(12345678910, 990, ball=15, player=2),
        status(12345678910, 990, ball=0, player=2, active=False),
    ):  # fmt: skip
        talk.answers[STATUS] = told
        talk.go(2_000)
    talk.go(10_000)
    assert talk.games() == [("normal", (12345678910, 990))]
    assert [game.joined_late for game in talk.of(GameStarted)] == [False]


def test_a_flag_that_blinks_and_noughts_for_a_moment_end_nothing():
    talk = Talk()
    talk.open(passive=False)
    talk.go(3_000)
    for told, milliseconds in (
        (status(9770), 4000), (status(9770, active=False, ball=0), 260), (status(9770, ball=2), 3000),
        (status(40600, ball=2), 3000), (status(40600, ball=2, active=False), 400), (status(40600, ball=3), 3000),
        (status(0, ball=3), 250), (status(59620, ball=3), 3000), (status(59620, active=False, ball=0), 12_000),
    ):  # fmt: skip
        talk.answers[STATUS] = told
        talk.go(milliseconds)
    assert talk.games() == [("normal", (59620,))]


@pytest.mark.parametrize(
    ("lines", "fault", "said"),
    [
        ([], "no-data", "nothing comes"),
        ([b"GSTAT: end game @ time= 5\r\n"], "no-data", "writes on its console, but answers nothing"),
        ([b"0x00A9: 0x00\r\n"], "wrong-device", "answers nothing as a Vector board does"),
        ([b"0x00A9: 0x00\r\n"] * 25, "wrong-device", "20 lines that no Vector board writes"),
        ([b"\xff\x80\n"] * 5, "wrong-device", "senseless lines"),
        ([b"x" * (2 << 20)], "wrong-device", "without a line end"),
        ([answer(STATUS, "Not found", 404)], "wrong-device", "is answered with 404"),
    ],
)
def test_silence_a_console_alone_and_another_device_are_told_apart(lines: list[bytes], fault: str, said: str):
    ear = Ear()
    ear.open(passive=False)
    ear.hear(*lines)
    ear.wait(16_000)
    assert ear.faults() == [fault]
    assert said in ear.details()
    assert ear.of(MachineAttached) == []


def test_a_board_that_starts_late_clears_what_was_said_of_its_silence():
    talk = Talk()
    talk.silent = True
    talk.open(passive=False)
    talk.go(16_000)
    talk.silent = False
    talk.go(8_000)
    assert talk.faults() == ["no-data", "-no-data"]
    assert len(talk.of(MachineAttached)) == 1


def test_damaged_answers_are_asked_for_again_and_said_when_there_are_many():
    talk = Talk()
    talk.open(passive=False)
    talk.go(3_000)
    good = answer(STATUS, status(1_234_560))
    for _ in range(5):
        talk.hear(good.replace(b"1234560", b"123456"))
        talk.wait(300)
        assert talk.asked
        talk.asked = []
    assert talk.faults() == ["data-garbled"]
    talk.go(5_000)
    assert talk.faults() == ["data-garbled", "-data-garbled"]
    assert talk.of(GameStarted) == []


def test_a_board_that_stops_answering_in_mid_game_is_lost_with_its_scores_and_found_again():
    talk = Talk()
    talk.open(passive=False)
    talk.go(2_000)
    talk.answers[STATUS] = status(5000)
    talk.go(3_000)
    talk.silent = True
    talk.go(9_000)
    assert talk.faults() == ["link-lost"]
    assert "without an answer" in talk.details()
    assert [score.score for frozen in talk.of(ScoreFrozen) for score in frozen.scores] == [5000]
    talk.silent = False
    talk.answers[STATUS] = status(7000)
    talk.go(3_000)
    assert talk.faults() == ["link-lost", "-link-lost"]
    talk.answers[STATUS] = status(7000, active=False, ball=0)
    talk.go(12_000)
    assert len(talk.of(GameStarted)) == 1
    assert [scores for _, scores in talk.games()] == [(7000,)]
