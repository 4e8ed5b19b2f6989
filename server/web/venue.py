"""What the pages ask of the desk: the scene to show, commands to submit, the ledger to read. No HTML here.

A scene is built inside `Desk.reading`, where the state stands still, and everything made of it is frozen. The one
invariant: nothing of the state itself leaves that block.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from server.core.venue.commands import Command
from server.core.venue.filing import Happened
from server.core.venue.outcomes import Actor, Outcome
from server.core.venue.values import Json
from server.desk import Desk
from server.filing import from_record
from server.standings import Openness, Result
from server.store.database import Store
from server.web.views.scene import Agent, LiveScore, Scene

T = TypeVar("T")
SOON_S = 0.25
"""How long a page that shows more than standings waits for the rules before it shows what they said last."""
SCANNED = 4000
"""Ledger records read at most to fill one page of the log."""


class Venue:
    """The desk as the pages see it."""

    def __init__(self, desk: Desk, store: Store, *, now: Callable[[], int], zone: ZoneInfo) -> None:
        self.desk, self.store, self.now, self.zone = desk, store, now, zone
        self._asked: asyncio.Task[Result | None] | None = None
        self._said: Result | None = None

    def look(self, view: Callable[[Scene], T]) -> T:
        """What the view makes of the venue as it is now. The view must be quick: the writer waits."""
        agents = {
            name: Agent(
                name=name,
                state=life.state(self.now()),
                heard=life.heard,
                backlog=life.backlog,
                machines=life.status.machines if life.status is not None else (),
                notes=life.notes,
            )
            for name, life in self.desk.floor.agents().items()
        }
        live = {
            machine: tuple(
                LiveScore(player=s.player, score=s.score, accepted=s.accepted, ball=s.ball, up=s.up) for s in scores
            )
            for machine, scores in self.desk.floor.live().items()
        }
        with self.desk.reading() as state:
            return view(Scene(state=state, now=self.now(), zone=self.zone, live=live, agents=agents))

    async def submit(self, command: Command, actor: Actor, key: str | None) -> Outcome:
        """Submit a command and wait for what came of it. Raises StoreUnavailable."""
        return await asyncio.wrap_future(self.desk.submitted(command, actor, key))

    async def standings(self) -> Json | None:
        """The rules' output for the running tournament, each stage with `official`; None where there is none."""
        outcome, about = await self.standings_and_openness()
        if outcome is None:
            return None
        stages = [{**stage, "official": about[stage["id"]].official} for stage in outcome["stages"]]
        return {**outcome, "stages": stages}

    async def standings_and_openness(self) -> tuple[Json | None, Mapping[str, Openness]]:
        """The rules' output for the running tournament, and what is open in each stage."""
        with self.desk.reading() as state:
            current = state.current
        if current is None:
            return None, {}
        book = self.desk.standings
        found = book.ready(current) or await asyncio.to_thread(book.of, current)
        return (found.outcome, book.openness(found)) if found is not None else (None, {})

    async def outcome_soon(self) -> Json | None:
        """The rules' output for the running tournament; while they think about a new one, what they said last."""
        with self.desk.reading() as state:
            current = state.current
        if current is None:
            return None
        found = self.desk.standings.ready(current)
        if found is None:
            if self._asked is None or self._asked.done():
                self._asked = asyncio.create_task(asyncio.to_thread(self.desk.standings.of, current))
            await asyncio.wait({self._asked}, timeout=SOON_S)
            found = self._asked.result() if self._asked.done() else self._said
        if found is None or found.tournament != current:
            return None
        self._said = found
        return found.outcome

    def ledger(self, before: int | None, count: int, keep: Callable[[Any], bool]) -> tuple[list[Happened], int | None]:
        """The newest `count` events before a position that `keep` wants, newest first; and where more may be."""
        end = (before - 1) if before is not None else self.desk.hub.position
        found: list[Happened] = []
        scanned = 0
        while end > 0 and scanned < SCANNED:
            first = max(0, end - 500)
            for record in reversed(self.store.records(first, end - first)):
                happened = from_record(record)
                scanned += 1
                end = record.position - 1
                if happened is not None and keep(happened.event):
                    found.append(happened)
                    if len(found) == count:
                        return found, (end + 1 if end > 0 else None)
            end = min(end, first)
        return found, (end + 1 if end > 0 else None)
