"""A tap on a LISY or APC board's wire through the real capture: framings, encodings, blinking, attract mode, damage."""

import pytest

from capture.dialects.lisy_commands import Commands
from capture.dialects.lisy_displays import Display, number_of, written
from capture.pipeline import Capture
from capture.signals import FaultCleared, FaultRaised, GameEnded, GameStarted, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Opened
from hardware.wires.lisy import LisyTable

POLLS = b"\x29" * 20 + b"\x65"
SEVEN = dict(zip("0123456789 ", (0x3F, 0x06, 0x5D, 0x4F, 0x66, 0x6B, 0x7B, 0x0E, 0x7F, 0x6F, 0), strict=True))
CELLS = bytes.fromhex("3f28 0608 5d04 0f04 6604 6980 7b04 0e00 7f04 6f04 0000")
FOURTEEN = {sign: CELLS[2 * place : 2 * place + 2] for place, sign in enumerate("0123456789 ")}
"""MPF 0.81.0's own bytes: `FOURTEEN_SEGMENTS[…].get_apc_encoding()`."""
WAYS = ("ascii", "bcd", "seg7", "seg14", "text", "counted")


def show(display: int, text: str, way: str) -> bytes:
    if way == "text":
        return bytes([30 + display]) + text.encode() + b"\0"
    cells = {
        "bcd": lambda: bytes(15 if sign == " " else int(sign) for sign in text),
        "seg7": lambda: bytes(SEVEN[sign] for sign in text),
        "seg14": lambda: b"".join(FOURTEEN[sign] for sign in text),
    }
    data = cells.get(way, text.encode)()
    data = bytes([len(data)]) + data
    return bytes([30 + display]) + (bytes([len(data)]) if way == "counted" else b"") + data


def polls(way: str) -> bytes:
    return b"".join(bytes([code, 0]) for code in POLLS) if way == "counted" else POLLS


