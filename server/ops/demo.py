"""The demo: a broker, a server, agents on simulated machines and a tournament under way, each a real process.

Everything lives in one temporary folder that goes when the demo ends. The processes are watched: whichever is killed is
started again, and nothing is lost, since that is what Inlane is for.
"""

import asyncio
import contextlib
import secrets
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware.sim.describe import PROFILES, corners_of, profile_text
from server.accounts import Accounts
from server.config import ServerConfig, load_config
from server.errors import InputInvalid, ServerError
from server.ops.broker import broker_command
from server.ops.cast import PER_AGENT, WIRES, Machine, machines
from server.ops.children import Child
from server.ops.client import Client
from server.ops.director import Director
from server.store.database import Store

READY_S = 60.0
BALL_SECONDS = 14
"""Shorter than most balls live, so that a watcher need not wait long for the first result."""
LOGINS = {
    "official": frozenset({"official"}),
    "desk": frozenset({"desk", "scorekeeper"}),
    "admin": frozenset({"admin"}),
}
AUTOPILOT = "autopilot"
"""The demo's own desk, which puts players on machines and decides what nobody else decides."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line asks."""

    port: int
    machines: int
    speed: float
    minutes: float | None
    folder: Path | None = None
    """Where to work and leave everything behind, for tests; None: a temporary folder that goes."""


async def run_demo(options: Options, say: Say) -> None:
    """Run the demo until it is interrupted or its minutes are over. Raises ServerError where it cannot start."""
    if not _is_free(options.port):
        raise InputInvalid(f"port {options.port} is in use: choose another with --port")
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="inlane-demo-")))
        await _play(_Stage(options, folder, say), stop)
    say("stopped; nothing is left behind" if options.folder is None else f"stopped; everything is in {folder}")


async def _play(stage: "_Stage", stop: asyncio.Event) -> None:
    children = stage.children()
    try:
        for child in children:
            child.start()
        await stage.wait_until_ready(stop)
        if stop.is_set():
            return
        stage.welcome()
        director = Director(stage.client(AUTOPILOT), stage.cast, stage.folder, say=stage.say)
        work = asyncio.create_task(_direct(director, stop))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), stage.options.minutes and stage.options.minutes * 60)
        stop.set()
        stage.say("stopping …")
        await work
    finally:
        for child in reversed(children):
            await child.stop()


async def _direct(director: Director, stop: asyncio.Event) -> None:
    """Let the director look around twice a second, in a thread; trouble with the server passes."""
    while not stop.is_set():
        await asyncio.to_thread(director.look_around)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 0.5)


