"""One line of a Vector board: understood whole, refused, or console text."""

import json

import pytest

from capture.dialects.vector_lines import Answer, Console, Push, parse_line
from capture.errors import LineGarbled

BODY = '{"GameActive": true, "Scores": [1234560, 0, 0, 0]}'


def answer(body: str = BODY, **more: object) -> bytes:
    told = {"route": "/api/game/status", "status": 200, "headers": {"Content-Length": len(body)}, "body": body}
    return b"USB API RESPONSE-->" + json.dumps(told | more).encode()


def test_an_answer_is_understood():
    assert parse_line(answer()) == Answer(route="/api/game/status", status=200, body=BODY)


def test_an_answer_after_console_text_on_the_same_line_is_understood():
    assert isinstance(parse_line(b"FRAM: cyc" + answer()), Answer)
    assert isinstance(parse_line(b"\xef\xbb\xbf" + answer()), Answer)


def test_an_answer_that_was_cut_off_by_the_next_one_is_left_out():
    assert parse_line(answer()[:80] + answer()) == parse_line(answer())


def test_the_length_of_a_body_may_count_characters_or_bytes():
    for length in (len("Bücher"), len("Bücher".encode())):
        assert isinstance(parse_line(answer("Bücher", headers={"content-length": str(length)})), Answer)


@pytest.mark.parametrize(
    "line",
    [
        answer()[:-1],
        answer()[:-30],
        answer().replace(b"1234560", b"123456"),  # a digit that was lost
        answer().replace(b"1234560", b"12345600"),
        answer().replace(b"1234560", b"12\x0034560"),
        answer().replace(b"1234560", b"123\xff560"),
        answer(route="nowhere"),
        answer(route=None),
        answer(status="200"),
        answer(status=True),
        answer(body={"GameActive": True}),
        b"USB API RESPONSE-->",
        b"USB API RESPONSE-->[]",
        b'USB API RESPONSE-->{"route": "/a", "route": "/b", "status": 200, "body": ""}',
        b"USB API RESPONSE-->" + b"[" * 100_000,
        b"USB API RESPONSE-->" + b"9" * 10_000,
        b"\xff\xfe\x00garbage",
        b'{"machine_id": "39819ddb"}',
        b'{"machine_id": 7, "type": "game_state"}',
        b'{"machine_id": "", "type": "game_state"}',
        b'{"machine_id": "' + b"a" * 100 + b'", "type": "game_state"}',
        b'{"machine_id": "a", "type": "game_state", "data": NaN}',
        b'{"machine_id": "a", "type": "game_sta',
        b'0123456789abcdef{"machine_id": "a", "type": "reset"}',  # signed, but not counted
        b'0123456789abcdef{"machine_id": "a", "type": "reset", "n": -1}',
        b'0123456789abcdef{"machine_id": "a", "type": "reset", "n": 1.0}',
    ],
)
def test_a_damaged_line_is_refused_whole(line: bytes):
    with pytest.raises(LineGarbled):
        parse_line(line)


def test_a_pushed_message_is_understood_with_and_without_a_signature():
    body = b'{"machine_id": "39819DDB", "type": "reset", "n": 41}'
    plain = parse_line(body.replace(b', "n": 41', b""))
    assert plain == Push(device="39819ddb", kind="reset", data=None)
    assert parse_line(b"0123456789abcdef" + body) == Push(
        device="39819ddb", kind="reset", data=None, count=41, seal=b"0123456789abcdef", sealed=body
    )


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        (b"USB REQ: URL: /api/fault HEADERS:  DATA: ", True),
        (b"GSTAT: start game @ time= 500", True),
        (b"Sending origin message: game_state with data: {'GameActive': False}", True),
        (b'RESPONSE-->{"route": "/api/fault"', True),
        (b"", False),
        (b"P1=0012340;P2=0", False),
        (b"0x00A9: 0x00", False),
        (b'{"score": 1}', False),
    ],
)
def test_console_text_is_told_from_another_devices_text(line: bytes, ours: bool):  # noqa: FBT001 - a case
    assert parse_line(line) == Console(ours=ours)
