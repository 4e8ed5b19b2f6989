"""Results of teams as tables: the teams, who is or was on their rosters, and the matches with their points.

Everything is taken from the tournament and from what the rules say of it. Invariant: a tournament of single players has
none of these tables, and says so.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.core.rules import Tournament, fold
from server.errors import InputInvalid
from server.exchange.sheets import Cell

Outcome = Mapping[str, Any]
Rows = tuple[tuple[str, ...], list[tuple[Cell, ...]]]
"""A header and its rows."""

TEAM_TABLES = ("teams", "rosters", "matches")


def team_table(kind: str, tournament: Tournament, outcome: Outcome) -> Rows:
    """The table of this kind. Raises InputInvalid where no teams play."""
    if not tournament.head.preset.teams:
        raise InputInvalid(f"{tournament.head.preset.name} is played by single players: there is no table of {kind}")
    return _TABLES[kind](tournament, outcome)


def _teams(tournament: Tournament, outcome: Outcome) -> Rows:
    """A row for each team; wins and losses are those of the first stage, where matches are won there."""
    said = {str(team["id"]): team for team in outcome["teams"]}
    first: Sequence[Mapping[str, Any]] = outcome["stages"][0]["standings"] if outcome["stages"] else ()
    rows = {str(row["who"]): row for row in first}
    header = (
        "teamId", "name", "seed", "home", "captain", "division", "status", "group",
        "rank", "wins", "losses", "points", "position",
    )  # fmt: skip
    found: list[tuple[Cell, ...]] = []
    for name, team in tournament.head.teams.items():
        told, row = said.get(name, {}), rows.get(name, {})
        found.append(
            (
                name,
                team.name or None,
                team.seed,
                team.home,
                ", ".join(team.captains) or None,
                team.division,
                told.get("status"),
                told.get("group"),
                *(row.get(key) for key in ("rank", "wins", "losses", "points")),
                told.get("place"),
            )
        )
    return header, found


def _rosters(tournament: Tournament, _outcome: Outcome) -> Rows:
    """A row for each time on a roster in one role, from the day `from` to before the day `until`."""
    names = {name: player.name for name, player in tournament.head.players.items()}
    header = ("teamId", "teamName", "playerId", "name", "role", "from", "until")
    found: list[tuple[Cell, ...]] = []
    for name, team in fold(tournament).teams.items():
        for one in team.roster:
            days = (day.isoformat() if day is not None else None for day in (one.since, one.until))
            found.append((name, team.head.name or None, one.who, names.get(one.who) or None, one.role or None, *days))
    return header, found


def _matches(tournament: Tournament, outcome: Outcome) -> Rows:
    names = {name: team.name or None for name, team in tournament.head.teams.items()}
    header = (
        "matchId", "stage", "week", "venue", "homeId", "homeName", "awayId", "awayName",
        "homePoints", "awayPoints", "winnerId", "status",
    )  # fmt: skip
    found: list[tuple[Cell, ...]] = []
    for match in outcome["matches"]:
        home, away, points = match["home"], match["away"], match["points"]
        place = (match["id"], match["stage"], match.get("week"), match.get("venue"))
        score = (points[home], points[away], match.get("winner"), match["status"])
        found.append((*place, home, names.get(home), away, names.get(away), *score))
    return header, found


_TABLES: Mapping[str, Callable[[Tournament, Outcome], Rows]] = {
    "teams": _teams,
    "rosters": _rosters,
    "matches": _matches,
}
