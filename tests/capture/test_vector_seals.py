"""Whose datagram it is, and whether it is fresh."""

from capture.dialects.vector_lines import Push, parse_line
from capture.dialects.vector_seals import REMEMBERED, Seals, Verdict
from tests.capture.vector_board import push

SECRET = b"0123456789abcdef0123456789abcdef"
G, FOREIGN, FORGED, STALE, CONFUSED = (
    Verdict.GOOD, Verdict.FOREIGN, Verdict.FORGED, Verdict.STALE, Verdict.CONFUSED,
)  # fmt: skip


def signed(n: int, data: object = None, secret: bytes = SECRET, device: str = "39819ddb") -> Push:
    line = parse_line(push("game_state", data if data is not None else {"n": n}, secret=secret, n=n, device=device))
    assert isinstance(line, Push)
    return line


def plain(device: str = "39819ddb") -> Push:
    line = parse_line(push("reset", device=device))
    assert isinstance(line, Push)
    return line


def test_signed_datagrams_count_in_their_order_and_each_once():
    seals = Seals(None, SECRET)
    assert [seals.judge(signed(n)) for n in (1, 2, 2, 4, 3, 5)] == [G, G, STALE, G, STALE, G]
    assert seals.dropped[STALE] == 2


def test_with_a_secret_nothing_unsigned_and_nothing_signed_otherwise_counts():
    seals = Seals(None, SECRET)
    assert seals.judge(plain()) is FORGED
    assert seals.judge(signed(1, secret=b"another")) is FORGED
    assert seals.judge(signed(1, device="deadbeef", secret=b"another")) is FORGED  # and confuses nobody
    assert seals.judge(signed(1)) is G
    assert seals.dropped[FORGED] == 3


def test_a_changed_byte_breaks_the_signature():
    good = signed(1, {"Scores": [1000]})
    assert good.sealed is not None
    changed = parse_line(good.seal + good.sealed.replace(b"1000", b"9000"))
    assert isinstance(changed, Push)
    assert Seals(None, SECRET).judge(changed) is FORGED


def test_a_counter_that_begins_anew_is_followed():
    """The listener registered again, with the same secret."""
    seals = Seals(None, SECRET)
    for n in range(1, 100):
        seals.judge(signed(n, {"first": n}))
    assert [seals.judge(signed(n, {"second": n})) for n in (1, 2, 3)] == [G, G, G]
    assert seals.judge(signed(100, {"first": 100})) is G  # and upwards as ever


def test_a_counter_that_begins_anew_is_followed_though_its_first_datagrams_were_lost():
    seals = Seals(None, SECRET)
    for n in range(1, 100):
        seals.judge(signed(n, {"first": n}))
    assert [seals.judge(signed(n, {"second": n})) for n in (7, 8)] == [G, G]


def test_a_counter_that_begins_anew_after_a_few_datagrams_is_followed_at_once():
    seals = Seals(None, SECRET)
    assert [seals.judge(signed(n, {"first": n})) for n in (1, 2, 3)] == [G, G, G]
    assert [seals.judge(signed(n, {"second": n})) for n in (1, 2)] == [G, G]
    assert seals.judge(signed(3, {"first": 3})) is STALE


def test_a_recorded_datagram_never_counts_again_not_even_as_a_new_beginning():
    seals = Seals(None, SECRET)
    old = [signed(n, {"first": n}) for n in range(1, 100)]
    for one in old:
        seals.judge(one)
    assert {seals.judge(one) for one in old} == {STALE}
    assert seals.judge(signed(1, {"second": 1})) is G
    assert {seals.judge(one) for one in old} == {STALE}


def test_what_is_remembered_is_bounded():
    seals = Seals(None, None)
    for n in range(REMEMBERED + 10):
        seals.judge(Push(device="a", kind="reset", data=None, count=n, seal=b"%016x" % n, sealed=b"{}"))
    assert len(seals._taken) == REMEMBERED


def test_another_boards_datagrams_are_not_ours():
    seals = Seals("39819DDB", None)
    assert [seals.judge(plain(device)) for device in ("deadbeef", "39819ddb", "deadbeef")] == [FOREIGN, G, FOREIGN]


def test_of_two_boards_neither_counts_where_none_was_named():
    seals = Seals(None, None)
    assert [seals.judge(plain(device)) for device in ("39819ddb", "deadbeef", "39819ddb")] == [G, CONFUSED, CONFUSED]


def test_without_a_secret_a_signature_is_not_looked_at_but_the_counter_is():
    seals = Seals(None, None)
    assert [seals.judge(signed(n, secret=b"whatever")) for n in (1, 2, 1)] == [G, G, STALE]
