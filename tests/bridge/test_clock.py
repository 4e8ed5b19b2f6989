"""The clocks: what never steps, what is evidence, and how a step is noticed."""

import pytest

from bridge.clock import ManualClock, StepWatch, SystemClock, kernel_synced, sending, stamp, wall_text


def test_the_systems_clock_has_a_boot_and_does_not_go_back():
    clock = SystemClock()
    assert clock.boot == SystemClock().boot
    first = clock.mono_ms()
    assert 0 < first <= clock.mono_ms()
    assert clock.wall_ms() > 1_700_000_000_000
    assert isinstance(kernel_synced(), bool)
    assert sending(clock).boot == clock.boot


def test_a_moment_of_this_boot_gets_the_wall_time_it_had():
    clock = ManualClock(mono_ms=10_000, wall_ms=1_796_023_507_123, synced=True)
    at = stamp(clock, mono_ms=9_000)
    assert (at.mono_ms, at.wall, at.synced) == (9_000, "2026-11-30T07:25:06.123Z", True)


@pytest.mark.parametrize(
    ("wall_ms", "text"),
    [(0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (10**17, None), (-(10**17), None)],
)
def test_any_wall_clock_can_be_told_or_left_out(wall_ms: int, text: str | None):
    assert wall_text(wall_ms) == text
    assert stamp(ManualClock(wall_ms=wall_ms)).wall == text


def test_a_step_is_told_once_with_its_size_and_drift_adds_up():
    clock, watch = ManualClock(wall_ms=5_000), StepWatch()
    assert watch.look(clock) is None
    clock.advance(60_000)
    assert watch.look(clock) is None
    clock.set_wall(1_796_000_000_000)
    assert watch.look(clock) == 1_796_000_000_000 - 65_000
    assert watch.look(clock) is None
    clock.set_wall(clock.wall_ms() - 600_000)
    assert watch.look(clock) == -600_000
    for _ in range(2):
        clock.set_wall(clock.wall_ms() + 600)
        told = watch.look(clock)
    assert told == 1_200
