"""The address of a simulated machine, `sim://KIND?name=value&…`: what it may say, and what is made of it.

Here: the kinds, the parameters (`PARAMETERS`, described in docs/agent.md), their limits and errors. Not here: pace and
port (`hardware.ports.sim`). Invariant: a parameter that is not understood is an error that names what there is.
"""

from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hardware.errors import PortInvalid
from hardware.sim import oracle
from hardware.sim.course import Course
from hardware.sim.life import Life
from hardware.sim.play import CALM, Habits
from hardware.sim.trouble import Trouble

SHOWN = ("dmd", "segments", "reels", "lcd", "lights")
"""Machines that a camera sees."""
DOTS = ("dndp", "dmdreader", "libdmdutil", "dmd-extensions")
WIRES = ("bcp", "vector", "memory", "lisy", "lines", "json", *DOTS)
"""Machines that talk, by the dialect that they speak; `DOTS` are those that say their display's dots."""
KINDS = (*WIRES, *SHOWN)
SIZES = ("128x16", "128x32", "192x64", "256x64")
COLOURS = MappingProxyType(
    {"dmd": ("amber", "red", "white", "blue", "full"), "segments": ("plasma", "red", "blue", "white", "vfd")}
    | dict.fromkeys(DOTS, ("full",))
)
RATES = tuple(field.name for field in fields(Habits) if field.name not in {"fewest", "most", "balls", "scale"})
TROUBLES = MappingProxyType(
    {
        "blur": (0, 10, "of the camera, 1 is ordinary"),
        "noise": (0, 10, "of the camera, 1 is ordinary"),
        "flicker": (0, 5, "of the display's refresh, 1 is ordinary"),
        "drift": (0, 5, "of the exposure, 1 is ordinary"),
        "glare": (0, 10, "room light on the glass, 1 is ordinary"),
        "reflection": (0, 1, "share of the time a heavy reflection hides some of the display"),
        "veil": (0, 1, "grey room light over all of the glass, 1 as bright as the display"),
        "jpeg": (0, 100, "quality to which each picture is squeezed; 0: not at all"),
        "bands": (0, 1, "depth of the bands that a short shutter leaves"),
        "shutter": (1, 500, "milliseconds that the shutter is open"),
        "bump": (0, 40, "the camera moves once by so many dots (or 128ths of the display's width)"),
        "bump_at": (0, 86_400, "second at which it does"),
        "dead": (0, 1, "share of dots or segments that never light"),
        "dim": (0, 1, "share of rows of dots, or of segments, that shine weakly"),
        "cut": (0, 0.9, "share of the display's width that something hides"),
        "dark_at": (0, 86_400, "second at which the display goes dark; 0: never"),
        "frozen_at": (0, 86_400, "second from which the camera shows one picture for ever; 0: never"),
        "wipes": (0, 1, "share of changes of screen that are wipes, pushes or fades (dmd)"),
    }
)
PARAMETERS = MappingProxyType(
    {
        "seed": "which machine and which games; the same seed plays the same games",
        "speed": "how many times faster than the real thing (0.1 to 1000)",
        "players": "players a game: a number, or from-to as in 1-4",
        "balls": "balls a game",
        "idle": "seconds of attract mode between two games, by the clock on the wall",
        "scale": "points of a weak hit; 0: the machine's own",
        "calm": "1: nothing goes wrong unless its rate is given",
        "start": "file whose content is a number of players: a game begins only when it is there, and it is removed",
        "truth": "file to which the true events are appended, one JSON object a line",
        "fps": "pictures a second (those that a camera sees)",
        "width": "of the pictures, in pixels",
        "height": "of the pictures, in pixels",
        "size": f"dots of the display: {', '.join(SIZES)} (dmd, and those that say their dots)",
        "colour": "of what shines; full: a colour display (dmd, segments, those that say their dots)",
        "segments": "7, 14 or 16 a cell (segments)",
        "glass": "lit or lcd (segments)",
        "digits": "cells or wheels of a score (segments, reels)",
        "zeros": "painted noughts behind the wheels (reels)",
        "stick": "chance that a wheel's step sticks for seconds (reels)",
    }
    | {name: told for name, (_, _, told) in TROUBLES.items()}
    | {
        rate: "seconds a ball lives, about" if rate == "ball_seconds" else f"chance of {rate.replace('_', ' ')}, 0 to 1"
        for rate in RATES
        if rate != "idle_seconds"
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stands before the camera, and the camera. Fields that a kind does not have are not looked at."""

    kind: str
    seed: int = 1
    width: int = 640
    height: int = 360
    fps: float = 5.0
    trouble: Trouble = field(default_factory=Trouble)
    most: int = 4
    """The most players of a game: so many score windows there are."""
    rows: int = 32
    columns: int = 128
    colour: str = ""
    segments: int = 7
    glass: str = "lit"
    digits: int = 7
    balls: int = 3
    zeros: int = 0
    stick: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A simulated machine's whole address."""

    setting: Setting
    habits: Habits
    speed: float
    start: Path | None
    truth: Path | None

    def live(self) -> Life:
        """Its life. Raises PortInvalid where the truth file cannot be used."""
        if self.truth and not self.truth.parent.is_dir():
            raise PortInvalid(f"sim://: the truth file cannot be used: there is no folder {self.truth.parent}")
        try:
            before = oracle.read(self.truth) if self.truth else []
        except (OSError, ValueError) as error:
            raise PortInvalid(f"the truth file cannot be used: {error}") from None
        first = 1 + max((event.game for event in before), default=0)
        course = Course(self.habits, self.setting.seed, first=first, waits=self.start is not None)
        return Life(course, speed=self.speed, start=self.start, truth=self.truth)


def parse(url: str) -> Address:
    """Understand an address. Raises PortInvalid naming the parameter and what is allowed."""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as an open bracket
        parts = urlsplit("")
    if parts.netloc not in KINDS or parts.path not in {"", "/"}:
        there = ", ".join(f"sim://{kind}" for kind in KINDS)
        raise PortInvalid(f"{url!r}: the simulated machines are {there}")
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in asked:
        if name not in PARAMETERS:
            raise PortInvalid(f"{url!r}: a simulated machine has no {name!r}; it has: {', '.join(PARAMETERS)}")
    setting = _setting(parts.netloc, asked)
    speed = _number(asked, "speed", 1, 0.1, 1000)
    return Address(
        setting=setting,
        habits=_habits(asked, setting, speed),
        speed=speed,
        start=Path(asked["start"]) if asked.get("start") else None,
        truth=Path(asked["truth"]) if asked.get("truth") else None,
    )


def _setting(kind: str, asked: dict[str, str]) -> Setting:
    columns, rows = (int(part) for part in _choice(asked, "size", "128x32", SIZES).split("x"))
    wide = {192: 960, 256: 1280}.get(columns, 640)
    trouble: dict[str, Any] = {}
    for name, (least, most, _) in TROUBLES.items():
        if name in asked:
            trouble[name] = _whole(asked, name, 0, 0, 100) if name == "jpeg" else _number(asked, name, 0, least, most)
    reels = kind == "reels"
    return Setting(
        kind=kind,
        seed=_whole(asked, "seed", 1, 0, 2**31 - 1),
        width=_whole(asked, "width", wide if kind == "dmd" else 640, 160, 1920),
        height=_whole(asked, "height", wide * 9 // 16 if kind == "dmd" else 360, 90, 1080),
        fps=_number(asked, "fps", 5, 0.2, 60),
        trouble=Trouble(**trouble),
        most=min(_span(asked, reels=reels)[1], 1 if kind == "lights" else 4),
        rows=rows,
        columns=columns,
        colour=_choice(asked, "colour", "", ("", *COLOURS.get(kind, ()))),
        segments=int(_choice(asked, "segments", "7", ("7", "14", "16"))),
        glass=_choice(asked, "glass", "lit", ("lit", "lcd")),
        digits=_whole(asked, "digits", 5 if reels else 7, 3, 10),
        balls=_whole(asked, "balls", 3, 1, 10),
        zeros=_whole(asked, "zeros", 1 if reels else 0, 0, 4),
        stick=_number(asked, "stick", 0, 0, 1),
    )


def _span(asked: dict[str, str], *, reels: bool = False) -> tuple[int, int]:
    """Fewest and most players."""
    fewest, _, most = asked.get("players", "1-2" if reels else "1-4").partition("-")
    span = {"players from": fewest, "players to": most or fewest}
    low = _whole(span, "players from", 1, 1, 8)
    return low, _whole(span, "players to", 4, low, 8)


def _habits(asked: dict[str, str], setting: Setting, speed: float) -> Habits:
    ordinary = CALM if _whole(asked, "calm", 0, 0, 1) else Habits()
    rates: dict[str, Any] = {
        name: _number(asked, name, getattr(ordinary, name), 0, 600 if name == "ball_seconds" else 1)
        for name in RATES
        if name != "idle_seconds"
    }
    fewest, most = _span(asked, reels=setting.kind == "reels")
    if setting.kind not in {"bcp", "lines", "json", "dmd", *DOTS}:  # no more players than windows, or slots
        fewest, most = min(fewest, setting.most), setting.most
    return replace(
        Habits(),
        fewest=fewest,
        most=most,
        balls=_whole(asked, "balls", 3, 1, 10),
        scale=_whole(asked, "scale", _scale(setting), 0, 10**6),
        idle_seconds=_number(asked, "idle", 20, 0, 86_400) * speed,
        **rates,
    )


def _scale(setting: Setting) -> int:
    """A weak hit's points, so that a game rarely goes past the digits that there are; 0: the machine's choice."""
    if setting.kind == "lights":
        return 1000
    if setting.kind not in {"segments", "reels", "lisy", "memory", "vector"}:
        return 0
    digits = setting.digits + (setting.zeros if setting.kind == "reels" else 0)
    return 1 if digits <= 5 else 10 if digits == 6 else 100


def _choice(asked: dict[str, str], name: str, otherwise: str, allowed: tuple[str, ...]) -> str:
    value = asked.get(name, otherwise)
    if value not in allowed:
        raise PortInvalid(f"sim://: {name} is one of {', '.join(filter(None, allowed)) or 'none here'}, not {value!r}")
    return value


def _number(asked: dict[str, str], name: str, otherwise: float, least: float, most: float) -> float:
    try:
        value = float(asked.get(name, otherwise))
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise PortInvalid(f"sim://: {name} is a number from {least:g} to {most:g}, not {asked.get(name)!r}")
    return value


def _whole(asked: dict[str, str], name: str, otherwise: int, least: int, most: int) -> int:
    text = asked.get(name, str(otherwise))
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most):
        raise PortInvalid(f"sim://: {name} is a whole number from {least} to {most}, not {text!r}")
    return int(text)
