"""Dots by wire: whole pictures or none, whatever the cuts, the garbage and the sizes; and what is said of trouble."""

import struct
import zlib

import numpy as np
import pytest

from capture import hints as h
from capture.dialects import Setup, open_dialect
from capture.vision import open_reader
from hardware.catalog import load_profile
from hardware.sim import fonts
from tests.capture import dot_wires as w


def picture(score: int = 1_234_560, level: int = 15) -> np.ndarray:
    dots = np.zeros((32, 128), np.uint8)
    glyph = fonts.number(score, 13, fonts.HANDS[0])
    dots[3 : 3 + glyph.shape[0], 10 : 10 + glyph.shape[1]][glyph] = level
    dots[24:30, ::5] = 3
    return dots


PICTURE = picture()
OTHER = picture(9_870_210)
STREAMS = {
    "dndp gray2": ("dndp", w.dndp_size(), lambda dots: w.dndp_frame(dots, 2), 2),
    "dndp gray4": ("dndp", w.dndp_size(), lambda dots: w.dndp_frame(dots, 4), 4),
    "dndp gray8": ("dndp", w.dndp_size(), lambda dots: w.dndp_frame(dots, 8), 4),
    "dndp rgb24": ("dndp", w.dndp_size(), lambda dots: w.dndp_frame(w.tinted(dots, (255, 255, 255)), 24), 4),
    "dmdreader 2 bits": ("dmdreader", b"", lambda dots: w.dmdreader(dots, 2), 2),
    "dmdreader 4 bits": ("dmdreader", b"", lambda dots: w.dmdreader(dots, 4), 4),
    "dmdreader no sum": ("dmdreader", b"", lambda dots: w.dmdreader(dots, 4, summed=False), 4),
    "libdmdutil rgb24": ("libdmdutil", b"", lambda dots: w.libdmdutil(w.tinted(dots, (255, 255, 255))), 4),
    "libdmdutil rgb16": ("libdmdutil", b"", lambda dots: w.libdmdutil(w.tinted(dots, (255, 255, 255)), 3), 0),
    "libdmdutil turned": ("libdmdutil", b"", lambda dots: w.libdmdutil(w.tinted(dots, (255, 255, 255)), 3, "<"), 0),
    "libdmdutil data": ("libdmdutil", b"", w.libdmdutil_update, 4),
    "dmd-extensions grey2": ("dmd-extensions", w.ext_size(), lambda dots: w.ext_grey(dots, 2), 2),
    "dmd-extensions grey4": ("dmd-extensions", w.ext_size(), w.ext_grey, 4),
    "dmd-extensions coloured": (
        "dmd-extensions", w.ext_size(), lambda dots: w.ext_coloured(dots, [level * 0x111111 for level in range(16)]), 4
    ),
    "dmd-extensions rgb24": (
        "dmd-extensions", w.ext_size(), lambda dots: w.ext(0x12, w.tinted(dots, (255, 255, 255)).tobytes()), 4
    ),
    "dmd-extensions names": (
        "dmd-extensions", w.named("dimensions", struct.pack("<ii", 128, 32)),
        lambda dots: w.named("gray4Planes", b"\1\0\0\0" + w.planes(dots, 4)), 4,
    ),
    "dmd-extensions names, coloured": (
        "dmd-extensions", w.named("dimensions", struct.pack("<ii", 128, 32)),
        lambda dots: w.named(
            "coloredGray4",
            b"\1\0\0\0" + struct.pack("<17I", 16, *(level * 0x111111 for level in range(16))) + w.planes(dots, 4),
        ), 4,
    ),
}  # fmt: skip
STREAM_OF_NAMES = w.named("gray4Planes", b"\1\0\0\0" + w.planes(PICTURE, 4))
each_stream = pytest.mark.parametrize("stream", STREAMS)


