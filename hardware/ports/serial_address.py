"""What an address such as `serial:///dev/serial/by-id/NAME?baud=115200` asks for: a device, and how its line is set.

Here: reading the address. Nothing is looked for and nothing opened. Invariant: an address that is accepted names one
device by something that stays the same, or leaves the choice to the machine's own name (`*`), or says `any_device=1`.
"""

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from hardware.errors import PortInvalid

FORM = "serial:///dev/serial/by-id/NAME?baud=115200 or serial://usb/SERIALNUMBER?baud=115200 (a serial line)"

_CHOICES: dict[str, tuple[str, ...]] = {
    "bits": ("5", "6", "7", "8"),
    "parity": ("none", "even", "odd", "mark", "space"),
    "stop": ("1", "1.5", "2"),
    "flow": ("none", "rtscts", "xonxoff"),
    "dtr": ("on", "off"),
    "rts": ("on", "off"),
    "any_device": ("0", "1"),
}
_RANGES = {"baud": (50, 12_000_000), "settle_ms": (0, 30_000), "interface": (0, 31)}
OPTIONS = tuple(sorted([*_CHOICES, *_RANGES]))

_NUMBER = re.compile(r"/dev/(ttyUSB|ttyACM|ttyXRUSB|rfcomm)\d+")
"""Names that the system deals out in the order in which devices appear: another device has it after a restart."""
_USB_ID = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a line is set. None for `dtr` and `rts`: as the system does when a device is opened."""

    baud: int = 115_200
    bits: int = 8
    parity: str = "none"
    stop: float = 1.0
    flow: str = "none"
    dtr: bool | None = None
    rts: bool | None = None
    settle_ms: int = 0
    """A board that starts anew when it is opened needs so long before it listens."""

    def __str__(self) -> str:
        return f"{self.baud} baud, {self.bits}{self.parity[0].upper()}{self.stop:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbName:
    """A device as its maker numbered it: the serial number, the kind (vendor and product), or both."""

    serial: str | None = None
    kind: tuple[int, int] | None = None
    interface: int | None = None
    """Which of the lines of a device that has several."""

    def __str__(self) -> str:
        parts = [f"{self.kind[0]:04x}:{self.kind[1]:04x}"] if self.kind else []
        return "/".join([*parts, *([self.serial] if self.serial else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """What is to be opened: a path, or a USB device wherever it is plugged in."""

    name: str | UsbName
    settings: Settings
    any_device: bool = False
    """A name that another device may get is taken all the same."""

    @property
    def choice(self) -> bool:
        """It fits several devices (`*`): the one is meant whose machine says the name that is expected."""
        return isinstance(self.name, str) and "*" in self.name

    @property
    def url(self) -> str:
        """The address without its settings."""
        return f"serial://usb/{self.name}" if isinstance(self.name, UsbName) else f"serial://{self.name}"


def parse_address(url: str) -> Address:
    """Read a `serial:` address. Raises PortInvalid: one line that says what is allowed."""
    try:
        parts = urlsplit(url)
        host, path = parts.netloc, unquote(parts.path)
    except ValueError:
        raise PortInvalid(f"{url!r}: such an address is {FORM}") from None
    options = read_options(url, parts.query, OPTIONS)
    if parts.fragment or "\0" in path:
        raise PortInvalid(f"{url!r}: such an address is {FORM}; a # in a name is written %23")
    settings = settings_of(options)
    any_device = options.get("any_device") == "1"
    if host == "usb":
        return Address(name=_usb_name(url, path, options), settings=settings, any_device=any_device)
    if "interface" in options:
        raise PortInvalid(f"{url!r}: interface is for serial://usb/… alone")
    if host:
        raise PortInvalid(f"{url!r}: a path needs three slashes (serial:///{host}{path}); such an address is {FORM}")
    if not path.startswith("/") or len(path) < 2 or path.endswith("/"):
        raise PortInvalid(f"{url!r}: such an address is {FORM}")
    if "*" in os.path.dirname(path):  # noqa: PTH120 -- a path as text
        raise PortInvalid(f"{url!r}: a * may stand behind the last / alone")
    return Address(name=os.path.normpath("/" + path.lstrip("/")), settings=settings, any_device=any_device)


def leaves_choice(url: str) -> bool:
    """Whether an address fits several devices, so that the machine must say which it is."""
    return url.startswith("serial:") and "*" in url.partition("?")[0]


def is_number(path: str) -> bool:
    """Whether it is a name that the system deals out anew, such as /dev/ttyUSB0."""
    return _NUMBER.fullmatch(path) is not None


def read_options(url: str, query: str, allowed: tuple[str, ...]) -> dict[str, str]:
    """What stands behind the `?`, each once and each allowed. Raises PortInvalid."""
    options: dict[str, str] = {}
    for key, value in parse_qsl(query, keep_blank_values=True, max_num_fields=50, separator="&"):
        if key not in allowed:
            raise PortInvalid(f"{url!r}: {key!r} is unknown; there are: {', '.join(allowed)}")
        if key in options:
            raise PortInvalid(f"{url!r}: {key} is given twice")
        options[key] = _checked(url, key, value)
    return options


def settings_of(options: dict[str, str]) -> Settings:
    """The line's settings among options that were read."""
    on = {None: None, "on": True, "off": False}
    return Settings(
        baud=int(options.get("baud", "115200")),
        bits=int(options.get("bits", "8")),
        parity=options.get("parity", "none"),
        stop=float(options.get("stop", "1")),
        flow=options.get("flow", "none"),
        dtr=on[options.get("dtr")],
        rts=on[options.get("rts")],
        settle_ms=int(options.get("settle_ms", "0")),
    )


def _checked(url: str, key: str, value: str) -> str:
    if key in _CHOICES:
        if value not in _CHOICES[key]:
            raise PortInvalid(f"{url!r}: {key} must be one of {', '.join(_CHOICES[key])}, not {value[:40]!r}")
        return value
    least, most = _RANGES[key]
    if not (value.isascii() and value.isdigit() and len(value) < 10 and least <= int(value) <= most):
        raise PortInvalid(f"{url!r}: {key} must be a number from {least} to {most}, not {value[:40]!r}")
    return value


def _usb_name(url: str, path: str, options: dict[str, str]) -> UsbName:
    parts = path.strip("/").split("/")
    kind = _USB_ID.fullmatch(parts[0])
    serial = parts[1:] if kind else parts
    if len(serial) > 1 or (not kind and not serial[0]) or any(not 0 < len(part) <= 200 for part in serial):
        raise PortInvalid(
            f"{url!r}: a USB device is serial://usb/SERIALNUMBER, serial://usb/VID:PID/SERIALNUMBER or, where there is"
            " only one of its kind, serial://usb/VID:PID"
        )
    return UsbName(
        serial=serial[0] if serial else None,
        kind=(int(kind[1], 16), int(kind[2], 16)) if kind else None,
        interface=int(options["interface"]) if "interface" in options else None,
    )
