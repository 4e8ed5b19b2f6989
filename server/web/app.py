"""The web application, composed: API, health and pages over one `Services`. No globals; everything is passed in.

The invariant: whatever goes wrong, an answer is one clear line; a traceback goes to the log and to nobody else.
"""

import logging

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.routing import Match

from server.errors import ServerError, StoreUnavailable
from server.explaining import Explaining
from server.services import Services
from server.web.api import health, make_router
from server.web.api.door import Answer, Door
from server.web.auth import Gate
from server.web.csrf import OriginCheck
from server.web.headers import SecurityHeaders
from server.web.limits import BodyLimit
from server.web.pages import make_pages

log = logging.getLogger(__name__)
ANY = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def create_app(services: Services) -> FastAPI:
    """The application that uvicorn serves."""
    gate = Gate(services)
    explaining = Explaining(services.desk.standings, services.desk.reading)
    app = FastAPI(
        title="Inlane",
        summary="Every pinball score, safely and with its evidence.",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.gate = gate
    app.include_router(make_router(Door(services, gate), explaining), prefix="/api/v1")
    app.include_router(health.router(services))
    _add_errors(app)
    _add_the_rest_of_the_api(app)
    app.mount("/", make_pages(services, gate, explaining))
    app.add_middleware(OriginCheck)
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityHeaders)
    return app


def _add_the_rest_of_the_api(app: FastAPI) -> None:
    """What no route takes, under /api: 404, or 405 where the path is there for another method, in JSON."""

    @app.api_route("/api/{rest:path}", methods=ANY, include_in_schema=False)
    async def nothing(request: Request) -> Answer:
        scope = {**request.scope, "path_params": {}}
        for route in app.router.routes[:-2]:
            match, _ = route.matches(scope)
            if match is Match.PARTIAL:
                methods = ", ".join(sorted(getattr(route, "methods", None) or ()))
                raise HTTPException(405, f"{request.method} is not possible here", headers={"allow": methods})
        raise HTTPException(404, "there is nothing here")


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(StarletteHTTPException)
    async def said(_: Request, error: StarletteHTTPException) -> Answer:
        return Answer({"error": str(error.detail)}, status_code=error.status_code, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Answer:
        return Answer({"error": _first_problem(error)}, status_code=422)

    @app.exception_handler(StoreUnavailable)
    async def unavailable(_: Request, error: StoreUnavailable) -> Answer:
        return Answer({"error": f"nothing was done: {error}"}, status_code=503, headers={"retry-after": "5"})

    @app.exception_handler(ServerError)
    async def refused(_: Request, error: ServerError) -> Answer:
        return Answer({"error": str(error)}, status_code=422)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Answer:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return Answer({"error": "the server failed at this; it is in its log"}, status_code=500)


def _first_problem(error: RequestValidationError) -> str:
    problem = error.errors()[0]
    where = ".".join(str(step) for step in problem["loc"] if step != "body")
    return f"{where}: {problem['msg']}" if where else str(problem["msg"])
