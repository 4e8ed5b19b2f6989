"""`/rulings`: what officials decided, searched by any word, also in earlier tournaments; a form for a decision, which
shows what was decided alike before; who of the staff plays himself.

The one invariant: whoever rules where he plays himself is warned first, and what he records then says so.
"""

from collections.abc import Mapping
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
from server.web.views.precedents import Asked, Precedent, precedents
from server.web.views.rounds import choices
from server.web.views.rulings import TOPICS, decided, topics_for
from server.web.views.scene import Scene

HREF = "/rulings"
SHOWN = 100
ALIKE = 10
DRAFTED = {"topic": 40, "stage": 80, "who": 200, "machine": 80, "group": 40, "round": 4, "qualifiers": 6, "why": 400}
"""Fields of the form for a decision that are kept while earlier ones are looked at, and how long they may be."""


def router(frame: Frame) -> APIRouter:
    """The page and its forms."""
    routes = APIRouter(include_in_schema=False)

    @routes.get(HREF)
    async def page(request: Request) -> Response:
        person = await frame.need(request, HREF)
        words = request.query_params.get("words", "")[:200]
        outcome = await frame.venue.outcome_soon()
        stages = tuple((str(stage["id"]), stage_name(str(stage["id"]))) for stage in (outcome or {}).get("stages", ()))
        everywhere = request.query_params.get("everywhere") == "yes"
        draft = {name: request.query_params.get(name, "")[:most] for name, most in DRAFTED.items()}
        alike = request.query_params.get("alike") == "yes"
        shown = frame.venue.look(
            lambda scene: (
                _context(scene, person, words) | _earlier(scene, words if everywhere else "", draft if alike else {})
            )
        )
        return await frame.render(
            request,
            "rulings.html",
            title="Rulings",
            href=HREF,
            words=words,
            everywhere=everywhere,
            draft=draft,
            alike=alike,
            stages=stages,
            key=new_key(),
            **shown,
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


def _earlier(scene: Scene, words: str, draft: Mapping[str, str]) -> dict[str, tuple[Precedent, ...]]:
    """CC9: what was decided in any tournament, found by words or because it is like what is about to be decided."""
    found: dict[str, tuple[Precedent, ...]] = {"elsewhere": (), "before": ()}
    if words:
        found["elsewhere"] = precedents(scene.state, Asked(words=words), SHOWN)
    if any(draft.values()):
        asked = Asked(why=draft["why"], offence=draft["topic"] or None, machine=draft["machine"] or None)
        found["before"] = precedents(scene.state, asked, ALIKE)
    return found


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
