"""A desk on a real SQLite file, and frames as agents send them."""

import itertools
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.wire.frame import At, Entry, Frame, Sent
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Done
from server.core.venue.values import Place
from server.desk import Desk
from server.store.database import Store
from server.store.inbox import Delivery

ADMIN = Actor(name="ada", roles=frozenset({"admin"}))
OFFICIAL = Actor(name="olga", roles=frozenset({"official"}))
PLACE = Place(tournament="club")
HEAD = {
    "tournament": "Club night",
    "preset": "uk-kids",
    "timezone": "Europe/London",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 7)],
    "machines": [{"id": "m1", "name": "Machine One"}, {"id": "m2", "name": "Machine Two"}],
}
BEGIN = 1_800_000_000_000


class Clock:
    """Milliseconds since 1970, that move by one with each look."""

    def __init__(self) -> None:
        self.ms = itertools.count(BEGIN)

    def __call__(self) -> int:
        return next(self.ms)


class Pi:
    """An agent's stream: makes frames."""

    def __init__(self, name: str = "pi-1") -> None:
        self.name = name
        self.stream = str(uuid.uuid4())
        self.seq = 0
        self.boot = "boot-of-" + name

    def entry(self, kind: str, machine: str | None, body: dict) -> Entry:
        self.seq += 1
        return Entry(
            seq=self.seq,
            id=str(uuid.uuid4()),
            kind=kind,
            machine=machine,
            at=At(boot=self.boot, mono_ms=self.seq * 100),
            body=body,
        )

    def frame(self, *entries: Entry, floor: int = 1) -> Delivery:
        sent = Sent(boot=self.boot, mono_ms=self.seq * 100)
        frame = Frame(stream=self.stream, floor=floor, sent=sent, entries=entries)
        return Delivery(self.name, frame, BEGIN + self.seq * 100)

    def game(self, machine: str, *scores: int | None, how: str = "normal") -> tuple[str, list[Entry]]:
        game = str(uuid.uuid5(uuid.UUID(self.stream), str(self.seq + 1)))
        said = [{"player": n, "score": s, "confidence": 1.0} for n, s in enumerate(scores, start=1)]
        body = {"game": game, "how": how, "scores": said, "source": "wire"}
        started = {"game": game, "players": len(scores), "joined_late": False}
        return game, [self.entry("game.started", machine, started), self.entry("game.ended", machine, body)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the ledger lies."""
    return tmp_path / "inlane.sqlite3"


@pytest.fixture
def open_desk(path: Path) -> Iterator[Callable[[], Desk]]:
    """Opens a desk on the ledger, again and again; all are closed at the end."""
    opened: list[tuple[Desk, Store]] = []
    clock = Clock()

    def open_it() -> Desk:
        store = Store.open(str(path))
        desk = Desk(store, now=clock)
        opened.append((desk, store))
        return desk

    yield open_it
    for desk, store in opened:
        desk.close()
        store.close()


@pytest.fixture
def desk(open_desk: Callable[[], Desk]) -> Desk:
    """A desk with a club night opened."""
    made = open_desk()
    assert isinstance(made.submit(c.OpenTournament(id="club", head=HEAD), ADMIN), Done)
    return made
