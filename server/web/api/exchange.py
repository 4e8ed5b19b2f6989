"""Files over HTTP: tournament files in and out, the ledger, and tables for spreadsheets.

What is in a file is `server.exchange`'s business. The invariant: no byte of a large body is read before it is known
who sends it, and one file is taken in at a time.
"""

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, HTTPException, Path, Query, Request
from starlette.datastructures import UploadFile
from starlette.responses import Response, StreamingResponse

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.decide import may
from server.core.venue.outcomes import Done, Outcome
from server.exchange.bringing import bring_members, bring_tournament
from server.exchange.ledger import ledger_lines
from server.exchange.results import make_table
from server.exchange.sheets import write_sheet
from server.exchange.tournaments import document_of, read_arrival
from server.tournament_file import dump
from server.web.api.door import Answer, Door, Key, Staff, StrictRoute, Visitor, answer
from server.web.auth import Person
from server.web.roles import OFFICIALS

Format = Literal["yaml", "ledger", "players", "machines", "games", "standings", "ifpa", "teams", "rosters", "matches"]
Name = Annotated[str, Query(max_length=200, description="The file's name, as errors tell it.")]
T = Annotated[str, Path(min_length=1, max_length=80, description="The tournament's id, or `current`.")]
LINES = 500
UPLOAD_S = 300
"""Who sends more slowly keeps others from sending."""
_BY_MEDIA: dict[str, Format] = {
    "application/yaml": "yaml",
    "application/x-ndjson": "ledger",
    "text/csv": "standings",
}
_TAKEN_IN: dict[str, type[c.Command]] = {
    "players": c.AddPlayers,
    "machines": c.AddMachines,
    "teams": c.AddTeams,
    "rosters": c.AddTeams,
    "games": c.ImportEntries,
}
_YAML: dict[str, Any] = {"requestBody": {"required": True, "content": {"application/yaml": {}}}}
_CSV: dict[str, Any] = {"requestBody": {"required": True, "content": {"text/csv": {}}}}


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["files"])
    _add_exports(api, door)
    _add_imports(api, door)
    return api


def _add_exports(api: APIRouter, door: Door) -> None:
    @api.get("/export")
    @api.get("/tournaments/{tournament}/export")
    async def export(
        person: Staff,
        tournament: str = "current",
        format: Format | None = None,  # noqa: A002
        bom: bool = True,  # noqa: FBT001, FBT002
        stage: Annotated[str | None, Query(max_length=80)] = None,
        division: Annotated[str | None, Query(max_length=80)] = None,
        accept: Annotated[str, Header(max_length=2000)] = "",
    ) -> Response:
        """A file to keep, by `format`, or by what is accepted: `application/yaml` (the tournament file: the head and
        the log that the rules see), `application/x-ndjson` (the whole ledger, officials), `text/csv` (standings).
        The tables are `players`, `machines`, `games`, `standings`, `ifpa`, and where teams play `teams`, `rosters`,
        `matches`; `bom=false` writes them for programs. Staff.
        """
        name = door.tournament(tournament)
        wanted = format if format is not None else _accepted(accept)
        if wanted == "ledger":
            if not person.roles & OFFICIALS:
                raise HTTPException(403, f"this needs the role {' or '.join(sorted(OFFICIALS))}")
            headers = _saved(f"{name}-ledger.jsonl")
            return StreamingResponse(_ledger(door, name), media_type="application/x-ndjson", headers=headers)
        if wanted == "yaml":
            return await asyncio.to_thread(_tournament_file, door, name)
        return await asyncio.to_thread(_table, door, name, wanted, bom=bom, stage=stage, division=division)


