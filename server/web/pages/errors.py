"""What a person sees when something is wrong: one page with what to do, never a traceback.

Errors of the API are its own business; here is what the pages answer, and the last resort for both.
"""

from collections.abc import Mapping

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from server.errors import StoreUnavailable
from server.web.auth import Person
from server.web.forms import FieldInvalid
from server.web.pages.frame import HTMX, Frame, NotAllowed, Notice, login_address

HOME = {"href": "/", "word": "To the start"}

TEXTS: Mapping[int, tuple[str, str]] = {
    400: ("That was not understood", "The request could not be read. Go back and try again."),
    404: ("There is no such page", "The address may be mistyped, or what it named is gone."),
    405: ("That cannot be done here", "Go back and use the page's own buttons."),
    413: ("That is too large", "Send less at a time."),
    422: ("That was not understood", "Something in the form cannot be read. Go back and look at what you typed."),
    500: ("Something went wrong here", "Nothing was lost. Try again; if it stays, the server's log says more."),
    503: ("The ledger cannot be written", "Nothing was stored. Tell whoever runs the server, then try again."),
}


def install(app: FastAPI, frame: Frame) -> None:
    """Give the pages' app its error pages."""

    async def http(request: Request, error: Exception) -> Response:
        return await _say(frame, request, error.status_code if isinstance(error, HTTPException) else 500)

    async def invalid(request: Request, _: Exception) -> Response:
        return await _say(frame, request, 404 if request.method == "GET" else 422)

    async def field(request: Request, error: Exception) -> Response:
        return await _say(frame, request, 422, str(error))

    async def store(request: Request, error: Exception) -> Response:
        return await _say(frame, request, 503, f"Nothing was stored: {error}")

    async def broken(request: Request, _: Exception) -> Response:
        return await _say(frame, request, 500)

    async def not_allowed(request: Request, error: Exception) -> Response:
        return await _turn_away(frame, request, error.person if isinstance(error, NotAllowed) else None)

    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(FieldInvalid, field)
    app.add_exception_handler(StoreUnavailable, store)
    app.add_exception_handler(NotAllowed, not_allowed)
    app.add_exception_handler(Exception, broken)


async def _say(frame: Frame, request: Request, status: int, detail: str | None = None) -> Response:
    heading, text = TEXTS.get(status, TEXTS[500 if status >= 500 else 400])
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": heading}, status_code=status)
    if request.headers.get(HTMX):
        notice = Notice(text=detail or f"{heading}. {text}", tone="bad")
        return HTMLResponse(frame.draw("notice.html", notice=notice), status_code=status)
    return await frame.render(
        request,
        "error.html",
        title=heading,
        href="",
        status=status,
        heading=heading,
        text=detail or text,
        ways=(HOME,),
    )


async def _turn_away(frame: Frame, request: Request, person: Person | None) -> Response:
    if person is None:
        if request.headers.get(HTMX):
            notice = Notice(text="You are logged out. Log in again, then do this once more.", tone="bad")
            return HTMLResponse(frame.draw("notice.html", notice=notice), status_code=401)
        return RedirectResponse(login_address(request), status_code=303)
    return await frame.render(
        request,
        "error.html",
        title="Not for your role",
        href="",
        status=403,
        heading="This page is not for your role",
        text=f"You are logged in as {person.name} ({person.role}). Somebody with another role can open it.",
        ways=(HOME,),
    )
