# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""Fixtures for tests of the pages: a hall with a small tournament, and browsers of each role without a browser."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from starlette.testclient import TestClient


def load_hall() -> ModuleType:
    """`hall.py` beside this file; tests are no package."""
    if "inlane_test_hall" not in sys.modules:
        spec = importlib.util.spec_from_file_location("inlane_test_hall", Path(__file__).with_name("hall.py"))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["inlane_test_hall"] = module
        spec.loader.exec_module(module)
    return sys.modules["inlane_test_hall"]


PLAYERS = [
    {"id": "p1", "name": "Ann Example"},
    {"id": "p2", "name": "Ben Sample"},
    {"id": "p3", "name": "Zoë Müller"},
    {"id": "p4", "name": "Łukasz Nowak"},
]
MACHINES = [
    {"id": "mm", "name": "Medieval Madness", "players": 4},
    {"id": "tz", "name": "Twilight Zone", "players": 4},
    {"id": "afm", "name": "Attack from Mars", "players": 4},
]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Any]:
    """A hall with a tournament of four players and three machines, one agent."""
    hall = load_hall().Hall(tmp_path)
    hall.open(players=PLAYERS, machines=MACHINES)
    for machine in MACHINES:
        hall.says("machine.attached", machine["id"], port="sim://dmd", detail="a simulated machine")
    yield hall
    hall.close()


Login = Callable[[str | None], TestClient]


@pytest.fixture
def browse(hall: Any) -> Iterator[Login]:
    """`browse(role)` is a client logged in as that role; `browse(None)` is a stranger."""
    app = hall.app()
    clients: list[TestClient] = []

    def login(role: str | None) -> TestClient:
        client = TestClient(app, follow_redirects=False, raise_server_exceptions=False)
        clients.append(client)
        if role is not None:
            client.cookies.set("inlane", hall.token(role))
        return client

    yield login
    for client in clients:
        client.close()


@pytest.fixture
def display() -> Callable[..., bytes]:
    """`display(text, dim=None)`: a picture of a dot-matrix display."""
    found: Callable[..., bytes] = load_hall().display
    return found
