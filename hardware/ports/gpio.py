"""The Pi's own pins as a port: `gpio://?power=22&tilt=17&slam=27&door=23&start=24&drain=25&call=5`.

Here: the address, gpiozero (the only file that imports it, and only when such a port is opened), and the lines that a
sensor's change becomes. What they mean is said by the dialect `lines`; bouncing is `gpio_contacts`. Invariant: pins are
read and never driven.
"""

import asyncio
import importlib
import warnings
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.gpio_contacts import Contact
from hardware.ports.tcp import Pauses


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """One kind of sensor: how long it must hold and rest, and what is said of it."""

    hold_ms: int
    rest_ms: int = 0
    on: str
    off: str | None = None
    """Said when a state ends; None: it is a moment."""


SENSORS = {
    "power": Sensor(hold_ms=300, on="POWER 1", off="POWER 0"),
    "tilt": Sensor(hold_ms=5, rest_ms=1000, on="TILT"),
    "slam": Sensor(hold_ms=5, rest_ms=1000, on="SLAM"),
    "door": Sensor(hold_ms=200, on="DOOR 1", off="DOOR 0"),
    "start": Sensor(hold_ms=30, rest_ms=100, on="START"),
    "drain": Sensor(hold_ms=30, rest_ms=300, on="DRAIN"),
    "call": Sensor(hold_ms=30, rest_ms=300, on="CALL"),
}
"""The names in an address. The bob and the slam switch touch for a few milliseconds alone."""
PINS = range(2, 28)
"""BCM numbers that the 40-pin header has and a HAT's memory does not take."""
_WARNING = "WARNING"
_FORM = "gpio://?power=22&tilt=17&slam=27&door=23&start=24&drain=25&call=5 (numbers are BCM numbers)"


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioAddress:
    """What an address says."""

    pins: dict[str, int]
    low: bool = True
    """A closed contact pulls the pin to ground."""
    inverted: frozenset[str] = frozenset()
    hold_ms: int | None = None
    """For every sensor, instead of its own."""
    bob: str = "tilt"

    def said(self, name: str, active: bool) -> bytes:  # noqa: FBT001 - what the contact is
        """The line of a change."""
        sensor = SENSORS[name]
        text = sensor.on if active else sensor.off or sensor.on
        return f"{_WARNING if name == 'tilt' and self.bob == 'warning' else text}\n".encode()


def parse(url: str) -> GpioAddress:
    """Understand an address. Raises PortInvalid naming the part and what is allowed."""
    try:
        parts = urlsplit(url)
        asked = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), max_num_fields=20)
    except ValueError:
        raise PortInvalid(f"{url!r}: such an address is {_FORM}") from None
    if parts.netloc or parts.path.strip("/"):
        raise PortInvalid(f"{url!r}: such an address is {_FORM}")
    pins: dict[str, int] = {}
    options: dict[str, str] = {}
    for name, text in asked:
        if name in pins or name in options:
            raise PortInvalid(f"gpio://: {name} stands there twice")
        if name in SENSORS:
            pins[name] = _whole(name, text, PINS.start, PINS.stop - 1)
        elif name in {"debounce_ms", "active", "invert", "bob"}:
            options[name] = text
        else:
            raise PortInvalid(f"gpio://: no {name!r} here; there are: {', '.join(SENSORS)}, and debounce_ms, active, "
                              "invert, bob")  # fmt: skip
    if not pins:
        raise PortInvalid(f"gpio://: no pin is named; such an address is {_FORM}")
    if len(set(pins.values())) < len(pins):
        raise PortInvalid("gpio://: two sensors are on one pin: each needs its own")
    inverted = frozenset(filter(None, options.get("invert", "").split(",")))
    if not inverted <= set(pins):
        raise PortInvalid(f"gpio://: invert is a list of the sensors that there are ({', '.join(pins)})")
    return GpioAddress(
        pins=pins,
        low=_choice(options, "active", ("low", "high")) == "low",
        inverted=inverted,
        hold_ms=_whole("debounce_ms", options["debounce_ms"], 0, 10_000) if "debounce_ms" in options else None,
        bob=_choice(options, "bob", ("tilt", "warning")),
    )


def open_url(url: str, *, now: Callable[[], int]) -> "GpioPort":
    """The port of an address. Raises PortInvalid, also where gpiozero is not installed."""
    address = parse(url)
    try:
        gpiozero = importlib.import_module("gpiozero")
    except ImportError:
        raise PortInvalid("gpio://: gpiozero is not installed: pip install gpiozero") from None
    # Which back ends it tries in vain is nothing for a log: what it lacks in the end is told by `port-lost`.
    warnings.filterwarnings("ignore", category=gpiozero.PinFactoryFallback)
    return GpioPort(address, gpiozero, url, now=now)