class _Stage:
    """Everything that is set up before the curtain rises."""

    def __init__(self, options: Options, folder: Path, say: Say) -> None:
        self.options, self.folder, self.say = options, folder, say
        self.cast = machines(options.machines)
        self.password = secrets.token_urlsafe(6)
        self._broker = _free_port()
        self._config = self._configure()
        self._agents = self._enrol()

    def children(self) -> list[Child]:
        """Broker, server and agents, in the order in which they start."""
        name, broker = broker_command(self.folder, self._broker)
        program = [sys.executable, "-m"]
        made = [self._child(name, broker)]
        made.append(self._child("server", [*program, "server.cli", "run", "--config", str(self._config)]))
        for agent, path in self._agents.items():
            made.append(self._child(f"agent {agent}", [*program, "bridge.cli", "run", "--config", str(path)]))
        return made

    def client(self, name: str) -> Client:
        """Somebody who is logged in."""
        client = Client("127.0.0.1", self.options.port)
        client.log_in(name, self.password)
        return client

    async def wait_until_ready(self, stop: asyncio.Event) -> None:
        """Wait for the server to be well. Raises ServerError, with what it last said, where it does not come up."""
        client = Client("127.0.0.1", self.options.port)
        deadline = time.monotonic() + READY_S
        while not stop.is_set():
            with contextlib.suppress(ServerError):
                await asyncio.to_thread(client.get, "/healthz")
                return
            if time.monotonic() > deadline:
                last = (self.folder / "server.log").read_text("utf-8", "replace").strip().splitlines()[-1:]
                raise ServerError(f"the server did not start within {READY_S:g} s: {''.join(last)}")
            await asyncio.sleep(0.2)

    def welcome(self) -> None:
        """Say where to look."""
        base = f"http://127.0.0.1:{self.options.port}"
        self.say(f"{len(self.cast)} simulated machines are playing.")
        self.say(f"  {base}/board    standings, for the projector (no login)")
        self.say(f"  {base}/desk     the wall of machines")
        self.say(f"  {base}/review   readings that wait for an official: decide them, or the autopilot does")
        self.say(f"  {base}/machines and {base}/log say more")
        self.say(f"Log in as official, desk or admin; the password of each is {self.password}")
        self.say("Ctrl-C stops it.")

    def _child(self, name: str, argv: list[str]) -> Child:
        log = self.folder / f"{name.replace(' ', '-').lower()}.log"
        return Child(name=name, argv=argv, log=log, say=self.say)

    def _configure(self) -> Path:
        path = self.folder / "server.toml"
        path.write_text(
            f'[database]\nurl = "inlane.sqlite3"\n[http]\nhost = "127.0.0.1"\nport = {self.options.port}\n'
            f"[broker]\nport = {self._broker}\n"
            '[venue]\nname = "Harbour Lights Arcade"\ntimezone = "America/Toronto"\n',
            encoding="utf-8",
        )
        return path

    def _enrol(self) -> dict[str, Path]:
        """People and agents into the database, and each agent's configuration onto the disk."""
        config = load_config(self._config)
        store = Store.open(config.database.url)
        try:
            accounts = Accounts(store)
            now = time.time_ns() // 1_000_000
            for name, roles in (*LOGINS.items(), (AUTOPILOT, frozenset({"admin"}))):
                accounts.add_user(name, roles, self.password, now=now)
            groups = [self.cast[i : i + PER_AGENT] for i in range(0, len(self.cast), PER_AGENT)]
            return {
                f"pi-{number}": self._agent(f"pi-{number}", accounts.add_agent(f"pi-{number}", now=now), group, config)
                for number, group in enumerate(groups, 1)
            }
        finally:
            store.close()

    def _agent(self, name: str, token: str, group: tuple[Machine, ...], config: ServerConfig) -> Path:
        path = self.folder / f"{name}.toml"
        parts = [
            f'agent = "{name}"\ndata = "{name}"\n',
            f'[server]\nurl = "http://127.0.0.1:{config.http.port}"\ntoken = "{token}"\n',
            f'[broker]\nhost = "127.0.0.1"\nport = {self._broker}\n',
            *(self._machine(machine) for machine in group),
        ]
        path.write_text("\n".join(parts), encoding="utf-8")
        return path

    def _machine(self, machine: Machine) -> str:
        options = self.options
        files = f"truth={self.folder / machine.id}.truth&start={self.folder / machine.id}.start"
        more = f"seed={machine.seed}&speed={options.speed:g}&players=1&ball_seconds={BALL_SECONDS}&{files}"
        if machine.kind in WIRES:
            port = f"sim://{machine.kind}?{more}&slam_tilt=0.04&power_cut=0.03&ball_search=0.05"
            return f'[[machine]]\nid = "{machine.id}"\nprofile = "{PROFILES[machine.kind]}"\nport = "{port}"\n'
        url = f"sim://{machine.kind}?{more}&fps=4&reflection=0.03"
        profile = "dmd-128x32"
        if machine.kind != "dmd":  # where its windows are, its own profile says
            path = self.folder / f"{machine.id}.profile.toml"
            path.write_text(profile_text(url), encoding="utf-8")
            profile = str(path)
        corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in corners_of(url))
        return f'[[machine]]\nid = "{machine.id}"\nprofile = "{profile}"\nport = "{url}"\ncorners = [{corners}]\n'


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
