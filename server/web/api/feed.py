"""The feed, the pictures, the login and the health of the server over HTTP."""

import asyncio
import json
import random
import re
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Header, HTTPException, Path, Query, Request
from fastapi.sse import format_sse_event
from starlette.responses import FileResponse, Response

from server.evidence import EvidenceFull, PictureInvalid
from server.live import Notice
from server.web.api import shapes
from server.web.api.bodies import Login
from server.web.api.door import Answer, Door, StrictRoute, Visitor
from server.web.auth import Turned, drop_cookie, set_cookie
from server.web.roles import STAFF
from server.web.streams import LiveResponse

BEAT = 10.0
"""Seconds of silence after which a stream says that it is there."""
LIFE = 40.0
"""Seconds after which a stream ends, give or take a quarter: a viewer that is gone without a word is let go."""
Digest = Annotated[str, Path(pattern=r"^(sha256:)?[0-9a-f]{64}$")]
EventId = Annotated[str | None, Header(alias="Last-Event-ID", max_length=20, pattern=r"^[0-9]*$")]


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute)
    _add_login(api, door)
    _add_events(api, door)
    _add_evidence(api, door)
    return api


def _add_login(api: APIRouter, door: Door) -> None:
    @api.post("/login", tags=["session"])
    async def log_in(request: Request, body: Login) -> Response:
        """Log in: the answer sets the session's cookie. 401 for a wrong password, 429 after too many."""
        entered = await door.gate.log_in(request, body.name, body.password)
        if isinstance(entered, Turned):
            status, headers = (429, {"retry-after": str(int(entered.wait) + 1)}) if entered.wait else (401, None)
            raise HTTPException(status, entered.why, headers=headers)
        account = await asyncio.to_thread(door.services.accounts.find, body.name.strip())
        roles = sorted(account.roles) if account is not None else []
        player = account.player if account is not None else None
        response = Answer({"name": body.name.strip(), "roles": roles, "player": player})
        set_cookie(request, response, entered.token)
        return response

    @api.post("/logout", tags=["session"])
    async def log_out(request: Request) -> Response:
        """Log out."""
        await door.gate.log_out(request)
        response = Answer({"name": None})
        drop_cookie(request, response)
        return response

    @api.get("/me", tags=["session"])
    async def me(person: Visitor) -> Answer:
        """Who I am."""
        return Answer({"name": person.name, "roles": sorted(person.roles), "player": person.player})


def _add_events(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/events", tags=["events"])
    async def events(
        request: Request,
        after: Annotated[int | None, Query(ge=0, le=10**15)] = None,
        last_event_id: EventId = None,
    ) -> Response:
        """What happens, as server-sent events whose ids are ledger positions. `Last-Event-ID`, or `after` at the first
        time, gives what was missed, once. Live scores and presence have no id. A stream ends by itself within a minute:
        open the next. Public; names of people to staff only.
        """
        person = await door.person(request)
        staff = person is not None and bool(person.roles & STAFF)
        begin = int(last_event_id) if last_event_id else desk.hub.position if after is None else after
        return LiveResponse(_events(begin, staff=staff))

    async def _events(begin: int, *, staff: bool) -> AsyncGenerator[bytes]:
        loop = asyncio.get_running_loop()
        end = loop.time() + LIFE * random.uniform(0.75, 1.25)  # noqa: S311 - spreads viewers, guards nothing
        yield format_sse_event(comment="inlane", retry=1000)
        yield f"id: {min(begin, desk.hub.position)}\n\n".encode()  # who hears nothing yet misses nothing either
        async for notice in desk.hub.follow(desk.history, begin, beat=BEAT):
            if loop.time() >= end:
                return
            if notice is None:
                yield format_sse_event(comment="beat")
                continue
            position = None if notice.position is None else str(notice.position)
            yield format_sse_event(data_str=json.dumps(_shown(notice, staff=staff)), event=notice.kind, id=position)


def _shown(notice: Notice, *, staff: bool) -> shapes.Shape:
    shown = {"position": notice.position, "kind": notice.kind, "at": shapes.when(notice.at), **notice.subject}
    return shown | {"who": notice.who} if staff else shown


def _add_evidence(api: APIRouter, door: Door) -> None:
    evidence, accounts = door.services.evidence, door.services.accounts

    @api.put("/evidence/{digest}", tags=["evidence"])
    async def put_picture(digest: Digest, request: Request) -> Answer:
        """Keep a picture (PNG or JPEG) or a recording (plain text) under its SHA-256. With the agent's token; may be
        repeated.
        """
        token = re.fullmatch(r"[Bb]earer +(\S{1,200})", request.headers.get("authorization", ""))
        agent = await asyncio.to_thread(accounts.agent, token[1]) if token else None
        if agent is None:
            raise HTTPException(401, "an agent's token is needed", headers={"www-authenticate": "Bearer"})
        data = await request.body()
        name = digest.removeprefix("sha256:")
        try:
            new = await asyncio.to_thread(evidence.put, name, data)
        except PictureInvalid as error:
            raise HTTPException(422, str(error)) from None
        except EvidenceFull as error:
            raise HTTPException(507, str(error)) from None
        if new:
            subject = {"evidence": f"sha256:{name}", "agent": agent}
            door.services.hub.live(Notice(position=None, kind="evidence.came", at=door.services.now(), subject=subject))
        return Answer({"sha256": name, "new": new}, status_code=201 if new else 200)

    @api.get("/evidence/{digest}", tags=["evidence"])
    async def get_picture(digest: Digest, _: Visitor) -> Response:
        """A picture, or a recording as a file to keep. Logged in."""
        kept = await asyncio.to_thread(evidence.get, digest.removeprefix("sha256:"))
        if kept is None:
            raise HTTPException(404, "the picture has not come")
        return FileResponse(kept.path, media_type=kept.media, headers=kept.headers)
