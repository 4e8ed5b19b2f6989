"""Tournaments over HTTP: people, machines, entries, lines, and the log. What changes the log is in `changes`."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request

from server.core.venue import commands as c
from server.web.api import bodies, shapes
from server.web.api.door import Answer, Door, Key, StrictRoute, Visitor
from server.web.views.clocks import called_by_name, called_for

T = Annotated[str, Path(min_length=1, max_length=80, description="The tournament's id, or `current`.")]
Name = Annotated[str, Path(min_length=1, max_length=80)]
EntryNumber = Annotated[int, Path(ge=1, le=10**9)]


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])
    _add_tournaments(api, door)
    _add_people(api, door)
    _add_floor(api, door)
    _add_log(api, door)
    return api


def _add_tournaments(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments")
    async def tournaments() -> Answer:
        """All tournaments. Public."""
        with desk.reading() as state:
            found = [shapes.tournament(state, tournament) for tournament in state.tournaments.values()]
            return Answer({"current": state.current, "tournaments": found})

    @api.post("/tournaments")
    async def open_tournament(body: bodies.TournamentBody, person: Visitor, key: Key = None) -> Answer:
        """Open a tournament; it becomes the current one. Without `timezone` it has the venue's. Admin."""
        head = {"timezone": str(door.services.zone), **body.head}
        return await door.submit(c.OpenTournament(id=body.id, head=head), person, key)

    @api.get("/tournaments/{t}")
    async def one_tournament(t: T) -> Answer:
        """One tournament. Public."""
        name = door.tournament(t)
        with desk.reading() as state:
            return Answer(shapes.tournament(state, state.tournaments[name]))


def _add_people(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/players")
    async def players(request: Request, t: T) -> Answer:
        """The people, as the tournament file has them, and who has withdrawn. Public; why and by whom: logged in."""
        name, names = door.tournament(t), await door.person(request) is not None
        with desk.reading() as state:
            found = state.tournaments[name]
            left = [one for (where, _), one in state.withdrawn.items() if where == name]
            gone = [shapes.withdrawal(one, names=names) for one in left]
            players = list(found.head.get("players") or ())
            return Answer({"version": found.version, "players": players, "withdrawn": gone})

    @api.post("/tournaments/{t}/players")
    async def add_players(t: T, body: bodies.PlayersBody, person: Visitor, key: Key = None) -> Answer:
        """Add people. Admin, officials, desk."""
        command = c.AddPlayers(
            tournament=door.tournament(t),
            players=tuple(body.players),
            same_name=body.same_name,
            based_on=body.based_on,
        )
        return await door.submit(command, person, key)

    @api.post("/tournaments/{t}/machines")
    async def add_machines(t: T, body: bodies.MachinesBody, person: Visitor, key: Key = None) -> Answer:
        """Add machines. Admin."""
        command = c.AddMachines(tournament=door.tournament(t), machines=tuple(body.machines), based_on=body.based_on)
        return await door.submit(command, person, key)

    @api.post("/tournaments/{t}/players/{player}/register")
    async def register(t: T, player: Name, body: bodies.RegisterBody, person: Visitor, key: Key = None) -> Answer:
        """A registration paid. Desk."""
        entry = {"register": player, **({"division": body.division} if body.division else {})}
        return await door.submit(c.RecordEntry(tournament=door.tournament(t), entry=entry), person, key)

    @api.get("/tournaments/{t}/entries")
    async def entries(t: T, _: Visitor) -> Answer:
        """What each player owes and has left: fees, entries, status, as the rules say. Logged in."""
        result = await door.standings(t)
        return Answer({"version": result.version, "players": result.outcome.get("players", [])})

    @api.post("/tournaments/{t}/entries")
    async def buy(t: T, body: bodies.BuyBody, person: Visitor, key: Key = None) -> Answer:
        """Entries sold together. Desk."""
        entry: dict[str, Any] = {"buy": body.player, "entries": body.entries}
        if body.division is not None:
            entry["division"] = body.division
        return await door.submit(c.RecordEntry(tournament=door.tournament(t), entry=entry), person, key)


def _add_floor(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/queues")
    async def queues(t: T) -> Answer:
        """The line in front of each machine. Public."""
        name = door.tournament(t)
        with desk.reading() as state:
            machines = [state.machines[m] for m in state.tournaments[name].machines if m in state.machines]
            found = [{"machine": m.id, "version": m.version, "queue": shapes.queue(m)} for m in machines]
        return Answer({"queues": found})

    @api.get("/tournaments/{t}/calls")
    async def calls(t: T) -> Answer:
        """Who is called since when: to a machine, or by name (`machine` null) and for which `stage`. Public.

        `late` is until when who is called must come, null where the rules do not say.
        """
        name = door.tournament(t)
        now = door.services.now()
        with desk.reading() as state:
            limit = called_for(state.tournaments[name])

            def times(at: int) -> shapes.Shape:
                return {"called": shapes.when(at), "late": None if limit is None else shapes.when(at + limit)}

            found: list[shapes.Shape] = [
                {"machine": m.id, "player": w.player, **times(w.called)}
                for m in state.machines.values()
                for w in m.queue
                if w.tournament == name and w.called is not None
            ]
            found += [
                {"machine": None, "player": who, "stage": stage, **times(at)}
                for at, stage, missing in called_by_name(state, state.tournaments[name], now)
                for who in missing
            ]
        return Answer({"calls": found})


def _add_log(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/log")
    async def log(
        _: Visitor,
        t: T,
        after: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    ) -> Answer:
        """The log beyond an entry's number, with what was undone. Logged in."""
        name = door.tournament(t)
        with desk.reading() as state:
            last = state.tournaments[name].entries
            found = [state.entries[name, n] for n in range(after + 1, min(last, after + limit) + 1)]
            shown = [shapes.entry(state, name, entry) for entry in found]
            return Answer({"version": state.tournaments[name].version, "last": last, "log": shown})
