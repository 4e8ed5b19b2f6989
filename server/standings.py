"""Standings on request: what the rules give for a tournament, evaluated lazily and kept by version.

Readers only: nobody here writes, and the writer waits only while the log is looked at. The invariant: the answer is
for exactly one version of the tournament, and says which.
"""

import json
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar

from server.core import rules
from server.core.rules.state import State as RulesState
from server.core.rules.teams.sheets import match_sheet, roster_sheet
from server.core.venue.book import Book, Page
from server.core.venue.closing import Open, Silence, open_in
from server.core.venue.state import State
from server.core.venue.values import Json

T = TypeVar("T")
Reading = Callable[[], AbstractContextManager[State]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The rules' output for one version. `numbers` maps the rules' entry numbers (from 1) to the desk's."""

    tournament: str
    version: int
    outcome: Json
    numbers: tuple[int, ...]
    page: Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Openness:
    """What is open in a stage, and whether it is official: closed, with nothing open or by an official's word."""

    open: tuple[Open, ...]
    official: bool
    despite: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The output as JSON, written once for a version: each stage without its last brace, all the rest, the numbers."""

    numbers: bytes
    stages: tuple[tuple[str, bytes], ...]
    rest: bytes


class Standings:
    """The rules' answers, one evaluation for each version of a tournament. Any thread may ask."""

    def __init__(self, reading: Reading, silent: Callable[[], tuple[Silence, ...]]) -> None:
        self._reading, self._silent = reading, silent
        self._book = Book()
        self._lock = threading.Lock()
        self._evaluating: dict[str, threading.Lock] = {}
        self._running: dict[str, rules.Running] = {}
        self._newest: dict[str, Result] = {}
        self._written: dict[str, tuple[Result, Written]] = {}
        self._open: dict[str, tuple[object, dict[str, Openness]]] = {}

    def page(self, tournament: str) -> Page | None:
        """The tournament as the rules see it now, or None where there is no such tournament."""
        with self._turn(tournament):
            return self._page(tournament)

    def adopt(self, tournament: str, page: Page) -> None:
        """Take over a page that the writer's book has read, so that nobody reads a long log twice."""
        with self._turn(tournament):
            self._book.adopt(tournament, page)

    def ready(self, tournament: str) -> Result | None:
        """The standings now if they are known already; never blocks for the rules."""
        known = self._newest.get(tournament)
        if known is None:
            return None
        with self._reading() as state:
            found = state.tournaments.get(tournament)
            return known if found is not None and found.version == known.version else None

    def of(self, tournament: str) -> Result | None:
        """The standings now, or None where there is no such tournament. Blocks while the rules are evaluated."""
        with self._turn(tournament):
            page = self._page(tournament)
            if page is None:
                return None
            known = self._newest.get(tournament)
            if known is not None and known.page is page:
                return known
            result = Result(
                tournament=tournament,
                version=page.version,
                outcome=self._running.setdefault(tournament, rules.Running()).evaluate(page.tournament),
                numbers=page.numbers,
                page=page,
            )
            self._newest[tournament] = result
        return result

    def written(self, result: Result) -> Written:
        """The standings as JSON; every number is exact."""
        kept = self._written.get(result.tournament)
        if kept is not None and kept[0] is result:
            return kept[1]
        stages = tuple((str(stage["id"]), as_json(stage)[:-1]) for stage in result.outcome.get("stages", ()))
        rest = as_json({key: value for key, value in result.outcome.items() if key != "stages"})
        made = Written(numbers=as_json(list(result.numbers)), stages=stages, rest=rest)
        self._written[result.tournament] = (result, made)
        return made

    def openness(self, result: Result) -> dict[str, Openness]:
        """For each stage of a result what is open in it; an official's word for it is good until it closes again."""
        silent = self._silent()
        with self._reading() as state:
            mark = (state.position, silent, result.version)
            kept = self._open.get(result.tournament)
            if kept is None or kept[0] != mark:
                found = {
                    str(stage["id"]): _openness(state, result, stage, silent)
                    for stage in result.outcome.get("stages", ())
                }
                kept = self._open[result.tournament] = (mark, found)
        return kept[1]

    def sheet(self, tournament: str, match: str) -> Json | None:
        """The score sheet of a match with the desk's numbers of entries; None where there is none. Blocks as `of`."""

        def ask(page: Page, known: RulesState) -> Json | None:
            found = known.matches.get(match)
            return (
                None if found is None else {**_headed(page, tournament), **_numbered(match_sheet(known, found), page)}
            )

        return self._ask(tournament, ask)

    def rosters(self, tournament: str) -> Json | None:
        """Every team with its roster over time."""

        def ask(page: Page, known: RulesState) -> Json:
            teams = [_numbered(roster_sheet(team, known.head.players), page) for team in known.teams.values()]
            return {**_headed(page, tournament), "teams": teams}

        return self._ask(tournament, ask)

    def sides(
        self, tournament: str, match: str, whose: Callable[[RulesState], frozenset[str]]
    ) -> tuple[str, ...] | None:
        """The teams of a match that are among those that `whose` gives; None where there is no such match."""

        def ask(_page: Page, known: RulesState) -> tuple[str, ...] | None:
            found = known.matches.get(match)
            if found is None:
                return None
            mine = whose(known)
            return tuple(team for team in found.teams if team in mine)

        return self._ask(tournament, ask)

    def _ask(self, tournament: str, ask: Callable[[Page, RulesState], T]) -> T | None:
        """Ask what the rules keep of a tournament, which stands still meanwhile; None where there is none."""
        with self._turn(tournament):
            page = self._page(tournament)
            if page is None:
                return None
            running = self._running.setdefault(tournament, rules.Running())
            return ask(page, running.state_after(page.tournament))

    def _page(self, tournament: str) -> Page | None:
        with self._reading() as state:
            if tournament not in state.tournaments:
                return None
            look = self._book.look(state, tournament)
        return self._book.read(look)

    def _turn(self, tournament: str) -> threading.Lock:
        with self._lock:
            return self._evaluating.setdefault(tournament, threading.Lock())


def _openness(state: State, result: Result, stage: Json, silent: Iterable[Silence]) -> Openness:
    name = str(stage["id"])
    close = result.page.closes.get(name) if stage["status"] == "closed" else None
    found = open_in(state, state.tournaments[result.tournament], name, close, silent)
    entry = state.entries.get((result.tournament, close.number)) if close is not None else None
    settled = entry is not None and state.settled.get((result.tournament, name), 0) > entry.position
    despite = f"an official closed it with {len(entry.open)} open" if entry is not None and entry.open else None
    settled = settled or not (found or stage.get("tiebreaks"))
    return Openness(open=found, official=stage["status"] == "closed" and settled, despite=despite)


def _headed(page: Page, tournament: str) -> Json:
    return {"tournament_id": tournament, "version": page.version}


def _numbered(sheet: Any, page: Page) -> Any:  # noqa: ANN401 - JSON
    """A sheet with the desk's numbers in the place of the rules' numbers of entries."""
    if isinstance(sheet, list):
        return [_numbered(one, page) for one in sheet]
    if not isinstance(sheet, dict):
        return sheet
    found = {key: _numbered(value, page) for key, value in sheet.items()}
    for key in ("entry", "ended"):
        if type(found.get(key)) is int:
            found[key] = page.numbers[found[key] - 1]
    if "confirmed" in found:
        found["confirmed"] = {team: page.numbers[entry - 1] for team, entry in found["confirmed"].items()}
    return found


def as_json(value: object) -> bytes:
    """JSON as the API sends it."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")
