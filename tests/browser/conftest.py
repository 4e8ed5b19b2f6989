# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""A real server on a free port with a real desk behind it, and Debian's Chromium in front of it."""

import importlib.util
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect

WAIT_MS = 20_000
expect.set_options(timeout=WAIT_MS)


def load_hall() -> ModuleType:
    """`tests/web/hall.py`; tests are no package."""
    if "inlane_test_hall" not in sys.modules:
        place = Path(__file__).parents[1] / "web" / "hall.py"
        spec = importlib.util.spec_from_file_location("inlane_test_hall", place)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["inlane_test_hall"] = module
        spec.loader.exec_module(module)
    return sys.modules["inlane_test_hall"]


class Served:
    """A hall whose pages are served; `cut` ends the server, `again` serves on the same port."""

    def __init__(self, hall: Any) -> None:
        self.hall = hall
        self.port = 0
        self.again()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def again(self) -> None:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self.port))
        self.port = listening.getsockname()[1]
        config = uvicorn.Config(self.hall.app(), log_level="error", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]}, daemon=True)
        self.thread.start()
        deadline = time.monotonic() + 20
        while not self.server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)
        self.listening = listening

    def cut(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.listening.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A hall with four players and three machines, served."""
    hall = load_hall().Hall(tmp_path)
    hall.open(
        players=[
            {"id": "p1", "name": "Ann Example"},
            {"id": "p2", "name": "Ben Sample"},
            {"id": "p3", "name": "Zoë Müller"},
            {"id": "p4", "name": "Łukasz Nowak"},
        ],
        machines=[
            {"id": "mm", "name": "Medieval Madness", "players": 4},
            {"id": "tz", "name": "Twilight Zone", "players": 4},
            {"id": "afm", "name": "Attack from Mars", "players": 4},
        ],
    )
    served = Served(hall)
    yield served
    served.cut()
    hall.close()


Open = Callable[..., Page]


@pytest.fixture
def open_as(browser: Browser, served: Served) -> Iterator[Open]:
    """`open_as(role, path, width=…, height=…)`: a page in a browser of its own, logged in, live. No script may fail."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(role: str | None, path: str, *, width: int = 1280, height: int = 800, live: bool = True) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, base_url=served.url)
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if "Content Security Policy" in said.text else None)
        if role is not None:
            context.add_cookies([{"name": "inlane", "value": served.hall.token(role), "url": served.url}])
        page.goto(path)
        if live:
            expect(page.locator("html")).to_have_attribute("data-live", "on")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []
