"""Captured games, the review queue, malfunctions and rulings over HTTP."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Path, Query

from server.consequences import refusals
from server.core.venue import commands as c
from server.core.venue.examples import Example, labelled
from server.core.venue.state import Game, Reading
from server.core.venue.times import read_moment
from server.core.venue.values import entry_kind
from server.filing import from_record
from server.history import notice_of
from server.web.api import shapes
from server.web.api.bodies import ConfirmBody, CorrectBody, MatchBody, MustBody, NoteBody, RulingBody
from server.web.api.changes import tell
from server.web.api.door import Answer, Door, Key, Official, StrictRoute, Visitor

Name = Annotated[str, Path(min_length=1, max_length=80)]
Limit = Annotated[int, Query(ge=1, le=1000)]
GameStatus = Literal["running", "unmatched", "waiting", "posted", "discarded"]
ReadingStatus = Literal["waiting", "confirmed", "corrected", "rejected", "settled"]


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute)
    _add_games(api, door)
    _add_readings(api, door)
    _add_examples(api, door)
    _add_malfunctions(api, door)
    _add_rulings(api, door)
    return api


def _add_games(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/games", tags=["games"])
    async def games(
        _: Visitor,
        status: GameStatus | None = None,
        machine: str | None = None,
        limit: Limit = 100,
    ) -> Answer:
        """Captured games, the newest first. Logged in."""
        with desk.reading() as state:
            found = []
            for game in reversed(list(state.games.values())):
                if (status is None or game.status == status) and (machine is None or game.machine == machine):
                    found.append(game)
                    if len(found) == limit:
                        break
        against = await _against(door, found)
        return Answer({"games": [shapes.game(game, against.get(game.id)) for game in found]})

    @api.get("/games/{game}", tags=["games"])
    async def one_game(game: Name, _: Visitor) -> Answer:
        """A captured game with every turn's scores, and `explain`: the ledger's events that made it. Logged in."""
        with desk.reading() as state:
            found = state.games.get(game)
        if found is None:
            raise HTTPException(404, f"there is no game {game}")
        explain = await asyncio.to_thread(_explain, door, found.positions)
        against = await _against(door, [found])
        return Answer({**shapes.game_in_full(found, against.get(game)), "explain": explain})

    @api.post("/games/{game}/match", tags=["games"])
    async def match(game: Name, body: MatchBody, person: Visitor, key: Key = None) -> Answer:
        """Say whose game it is. Officials."""
        command = c.MatchGame(
            game=game,
            place=body.place(door.tournament(body.tournament)),
            players=tuple(body.players),
            why=body.why,
            started=read_moment(body.started_at),
            despite_rules=body.despite_rules,
            based_on=body.based_on,
        )
        return await tell(door, command, person, key, command.place.tournament)

    @api.post("/games/{game}/discard", tags=["games"])
    async def discard(game: Name, body: MustBody, person: Visitor, key: Key = None) -> Answer:
        """Say that it is no result. Officials."""
        return await door.submit(c.DiscardGame(game=game, why=body.why, based_on=body.based_on), person, key)


async def _against(door: Door, games: Sequence[Game]) -> dict[str, str]:
    """Of captured games that are posted, what the rules have against them now: a ruling may count what was kept."""
    found: dict[str, str] = {}
    posted = [(game.id, game.place.tournament, game.entry) for game in games if game.place and game.entry is not None]
    for tournament in sorted({name for _, name, _ in posted}):
        result = await door.result(tournament)
        refused = {} if result is None else refusals(result)
        found |= {game: refused[entry] for game, name, entry in posted if name == tournament and entry in refused}
    return found


def _add_readings(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    def shape(found: Sequence[Reading]) -> list[shapes.Shape]:
        evidence = door.services.evidence
        return [
            shapes.reading(r, picture_here=r.evidence is not None and evidence.has(r.evidence.removeprefix("sha256:")))
            for r in found
        ]

    @api.get("/readings", tags=["readings"])
    async def readings(_: Visitor, status: ReadingStatus | None = None, limit: Limit = 200) -> Answer:
        """The review queue, the oldest first. Logged in."""
        with desk.reading() as state:
            found = [r for r in state.readings.values() if status is None or r.status == status][:limit]
        return Answer({"readings": await asyncio.to_thread(shape, found)})

    @api.get("/readings/{reading}", tags=["readings"])
    async def one_reading(reading: Name, _: Visitor) -> Answer:
        """One reading. Logged in."""
        with desk.reading() as state:
            found = state.readings.get(reading)
        if found is None:
            raise HTTPException(404, f"there is no reading {reading}")
        return Answer((await asyncio.to_thread(shape, [found]))[0])

    @api.post("/readings/{reading}/confirm", tags=["readings"])
    async def confirm(reading: Name, body: ConfirmBody, person: Visitor, key: Key = None) -> Answer:
        """The proposed score is right. Officials."""
        command = c.ConfirmReading(reading=reading, score=body.score, based_on=body.based_on)
        return await tell(door, command, person, key, _tournament_of(door, reading))

    @api.post("/readings/{reading}/correct", tags=["readings"])
    async def correct(reading: Name, body: CorrectBody, person: Visitor, key: Key = None) -> Answer:
        """The score is another one. Officials."""
        command = c.CorrectReading(reading=reading, score=body.score, why=body.why, based_on=body.based_on)
        return await tell(door, command, person, key, _tournament_of(door, reading))

    @api.post("/readings/{reading}/reject", tags=["readings"])
    async def reject(reading: Name, body: MustBody, person: Visitor, key: Key = None) -> Answer:
        """There is no score. Officials."""
        command = c.RejectReading(reading=reading, why=body.why, based_on=body.based_on)
        return await tell(door, command, person, key, _tournament_of(door, reading))


def _add_examples(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/examples", tags=["readings"])
    async def examples(
        _: Official,
        machine: str | None = None,
        after: Annotated[int, Query(ge=0, le=10**15)] = 0,
        limit: Limit = 200,
    ) -> Answer:
        """Labelled examples for teaching: readings confirmed or corrected whose scores count, in the order of their
        decisions. `next` is the `after` of the following page, null at the end. Officials.
        """
        with desk.reading() as state:
            found = labelled(state, machine=machine, after=after)
        page = found[:limit]
        more = page[-1].position if len(found) > len(page) else None
        return Answer({"examples": [shown_example(example) for example in page], "next": more})


def _add_malfunctions(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/malfunctions", tags=["malfunctions"])
    async def malfunctions(
        _: Visitor,
        only: Literal["open", "closed"] | None = None,
        machine: str | None = None,
        limit: Limit = 200,
    ) -> Answer:
        """Malfunction signals and desk alarms, the newest first. Logged in."""
        now = door.services.now()
        with desk.reading() as state:
            everything = reversed(list(state.malfunctions.values()))
            found = [
                m
                for m in everything
                if only in {None, "open" if m.raised(now) else "closed"} and machine in {None, m.machine}
            ]
            shown = [shapes.malfunction(state, m, now) for m in found[:limit]]
        return Answer({"malfunctions": shown})

    @api.get("/malfunctions/{malfunction}", tags=["malfunctions"])
    async def one_malfunction(malfunction: Name, _: Visitor) -> Answer:
        """A malfunction with the scores that were frozen in its game, the pictures and recordings. Logged in."""
        with desk.reading() as state:
            found = state.malfunctions.get(malfunction)
            if found is None:
                raise HTTPException(404, f"there is no malfunction {malfunction}")
            return Answer(shapes.malfunction_in_full(state, found, door.services.now()))

    @api.post("/malfunctions/{malfunction}/acknowledge", tags=["malfunctions"])
    async def acknowledge(malfunction: Name, body: NoteBody, person: Visitor, key: Key = None) -> Answer:
        """I have seen it. Staff."""
        return await door.submit(c.AcknowledgeMalfunction(malfunction=malfunction, note=body.note), person, key)

    @api.post("/malfunctions/{malfunction}/close", tags=["malfunctions"])
    async def close(malfunction: Name, body: MustBody, person: Visitor, key: Key = None) -> Answer:
        """It is over. Officials and desk."""
        return await door.submit(c.CloseMalfunction(malfunction=malfunction, why=body.why), person, key)


def _add_rulings(api: APIRouter, door: Door) -> None:
    desk = door.services.desk

    @api.get("/malfunctions/{malfunction}/rulings", tags=["malfunctions"])
    async def rulings(malfunction: Name, _: Visitor) -> Answer:
        """The rulings on the malfunction's game. Logged in."""
        tournament, game = _ruled(door, malfunction)
        with desk.reading() as state:
            found = [x for x in state.log(tournament) if entry_kind(x.entry) == "ruling" and x.entry["ruling"] == game]
            return Answer({"game": game, "rulings": [shapes.entry(state, tournament, entry) for entry in found]})

    @api.post("/malfunctions/{malfunction}/rulings", tags=["malfunctions"])
    async def rule(malfunction: Name, body: RulingBody, person: Visitor, key: Key = None) -> Answer:
        """Rule on the malfunction's game. Officials."""
        tournament, game = _ruled(door, malfunction)
        said = {"who": body.who, "kind": body.kind, "games": body.games, "factor": body.factor, "why": body.why}
        entry = {"ruling": game, **{name: value for name, value in said.items() if value is not None}}
        command = c.RecordEntry(tournament=tournament, entry=entry, why=body.why, based_on=body.based_on)
        return await tell(door, command, person, key)


