"""The server as a process: it starts without a broker, stops cleanly, and survives being killed."""

import json
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from .conftest import HEAD

DEADLINE = 60.0


class Server:
    """`inlane-server run` in a folder of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.log = folder / "server.log"
        self.clients: list[httpx2.Client] = []
        with self.log.open("ab") as log:
            argv = [sys.executable, "-m", "server.cli", "run", "--config", str(folder / "server.toml")]
            self.process = subprocess.Popen(argv, cwd=folder, stdout=log, stderr=log)

    def health(self) -> dict:
        deadline = time.monotonic() + DEADLINE
        while True:
            assert self.process.poll() is None, self.log.read_text()
            try:
                return httpx2.get(self.base + "/healthz").json()
            except httpx2.TransportError:
                assert time.monotonic() < deadline, self.log.read_text()
                time.sleep(0.1)

    def login(self) -> httpx2.Client:
        client = httpx2.Client(base_url=self.base + "/api/v1", timeout=DEADLINE)
        self.clients.append(client)
        assert client.post("/login", json={"name": "ada", "password": "long enough"}).status_code == 200
        return client

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(DEADLINE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.fixture
def port() -> int:
    """A port that is free."""
    return free_port()


@pytest.fixture
def folder(tmp_path: Path, port: int) -> Path:
    """A configuration with one admin; its broker is not there."""
    text = f'[http]\nhost = "127.0.0.1"\nport = {port}\n[broker]\nport = {free_port()}\n'
    (tmp_path / "server.toml").write_text(text, encoding="utf-8")
    argv = [sys.executable, "-m", "server.cli", "user", "add", "ada", "--role", "admin"]
    subprocess.run(argv, cwd=tmp_path, input="long enough\n", text=True, check=True, capture_output=True)
    return tmp_path


@pytest.fixture
def start(folder: Path, port: int) -> Iterator[Callable[[], Server]]:
    """Starts the server; none is left behind."""
    started: list[Server] = []

    def start_it() -> Server:
        started.append(Server(folder, port))
        return started[-1]

    yield start_it
    for server in started:
        for client in server.clients:
            client.close()
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def test_without_a_broker_it_serves_and_says_so(start: Callable[[], Server]):
    health = start().health()
    assert (health["status"], health["parts"]["broker"]["ok"], health["parts"]["writer"]["ok"]) == (
        "degraded",
        False,
        True,
    )


def test_it_stops_cleanly_with_a_stream_open_and_comes_back_with_everything(start: Callable[[], Server]):
    server = start()
    server.health()
    client = server.login()
    assert client.post("/tournaments", json={"id": "club", "head": HEAD}).status_code == 200
    with client.stream("GET", "/events", headers={"Last-Event-ID": "0"}) as stream:
        lines = stream.iter_lines()
        while not next(lines).startswith("data: "):
            pass
        assert server.end(signal.SIGTERM) == 0
    assert "Traceback" not in server.log.read_text()

    server = start()
    server.health()
    client = server.login()
    game = {"machine": "m1", "scores": {"p1": 12345678901}}
    assert client.post("/tournaments/current/games", json=game, headers={"Idempotency-Key": "k"}).status_code == 200
    assert server.end(signal.SIGKILL) == -signal.SIGKILL

    server = start()
    server.health()
    client = server.login()
    again = client.post("/tournaments/current/games", json=game, headers={"Idempotency-Key": "k"}).json()
    assert again["again"] is True
    text = client.get("/tournaments/current/standings").text
    assert [row["score"] for row in json.loads(text)["stages"][0]["standings"]] == [12345678901]
    assert server.end(signal.SIGINT) == 0


def test_a_second_server_on_the_database_ends_with_one_line(start: Callable[[], Server], folder: Path):
    server = start()
    server.health()
    text = (folder / "server.toml").read_text().replace("port =", "port = 0 #", 1)
    (folder / "other.toml").write_text(text, encoding="utf-8")
    argv = [sys.executable, "-m", "server.cli", "run", "--config", "other.toml"]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "another server is running on it" in done.stderr


def test_a_port_in_use_is_one_line(folder: Path, port: int):
    with socket.create_server(("127.0.0.1", port)):
        argv = [sys.executable, "-m", "server.cli", "run", "--config", "server.toml"]
        done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"port {port}" in done.stderr


def test_a_full_disk_refuses_what_is_to_be_kept_in_plain_words_and_shows_the_rest(
    start: Callable[[], Server], folder: Path
):
    server = start()
    server.health()
    client = server.login()
    assert client.post("/tournaments", json={"id": "club", "head": HEAD}).status_code == 200
    limit = max(file.stat().st_size for file in folder.glob("inlane.sqlite3*"))
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    game = {"machine": "m1", "scores": {"p1": 5}}
    deadline = time.monotonic() + DEADLINE
    while (answer := client.post("/tournaments/current/games", json=game)).status_code == 200:
        assert time.monotonic() < deadline, "the disk does not fill"
    assert answer.status_code == 503
    assert "nothing was done" in answer.json()["error"]
    health = httpx2.get(server.base + "/healthz")
    assert (health.status_code, health.json()["parts"]["writer"]["ok"]) == (503, False)
    known = client.post("/login", json={"name": "ada", "password": "long enough"})
    assert known.status_code == 503, known.text
    assert "nothing was done" in known.json()["error"]
    assert client.get("/tournaments/current/standings").status_code == 200
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert client.post("/tournaments/current/games", json=game).status_code == 200
    assert httpx2.get(server.base + "/healthz").status_code == 200
    assert server.end(signal.SIGTERM) == 0
    assert "Traceback" not in server.log.read_text()


def test_a_command_on_a_full_disk_ends_with_one_line(folder: Path):
    for words in (["user", "add", "bea", "--role", "desk"], ["agent", "add", "pi-1"]):
        argv = ["prlimit", "--fsize=1:", sys.executable, "-m", "server.cli", *words]
        done = subprocess.run(
            argv, cwd=folder, input="long enough\n", capture_output=True, text=True, check=False, timeout=DEADLINE
        )
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert "Traceback" not in done.stderr
