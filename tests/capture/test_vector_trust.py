"""A Vector board through capture: whose board it is, and what it says is wrong with itself."""

import pytest

from capture.signals import GameEnded, GameStarted, MachineAttached, ScoreFrozen
from tests.capture.vector_board import DEVICE, FAULT, ID, IDLE, STATUS, Ear, Talk, push, status

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


def test_each_wrong_device_is_known_for_one_until_the_right_one_is_found():
    """A port that has the choice looks elsewhere each time."""
    talk = Talk(device="deadbeef")
    for device, mistaken in ((DEVICE, True), ("0badcafe", True), ("deadbeef", False)):
        talk.answers[ID] = {"machine_id": device}
        talk.open(passive=False)
        talk.go(3_000)
        assert talk.capture.mistaken is mistaken
        talk.close()
    assert [fault for fault in talk.faults() if "port" not in fault and "link" not in fault] == [
        "wrong-device", "-wrong-device",
    ]  # fmt: skip


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
        ("SFTW01: Drop Through", "data-garbled"),
        ("SFWR00: Unknown Software Error", "data-garbled"),
        ("CONF01: Invalid Configuration - Game config X not found", "data-garbled"),
        ("WIFI02: No Wifi Signal - No wifi signal for ssid: venue", "data-garbled"),
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
    assert talk.faults() == ["data-garbled"]
    talk.answers[FAULT] = []
    talk.go(12_000)
    assert talk.faults() == ["data-garbled", "-data-garbled"]


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
