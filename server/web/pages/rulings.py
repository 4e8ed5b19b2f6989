"""`/rulings`: what officials decided, searched by any word; a form for a decision; who of the staff plays himself.

The one invariant: whoever rules where he plays himself is warned first, and what he records then says so.
"""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.core.venue import commands as c
from server.core.venue.decide import OFFICIALS
from server.core.venue.recusals import division_of
from server.web.auth import Person
from server.web.forms import FieldInvalid, key_of, number, text
from server.web.named import named_people
from server.web.pages.asked import asked, recorded
from server.web.pages.frame import Frame, new_key, told
from server.web.views.names import people, stage_name
from server.web.views.rounds import choices
from server.web.views.rulings import TOPICS, decided, topics_for
from server.web.views.scene import Scene

HREF = "/rulings"
SHOWN = 100


def router(frame: Frame) -> APIRouter:
    """The page and its forms."""
    routes = APIRouter(include_in_schema=False)

    @routes.get(HREF)
    async def page(request: Request) -> Response:
        person = await frame.need(request, HREF)
        words = request.query_params.get("words", "")[:200]
        outcome = await frame.venue.outcome_soon()
        stages = tuple((str(stage["id"]), stage_name(str(stage["id"]))) for stage in (outcome or {}).get("stages", ()))
        shown = frame.venue.look(lambda scene: _context(scene, person, words))
        return await frame.render(
            request, "rulings.html", title="Rulings", href=HREF, words=words, stages=stages, key=new_key(), **shown
        )

    _writing(routes, frame)
    return routes


def _writing(routes: APIRouter, frame: Frame) -> None:
    @routes.post(HREF)
    async def decide(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, HREF)
        topic = text(form, "topic", longest=40)
        if topic not in {name for name, _, _ in TOPICS}:
            raise FieldInvalid("Choose what the decision is about.")
        entry: dict[str, Any] = {"decision": topic, "stage": text(form, "stage", longest=80) or None}
        entry |= {
            "machine": text(form, "machine", longest=80) or None,
            "group": text(form, "group", longest=40) or None,
        }
        entry |= {name: number(form, name) for name in ("round", "qualifiers")}
        entry |= {"who": named_people(tournament, text(form, "who", longest=20_000)) or None}
        outcome = await frame.venue.submit(recorded(tournament, form, entry), person.actor, key_of(form, "decision"))
        notice, status = told(outcome, "Decided. It stands first in the list.")
        return frame.answer(request, person, notice, back=HREF, status=status)

    @routes.post(HREF + "/me")
    async def me(request: Request) -> Response:
        person, form, tournament = await asked(frame, request, HREF)
        named = named_people(tournament, text(form, "player", longest=200))
        if len(named) > 1:
            raise FieldInvalid("You are one player only.")
        player = named[0] if named else None
        user = text(form, "user", longest=80) or person.name
        command = c.EnterOfficial(tournament=tournament.id, user=user, player=player)
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "me"))
        notice, status = told(
            outcome, f"{user} plays here and is recused." if player else f"{user} does not play here."
        )
        return frame.answer(request, person, notice, back=HREF, status=status)


def _context(scene: Scene, person: Person, words: str) -> dict[str, Any]:
    tournament, official = scene.tournament, bool(person.roles & OFFICIALS)
    shown: dict[str, Any] = {"official": official, "topics": topics_for(official=official), "choices": choices(scene)}
    if tournament is None:
        return {**shown, "tournament": None, "rulings": (), "recused": (), "me": None}
    names = people(tournament)
    entered = [(user, player) for (where, user), player in scene.state.entered.items() if where == tournament.id]
    recused = [
        (user, names.get(player, player), division_of(scene.state, tournament, player)) for user, player in entered
    ]
    return {
        **shown,
        "tournament": tournament.name,
        "rulings": decided(scene.state, tournament, words, SHOWN),
        "recused": tuple(sorted(recused, key=lambda one: one[0])),
        "me": scene.state.entered.get((tournament.id, person.name)),
    }
