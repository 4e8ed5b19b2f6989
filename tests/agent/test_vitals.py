"""The faults of the computer itself: raised once, cleared once, also over a new start of the agent."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge import vitals
from bridge.vitals import DISK_LOW, DISK_WELL, Vitals

Given = Any
SET, UNSET = 1_796_000_000_000, 1_000_000
"""A wall clock in 2026, and one in 1970."""


class Computer:
    """What `hardware.pi` says, as a test wants it."""

    def __init__(self) -> None:
        self.free, self.weak = DISK_WELL, False

    def disk_free(self, folder: Path) -> int:
        del folder
        return self.free

    def undervoltage(self) -> bool:
        return self.weak

    def temperature(self) -> float:
        return 50.0


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Computer]:
    made = Computer()
    monkeypatch.setattr(vitals, "pi", made)
    return made


def said(desk: Given) -> list[tuple[str, str]]:
    return [(entry.kind, entry.body["fault"]) for entry in desk.entries()]


async def look(desk: Given, one: Vitals) -> None:
    desk.clock.advance(vitals.EVERY_MS)
    await one.watch()


async def test_each_fault_is_raised_once_and_cleared_once(tmp_path: Path, bench: Given, computer: Computer):
    desk = bench(tmp_path)
    one = Vitals(tmp_path, desk.clock, desk.post)
    await look(desk, one)
    assert said(desk) == []
    computer.free, computer.weak = DISK_LOW - 1, True
    desk.clock.set_wall(UNSET)
    for _ in range(3):
        await look(desk, one)
    faults = ["disk-low", "undervoltage", "clock-unsynced"]
    assert said(desk) == [("fault.raised", fault) for fault in faults]
    assert {entry.machine for entry in desk.entries()} == {None}
    computer.free, computer.weak = DISK_LOW + 1, False  # a little more room is not yet well
    desk.clock.set_wall(SET)
    await look(desk, one)
    assert said(desk)[3:] == [("fault.cleared", fault) for fault in faults[1:]]
    computer.free = DISK_WELL
    for _ in range(3):
        await look(desk, one)
    assert said(desk)[5:] == [("fault.cleared", "disk-low")]
    desk.post.close()


async def test_a_new_start_neither_raises_again_nor_forgets_to_clear(tmp_path: Path, bench: Given, computer: Computer):
    desk = bench(tmp_path)
    computer.free, computer.weak = DISK_LOW - 1, True
    await look(desk, Vitals(tmp_path, desk.clock, desk.post))
    desk.post.close()
    again = bench(tmp_path)
    one = Vitals(tmp_path, again.clock, again.post)
    await look(again, one)
    assert said(again) == [("fault.raised", "disk-low"), ("fault.raised", "undervoltage")]
    again.post.close()
    computer.weak = False
    last = bench(tmp_path)
    await look(last, Vitals(tmp_path, last.clock, last.post))
    assert said(last)[2:] == [("fault.cleared", "undervoltage")]
    last.post.close()
