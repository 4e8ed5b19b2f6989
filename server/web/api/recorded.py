"""Recorded games and people's results over HTTP: what the log has of each, and its whole history.

0 is a score. `void` says that there was one, `no score` that there never was. Nothing is computed here but the shape.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request

from server.consequences import refusals
from server.core.venue.heads import somebody
from server.core.venue.state import LogEntry, State
from server.core.venue.story import Step, entry_now, places_of, scores_now, story
from server.core.venue.values import entry_kind
from server.filing import from_record
from server.web.api import shapes
from server.web.api.door import Answer, Door, StrictRoute, Visitor
from server.web.api.tournaments import Name, T

_BESIDE = frozenset({"game", "machine", "scores", "at", "started_at", "why", "by", "note"})


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["tournaments"])
    _add_games(api, door)
    _add_people(api, door)
    return api


def _add_games(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/games")
    async def games(
        request: Request,
        t: T,
        after: Annotated[int, Query(ge=0, le=10**9)] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    ) -> Answer:
        """Recorded games by the number of their entry, beyond `after`; `next` is the following page's. Public.

        What an official wrote when he took one out is there for whoever is logged in.
        """
        result, names = await door.standings(t), await door.person(request) is not None
        refused = refusals(result)
        with desk.reading() as state:
            found: list[shapes.Shape] = []
            number, last = after, state.tournaments[result.tournament].entries
            while number < last and len(found) < limit:
                number += 1
                entry = state.entries[result.tournament, number]
                if entry_kind(entry.entry) == "game" and _is_now(state, result.tournament, entry):
                    found.append(_game(state, result.tournament, entry, refused, names=names))
        more = number if number < last else None
        return Answer({"version": result.version, "games": found, "next": more})

    @api.get("/tournaments/{t}/games/{game}")
    async def one_game(t: T, game: Name, _: Visitor) -> Answer:
        """A recorded game with its `history`: who did what when and why, the scores before and after. Logged in."""
        result = await door.standings(t)
        name = result.tournament
        with desk.reading() as state:
            entry = entry_now(state, name, game)
            if entry is None:
                raise HTTPException(404, f"there is no game {game}")
            found = _game(state, name, entry, refusals(result), names=True)
            places = places_of(state, name, game)
        records = await asyncio.to_thread(door.services.store.records_at, places)
        happened = [one for one in map(from_record, records) if one is not None]
        with desk.reading() as state:
            steps = story(state, name, game, happened)
        return Answer({"version": result.version, **found, "history": [_step(step) for step in steps]})


def _add_people(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/tournaments/{t}/players/{player}")
    async def one_player(request: Request, t: T, player: Name) -> Answer:
        """A player (or a team): where he stands, his games, whether he has withdrawn.

        `result` is played, void (all that he played is) or no score. Public; what officials wrote, logged in.
        """
        result, names = await door.standings(t), await door.person(request) is not None
        name = result.tournament
        with desk.reading() as state:
            head = somebody(state.tournaments[name].head, player)
            if head is None:
                raise HTTPException(404, f"there is no player {player}")
            entries = [state.entries[name, span.number] for span in state.spans.get((name, player), ())]
            refused = refusals(result)
            found = [
                _game(state, name, entry, refused, names=names) for entry in entries if _is_now(state, name, entry)
            ]
            gone = state.withdrawn.get((name, player))
            left = None if gone is None else shapes.withdrawal(gone, names=names)
        stands = [
            {"stage": stage["id"], **row}
            for stage in result.outcome["stages"]
            for row in stage["standings"]
            if row["who"] == player
        ]
        states = {one["state"] for game in found for one in game["scores"] if one["who"] == player}
        words = "played" if "played" in states else "void" if states else "no score"
        own = {"player": dict(head), "withdrawn": left, "result": words, "standings": stands, "games": found}
        return Answer({"version": result.version, **own})


def _is_now(state: State, tournament: str, entry: LogEntry) -> bool:
    now = entry_now(state, tournament, str(entry.entry["game"]))
    return now is not None and now.number == entry.number


def _game(state: State, tournament: str, entry: LogEntry, refused: Mapping[int, str], *, names: bool) -> shapes.Shape:
    game = str(entry.entry["game"])
    scores = scores_now(state, tournament, game)
    why = refused.get(entry.number)
    counts = state.counts(entry, tournament) and why is None
    return {
        "game": game,
        "number": entry.number,
        "machine": entry.entry["machine"],
        "place": {key: value for key, value in entry.entry.items() if key not in _BESIDE},
        "started_at": entry.entry.get("started_at"),
        "at": entry.entry.get("at"),
        "capture": entry.capture,
        "counts": counts,
        "why": None if counts else why or (entry.changed_why if names else None),
        "scores": [
            {
                "who": who,
                "score": None if scores is None else scores.get(who),
                "recorded": recorded,
                "state": _state(scores, who, counts=counts),
            }
            for who, recorded in entry.entry["scores"].items()
        ],
        "version": entry.version,
    }


def _state(scores: Mapping[str, int | None] | None, who: str, *, counts: bool) -> str:
    if not counts or scores is None:
        return "not counted"
    return "void" if scores.get(who) is None else "played"


def _step(step: Step) -> shapes.Shape:
    return {
        "position": step.position,
        "at": shapes.when(step.at),
        "who": step.who,
        "what": step.what,
        "number": step.number,
        "why": step.why,
        "old": step.old,
        "new": step.new,
        "entry": dict(step.entry),
    }