def _add_imports(api: APIRouter, door: Door) -> None:
    one_at_a_time = asyncio.Lock()

    @api.post("/tournaments/import", openapi_extra=_YAML)
    async def import_tournament(
        request: Request,
        person: Visitor,
        id: Annotated[str | None, Query(max_length=80)] = None,  # noqa: A002
        name: Name = "the file",
        current: bool = False,  # noqa: FBT001, FBT002
        key: Key = None,
    ) -> Answer:
        """Take in a tournament file (YAML, up to 64 MiB) as a new tournament, whole or not at all. What the rules
        refuse in it comes in with their objection and is listed. It becomes the running one with `current`, or where
        none is running. Without an `id` its title gives one. Admin.
        """
        _need_right(person, c.ImportTournament)
        async with _alone(one_at_a_time):
            data = await _body(request)
            arrival = await asyncio.to_thread(read_arrival, data, name=_one_line(name), id=id, current=current)
            outcome, told = await asyncio.to_thread(bring_tournament, door.services.desk, arrival, person.actor, key)
        return _told(outcome, told)

    @api.post("/tournaments/{t}/{part}/import", openapi_extra=_CSV)
    async def import_members(
        request: Request,
        t: T,
        part: Literal["players", "machines", "games", "teams", "rosters"],
        person: Visitor,
        name: Name = "the table",
        encoding: Annotated[str | None, Query(max_length=40)] = None,
    ) -> Answer:
        """Take in a table (CSV): columns are told by their names; what is there already is left as it is.
        Players: admin, officials, desk; machines, teams, rosters: admin; games: admin, officials.
        """
        tournament = door.tournament(t)
        _need_right(person, _TAKEN_IN[part])
        async with _alone(one_at_a_time):
            data = await _body(request)
            outcome, told = await asyncio.to_thread(
                bring_members,
                door.services.desk,
                data,
                part,
                tournament,
                person.actor,
                name=_one_line(name),
                encoding=encoding,
            )
        return _told(outcome, told)


def _need_right(person: Person, command: type[c.Command]) -> None:
    if not may(person.actor, command):
        raise HTTPException(403, "this needs another role")


@contextlib.asynccontextmanager
async def _alone(lock: asyncio.Lock) -> AsyncGenerator[None]:
    if lock.locked():
        raise HTTPException(503, "another file is being taken in: try again", headers={"retry-after": "5"})
    async with lock:
        yield


async def _body(request: Request) -> bytes:
    """The file: the body itself, or the first file of a form."""
    try:
        async with asyncio.timeout(UPLOAD_S):
            if not request.headers.get("content-type", "").startswith("multipart/form-data"):
                return await request.body()
            async with request.form(max_files=1, max_fields=10) as form:
                file = next((value for value in form.values() if isinstance(value, UploadFile)), None)
                if file is None:
                    raise HTTPException(422, "the form has no file in it")
                return await file.read()
    except TimeoutError:
        raise HTTPException(408, f"the file did not come within {UPLOAD_S} seconds") from None


def _told(outcome: Outcome, told: Any) -> Answer:  # noqa: ANN401 - JSON
    if not isinstance(outcome, Done):
        return answer(outcome)
    return Answer({"position": outcome.position, "result": told, "again": outcome.again})


def _accepted(accept: str) -> Format:
    """The form that a request asks for without naming it."""
    for media, form in _BY_MEDIA.items():
        if media in accept:
            return form
    return "yaml"


def _tournament_file(door: Door, name: str) -> Response:
    with door.services.desk.reading() as state:
        document = document_of(state, name)
    text = dump(rules.parse(document))
    return Response(text.encode(), media_type="application/yaml", headers=_saved(f"{name}.yaml"))


def _table(door: Door, name: str, kind: str, *, bom: bool, stage: str | None, division: str | None) -> Response:
    result = door.services.desk.standings.of(name)
    if result is None:
        raise HTTPException(404, f"no tournament {name}")
    table = make_table(kind, result.page.tournament, result.outcome, stage=stage, division=division)
    headers = _saved(f"{name}-{table.title}.csv") | ({"inlane-basis": _header(table.basis)} if table.basis else {})
    return Response(write_sheet(table.header, table.rows, bom=bom), media_type="text/csv", headers=headers)


async def _ledger(door: Door, name: str) -> AsyncGenerator[bytes]:
    lines = ledger_lines(door.services.store, name)
    while page := await asyncio.to_thread(lambda: list(itertools.islice(lines, LINES))):
        yield "".join(page).encode()


def _saved(name: str) -> dict[str, str]:
    """Keep it under this name: ids of tournaments are plain, those of stages need not be."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:120]
    return {"content-disposition": f'attachment; filename="{plain}"', "cache-control": "no-store"}


def _one_line(text: str) -> str:
    """A name that people gave, fit to stand in one line."""
    return "".join(sign if sign.isprintable() else " " for sign in text).strip() or "the file"


def _header(text: str) -> str:
    """Fit for a header of HTTP, whatever a stage is called."""
    return _one_line(text).encode("ascii", "replace").decode()
