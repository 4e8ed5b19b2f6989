"""`/review/game/{game}`: a captured game without its right people: say whose it is, or that it is nobody's."""

import re
from collections.abc import Mapping
from dataclasses import replace

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from server.core.venue import commands as c
from server.core.venue.outcomes import Done, Outcome
from server.core.venue.values import Place
from server.web.forms import FieldInvalid, key_of, number, text
from server.web.pages.frame import Frame, Notice, new_key, told
from server.web.views.names import people
from server.web.views.review import Stray, stray
from server.web.views.scene import Scene

_NAMED = re.compile(r".*\(([^()]+)\)")


def router(frame: Frame) -> APIRouter:
    """The page of one game."""
    routes = APIRouter(include_in_schema=False)

    async def show(request: Request, game: str, said: Notice | None, status: int) -> Response:
        found = frame.venue.look(lambda scene: _stray(scene, game))
        if found is None:
            return await _nothing(frame, request)
        return await frame.render(
            request,
            "game.html",
            title=found.machine,
            href="/review",
            status=status,
            game=found,
            said=said,
            key=new_key(),
        )

    @routes.get("/review/game/{game}")
    async def page(request: Request, game: str) -> Response:
        await frame.need(request, "/review")
        return await show(request, game, None, 200)

    @routes.post("/review/game/{game}")
    async def decide(request: Request, game: str) -> Response:
        person = await frame.need(request, "/review")
        form = await request.form(max_fields=80, max_files=0)
        try:
            command = frame.venue.look(lambda scene: _command(scene, game, form))
        except FieldInvalid as error:
            return await show(request, game, Notice(text=str(error), tone="bad"), 422)
        outcome = await frame.venue.submit(command, person.actor, key_of(form, "game", game))
        notice, status = told(outcome, _done(command, outcome))
        if not isinstance(outcome, Done):
            return await show(request, game, notice, status)
        if outcome.result.get("waits"):
            return await show(request, game, replace(notice, tone="warn"), 200)
        frame.remember(person, notice)
        return RedirectResponse("/review", status_code=303)

    return routes


async def _nothing(frame: Frame, request: Request) -> Response:
    return await frame.render(
        request,
        "error.html",
        title="No such game",
        href="/review",
        status=404,
        heading="There is no such game",
        text="It may belong to another database. Go back to the queue.",
        ways=({"href": "/review", "word": "To the queue"},),
    )


def _done(command: c.Command, outcome: Outcome) -> str:
    """What has happened: a game that is said to be somebody's may wait all the same."""
    if isinstance(command, c.DiscardGame):
        return "Discarded."
    waits = outcome.result.get("waits") if isinstance(outcome, Done) else None
    return f"Noted whose it is, but it still waits: {'; '.join(waits)}" if waits else "The game is theirs."


def _stray(scene: Scene, game: str) -> Stray | None:
    found = scene.state.games.get(game)
    return None if found is None else stray(scene, found)


def _command(scene: Scene, game: str, form: FormData) -> c.Command:
    """What the form asks. Raises FieldInvalid."""
    based_on, why = number(form, "version"), text(form, "why")
    if text(form, "do") == "discard":
        if not why:
            raise FieldInvalid("Say why it is no result: the log keeps the reason.")
        return c.DiscardGame(game=game, why=why, based_on=based_on)
    tournament = scene.tournament
    if tournament is None:
        raise FieldInvalid("No tournament is running, so the game can be nobody's.")
    names = people(tournament)
    found = scene.state.games.get(game)
    place = found.place if found is not None and found.place is not None else Place(tournament=tournament.id)
    players = tuple(_who(value, names) for value in form.getlist("who") if isinstance(value, str))
    if not any(players):
        raise FieldInvalid("Name at least one player, or discard the game with a reason.")
    keep = text(form, "do") == "keep"
    if keep and found is not None and not stray(scene, found).may_keep:
        raise FieldInvalid("A reading of it waits: decide that first.")
    if keep and not why:
        raise FieldInvalid("Say why it is kept although the rules object: the log keeps the reason.")
    place = _match(form, place)
    return c.MatchGame(game=game, place=place, players=players, why=why or None, despite_rules=keep, based_on=based_on)


def _match(form: FormData, place: Place) -> Place:
    """The place with the match of teams, round and slot that the form names, if it has these fields."""
    if "match" not in form:
        return place
    match, slot = text(form, "match") or None, text(form, "slot") or None
    typed = text(form, "round")
    if typed and not (typed.isascii() and typed.isdigit() and len(typed) < 4):
        raise FieldInvalid("The round of the match is a number.")
    return replace(place, match=match, round=int(typed) if typed else None, slot=slot)


def _who(typed: str, names: Mapping[str, str]) -> str | None:
    """The player meant by `Name (id)`, an id, or a name that only one has; None for an empty field."""
    typed = typed.strip()[:300]
    if not typed:
        return None
    if typed in names:
        return typed
    named = _NAMED.fullmatch(typed)
    if named is not None and named[1] in names:
        return named[1]
    wanted = typed.casefold()
    exact = [who for who, name in names.items() if name.casefold() == wanted]
    found = exact or [who for who, name in names.items() if wanted in name.casefold()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise FieldInvalid(f"Nobody in this tournament is called {typed}. Choose from the list.")
    raise FieldInvalid(f"{len(found)} players are called {typed}. Choose from the list, with the number.")
