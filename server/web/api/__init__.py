"""The API: JSON under /api/v1, described by /openapi.json. Routes ask the desk; nothing is decided here."""

from fastapi import APIRouter

from server.explaining import Explaining
from server.web.api import (
    by_hand,
    changes,
    decisions,
    exchange,
    explain,
    feed,
    games,
    machines,
    matches,
    recorded,
    rules,
    standings,
    tournaments,
)
from server.web.api.door import Door


def make_router(door: Door, explaining: Explaining) -> APIRouter:
    """Every route of the API, without its prefix."""
    api = APIRouter()
    for part in (
        feed,
        exchange,
        machines,
        by_hand,
        games,
        tournaments,
        changes,
        recorded,
        rules,
        decisions,
        standings,
        matches,
    ):
        api.include_router(part.router(door))
    api.include_router(explain.router(door, explaining))
    return api
