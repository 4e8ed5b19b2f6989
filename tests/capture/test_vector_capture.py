"""A Vector board through capture: what it is asked, who it is, and what is wrong with it."""

import pytest

from capture.signals import GameEnded, GameStarted, MachineAttached, ScoreFrozen
from tests.capture.vector_board import DEVICE, Ear, answer, push, status

STATUS, FAULT, ID = "/api/game/status", "/api/fault", "/api/machine_id"
IDLE = status(active=False, ball=0)


class Talk(Ear):
    """An ear that asks, at a board that answers what `answers` has after 20 ms."""

    def __init__(self, *, device: str | None = None, answers: dict[str, object] | None = None) -> None:
        super().__init__(device=device)
        self.answers: dict[str, object] = {
            ID: {"machine_id": DEVICE},
            "/api/version": {"version": "1.11.28"},
            "/api/game/name": "High Speed",
            FAULT: [],
            STATUS: IDLE,
        } | (answers or {})
        self.questions: list[tuple[int, str]] = []
        self.silent = False

    def go(self, milliseconds: int) -> None:
        """Ask and answer for so long."""
        end = self.at + milliseconds
        while self.at < end:
            asked, self.asked = self.asked, []
            if asked and not self.silent:
                self.wait(20)
            for question in asked:
                route = question.partition("|")[0]
                self.questions.append((self.at, route))
                told = self.answers.get(route)
                if not self.silent and told is not None:
                    self.hear(answer(route, told) if not isinstance(told, int) else answer(route, "Not found", told))
            self.wait(10)


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
    ear = Ear()
    ear.open(passive=False)
    for _ in range(20):
        (question,) = ear.asked
        ear.asked = []
        ear.wait(1000)
        assert ear.asked == []
        ear.hear(answer(question.partition("|")[0], IDLE))
        ear.wait(1000)


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
        ([b"\xff\x80\n"] * 5, "wrong-device", "damaged lines"),
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
    asked = len(talk.questions)
    for _ in range(5):
        talk.hear(good.replace(b"1234560", b"123456"))
        talk.wait(300)
    assert len(talk.asked) + len(talk.questions) - asked >= 1
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


# --- whose board it is ---------------------------------------------------------------------------------


def test_another_board_than_the_named_one_gives_no_score():
    talk = Talk(device="deadbeef", answers={STATUS: status(5000)})
    talk.open(passive=False)
    talk.go(20_000)
    assert talk.faults()[0] == "wrong-device"
    assert f"the board is {DEVICE}, not deadbeef" in talk.details()
    assert talk.of(GameStarted) == []
    assert talk.of(MachineAttached) == []


def test_the_named_board_is_taken_whatever_the_case_of_its_name():
    talk = Talk(device=DEVICE.upper())
    talk.open(passive=False)
    talk.go(20_000)
    assert talk.faults() == []
    assert len(talk.of(MachineAttached)) == 1


def test_a_board_that_cannot_say_who_it_is_gives_no_score_where_one_is_named():
    talk = Talk(device=DEVICE, answers={ID: 404, STATUS: status(5000)})
    talk.open(passive=False)
    talk.go(5_000)
    assert talk.faults() == ["wrong-device"]
    assert talk.of(GameStarted) == []


def test_a_board_that_cannot_say_who_it_is_is_taken_where_none_is_named():
    talk = Talk(answers={ID: 404, FAULT: 404, "/api/version": 404, "/api/game/name": 404})
    talk.open(passive=False)
    talk.go(5_000)
    assert talk.faults() == []
    assert talk.of(MachineAttached)[0].detail == "Vector"


def test_another_board_in_the_first_ones_place_is_refused():
    talk = Talk()
    talk.open(passive=False)
    talk.go(3_000)
    talk.close()
    talk.answers |= {ID: {"machine_id": "deadbeef"}, STATUS: status(5000)}
    talk.open(passive=False)
    talk.go(5_000)
    assert "wrong-device" in talk.faults()
    assert talk.of(GameStarted) == []


