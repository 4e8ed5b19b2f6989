"""BCP cut anywhere, damaged anywhere, in any order: the same games, never a wrong score, never two at once."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.pipeline import Capture
from capture.signals import BallEnded, FaultCleared, FaultRaised, GameAborted, GameEnded, GameStarted, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened

RECORDINGS = Path(__file__).parents[1] / "machines" / "bcp"


def recorded(name: str) -> bytes:
    """What MPF said, as one stream."""
    lines = (RECORDINGS / name).read_bytes().splitlines()
    return b"".join(found[1] + b"\n" for line in lines if (found := re.match(rb"\s*[\d.]+ < (.*)", line)))


def start(*, passive: bool = False) -> Capture:
    capture = Capture(load_profile("mpf-bcp"))
    capture.feed(Opened(at=0, port="tcp://mpf:5051", passive=passive))
    return capture


def hear(capture: Capture, *data: bytes, at: int = 0) -> list[Signal]:
    return [signal for part in data for signal in capture.feed(Chunk(at=at, data=part))]


def of(said: Iterable[Signal], *kinds: type[Signal]) -> list[Signal]:
    return [signal for signal in said if isinstance(signal, kinds)]


@pytest.mark.parametrize("name", ["three_players.txt", "tilts.txt", "ball_search.txt", "service.txt"])
def test_one_byte_at_a_time_says_the_same_as_all_at_once(name: str):
    stream = recorded(name)
    whole = hear(start(passive=True), stream)
    assert of(whole, GameStarted)
    assert hear(start(passive=True), *(stream[at : at + 1] for at in range(len(stream)))) == whole


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["three_players.txt", "two_games.txt", "tilts.txt", "slam_of_four.txt"]), st.data())
def test_however_it_is_cut_it_says_the_same(name: str, data: st.DataObject):
    stream = recorded(name)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=30)))
    parts = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert hear(start(passive=True), *parts) == hear(start(passive=True), stream)


TRUTH = {
    "three_players.txt": [{1: 1251140, 2: 1251260, 3: 2500240}],
    "two_games.txt": [{1: 5000000}, {1: 1140}],
    "tilts.txt": [{1: 1250120, 2: 1250690}],
}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(TRUTH)), st.data())
def test_bytes_that_are_damaged_on_the_way_never_make_a_wrong_score(name: str, data: st.DataObject):
    """Bytes overwritten anywhere: each final score is exact or waits for an official."""
    stream = bytearray(recorded(name))
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(stream) - 1))
        rubbish = bytes(data.draw(st.lists(st.sampled_from(b"\xff\x80\x00\n"), min_size=1, max_size=12)))
        stream[at : at + len(rubbish)] = rubbish
    said = hear(start(passive=True), bytes(stream))
    possible = {player: {game.get(player, 0) for game in TRUTH[name]} for player in (1, 2, 3)}
    for ended in of(said, GameEnded):
        assert isinstance(ended, GameEnded)
        for one in ended.scores:
            assert one.score is None or one.score in possible.get(one.player, {0}), ended


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=300), max_size=8))
def test_any_bytes_are_taken_and_end_no_game(parts: list[bytes]):
    capture = start()
    said = hear(capture, *parts)
    assert of(said, GameStarted, GameEnded, GameAborted) == []
    capture.tick(10**9)
    assert len(capture.outgoing()) < 100_000


LINES = st.sampled_from(
    [line + b"\n" for name in ("three_players.txt", "goodbye.txt", "ball_search.txt", "service.txt", "reconnect.txt")
     for line in recorded(name).splitlines()]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES | st.binary(max_size=30).map(lambda noise: noise + b"\n"), max_size=150), st.booleans())
def test_lines_in_any_order_keep_the_lives_of_games_in_order(lines: list[bytes], passive: bool):  # noqa: FBT001
    """Started once, ended or aborted at most once, one game at a time, each fault cleared before it is raised again."""
    capture = start(passive=passive)
    said: list[Signal] = []
    for number, line in enumerate(lines):
        said += hear(capture, line, at=number * 700)
        if number % 40 == 39:
            said += capture.feed(Closed(at=number * 700, reason="eof", why="EOF"))
            said += capture.feed(Opened(at=number * 700 + 1, port="x", passive=passive))
    said += capture.feed(Closed(at=10**6, reason="ended", why=""))
    running: str | None = None
    told: set[str] = set()
    faults: set[str] = set()
    for signal in said:
        if isinstance(signal, GameStarted):
            assert running is None
            assert signal.game not in told
            running = signal.game
            told.add(signal.game)
        elif isinstance(signal, GameEnded | GameAborted):
            assert signal.game == running
            running = None
        elif isinstance(signal, BallEnded):
            assert signal.game == running
        elif isinstance(signal, FaultRaised):
            assert signal.fault not in faults
            faults.add(signal.fault)
        elif isinstance(signal, FaultCleared):
            faults.remove(signal.fault)
