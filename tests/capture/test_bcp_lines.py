"""A BCP line is understood whole or refused whole."""

import json
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capture.dialects.bcp_lines import MOST_PAYLOAD, Command, format_line, parse_line, payload_length, whole
from capture.errors import LineGarbled

GOOD = {
    b"ball_end": Command("ball_end", {}),
    b"ball_end?": Command("ball_end", {}),
    b"BALL_START?Player_Num=int:1&BALL=int:2": Command("ball_start", {"player_num": 1, "ball": 2}),
    b"a?i=int:-5&f=float:0.5&t=bool:True&n=NoneType:&s=x": Command(
        "a", {"i": -5, "f": 0.5, "t": True, "n": None, "s": "x"}
    ),
    b"a?s=FREE%20PLAY&e=": Command("a", {"s": "FREE PLAY", "e": ""}),
    b"a?s=int%3A5": Command("a", {"s": "int:5"}),
    b"a?s=%3CPlayer%201%3E": Command("a", {"s": "<Player 1>"}),
    b"a?s=%C3%A9": Command("a", {"s": "é"}),
    b"a?f=float:1e%2B20": Command("a", {"f": 1e20}),
    b"a?v=int:123456789012345678901234567890": Command("a", {"v": 123456789012345678901234567890}),
    b'a?json={"x": [1, {"y": "a&b=c?d"}], "z": null}': Command("a", {"x": [1, {"y": "a&b=c?d"}], "z": None}),
    b"a?x=int:1&bytes=12": Command("a", {"x": 1}),
    b'a?json={"x": 1}&bytes=12': Command("a", {"x": 1}),
    b"a?x=left:right": Command("a", {"x": "left:right"}),
}

BAD = [
    b"", b" ", b"4560", b"value=int:5", b"hello world", b"\xff\xff", b"a?x=int:1\x002", b"a?x=int:1\xff2",
    b"a?x", b"a?x=int:",
    b"a?x=int:1.5", b"a?x=int:1_0", b"a?x=int: 1", "a?x=int:\u0661".encode(), b"a?x=int:1?y=2",
    b"a?x=int:1=2", b"a?x=bool:maybe", b"a?x=float:x", b"a?x=%ff", b"a?json=",
    b"a?json=[1]", b"a?json={", b"a?json=null",
    b"player_variable?name=score&value=int:1001player_variable?name=score", b"a" * 65, b"a?json=" + b"[" * 100_000,
    b"\xef\xbb\xbfball_end", b"a?x=int:" + b"9" * 5000, b'a?json={"x": ' + b"9" * 5000 + b"}",
]  # fmt: skip


@pytest.mark.parametrize("line", GOOD)
def test_a_good_line_is_understood(line: bytes):
    assert parse_line(line) == GOOD[line]


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_refused(line: bytes):
    with pytest.raises(LineGarbled):
        parse_line(line)


@given(st.binary(max_size=200))
@example(b'a?json={"x": 1e999}')
@example(b'a?json={"x": NaN}')
def test_any_bytes_are_understood_or_refused(line: bytes):
    try:
        command = parse_line(line)
    except LineGarbled:
        return
    assert command.name.isascii()


KEYS = st.text("abcdefghij_", min_size=1, max_size=8)
VALUES = (
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(st.characters(blacklist_categories=["Cs"]))
)


def said(value: object) -> str:
    """As mpf 0.81 writes it."""
    if isinstance(value, bool):
        return f"bool:{value}"
    if isinstance(value, int):
        return f"int:{value}"
    return "NoneType:" if value is None else quote(str(value), "")


@given(KEYS, st.dictionaries(KEYS.filter(lambda key: key not in {"json", "bytes"}), VALUES, max_size=5))
def test_what_mpf_writes_is_read_back(name: str, values: dict[str, object]):
    line = f"{name}?" + "&".join(f"{key}={said(value)}" for key, value in values.items())
    assert parse_line(line.encode()) == (name, values)
    as_json = f"{name}?json={json.dumps(values)}"
    if values:
        assert parse_line(as_json.encode()) == (name, values)


def test_the_length_of_a_payload_is_bounded():
    assert payload_length(b"a?x=1&bytes=12") == 12
    assert payload_length(b"a?x=1&bytes=%d" % MOST_PAYLOAD) == MOST_PAYLOAD
    assert payload_length(b"a?x=1&bytes=%d" % (MOST_PAYLOAD + 1)) == 0
    assert payload_length(b"a?x=1&bytes=-5") == 0
    assert payload_length(b"a?x=1&bytes=9999999999999") == 0
    assert payload_length(b"a?bytes=12&x=1") == 0


def test_lines_that_we_write_are_read_back():
    line = format_line("evaluate_placeholder", placeholder="players[0].score", number=5)
    assert line == b"evaluate_placeholder?placeholder=players%5B0%5D.score&number=int:5\n"
    assert parse_line(line[:-1]).values == {"placeholder": "players[0].score", "number": 5}
    assert format_line("reset_complete") == b"reset_complete\n"


@pytest.mark.parametrize(
    ("value", "number"),
    [(5, 5), (5.0, 5), (5.5, None), (True, None), (None, None), ("5", None), (float("nan"), None), (float("inf"), None),
     (1e300, None), (-3, -3)],
)  # fmt: skip
def test_a_score_is_a_whole_number_or_none(value: object, number: int | None):
    assert whole(value) == number  # type: ignore[arg-type]
