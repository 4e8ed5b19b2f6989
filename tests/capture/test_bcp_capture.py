"""Capture hears BCP: asks what it must, finds games again, and holds a score that noise may have changed."""

import re
import tracemalloc
from collections.abc import Iterable

import pytest

from capture.pipeline import Capture
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    Signal,
)
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened

HELLO = b"hello?version=1.1&controller_name=Mission%20Pinball%20Framework&controller_version=0.81.0\n"
ATTRACT = b'mode_list?json={"running_modes": [["tilt", 1000000], ["attract", 10]]}\n'
IN_GAME = b'mode_list?json={"running_modes": [["tilt", 1000000], ["game", 20]]}\n'


def start(*, passive: bool = False) -> Capture:
    capture = Capture(load_profile("mpf-bcp"))
    capture.feed(Opened(at=0, port="tcp://mpf:5051", passive=passive))
    return capture


def hear(capture: Capture, *data: bytes, at: int = 0) -> list[Signal]:
    return [signal for part in data for signal in capture.feed(Chunk(at=at, data=part))]


def score(value: int, before: int, player: int = 1) -> bytes:
    change = value - before
    return (
        f"player_variable?name=score&value=int:{value}&prev_value=int:{before}&change=int:{change}"
        f"&player_num=int:{player}\n"
    ).encode()


def of(said: Iterable[Signal], *kinds: type[Signal]) -> list[Signal]:
    return [signal for signal in said if isinstance(signal, kinds)]


GAME = (
    HELLO + ATTRACT + b"mode_start?name=game&priority=int:20\nplayer_added?player_num=int:1\n" + score(0, 0)
    + b"trigger?name=ball_will_start&player=int:1&ball=int:1&balls_remaining=int:0&is_extra_ball=bool:False\n"
    + b"ball_start?player_num=int:1&ball=int:1\n"
)  # fmt: skip
END = b"ball_end\ntrigger?name=player_turn_ended\ntrigger?name=game_will_end\n"


def test_a_listener_asks_for_what_it_needs_after_the_greeting_and_for_nothing_before():
    capture = start()
    assert capture.outgoing() == b""
    said = hear(capture, HELLO)
    assert said == [MachineAttached(at=0, port="tcp://mpf:5051", detail="Mission Pinball Framework 0.81.0")]
    asked = capture.outgoing()
    assert b"monitor_start?category=player_vars\n" in asked
    assert b"register_trigger?event=slam_tilt\n" in asked
    assert b"evaluate_placeholder" not in asked
    assert capture.outgoing() == b""


def test_a_media_controller_answers_reset_at_once():
    capture = start()
    hear(capture, HELLO)
    capture.outgoing()
    hear(capture, b"reset\n")
    assert capture.outgoing() == b"reset_complete\n"


def test_who_comes_late_asks_one_question_at_a_time_and_says_the_game_when_all_is_answered():
    capture = start()
    said = hear(capture, HELLO + IN_GAME)
    answers = {
        "game.num_players": "int:2", "players[0].score": "int:1500", "players[1].score": "int:70",
        "current_player.number": "int:2", "current_player.ball": "int:2", "game.balls_per_game": "int:3",
        "game.slam_tilted": "bool:False", "game.tilted": "bool:False",
    }  # fmt: skip
    asked = []
    capture_out = capture.outgoing().decode()
    while found := re.findall(r"evaluate_placeholder\?placeholder=(\S+)\n", capture_out):
        (question,) = found
        asked.append(question.replace("%5B", "[").replace("%5D", "]"))
        assert of(said, GameStarted) == []
        said += hear(capture, f"evaluate_placeholder?value={answers[asked[-1]]}&error=bool:False\n".encode())
        capture_out = capture.outgoing().decode()
    assert set(asked) == set(answers)
    assert of(said, GameStarted) == [GameStarted(at=0, game="game-1", players=2, joined_late=True)]
    assert [(live.player, live.score) for live in capture.live()] == [(1, 1500), (2, 70)]


def test_without_answers_the_game_is_said_after_two_seconds_and_late_answers_are_not_believed():
    capture = start()
    hear(capture, HELLO + IN_GAME)
    assert capture.next_deadline() == 2000
    assert of(capture.tick(2000), GameStarted)
    hear(capture, b"evaluate_placeholder?value=int:99&error=bool:False\n", at=2100)
    assert capture.live() == []


