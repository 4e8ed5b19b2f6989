"""Teams as the head of a tournament file describes them.

Only reading. Invariant: a Team is well-formed; nobody is twice in its roster. What a roster must be is the rules'
to say (`rosters_limits`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from server.core.rules import fields
from server.core.rules.errors import Path, TournamentInvalid

MOST_TEAMS = 10_000
MOST_MEMBERS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One of a roster; `role` is starter or reserve, where the file says."""

    id: str
    name: str = ""
    role: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team. `seed` puts it into a group, `division` is its conference, `home` its venue.

    `roster` is None where the file has none: such a team is not checked against rules of rosters.
    """

    id: str
    name: str = ""
    seed: int | None = None
    home: str | None = None
    captains: tuple[str, ...] = ()
    division: str | None = None
    roster: tuple[Member, ...] | None = None


def read_teams(value: object) -> dict[str, Team]:
    """Read the list of teams. Raises TournamentInvalid with the path of what is wrong."""
    found: dict[str, Team] = {}
    items = fields.sequence(value, ("teams",))
    if len(items) > MOST_TEAMS:
        raise TournamentInvalid(("teams",), f"are more than {MOST_TEAMS}")
    seeds: dict[int, str] = {}
    for index, item in enumerate(items):
        path: Path = ("teams", index)
        given = fields.row(item, path, TEAM)
        captains = given.pop("captain", ())
        team = Team(**given, captains=captains)  # type: ignore[arg-type]
        if team.id in found:
            raise TournamentInvalid((*path, "id"), f"team {team.id} is there already")
        if team.seed is not None and seeds.setdefault(team.seed, team.id) != team.id:
            raise TournamentInvalid((*path, "seed"), f"{team.seed} is the seed of {seeds[team.seed]} already")
        found[team.id] = team
    return found


def _captains(value: object, path: Path) -> tuple[str, ...]:
    """Read one captain, or a list of them."""
    return fields.idents(value, path) if isinstance(value, (list, tuple)) else (fields.ident(value, path),)


def _roster(value: object, path: Path) -> tuple[Member, ...]:
    items = fields.sequence(value, path)
    if len(items) > MOST_MEMBERS:
        raise TournamentInvalid(path, f"names more than {MOST_MEMBERS} players")
    found: dict[str, Member] = {}
    for index, item in enumerate(items):
        member = Member(**fields.row(item, (*path, index), MEMBER))  # type: ignore[arg-type]
        if member.id in found:
            raise TournamentInvalid((*path, index, "id"), f"{member.id} is in the roster already")
        found[member.id] = member
    return tuple(found.values())


MEMBER: Mapping[str, fields.Check] = {
    "id": fields.ident,
    "name": fields.text,
    "role": fields.one_of("starter", "reserve"),
}
TEAM: Mapping[str, fields.Check] = {
    "id": fields.ident,
    "name": fields.text,
    "seed": fields.whole_between(1, 10_000),
    "home": fields.ident,
    "captain": _captains,
    "division": fields.ident,
    "roster": _roster,
}
