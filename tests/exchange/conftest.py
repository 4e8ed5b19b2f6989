"""A desk on a real SQLite file, and the way of a tournament into it and out again."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Done
from server.desk import Desk
from server.exchange.bringing import bring_members, bring_tournament
from server.exchange.tournaments import document_of, read_arrival
from server.store.database import Store
from server.tournament_file import dump

ADMIN = Actor(name="ada", roles=frozenset({"admin"}))
BEGIN = 1_800_000_000_000
HEAD: dict[str, Any] = {
    "tournament": "Club night",
    "preset": "uk-kids",
    "timezone": "Europe/London",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 7)],
    "machines": [{"id": "m1", "name": "Machine One"}],
}


class Venue:
    """A desk, and what is asked of it here."""

    def __init__(self, path: Path) -> None:
        clock = itertools.count(BEGIN)
        self.store = Store.open(str(path))
        self.desk = Desk(self.store, now=lambda: next(clock))

    def close(self) -> None:
        self.desk.close()
        self.store.close()

    def done(self, command: c.Command, actor: Actor = ADMIN) -> dict[str, Any]:
        outcome = self.desk.submit(command, actor)
        assert isinstance(outcome, Done), outcome
        return dict(outcome.result)

    def record(self, actor: Actor = ADMIN, why: str | None = None, *, despite: bool = False, **entry: object) -> int:
        command = c.RecordEntry(tournament="club", entry=entry, why=why, despite_rules=despite)
        return int(self.done(command, actor)["number"])

    def import_text(self, text: str, name: str = "club", *, current: bool = False) -> dict[str, Any]:
        arrival = read_arrival(text.encode(), name="x.yaml", id=name, current=current)
        outcome, told = bring_tournament(self.desk, arrival, ADMIN)
        assert isinstance(outcome, Done), outcome
        return dict(told)

    def import_table(self, text: str, part: str = "players", tournament: str = "club") -> dict[str, Any]:
        outcome, told = bring_members(self.desk, text.encode(), part, tournament, ADMIN, name="x.csv")
        assert isinstance(outcome, Done), outcome
        return dict(told)

    def tournament(self, name: str = "club") -> rules.Tournament:
        with self.desk.reading() as state:
            return rules.parse(document_of(state, name))

    def export_text(self, name: str = "club") -> str:
        return dump(self.tournament(name))

    def head(self, name: str = "club") -> dict[str, Any]:
        with self.desk.reading() as state:
            return dict(state.tournaments[name].head)


@pytest.fixture
def new_venue(tmp_path: Path) -> Iterator[Callable[[], Venue]]:
    """Opens venues, each with a fresh database."""
    opened: list[Venue] = []

    def open_one() -> Venue:
        opened.append(Venue(tmp_path / f"venue-{len(opened)}.sqlite3"))
        return opened[-1]

    yield open_one
    for venue in opened:
        venue.close()


@pytest.fixture
def venue(new_venue: Callable[[], Venue]) -> Venue:
    """A venue with a club night."""
    made = new_venue()
    made.done(c.OpenTournament(id="club", head=HEAD))
    return made
