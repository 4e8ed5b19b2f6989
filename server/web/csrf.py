"""Refuses writes that another site made a browser send. No tokens: the browser itself says where a request comes from.

`Sec-Fetch-Site` and `Origin` cannot be set by a page. A request with neither does not come from a browser, so no
victim's cookie rides on it. The one invariant: a write whose origin is known and is not ours never reaches a handler.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
REFUSAL = "This request came from another site and was refused. Open the page itself and try again."


class OriginCheck:
    """ASGI middleware: 403 for a cross-site write, everything else passes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it."""
        if scope["type"] == "http" and scope["method"] not in SAFE and not is_ours(Headers(scope=scope)):
            await PlainTextResponse(REFUSAL, status_code=403)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def is_ours(headers: Headers) -> bool:
    """Whether a write with these headers comes from our own pages, or from no browser at all.

    `Sec-Fetch-Site` (W3C Fetch Metadata) is sent by browsers to trustworthy origins only, so plain http in a hall is
    judged by `Origin`, whose host and port must be those of `Host`.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = headers.get("origin")
    try:
        return origin is None or (origin != "null" and urlsplit(origin).netloc == headers.get("host", ""))
    except ValueError:  # no address at all
        return False
