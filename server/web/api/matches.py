"""Matches of teams over HTTP: the score sheet, and what captains and the staff record of it (PC6 to PC33, EC17, UT19).

Every write is one entry of the log; who may is decided with the command. The invariant: a captain who names no team
speaks for the own one, and for no other.
"""

from typing import Any

from fastapi import APIRouter, HTTPException

from server.core.rules.teams.confirmations import CONFIRMED
from server.core.venue.captains import captained, player_of
from server.core.venue.roles import STAFF
from server.core.venue.teams import match_of
from server.web.api import match_bodies as bodies
from server.web.api.bodies import Id, WhyBody
from server.web.api.changes import record_entry, typed_game
from server.web.api.door import Answer, Door, Key, StrictRoute, Visitor
from server.web.api.tournaments import Name, T
from server.web.auth import Person

Written = dict[str, Any]
MatchId = Name


def router(door: Door) -> APIRouter:
    """The routes."""
    api = APIRouter(route_class=StrictRoute, tags=["matches"])
    _add_sheets(api, door)
    _add_play(api, door)
    _add_words(api, door)
    return api


def _add_sheets(api: APIRouter, door: Door) -> None:
    book = door.services.desk.standings

    @api.get("/tournaments/{t}/matches/{match}")
    async def sheet(t: T, match: MatchId) -> Answer:
        """The score sheet: rounds with line-ups as far as declared, games, points, who confirmed, challenges. Public.

        `to_declare` is whose line-up of a round comes next, `order` who plays a game in which order.
        """
        name = door.tournament(t)
        return Answer(await door.asked(f"match {match}", lambda: book.sheet(name, match)))

    @api.get("/tournaments/{t}/teams")
    async def teams(t: T) -> Answer:
        """The teams with their captains and rosters over time. Public."""
        name = door.tournament(t)
        return Answer(await door.asked(f"tournament {t}", lambda: book.rosters(name)))

    @api.post("/tournaments/{t}/matches")
    async def schedule(t: T, body: bodies.NewMatchBody, person: Visitor, key: Key = None) -> Answer:
        """Set a match of two teams. Desk, officials."""
        given = body.model_dump(exclude={"why", "based_on"}, exclude_none=True)
        entry = {"match": given.pop("match"), **given}
        if not body.tiebreak:
            entry.pop("tiebreak")
        return await record_entry(door, door.tournament(t), entry, body, person, key)

    @api.post("/tournaments/{t}/teams/{team}/roster")
    async def roster(t: T, team: Name, body: bodies.RosterBody, person: Visitor, key: Key = None) -> Answer:
        """Change a roster: who comes, who goes, whose role changes, as one. Its captain, staff."""
        fields = ("add", "drop", "set", "role", "at")
        entry = {"roster": team, **{name: getattr(body, name) for name in fields if getattr(body, name) is not None}}
        return await record_entry(door, door.tournament(t), entry, body, person, key)


def _add_play(api: APIRouter, door: Door) -> None:
    @api.post("/tournaments/{t}/matches/{match}/lineups")
    async def lineup(t: T, match: MatchId, body: bodies.LineupBody, person: Visitor, key: Key = None) -> Answer:
        """Declare a team's line-up for a round. Its captain, staff."""
        games = [game.written() for game in body.games]
        entry = {"lineup": match, "round": body.round, "team": None, "games": games}
        return await _say(door, t, match, entry, body, person, key)

    @api.post("/tournaments/{t}/matches/{match}/games")
    async def game(t: T, match: MatchId, body: bodies.MatchGameBody, person: Visitor, key: Key = None) -> Answer:
        """A typed game of the match. The captains, scorekeepers, officials."""
        name = door.tournament(t)
        return await record_entry(door, name, {**typed_game(name, body), "match": match}, body, person, key)

    @api.post("/tournaments/{t}/matches/{match}/forfeits")
    async def forfeit(t: T, match: MatchId, body: bodies.ForfeitBody, person: Visitor, key: Key = None) -> Answer:
        """A team gives the match up, or one game of it. Its captain, scorekeepers, officials."""
        entry: Written = {"forfeit": match, "team": None, "for": body.offence, "round": body.round}
        entry |= {"slot": None if body.slot is None else str(body.slot), **({"stayed": True} if body.stayed else {})}
        return await _say(door, t, match, entry, body, person, key)

    @api.post("/tournaments/{t}/matches/{match}/end")
    async def end(t: T, match: MatchId, body: WhyBody, person: Visitor, key: Key = None) -> Answer:
        """The match is over. Staff; a captain of it once both sides have confirmed it."""
        return await record_entry(door, door.tournament(t), {"end": match}, body, person, key)


def _add_words(api: APIRouter, door: Door) -> None:
    @api.post("/tournaments/{t}/matches/{match}/confirm")
    async def confirm(t: T, match: MatchId, body: bodies.OfTeamBody, person: Visitor, key: Key = None) -> Answer:
        """A team confirms the match as it is; what changes it later takes that back. Its captain, staff."""
        entry = {"decision": CONFIRMED, "match": match, "team": None}
        return await _say(door, t, match, entry, body, person, key)

    @api.post("/tournaments/{t}/matches/{match}/challenges")
    async def challenge(t: T, match: MatchId, body: bodies.ChallengeBody, person: Visitor, key: Key = None) -> Answer:
        """A team contests a game of the match, in time. Its captain, staff."""
        with door.services.desk.reading() as state:
            played = match_of(state, door.tournament(t), {"challenge": body.game})
        if played not in {None, match}:
            raise HTTPException(422, f"game: {body.game} is of {played}, not of {match}")
        entry = {"challenge": body.game, "team": None, "why": body.why}
        return await _say(door, t, match, entry, body, person, key)

    @api.post("/tournaments/{t}/matches/{match}/terms")
    async def terms(t: T, match: MatchId, body: bodies.TermsBody, person: Visitor, key: Key = None) -> Answer:
        """What was agreed before the match: extra balls, balls (the home team), challenge modes. Captains, staff."""
        entry = {"terms": match, "extra_balls": body.extra_balls, "balls": body.balls}
        entry |= {"challenge_modes": body.challenge_modes}
        return await _say(door, t, match, entry, body, person, key)


async def _say(
    door: Door, t: str, match: Id, entry: Written, body: bodies.OfTeamBody, person: Person, key: str | None
) -> Answer:
    """Record what somebody says for a team; the key that is None there becomes the team."""
    name = door.tournament(t)
    if "team" in entry:
        entry["team"] = body.team or await _own_team(door, name, match, person)
    if body.by is not None:
        entry["by"] = body.by
    return await record_entry(door, name, entry, body, person, key)


async def _own_team(door: Door, name: str, match: str, person: Person) -> str:
    """The team of the match that this captain speaks for; 403 where that is neither, 422 where it is both."""
    desk = door.services.desk
    with desk.reading() as state:
        who = player_of(state, state.tournaments[name], person.actor)
    mine: tuple[str, ...] = ()
    if who is not None:
        now = door.services.now()
        ask = desk.standings.sides
        mine = await door.asked(f"match {match}", lambda: ask(name, match, lambda known: captained(known, who, now)))
    if len(mine) == 1:
        return mine[0]
    if not mine and not person.roles & STAFF:
        unknown = f"nobody has said which player you are: an official does (officials/{person.name})"
        raise HTTPException(403, f"you are {who}, who is captain of neither team of {match}" if who else unknown)
    raise HTTPException(422, f"team: say for which team of {match} this is")
