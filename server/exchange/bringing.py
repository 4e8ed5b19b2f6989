"""Taking a file in at the desk: the same for the command on the server's computer and for the API.

Blocks while the file is read and the ledger is written: call it in a worker thread. Invariant: nothing is submitted
before the whole file was understood, so a file comes in whole or not at all.
"""

from typing import Any

from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Conflict, Done, Outcome
from server.core.venue.times import moment
from server.desk import Desk
from server.errors import InputInvalid
from server.exchange.game_tables import plan_games
from server.exchange.joining import Joining, plan_joining
from server.exchange.team_tables import plan_teams
from server.exchange.tournaments import Arrival, document_of

TRIES = 5
"""How often a plan is made anew when somebody else changed the tournament meanwhile."""
MOST_REFUSED = 1000
"""Refused entries that an answer lists; all of them stand in the log with their reasons."""


def bring_tournament(desk: Desk, arrival: Arrival, actor: Actor, key: str | None = None) -> tuple[Outcome, Any]:
    """Take a tournament in; gives the outcome and what a person should know of it."""
    outcome = desk.submit(arrival.command, actor, key)
    told = arrival.told()
    told["refused_count"] = len(told["refused"])
    told["refused"] = told["refused"][:MOST_REFUSED]
    if isinstance(outcome, Done):
        told["current"] = bool(outcome.result.get("current"))
    return outcome, told


def bring_members(
    desk: Desk,
    data: bytes,
    part: str,
    tournament: str,
    actor: Actor,
    *,
    name: str,
    encoding: str | None = None,
) -> tuple[Outcome, Any]:
    """Add who of a table is new, or record its games. Nobody new is no command: the position is then the ledger's own.

    Raises SheetInvalid, naming the line, and InputInvalid where there is no such tournament.
    """
    if part == "games":
        return _bring_games(desk, data, tournament, actor, name=name, encoding=encoding)
    for _ in range(TRIES):
        with desk.reading() as state:
            found = state.tournaments.get(tournament)
            position = state.position
        if found is None:
            raise InputInvalid(f"there is no tournament {tournament}")
        plan = (plan_teams if part in TEAM_PARTS else plan_joining)(
            data, part, found.head, name=name, encoding=encoding
        )
        if not plan.added:
            return Done(position=position), plan.told()
        outcome = desk.submit(_command(plan, tournament, found.version), actor)
        if not isinstance(outcome, Conflict):
            break
    return outcome, plan.told()


def _bring_games(
    desk: Desk, data: bytes, tournament: str, actor: Actor, *, name: str, encoding: str | None
) -> tuple[Outcome, Any]:
    for _ in range(TRIES):
        with desk.reading() as state:
            found = state.tournaments.get(tournament)
            position = state.position
            document = None if found is None else document_of(state, tournament)
            taken = frozenset(game for of, game in state.posted if of == tournament)
        if found is None or document is None:
            raise InputInvalid(f"there is no tournament {tournament}")
        at = moment(desk.now())
        plan = plan_games(data, document, taken=taken, at=at, name=name, encoding=encoding)
        if not plan.entries:
            return Done(position=position), plan.told()
        command = c.ImportEntries(tournament=tournament, entries=plan.entries, based_on=found.version)
        outcome = desk.submit(command, actor)
        if not isinstance(outcome, Conflict):
            break
    return outcome, plan.told()


TEAM_PARTS = ("teams", "rosters")


def _command(plan: Joining, tournament: str, version: int) -> c.AddPlayers | c.AddMachines | c.AddTeams:
    if plan.part == "players":
        # The plan has told who is called like somebody else.
        return c.AddPlayers(tournament=tournament, players=plan.added, same_name=True, based_on=version)
    if plan.part in TEAM_PARTS:
        return c.AddTeams(tournament=tournament, teams=plan.added, based_on=version)
    return c.AddMachines(tournament=tournament, machines=plan.added, based_on=version)