class Ear:
    """A dialect and what it says, in time."""

    def __init__(self, dialect: str, *, passive: bool = False) -> None:
        self.dialect = open_dialect(load_profile(dialect), Setup())
        self.hints: list[h.Hint] = []
        self.now = 0
        self.dialect.open(0, passive=passive)

    def hear(self, data: bytes, after: int = 0) -> "Ear":
        self.wait(after)
        self.hints += self.dialect.feed(data, self.now)
        return self

    def wait(self, ms: int) -> "Ear":
        until = self.now + ms
        for _ in range(1000):
            due = self.dialect.deadline()
            if due is None or due > until:
                break
            self.hints += self.dialect.tick(due)
        self.now = until
        return self

    @property
    def shown(self) -> list[np.ndarray]:
        return [hint.levels for hint in self.hints if isinstance(hint, h.DotsShown)]

    @property
    def faults(self) -> list[str]:
        return [f"+{hint.fault}" for hint in self.hints if isinstance(hint, h.Trouble)]

    @property
    def lost(self) -> int:
        return sum(isinstance(hint, h.DotsLost) for hint in self.hints)

    def details(self, fault: str) -> str:
        return next(hint.detail or "" for hint in self.hints if isinstance(hint, h.Trouble) and hint.fault == fault)


def is_picture(levels: np.ndarray, dots: np.ndarray, bits: int) -> bool:
    true = (dots >> 2) / 3 if bits == 2 else dots / 15
    return levels.shape == dots.shape and bool(np.allclose(levels, true, atol=0.04 if bits == 0 else 0.005))


@each_stream
@pytest.mark.parametrize("cut", [1, 7, 64, 1000, 10**6])
def test_pictures_are_whole_however_the_bytes_are_cut(stream: str, cut: int):
    dialect, before, frame, bits = STREAMS[stream]
    data = before + frame(PICTURE) + frame(OTHER)
    if cut < 64 and len(data) > 100_000:
        cut = 997  # bytes one by one are tried on the shorter ones
    ear = Ear(dialect)
    for start in range(0, len(data), cut):
        ear.hear(data[start : start + cut])
    ear.wait(30)
    assert len(ear.shown) == 2
    assert is_picture(ear.shown[0], PICTURE, bits)
    assert is_picture(ear.shown[1], OTHER, bits)
    assert ear.lost == 0
    assert [type(hint) for hint in ear.hints].count(h.Heard) == 1


@each_stream
def test_garbage_costs_at_most_the_picture_it_stands_in(stream: str):
    dialect, before, frame, bits = STREAMS[stream]
    one, two = frame(PICTURE), frame(OTHER)
    noise = bytes((i * 37 + 11) % 251 for i in range(100))
    half = len(one) // 2
    for damaged in (one[:half] + noise + one[half:], one[:half] + one[half + 20 :], one[:-1], one[1:], one + noise):
        ear = Ear(dialect).hear(before + one).wait(30).hear(damaged + before + two).wait(30)
        assert is_picture(ear.shown[-1], OTHER, bits)
        assert all(is_picture(one, PICTURE, bits) or is_picture(one, OTHER, bits) for one in ear.shown)
        assert ear.lost >= 1


@each_stream
def test_a_stream_that_is_joined_in_mid_picture_begins_with_the_next_one(stream: str):
    dialect, before, frame, bits = STREAMS[stream]
    ear = Ear(dialect).hear(frame(PICTURE)[200:] + before + frame(OTHER)).wait(30)
    assert len(ear.shown) == 1
    assert is_picture(ear.shown[0], OTHER, bits)
    assert "+data-garbled" not in ear.faults


@each_stream
def test_a_picture_that_breaks_off_is_never_shown_and_not_waited_for(stream: str):
    dialect, before, frame, bits = STREAMS[stream]
    ear = Ear(dialect).hear(before + frame(PICTURE)).wait(30).hear(frame(OTHER)[:-5]).wait(2_000)
    assert (len(ear.shown), ear.lost) == (1, 1)
    assert is_picture(ear.hear(before + frame(OTHER)).wait(30).shown[-1], OTHER, bits)


def test_dndp_marks_that_stand_in_a_picture_begin_nothing():
    dots = PICTURE.copy()
    dots[10, :8] = [4, 4, 4, 14, 4, 4, 5, 0]  # DNDP
    ear = Ear("dndp").hear(w.dndp_size() + w.dndp_frame(dots)).wait(30).hear(w.dndp_frame(OTHER)).wait(30)
    assert len(ear.shown) == 2
    assert is_picture(ear.shown[0], dots, 4)


