"""Memory images: PinMAME's files and dumps as text, in every form, whole or refused."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from capture.dialects.memory_values import read_memory
from hardware.errors import MapInvalid
from hardware.maps.image import load_image
from hardware.maps.load import load_map
from tests.hardware.memory_maps import dump, game_state, memory, write_map


def test_an_image_holds_the_kept_regions_one_after_the_other_and_the_switches_last(tmp_path: Path):
    layout = [
        {"address": "0x1000", "size": 4, "type": "nvram"},
        {"address": "0x0000", "size": 16, "type": "ram"},
        {"address": "0x0100", "size": 4, "type": "nvram", "nibble": "low"},
        {"address": "0x4000", "size": "0x4000", "type": "rom"},
    ]
    state = {
        "scores": [{"start": "0x0100", "encoding": "bcd", "length": 4}, {"start": 0, "encoding": "bcd"}],
        "credits": {"start": "0x1003", "encoding": "int"},
        "ball_count": {"encoding": "dipsw", "offsets": [41], "values": [3, 5]},
    }
    loaded = load_map(write_map(tmp_path, state, platform={"memory_layout": layout}))
    image = tmp_path / "x.nv"
    image.write_bytes(bytes([1, 2, 3, 4, 0xF5, 0xF6, 0xF7, 0xF8]) + bytes(40) + bytes([0, 0, 0, 0, 0, 1]))
    reading = read_memory(loaded, load_image(image, loaded))
    assert (reading.scores, reading.values) == ((5678, None), {"credits": 4, "ball_count": 5})
    assert reading.missing == ("game_state.scores[1]",)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data[:2047], "2047 bytes, but the memory of tst has 2048: cut off"),
        (lambda _: b"", "empty"),
        (lambda data: gzip.compress(data)[:-9], "cut off"),
        (lambda _: b"\x1f\x8b\x08\x00" + b"rubbish" * 9, "cannot be unpacked"),
        (lambda _: gzip.compress(bytes(40 << 20)), "larger than 16 MB"),
        (lambda data: dump(data) + b"0x0200: 0x99\n", "address 0x0200 is told twice"),
        (lambda data: dump(data).replace(b"0x0200: 0x00", b"0x0200: 0xQ0"), "a damaged line: '0x0200: 0xQ0"),
    ],
)
def test_an_image_that_is_damaged_is_refused_in_one_line(spoil: Callable[[bytes], bytes], said: str, tmp_path: Path):
    loaded = load_map(write_map(tmp_path, game_state()))
    image = tmp_path / "image"
    image.write_bytes(spoil(memory()))
    with pytest.raises(MapInvalid) as caught:
        load_image(image, loaded)
    assert said in str(caught.value)


@pytest.mark.parametrize("form", ["nv", "nv without switches", "dump", "dump in lower case", "gz", "gz of a dump"])
def test_an_image_says_the_same_in_every_form(form: str, tmp_path: Path):
    loaded = load_map(write_map(tmp_path, game_state()))
    cells = memory(players=2, scores=(1234, 567890))
    data = dump(cells) if "dump" in form else cells + (b"" if "without" in form else bytes(46))
    data = data.lower() if "lower" in form else data
    image = tmp_path / "image"
    image.write_bytes(gzip.compress(data) if form.startswith("gz") else data)
    reading = read_memory(loaded, load_image(image, loaded))
    assert reading.scores == (1234, 567890, 0, 0)
    assert reading.values["player_count"] == 2


SUMS = {
    "checksum8": [{"start": 0x100, "end": 0x11F, "groupings": 4}, {"start": 0x726, "length": 1, "checksum": 0x727}],
    "checksum16": [{"start": 0x140, "end": 0x147}, {"start": "x"}, 5],
}


def summed() -> bytearray:
    """A memory whose checksums fit."""
    cells = bytearray(memory(scores=(1230,)))
    for place in range(0x100, 0x120, 4):
        cells[place : place + 4] = bytes([1, 2, 3, 0xFF - 6])
    cells[0x727] = 0xFF - cells[0x726]
    cells[0x140:0x148] = bytes([10, 20, 30, 0, 0, 0, 0xFF, 0xFF - 60])
    return cells


@pytest.mark.parametrize(
    ("spoil", "doubt"),
    [
        ((), None),
        ((0x100, 0x140), None),
        ((0x100, 0x104, 0x140), "3 of 10 checksums do not fit: another revision's memory, or it is damaged"),
    ],
)
def test_checksums_that_do_not_fit_tell_another_machines_memory(
    spoil: tuple[int, ...], doubt: str | None, tmp_path: Path
):
    loaded = load_map(write_map(tmp_path, game_state(), **SUMS))
    cells = summed()
    for place in spoil:
        cells[place] ^= 0x11
    image = tmp_path / "x.nv"
    image.write_bytes(cells)
    assert loaded.judged_by(load_image(image, loaded)).doubt == doubt


def test_a_memory_that_was_never_written_is_not_doubted(tmp_path: Path):
    loaded = load_map(write_map(tmp_path, game_state(), **SUMS))
    image = tmp_path / "x.nv"
    image.write_bytes(memory())
    assert loaded.judged_by(load_image(image, loaded)).doubt is None