class GpioPort(Port):
    """Yields a line for each change that counts. Pins that cannot be had are tried again with back-off."""

    def __init__(self, address: GpioAddress, gpiozero: ModuleType, url: str, *, now: Callable[[], int]) -> None:
        self._address, self._gpiozero, self._url, self._now = address, gpiozero, url, now
        self._pauses = Pauses()
        self._stopped = asyncio.Event()
        self._stir = asyncio.Event()
        self._devices: list[Any] = []
        self._contacts: dict[str, Contact] = {}
        self._said: list[bytes] = []

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set() and (failed := self._open()):
            yield Closed(at=self._now(), reason="refused", why=failed)
            await self._pauses.rest(self._stopped)
        if not self._stopped.is_set():
            yield Opened(at=self._now(), port=self._url, passive=True)
            yield Chunk(at=self._now(), data=b"PING\n")
        while not self._stopped.is_set():
            self._advance()
            while self._said:
                yield Chunk(at=self._now(), data=self._said.pop(0))
            await self._wait()
        self._close()

    async def send(self, data: bytes) -> None:
        """Sensors hear nothing."""

    async def __aexit__(self, *_: object) -> None:
        """Let go of the pins."""
        self._stopped.set()
        self._stir.set()
        self._close()

    def _open(self) -> str | None:
        """Take the pins; a line for a person where that fails."""
        loop = asyncio.get_running_loop()
        address = self._address
        try:
            for name, pin in address.pins.items():
                sensor = SENSORS[name]
                device = self._gpiozero.DigitalInputDevice(pin, pull_up=address.low)
                self._devices.append(device)
                contact = Contact(
                    hold_ms=sensor.hold_ms if address.hold_ms is None else address.hold_ms,
                    rest_ms=sensor.rest_ms,
                    lasting=sensor.off is not None,
                    active=bool(device.is_active) != (name in address.inverted),
                    since=self._now(),
                )
                if not contact.lasting:
                    contact.told = contact.active  # what was closed before we came is no event
                self._contacts[name] = contact
                device.when_activated = self._teller(loop, name, active=True)
                device.when_deactivated = self._teller(loop, name, active=False)
        except Exception as error:  # noqa: BLE001 - gpiozero's back ends raise what they like
            self._close()
            if isinstance(error, self._gpiozero.BadPinFactory):
                return "the pins cannot be read: is this a Pi, with python3-lgpio, in an environment that sees it?"
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            return f"the pins cannot be read: {why} (does another program use them?)"
        return None

    def _teller(self, loop: asyncio.AbstractEventLoop, name: str, *, active: bool) -> Callable[[], None]:
        """What gpiozero's own thread calls at an edge."""
        level = active != (name in self._address.inverted)

        def tell() -> None:
            at = self._now()
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._edge, name, level, at)

        return tell

    def _edge(self, name: str, level: bool, at: int) -> None:  # noqa: FBT001 - the pin's level
        contact = self._contacts.get(name)
        if contact is not None:
            self._said += [self._address.said(name, active) for active in contact.edge(level, at)]
            self._stir.set()

    def _advance(self) -> None:
        """What has held for long enough by now."""
        now = self._now()
        for name, contact in self._contacts.items():
            self._said += [self._address.said(name, active) for active in contact.tick(now)]

    async def _wait(self) -> None:
        due = [at for contact in self._contacts.values() if (at := contact.deadline()) is not None]
        pause = max(1, min(due) - self._now()) / 1000 if due else None
        try:
            async with asyncio.timeout(pause):
                await self._stir.wait()
        except TimeoutError:
            return
        self._stir.clear()

    def _close(self) -> None:
        devices, self._devices = self._devices, []
        self._contacts.clear()
        for device in devices:
            device.close()


def _whole(name: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and least <= int(text) <= most):
        raise PortInvalid(f"gpio://: {name} is a whole number from {least} to {most}, not {text[:40]!r}")
    return int(text)


def _choice(options: dict[str, str], name: str, allowed: tuple[str, str]) -> str:
    value = options.get(name, allowed[0])
    if value not in allowed:
        raise PortInvalid(f"gpio://: {name} is {' or '.join(allowed)}, not {value[:40]!r}")
    return value
