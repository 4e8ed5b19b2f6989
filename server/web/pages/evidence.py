"""`/evidence/{sha256}`: pictures and recordings, for those who may look at them. What is under a name never changes."""

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from server.evidence import Evidence
from server.web.pages.frame import Frame
from server.web.roles import STAFF


def router(frame: Frame, evidence: Evidence) -> APIRouter:
    """The pictures."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/evidence/{digest}")
    async def picture(request: Request, digest: str) -> Response:
        person = await frame.person(request)
        if person is None or not person.roles & STAFF:
            return PlainTextResponse("Log in to see this picture.", status_code=403 if person else 401)
        kept = await run_in_threadpool(evidence.get, digest)
        if kept is None:
            return PlainTextResponse("The picture has not come yet.", status_code=404)
        return FileResponse(kept.path, media_type=kept.media, headers=kept.headers)

    return routes
