"""`inlane-agent record`: what a machine's port brings goes to a file that `inlane-agent replay` reads.

The machine is spoken to as the agent does it, and what it says goes through the same capture, so that the progress
tells of games. Invariant: whatever ends it (time, Ctrl-C, a full disk), what was recorded until then is whole.
"""

import argparse
import asyncio
import importlib.metadata
import signal
import sys
import time
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.asked import adapt_profile, add_display_arguments, add_memory_arguments, asked_corners, with_map
from bridge.asked_device import add_device_arguments, asked_setup
from bridge.errors import InputInvalid

if TYPE_CHECKING:
    from bridge.recorder import Recorder
    from capture.dialects import Setup
    from capture.pipeline import Capture, Corners
    from hardware.ports.base import Port, PortEvent

MEGABYTES = 1_000
TELL_S = 10.0
"""How often progress is told where nobody watches a terminal; on one, every second."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--profile P --port URL` or `--config FILE`, `[--seconds N] [--megabytes N] [--force] FILE`, and more."""
    parser.add_argument(
        "file", metavar="FILE", help="where to: a file (packed if its name ends in .gz); a folder for a camera"
    )
    parser.add_argument("--profile", metavar="NAME", help="the machine's profile, or its .toml file")
    parser.add_argument("--port", metavar="URL", help="how the machine is heard, as in agent.toml")
    parser.add_argument("--config", type=Path, metavar="FILE", help="agent.toml, in place of both")
    parser.add_argument("--machine", metavar="M", help="which of its machines (needed where there are several)")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after so long (default: at Ctrl-C)")
    parser.add_argument(
        "--megabytes", type=int, default=MEGABYTES, metavar="N", help="stop when so much is written (default: 1000)"
    )
    parser.add_argument("--force", action="store_true", help="write over a recording that is there")
    add_device_arguments(parser)
    add_display_arguments(parser)
    add_memory_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Record until it is enough; 0 where something was heard or seen, 1 where nothing was."""
    from bridge.leaving import leave  # noqa: PLC0415 - help must be instant
    from bridge.recorder import Recorder  # noqa: PLC0415
    from capture.pipeline import Capture  # noqa: PLC0415
    from hardware.catalog import load_profile  # noqa: PLC0415
    from hardware.ports import open_port  # noqa: PLC0415

    if arguments.seconds is not None and not 0 < arguments.seconds <= 10**7:
        raise InputInvalid(f"--seconds must be more than 0 and at most 10000000, not {arguments.seconds:g}")
    if not 1 <= arguments.megabytes <= 10**6:
        raise InputInvalid(f"--megabytes must be between 1 and 1000000, not {arguments.megabytes}")
    source = _asked_source(arguments)
    profile, corners = with_map(load_profile(source.profile), arguments), asked_corners(arguments)
    if profile.kind == "display" or corners or arguments.digits or arguments.players:
        profile = adapt_profile(profile, arguments)
    port = open_port(source.port, now=_now, password=source.password)
    capture = Capture(profile, corners=corners or source.corners, setup=source.setup)
    title = (
        f"inlane {importlib.metadata.version('inlane')}, profile {profile.id}, {time.strftime('%Y-%m-%dT%H:%M:%S%z')}"
    )
    recorder = Recorder(
        Path(arguments.file), profile, title=title, budget=arguments.megabytes * 2**20, force=arguments.force
    )
    session = _Session(capture, recorder, arguments.file)
    asyncio.run(session.run(port, arguments.seconds))
    return leave(session.sum_up())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What is recorded."""

    profile: str
    port: str
    setup: "Setup"
    password: str | None = None
    corners: "Corners | None" = None


def _asked_source(arguments: argparse.Namespace) -> _Source:
    """By --profile and --port, or as agent.toml says, calibrations and all. Raises InputInvalid, ConfigInvalid."""
    from hardware.ports.serial_address import leaves_choice  # noqa: PLC0415 - help must be instant

    if arguments.config is None:
        if not arguments.profile or not arguments.port:
            raise InputInvalid("--profile and --port are needed, or --config agent.toml")
        if leaves_choice(arguments.port) and not arguments.device:
            raise InputInvalid(f"{arguments.port!r} fits several devices: --device must say which one is meant")
        setup = asked_setup(arguments)
        password = setup.secret.decode(errors="replace") if setup.secret else None
        return _Source(profile=arguments.profile, port=arguments.port, setup=setup, password=password)
    if arguments.profile or arguments.port or arguments.device or arguments.secret_file:
        raise InputInvalid("--profile, --port, --device and --secret-file are for a call without --config")
    from bridge.calibrated import with_calibrations  # noqa: PLC0415
    from bridge.config import load_config  # noqa: PLC0415

    config, _ = with_calibrations(load_config(arguments.config), arguments.config.parent)
    fitting = [part for part in config.machine if arguments.machine in {None, part.id}]
    if len(fitting) != 1:
        known = ", ".join(part.id for part in config.machine)
        raise InputInvalid(f"--machine must say which machine of {arguments.config} is meant, one of: {known}")
    part = fitting[0]
    if part.also:
        others = ", ".join(other.port for other in part.also)
        print(f"inlane-agent: only {part.port} is recorded; by --profile and --port also: {others}", file=sys.stderr)  # noqa: T201
    return _Source(profile=part.profile, port=part.port, setup=part.setup, password=part.password, corners=part.corners)


