"""Standings on request: what the rules give for a tournament, evaluated lazily and kept by version.

Readers only. The invariant: the answer is for exactly one version of the tournament, and says which.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from server.core import rules
from server.core.venue.book import Book, Page
from server.core.venue.state import State
from server.core.venue.values import Json

Reading = Callable[[], AbstractContextManager[State]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The rules' output for one version. `numbers` maps the rules' entry numbers (from 1) to the desk's."""

    tournament: str
    version: int
    outcome: Json
    numbers: tuple[int, ...]


class Standings:
    """The rules' answers, one evaluation for each version of a tournament. Any thread may ask."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._book = Book()
        self._lock = threading.Lock()
        self._evaluating: dict[str, threading.Lock] = {}

    def page(self, tournament: str) -> Page | None:
        """The tournament as the rules see it now, or None where there is no such tournament."""
        with self._turn(tournament):
            return self._page(tournament)

    def of(self, tournament: str) -> Result | None:
        """The standings now, or None where there is no such tournament. Blocks while the rules are evaluated."""
        with self._turn(tournament):
            page = self._page(tournament)
            if page is None:
                return None
            outcome = page.outcome
            if outcome is None:
                outcome = rules.evaluate(page.tournament)
                self._book.keep(tournament, page, outcome)
        return Result(tournament=tournament, version=page.version, outcome=outcome, numbers=page.numbers)

    def _page(self, tournament: str) -> Page | None:
        with self._reading() as state:
            if tournament not in state.tournaments:
                return None
            look = self._book.look(state, tournament)
        return self._book.read(look)

    def _turn(self, tournament: str) -> threading.Lock:
        with self._lock:
            return self._evaluating.setdefault(tournament, threading.Lock())
