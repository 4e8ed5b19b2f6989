"""What a director changes while a tournament runs: settings, names, facts of people, machines, teams (U1.2, C3.4)."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, model_validator

from server.core.venue import commands as c
from server.web.api.bodies import Body, Document, Id, Version, Why
from server.web.api.changes import tell
from server.web.api.door import Answer, Door, Key, StrictRoute, Visitor
from server.web.api.tournaments import T


class HeadBody(Body):
    """What changes: settings by name (null takes the tournament's own value away), names, rows by their ids."""

    tournament: Annotated[str, Field(max_length=200)] | None = None
    timezone: Id | None = None
    rules: Document | None = None
    players: Annotated[list[Document], Field(max_length=2000)] | None = None
    machines: Annotated[list[Document], Field(max_length=500)] | None = None
    teams: Annotated[list[Document], Field(max_length=500)] | None = None
    why: Why
    based_on: Version | None = None

    @model_validator(mode="after")
    def _something(self) -> "HeadBody":
        if not self.changes():
            raise ValueError("say what changes: tournament, timezone, rules, players, machines or teams")
        return self

    def changes(self) -> dict[str, Any]:
        """As the core has it: the parts that were given."""
        parts = ("tournament", "timezone", "rules", "players", "machines", "teams")
        given = {name: getattr(self, name) for name in parts}
        return {name: value for name, value in given.items() if value is not None}


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])

    @api.patch("/tournaments/{t}")
    async def change(t: T, body: HeadBody, person: Visitor, key: Key = None) -> Answer:
        """Change settings, the name, the time zone, or facts of people, machines and teams. Officials.

        The answer has every value before and after, under `back` what to send to take it back, and under `told` what
        it did to what was settled.
        """
        command = c.ChangeHead(
            tournament=door.tournament(t), changes=body.changes(), why=body.why, based_on=body.based_on
        )
        return await tell(door, command, person, key)

    return api
