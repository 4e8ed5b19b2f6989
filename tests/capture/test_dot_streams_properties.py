"""Whatever bytes come, no dot stream raises, grows, or shows a picture that was not sent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture import hints as h
from capture.dialects import Setup, open_dialect
from capture.dialects.dots_stream import DotStream
from hardware.catalog import load_profile
from tests.capture.test_dot_streams import OTHER, PICTURE, STREAMS, is_picture

PROFILES = {dialect: load_profile(dialect) for dialect in ("dndp", "dmdreader", "libdmdutil", "dmd-extensions")}
SMALL = [name for name in STREAMS if name != "libdmdutil data"]
MARKS = [
    b"DNDP", b"DNDP\xff\xff\x05\0\x81\0", b"DNDP\x02\x08\0\0\x81\0", b"\xcc\x33",
    b"\x08\x10\x44\xee\0\x20\0\x80\0\0\0\4", b"DMDStream\0", b"\5\0\0\0\x20",
    b"DMDStream\0\1\0\0\0\2\0\x80\0\x20\0\0\0\0\x30\0", b"\x06\x08\0\0\x10\0\0\0\0\4",
    b"DMDStream\0\1\0\0\0\1" + bytes(10) + b"Paths\0", b"\x09\0\0\0\1\0\0\0\0\x80\0\x20\0",
]  # fmt: skip
"""Heads, and parts of them: noise that is hard to tell from messages."""
HEADS_TEAR = {"dndp": True, "dmdreader": True, "libdmdutil": True, "dmd-extensions": False}
noise = st.lists(st.one_of(st.binary(max_size=80), st.sampled_from(MARKS)), max_size=8).map(b"".join)


def open_stream(dialect: str, *, passive: bool = True) -> DotStream:
    stream = open_dialect(PROFILES[dialect], Setup())
    assert isinstance(stream, DotStream)
    stream.open(0, passive=passive)
    return stream


def wait(stream: DotStream, start: int, end: int) -> list[h.Hint]:
    hints: list[h.Hint] = []
    while (due := stream.deadline()) is not None and due <= end:
        assert due >= start
        hints += stream.tick(due)
        again = stream.deadline()
        assert again is None or again > due
    return hints


@pytest.mark.parametrize("dialect", PROFILES)
@given(
    pieces=st.lists(st.tuples(noise, st.sampled_from([0, 1, 25, 1_500, 40_000])), max_size=12), passive=st.booleans()
)
@settings(max_examples=60, deadline=None)
def test_no_bytes_raise_or_are_kept_or_shown(dialect: str, pieces: list[tuple[bytes, int]], *, passive: bool):
    stream = open_stream(dialect, passive=passive)
    now = 0
    for piece, pause in pieces:
        hints = stream.feed(piece, now) + wait(stream, now, now + pause)
        now += pause
        shown = [hint.levels for hint in hints if isinstance(hint, h.DotsShown)]
        assert all(levels.shape == (32, 128) and not levels.any() for levels in shown)  # a clear may be made by chance
    assert len(stream._framer._data) <= sum(len(piece) for piece, _ in pieces)
    stream.finish(now)
    stream.close()
    assert stream.deadline() is None


@pytest.mark.parametrize("name", SMALL)
@given(
    parts=st.lists(
        st.tuples(st.booleans(), st.integers(0, 1 << 20), st.integers(0, 40), noise, st.booleans()), max_size=6
    ),
    step=st.integers(10, 5_000),
)
@settings(max_examples=12, deadline=None)
def test_only_pictures_that_were_sent_are_shown_and_the_next_whole_one_is(
    name: str, parts: list[tuple[bool, int, int, bytes, bool]], step: int
):
    dialect, before, frame, bits = STREAMS[name]
    one, two = frame(PICTURE), frame(OTHER)
    data = before
    for first, where, missing, garbage, size in parts:
        message = one if first else two
        place = where % len(message)
        if not HEADS_TEAR[dialect]:
            place, missing = 0, 0  # noqa: PLW2901 - a WebSocket's messages come whole
        gone = len(message[place : place + missing])
        more = b"!" if garbage and len(garbage) == gone else b""  # as many as are missing: only a sum could tell
        data += message[:place] + garbage + more + message[place + missing :] + (before if size else b"") + two
    stream = open_stream(dialect)
    hints = [hint for start in range(0, len(data), step) for hint in stream.feed(data[start : start + step], start)]
    now = len(data) + 2_000
    hints += wait(stream, 0, now) + stream.feed(before + two, now) + stream.finish(now)
    shown = [hint.levels for hint in hints if isinstance(hint, h.DotsShown) and hint.levels.any()]
    assert all(is_picture(levels, PICTURE, bits) or is_picture(levels, OTHER, bits) for levels in shown)
    assert is_picture(shown[-1], OTHER, bits)


@pytest.mark.parametrize("dialect", PROFILES)
def test_a_flood_without_sense_costs_no_memory(dialect: str):
    stream = open_stream(dialect)
    flood = np.random.default_rng(5).bytes(1 << 20)
    for at in range(10):
        stream.feed(flood, at)
    assert len(stream._framer._data) < 1 << 20
    for at in range(5):
        stream.feed(MARKS[0] * 20_000, at)
    assert len(stream._framer._data) < 1 << 20