def test_a_picture_that_swallowed_the_next_message_is_not_shown():
    """So many bytes are missing as the next message has: the length alone fits."""
    size = w.dndp_size()
    torn = w.dndp_frame(PICTURE)[:1000] + w.dndp_frame(PICTURE)[1000 + len(size) :]
    ear = Ear("dndp").hear(size + torn + size + size + w.dndp_frame(OTHER)).wait(30)
    assert len(ear.shown) == 1
    assert is_picture(ear.shown[0], OTHER, 4)


def test_dmdreader_pictures_with_a_wrong_sum_are_refused_and_counted():
    bad = bytearray(w.dmdreader(PICTURE))
    bad[500] ^= 0x10
    ear = Ear("dmdreader").hear(w.dmdreader(PICTURE))
    for _ in range(3):
        ear.hear(bytes(bad), after=100)
    ear.hear(w.dmdreader(OTHER), after=100)
    assert (len(ear.shown), ear.lost, ear.dialect.garbled) == (2, 3, 3)
    assert ear.faults == ["+data-garbled"]


def test_a_sum_over_the_bytes_as_they_come_is_wrong():
    right = w.dmdreader(PICTURE)
    ear = Ear("dmdreader").hear(right[:12] + struct.pack(">I", zlib.crc32(right[16:])) + right[16:]).wait(30)
    assert not ear.shown


@pytest.mark.parametrize("stream", ["dndp gray4", "dmdreader 2 bits", "libdmdutil rgb24", "libdmdutil data",
                                    "dmd-extensions grey4"])  # fmt: skip
def test_pictures_of_another_size_are_refused_and_both_sizes_told(stream: str):
    dialect, _, frame, bits = STREAMS[stream]
    before = {"dndp": w.dndp_size(192, 64), "dmd-extensions": w.ext_size(192, 64)}.get(dialect, b"")
    large = np.tile(PICTURE, (2, 2))[:, :192]
    ear = Ear(dialect).hear(before + frame(large) + before + frame(large)).wait(30)
    assert not ear.shown
    assert set(ear.faults) == {"+wrong-device"}
    assert "192 x 64" in ear.details("wrong-device")
    assert "128 x 32" in ear.details("wrong-device")
    assert not any(isinstance(hint, h.Heard) for hint in ear.hints)
    ear.hear(STREAMS[stream][1] + frame(PICTURE)).wait(30)
    assert is_picture(ear.shown[0], PICTURE, bits)
    assert any(isinstance(hint, h.Relief) and hint.fault == "wrong-device" for hint in ear.hints)


def test_only_the_own_panel_of_a_dndp_link_is_looked_at():
    ear = Ear("dndp").hear(w.dndp_size(64, 16, panel=1) + w.dndp_size() + w.dndp_frame(PICTURE))
    ear.hear(w.dndp_frame(OTHER[:16, :64], panel=1) + w.dndp_frame(OTHER, panel=7)).wait(30)
    assert (len(ear.shown), ear.faults, ear.lost) == (1, [], 0)
    other = open_dialect(load_profile("dndp"), Setup(device="3"))
    other.open(0, passive=True)
    told = other.feed(w.dndp_size(panel=3) + w.dndp_frame(PICTURE, panel=3) + w.dndp_size(panel=3), 5)
    assert any(isinstance(hint, h.DotsShown) for hint in told)


def test_dndp_clear_shows_a_dark_display():
    ear = Ear("dndp").hear(w.dndp_size() + w.dndp_frame(PICTURE) + w.dndp(0x02)).wait(30)
    assert not ear.shown[1].any()


