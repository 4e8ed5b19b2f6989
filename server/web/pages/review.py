"""`/review`: one doubtful reading at a time, confirmed, corrected or rejected; games whose players nobody knows.

What an official confirms is the number that the form carries, on the version that was shown. The one invariant: a
decision that somebody else made meanwhile is shown, never overwritten.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from server.core.venue import commands as c
from server.core.venue.outcomes import Conflict, Done, Outcome
from server.web.auth import Person
from server.web.forms import FieldInvalid, key_of, number, score, text
from server.web.pages.frame import HTMX, Frame, Notice, Roles, new_key, told
from server.web.pages.looking import Looking
from server.web.streams import Part
from server.web.views.deeds import alarms, verdicts, waiting_count
from server.web.views.review import Card, card, queue, readings_waiting
from server.web.views.scene import Scene

SKIPPED = 200
Show = Callable[[dict[str, Any], int], Awaitable[Response]]
ShowWhole = Callable[[Request, dict[str, Any], int], Awaitable[Response]]


class Skips:
    """What each session skipped, in order; forgotten when everything was."""

    def __init__(self) -> None:
        self._skips: OrderedDict[str, list[str]] = OrderedDict()

    def of(self, session: str) -> Sequence[str]:
        """The readings this session skipped."""
        return tuple(self._skips.get(session, ()))

    def add(self, session: str, reading: str, waiting: Sequence[str]) -> None:
        """Skip one; when none is left that was not skipped, begin again."""
        skipped = [old for old in self._skips.pop(session, []) if old in waiting and old != reading]
        self._skips[session] = [*skipped, reading] if len(skipped) + 1 < len(waiting) else [reading]
        while len(self._skips) > SKIPPED:
            self._skips.popitem(last=False)


def context(scene: Scene) -> dict[str, Any]:
    """What the lists beside the reading need."""
    return {
        "queue": queue(scene),
        "waiting_ids": readings_waiting(scene),
        "decided": verdicts(scene),
        "waiting": waiting_count(scene),
        "alarms": tuple(alarm for alarm in alarms(scene) if alarm.loud),
        "notes": (),
        "may_assign": True,
    }


async def parts(frame: Frame, _roles: Roles) -> Sequence[Part]:
    """The live parts of the review page; the reading itself changes only by the official's hand."""
    shown = frame.venue.look(context)
    return [
        Part(target=target, html=frame.draw(f"live/{template}.html", **shown))
        for target, template in (
            ("alarms", "alarms"),
            ("queue", "queue"),
            ("decided", "decided"),
            ("waiting", "waiting"),
        )
    ]


