"""Bounds what a request may send, before anything reads it: bodies larger than allowed get 413.

The invariant: no more than the limit of a body is ever held in memory, whatever Content-Length says.
"""

import json
import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server import tournament_file
from server.exchange import sheets

BODY_LIMIT = 1 * 2**20
"""Bytes of any request's body."""
PICTURE_LIMIT = 4 * 2**20 + 1
"""Bytes of a picture's: one more than is taken, so that the store says what is wrong."""
FILE_LIMIT = tournament_file.MAX_BYTES + 1
"""Bytes of a tournament file's that comes in."""
TABLE_LIMIT = sheets.MAX_BYTES + 1
"""Bytes of a table's."""
REPORT_LIMIT = PICTURE_LIMIT + 64 * 1024
"""Bytes of a malfunction reported with a photo."""
DRAINED = 32 * 2**20
"""Bytes of a refused body that are read and thrown away before the line is cut."""
_PICTURE = re.compile(r"/api/v1/evidence/[^/]+")
_TABLE = re.compile(r"/api/v1/tournaments/[^/]+/(players|machines|games)/import")
_REPORT = re.compile(r"/scorekeeper/[^/]+/malfunction")


class BodyLimit:
    """ASGI middleware: 413 for a body that is too large."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, counting what comes in."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = _limit_of(scope)
        if _said_length(scope) > limit:
            await _drain(receive)
            await _refuse(send, limit)
            return
        seen = 0
        answered = False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > limit:
                    raise _TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except _TooLarge:
            if not answered:
                await _drain(receive)
                await _refuse(send, limit)


class _TooLarge(Exception):
    """More than the limit came."""


def _limit_of(scope: Scope) -> int:
    if scope["method"] == "PUT" and _PICTURE.fullmatch(scope["path"]):
        return PICTURE_LIMIT
    if scope["method"] != "POST":
        return BODY_LIMIT
    if scope["path"] == "/api/v1/tournaments/import":
        return FILE_LIMIT
    if _TABLE.fullmatch(scope["path"]):
        return TABLE_LIMIT
    return REPORT_LIMIT if _REPORT.fullmatch(scope["path"]) else BODY_LIMIT


def _said_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and re.fullmatch(rb"[0-9]{1,18}", value):
            return int(value)
    return 0


async def _drain(receive: Receive) -> None:
    """Read on for a while and forget it: who is cut off while sending never sees the answer."""
    left = DRAINED
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False):
            return


async def _refuse(send: Send, limit: int) -> None:
    body = json.dumps({"error": f"the request is larger than the {limit} bytes allowed"}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 413, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
