"""What all tests share: a real Mosquitto of one's own, on a free port of the loopback, that may be killed."""

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Mosquitto:
    """A broker process. `host` and `port` stay the same over `kill` and `restart`."""

    def __init__(self, folder: Path, program: str, settings: str = "allow_anonymous true") -> None:
        self.host = "127.0.0.1"
        self.port = _free_port()
        self._program = program
        self._log = folder / "mosquitto.log"
        self._conf = folder / "mosquitto.conf"
        self._conf.write_text(f"listener {self.port} {self.host}\npersistence false\nlog_type all\n{settings}\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        if self._process is not None:
            return
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([self._program, "-c", self._conf], stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection((self.host, self.port), 1):
                return
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"mosquitto does not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL: it forgets everything, and nobody is told."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright keeps an event loop in the main thread, which asynchronous tests need."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium, quiet and without a sandbox of its own."""
    return {"executable_path": "/usr/bin/chromium", "args": FLAGS}


@pytest.fixture
def start_mosquitto(tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    """Starts a Mosquitto with settings of one's own, in the words of mosquitto.conf."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        pytest.fail("mosquitto is not installed: scripts/setup says how")
    brokers: list[Mosquitto] = []

    def start(settings: str = "allow_anonymous true") -> Mosquitto:
        folder = tmp_path / f"mosquitto-{len(brokers)}"
        folder.mkdir()
        brokers.append(Mosquitto(folder, program, settings))
        return brokers[-1]

    yield start
    for broker in brokers:
        broker.kill()


@pytest.fixture
def mosquitto(start_mosquitto: Callable[..., Mosquitto]) -> Mosquitto:
    """A Mosquitto of this test's own that lets anybody in."""
    return start_mosquitto()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