class Review:
    """The page with what it remembers between requests."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.looking = Looking()
        self.skips = Skips()

    def shown(self, person: Person, wanted: str | None = None) -> dict[str, Any]:
        """The reading to show this person, with the next one's picture to fetch ahead."""

        def find(scene: Scene) -> tuple[Card | None, str | None]:
            waiting = readings_waiting(scene)
            chosen = wanted or self.looking.pick(person.session, waiting, self.skips.of(person.session))
            reading = scene.state.readings.get(chosen) if chosen is not None else None
            after = [other for other in waiting if other != chosen]
            following = self.looking.pick(person.session, after, self.skips.of(person.session))
            ahead = scene.state.readings.get(following) if following is not None else None
            return (
                card(scene, reading) if reading is not None else None,
                card(scene, ahead).picture if ahead is not None else None,
            )

        found, following = self.frame.venue.look(find)
        other = None
        if found is not None and found.decided is None:
            other = self.looking.take(person.session, person.name, found.id)
        return {
            "card": found,
            "other": other,
            "following": following,
            "key": new_key(),
            "typed": "",
            "said": None,
            "sure": None,
            "rejecting": False,
        }

    def skip(self, person: Person, reading: str) -> None:
        """Put it aside for now."""
        waiting = self.frame.venue.look(readings_waiting)
        self.skips.add(person.session, reading, waiting)

    async def decide(self, person: Person, reading: str, form: FormData) -> tuple[dict[str, Any], int]:
        """What the form asks, done; returns what to show then, and the status."""
        again = self.shown(person, reading)
        shown = again["card"]
        again["typed"] = typed = text(form, "typed", longest=64)
        try:
            command = self._command(form, shown, reading)
        except FieldInvalid as error:
            again["said"] = Notice(text=str(error), tone="bad")
            return again, 422
        doubt = _length_doubt(shown, command.score) if isinstance(command, c.CorrectReading) else None
        if doubt is not None and isinstance(command, c.CorrectReading) and text(form, "sure") != str(command.score):
            again.update(said=Notice(text=doubt, tone="warn"), sure=command.score, typed=typed or str(command.score))
            return again, 422
        outcome = await self.frame.venue.submit(command, person.actor, key_of(form, "review", reading))
        return self._after(person, reading, outcome)

    def _after(self, person: Person, reading: str, outcome: Outcome) -> tuple[dict[str, Any], int]:
        if isinstance(outcome, Done):
            return self.shown(person), 200
        again = self.shown(person, reading)
        notice, status = told(outcome, "")
        again["said"] = notice
        return again, 409 if isinstance(outcome, Conflict) else status

    @staticmethod
    def _command(form: FormData, shown: Card | None, reading: str) -> c.Command:
        based_on = number(form, "version")
        if text(form, "do") == "reject":
            why = text(form, "why")
            if not why:
                raise FieldInvalid("Say why it is rejected: the log keeps the reason.")
            return c.RejectReading(reading=reading, why=why, based_on=based_on)
        typed = text(form, "typed", longest=64)
        value = score(typed or text(form, "choice"))
        proposed = next((choice.score for choice in shown.choices if choice.proposed), None) if shown else None
        if value == proposed:
            return c.ConfirmReading(reading=reading, score=value, based_on=based_on)
        return c.CorrectReading(reading=reading, score=value, based_on=based_on)


def _length_doubt(shown: Card | None, value: int) -> str | None:
    """A slip of the finger most often drops or doubles a digit: then one more Enter is asked for."""
    seen = sum(1 for sign in (shown.text if shown is not None else "") if sign.isdigit() or sign == "?")
    if not seen or seen == len(str(value)) or (shown and any(choice.score == value for choice in shown.choices)):
        return None
    return f"You gave {len(str(value))} digits, the picture seems to have {seen}. If yours is right, confirm again."


def router(frame: Frame) -> APIRouter:
    """The review page and its forms."""
    routes = APIRouter(include_in_schema=False)
    review = Review(frame)

    async def fragment(shown: dict[str, Any], status: int = 200) -> HTMLResponse:
        return HTMLResponse(frame.draw("reading.html", **shown), status_code=status)

    async def whole(request: Request, shown: dict[str, Any], status: int = 200) -> HTMLResponse:
        beside = frame.venue.look(context)
        return await frame.render(
            request,
            "review.html",
            title="Review",
            href="/review",
            stream="/live/review",
            status=status,
            **beside,
            **shown,
        )

    @routes.get("/review")
    async def page(request: Request) -> Response:
        person = await frame.need(request, "/review")
        if skipped := request.query_params.get("skip"):
            review.skip(person, skipped)
            return RedirectResponse("/review", status_code=303)
        return await whole(request, review.shown(person, request.query_params.get("reading")))

    @routes.get("/review/next")
    async def following(request: Request) -> Response:
        person = await frame.need(request, "/review")
        if skipped := request.query_params.get("skip"):
            review.skip(person, skipped)
        return await fragment(review.shown(person))

    @routes.get("/review/reading/{reading}")
    async def one(request: Request, reading: str) -> Response:
        person = await frame.need(request, "/review")
        shown = review.shown(person, reading)
        return await (fragment(shown) if request.headers.get(HTMX) else whole(request, shown))

    _deciding(routes, review, fragment, whole)
    return routes


def _deciding(routes: APIRouter, review: Review, fragment: Show, whole: ShowWhole) -> None:
    @routes.post("/review/{reading}")
    async def decide(request: Request, reading: str) -> Response:
        person = await review.frame.need(request, "/review")
        form = await request.form(max_fields=80, max_files=0)
        shown, status = await review.decide(person, reading, form)
        if request.headers.get(HTMX):
            return await fragment(shown, status)
        return RedirectResponse("/review", status_code=303) if status == 200 else await whole(request, shown, status)