def play(way: str, *steps: tuple[int, str] | int | bytes, each: int = 0) -> list[Signal]:
    """A display and its text, milliseconds of polling, or raw bytes; `each`: so many bytes at once."""
    capture, now = Capture(load_profile("lisy")), 0
    said = capture.feed(Opened(at=now, port="tap"))
    for step in (500, *steps):
        if isinstance(step, int):
            for _ in range(max(1, step // 250)):
                now += 250
                said += capture.tick(now)
                said += capture.feed(Chunk(at=now, data=polls(way)))
            continue
        data = step if isinstance(step, bytes) else show(*step, way)
        for place in range(0, len(data), each or len(data)):
            said += capture.feed(Chunk(at=now, data=data[place : place + (each or len(data))]))
    return said


def scores(said: list[Signal]) -> list[list[int | None]]:
    return [[score.score for score in one.scores] for one in said if isinstance(one, GameEnded)]


ATTRACT = [(1, "   5000"), (2, "       "), (3, "       "), (4, "       "), (0, " 3  "), 3000]
BEGIN = [(1, "     00"), (0, " 2 1"), 2000, (1, "   1230"), 600, (1, "   2460"), 600]
END = [(0, " 240"), 12_000]


@pytest.mark.parametrize("way", WAYS)
def test_a_game_is_read_however_the_host_writes(way: str):
    said = play(way, *ATTRACT, *BEGIN, (0, " 2 2"), 1500, (1, " 712340"), 900, (0, " 2 3"), 2000, *END)
    assert scores(said) == [[712340]]


@pytest.mark.parametrize("way", WAYS)
def test_a_byte_at_a_time_says_the_same(way: str):
    steps = (*ATTRACT, *BEGIN, (2, "     00"), 2000, (1, " 712340"), 900, *END)
    assert play(way, *steps, each=1) == play(way, *steps)


def test_players_are_the_lit_displays():
    said = play("ascii", *ATTRACT, *BEGIN, (2, "     00"), 3000, (0, " 2 2"), 1500, (2, "    900"), 900, *END)
    assert scores(said) == [[2460, 900]]


def test_who_is_up_may_blink():
    blink = [step for _ in range(6) for step in ((1, "       "), 500, (1, "   2460"), 500)]
    said = play("ascii", *ATTRACT, *BEGIN, *blink, (1, "   9990"), 900, *END)
    assert scores(said) == [[9990]]


def test_noughts_that_blink_in_bcd_are_no_score():
    blink = [step for _ in range(6) for step in ((1, "0000000"), 500, (1, "0002460"), 500)]
    said = play("bcd", *ATTRACT, *BEGIN, *blink, (1, "0009990"), 900, *END)
    assert scores(said) == [[9990]]
    assert not [one for one in said if isinstance(one, FaultRaised)]


def test_attract_mode_begins_no_game_and_changes_no_score():
    high = [
        step for _ in range(8) for step in ((1, "9999990"), (2, "9999990"), 2000, (1, "   2460"), (2, "       "), 4000)
    ]
    said = play("ascii", *ATTRACT, *high, *BEGIN, *END, *high)
    assert scores(said) == [[2460]]
    assert len([one for one in said if isinstance(one, GameStarted)]) == 1


@pytest.mark.parametrize("lost", range(2, 9))
def test_a_text_with_a_cell_less_is_no_score(lost: int):
    whole = show(1, "1234567", "ascii")
    said = play("ascii", *ATTRACT, *BEGIN, whole[:lost] + whole[lost + 1 :], 2000, *END)
    assert scores(said) == [[None]]


def test_garbage_is_survived_and_the_score_held_until_it_is_written_again():
    noise = bytes(range(128, 256)) * 3
    assert scores(play("ascii", *ATTRACT, *BEGIN, noise, 2000, *END)) == [[None]]
    assert scores(play("ascii", *ATTRACT, *BEGIN, noise, 2000, (1, "   3690"), 900, *END)) == [[3690]]


def test_the_other_direction_of_the_wire_is_said():
    capture = Capture(load_profile("lisy"))
    capture.feed(Opened(at=0, port="tap"))
    said = capture.feed(Chunk(at=1, data=b"\x7f" * 100))
    assert [one.fault for one in said if isinstance(one, FaultRaised)] == ["wrong-device"]


def test_a_host_that_falls_silent_is_missed():
    capture = Capture(load_profile("lisy"))
    capture.feed(Opened(at=0, port="tap"))
    capture.feed(Chunk(at=0, data=POLLS))
    assert [one.fault for one in capture.tick(6000) if isinstance(one, FaultRaised)] == ["no-data"]
    said = capture.feed(Chunk(at=7000, data=POLLS))
    assert [one.fault for one in said if isinstance(one, FaultCleared)] == ["no-data"]


def test_a_host_that_starts_anew_in_mid_game_has_reset():
    boot = b"\x64\x00\x01\x02\x03\x04\x06\x09"
    said = play("ascii", *ATTRACT, *BEGIN, boot, *ATTRACT, 6000)
    assert [one.fault for one in said if isinstance(one, FaultRaised)] == ["reset"]


def test_all_commands_are_skipped_by_their_lengths():
    stream = bytes([
        100, 0, 1, 2, 3, 4, 6, 9, 7, 1, 40, 36, 10, 31, 11, 30, 12, 35, 24, 30, 31, 25, 32, 30, 23, 30, 37, 30, 36,
        13, 0, 30, 0, 31, 3, 30, 31, 32, 50, 30, 31, 51, 30, 54, 30, 31, 60, *[30] * 10, 52, 30, 0, 65, 66, 0, 41, 101,
    ])  # fmt: skip
    commands = Commands(LisyTable())
    found = [command.code for command in commands.feed(stream + b"\x29")]
    assert not [code for code in found if 30 <= code <= 36]
    assert found[-2:] == [41, 101]
    assert commands.skipped == 0


def test_nothing_grows():
    commands = Commands(LisyTable())
    for _ in range(200):
        commands.feed(b"\x34" + b"\xff" * 4096)
        commands.feed(b"\x1f" + b"1" * 4096)
    assert len(commands._held) < 400


@pytest.mark.parametrize(
    ("text", "number"),
    [("   1230", 1230), ("0001230", 1230), ("1.234.560", 1234560), ("1230   ", None), ("12 30", None), ("GAME", None),
     ("       ", None), ("12.34", None), ("", None), ("     00", 0)],
)  # fmt: skip
def test_what_is_a_number(text: str, number: int | None):
    assert number_of(text) == number


@pytest.mark.parametrize(
    ("way", "data", "number"),
    [
        ("bcd", "000001020304050600", 1234560),
        ("seg7", "0000065d4f666b7b3f", 1234560),
        ("seg7", "6f7f0e7b6b664f5d06", 987654321),
        ("seg7", "000000000000003f3f", 0),
        ("seg14", "0000000006085d040f04660469807b043f28", 1234560),
        ("seg14", "6f047f040e007b04698066040f045d040608", 987654321),
        ("ascii", "202031323334353630", 1234560),
    ],
)
def test_what_mpf_writes_is_read(way: str, data: str, number: int):
    """Bytes that MPF 0.81.0 made: `LisyDisplay._format_text` for displays of type 1 to 6."""
    assert written(bytes.fromhex(data)) == [way]
    display = Display()
    display.show(bytes.fromhex(data), 0)
    assert display.number == number


def test_bytes_that_can_be_read_in_two_ways_show_nothing():
    display = Display()
    display.show(bytes([0, 0, 0, 6, 6]), 0)  # 11 in seven segments, 00066 in BCD
    assert display.text is None
    display.show(bytes([0, 0, 0, 6, 0x3F]), 0)
    assert display.text == "   10"


def test_a_tap_that_comes_just_before_a_game_takes_no_high_score_for_a_score_of_it():
    """What is put out as the game begins is dark for a while, before it is known that it does not blink."""
    standing = [(1, "1000000"), (2, "1000000"), (3, "1000000"), (4, "1000000")]
    cleared = [(0, " 3  "), *((number, " " * 7) for number in (1, 2, 3, 4))]
    said = play("ascii", *standing, 500, *cleared, *BEGIN)
    assert [one.players for one in said if isinstance(one, GameStarted)] == [1]


def test_who_plays_on_though_his_display_was_damaged_ends_no_game_early():
    two = [
        (1, "   1230"),
        600,
        (2, "    500"),
        600,
        (0, " 2 2"),
        600,
        b"\x20\x07  5\xff00\x01",
        300,
        (1, "   2460"),
        1500,
    ]
    two += [(0, " 2 3"), (2, "    700"), 600, (1, "   9000"), 600, (2, "    900"), 600]
    ends = play("ascii", *ATTRACT, *BEGIN[:3], *two, *ATTRACT[1:2], (0, " 2  "), 4000)
    assert "ended-early" not in [one.how for one in ends if isinstance(one, GameEnded)]


def test_high_scores_after_an_end_whose_status_was_lost_are_no_players_scores():
    high = [*((number, "1000000") for number in (1, 2, 3, 4)), 9000, (0, " 2  "), 12_000]
    said = play("ascii", *ATTRACT, *BEGIN, (0, " 2 2"), 600, (1, "   9000"), 600, (0, " 2 3"), 600, *high)
    assert 1_000_000 not in {score for game in scores(said) for score in game}
