"""What officials decided, searched by words, and who of the staff plays himself (T12.12). Nothing is decided here."""

from typing import Annotated

from fastapi import APIRouter, Query

from server.core.venue import commands as c
from server.core.venue.recusals import division_of
from server.web.api import shapes
from server.web.api.bodies import Body, Id
from server.web.api.door import Answer, Door, Key, Staff, StrictRoute, Visitor
from server.web.api.tournaments import Name, T
from server.web.views.precedents import Asked, precedents
from server.web.views.rulings import decided

Words = Annotated[str, Query(max_length=200)]
Named = Annotated[str | None, Query(min_length=1, max_length=80)]


class OfficialBody(Body):
    """Which player somebody of the staff is; null: he does not play."""

    player: Id | None


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])
    _add_decided(api, door)
    _add_officials(api, door)
    return api


def _add_decided(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/decisions")
    async def decisions(t: T, _: Staff, words: Words = "", limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Answer:
        """Decisions, rulings, penalties, voids and corrections that hold all of the words, newest first. Staff."""
        name = door.tournament(t)
        with desk.reading() as state:
            tournament = state.tournaments[name]
            found = decided(state, tournament, words, limit)
            shown = [
                {**shapes.entry(state, name, state.entries[name, one.number]), "text": "".join(map(str, one.parts))}
                for one in found
            ]
        return Answer({"version": tournament.version, "decisions": shown})

    @api.get("/precedents")
    async def earlier(
        _: Staff,
        words: Words = "",
        why: Annotated[str, Query(max_length=400)] = "",
        kind: Named = None,
        offence: Annotated[str | None, Query(alias="for", min_length=1, max_length=80)] = None,
        machine: Named = None,
        who: Named = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 20,
    ) -> Answer:
        """Earlier decisions of all tournaments like one that is about to be made, the most alike first (CC9). Staff.

        `kind` is of the entry (`penalty`, `ruling`, `decision`), `for` its offence, kind of ruling, or topic. What is
        asked must be shared in something; all of `words` must be there. `shared` says what is.
        """
        asked = Asked(words=words, why=why, kind=kind, offence=offence, machine=machine, who=who)
        with desk.reading() as state:
            found = [
                {
                    **shapes.entry(state, one.tournament, state.entries[one.tournament, one.ruled.number]),
                    "tournament_id": one.tournament,
                    "tournament": one.name,
                    "text": "".join(map(str, one.ruled.parts)),
                    "machine": one.machine,
                    "shared": list(one.shared),
                }
                for one in precedents(state, asked, limit)
            ]
        return Answer({"precedents": found})


def _add_officials(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/officials")
    async def officials(t: T, _: Staff) -> Answer:
        """Who of the staff plays himself, as whom, and in which division he is recused. Staff."""
        name = door.tournament(t)
        with desk.reading() as state:
            tournament = state.tournaments[name]
            mine = [(user, player) for (where, user), player in state.entered.items() if where == name]
            found = [
                {"user": user, "player": player, "division": division_of(state, tournament, player)}
                for user, player in sorted(mine)
            ]
        return Answer({"version": tournament.version, "officials": found})

    @api.put("/tournaments/{t}/officials/{user}")
    async def enter(t: T, user: Name, body: OfficialBody, person: Visitor, key: Key = None) -> Answer:
        """Say which player somebody of the staff is. Each of himself; officials of anybody."""
        command = c.EnterOfficial(tournament=door.tournament(t), user=user, player=body.player)
        return await door.submit(command, person, key)
