"""The server owns time: what an agent's clock says becomes server time, or is not certain."""

from hypothesis import given
from hypothesis import strategies as st

from server.timebase import WINDOW_MS, Timebase

BOOT = 1_800_000_000_000


def test_the_fastest_message_tells_best():
    base = Timebase()
    for delay in (40, 3, 200):
        base.observe("b", 1000, BOOT + 1000 + delay)
    assert base.convert("b", 5000, BOOT + 9000).ms == BOOT + 5003


def test_an_unknown_boot_is_not_certain_and_takes_the_time_of_receipt():
    moment = Timebase().convert("b", 5000, BOOT + 9000)
    assert (moment.ms, moment.certain) == (BOOT + 9000, False)


def test_a_new_boot_starts_afresh():
    base = Timebase()
    base.observe("b1", 1_000_000, BOOT + 1_000_000)
    base.observe("b2", 100, BOOT + 2_000_000)
    assert base.convert("b2", 200, BOOT + 3_000_000).ms == BOOT + 2_000_100
    assert base.convert("b1", 1_000_500, BOOT + 3_000_000).ms == BOOT + 1_000_500


def test_a_drifting_clock_is_followed():
    base = Timebase()
    for minute in range(120):
        mono = minute * 60_000
        base.observe("b", mono, BOOT + mono + minute * 3)
    late = 119 * 60_000
    assert abs(base.convert("b", late, BOOT + late + 357).ms - (BOOT + late + 357)) <= 3 * (WINDOW_MS // 60_000 + 1)


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 5000)), min_size=1), st.integers(0, 10**9))
def test_nothing_happens_after_it_was_heard_of_nor_before_it_happened(heard: list[tuple[int, int]], mono: int):
    base = Timebase()
    for at, delay in sorted(heard):
        base.observe("b", at, BOOT + at + delay)
    received = BOOT + mono + 7000
    moment = base.convert("b", mono, received)
    assert BOOT + mono <= moment.ms <= received


def test_a_clock_that_claims_ages_of_uptime_tells_nothing():
    for sent, at in ((2**53 - 1, 0), (2**53 - 1, 2**53 - 1), (5000, 2**53 - 1), (BOOT + 1, 5000)):
        base = Timebase()
        base.observe("b", sent, BOOT)
        moment = base.convert("b", at, BOOT)
        assert (moment.ms, moment.certain) == (BOOT, False)


@given(st.integers(0, 2**53 - 1), st.integers(0, 2**53 - 1))
def test_whatever_a_clock_says_a_time_lies_between_1970_and_the_receipt(sent: int, at: int):
    base = Timebase()
    base.observe("b", sent, BOOT)
    assert 0 <= base.convert("b", at, BOOT).ms <= BOOT
