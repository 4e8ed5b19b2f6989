"""Lines of the wrong device, of a device that starts anew, and over links that are cut."""

from capture.pipeline import Capture
from capture.signals import FaultCleared, GameStarted, MachineAttached
from hardware.catalog import load_profile
from hardware.ports.base import Opened
from tests.capture.line_steps import BACK, CUT, GAME, ends, faults, play

# --- who speaks ----------------------------------------------------------------------------------------------


def test_another_device_gives_no_score_and_is_said():
    said = play("HELLO device=b\n", GAME, device="a")
    assert faults(said) == ["wrong-device"]
    assert not ends(said)
    assert not [one for one in said if isinstance(one, MachineAttached)]


def test_a_device_that_does_not_say_who_it_is_gives_no_score():
    said = play(GAME, 11_000, device="a")
    assert faults(said) == ["wrong-device"]
    assert not ends(said)
    said = play(GAME, 11_000, "HELLO device=a\n", GAME, device="a")
    assert ends(said) == [("normal", {1: 210000})]
    assert [one.fault for one in said if isinstance(one, FaultCleared)] == ["wrong-device"]


def test_exchanged_cables_credit_nobody_elses_score():
    said = play("HELLO device=a\nGAME players=1\nSCORE 1 7\n", CUT, 2000, BACK, "HELLO device=b\n", GAME, device="a")
    assert not [end for end in ends(said) if end[0] == "normal"]


def test_a_device_that_started_anew_in_mid_game_has_reset():
    said = play("HELLO device=a boot=1\nGAME players=1\nSCORE 1 50\nHELLO device=a boot=1\n", 100)
    assert not ends(said)
    said = play("HELLO device=a boot=1\nGAME players=1\nSCORE 1 50\nHELLO device=a boot=2\n", 5000)
    assert ends(said) == [("reset", {1: 50})]


def test_a_device_that_listens_is_asked_at_once():
    capture = Capture(load_profile("lines"))
    capture.feed(Opened(at=0, port="test"))
    assert capture.outgoing() == b"HELLO?\nSTATE?\n"


def test_silence_after_a_ping_is_told_and_ends_with_the_next():
    said = play("PING\n", 31_000, passive=False)
    assert faults(said) == ["no-data"]
    said = play("PING\n", 31_000, "PING\n", passive=False)
    assert [one.fault for one in said if isinstance(one, FaultCleared)] == ["no-data"]


def test_a_stranger_that_repeats_its_name_is_said_once():
    said = play(*["HELLO device=b\n", 1000] * 5, CUT, 1000, BACK, *["HELLO device=b\n"] * 5, device="a")
    assert faults(said).count("wrong-device") == 1
    said = play("HELLO device=b\n", "HELLO device=c\n", "HELLO device=c\n", device="a")
    assert faults(said).count("wrong-device") == 2


def test_noise_that_comes_and_goes_is_one_fault_until_it_has_stayed_away_for_a_minute():
    noise, good = "SCORE x\n" * 5, "SCORE 1 5\n" * 10
    said = play(good, *[noise, 500, good, 500] * 50, 60_000)
    assert faults(said) == ["data-garbled"] * 2
    assert len([one for one in said if isinstance(one, FaultCleared)]) == 2
    assert faults(play(good, *[noise, 500, good, 61_000] * 3)) == ["data-garbled"] * 3


# --- cuts ----------------------------------------------------------------------------------------------------

BEGUN = "GAME players=2\nPLAYER 1 BALL 1\nSCORE 1 100\n"


def test_a_game_goes_on_after_connections_in_which_nothing_was_said():
    said = play(BEGUN, CUT, 1000, BACK, CUT, 1000, BACK, "PING\n", CUT, BACK, "SCORE 1 150\nEND 1=150 2=70\n")
    assert ends(said) == [("normal", {1: 150, 2: 70})]


def test_a_game_goes_on_after_a_cut():
    said = play(BEGUN, CUT, 3000, BACK, "SCORE 1 150\nPLAYER 2 BALL 1\nSCORE 2 70\nEND 1=150 2=70\n")
    assert ends(said) == [("normal", {1: 150, 2: 70})]
    said = play(BEGUN, CUT, 3000, BACK, "PLAYER 2 BALL 1\nSCORE 2 70\nEND 1=150 2=70\n")
    assert ends(said) == [("normal", {1: 150, 2: 70})]


def test_an_end_that_is_said_after_a_cut_ends_that_game():
    assert ends(play(BEGUN, CUT, 3000, BACK, "END 1=150 2=70\n", 20_000)) == [("normal", {1: 150, 2: 70})]


def test_what_cannot_be_the_same_game_is_another():
    said = play(BEGUN, CUT, 3000, BACK, "SCORE 1 20\nSCORE 1 30\n", 20_000)
    assert ends(said) == [("link-lost", {1: 100, 2: 0})]
    assert len([one for one in said if isinstance(one, GameStarted)]) == 2


def test_a_state_that_is_asked_for_finds_the_game_again():
    said = play(
        BEGUN,
        CUT,
        3000,
        BACK,
        "STATE playing=1 players=2 player=1 ball=1 1=180 2=0\n",
        "PLAYER 2 BALL 1\nEND 1=180 2=3\n",
    )
    assert ends(said) == [("normal", {1: 180, 2: 3})]
    said = play(BEGUN, CUT, 3000, BACK, "STATE playing=0 players=2 1=180 2=0\n", 20_000)
    assert ends(said) == [("link-lost", {1: 100, 2: 0})]


def test_a_state_tells_an_end_that_was_lost():
    said = play(BEGUN, "STATE playing=0 1=120 2=9\n", 1000, "STATE playing=0 1=120 2=9\n", 9000)
    assert ends(said) == [("normal", {1: 120, 2: 9})]
    assert not ends(play(BEGUN, "STATE playing=0 1=120 2=9\nSCORE 1 130\n", 1000, "STATE playing=1 1=130\n", 9000))


def test_the_last_games_end_said_again_does_not_end_a_game_that_only_states_tell_of():
    shown = "STATE playing=1 game=5 players=1 player=1 ball=1 1={}\n"
    states = [part for score in (0, 0, 50, 60, 70, 80) for part in (shown.format(score), 1000)]
    idle = ["STATE playing=0 game=4 players=1 1=900\n", 1000] * 3
    said = play(*idle, *states, "END 1=900 game=4\n", 1000, shown.format(90), 1000, shown.format(90), 1000)
    assert not ends(said)
