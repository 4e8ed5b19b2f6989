"""A power cycle that the desk announced raises nothing; what still stands afterwards does."""

from typing import Any

import pytest

from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Refused
from server.core.venue.state import Malfunction

World = Any
DESK = Actor(name="dora", roles=frozenset({"desk"}))
KEEPER = Actor(name="kim", roles=frozenset({"scorekeeper"}))


def raised(world: World, *, ahead: int = 0) -> list[str]:
    found: list[Malfunction] = list(world.state.malfunctions.values())
    return [one.fault for one in found if one.raised(world.now + ahead)]


@pytest.mark.parametrize("fault", ["power-lost", "link-lost", "reset", "port-lost", "display-dark", "no-data"])
def test_an_announced_power_cycle_is_noted_and_calls_nobody(world: World, fault: str):
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=5, why="round two"), DESK)
    world.fact("fault.raised", fault=fault)
    assert raised(world) == []
    world.fact("fault.cleared", fault=fault)
    assert raised(world, ahead=10**7) == []
    assert [one.closed_why for one in world.state.malfunctions.values()] == ["the signal cleared"]


def test_what_does_not_come_back_is_raised_when_the_time_is_over(world: World):
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=5), DESK)
    world.fact("fault.raised", fault="power-lost")
    assert raised(world, ahead=4 * 60_000) == []
    assert raised(world, ahead=5 * 60_000) == ["power-lost"]


def test_other_faults_other_machines_and_later_ones_are_raised(world: World):
    world.fact("machine.attached", "m2", port="sim://bcp")
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=1), DESK)
    world.fact("fault.raised", fault="slam-tilt")
    world.fact("fault.raised", "m2", fault="power-lost")
    assert raised(world) == ["slam-tilt", "power-lost"]
    world.now += 60_000
    world.fact("fault.raised", fault="reset")
    assert raised(world) == ["slam-tilt", "power-lost", "reset"]


def test_no_machine_named_means_all_and_nought_minutes_ends_it(world: World):
    assert world.done(c.PlanPowerCycle(minutes=30), DESK)["machines"] == ["m1", "m2"]
    world.fact("fault.raised", "m2", fault="link-lost")
    assert raised(world) == []
    world.done(c.PlanPowerCycle(minutes=0), DESK)
    assert raised(world) == ["link-lost"]
    world.fact("fault.raised", "m1", fault="reset")
    assert raised(world) == ["link-lost", "reset"]


@pytest.mark.parametrize("minutes", [-1, 241])
def test_it_ends_by_itself_within_four_hours(world: World, minutes: int):
    assert isinstance(world.do(c.PlanPowerCycle(minutes=minutes), DESK), Refused)


def test_who_may_announce_it(world: World):
    assert isinstance(world.do(c.PlanPowerCycle(minutes=5), KEEPER), Refused)
    assert isinstance(world.do(c.PlanPowerCycle(machines=("m9",), minutes=5), DESK), Refused)


def test_what_a_person_reports_calls_somebody_though_a_power_cycle_was_announced(world: World):
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=5))
    world.done(c.ReportMalfunction(machine="m1", fault="reset"))
    assert raised(world) == ["reset"]


def test_what_was_said_during_it_and_comes_late_is_explained_though_it_was_prolonged_or_ended(world: World):
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=5))
    meanwhile = world.now + 1_000
    world.now += 60_000
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=5))
    world.fact("fault.raised", fault="power-lost", when=meanwhile)
    assert raised(world) == []
    world.fact("fault.cleared", fault="power-lost", when=meanwhile + 1)
    world.done(c.PlanPowerCycle(machines=("m1",), minutes=0))
    world.fact("fault.raised", fault="reset", when=meanwhile)
    world.fact("fault.cleared", fault="reset", when=meanwhile + 1)
    assert all(one.noted_until is not None for one in world.state.malfunctions.values())
    world.fact("fault.raised", fault="power-lost")
    assert raised(world) == ["power-lost"]
