"""What the system counts of a line's faults is said once, in words that tell a wrong speed from silence."""

import os

import pytest

from hardware.ports import serial_errors
from hardware.ports.serial_address import Settings
from hardware.ports.serial_errors import ENOUGH, ErrorWatch, Faults, count


def test_a_pseudo_terminal_counts_nothing():
    far, near = os.openpty()
    assert count(near) is None
    watch = ErrorWatch(near, "serial:///dev/x", Settings())
    watch.look(10_000)
    assert watch.told == ""
    os.close(far)
    os.close(near)


def test_framing_errors_name_the_speed_and_are_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    now = [Faults(speed=500, lost=7)]  # of an earlier opening
    monkeypatch.setattr(serial_errors, "count", lambda _: now[0])
    watch = ErrorWatch(0, "serial:///dev/x", Settings(baud=9600))
    watch.look(0)
    assert watch.told == ""
    for more, at in ((ENOUGH - 1, 2_000), (ENOUGH, 2_500), (ENOUGH, 3_000), (100, 4_000), (101, 5_000)):
        now[0] = Faults(speed=500 + more, lost=7)
        watch.look(at)
    assert "101 framing errors: 9600 baud, 8N1 is not how the machine speaks" in watch.told
    assert len(caplog.records) == 1
    now[0] = Faults(speed=601, lost=9)
    watch.look(6_000)
    assert "2 times bytes came faster" in watch.told
    assert len(caplog.records) == 2