def _tournament_of(door: Door, reading: str) -> str | None:
    """The tournament in which a reading's game counts, if it counts in one."""
    with door.services.desk.reading() as state:
        found = state.readings.get(reading)
        game = state.games.get(found.game) if found is not None else None
        return game.place.tournament if game is not None and game.place is not None else None


def _ruled(door: Door, malfunction: str) -> tuple[str, str]:
    """The tournament and the log's game of a malfunction; 404 or 422 where there is none."""
    with door.services.desk.reading() as state:
        found = state.malfunctions.get(malfunction)
        if found is None:
            raise HTTPException(404, f"there is no malfunction {malfunction}")
        game = state.games.get(found.game) if found.game else None
        if game is None or game.place is None or game.entry is None:
            raise HTTPException(422, "the malfunction's game is not posted: match it, or confirm its readings first")
        tournament = game.place.tournament
        return tournament, str(state.entries[tournament, game.entry].entry["game"])


def shown_example(found: Example) -> shapes.Shape:
    """A labelled example."""
    return {
        "position": found.position,
        "reading": found.reading,
        "game": found.game,
        "machine": found.machine,
        "player": found.player,
        "value": found.value,
        "decision": found.decision,
        "evidence": found.evidence,
        "text": found.text,
        "proposed": found.proposed,
        "candidates": list(found.candidates),
        "confidence": found.confidence,
        "decided_by": found.decided_by,
        "decided_at": shapes.when(found.decided_at),
    }


def _explain(door: Door, positions: Sequence[int]) -> list[shapes.Shape]:
    found = []
    for record in door.services.store.records_at(positions):
        happened = from_record(record)
        if happened is not None:
            notice = notice_of(happened)
            found.append(
                {
                    "position": record.position,
                    "kind": record.kind,
                    "at": shapes.when(record.at),
                    "who": record.who,
                    "subject": dict(notice.subject),
                    "body": {name: value for name, value in record.body.items() if name != "_"},
                }
            )
    return found