def test_datagrams_of_other_boards_are_nothing_to_us():
    ear = Ear(device=DEVICE)
    ear.open(passive=True)
    for at in range(10):
        ear.hear(push("game_state", status(at * 1000), device="deadbeef"), push("game_state", IDLE))
        ear.wait(1000)
    ear.hear(push("reset", device="deadbeef"))
    assert ear.faults() == []
    assert ear.of(GameStarted) == []
    assert ear.of(MachineAttached)[0].detail == f"Vector: {DEVICE}"


def test_of_two_boards_none_gives_a_score_where_none_is_named():
    ear = Ear()
    ear.open(passive=True)
    ear.hear(push("game_state", IDLE))
    ear.wait(1000)
    ear.hear(push("game_state", status(0)))
    ear.wait(3000)
    ear.hear(push("game_state", status(5000)), push("game_state", status(7), device="deadbeef"))
    ear.wait(1000)
    ear.hear(push("game_state", status(9000, active=False, ball=0)))
    ear.wait(30_000)
    assert ear.faults()[0] == "wrong-device"
    assert "deadbeef" in ear.details()
    assert ear.of(GameEnded) == []
    assert [how for how, _ in ear.games()] == ["link-lost"]


# --- what is wrong with the board ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("HDWR00: Unknown Hardware Error", "data-garbled"),
        ("HDWR01: Early Bus Activity", "data-garbled"),
        ("HDWR02: No Bus Activity", "power-lost"),
        ("SFTW01: Drop Through", "no-data"),
        ("SFWR00: Unknown Software Error", "no-data"),
        ("CONF01: Invalid Configuration - Game config X not found", "data-garbled"),
        ("WIFI02: No Wifi Signal - No wifi signal for ssid: venue", "no-data"),
        ("XXXX99: something new", "data-garbled"),
    ],
)
def test_what_the_board_says_is_wrong_becomes_a_signal_in_its_own_words(words: str, fault: str):
    talk = Talk(answers={FAULT: [words]})
    talk.open(passive=False)
    talk.go(3_000)
    assert talk.faults() == [fault]
    assert words in talk.details()
    talk.answers[FAULT] = []
    talk.go(12_000)
    assert talk.faults() == [fault, f"-{fault}"]


def test_two_faults_of_one_kind_are_one_signal_until_both_are_over():
    talk = Talk(answers={FAULT: ["WIFI02: No Wifi Signal", "SFTW02: async loop interrupted"]})
    talk.open(passive=False)
    talk.go(3_000)
    talk.answers[FAULT] = {"faults": ["SFTW02: async loop interrupted"]}
    talk.go(12_000)
    assert talk.faults() == ["no-data"]
    talk.answers[FAULT] = []
    talk.go(12_000)
    assert talk.faults() == ["no-data", "-no-data"]


def test_a_machine_without_power_in_mid_game_is_said_with_the_scores_and_over_when_somebody_plays():
    talk = Talk()
    talk.open(passive=False)
    talk.go(2_000)
    talk.answers[STATUS] = status(5000)
    talk.go(3_000)
    talk.answers[FAULT] = ["HDWR02: No Bus Activity"]
    talk.go(10_000)
    assert talk.faults() == ["power-lost"]
    assert [score.score for frozen in talk.of(ScoreFrozen) for score in frozen.scores] == [5000]
    talk.answers[STATUS] = status(6000)
    talk.go(12_000)
    assert talk.faults() == ["power-lost", "-power-lost"]


def test_scores_of_a_board_that_looks_at_wrong_addresses_wait_for_an_official():
    talk = Talk(answers={FAULT: ["CONF01: Invalid Configuration"]})
    talk.open(passive=False)
    talk.go(2_000)
    for told in (status(5000), status(9000, ball=3), status(9000, ball=0, active=False)):
        talk.answers[STATUS] = told
        talk.go(4_000)
    talk.go(10_000)
    ((_, scores),) = talk.games()
    assert scores == (None,)
