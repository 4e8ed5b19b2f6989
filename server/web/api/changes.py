"""What changes a tournament's log over HTTP: entries, games typed in, moves, undo and restore, people who leave.

Where something that was settled has changed, the answer tells it under `told`: ranks in closed stages, who goes on,
fields that stand, entries that the rules now refuse. The invariant: nothing follows from what is told.
"""

import asyncio
from typing import Any

from fastapi import APIRouter

from server.consequences import told
from server.core.venue import commands as c
from server.core.venue.outcomes import Done
from server.standings import Result
from server.web.api import bodies
from server.web.api.door import Answer, Door, Key, StrictRoute, Visitor, answer
from server.web.api.tournaments import EntryNumber, Name, T
from server.web.auth import Person

BESIDE = ("why", "based_on", "despite_rules", "despite_open", "despite_recusal")
"""What a body may say beside the entry."""


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])
    _add_entries(api, door)
    _add_changes(api, door)
    _add_leaving(api, door)
    return api


async def tell(
    door: Door, command: c.Command, person: Person, key: str | None, tournament: str | None = None
) -> Answer:
    """Submit a command and say, beside what came of it, what it did to what was settled in its tournament."""
    name = getattr(command, "tournament", tournament)
    before = None if name is None else await door.result(name)
    closes = isinstance(command, c.RecordEntry) and "close" in command.entry
    changes = not isinstance(command, c.RecordEntry) and bool(before and before.page.tournament.head.teams)
    if before is None or not (before.page.closes or closes or changes):
        return await door.submit(command, person, key)
    outcome = await door.outcome(command, person, key)
    if not isinstance(outcome, Done) or outcome.again:
        return answer(outcome)
    found = await asyncio.to_thread(_told, door, before)
    return answer(outcome, **({"told": found} if found else {}))


async def record_entry(
    door: Door, tournament: str, entry: dict[str, Any], body: bodies.Body, person: Person, key: str | None
) -> Answer:
    """Record one entry of a tournament's log, with what the body says beside it: why, despite what, based on what."""
    said = {name: getattr(body, name) for name in BESIDE if hasattr(body, name)}
    return await tell(door, c.RecordEntry(tournament=tournament, entry=entry, **said), person, key)


def typed_game(tournament: str, body: bodies.TypedBody) -> dict[str, Any]:
    """A typed game as the log has it."""
    entry = {"game": body.game, "machine": body.machine, "scores": dict(body.scores)}
    entry |= body.place(tournament).fields()
    return entry | {key: value for key, value in (("started_at", body.started_at), ("at", body.at)) if value}


def _told(door: Door, before: Result) -> dict[str, Any]:
    after = door.services.desk.standings.of(before.tournament)
    if after is None:
        return {}
    with door.services.desk.reading() as state:
        gone = [player for where, player in state.withdrawn if where == before.tournament]
    return told(before, after, gone)


def _add_entries(api: APIRouter, door: Door) -> None:
    @api.post("/tournaments/{t}/log")
    async def record(t: T, body: bodies.EntryBody, person: Visitor, key: Key = None) -> Answer:
        """Record one entry of the tournament file's log. Who may depends on its kind."""
        return await record_entry(door, door.tournament(t), body.entry, body, person, key)

    @api.post("/tournaments/{t}/games")
    async def typed(t: T, body: bodies.GameBody, person: Visitor, key: Key = None) -> Answer:
        """A game typed in. Scorekeepers, officials."""
        name = door.tournament(t)
        noted = {key: value for key, value in (("balls", body.balls), ("strokes", body.strokes)) if value}
        return await record_entry(door, name, typed_game(name, body) | noted, body, person, key)


def _add_changes(api: APIRouter, door: Door) -> None:
    @api.post("/tournaments/{t}/games/{game}/move")
    async def move(t: T, game: Name, body: bodies.MoveBody, person: Visitor, key: Key = None) -> Answer:
        """A game was somebody else's: corrections, voids, rulings and penalties in it go along. Officials."""
        command = c.MoveGame(
            tournament=door.tournament(t),
            game=game,
            who=body.who,
            to=body.to,
            why=body.why,
            despite_rules=body.despite_rules,
            despite_recusal=body.despite_recusal,
            based_on=body.based_on,
        )
        return await tell(door, command, person, key)

    @api.post("/tournaments/{t}/log/{number}/undo")
    async def undo(t: T, number: EntryNumber, body: bodies.MustBody, person: Visitor, key: Key = None) -> Answer:
        """Take an entry out. Officials."""
        where = door.tournament(t)
        command = c.UndoEntry(tournament=where, number=number, why=body.why, based_on=body.based_on)
        return await tell(door, command, person, key)

    @api.post("/tournaments/{t}/log/{number}/restore")
    async def restore(t: T, number: EntryNumber, body: bodies.MustBody, person: Visitor, key: Key = None) -> Answer:
        """Put it back. Officials."""
        where = door.tournament(t)
        command = c.RestoreEntry(tournament=where, number=number, why=body.why, based_on=body.based_on)
        return await tell(door, command, person, key)


def _add_leaving(api: APIRouter, door: Door) -> None:
    @api.post("/tournaments/{t}/players/{player}/withdraw")
    async def withdraw(t: T, player: Name, body: bodies.WithdrawBody, person: Visitor, key: Key = None) -> Answer:
        """A player plays no more: his results stay, his running game is held, his machine is free. Staff."""
        where = door.tournament(t)
        command = c.Withdraw(tournament=where, player=player, why=body.why, stage=body.stage)
        return await tell(door, command, person, key)

    @api.post("/tournaments/{t}/players/{player}/return")
    async def let_return(t: T, player: Name, body: bodies.MustBody, person: Visitor, key: Key = None) -> Answer:
        """A player who had withdrawn plays again. Staff."""
        return await tell(door, c.Return(tournament=door.tournament(t), player=player, why=body.why), person, key)
