"""Machines that publish JSON: what counts, what is refused, what a retained message may say, and whose topics come."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.dialects import Setup
from capture.errors import SourceUnsupported
from capture.pipeline import Capture
from capture.signals import FaultCleared, FaultRaised, GameAborted, GameEnded, GameStarted, MachineAttached, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened
from hardware.profile import MachineProfile, parse_profile

OWN = load_profile("mqtt-json")
PAGE = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text("utf-8")
FROM_PAGE = {
    profile.id: profile
    for text in re.findall(r"```toml\n(id.*?)```", PAGE, re.DOTALL)
    for profile in [parse_profile(text, file="docs/mqtt.md")]
}


class Bench:
    """A capture that hears messages, and all that it said."""

    def __init__(self, profile: MachineProfile = OWN, device: str | None = None) -> None:
        self.capture = Capture(profile, setup=Setup(device=device))
        self.now = 0
        self.said: list[Signal] = self.capture.feed(Opened(at=0, port="mqtt://b:1883/#", passive=True))

    def hear(self, told: object, *, after: int = 0) -> None:
        self.pass_(after)
        line = told if isinstance(told, bytes) else json.dumps(told).encode()
        self.said += self.capture.feed(Chunk(at=self.now, data=line + b"\n"))

    def publish(self, topic: str, payload: object, *, retained: bool = False, after: int = 3_000) -> None:
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self.hear({"topic": topic, "retained": retained, "payload": text}, after=after)

    def pass_(self, ms: int) -> None:
        end = self.now + ms
        for _ in range(10_000):
            due = self.capture.next_deadline()
            if due is None or due > end:
                break
            self.now = max(self.now, due)
            self.said += self.capture.tick(self.now)
        self.now = end
        self.said += self.capture.tick(end)

    def all(self, kind: type) -> list[Any]:
        return [signal for signal in self.said if isinstance(signal, kind)]

    def finals(self) -> list[int | None]:
        self.pass_(30_000)
        [ended] = self.all(GameEnded)
        return [score.score for score in ended.scores]


def state(*scores: Any, playing: bool = True, ball: int = 1, player: int = 1, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    told = {"playing": playing, "players": len(scores), "player": player, "ball": ball, "balls": 3, "scores": scores}
    return told | more


def begun(device: str | None = None) -> Bench:
    bench = Bench(device=device)
    bench.publish("pinball/mm/state", state(0, playing=False), retained=True, after=0)
    bench.publish("pinball/mm/state", state(0))
    bench.publish("pinball/mm/state", state(1_200))
    return bench


def test_the_end_with_its_final_scores_counts():
    bench = begun()
    bench.publish("pinball/mm/state", state(4_294_967_296, ball=3))
    bench.publish("pinball/mm/event", {"event": "game_over", "finals": [4_294_967_396]})
    assert bench.finals() == [4_294_967_396]
    assert len(bench.all(GameStarted)) == 1


@pytest.mark.parametrize("retained", [True, False])
def test_nothing_that_is_retained_is_an_event(retained: bool):  # noqa: FBT001
    bench = begun()
    bench.publish("pinball/mm/event", {"event": "game_over", "finals": [777]}, retained=True)
    bench.publish("pinball/mm/event", {"event": "tilt"}, retained=retained)
    bench.pass_(30_000)
    assert not bench.all(GameEnded)
    assert [one.fault for one in bench.all(FaultRaised)] == ([] if retained else ["tilt"])


def test_a_retained_state_that_is_older_than_what_was_said_since_changes_nothing():
    bench = begun()
    bench.publish("pinball/mm/state", state(9, playing=False), retained=True)
    bench.pass_(30_000)
    assert not bench.all(GameEnded)


def test_a_running_game_that_is_found_is_joined_late_and_a_finished_one_is_nothing():
    bench = Bench()
    bench.publish("pinball/mm/state", state(5_000, ball=3, playing=False), retained=True)
    bench.pass_(60_000)
    assert not bench.all(GameStarted)
    bench = Bench()
    bench.publish("pinball/mm/state", state(5_000, ball=2), retained=True)
    bench.pass_(10_000)
    assert [one.joined_late for one in bench.all(GameStarted)] == [True]


@pytest.mark.parametrize(
    "payload",
    [
        "", "{", "[]", "17", '"x"', "on", '{"scores": ["abc"]}', '{"scores": [1e400]}', '{"scores": [NaN]}',
        '{"scores": [1.0]}', '{"scores": [12.5]}', '{"scores": [true]}', '{"scores": [-1]}', '{"scores": ["1200"]}',
        '{"scores": 1300}', '{"scores": [%s]}' % ("9" * 40), '{"scores": [%s]}' % ("9" * 10_000),
        '{"scores": %s}' % ("[" * 100_000), '{"playing": "perhaps"}', '{"ball": -3}', '{"ball": 3.5}',
    ],
)  # fmt: skip
def test_a_payload_that_makes_no_sense_counts_for_nothing_and_the_next_one_does(payload: str):
    bench = begun()
    bench.publish("pinball/mm/state", payload)
    bench.pass_(20_000)
    assert not bench.all(GameEnded)
    bench.publish("pinball/mm/state", state(1_300, ball=3))
    bench.publish("pinball/mm/event", {"event": "game_over", "finals": [1_300]})
    assert bench.finals() == [1_300]
    assert [one.fault for one in bench.all(FaultRaised)] == (["data-garbled"] if payload else [])
    assert len(bench.all(FaultCleared)) == len(bench.all(FaultRaised))
    if payload:
        assert bench.all(FaultRaised)[0].detail.startswith("pinball/mm/state: ")


def test_a_score_that_was_garbled_and_not_said_again_waits_for_an_official():
    bench = begun()
    bench.publish("pinball/mm/score/1", "12OO")
    bench.publish("pinball/mm/playing", "off")
    assert bench.finals() == [None]


def test_bytes_that_the_port_could_not_hand_on_are_named():
    bench = begun()
    bench.hear({"topic": "pinball/mm/state", "retained": False, "payload": None, "error": "2 bytes that are no text"})
    [raised] = bench.all(FaultRaised)
    assert raised.detail == "pinball/mm/state: 2 bytes that are no text"


def test_one_value_a_topic_makes_a_game():
    bench = Bench()
    for topic, text in (("playing", "off"), ("score/1", "777"), ("ball", "0")):
        bench.publish(f"ha/mm/{topic}", text, retained=True, after=0)
    bench.pass_(5_000)
    for topic, text in (("score/1", "0"), ("players", "2"), ("player", "1"), ("ball", "1"), ("playing", "ON")):
        bench.publish(f"ha/mm/{topic}", text, after=10)
    bench.publish("ha/mm/score/1", "12340")
    bench.publish("ha/mm/score/1", "unavailable")
    for topic, text in (("player", "2"), ("score/2", "0"), ("score/2", "999"), ("ball", "3"), ("score/2", "5000")):
        bench.publish(f"ha/mm/{topic}", text)
    bench.publish("ha/mm/playing", "off")
    assert bench.finals() == [12_340, 5_000]
    assert not bench.all(FaultRaised)


def test_a_machine_that_says_it_is_offline_has_lost_its_link():
    bench = begun()
    bench.publish("pinball/mm/availability", "offline")
    assert [one.fault for one in bench.all(FaultRaised)] == ["link-lost"]
    bench.pass_(5_000)
    bench.publish("pinball/mm/availability", "online", after=0)
    bench.publish("pinball/mm/state", state(1_500, ball=2), after=100)
    bench.publish("pinball/mm/event", {"event": "game_over", "finals": [1_600]})
    assert bench.finals() == [1_600]
    assert len(bench.all(GameStarted)) == 1
    bench = begun()
    bench.publish("pinball/mm/availability", "offline")
    bench.pass_(20_000)
    assert [one.how for one in bench.all(GameAborted)] == ["link-lost"]


def test_two_machines_on_one_subscription_are_refused_until_one_is_named():
    bench = begun()
    for _ in range(2):
        bench.publish("pinball/tz/state", state(9_000_000, ball=2))
    bench.publish("pinball/mm/event", {"event": "game_over", "finals": [1_300]})
    bench.pass_(30_000)
    assert not bench.all(GameEnded)
    assert [one.fault for one in bench.all(FaultRaised)] == ["wrong-device"]
    assert "name yours as device" in bench.all(FaultRaised)[0].detail
    bench = begun(device="mm")
    bench.publish("pinball/tz/state", state(9_000_000, ball=2))
    bench.publish("pinball/mm/event", {"event": "game_over", "finals": [1_300]})
    assert bench.finals() == [1_300]


def test_a_game_that_only_retained_values_tell_of_ends_in_no_certain_score():
    bench = Bench()
    for topic, text in (("playing", "on"), ("score/1", "152690"), ("ball", "3"), ("player", "1")):
        bench.publish(f"pinball/mm/{topic}", text, retained=True, after=0)
    bench.publish("pinball/mm/playing", "off")
    assert bench.finals() == [None]


def test_a_beginning_that_comes_twice_is_one_game_and_so_is_an_end():
    bench = Bench()
    bench.hear(state(0, playing=False))
    bench.pass_(3_000)
    for _ in range(2):
        bench.hear({"event": "game_start"}, after=50)
    bench.hear(state(500, ball=3), after=3_000)
    for _ in range(2):
        bench.hear({"event": "game_over", "finals": [600]}, after=3_000)
    assert bench.finals() == [600]
    assert len(bench.all(GameStarted)) == 1


def test_lines_of_another_program_are_a_wrong_device():
    bench = Bench()
    for _ in range(6):
        bench.hear(b"ball_start?player_num=int:1")
    assert [one.fault for one in bench.all(FaultRaised)] == ["wrong-device"]
    assert not bench.all(MachineAttached)


def test_the_page_s_profile_of_a_score_server_reads_scores_that_are_texts():
    bench = Bench(FROM_PAGE["vpx-score-server"])

    def current(*scores: str, ball: int) -> dict[str, Any]:
        told = [{"player": f"Player {player}", "score": score} for player, score in enumerate(scores, start=1)]
        return {"type": "current_scores", "rom": "x", "players": len(scores), "current_player": 1,
                "current_ball": ball, "scores": told}  # fmt: skip

    bench.hear({"type": "table_loaded", "rom": "x"})
    bench.hear({"type": "game_start", "rom": "x"}, after=2_000)
    bench.hear(current("0", ball=1), after=100)
    bench.hear(current("1234567890", ball=3), after=60_000)
    bench.hear({"type": "high_scores", "scores": [{"player": "AAA", "score": "99999999999"}]}, after=1_000)
    bench.hear({"type": "game_end", "rom": "x"}, after=2_000)
    assert bench.finals() == [1_234_567_890]


def test_the_page_s_profile_of_home_sensors_reads_players_in_the_middle_of_a_level():
    bench = Bench(FROM_PAGE["ha-pinball"])
    bench.publish("home/pinball/status", "online", retained=True, after=0)
    bench.publish("home/pinball/game/state", "idle", retained=True, after=0)
    bench.publish("home/pinball/game/state", "playing")
    bench.publish("home/pinball/score_1/state", "0")
    bench.publish("home/pinball/score_1/state", "88440")
    bench.publish("home/pinball/game/state", "idle")
    assert bench.finals() == [88_440]


def test_a_profile_without_its_table_is_refused():
    with pytest.raises(SourceUnsupported, match=r"\[messages\]"):
        Capture(MachineProfile(id="x", name="x", kind="wire", dialect="json"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["topic", "payload", "retained", "scores", "playing", "event", "ball", "player", "finals"]),
        inner, max_size=5),
)  # fmt: skip


@given(st.lists(JSON | st.binary(max_size=30), max_size=12))
def test_nothing_that_is_said_breaks_it(messages: list[Any]):
    bench = Bench()
    for message in messages:
        bench.hear(message, after=700)
    bench.pass_(20_000)
    bench.said += bench.capture.feed(Closed(at=bench.now, reason="ended", why="over"))
    assert len(bench.all(GameStarted)) >= len(bench.all(GameEnded)) + len(bench.all(GameAborted))


@pytest.mark.parametrize(("last", "ended"), [(False, [1230]), (True, [])])
def test_a_recording_that_stops_with_the_end_of_the_game_tells_it(last: bool, ended: list[int]):  # noqa: FBT001
    """What was said last stands; a game that still runs then is left running."""
    bench = Bench()
    bench.publish("m/state", {"playing": False, "players": 1, "player": 0, "ball": 0, "scores": [0]}, after=0)
    for ball, score in ((1, 0), (1, 500), (2, 900), (3, 1230)):
        bench.publish("m/state", {"playing": True, "players": 1, "player": 1, "ball": ball, "scores": [score]})
    bench.publish("m/state", {"playing": last, "players": 1, "player": 1, "ball": 3, "scores": [1230]})
    bench.said += bench.capture.feed(Closed(at=bench.now, reason="ended", why="end"))
    assert [score.score for one in bench.said if isinstance(one, GameEnded) for score in one.scores] == ended
    assert not [one for one in bench.said if isinstance(one, GameAborted)]
