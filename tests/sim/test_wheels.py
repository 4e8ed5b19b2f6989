"""Score reels as mechanics: they step, carry, wait for each other, reset, and stick."""

from itertools import pairwise

import pytest

from hardware.sim.wheels import PULSE_MS, RESET_MS, STEP_MS, Wheels


def rest(wheels: Wheels, after: int) -> int | None:
    """What they show when everything has run."""
    return wheels.shown(after + 120_000)


@pytest.mark.parametrize("numbers", [(1,), (9, 1), (999, 1), (120, 880, 5), (50, 50, 50), (99_999,)])
def test_wheels_come_to_show_the_sum(numbers: tuple[int, ...]):
    wheels = Wheels(5)
    for at, number in enumerate(numbers):
        wheels.add(number, at * 20_000)
    assert rest(wheels, 100_000) == sum(numbers)


def test_past_its_last_digit_a_row_begins_again():
    wheels = Wheels(3)
    wheels.add(998, 0)
    wheels.add(7, 30_000)
    assert rest(wheels, 30_000) == 5


def test_a_carry_turns_all_its_wheels_at_once_and_no_number_shows_meanwhile():
    wheels = Wheels(4)
    wheels.add(999, 0)
    assert wheels.shown(20_000) == 999
    wheels.add(1, 20_000)
    middle = wheels.places(20_000 + STEP_MS // 2)
    assert middle == pytest.approx([9.5, 9.5, 9.5, 0.5])
    assert wheels.shown(20_000 + STEP_MS // 2) is None
    assert wheels.shown(20_000 + STEP_MS) == 1000


def test_points_of_one_kind_come_pulse_by_pulse():
    wheels = Wheels(3)
    wheels.add(30, 0)
    shown = [wheels.shown(at) for at in range(0, 4 * PULSE_MS, 5)]
    seen = [number for number, after in pairwise([*shown, None]) if number != after and number is not None]
    assert seen == [0, 10, 20, 30]


def test_a_new_game_steps_every_wheel_on_to_nought():
    wheels = Wheels(4)
    wheels.add(1907, 0)
    wheels.places(60_000)
    wheels.reset(60_000)
    assert wheels.shown(60_000 + RESET_MS // 2) is None
    assert wheels.places(60_000 + 3 * RESET_MS) == [0, 0, 0, 4]
    assert wheels.shown(60_000 + 9 * RESET_MS) == 0


def test_a_wheel_that_sticks_shows_no_number_for_seconds_and_then_the_right_one():
    wheels = Wheels(3, stick=1.0, seed=4)
    wheels.add(1, 0)
    assert wheels.shown(1000) is None
    assert wheels.places(1000)[0] == pytest.approx(0.5)
    assert rest(wheels, 0) == 1