def test_the_last_score_lost_in_noise_waits_for_the_machines_own_word():
    """The line of the last score is damaged; `player1_score` comes before the end."""
    capture = start(passive=True)
    hear(capture, GAME + score(500, 0) + score(900, 500).replace(b"int:900", b"int:9\xff0"))
    assert of(hear(capture, END), GameEnded) == []
    said = hear(capture, b"machine_variable?name=player1_score&value=int:900&prev_value=int:1&change=int:899\n")
    (ended,) = of(said, GameEnded)
    assert isinstance(ended, GameEnded)
    assert [one.score for one in ended.scores] == [900]


def test_the_last_score_lost_without_a_word_of_the_machine_is_held():
    capture = start(passive=True)
    hear(capture, GAME + score(500, 0) + b"\xff\xff\n" + END)
    (ended,) = of(hear(capture, b"trigger?name=game_ended\n"), GameEnded)
    assert isinstance(ended, GameEnded)
    assert [(one.score, one.candidates) for one in ended.scores] == [(None, (500,))]


def test_noise_in_a_game_makes_a_listener_ask_for_the_scores_again():
    capture = start()
    hear(capture, GAME + score(500, 0))
    capture.outgoing()
    hear(capture, b"\xff\xff\n")
    assert b"game.num_players" in capture.outgoing()
    hear(capture, b"evaluate_placeholder?value=int:1&error=bool:False\n")
    hear(capture, b"evaluate_placeholder?value=int:900&error=bool:False\n")
    (ended,) = of(hear(capture, END), GameEnded)
    assert isinstance(ended, GameEnded)
    assert [one.score for one in ended.scores] == [900]


def test_a_machine_that_corrects_itself_after_the_end_is_told_to_an_official():
    capture = start()
    hear(capture, GAME + score(500, 0) + END)
    said = hear(capture, b"machine_variable?name=player1_score&value=int:700&prev_value=int:1&change=int:699\n")
    (fault,) = of(said, FaultRaised)
    assert isinstance(fault, FaultRaised)
    assert fault.fault == "score-jump"
    assert "told 500" in str(fault.detail)
    assert "700" in str(fault.detail)


def test_noise_that_lasts_is_a_fault_and_ends_when_sense_returns():
    capture = start()
    hear(capture, HELLO + ATTRACT)
    assert of(hear(capture, b"\xff\n" * 4), FaultRaised) == []
    (fault,) = of(hear(capture, b"\xff\n" * 50), FaultRaised)
    assert isinstance(fault, FaultRaised)
    assert fault.fault == "data-garbled"
    assert [signal.fault for signal in hear(capture, ATTRACT * 10) if isinstance(signal, FaultCleared)] == [
        "data-garbled"
    ]


def test_a_device_that_never_talks_bcp_is_the_wrong_one_and_a_silent_one_gives_no_data():
    capture = start()
    (fault,) = of(hear(capture, b"$GPGGA,1234\r\n" * 9), FaultRaised)
    assert isinstance(fault, FaultRaised)
    assert fault.fault == "wrong-device"
    capture = start()
    (fault,) = of(capture.tick(10_000), FaultRaised)
    assert isinstance(fault, FaultRaised)
    assert fault.fault == "no-data"
    assert of(hear(capture, HELLO, at=10_500), FaultCleared)


def test_a_line_without_end_is_a_fault_and_memory_stays_flat():
    capture = start()
    hear(capture, GAME + score(500, 0))
    block = b"x" * 65536
    tracemalloc.start()
    said = [signal for _ in range(2000) for signal in hear(capture, block)]  # 131 MB
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000
    assert [fault.fault for fault in said if isinstance(fault, FaultRaised)] == ["data-garbled"]
    hear(capture, b"\n" + score(900, 500))
    (ended,) = of(hear(capture, END), GameEnded)
    assert isinstance(ended, GameEnded)
    assert [one.score for one in ended.scores] == [900]


def test_a_machine_that_is_off_when_we_come_is_said_once():
    capture = Capture(load_profile("mpf-bcp"))
    said = [s for at in range(5) for s in capture.feed(Closed(at=at, reason="refused", why="connection refused"))]
    assert [(fault.fault, fault.detail) for fault in said if isinstance(fault, FaultRaised)] == [
        ("port-lost", "connection refused")
    ]
    for at in range(9, 99, 10):  # a program that hangs up at once is no machine
        assert capture.feed(Opened(at=at, port="x")) == []
        assert capture.feed(Closed(at=at + 1, reason="eof", why="EOF")) == []
    capture.feed(Opened(at=99, port="x"))
    assert [fault.fault for fault in hear(capture, HELLO, at=99) if isinstance(fault, FaultCleared)] == ["port-lost"]


