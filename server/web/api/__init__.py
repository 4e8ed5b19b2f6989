"""The API: JSON under /api/v1, described by /openapi.json. Routes ask the desk; nothing is decided here."""

from fastapi import APIRouter

from server.web.api import by_hand, exchange, feed, games, machines, tournaments
from server.web.api.door import Door


def make_router(door: Door) -> APIRouter:
    """Every route of the API, without its prefix."""
    api = APIRouter()
    for part in (feed, exchange, machines, by_hand, games, tournaments):
        api.include_router(part.router(door))
    return api
