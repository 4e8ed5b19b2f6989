# ruff: noqa: ANN401  (support modules are loaded by their path, so they have no type here)
"""A whole venue as processes: Mosquitto, `inlane-server run`, `inlane-agent run`, people and agents by commands."""

import contextlib
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from server.errors import ServerError
from server.ops.client import Client

PATIENCE_S = 60.0


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(what: Callable[[], Any], *, say: str, seconds: float = PATIENCE_S) -> Any:
    """Wait until something is there (not None, not False) and return it; trouble with the server passes meanwhile."""
    deadline = time.monotonic() + seconds
    last: object = None
    while time.monotonic() < deadline:
        try:
            last = what()
        except (ServerError, OSError) as error:
            last = error
        else:
            if last is not None and last is not False:
                return last
        time.sleep(0.1)
    raise AssertionError(f"{say}: not within {seconds:g} s; last seen: {last!r}")


class Venue:
    """The venue's folder and its processes."""

    def __init__(self, folder: Path, broker: int) -> None:
        self.folder, self.broker, self.port = folder, broker, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.config = folder / "server.toml"
        self.config.write_text(
            f'[http]\nhost = "127.0.0.1"\nport = {self.port}\nurl = "{self.url}"\n[broker]\nport = {broker}\n'
            '[venue]\nname = "Test hall"\ntimezone = "Europe/London"\n',
            encoding="utf-8",
        )
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def command(self, program: str, *words: str) -> str:
        """Run a subcommand to its end and return what it printed."""
        done = subprocess.run([*_program(program), *words], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, name: str, program: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen([*_program(program), *words], stdout=log, stderr=log)

    def start_server(self) -> None:
        self.start("server", "inlane-server", "run", "--config", str(self.config))
        wait_until(lambda: Client("127.0.0.1", self.port).get("/healthz"), say="the server is well")

    def start_agent(self, name: str, *machines: str) -> None:
        """Enrol an agent as an operator does: the printed configuration, with its machines put in."""
        path = self.folder / f"{name}.toml"
        if not path.exists():
            printed = self.command("inlane-server", "agent", "add", name, "--config", str(self.config))
            printed = printed.split("[[machine]]")[0].replace(f'host = "{socket.gethostname()}"', 'host = "127.0.0.1"')
            path.write_text(printed.replace('data = "data"', f'data = "{name}"') + "\n".join(machines), "utf-8")
        self.start(name, "inlane-agent", "run", "--config", str(path))

    def person(self, name: str, *roles: str) -> tuple[Client, str]:
        """Add somebody and log in; returns the client and the password."""
        words = [word for role in roles for word in ("--role", role)]
        said = self.command("inlane-server", "user", "add", name, *words, "--generate", "--config", str(self.config))
        password = re.search(r"once: (\S+)", said)
        assert password is not None, said
        client = Client("127.0.0.1", self.port)
        wait_until(lambda: client.log_in(name, password[1]) or True, say=f"{name} is logged in")
        return client, password[1]

    def kill(self, name: str, how: signal.Signals = signal.SIGKILL) -> None:
        process = self._running.pop(name)
        process.send_signal(how)
        process.wait(30)

    def close(self) -> None:
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        for process in self._running.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")


def _program(name: str) -> list[str]:
    return [str(Path(sys.executable).parent / name)]


@pytest.fixture
def venue(tmp_path: Path, mosquitto: Any) -> Iterator[Venue]:
    """A venue with its server running."""
    made = Venue(tmp_path, mosquitto.port)
    made.start_server()
    yield made
    made.close()


@pytest.fixture
def shared() -> Path:
    """The measured data beside the project."""
    place = Path(os.environ.get("INLANE_SHARED", Path(__file__).parents[3] / "shared")) / "data"
    if not place.is_dir():
        pytest.skip("the measured data is not beside the project (../shared/data)")
    return place


@pytest.fixture
def load() -> Callable[[str], ModuleType]:
    """Load a test's support module by its path below tests/; tests are no package."""

    def load_module(where: str) -> ModuleType:
        name = "inlane_" + re.sub(r"\W", "_", where)
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / where)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        return sys.modules[name]

    return load_module


@pytest.fixture
def until() -> Callable[..., Any]:
    """`wait_until`, for tests."""
    return wait_until


@pytest.fixture
def port() -> int:
    """A free port."""
    return free_port()
