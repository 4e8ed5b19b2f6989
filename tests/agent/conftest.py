"""A real broker, a real ingest on a real ledger, and the agent as a process of its own."""

import asyncio
import contextlib
import getpass
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bridge.clock import ManualClock, stamp
from bridge.evidence import EvidenceStore
from bridge.leftover import OpenGame
from bridge.link import Broker, PahoLink
from bridge.loopback import LoopbackBroker, LoopbackLink
from bridge.post import Post
from bridge.scribe import Scribe
from bridge.source import Source
from bridge.station import Station
from bridge.wire.frame import Entry
from bridge.wire.topics import Topics
from hardware.catalog import load_profile
from hardware.ports.base import Port
from server.desk import Desk
from server.ingest.listen import Listener, epoch_ms
from server.store.database import Store
from server.store.ledger import Record


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(true: Callable[[], bool], what: str, seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.05)


async def wait_until(true: Callable[[], object], what: str, seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        await asyncio.sleep(0.05)


@dataclass
class Mosquitto:
    """A broker on loopback; with `people` it asks for passwords."""

    folder: Path
    port: int
    people: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        config = f"user {getpass.getuser()}\nlistener {self.port} 127.0.0.1\npersistence false\n"
        config += f"allow_anonymous {str(not self.people).lower()}\n"
        if self.people:
            passwords = self.folder / "passwords"
            passwords.write_text("")
            for name, word in self.people.items():
                subprocess.run(["mosquitto_passwd", "-b", str(passwords), name, word], check=True, capture_output=True)
            config += f"password_file {passwords}\n"
        (self.folder / "mosquitto.conf").write_text(config)
        program = shutil.which("mosquitto", path="/usr/bin:/usr/sbin:/usr/local/sbin") or "mosquitto"
        self.process = subprocess.Popen(
            [program, "-c", str(self.folder / "mosquitto.conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

        def answers() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        wait_for(answers, "the broker listens")

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    if shutil.which("mosquitto", path="/usr/bin:/usr/sbin:/usr/local/sbin") is None:
        pytest.skip("there is no mosquitto on this computer")
    mosquitto = Mosquitto(tmp_path_factory.mktemp("mosquitto"), free_port())
    mosquitto.start()
    yield mosquitto
    mosquitto.kill()


@dataclass
class AgentProcess:
    """`inlane-agent run` on a configuration of the test's."""

    folder: Path
    broker_port: int
    machines: dict[str, tuple[str, str]]
    """Id: profile and port."""
    more: str = ""
    broker: str = ""
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def said(self) -> str:
        return (self.folder / "agent.log").read_text()

    def write(self) -> Path:
        lines = ['agent = "pi-1"', 'data = "data"', self.more, "[broker]", 'host = "127.0.0.1"']
        lines += [f"port = {self.broker_port}", self.broker]
        for name, (profile, port) in self.machines.items():
            lines += ["[[machine]]", f'id = "{name}"', f'profile = "{profile}"', f'port = "{port}"']
        file = self.folder / "agent.toml"
        file.write_text("\n".join(lines) + "\n")
        return file

    def start(self, *wrapper: str) -> None:
        command = [*wrapper, sys.executable, "-m", "bridge.cli", "run", "--config", str(self.write())]
        with (self.folder / "agent.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def end(self, number: int = signal.SIGTERM) -> int:
        assert self.process
        self.process.send_signal(number)
        status = self.process.wait(30)
        self.process = None
        return status


@pytest.fixture
def make_agent(tmp_path: Path) -> Iterator[Callable[..., AgentProcess]]:
    made: list[AgentProcess] = []

    def make(**how: object) -> AgentProcess:
        made.append(AgentProcess(folder=tmp_path, **how))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for agent in made:
        agent.kill()


@dataclass
class Server:
    """The real writer and the real ingest, on a file."""

    desk: Desk
    store: Store
    listener: Listener

    def facts(self, *kinds: str) -> list[Record]:
        records: list[Record] = []
        while page := self.store.records(records[-1].position if records else 0, 500):
            records += page
        found = [record for record in records if record.kind.startswith("fact.")]
        return [record for record in found if not kinds or record.kind.removeprefix("fact.") in kinds]


@contextlib.asynccontextmanager
async def serving(folder: Path, port: int) -> AsyncIterator[Server]:
    store = Store.open(f"sqlite:///{folder / 'ledger.sqlite'}")
    desk = Desk(store, now=epoch_ms)
    listener = Listener(PahoLink(Broker(host="127.0.0.1", port=port)), desk, topics=Topics())
    task = asyncio.create_task(listener.run())
    try:
        yield Server(desk, store, listener)
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        desk.close()
        store.close()


@pytest.fixture(name="until")
def patience() -> Callable[..., Any]:
    """Wait, with the event loop, until something is true."""
    return wait_until


@pytest.fixture(name="serving")
def server_on(broker: Mosquitto, tmp_path: Path) -> Callable[[], contextlib.AbstractAsyncContextManager[Server]]:
    """The server's receiving half: `async with serving() as server`."""
    return lambda: serving(tmp_path, broker.port)


class Bench:
    """An outbox with stations beside it, in this test's loop."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock(mono_ms=1_000, wall_ms=1_796_000_000_000)
        broker = LoopbackBroker()
        self.post = Post(
            folder / "outbox.sqlite", lambda: LoopbackLink(broker), agent="pi-1", clock=self.clock, topics=Topics()
        )
        self.pictures = EvidenceStore(folder / "evidence", budget=10**6)
        self.folder = folder

    def scribe(self, machine: str) -> Scribe:
        note = OpenGame(self.folder / f"playing-{machine}.json")
        return Scribe(machine, self.post, self.pictures, note=note, stamp=partial(stamp, self.clock))

    def station(self, machine: str, opening: Callable[[], Port]) -> Station:
        loop = asyncio.get_running_loop()
        source = Source(profile=load_profile("mpf-bcp"), open_port=opening)
        return Station(self.scribe(machine), [source], now=lambda: int(loop.time() * 1000))

    def entries(self, machine: str | None = None) -> list[Entry]:
        found = self.post.outbox.window(0, 10_000)
        return [entry for entry in found if machine in {None, entry.machine}]

    def kinds(self, machine: str | None = None) -> list[str]:
        return [entry.kind for entry in self.entries(machine)]


@pytest.fixture(name="bench")
def make_bench() -> type[Bench]:
    """Makes a bench on a folder."""
    return Bench
