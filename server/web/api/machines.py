"""Machines and agents over HTTP: the wall, assignments, the lines, freezing. The venue's, not a tournament's."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path

from server.core.venue import commands as c
from server.floor import AgentLife
from server.web.api import shapes
from server.web.api.bodies import AssignBody, QueueBody, WhyBody
from server.web.api.door import Answer, Door, Key, Staff, StrictRoute, Visitor

MachineId = Annotated[str, Path(min_length=1, max_length=80)]


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["machines"])
    _add_wall(api, door)
    _add_assigning(api, door)
    _add_lines(api, door)
    return api


def _add_wall(api: APIRouter, door: Door) -> None:
    desk, services = door.services.desk, door.services

    @api.get("/machines")
    async def machines() -> Answer:
        """Every machine: state, players, since when, live scores, agent's health, malfunctions, line. Public."""
        agents, live, now = desk.floor.agents(), desk.floor.live(), services.now()
        with desk.reading() as state:
            found = [shapes.machine(state, machine, agents, live, now) for machine in state.machines.values()]
        return Answer({"timezone": str(services.zone), "now": shapes.when(now), "machines": found})

    @api.get("/machines/{machine}")
    async def one_machine(machine: MachineId) -> Answer:
        """One machine. Public."""
        agents, live, now = desk.floor.agents(), desk.floor.live(), services.now()
        with desk.reading() as state:
            found = state.machines.get(machine)
            if found is None:
                raise HTTPException(404, f"there is no machine {machine}")
            return Answer(shapes.machine(state, found, agents, live, now))

    @api.get("/agents")
    async def agents(_: Staff) -> Answer:
        """Every agent that was added or heard: presence, backlog, the Pi's health. Staff."""
        now, lives = services.now(), desk.floor.agents()
        added = {name: AgentLife(name=name) for name in await asyncio.to_thread(services.accounts.agents)}
        found = [shapes.agent(life, now) for _, life in sorted({**added, **lives}.items())]
        return Answer({"now": shapes.when(now), "agents": found})


def _add_assigning(api: APIRouter, door: Door) -> None:
    @api.post("/machines/{machine}/assign")
    async def assign(machine: MachineId, body: AssignBody, person: Visitor, key: Key = None) -> Answer:
        """Put players on the machine."""
        place = body.place(door.tournament(body.tournament))
        command = c.Assign(machine=machine, place=place, players=tuple(body.players), based_on=body.based_on)
        return await door.submit(command, person, key)

    @api.post("/machines/{machine}/unassign")
    async def unassign(machine: MachineId, body: WhyBody, person: Visitor, key: Key = None) -> Answer:
        """Take the players off."""
        command = c.Unassign(machine=machine, why=body.why, based_on=body.based_on)
        return await door.submit(command, person, key)

    @api.post("/machines/{machine}/freeze")
    async def freeze(machine: MachineId, body: WhyBody, person: Visitor, key: Key = None) -> Answer:
        """Ask the agent to keep the scores as they stand, with a picture."""
        return await door.submit(c.Freeze(machine=machine, why=body.why), person, key)


def _add_lines(api: APIRouter, door: Door) -> None:
    @api.post("/machines/{machine}/queue")
    async def join(machine: MachineId, body: QueueBody, person: Visitor, key: Key = None) -> Answer:
        """Stand in line."""
        where = door.tournament(body.tournament)
        return await door.submit(c.JoinQueue(machine=machine, tournament=where, player=body.player), person, key)

    @api.post("/machines/{machine}/queue/call")
    async def call(machine: MachineId, body: QueueBody, person: Visitor, key: Key = None) -> Answer:
        """Call somebody of the line."""
        where = door.tournament(body.tournament)
        return await door.submit(c.CallPlayer(machine=machine, tournament=where, player=body.player), person, key)

    @api.post("/machines/{machine}/queue/leave")
    async def leave(machine: MachineId, body: QueueBody, person: Visitor, key: Key = None) -> Answer:
        """Leave the line."""
        where = door.tournament(body.tournament)
        command = c.LeaveQueue(machine=machine, tournament=where, player=body.player, why=body.why)
        return await door.submit(command, person, key)
