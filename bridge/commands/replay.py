"""`inlane-agent replay`: a recording through capture, printed as the facts that an agent would have stated.

Nothing is kept and nothing sent. Invariant: with `--json` each line is one JSON object whose body is the wire's own.
"""

import argparse
import asyncio
import json
import re
import sys
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.asked import adapt_profile, add_display_arguments, add_memory_arguments, asked_corners, with_map
from bridge.asked_device import add_device_arguments, asked_setup
from bridge.errors import InputInvalid

if TYPE_CHECKING:
    from capture.pipeline import Capture
    from hardware.profile import MachineProfile

_MOST_SENSELESS = 8 << 20
"""Bytes: 12 minutes of a serial line at 115200 baud."""
_GAMES = uuid.UUID("6a4f4a0c-2f5e-5d0a-9c1e-6d1f6a1f0b11")
"""A recording has no stream: its games are named within this one."""
_STATE = (
    "playing", "players", "player", "ball", "balls", "scores", "finals", "tilted", "slam_tilted", "warnings", "credits",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--profile NAME FILE [--json] [--machine M] [--rate N | --baud N] [--digits N] [--players N] [--corners ...]`."""
    parser.add_argument(
        "file", metavar="FILE",
        help="what was said, as lines or as raw bytes, or a dump of dots (each may be .gz), a video, or a folder of"
        " pictures named by milliseconds",
    )  # fmt: skip
    parser.add_argument("--profile", required=True, metavar="NAME", help="the machine's profile, or its .toml file")
    parser.add_argument("--machine", metavar="M", help="the machine's id in the output (default: the profile's)")
    parser.add_argument(
        "--rate", type=int, metavar="N",
        help="FILE is raw bytes that came so many a second (default, for profiles that speak in binary, lines and"
        " vector: as at 115200 baud; libdmdutil: ten times that)",
    )  # fmt: skip
    parser.add_argument("--baud", type=int, metavar="N", help="the same, as a serial line's speed: ten bits a byte")
    add_device_arguments(parser)
    add_display_arguments(parser)
    add_memory_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Replay the file; 0 when it was read to its end."""
    from capture.pipeline import Capture  # noqa: PLC0415 - help must be instant
    from hardware.catalog import load_profile  # noqa: PLC0415
    from hardware.ports.recordings import open_recording  # noqa: PLC0415

    profile = with_map(load_profile(arguments.profile), arguments, Path(arguments.file))
    corners = asked_corners(arguments)
    if profile.kind == "display" or corners or arguments.digits or arguments.players:
        profile = adapt_profile(profile, arguments)
    machine = arguments.machine or profile.id
    if not re.fullmatch(r"[a-z0-9-]{1,40}", machine):
        raise InputInvalid(f"--machine {machine!r}: an id has 1 to 40 of a-z, 0-9 and -")
    port = open_recording(Path(arguments.file), profile, rate=_asked_rate(arguments))
    printer = _Printer(machine, as_json=arguments.json)
    make = partial(Capture, profile, corners=corners, setup=asked_setup(arguments))
    asyncio.run(_replay(port, profile, make, printer))
    if not printer.told:
        print(f"inlane-agent: {arguments.file}: says nothing that profile {profile.id} understands", file=sys.stderr)  # noqa: T201
    if port.damaged:
        print(f"inlane-agent: {arguments.file}: {port.damaged} damaged {port.unit} were skipped", file=sys.stderr)  # noqa: T201
    return 0


def _asked_rate(arguments: argparse.Namespace) -> float | None:
    """Bytes a second at which raw bytes came, where that was said. Raises InputInvalid."""
    rate: int | None = arguments.rate
    if arguments.baud is not None:
        if rate is not None:
            raise InputInvalid("--rate and --baud say the same thing: one of them is enough")
        if not 50 <= arguments.baud <= 100_000_000:
            raise InputInvalid(f"--baud must be between 50 and 100000000, not {arguments.baud}")
        return float(arguments.baud / 10)
    if rate is not None and not 1 <= rate <= 1_000_000_000:
        raise InputInvalid(f"--rate must be between 1 and 1000000000 bytes a second, not {rate}")
    return rate


async def _replay(port: Any, profile: "MachineProfile", make: "Callable[[], Capture]", printer: "_Printer") -> None:  # noqa: ANN401
    """The events of the recording through capture; the port looks through it when it is entered."""
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415

    async with port:
        _check_size(port, profile)
        capture, senseless = make(), 0
        try:
            async for event in port:
                senseless = _count_senseless(capture, event, senseless)
                for signal in capture.feed(event):
                    printer.tell(signal)
                for live in capture.live():
                    printer.tell_live(live)
                if state := capture.state():
                    printer.tell_state(state, event.at)
        except VisionInvalid as error:
            raise InputInvalid(str(error)) from None


def _check_size(port: Any, profile: "MachineProfile") -> None:  # noqa: ANN401
    """Exact dots must be those of the profile's display: a score cut off at the edge would be another score."""
    size = getattr(port, "size", None)
    if size is None:
        return
    from hardware.displays import DotMatrix  # noqa: PLC0415

    display = profile.display
    if not isinstance(display, DotMatrix):
        raise InputInvalid(f"the recording is a dump of dots, but profile {profile.id!r} has no dot-matrix display")
    if size != (display.columns, display.rows):
        raise InputInvalid(
            f"the recording has {size[0]} x {size[1]} dots, the display of profile {profile.id!r} has"
            f" {display.columns} x {display.rows}: choose a profile of that size (see inlane-agent profiles)"
        )


def _count_senseless(capture: "Capture", event: Any, so_far: int) -> int:  # noqa: ANN401 - any port event
    """Bytes that came before anything made sense, -1 once it did. Raises InputInvalid where they are too many."""
    if so_far < 0 or capture.attached:
        return -1
    so_far += len(getattr(event, "data", b""))
    if so_far > _MOST_SENSELESS:
        raise InputInvalid(
            f"nothing in the first {_MOST_SENSELESS >> 20} MiB makes sense: is it the right profile, speed and device?"
        )
    return so_far


class _Printer:
    """Prints signals as facts, a live score only where it changed."""

    def __init__(self, machine: str, *, as_json: bool) -> None:
        self._machine = machine
        self._as_json = as_json
        self._games: dict[str, str] = {}
        self._shown: dict[int, tuple[str, object]] = {}
        self._state: dict[str, Any] = {}
        self.told = False
        """Whether anything was."""

    def tell(self, signal: Any) -> None:  # noqa: ANN401 - any signal
        from bridge.translate import game_id, translate  # noqa: PLC0415

        game = getattr(signal, "game", None)
        if game is not None and game not in self._games:
            self._games[game] = game_id(str(_GAMES), len(self._games) + 1)
        fact = translate(signal, game=self._games[game] if game is not None else None)
        if fact is not None:
            self._print(fact.kind, fact.at, fact.body)

    def tell_live(self, live: Any) -> None:  # noqa: ANN401 - ScoreLive
        if self._shown.get(live.player) == (live.game, (live.score, live.accepted)):
            return
        self._shown[live.player] = (live.game, (live.score, live.accepted))
        body = {
            "game": self._games[live.game],
            "player": live.player,
            "score": live.score,
            "confidence": live.confidence,
            "accepted": live.accepted,
        }
        self._print("score.live", live.at, body)

    def tell_state(self, state: Any, at: int) -> None:  # noqa: ANN401 - MachineState
        """What a machine's memory says, game or none; of what it does not say nothing."""
        said = {key: getattr(state, key) for key in _STATE}
        body = {key: list(one) if isinstance(one, tuple) else one for key, one in said.items() if one not in {None, ()}}
        if body != self._state:
            self._state = body
            self._print("state.seen", at, body)

    def _print(self, kind: str, at: int, body: dict[str, Any]) -> None:
        self.told = True
        if self._as_json:
            fact = {"kind": kind, "machine": self._machine, "at": {"mono_ms": at}, "body": body}
            sys.stdout.write(json.dumps(fact, ensure_ascii=False) + "\n")
        else:
            told = "  ".join(f"{key} {_shown(value)}" for key, value in body.items() if key != "game")
            sys.stdout.write(f"{at / 1000:10.3f}  {self._machine}  {kind:<17}{told}\n")


def _shown(value: object) -> str:
    """A value for a person: scores with their player, numbers with thousands apart."""
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    if isinstance(value, dict):
        score = value.get("score")
        return f"P{value.get('player')}={value.get('text', '?') + ' (?)' if score is None else _shown(score)}"
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
