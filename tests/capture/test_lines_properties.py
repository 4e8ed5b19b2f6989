"""Lines and taps cut anywhere, damaged anywhere, in any order: nothing raised, nothing grown, never a wrong score."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.dialects.lines_grammar import sign
from capture.pipeline import Capture
from capture.signals import GameAborted, GameEnded, GameStarted, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened

GAMES = """GAME players=2 game=1|PLAYER 1 BALL 1|SCORE 1 12300|BALL END|PLAYER 2 BALL 1|SCORE 2 9870|BALL END
END 1=12300 2=9870 game=1|GAME players=1 game=2|PLAYER 1 BALL 1|SCORE 1 450|TILT|BALL END|END 1=450 game=2"""
SIGNED = "".join(f"{sign(f'@{number} {line}')}\r\n" for number, line in enumerate(re.split(r"[|\n]", GAMES))).encode()
TRUTH = {(12300, 9870), (450,)}


def hear(profile: str, parts: list[bytes], *, passive: bool = True, every: int = 0) -> list[Signal]:
    capture, now = Capture(load_profile(profile)), 0
    said = capture.feed(Opened(at=now, port="test", passive=passive))
    for part in parts:
        now += every
        said += capture.tick(now) + capture.feed(Chunk(at=now, data=part))
        capture.outgoing()
    return said + capture.tick(now + 60_000) + capture.feed(Closed(at=now + 60_000, reason="ended", why=""))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, len(SIGNED)), max_size=40))
def test_however_lines_are_cut_they_say_the_same(cuts: list[int]):
    places = [0, *sorted(cuts), len(SIGNED)]
    parts = [SIGNED[a:b] for a, b in pairwise(places)]
    assert hear("lines", parts) == hear("lines", [SIGNED])


DAMAGE = st.tuples(
    st.integers(0, len(SIGNED) - 1), st.sampled_from(["lose", "change", "noise", "double"]), st.binary(max_size=9)
)


@settings(max_examples=200, deadline=None)
@given(st.lists(DAMAGE, min_size=1, max_size=4))
def test_damage_makes_no_wrong_score_and_no_game_twice(damages: list[tuple[int, str, bytes]]):
    data = bytearray(SIGNED)
    for place, what, noise in sorted(damages, reverse=True):
        if what == "lose":
            del data[place : place + len(noise) + 1]
        elif what == "change" and place < len(data):
            data[place] ^= 0x15
        elif what == "noise":
            data[place:place] = noise
        else:
            data[place:place] = data[max(0, place - 40) : place]
    said = hear("lines", [bytes(data)])
    over = [one for one in said if isinstance(one, GameEnded)]
    finals = [tuple(score.score for score in one.scores) for one in over]
    for final in finals:
        assert None in final or final in TRUTH, finals
    told = [one.game for one in said if isinstance(one, GameEnded | GameAborted)]
    assert len(told) == len(set(told))
    assert len([one for one in said if isinstance(one, GameStarted)]) <= 3


@pytest.mark.parametrize("profile", ["lines", "lisy", "gpio"])
@settings(max_examples=60, deadline=None)
@given(parts=st.lists(st.binary(max_size=300), max_size=30), every=st.integers(0, 3000))
def test_any_bytes_are_survived(profile: str, parts: list[bytes], every: int):
    assert not [one for one in hear(profile, parts, passive=False, every=every) if isinstance(one, GameEnded)]


WORDS = st.sampled_from(
    ["GAME players=1", "GAME players=4 game=3", "PLAYER 1 BALL 1", "PLAYER 3 BALL 2", "SCORE 1 5", "SCORE 2 70",
     "SCORE 1 0",
     "BALL END", "END 1=5", "END 1=5 2=70", "END 1=0", "OVER", "ABORT", "ABORT service", "STATE playing=1 1=5 ball=1",
     "STATE playing=0 1=5", "STATE", "HELLO device=a", "HELLO device=b boot=2", "PING", "TILT", "SLAM", "WARNING 1",
     "DOOR 1",
     "DOOR 0", "POWER 0", "POWER 1", "SEARCH 1", "SEARCH 0", "DRAIN", "START", "CALL", "NONSENSE", "-", "@9 SCORE 1 6",
     "@1 PING", "PLAYERS 3", "SERVICE 1"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(WORDS, st.integers(0, 20_000), st.just(None)), max_size=40))
def test_lines_in_any_order_tell_each_game_once(steps: list[str | int | None]):
    capture, now = Capture(load_profile("lines")), 0
    said = capture.feed(Opened(at=now, port="test"))
    for step in steps:
        if isinstance(step, int):
            now += step
            said += capture.tick(now)
        elif step is None:
            said += capture.feed(Closed(at=now, reason="eof", why="cut"))
            said += capture.feed(Opened(at=now, port="test"))
        else:
            said += capture.feed(Chunk(at=now, data=f"{step}\n".encode()))
        assert len(capture.outgoing()) < 100
    said += capture.tick(now + 100_000)
    begun = [one.game for one in said if isinstance(one, GameStarted)]
    over = [one.game for one in said if isinstance(one, GameEnded | GameAborted)]
    assert len(begun) == len(set(begun))
    assert len(over) == len(set(over))
    assert set(over) <= set(begun)
    for one in said:
        if isinstance(one, GameEnded):
            assert {score.score for score in one.scores} <= {None, 0, 5, 6, 70}
