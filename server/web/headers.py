"""Security headers on every answer. No inline script or style exists in our pages, so none is allowed.

The one invariant: what a page may load comes from this server alone; a venue needs no internet.
"""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; "
    "script-src 'self'; "
    "style-src 'self'; "
    "img-src 'self'; "
    "font-src 'self'; "
    "connect-src 'self'; "
    "manifest-src 'self'; "
    "form-action 'self'; "
    "base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""The pages' Content-Security-Policy."""

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SecurityHeaders:
    """ASGI middleware: adds the headers, leaving alone what a handler set itself; pages are not kept in caches."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request with the headers added."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _dress(MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, dressed)


def _dress(headers: MutableHeaders) -> None:
    for name, value in ALWAYS.items():
        headers.setdefault(name, value)
    if headers.get("content-type", "").startswith("text/html"):
        headers.setdefault("content-security-policy", POLICY)
        headers.setdefault("cache-control", "no-store")
