"""Lines come out whole or not at all, however the bytes are cut, and nothing grows."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from capture.framing import LineSplitter


@given(st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b".").rstrip(b"\r"))), st.data())
def test_lines_are_the_same_however_they_are_cut(lines: list[bytes], data: st.DataObject):
    stream = b"".join(line + data.draw(st.sampled_from([b"\n", b"\r\n"])) for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    splitter = LineSplitter()
    got = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += splitter.feed(stream[start:end])
    assert got == lines
    assert splitter.dropped == 0


def test_half_a_line_is_never_handed_out():
    splitter = LineSplitter()
    assert splitter.feed(b"1234") == []
    assert splitter.feed(b"560\n12") == [b"1234560"]
    splitter.reset()
    assert splitter.feed(b"34\n") == [b"34"]
    assert splitter.dropped == 1


def test_a_line_that_is_too_long_is_dropped_whole_and_the_next_one_read():
    splitter = LineSplitter(limit=10)
    assert splitter.feed(b"x" * 10 + b"\n" + b"y" * 11 + b"\nz\n") == [b"x" * 10, b"z"]
    assert splitter.dropped == 1
    assert not splitter.overlong


def test_a_peer_that_never_ends_its_line_costs_no_memory():
    splitter = LineSplitter()
    block = b"\xff" * 65536
    tracemalloc.start()
    for _ in range(4096):  # 256 MB
        assert splitter.feed(block) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000
    assert splitter.overlong
    assert splitter.feed(b"\ngood\n") == [b"good"]


def test_byte_by_byte_costs_no_list_entry_a_byte():
    splitter = LineSplitter()
    tracemalloc.start()
    for _ in range(200_000):
        splitter.feed(b"x")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000
    assert splitter.feed(b"\n") == [b"x" * 200_000]


@given(st.binary(max_size=50), st.integers(1, 7))
def test_a_payload_is_skipped_whatever_is_in_it(payload: bytes, size: int):
    def length(line: bytes) -> int:
        return len(payload) if line == b"raw" else 0

    stream = b"raw\n" + payload + b"next\n"
    splitter = LineSplitter(payload=length)
    got = [line for at in range(0, len(stream), size) for line in splitter.feed(stream[at : at + size])]
    assert got == [b"raw", b"next"]
