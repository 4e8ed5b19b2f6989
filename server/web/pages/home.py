"""`/`: the doors that are open to whoever asks."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from server.web.pages.frame import Frame
from server.web.roles import doors_for


def router(frame: Frame) -> APIRouter:
    """The start page."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def page(request: Request) -> Response:
        person = await frame.person(request)
        tournament = frame.venue.look(lambda scene: scene.tournament.name if scene.tournament is not None else None)
        return await frame.render(
            request,
            "home.html",
            title="Start",
            href="/",
            tournament=tournament,
            doors=doors_for(person.roles if person is not None else frozenset()),
        )

    return routes