def test_dndp_that_falls_silent_is_told_until_it_speaks_again():
    ear = Ear("dndp").hear(w.dndp_size() + w.dndp_frame(PICTURE))
    for _ in range(10):
        ear.hear(w.dndp_size(), after=1_000)
    assert (ear.faults, ear.lost) == ([], 0)
    ear.wait(8_000)
    assert (ear.faults, ear.lost) == (["+no-data"], 1)
    ear.hear(w.dndp_size()).wait(30)
    assert [hint.fault for hint in ear.hints if isinstance(hint, h.Relief)].count("no-data") == 2  # at first, and now


def test_dndp_that_never_repeats_its_size_may_be_still_for_long():
    ear = Ear("dndp", passive=True).hear(w.dndp_size() + w.dndp_frame(PICTURE)).wait(60_000)
    assert (ear.faults, ear.lost, len(ear.shown)) == ([], 0, 1)


@pytest.mark.parametrize("dialect", ["dndp", "dmdreader", "libdmdutil", "dmd-extensions"])
def test_silence_and_another_device_are_told_apart(dialect: str):
    assert Ear(dialect).wait(40_000).faults == ["+no-data"]
    assert Ear(dialect, passive=True).wait(40_000).faults == []
    assert Ear(dialect).hear(b"trigger?name=tilt\r\n" * 40).wait(40_000).faults == ["+wrong-device"]


def test_noise_that_ends_soon_is_told_as_well():
    ear = Ear("dndp", passive=True).hear(b"no picture at all" * 9)
    ear.hints += ear.dialect.finish(100)
    assert ear.faults == ["+wrong-device"]


def test_libdmdutil_passes_over_what_is_no_picture():
    words = w.stream_head(4, 128, 32, 500) + bytes(500)
    unknown = w.stream_head(11, 128, 32, 3000) + b"DMDStr" * 500
    bare = w.stream_head(1, 0, 0, 0)
    none = w.libdmdutil_update(PICTURE, has_dots=False)
    ear = Ear("libdmdutil").hear(words + unknown + bare + none + w.libdmdutil_update(PICTURE)).wait(30)
    assert (len(ear.shown), ear.lost, ear.faults) == (1, 0, [])


def test_dmd_extensions_passes_over_colours_and_palettes():
    colours = w.ext(0x02, struct.pack("<I", 0xFF00FF)) + w.ext(0x03, struct.pack("<H3I", 3, 1, 2, 3))
    more = w.ext(0x21) + w.ext(0x22) + w.named("gameName", b"afm_113b") + w.named("color", b"\0\0\0\1")
    ear = Ear("dmd-extensions").hear(w.ext_size() + colours + w.ext_grey(PICTURE) + more + w.ext(0x20)).wait(30)
    assert (len(ear.shown), ear.lost, ear.faults) == (2, 0, [])
    assert not ear.shown[1].any()
    assert ear.dialect.outgoing() == b"\0"  # tell me the size


def test_dmd_extensions_messages_without_their_length_are_understood_where_each_comes_alone():
    ear = Ear("dmd-extensions", passive=True)
    for message in (w.ext_size(), w.ext_grey(PICTURE), w.ext(0x20), w.ext_grey(OTHER), STREAM_OF_NAMES):
        ear.hear(message[4:], after=50)
    ear.wait(30)
    assert [is_picture(one, two, 4) for one, two in zip(ear.shown, (PICTURE, 0 * PICTURE, OTHER), strict=False)] == [
        True
    ] * 3
    assert (len(ear.shown), ear.lost) == (4, 0)


def test_coloured_pictures_are_read_as_grey_ones_are():
    """Red on yellow, blue on black: each is as bright as it is for a reader."""
    reader = open_reader(load_profile("dmd-128x32"))
    ways = {"red": (255, 0, 0), "blue": (0, 0, 255), "amber": (255, 140, 0)}
    for colour in ways.values():
        (shown,) = Ear("libdmdutil").hear(w.libdmdutil(w.tinted(PICTURE, colour))).wait(30).shown
        assert reader.read_dots(shown).scores[0].score == 1_234_560
    ground = np.array([0, 0, 90]) + w.tinted(PICTURE, (255, 255, 165))
    (shown,) = Ear("libdmdutil").hear(w.libdmdutil(ground)).wait(30).shown
    assert reader.read_dots(shown).scores[0].score == 1_234_560
