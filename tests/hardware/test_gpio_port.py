"""The Pi's pins as a port, with gpiozero's own mock pins: addresses, bouncing, and what a sensor's change becomes."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from capture.pipeline import Capture
from capture.signals import FaultCleared, FaultRaised, GameStarted, MachineAttached
from hardware.catalog import load_profile
from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Chunk, Closed, Opened, PortEvent
from hardware.ports.gpio import SENSORS, parse
from hardware.ports.gpio_contacts import Contact


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before, factory = gpiozero.Device.pin_factory, MockFactory()
    gpiozero.Device.pin_factory = factory
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("gpio://", "no pin is named"),
        ("gpio://?power=1", "power is a whole number from 2 to 27"),
        ("gpio://?power=28", "from 2 to 27"),
        ("gpio://?power=x", "from 2 to 27"),
        ("gpio://?power=4&tilt=4", "two sensors are on one pin"),
        ("gpio://?power=4&power=5", "twice"),
        ("gpio://?powr=4", "no 'powr' here"),
        ("gpio://?power=4&active=up", "active is low or high"),
        ("gpio://?power=4&invert=door", "invert is a list"),
        ("gpio://?power=4&debounce_ms=-1", "debounce_ms is a whole number"),
        ("gpio://host/?power=4", "such an address is"),
        ("gpio://?power", "such an address is"),
    ],
)
def test_a_wrong_address_says_what_is_allowed(url: str, says: str):
    with pytest.raises(PortInvalid, match=says):
        open_port(url, now=lambda: 0)


def test_every_sensor_has_its_parameter():
    url = "gpio://?" + "&".join(f"{name}={pin}" for pin, name in enumerate(SENSORS, start=4))
    assert set(parse(url).pins) == set(SENSORS)


def test_a_moment_counts_once_and_not_before_it_has_rested():
    bob = Contact(hold_ms=5, rest_ms=1000)
    assert bob.edge(True, 0) == []
    assert bob.edge(False, 3) == []  # too short
    assert bob.edge(True, 10) == []
    assert bob.edge(False, 30) == [True]
    assert [bob.edge(level, at) for at, level in ((100, True), (120, False), (600, True), (650, False))] == [[]] * 4
    assert bob.tick(1_700) == []
    assert bob.edge(True, 2_000) == []
    assert bob.tick(2_005) == [True]
    assert bob.tick(9_000) == []
    assert bob.deadline() is None


def test_a_state_counts_when_it_has_stood():
    power = Contact(hold_ms=300, lasting=True, active=True, since=0)
    assert power.tick(299) == []
    assert power.tick(300) == [True]
    assert power.edge(False, 1000) == []
    assert power.edge(True, 1200) == []  # a dip
    assert power.tick(2000) == []
    assert power.edge(False, 3000) == []
    assert power.tick(3300) == [False]


def test_a_contact_that_was_closed_before_we_came_is_no_event():
    start = Contact(hold_ms=30, rest_ms=100, active=True, told=True)
    assert start.deadline() is None
    assert start.edge(False, 500) == []
    assert start.edge(True, 700) == []
    assert start.tick(730) == [True]


async def lines(events: AsyncIterator[PortEvent], wanted: int) -> list[str]:
    found: list[str] = []
    async with asyncio.timeout(10):
        while len(found) < wanted:
            event = await anext(events)
            if isinstance(event, Chunk):
                found.append(event.data.decode().strip())
    return found


async def test_what_the_pins_do_is_said_in_lines(pins: MockFactory):
    ticks = count(0, 400)  # every look at the clock is later than any bounce
    async with open_port("gpio://?power=22&door=23&call=5&tilt=17&bob=warning", now=lambda: next(ticks)) as port:
        events = aiter(port)
        assert isinstance(await anext(events), Opened)
        assert sorted(await lines(events, 3)) == ["DOOR 0", "PING", "POWER 0"]
        pins.pin(22).drive_low()
        assert await lines(events, 1) == ["POWER 1"]
        pins.pin(5).drive_low()
        assert await lines(events, 1) == ["CALL"]
        pins.pin(22).drive_high()
        assert await lines(events, 1) == ["POWER 0"]
        pins.pin(17).drive_low()
        assert await lines(events, 1) == ["WARNING"]


async def test_what_pins_say_makes_faults_and_no_games(pins: MockFactory):
    ticks = count(0, 400)
    capture = Capture(load_profile("gpio"))
    said = []
    async with open_port("gpio://?power=22&start=24&invert=power", now=lambda: next(ticks)) as port:
        events = aiter(port)

        async def hear(until: str) -> None:
            async with asyncio.timeout(10):
                async for event in events:
                    said.extend(capture.feed(event))
                    if isinstance(event, Chunk) and event.data.decode().strip() == until:
                        return

        await hear("POWER 1")
        pins.pin(24).drive_low()
        await hear("START")
        pins.pin(22).drive_low()
        await hear("POWER 0")
        pins.pin(22).drive_high()
        await hear("POWER 1")
    kinds = [(type(one).__name__, getattr(one, "fault", "")) for one in said]
    assert [one for one in said if isinstance(one, MachineAttached)]
    assert not [one for one in said if isinstance(one, GameStarted)]
    wanted = [(FaultRaised.__name__, "power-lost"), (FaultCleared.__name__, "power-lost")]
    assert kinds[1:] == wanted


async def test_pins_that_cannot_be_had_are_said_and_tried_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-pins")
    async with open_port("gpio://?power=22", now=lambda: 0) as port:
        event = await anext(aiter(port))
    assert isinstance(event, Closed)
    assert "the pins cannot be read" in event.why


async def test_a_computer_without_pins_is_told_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
):
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    async with open_port("gpio://?power=22", now=lambda: 0) as port:
        event = await anext(aiter(port))
    assert isinstance(event, Closed)
    assert "is this a Pi" in event.why
    assert not list(recwarn)  # nothing of gpiozero's own tries on standard error
