"""Whatever a map, an image, a recording or a reader holds: our own errors alone, at once, and nothing that grows."""

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capture.dialects.memory_values import read_memory, state_of
from capture.pipeline import Capture
from hardware.catalog import load_profile
from hardware.errors import HardwareError
from hardware.maps.cells import Memory
from hardware.maps.image import load_image
from hardware.maps.load import load_map
from hardware.ports.base import Chunk, Opened
from hardware.ports.recordings import open_recording
from tests.hardware.memory_maps import dump, game_state, memory, write_map

QUICK = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))

odd = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just("0x"), st.just("0x1F"),
    st.lists(st.integers(-2, 300), max_size=4), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip
words = st.sampled_from(["int", "bcd", "bits", "bool", "enum", "ch", "dipsw", "wpc_rtc", "raw", "odd"])
descriptor = st.fixed_dictionaries(
    {"encoding": words},
    optional={
        "start": st.one_of(st.integers(0, 4096), odd), "length": st.one_of(st.integers(1, 64), odd), "end": odd,
        "offsets": st.one_of(st.lists(st.integers(0, 5000), max_size=9), odd), "mask": odd, "endian": odd,
        "nibble": st.one_of(st.sampled_from(["both", "high", "low"]), odd), "scale": odd, "offset": odd,
        "special_values": odd, "values": odd, "invert": odd, "packed": odd,
    },
)  # fmt: skip


def is_one_line(error: HardwareError) -> None:
    """What a user gets to see."""
    if "\n" in str(error) or not str(error):
        raise AssertionError(str(error))


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        yield Path(place)


@QUICK
@given(
    st.dictionaries(st.sampled_from(sorted(game_state())), st.one_of(descriptor, odd), max_size=4),
    st.lists(descriptor, min_size=1, max_size=4),
    st.binary(max_size=64),
)
def test_any_map_is_refused_by_our_own_error_or_reads_any_memory(
    state: dict[str, Any], scores: list[dict[str, Any]], cells: bytes
):
    with folder() as place:
        try:
            loaded = load_map(write_map(place, {"scores": scores} | {**state, "scores": scores}))
        except HardwareError as error:
            is_one_line(error)
            return
    held = Memory()
    held.put(0, cells)
    reading = read_memory(loaded, held)
    assert all(score is None or score >= 0 for score in reading.scores)
    state_of(reading, 0, verified=True)


@QUICK
@given(st.binary(max_size=400), st.sampled_from(["x.map.json", "x.nv", "x.txt", "x.gz"]))
def test_any_file_is_refused_by_our_own_error_or_read(data: bytes, name: str):
    with folder() as place:
        chart = load_map(write_map(place / "maps", game_state()))
        file = place / name
        file.write_bytes(data)
        for work in (lambda: load_map(file), lambda: load_image(file, chart)):
            try:
                work()
            except HardwareError as error:
                is_one_line(error)


@QUICK
@given(st.integers(0, 10**6), st.floats(0, 0.05))
def test_any_damage_to_a_recording_is_skipped_or_refused(seed: int, rate: float):
    chance = random.Random(seed)  # noqa: S311 - repeatable damage
    lines = b"".join(
        b"%.2f 0x%04X %s\n" % (at / 4, row, memory(over=0, scores=(at * 10,))[row : row + 16].hex(" ").encode())
        for at in range(20)
        for row in (0x30, 0xA0, 0x200, 0x720, 0x780)
    )
    data = bytes(chance.randrange(256) if chance.random() < rate else cell for cell in lines)
    with folder() as place:
        base = load_profile("pinmame-map")
        assert base.memory
        table = base.memory.with_map(load_map(write_map(place / "maps", game_state())))
        profile = base.model_copy(update={"memory": table})
        file = place / "x.txt"
        file.write_bytes(data)
        capture = Capture(profile)
        try:
            for event in open_recording(file, profile).events():
                capture.feed(event)
        except HardwareError as error:
            is_one_line(error)


@QUICK
@given(st.integers(0, 10**6), st.floats(0, 0.2), st.booleans())
def test_any_bytes_of_a_reader_are_borne_and_bounded(seed: int, rate: float, passive: object):
    chance = random.Random(seed)  # noqa: S311 - repeatable damage
    capture = Capture(load_profile("sim-memory"))
    capture.feed(Opened(at=0, port="x", passive=bool(passive)))
    cells = memory()
    for at in range(0, 8000, 200):
        text = dump(cells, rows=tuple(chance.sample(range(0, 0x800, 16), 20)))
        capture.feed(Chunk(at=at, data=bytes(chance.randrange(256) if chance.random() < rate else one for one in text)))
        capture.tick(at + 100)
        assert len(capture.outgoing()) < 200
    assert len(json.dumps([str(one) for one in capture.live()])) < 10_000
