"""What may be asked of a camera, in its address or in the machine's configuration: names, limits, and how they merge.

Here: the options as data. Not here: how a camera is made to obey (`camera_v4l2`, `camera_pi`). Invariant: an option
that is None is left to the camera's own automatic; one that is given is fixed, and a camera that ignores it is told of.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hardware.errors import PortInvalid

WhiteBalance = float | tuple[float, float]
"""A colour temperature in kelvin (USB cameras), or the gains of red and blue (the Pi's own cameras)."""

FORMATS = ("auto", "mjpg", "yuyv", "grey")
LEAST_REFRESHES = 2
"""An exposure shorter than so many refresh periods of the display may miss digits that are lit in turn."""

_WHOLE = {"width": (160, 7680), "height": (90, 4320), "fps": (1, 240), "rate": (1, 240)}
_PARTS = {"exposure_ms": (0.05, 1000.0), "gain": (0.0, 65535.0), "focus": (0.0, 65535.0), "refresh_hz": (10.0, 5000.0)}
_KELVIN, _GAIN = (1000.0, 20_000.0), (0.1, 32.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraOptions:
    """Asked of a camera. `exposure_ms`, `gain`, `white_balance`, `focus`: as `inlane-agent calibrate` finds them."""

    width: int | None = None
    height: int | None = None
    fps: int | None = None
    rate: int = 10
    """Pictures a second that are decoded and handed on; the others are dropped unseen."""
    format: str = "auto"
    exposure_ms: float | None = None
    gain: float | None = None
    """In the camera's own units."""
    white_balance: WhiteBalance | None = None
    focus: float | None = None
    """In the camera's own units."""
    refresh_hz: float = 100.0
    """How often a second the display draws all of itself; 100 also covers lamps on the mains."""

    @property
    def least_exposure_ms(self) -> float:
        """The shortest exposure that shows all of the display."""
        return LEAST_REFRESHES * 1000 / self.refresh_hz

    def doubts(self) -> tuple[str, ...]:
        """What is asked for and yet unwise, a line each."""
        asked = self.exposure_ms
        if asked is None or asked >= self.least_exposure_ms - 0.05:
            return ()
        least = f"{self.least_exposure_ms:g} ms at {self.refresh_hz:g} a second"
        told = f"exposure_ms {asked:g} is shorter than two refresh periods of the display ({least})"
        return (f"{told}: parts of it may be dark in some pictures",)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """What a camera says it is set to; None for what it does not say."""

    exposure_ms: float | None = None
    gain: float | None = None
    white_balance: WhiteBalance | None = None
    focus: float | None = None


NAMES = tuple(field.name for field in fields(CameraOptions))


def parse_options(url: str, query: str) -> CameraOptions:
    """The options of an address's query. Raises PortInvalid naming the option and what is allowed."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=40)
    except ValueError:
        raise PortInvalid(f"{url[:200]!r}: more than 40 options") from None
    return CameraOptions(**{key: _option(url, key, value) for key, value in pairs})


def with_options(url: str, more: Mapping[str, object]) -> str:
    """The address with these options put in the place of its own; None takes one out."""
    address, _, query = url.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    for key, value in more.items():
        options.pop(key, None)
        if value is not None:
            options[key] = ",".join(f"{part:g}" for part in value) if isinstance(value, tuple | list) else f"{value}"
    return f"{address}?{urlencode(options, safe=',')}" if options else address


def _option(url: str, key: str, value: str) -> Any:  # noqa: ANN401 -- as its field has it
    if key in _WHOLE:
        least, most = _WHOLE[key]
        if not (value.isascii() and value.isdecimal() and len(value) < 6 and least <= int(value) <= most):
            raise PortInvalid(f"{url!r}: {key} is a whole number from {least} to {most}, not {value!r}")
        return int(value)
    if key in _PARTS:
        return _number(url, key, value, _PARTS[key])
    if key == "format":
        if value.lower() not in FORMATS:
            raise PortInvalid(f"{url!r}: format is one of {', '.join(FORMATS)}, not {value!r}")
        return value.lower()
    if key == "white_balance":
        red, comma, blue = value.partition(",")
        if comma:
            return _number(url, key, red, _GAIN), _number(url, key, blue, _GAIN)
        return _number(url, key, value, _KELVIN)
    raise PortInvalid(f"{url!r}: a camera has no {key!r}; it has: {', '.join(NAMES)}")


def _number(url: str, key: str, text: str, limits: tuple[float, float]) -> float:
    try:
        value = float(text) if len(text) < 40 else float("nan")
    except ValueError:
        value = float("nan")
    if not limits[0] <= value <= limits[1]:
        raise PortInvalid(f"{url!r}: {key} is a number from {limits[0]:g} to {limits[1]:g}, not {text!r}")
    return value
