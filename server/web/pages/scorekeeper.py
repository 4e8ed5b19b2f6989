"""`/scorekeeper`: a machine by hand, from a phone: begin, scores after a ball, final scores, take back, malfunction.

Every form works without script and may be sent twice. A score that is out of the ordinary is asked about once more
before anything is asked of the desk. The one invariant: what is recorded is exactly the digits that were shown.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from server.core.venue import commands as c
from server.core.venue import manual
from server.core.venue.outcomes import Done, Outcome
from server.web.auth import Person
from server.web.forms import FieldInvalid, key_of, number, score, text
from server.web.pages.frame import Frame, Notice, Roles, new_key, told
from server.web.streams import Part
from server.web.views.by_hand import Sheet, counted, doubts, sheet
from server.web.views.deeds import waiting_count
from server.web.views.scene import Scene
from server.web.views.wall import tiles

HREF = "/scorekeeper"
MOST_SEATS = 16


async def parts(frame: Frame, _roles: Roles) -> Sequence[Part]:
    """The list's live parts."""
    shown = frame.venue.look(lambda scene: {"tiles": tiles(scene), "waiting": waiting_count(scene)})
    return [
        Part(target="hand-list", html=frame.draw("live/hand_list.html", **shown)),
        Part(target="waiting", html=frame.draw("live/waiting.html", **shown)),
    ]


def router(frame: Frame) -> APIRouter:
    """The list, and each machine's page."""
    routes = APIRouter(include_in_schema=False)
    desk = ByHand(frame)

    @routes.get(HREF)
    async def machines(request: Request) -> Response:
        await frame.need(request, HREF)
        wall = frame.venue.look(tiles)
        return await frame.render(
            request, "hand_list.html", title="Scorekeeper", href=HREF, stream="/live/scorekeeper", tiles=wall
        )

    @routes.get(HREF + "/{machine}")
    async def machine(request: Request, machine: str) -> Response:
        person = await frame.need(request, HREF)
        return await desk.show(request, person, machine)

    @routes.post(HREF + "/{machine}")
    async def act(request: Request, machine: str) -> Response:
        person = await frame.need(request, HREF)
        form = await request.form(max_fields=80, max_files=0)
        return await desk.act(request, person, machine, form)

    return routes


class ByHand:
    """One machine's page."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    async def show(
        self, request: Request, person: Person, machine: str, *, said: Notice | None = None, status: int = 200,
        **more: Any,  # noqa: ANN401 - what the template needs
    ) -> Response:  # fmt: skip
        """The page as it is now; `said` and `typed` bring back what was sent."""
        found = self.frame.venue.look(lambda scene: sheet(scene, machine, person.actor))
        if found is None:
            return await self.frame.render(
                request, "error.html", title="No such machine", href=HREF, status=404,
                heading="There is no such machine", text="Choose it from the list.",
                ways=({"href": HREF, "word": "To the list"},),
            )  # fmt: skip
        shown = {"typed": {}, "sure": None, "reportable": manual.REPORTABLE, **more}
        return await self.frame.render(
            request, "hand.html", title=found.name, href=HREF, status=status, sheet=found, said=said, key=new_key(),
            **shown,
        )  # fmt: skip

    async def act(self, request: Request, person: Person, machine: str, form: FormData) -> Response:
        """What a form asks, done; back to the page with a line that says what came of it."""
        found = self.frame.venue.look(lambda scene: sheet(scene, machine, person.actor))
        if found is None:
            return await self.show(request, person, machine)
        try:
            command, done = self._command(form, found)
        except FieldInvalid as error:
            said = Notice(text=str(error), tone="bad")
            return await self.show(request, person, machine, said=said, status=422, typed=_typed(form))
        if isinstance(command, c.EndGame | c.RetypeGame) and (question := self._question(machine, command, form)):
            sure = ",".join(map(str, command.scores))
            said = Notice(text=question, tone="warn")
            return await self.show(request, person, machine, said=said, status=422, typed=_typed(form), sure=sure)
        outcome = await self.frame.venue.submit(command, person.actor, key_of(form, "hand", machine))
        notice, status = told(outcome, self._came_of(outcome, done))
        if not isinstance(outcome, Done):
            return await self.show(request, person, machine, said=notice, status=status, typed=_typed(form))
        self.frame.remember(person, notice)
        return RedirectResponse(f"{HREF}/{quote(machine)}", status_code=303)

    def _command(self, form: FormData, found: Sheet) -> tuple[c.Command, str]:
        """What is wanted, and what to say when it is done. Raises FieldInvalid."""
        match text(form, "do"):
            case "start":
                return c.StartGame(machine=found.id, of=text(form, "of", longest=80) or None), "The game runs."
            case "ball":
                player, ball = number(form, "player"), number(form, "ball")
                if not player or not ball:
                    raise FieldInvalid("Say whose ball it was, and which.")
                of = text(form, "of", longest=80) or None
                noted = c.NoteBall(machine=found.id, player=player, ball=ball, scores=_scores(form), of=of)
                return noted, f"Scores after ball {ball} kept."
            case "end":
                of = text(form, "of", longest=80) or None
                return c.EndGame(machine=found.id, scores=_scores(form), of=of), ""
            case "anew":
                game = text(form, "game", longest=80)
                return c.RetypeGame(game=game, scores=_scores(form), based_on=number(form, "version")), ""
            case "undo":
                entry = number(form, "entry")
                tournament = text(form, "tournament", longest=80)
                undo = c.UndoEntry(tournament=tournament, number=entry or 0, why="typed wrongly")
                return undo, "Taken back: it counts for nobody. Type the right scores."
        raise FieldInvalid("That was not understood. Use the page's own buttons.")

    def _question(self, machine: str, command: c.EndGame | c.RetypeGame, form: FormData) -> str:
        """What to ask before these scores are taken; empty where there is nothing, or it was answered for them."""
        if text(form, "sure", longest=400) == ",".join(map(str, command.scores)):
            return ""
        found = self.frame.venue.look(lambda scene: doubts(scene.state, machine, command.scores))
        if isinstance(command, c.RetypeGame):
            found = tuple(one for one in found if not one.startswith("the reader"))
        return "; ".join(found) + ". If it is right, confirm again." if found else ""

    def _came_of(self, outcome: Outcome, done: str) -> str:
        if done or not isinstance(outcome, Done):
            return done
        status = outcome.result.get("status")
        again = " It was counted already." if outcome.again else ""
        game = str(outcome.result.get("game"))
        if status == "posted":
            return f"Counted{self.frame.venue.look(lambda scene: counted(scene.state, game))}.{again}"
        why = self.frame.venue.look(lambda scene: _why(scene, game))
        return f"Kept. It waits for an official{': ' + why if why else ''}.{again}"


def _why(scene: Scene, game: str) -> str:
    found = scene.state.games.get(game)
    if found is None:
        return ""
    readings = (scene.state.readings[name].why for name in found.readings)
    return "; ".join(dict.fromkeys([*found.why, *(why for whys in readings for why in whys)]))


def _scores(form: FormData) -> tuple[int, ...]:
    found = []
    for seat in range(1, MOST_SEATS + 1):
        if f"score-{seat}" not in form:
            break
        typed = text(form, f"score-{seat}", longest=64)
        if not typed:
            raise FieldInvalid(f"The score of player {seat} is missing. Type 0 if there were no points.")
        found.append(score(typed))
    return tuple(found)


def _typed(form: FormData) -> dict[str, str]:
    """What was typed, to show it again."""
    return {name: value[:64] for name, value in form.items() if isinstance(value, str) and name.startswith("score-")}
