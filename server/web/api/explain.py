"""Where numbers come from, over HTTP: explanations, and the rules of a tournament. Public, names of people apart."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request

from server.core.explain.explanations import NotThere
from server.core.explain.lines import plain
from server.explaining import Explaining
from server.web.api.door import Answer, Door, StrictRoute

T = Annotated[str, Path(min_length=1, max_length=80, description="The tournament's id, or `current`.")]
Name = Annotated[str | None, Query(min_length=1, max_length=80)]
StageName = Annotated[str | None, Query(min_length=1, max_length=200)]


def router(door: Door, explaining: Explaining) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])

    @api.get("/tournaments/{t}/explain")
    async def explain(
        request: Request, t: T, who: Name = None, stage: StageName = None, machine: Name = None, match: Name = None
    ) -> Answer:
        """Where each number comes from: of a player or team, a machine, a stage, a match, or of the stages as a whole.
        Public.

        `entries` are the desk's numbers, `positions` says where each is in the ledger. What officials noted (`reason`)
        and who they are (`by`) is there for whoever is logged in.
        """
        name = door.tournament(t)
        person = await door.gate.person(request)
        try:
            found = await asyncio.to_thread(
                explaining.about, name, who=who, stage=stage, machine=machine, match=match, names=person is not None
            )
        except NotThere as error:
            raise HTTPException(404, str(error)) from None
        if found is None:
            raise HTTPException(404, f"there is no tournament {t}")
        return Answer(
            {
                "tournament_id": found.tournament,
                "version": found.version,
                "explain": [plain(line) for line in found.lines],
                "positions": {str(number): position for number, position in found.positions.items()},
            }
        )

    @api.get("/tournaments/{t}/rules")
    async def rules(t: T) -> Answer:
        """The rule set with all its settings, their clauses, and which the director changed. Public."""
        found = await asyncio.to_thread(explaining.rules, door.tournament(t))
        if found is None:
            raise HTTPException(404, f"there is no tournament {t}")
        return Answer(
            {
                "tournament_id": found.tournament,
                "version": found.version,
                "preset": found.preset,
                "title": found.title,
                "settings": [told.plain() for told in found.settings],
            }
        )

    return api
