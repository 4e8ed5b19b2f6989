"""A machine without a reader over HTTP: begin, scores after a ball, final scores, a malfunction; and power cycles."""

from typing import Annotated

from fastapi import APIRouter, Path

from server.core.venue import commands as c
from server.web.api.bodies import (
    BallBody,
    PowerCycleBody,
    PowerCyclesBody,
    ReportBody,
    ScoresBody,
    WhyBody,
)
from server.web.api.door import Answer, Door, Key, StrictRoute, Visitor

MachineId = Annotated[str, Path(min_length=1, max_length=80)]
GameId = Annotated[str, Path(min_length=1, max_length=80)]


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute)
    _add_games(api, door)
    _add_power(api, door)
    return api


def _add_games(api: APIRouter, door: Door) -> None:
    @api.post("/machines/{machine}/start", tags=["machines"])
    async def start(machine: MachineId, body: WhyBody, person: Visitor, key: Key = None) -> Answer:
        """By hand: the players assigned begin their game. Scorekeepers."""
        return await door.submit(c.StartGame(machine=machine, based_on=body.based_on), person, key)

    @api.post("/machines/{machine}/ball", tags=["machines"])
    async def ball(machine: MachineId, body: BallBody, person: Visitor, key: Key = None) -> Answer:
        """By hand: the scores as they stand after a ball. Scorekeepers."""
        command = c.NoteBall(
            machine=machine, player=body.player, ball=body.ball, scores=tuple(body.scores), based_on=body.based_on
        )
        return await door.submit(command, person, key)

    @api.post("/machines/{machine}/end", tags=["machines"])
    async def end(machine: MachineId, body: ScoresBody, person: Visitor, key: Key = None) -> Answer:
        """By hand: the final scores; a game that was not begun begins with them. Scorekeepers."""
        command = c.EndGame(machine=machine, scores=tuple(body.scores), based_on=body.based_on)
        return await door.submit(command, person, key)

    @api.post("/games/{game}/retype", tags=["games"])
    async def retype(game: GameId, body: ScoresBody, person: Visitor, key: Key = None) -> Answer:
        """By hand: a game that was typed and taken back had these scores. Who took it back, or officials."""
        command = c.RetypeGame(game=game, scores=tuple(body.scores), based_on=body.based_on)
        return await door.submit(command, person, key)

    @api.post("/machines/{machine}/report", tags=["machines"])
    async def report(machine: MachineId, body: ReportBody, person: Visitor, key: Key = None) -> Answer:
        """By hand: something is wrong. Staff."""
        command = c.ReportMalfunction(machine=machine, fault=body.fault, note=body.note, evidence=body.evidence)
        return await door.submit(command, person, key)


def _add_power(api: APIRouter, door: Door) -> None:
    @api.post("/machines/{machine}/power-cycle", tags=["machines"])
    async def one(machine: MachineId, body: PowerCycleBody, person: Visitor, key: Key = None) -> Answer:
        """Announce that the machine loses its power on purpose; 0 minutes ends it. Officials and desk."""
        command = c.PlanPowerCycle(machines=(machine,), minutes=body.minutes, why=body.why)
        return await door.submit(command, person, key)

    @api.post("/power-cycles", tags=["machines"])
    async def several(body: PowerCyclesBody, person: Visitor, key: Key = None) -> Answer:
        """The same for several machines; for all where none is named. Officials and desk."""
        command = c.PlanPowerCycle(machines=tuple(body.machines), minutes=body.minutes, why=body.why)
        return await door.submit(command, person, key)
