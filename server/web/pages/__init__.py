"""The pages: one app of its own, mounted at the root under the API, with its own error pages.

`make_pages` is all that the server's composition needs to know. Pages look through `Venue` and ask through commands;
none holds state of the tournament.
"""

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from server.explaining import Explaining
from server.services import Services
from server.web.auth import Gate
from server.web.pages import (
    board,
    desk,
    errors,
    evidence,
    explain,
    games,
    home,
    live,
    log,
    login,
    machine_state,
    machines,
    malfunctions,
    reports,
    review,
    rounds,
    rulings,
    scorekeeper,
    setup,
)
from server.web.pages.frame import Frame
from server.web.render import STATIC
from server.web.venue import Venue


def make_pages(services: Services, gate: Gate, explaining: Explaining) -> FastAPI:
    """The pages' app. `gate` is the one that the API uses too: wrong passwords are counted once for both."""
    frame = Frame(Venue(services.desk, services.store, now=services.now, zone=services.zone), gate)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    errors.install(app, frame)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    floor = (desk, malfunctions, games, review, board, machines, machine_state, scorekeeper)
    for page in (home, login, *floor, log, rounds, rulings):
        app.include_router(page.router(frame))
    app.include_router(explain.router(frame, explaining))
    app.include_router(setup.router(frame, explaining))
    app.include_router(evidence.router(frame, services.evidence))
    app.include_router(reports.router(frame, services.evidence))
    drawers = {
        "desk": desk.parts,
        "review": review.parts,
        "board": board.parts,
        "machines": machines.parts,
        "log": log.parts,
        "scorekeeper": scorekeeper.parts,
        "rounds": rounds.parts,
    }
    app.include_router(live.router(frame, drawers))
    return app
