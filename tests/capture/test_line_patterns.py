"""Formats of others: patterns that are safe, what their groups become, and what a profile with a mistake says."""

import contextlib
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.dialects.lines_grammar import parse_line
from capture.pipeline import Capture
from capture.signals import GameEnded, GameStarted, Signal
from hardware.errors import ProfileInvalid
from hardware.ports.base import Chunk, Closed, Opened
from hardware.profile import MachineProfile, parse_profile
from hardware.wires.patterns import check_pattern

HEAD = 'id = "mine"\nname = "Mine"\nkind = "wire"\ndialect = "lines"\n'
EVENTS = (
    HEAD
    + r"""
[lines]
start = 'NEW (?P<players>[1-4])P'
turn = 'UP(?P<player>[1-4]) B(?P<ball>\d)'
score = 'P(?P<player>[1-4])=(?P<score>[\d,]+)'
over = 'GAME OVER'
separators = ','
"""
)
STATES = (
    HEAD
    + r"""
[lines]
state = 'P1=(?P<score1>\d+);P2=(?P<score2>\d+);BALL=(?P<ball>\d+)'
ask = 'STATUS'
ask_ms = 500
"""
)


def play(profile: MachineProfile, *steps: str | int) -> list[Signal]:
    capture, now = Capture(profile), 0
    said = capture.feed(Opened(at=now, port="test"))
    for step in steps:
        if isinstance(step, int):
            now += step
            said += capture.tick(now)
        else:
            said += capture.feed(Chunk(at=now, data=f"{step}\n".encode()))
    return said + capture.feed(Closed(at=now, reason="ended", why=""))


def scores(said: list[Signal]) -> list[list[int | None]]:
    return [[score.score for score in one.scores] for one in said if isinstance(one, GameEnded)]


def test_events_of_another_format_are_a_game():
    lines = ("NEW 2P", "UP1 B1", "P1=1,230", "???", "UP2 B1", "P2=99,000", 2000, "GAME OVER", 1000, "P2=99,500", 9000)
    assert scores(play(parse_profile(EVENTS, file="mine.toml"), *lines)) == [[1230, 99500]]


def test_states_of_another_format_are_a_game():
    def stand(first: int, second: int, ball: int, seconds: int) -> list[str | int]:
        return [step for _ in range(seconds * 2) for step in (f"P1={first:07d};P2={second};BALL={ball}", 500)]

    steps = [
        *stand(900, 70, 0, 5),
        *stand(0, 0, 1, 3),
        *stand(12340, 0, 1, 3),
        *stand(12340, 0, 0, 12),
        *stand(0, 9, 0, 3),
    ]
    said = play(parse_profile(STATES, file="mine.toml"), *steps)
    assert [row[0] for row in scores(said)] == [12340]
    assert len([one for one in said if isinstance(one, GameStarted)]) == 1


def test_a_device_is_asked_as_the_profile_says():
    capture = Capture(parse_profile(STATES, file="mine.toml"))
    capture.feed(Opened(at=0, port="test"))
    assert capture.outgoing() == b"STATUS\n"
    capture.tick(2500)
    assert capture.outgoing() == b"STATUS\n"


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("score = '(a+)+'", r"line 7: key 'lines\.score': the group at place 1 is repeated"),
        ("score = '.*.*(?P<score>x)'", "too many ways to fit"),
        ("score = 'P=(?P<points>x)'", "no group 'points' here; there are: player, score"),
        ("score = 'P='", "a group is missing"),
        ("score = '(?=a)(?P<score>x)'", "may begin with"),
        ("score = '^(?P<score>x)$'", "fit the whole line anyway"),
        ("score = '(?P<score>x'", "does not end"),
        ("scores = 'x'", "unknown \\(did you mean 'score'"),
        ("separators = '1'", "no digits"),
        ("ask_ms = 500", "needs ask"),
    ],
)
def test_a_mistake_in_a_pattern_is_said_when_the_profile_is_read(table: str, says: str):
    with pytest.raises(ProfileInvalid, match=says):
        parse_profile(f"{HEAD}\n[lines]\n{table}\n", file="mine.toml")


PARTS = st.sampled_from(
    ["a", "b", "1", ".", r"\d", "[ab]", "[^a]", "a*", "a+", ".*", r"\d+", "a?", "a{2,5}", "(?:a|b)", "(?:ab?)?",
     r"[\[&|]", "(?:a*|b)", "|"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=12), st.sampled_from(["a", "ab", "1", "b"]), st.integers(0, 512))
def test_no_pattern_that_passes_is_slow(parts: list[str], sign: str, length: int):
    text = "".join(parts)
    try:
        pattern = check_pattern(text)
    except ValueError:
        return
    begun = time.thread_time()
    pattern.fullmatch((sign * length)[:length] + "\x7f")
    assert time.thread_time() - begun < 5  # hours, without the check
    assert pattern.pattern == text


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab(|)[]{}*+?.^$\\d1,-:P<>="), max_size=12))
def test_what_passes_is_a_regular_expression(text: str):
    with contextlib.suppress(ValueError):
        check_pattern(text)
        re.compile(text, re.ASCII)


def test_the_checksum_of_the_documentation_is_right():
    page = (Path(__file__).parents[2] / "docs" / "lines.md").read_text("utf-8")
    signed = re.findall(r"^    (@.* \*..)$", page, re.MULTILINE)
    assert signed
    assert all(parse_line(line.encode()).signed for line in signed)


def test_the_example_of_the_documentation_is_a_profile():
    page = (Path(__file__).parents[2] / "docs" / "lines.md").read_text("utf-8")
    found = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert found
    for text in found:
        assert parse_profile(text, file="docs/lines.md").lines