class _Session:
    """One recording: the port's events to the recorder and through capture."""

    def __init__(self, capture: "Capture", recorder: "Recorder", place: str) -> None:
        self._capture = capture
        self._recorder = recorder
        self._place = place
        self._begun = _now()
        self._games = {"game.started": 0, "game.ended": 0, "game.aborted": 0}
        self._trouble = ""
        self._why = ""
        self._shown = False

    async def run(self, port: "Port", seconds: float | None) -> None:
        """Until the time is over, somebody stops it, or there is no room."""
        from bridge.recorder import RecordingFull  # noqa: PLC0415 - help must be instant

        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        telling = asyncio.create_task(self._keep_telling())
        try:
            async with asyncio.timeout(seconds), port:
                await self._follow(port, stop)
        except TimeoutError:
            pass
        except RecordingFull as error:
            self._trouble = str(error)
        finally:
            telling.cancel()
            try:
                self._recorder.close()
            except RecordingFull as error:
                self._trouble = str(error)

    def sum_up(self) -> int:
        """Say what there is; the exit status."""
        heard = self._recorder.bytes or self._recorder.pictures
        self._say(self._progress(), last=True)
        if self._trouble:
            self._say(self._trouble, last=True)
        if not heard:
            self._recorder.discard()
            self._say(f"nothing came from the port{f': {self._why}' if self._why else ''}", last=True)
        return 0 if heard else 1

    async def _follow(self, port: "Port", stop: asyncio.Event) -> None:
        stopped = asyncio.create_task(stop.wait())
        async with aclosing(aiter(port)) as events:  # type: ignore[type-var]
            coming: asyncio.Task[PortEvent] = asyncio.ensure_future(anext(events))
            try:
                while not stopped.done():
                    due = self._capture.next_deadline()
                    patience = None if due is None else max(0, due - _now()) / 1000
                    await asyncio.wait({stopped, coming}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                    if coming.done():
                        try:
                            event = coming.result()
                        except StopAsyncIteration:
                            return
                        await self._take(event)
                        coming = asyncio.ensure_future(anext(events))
                    self._count(self._capture.tick(_now()))
                    if self._capture.mistaken:
                        port.look_elsewhere()
                    if out := self._capture.outgoing():
                        self._recorder.sent(out, _now())
                        await port.send(out)
            finally:
                for task in (stopped, coming):
                    task.cancel()
                await asyncio.gather(stopped, coming, return_exceptions=True)

    async def _take(self, event: "PortEvent") -> None:
        from hardware.ports.base import Closed, Frame  # noqa: PLC0415 - help must be instant

        if isinstance(event, Closed):
            self._why = event.why
        if isinstance(event, Frame):
            await asyncio.to_thread(self._recorder.take, event)
            self._count(await asyncio.to_thread(self._capture.feed, event))
        else:
            self._recorder.take(event)
            self._count(self._capture.feed(event))

    def _count(self, signals: list[Any]) -> None:
        from bridge.translate import translate  # noqa: PLC0415 - help must be instant

        for said in signals:
            fact = translate(said, game="game")
            if fact is not None and fact.kind in self._games:
                self._games[fact.kind] += 1
            if fact is not None and fact.kind == "fault.raised":
                self._why = f"{fact.body['fault']} {fact.body.get('detail') or ''}".strip()

    async def _keep_telling(self) -> None:
        while True:
            await asyncio.sleep(1 if sys.stderr.isatty() else TELL_S)
            self._say(self._progress())

    def _progress(self) -> str:
        begun, ended, aborted = self._games.values()
        parts = [f"{(_now() - self._begun) / 1000:.0f} s"]
        if self._recorder.bytes or not self._recorder.pictures:
            parts.append(f"{self._recorder.bytes:,} bytes")
        if self._recorder.pictures:
            parts.append(f"{self._recorder.pictures:,} pictures")
        parts.append(f"games: {begun} begun, {ended} ended{f', {aborted} aborted' if aborted else ''}")
        return f"{self._place}: {', '.join(parts)}"

    def _say(self, text: str, *, last: bool = False) -> None:
        """One line; on a terminal, progress is written over itself."""
        watched = sys.stderr.isatty()
        start = "\r\x1b[K" if watched and self._shown else ""
        sys.stderr.write(f"{start}{text}" + ("\n" if last or not watched else ""))
        sys.stderr.flush()
        self._shown = watched and not last


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
