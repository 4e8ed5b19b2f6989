"""Frames: what is read, what is refused with which word, what is kept apart."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import WireInvalid
from bridge.wire.facts import PlayerScore, read_fact
from bridge.wire.frame import (
    ENTRY_LIMIT,
    FRAME_LIMIT,
    SEND_LIMIT,
    At,
    Entry,
    Sent,
    Unreadable,
    check_body,
    decode,
    encode,
    pack,
)

STREAM = "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d"


def entry(seq: int, **changed: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "seq": seq,
        "id": f"0199f0d1-0000-7000-8000-{int(seq) % 10**12:012d}",
        "kind": "clock.stepped",
        "machine": None,
        "at": {"boot": "b", "mono_ms": 5},
        "body": {"by_ms": 1},
        **changed,
    }


def frame(*entries: dict[str, Any], **changed: Any) -> bytes:  # noqa: ANN401
    raw = {"v": 1, "stream": STREAM, "floor": 1, "sent": {"boot": "b", "mono_ms": 9}, "entries": list(entries)}
    return json.dumps({**raw, **changed}).encode()


REFUSED = [
    (b"", "empty"),
    (b"{", "not JSON"),
    (b"null", "not a JSON object"),
    (b"[]", "not a JSON object"),
    (b"\xff\xfe", "not UTF-8"),
    (b"0" * 5_000_000, "more than the 65536 allowed"),
    (b"[" * 60_000, "nested deeper"),
    (b'{"a":' * 10_000, "nested deeper"),
    (b'{"a": 1e400}', "beyond any number"),
    (b'{"a": NaN}', "NaN is not a number"),
    (b'{"a": -Infinity}', "-Infinity is not a number"),
    (b'{"a": ' + b"9" * 5_000 + b"}", "not JSON"),
    (frame(), "1 to 32 is needed"),
    (frame(*[entry(seq) for seq in range(1, 34)]), "1 to 32 is needed"),
    (frame(entry(1), entries={}), "1 to 32 is needed"),
    (frame("x"), "entries.0: not an object"),
    (frame(entry("1")), "entries.0.seq: a whole number from 1"),
    (frame(entry(0)), "entries.0.seq"),
    (frame(entry(True)), "entries.0.seq"),
    (frame(entry(2**53)), "entries.0.seq"),
    (frame(entry(2), entry(1)), "their seq must rise"),
    (frame(entry(1), entry(1)), "their seq must rise"),
    (frame(entry(4), floor=5), "floor 5 is above"),
    (frame(entry(1), floor=0), "floor"),
    (frame(entry(1), floor="1"), "floor"),
    (frame(entry(1), v=2), "v"),
    (frame(entry(1), stream="x"), "stream"),
    (frame(entry(1), stream=STREAM.upper()), "stream"),
    (frame(entry(1), sent={"boot": "b", "mono_ms": 1.0}), "sent.mono_ms"),
    (frame(entry(1), sent={"boot": "", "mono_ms": 1}), "sent.boot"),
]


@pytest.mark.parametrize(("payload", "word"), REFUSED, ids=range(len(REFUSED)))
def test_a_frame_that_breaks_the_rules_is_refused_with_one_line(payload: bytes, word: str):
    with pytest.raises(WireInvalid) as refused:
        decode(payload)
    assert word in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@given(
    st.binary(max_size=300)
    | st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists).map(
        lambda value: json.dumps(value).encode()
    )
)
def test_whatever_comes_is_refused_by_the_wires_own_error(payload: bytes):
    with pytest.raises(WireInvalid):
        decode(payload)


BROKEN = [
    ({"id": "x"}, "id"),
    ({"kind": "No Kind"}, "kind"),
    ({"machine": "A B"}, "machine"),
    ({"machine": "a" * 41}, "machine"),
    ({"at": {"boot": "b", "mono_ms": "5"}}, "at.mono_ms"),
    ({"at": {"boot": "b", "mono_ms": 5, "wall": "yesterday"}}, "at.wall"),
    ({"at": {"boot": "b", "mono_ms": 5, "synced": 1}}, "at.synced"),
    ({"body": [1]}, "body"),
    ({"body": None}, "body"),
]


@pytest.mark.parametrize(("changed", "where"), BROKEN, ids=range(len(BROKEN)))
def test_an_entry_that_breaks_the_rules_is_kept_apart_and_spoils_no_other(changed: dict[str, Any], where: str):
    found = decode(frame(entry(1), entry(2, **changed), entry(3)))
    assert [type(item) for item in found.entries] == [Entry, Unreadable, Entry]
    broken = found.entries[1]
    assert (broken.seq, broken.raw) == (2, entry(2, **changed))
    assert broken.why.startswith(where)


def test_of_duplicate_keys_the_last_counts():
    payload = frame(entry(1)).replace(b'"floor": 1', b'"floor": 7, "floor": 1')
    assert decode(payload).floor == 1


@pytest.mark.parametrize("score", ["0", 0.0, 1e3, True, -1, 10**18 + 1, [1], {}])
def test_a_score_is_a_whole_number_from_0_to_10_to_the_18(score: object):
    with pytest.raises(WireInvalid, match=r"^score"):
        PlayerScore.read({"player": 1, "score": score})


@pytest.mark.parametrize("score", [0, 2_147_483_648, 12_345_678_910, 10**18, None])
def test_a_score_survives_the_wire_to_the_last_digit(score: int | None):
    assert PlayerScore.decode(PlayerScore(player=1, score=score).encode()).score == score


@pytest.mark.parametrize("confidence", [1.01, -0.1, float("nan"), float("inf"), "1", None])
def test_a_confidence_lies_between_0_and_1(confidence: object):
    with pytest.raises(WireInvalid, match=r"^confidence"):
        PlayerScore.read({"player": 1, "score": 1, "confidence": confidence})


def test_an_unknown_kind_and_a_missing_machine_are_told_apart():
    with pytest.raises(WireInvalid, match=r"unknown kind game\.exploded"):
        read_fact("game.exploded", "mm-2", {})
    with pytest.raises(WireInvalid, match=r"game\.started names no machine"):
        read_fact("game.started", None, {"game": STREAM, "players": 1})


def test_what_is_packed_fits_and_decodes_to_the_same():
    at, sent = At(boot="b", mono_ms=1), Sent(boot="b", mono_ms=2)
    large = [
        Entry(seq=seq, id=STREAM, kind="x.y", machine="m", at=at, body={"text": "é" * 1_500}) for seq in range(1, 60)
    ]
    packed = pack(large, stream=STREAM, floor=1, sent=sent)
    assert 1 < len(packed.entries) < 32
    assert len(encode(packed)) <= SEND_LIMIT
    assert decode(encode(packed)) == packed
    small = [item.model_copy(update={"body": {}}) for item in large]
    assert len(pack(small, stream=STREAM, floor=1, sent=sent).entries) == 32


def test_the_largest_body_that_may_be_kept_can_be_sent():
    text = "x" * (ENTRY_LIMIT - 1024 - 9)
    check_body({"t": text})
    one = Entry(seq=1, id=STREAM, kind="x.y", machine="m" * 40, at=At(boot="b", mono_ms=1), body={"t": text})
    packed = pack([one], stream=STREAM, floor=1, sent=Sent(boot="b" * 64, mono_ms=2**53 - 1))
    assert len(encode(packed)) < FRAME_LIMIT
    with pytest.raises(WireInvalid, match="more than the"):
        check_body({"t": text + "xx"})


def test_the_deepest_body_that_may_be_kept_can_be_sent():
    body: dict[str, Any] = {}
    for _ in range(8):
        body = {"in": body}
    check_body(body)
    assert isinstance(decode(frame(entry(1, body=body))).entries[0], Entry)
    with pytest.raises(WireInvalid, match="nested deeper"):
        check_body({"in": body})
    with pytest.raises(WireInvalid, match="body"):
        check_body({"score": float("nan")})
    with pytest.raises(WireInvalid, match="body"):
        check_body({"score": object()})


@pytest.mark.parametrize("half", ["\ud800", "x\udc00y"])
def test_half_a_character_spoils_its_entry_alone(half: str):
    payload = frame(
        entry(1, body={"by_ms": 1, "unknown": half}), entry(2, body={"by_ms": 1, half: 2}), entry(3, body={"by_ms": 1})
    )
    first, second, third = decode(payload).entries
    assert isinstance(first, Unreadable)
    assert isinstance(second, Unreadable)
    assert "surrogate" in first.why
    assert isinstance(third, Entry)


def test_whole_characters_are_text_however_they_are_written():
    (found,) = decode(frame(entry(1, body={"by_ms": 1, "unknown": "\U0001f600 \\ud800"}))).entries
    assert isinstance(found, Entry)
    assert found.body["unknown"] == "\U0001f600 \\ud800"
