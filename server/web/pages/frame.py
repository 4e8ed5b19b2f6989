"""What every page shares: who asks, the head and menu around the page, notices, and answers to forms.

A form works with and without script: with it, the answer is the parts to replace; without, a redirect to the page.
The one invariant: back and reload are safe, since a page is only ever the answer to a GET.
"""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from server.core.venue.outcomes import Conflict, Done, Outcome
from server.web.auth import Gate, Person
from server.web.render import clock, make_environment
from server.web.roles import DOORS, Door, doors_for, may_open
from server.web.venue import Venue
from server.web.views.deeds import waiting_count

KEPT = 1000
"""Notices kept for people who have not yet seen them."""
THEMES = frozenset({"light", "dark"})
STATUS = {"refused": 409, "forbidden": 403, "missing": 404, "invalid": 422}
HTMX = "hx-request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line said to the person. `tone`: good, warn or bad. `more`: where to go on, an address and its word."""

    text: str
    tone: str = "good"
    more: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the base template may know. `stream` is the address of the page's live stream."""

    title: str
    href: str
    menu: tuple[Door, ...]
    person: Person | None
    theme: str | None
    zone: str
    at: str
    stream: str | None = None
    notice: Notice | None = None
    always: bool = False


Roles = frozenset[str]


class NotAllowed(Exception):
    """The person may not open this; `person` is None for somebody who is not logged in."""

    def __init__(self, person: Person | None) -> None:
        super().__init__("not allowed")
        self.person = person


class Frame:
    """The pages' common ground."""

    def __init__(self, venue: Venue, gate: Gate) -> None:
        self.venue, self.gate = venue, gate
        self.environment: Environment = make_environment()
        self._notices: OrderedDict[str, Notice] = OrderedDict()

    async def person(self, request: Request) -> Person | None:
        """Who asks; looked up once a request."""
        if not hasattr(request.state, "person"):
            request.state.person = await self.gate.person(request)
        found: Person | None = request.state.person
        return found

    async def need(self, request: Request, href: str) -> Person:
        """Who asks, if the page at `href` is open to them. Raises NotAllowed."""
        person = await self.person(request)
        door = next(door for door in DOORS if door.href == href)
        if person is None or not may_open(door, person.roles):
            raise NotAllowed(person)
        return person

    async def render(
        self,
        request: Request,
        template: str,
        *,
        title: str,
        href: str,
        stream: str | None = None,
        always: bool = False,
        status: int = 200,
        **context: Any,  # noqa: ANN401 - what the template needs
    ) -> HTMLResponse:
        """A whole page."""
        person = await self.person(request)
        theme = request.cookies.get("theme")
        page = Page(
            title=title,
            href=href,
            menu=doors_for(person.roles if person is not None else frozenset()),
            person=person,
            theme=theme if theme in THEMES else None,
            zone=self.venue.zone.key.replace("_", " "),
            at=self.time_words(),
            stream=stream,
            notice=self._notices.pop(person.session, None) if person is not None else None,
            always=always,
        )
        shown = {"waiting": self.venue.look(waiting_count), **context}
        return HTMLResponse(self.draw(template, page=page, **shown), status_code=status)

    def draw(self, template: str, /, **context: Any) -> str:  # noqa: ANN401 - what the template needs
        """A template with what it needs; `zone` is always there."""
        return self.environment.get_template(template).render(zone=self.venue.zone, **context)

    def time_words(self) -> str:
        """The venue's time now, with seconds."""
        return str(clock(self.venue.now(), self.venue.zone, seconds=True).striptags())

    def answer(self, request: Request, person: Person, notice: Notice, *, back: str, status: int = 200) -> Response:
        """The answer to a form: the notice in its place, or the page again with the notice on it."""
        if request.headers.get(HTMX):
            html = self.draw("notice.html", notice=notice)
            headers = {"HX-Trigger": "done"} if status < 400 else {}
            return HTMLResponse(html, status_code=status, headers=headers)
        self.remember(person, notice)
        return RedirectResponse(back, status_code=303)

    def remember(self, person: Person, notice: Notice) -> None:
        """Say this on the person's next page."""
        self._notices[person.session] = notice
        while len(self._notices) > KEPT:
            self._notices.popitem(last=False)


def told(outcome: Outcome, done: str) -> tuple[Notice, int]:
    """What came of a command in one line, and the HTTP status that says the same."""
    if isinstance(outcome, Done):
        return Notice(text=done), 200
    if isinstance(outcome, Conflict):
        return Notice(text=_sentence(outcome.why), tone="warn"), 409
    return Notice(text=_sentence(outcome.why), tone="bad"), STATUS[outcome.status]


def new_key() -> str:
    """A fresh idempotency key for a form."""
    return secrets.token_urlsafe(9)


def local(path: str | None, otherwise: str = "/") -> str:
    """A path on this server, to go to after a login; anything else is not followed."""
    if not path or not path.startswith("/") or path[1:2] in {"/", "\\"} or "\\" in path or len(path) > 300:
        return otherwise
    parts = urlsplit(path)
    return otherwise if parts.scheme or parts.netloc else path


def login_address(request: Request) -> str:
    """Where to log in and come back from."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return f"/login?next={quote(wanted)}" if request.method == "GET" else "/login"


def _sentence(text: str) -> str:
    head = text[:1].upper() + text[1:]
    return head if head.endswith((".", "?", "!")) else head + "."