@pytest.mark.parametrize("noise", [b"HTTP/1.1 400 Bad Request\r\n" * 9, b"x" * 3_000_000, HELLO + b"\xff\n" * 9])
def test_noise_of_one_conversation_is_over_when_the_next_one_makes_sense(noise: bytes):
    """Another program stood on the port, or the machine's own start made noise; then MPF comes."""
    capture = start()
    raised = [fault.fault for fault in hear(capture, noise) if isinstance(fault, FaultRaised)]
    assert raised in (["wrong-device"], ["data-garbled"])
    capture.feed(Closed(at=1, reason="eof", why="EOF"))
    capture.feed(Opened(at=2, port="x"))
    said = hear(capture, HELLO + ATTRACT * 10, at=3)
    assert raised[0] in [fault.fault for fault in said if isinstance(fault, FaultCleared)]


def test_a_line_without_end_after_a_senseless_one_is_a_fault_all_the_same():
    capture = start()
    hear(capture, HELLO + ATTRACT + b"\xff\n")
    said = hear(capture, b"x" * 3_000_000)
    assert [fault.fault for fault in said if isinstance(fault, FaultRaised)] == ["data-garbled"]
    assert [fault.fault for fault in hear(capture, b"\n" + ATTRACT * 10) if isinstance(fault, FaultCleared)] == [
        "data-garbled"
    ]


def test_a_program_that_hung_up_does_not_count_as_silent():
    capture = start()
    assert [
        fault.fault for fault in capture.feed(Closed(at=5, reason="eof", why="EOF")) if isinstance(fault, FaultRaised)
    ]
    assert capture.next_deadline() is None
    assert capture.tick(60_000) == []


def test_a_program_that_speaks_but_never_bcp_is_the_wrong_one():
    """A terminal server or an SSH server: one line, or none, and then it waits for us."""
    for greeting in (b"SSH-2.0-OpenSSH_9.2p1\r\n", b"\xff\xfd\x18\xff\xfd\x20"):
        capture = start()
        hear(capture, greeting)
        assert [fault.fault for fault in capture.tick(10_000) if isinstance(fault, FaultRaised)] == ["wrong-device"]


def test_a_goodbye_in_attract_mode_is_no_malfunction():
    capture = start()
    hear(capture, HELLO + ATTRACT + b"goodbye\n")
    assert of(capture.feed(Closed(at=1, reason="eof", why="EOF")), FaultRaised) == []


def test_our_own_stop_in_mid_game_aborts_it_without_a_malfunction():
    capture = start()
    hear(capture, GAME + score(500, 0))
    said = capture.feed(Closed(at=5, reason="stopped", why="we closed"))
    assert of(said, FaultRaised) == []
    assert [(one.how, one.scores[0].score) for one in said if isinstance(one, GameAborted)] == [("link-lost", 500)]


def test_a_machine_that_stays_away_has_lost_its_game_after_a_quarter_of_a_minute():
    capture = start()
    hear(capture, GAME + score(500, 0))
    assert of(capture.feed(Closed(at=1000, reason="eof", why="EOF")), GameAborted) == []
    assert of(capture.tick(15_999), GameAborted) == []
    assert len(of(capture.tick(16_000), GameAborted)) == 1


def test_a_game_whose_end_was_told_before_the_cable_was_pulled_is_not_told_again():
    capture = start()
    hear(capture, GAME + score(500, 0))
    assert len(of(hear(capture, END), GameEnded)) == 1
    capture.feed(Closed(at=1000, reason="eof", why="EOF"))
    capture.feed(Opened(at=2000, port="x"))
    said = hear(capture, HELLO + IN_GAME, at=2000)  # initials are still entered
    for value in (b"1", b"500", b"1", b"1", b"1"):
        said += hear(capture, b"evaluate_placeholder?value=int:" + value + b"&error=bool:False\n", at=2000)
    said += hear(capture, b"evaluate_placeholder?value=bool:False&error=bool:False\n", at=2000)
    said += hear(capture, b"trigger?name=game_ended\nmode_stop?name=game\n", at=3000)
    assert of(said, GameStarted, GameEnded, GameAborted) == []


def test_freeze_keeps_the_scores_of_the_game_that_runs_or_ran_last():
    capture = start()
    assert capture.freeze(0) == []
    hear(capture, GAME + score(500, 0))
    for _ in range(2):
        (frozen,) = capture.freeze(5)
        assert [one.score for one in frozen.scores] == [500]  # type: ignore[union-attr]
        hear(capture, END)
