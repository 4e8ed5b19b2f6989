"""Who is there: logging in and out, and the person behind a request. One gate for pages, streams and the API.

A wrong password gets one line that says neither whether the name exists nor how near the password was. The one
invariant: nothing but a live session's cookie makes anybody somebody.
"""

import asyncio
import contextlib
import math
import time
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.accounts import Accounts
from server.core.venue.outcomes import Actor
from server.errors import StoreUnavailable
from server.services import Services
from server.web.sessions import ABSOLUTE_MS, cookie_name, digest_of, is_alive, needs_touch, new_token
from server.web.throttle import Throttle

WRONG = "That name and password do not belong together."
AT_ONCE = 2
"""Passwords checked at the same time: each takes memory and time on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is logged in; `session` names the browser, not the person."""

    name: str
    roles: frozenset[str]
    session: str
    player: str | None = None

    @property
    def actor(self) -> Actor:
        """The person as the core knows them."""
        return Actor(name=self.name, roles=self.roles, player=self.player)

    @property
    def role(self) -> str:
        """The roles in words."""
        return ", ".join(sorted(self.roles))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """The login was right: `token` goes into the cookie."""

    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """The login was wrong or came too soon: `why` is for the person, `wait` seconds until the next try is looked at."""

    why: str
    wait: float = 0.0


class Gate:
    """Knows the people and their sessions."""

    def __init__(self, services: Services) -> None:
        self._accounts: Accounts = services.accounts
        self._now = services.now
        self._throttle = Throttle()
        self._checking = asyncio.Semaphore(AT_ONCE)

    async def person(self, request: HTTPConnection) -> Person | None:
        """Who asks, by the cookie; None for anybody else."""
        digest = _digest_in(request)
        if digest is None:
            return None
        return await asyncio.to_thread(self._find, digest)

    async def log_in(self, request: HTTPConnection, name: str, password: str) -> Entered | Turned:
        """Check a name and password. The browser's old session ends, a new token is made."""
        address = request.client.host if request.client is not None else "?"
        wait = self._throttle.wait(name, address, now=time.monotonic())
        if wait > 0:
            return Turned(why=f"Too many wrong passwords. Try again in {_words(wait)}.", wait=wait)
        # Counted before it is checked, so that tries sent side by side all count.
        self._throttle.wrong(name, address, now=time.monotonic())
        async with self._checking:
            account = await asyncio.to_thread(self._accounts.verify, name.strip(), password)
        if account is None:
            return Turned(why=WRONG)
        self._throttle.right(name, address)
        token = new_token()
        await asyncio.to_thread(self._begin, account.name, token, _digest_in(request))
        return Entered(token=token)

    async def log_out(self, request: HTTPConnection) -> None:
        """End the browser's session."""
        digest = _digest_in(request)
        if digest is not None:
            await asyncio.to_thread(self._accounts.end_session, digest)

    def _find(self, digest: str) -> Person | None:
        found = self._accounts.session(digest)
        if found is None:
            return None
        session, account = found
        now = self._now()
        if not is_alive(session, now=now):
            with contextlib.suppress(StoreUnavailable):
                self._accounts.end_session(digest)
            return None
        if needs_touch(session, now=now):
            with contextlib.suppress(StoreUnavailable):  # a full disk must not close the pages
                self._accounts.touch_session(digest, now=now)
        return Person(name=account.name, roles=account.roles, session=digest, player=account.player)

    def _begin(self, name: str, token: str, old: str | None) -> None:
        if old is not None:
            self._accounts.end_session(old)
        digest = digest_of(token)
        if digest is None:
            raise ValueError("a new token is always one")
        self._accounts.keep_session(digest, name, now=self._now())


def set_cookie(request: HTTPConnection, response: Response, token: str) -> None:
    """Give the browser its token: readable by no script, sent from no other site."""
    secure = is_secure(request)
    response.set_cookie(
        cookie_name(secure=secure),
        token,
        max_age=ABSOLUTE_MS // 1000,
        path="/",
        httponly=True,
        secure=secure,
        samesite="lax",
    )


def drop_cookie(request: HTTPConnection, response: Response) -> None:
    """Take the token away."""
    secure = is_secure(request)
    response.delete_cookie(cookie_name(secure=secure), path="/", httponly=True, secure=secure, samesite="lax")


def is_secure(request: HTTPConnection) -> bool:
    """Whether the request came by https."""
    return request.url.scheme in {"https", "wss"}


def _digest_in(request: HTTPConnection) -> str | None:
    return digest_of(request.cookies.get(cookie_name(secure=is_secure(request)), ""))


def _words(seconds: float) -> str:
    whole = math.ceil(seconds)
    return f"{whole} seconds" if whole < 90 else f"{math.ceil(whole / 60)} minutes"
