"""Which device is meant: names that stay the same, found anew at each attempt.

Here: looking. Nothing is opened. Invariant: where two devices fit a name, none is chosen.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware.ports.peer import Lost
from hardware.ports.serial_address import Address, UsbName, is_number

BY_ID, BY_PATH = Path("/dev/serial/by-id"), Path("/dev/serial/by-path")
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A serial device that is plugged in now."""

    path: str
    kind: tuple[int, int] | None = None
    """USB vendor and product."""
    serial: str | None = None
    """Its USB serial number."""
    interface: int | None = None
    """Which line of a device that has several."""
    place: str | None = None
    """The socket it is plugged into."""


Listing = Callable[[], list[Device]]


def find(address: Address, listing: Listing) -> str | Lost:
    """The path of the device that is meant, or why there is none."""
    if isinstance(address.name, UsbName):
        return _find_usb(address, address.name, listing())
    path = address.name
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 -- a path as text: it may be no path at all
        resolved = os.path.realpath(path)
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError):
            return Lost(reason="refused", why=f"{path} cannot be looked at: permission denied")
        return Lost(reason="unplugged", why=f"{path} is not there: is it plugged in?{_hint(listing)}")
    if not stat.S_ISCHR(mode):
        return Lost(reason="refused", why=f"{path} is no serial device")
    if is_number(resolved) and not path.startswith("/dev/") and not address.any_device:
        return Lost(
            reason="refused",
            why=f"{path} leads to {resolved}, a number that another device may get; {stable_names(listing)}",
        )
    if path.startswith(f"{BY_ID}/") and (twin := _twin(resolved, listing())) is not None:
        return Lost(
            reason="refused",
            why=f"{path} may be {resolved} or {twin}, which call themselves alike and cannot be told apart: name the"
            f" socket instead, serial://{BY_PATH}/…",
        )
    return path


def choose(pattern: str, after: str | None) -> str | None:
    """The next path that fits a pattern (`*`), in the order of their names, round and round; None: there is none."""
    fitting = sorted(str(path) for path in Path(os.path.dirname(pattern)).glob(os.path.basename(pattern)))  # noqa: PTH119, PTH120 -- text
    return next((path for path in fitting if after is None or path > after), fitting[0] if fitting else None)


def stable_names(listing: Listing) -> str:
    """A line for a person: the names that stay the same of what is plugged in now."""
    try:
        names = [f"serial://{path}" for path in sorted(BY_ID.iterdir())]
    except OSError:
        names = []
    counted = [device.serial for device in listing() if device.serial]
    names += [f"serial://usb/{serial}" for serial in sorted(set(counted)) if counted.count(serial) == 1]
    if not names:
        return "no serial device with a name that stays the same is plugged in now"
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"plugged in now: {', '.join(names[:_MOST_SHOWN])}{more}"


def _twin(path: str, devices: list[Device]) -> str | None:
    """Another device of the same name in another socket: the system gives the name to the one that came last."""
    mine = next((device for device in devices if device.path == path), None)
    if mine is None or mine.kind is None:
        return None
    for device in devices:
        alike = (device.kind, device.serial, device.interface) == (mine.kind, mine.serial, mine.interface)
        if alike and device.place != mine.place:
            return device.path
    return None


def _find_usb(address: Address, name: UsbName, devices: list[Device]) -> str | Lost:
    fitting = [
        device
        for device in devices
        if device.kind is not None
        and (name.kind is None or device.kind == name.kind)
        and (name.serial is None or device.serial == name.serial)
        and (name.interface is None or device.interface == name.interface)
    ]
    if not fitting:
        told = stable_names(lambda: devices)
        return Lost(reason="unplugged", why=f"no device {name} is plugged in; {told}")
    if len(fitting) == 1:
        return fitting[0].path
    paths = ", ".join(sorted(device.path for device in fitting)[:_MOST_SHOWN])
    if len({device.interface for device in fitting}) == len(fitting):
        lines = ", ".join(f"interface={device.interface}" for device in fitting[:_MOST_SHOWN])
        return Lost(reason="refused", why=f"{address.url} has several lines ({paths}): say which, one of {lines}")
    return Lost(
        reason="refused",
        why=f"{len(fitting)} devices are called {name} ({paths}) and cannot be told apart: name the socket instead,"
        f" serial://{BY_PATH}/…",
    )


def _hint(listing: Listing) -> str:
    told = stable_names(listing)
    return "" if told.startswith("no ") else f" {told[0].upper()}{told[1:]}"
