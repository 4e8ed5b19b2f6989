"""Teams and their rosters out of a table: the plan of an import, which nothing has carried out yet.

In a table of teams a row is a team, in one of rosters somebody of a team; teams are told by id, else by name, people
as everywhere by id, else by name. Invariant: the same table again adds nothing, a roster that is there is never
changed here, and what cannot be is refused whole, with its line.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.rules import TournamentInvalid
from server.exchange.columns import LONGEST_ID, LONGEST_NAME, columns_of, headers, plain, same_name, whole
from server.exchange.ids import free_id
from server.exchange.joining import Joining, parsed_with
from server.exchange.sheets import Row, Sheet, SheetInvalid, read_sheet

Json = Mapping[str, Any]
TEAMS: Mapping[str, tuple[str, ...]] = {
    "id": ("teamid", "id"),
    "name": ("name", "team", "teamname"),
    "seed": ("seed",),
    "home": ("home", "homevenue"),
    "captain": ("captain", "captains", "captainid"),
    "division": ("division", "conference"),
}
ROSTERS: Mapping[str, tuple[str, ...]] = {
    "team": ("teamid", "team"),
    "team_name": ("teamname",),
    "id": ("playerid", "id"),
    "name": ("name", "player", "playername"),
    "role": ("role",),
}
ROLES = ("starter", "reserve")


def plan_teams(data: bytes, part: str, head: Json, *, name: str, encoding: str | None = None) -> Joining:
    """Read a table of `teams` or of `rosters` for a tournament with this head.

    Raises SheetInvalid where the table cannot be understood, contradicts itself or what is there, or breaks a rule of
    the head.
    """
    columns = TEAMS if part == "teams" else ROSTERS
    sheet = read_sheet(data, name=name, known=headers(columns), encoding=encoding)
    fields, unused = columns_of(sheet, columns)
    wanted = {"id", "name"} if part == "teams" else {"team", "team_name"}
    if not wanted & set(fields.values()):
        raise SheetInvalid(
            name, sheet.header.line, f"no column says {'which team it is' if part != 'teams' else 'the name'}"
        )
    there = {str(row["id"]): row for row in head.get("teams") or () if isinstance(row, Mapping)}
    notes = [f"column {column[:60]!r} is not used" for column in unused]
    rows = [(row.line, _said(row, fields, sheet)) for row in sheet.rows]
    planned, lines, known = (_teams if part == "teams" else _rosters)(rows, there, sheet.name)
    fresh = [team for team in planned if str(team["id"]) not in there]
    kept = [next((team for team in planned if str(team["id"]) == one), row) for one, row in there.items()]
    document = {**head, "inlane": 1, "log": [], "teams": kept}
    try:
        parsed_with(document, "teams", fresh, lines[len(lines) - len(fresh) :], name)
    except TournamentInvalid as error:
        raise SheetInvalid(name, None, str(error)) from None
    return Joining(part=part, added=tuple(planned), lines=tuple(lines), there=known, notes=tuple(notes))


def _said(row: Row, fields: Mapping[int, str], sheet: Sheet) -> dict[str, str]:
    said = {field: text for index, field in fields.items() if (text := plain(row.cells[index]))}
    for field, text in said.items():
        most = LONGEST_NAME if field in {"name", "team_name", "captain"} else LONGEST_ID
        if len(text) > most:
            raise SheetInvalid(sheet.name, row.line, f"the {field.replace('_', ' ')} has more than {most} characters")
    return said


def _teams(
    rows: Sequence[tuple[int, dict[str, str]]], there: Mapping[str, Json], file: str
) -> tuple[list[Json], list[int], int]:
    """The teams that are not there yet, each with its line, and how many are there."""
    found: dict[str, Json] = {}
    lines: list[int] = []
    known = 0
    for line, said in rows:
        if "name" not in said and "id" not in said:
            raise SheetInvalid(file, line, "the name is empty")
        name = said.get("id") or _named(said["name"], there)
        if name in there:
            known += 1
            continue
        name = name or free_id(said["name"], {*there, *found}, "team")
        if name in found:
            raise SheetInvalid(file, line, f"team {name} is there twice")
        team: dict[str, object] = {
            "id": name,
            **{key: said[key] for key in ("name", "home", "division") if key in said},
        }
        if "seed" in said:
            team["seed"] = whole(said["seed"], "seed", line, file)
        if "captain" in said:
            captains = [one.strip() for one in said["captain"].split(",") if one.strip()]
            team["captain"] = captains[0] if len(captains) == 1 else captains
        found[name] = team
        lines.append(line)
    return list(found.values()), lines, known


def _rosters(
    rows: Sequence[tuple[int, dict[str, str]]], there: Mapping[str, Json], file: str
) -> tuple[list[Json], list[int], int]:
    """The teams whose roster the table gives: those that have none yet. Who is on a roster already is counted."""
    members: dict[str, list[dict[str, str]]] = {}
    titles: dict[str, str] = {}
    first: dict[str, int] = {}
    known, number = 0, 0
    for line, said in rows:
        called = said.get("team_name") or ""
        name = (
            said.get("team")
            or _named(called, there)
            or next((one for one, title in titles.items() if same_name(title) == same_name(called)), None)
        )
        if name is None and not called:
            raise SheetInvalid(file, line, "no team is named")
        name = name if name is not None else free_id(called, {*there, *members}, "team")
        listed = there.get(name, {}).get("roster")
        if listed is not None:
            if not any(_same(one, said) for one in listed):
                raise SheetInvalid(file, line, f"team {name} has a roster: who comes later is a roster entry")
            known += 1
            continue
        if "id" not in said and "name" not in said:
            raise SheetInvalid(file, line, "no player is named")
        role = said.get("role", "").casefold()
        if role and role not in ROLES:
            raise SheetInvalid(file, line, f"role must be {' or '.join(ROLES)}, not {said['role'][:40]!r}")
        number += 1
        member = {"id": said.get("id") or f"{name}-{number}"[-LONGEST_ID:]}
        member |= {"name": said["name"]} if "name" in said else {}
        member |= {"role": role} if role else {}
        if any(one["id"] == member["id"] for one in members.get(name, ())):
            raise SheetInvalid(file, line, f"{member['id']} is twice in the roster of {name}")
        members.setdefault(name, []).append(member)
        titles.setdefault(name, called)
        first.setdefault(name, line)
    planned: list[Json] = [
        {"id": name, **({"name": titles[name]} if titles[name] else {}), **there.get(name, {}), "roster": roster}
        for name, roster in members.items()
    ]
    planned.sort(key=lambda team: str(team["id"]) not in there)
    return planned, [first[str(team["id"])] for team in planned], known


def _same(member: Json, said: Mapping[str, str]) -> bool:
    if "id" in said:
        return str(member["id"]) == said["id"]
    return same_name(str(member.get("name") or "")) == same_name(said.get("name", ""))


def _named(called: str, there: Mapping[str, Json]) -> str | None:
    """The one team that is called so."""
    found = [
        name for name, row in there.items() if called and same_name(str(row.get("name") or "")) == same_name(called)
    ]
    return found[0] if len(found) == 1 else None
