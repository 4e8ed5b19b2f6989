"""`/login`, `/logout` and `/theme`: coming, going, and how bright the pages are."""

import math

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from server.web.auth import Entered, drop_cookie, set_cookie
from server.web.forms import FieldInvalid, text
from server.web.pages.frame import THEMES, Frame, local

YEAR = 365 * 24 * 3600


def router(frame: Frame) -> APIRouter:
    """The doors."""
    routes = APIRouter(include_in_schema=False)

    async def show(request: Request, *, name: str, wrong: str | None, onward: str, status: int) -> Response:
        return await frame.render(
            request,
            "login.html",
            title="Log in",
            href="/login",
            status=status,
            name=name,
            wrong=wrong,
            next=onward,
        )

    @routes.get("/login")
    async def page(request: Request) -> Response:
        onward = local(request.query_params.get("next"))
        if await frame.person(request) is not None:
            return RedirectResponse(onward, status_code=303)
        return await show(request, name="", wrong=None, onward=onward, status=200)

    @routes.post("/login")
    async def log_in(request: Request) -> Response:
        form = await request.form(max_fields=10, max_files=0)
        onward = local(str(form.get("next") or ""))
        try:
            name = text(form, "name", longest=100)
        except FieldInvalid as error:
            return await show(request, name="", wrong=str(error), onward=onward, status=422)
        password = form.get("password")
        entered = await frame.gate.log_in(request, name, password if isinstance(password, str) else "")
        if not isinstance(entered, Entered):
            status = 429 if entered.wait else 401
            response = await show(request, name=name, wrong=entered.why, onward=onward, status=status)
            if entered.wait:
                response.headers["retry-after"] = str(math.ceil(entered.wait))
            return response
        response = RedirectResponse(onward, status_code=303)
        set_cookie(request, response, entered.token)
        return response

    _leaving(routes, frame)
    return routes


def _leaving(routes: APIRouter, frame: Frame) -> None:
    @routes.post("/logout")
    async def log_out(request: Request) -> Response:
        await frame.gate.log_out(request)
        response = RedirectResponse("/login", status_code=303)
        drop_cookie(request, response)
        return response

    @routes.post("/theme")
    async def theme(request: Request) -> Response:
        form = await request.form(max_fields=10, max_files=0)
        wanted = text(form, "theme", longest=10)
        response = RedirectResponse(local(text(form, "back", longest=300)), status_code=303)
        if wanted in THEMES:
            response.set_cookie("theme", wanted, max_age=YEAR, path="/", samesite="lax")
        else:
            response.delete_cookie("theme", path="/")
        return response
