"""A real server on a real socket with a real SQLite file, clients of each role, and an agent's frames."""

import asyncio
import itertools
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx2
import pytest
import uvicorn

from bridge.wire.frame import At, Entry, Frame, Sent
from server.accounts import Accounts
from server.desk import Desk
from server.evidence import Evidence
from server.services import LinkHealth, Services
from server.store.database import Store
from server.store.inbox import Delivery
from server.web.app import create_app

from .words import KIDS, TPC, ok

HEAD = {
    "tournament": "Club night",
    "preset": "uk-kids",
    "timezone": "Europe/London",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 7)],
    "machines": [{"id": "m1", "name": "Machine One"}, {"id": "m2", "name": "Machine Two"}],
}
PASSWORD = "correct horse"
ROLES = ("admin", "official", "scorekeeper", "desk", "captain", "viewer")


def now() -> int:
    return time.time_ns() // 1_000_000


class Running:
    """A server that runs in a thread until it is stopped."""

    def __init__(self, folder: Path) -> None:
        self.store = Store.open(str(folder / "inlane.sqlite3"))
        self.desk = Desk(self.store, now=now)
        self.accounts = Accounts(self.store, cheap=True)
        services = Services(
            store=self.store,
            desk=self.desk,
            accounts=self.accounts,
            evidence=Evidence(folder / "evidence", budget=8 * 2**20),
            zone=ZoneInfo("Europe/London"),
            venue="Test hall",
            now=now,
            broker=lambda: LinkHealth(state="up"),
        )
        self.door = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        config = uvicorn.Config(create_app(services), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
        self.web = uvicorn.Server(config)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.web.serve(sockets=[self.door])), daemon=True)
        self.thread.start()
        self.clients: list[httpx2.Client] = []

    def client(self, name: str | None = None) -> httpx2.Client:
        """A client, logged in or not."""
        client = httpx2.Client(base_url=self.base + "/api/v1", timeout=30)
        self.clients.append(client)
        if name is not None:
            answer = client.post("/login", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 200, answer.text
        return client

    def stop(self) -> None:
        """Stop everything."""
        for client in self.clients:
            client.close()
        self.desk.hub.close()
        self.web.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.door.close()
        self.desk.close()
        self.store.close()


class Agent:
    """An agent's stream, straight into the desk as ingest does it."""

    def __init__(self, desk: Desk, name: str = "pi-1") -> None:
        self.desk, self.name = desk, name
        self.stream, self.seq = str(uuid.uuid4()), itertools.count(1)

    def says(self, *facts: tuple[str, str, dict]) -> None:
        at = now()
        entries = tuple(
            Entry(seq=next(self.seq), id=str(uuid.uuid4()), kind=kind, machine=machine,
                  at=At(boot="boot", mono_ms=at), body=body)
            for kind, machine, body in facts
        )  # fmt: skip
        frame = Frame(stream=self.stream, floor=1, sent=Sent(boot="boot", mono_ms=at), entries=entries)
        self.desk.take([Delivery(self.name, frame, now())])

    def starts(self, machine: str) -> str:
        game = str(uuid.uuid4())
        self.says(("game.started", machine, {"game": game, "players": 1}))
        return game

    def ends(self, machine: str, game: str, score: int | None, confidence: float = 1.0, **more: object) -> None:
        said = [{"player": 1, "score": score, "confidence": confidence, **more}]
        self.says(("game.ended", machine, {"game": game, "how": "normal", "scores": said, "source": "camera"}))

    def plays(self, machine: str, score: int | None, confidence: float = 1.0, **more: object) -> str:
        game = self.starts(machine)
        self.ends(machine, game, score, confidence, **more)
        return game

    def plays_together(self, machine: str, *scores: int) -> str:
        """A game of several, read for certain."""
        game = str(uuid.uuid4())
        said = [{"player": n, "score": score, "confidence": 1.0} for n, score in enumerate(scores, 1)]
        body = {"game": game, "how": "normal", "scores": said, "source": "wire"}
        started = {"game": game, "players": len(scores), "joined_late": False}
        self.says(("game.started", machine, started), ("game.ended", machine, body))
        return game


def play(client: httpx2.Client, agent: Agent, machine: str, place: dict[str, Any], **scores: int) -> dict[str, Any]:
    """A game that an agent captures; returns it as the API shows it."""
    ok(client.post(f"/machines/{machine}/assign", json={"players": list(scores), **place}))
    game = agent.plays_together(machine, *scores.values())
    return ok(client.get(f"/games/{game}"))


@contextmanager
def serving(folder: Path, name: str, head: dict) -> Iterator[Running]:
    """A server with a user of each role (named like the role) and a tournament."""
    server = Running(folder)
    for role in ROLES:
        server.accounts.add_user(role, frozenset({role}), PASSWORD, now=now())
    answer = server.client("admin").post("/tournaments", json={"id": name, "head": head})
    assert answer.status_code == 200, answer.text
    yield server
    server.stop()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """A server of the test's own."""
    with serving(tmp_path, "club", HEAD) as server:
        yield server


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all tests of a module that only ask, or are refused: starting one takes longer than they do."""
    with serving(tmp_path_factory.mktemp("hall"), "kids", KIDS) as server:
        yield server


@pytest.fixture
def login(running: Running) -> Callable[[str | None], httpx2.Client]:
    """A client by role."""
    return running.client


@pytest.fixture
def agent(running: Running) -> Agent:
    """The agent pi-1."""
    return Agent(running.desk)


@pytest.fixture
def kids(login: Callable[[str | None], httpx2.Client]) -> None:
    """A tournament in which the two best of one stage go on."""
    ok(login("admin").post("/tournaments", json={"id": "kids", "head": KIDS}))


@pytest.fixture
def toronto(login: Callable[[str | None], httpx2.Client]) -> None:
    """A tournament with finals of six."""
    ok(login("admin").post("/tournaments", json={"id": "toronto", "head": TPC}))
