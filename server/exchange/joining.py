"""Who of a table is new in a tournament: the plan of an import, which nothing has carried out yet.

A number says who somebody is: the id, else the IFPA number; only where neither is known, the name. Nobody who is there
is ever changed here. Invariant: the same table again adds nobody, and two of one name in a table are two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.core import rules
from server.exchange.columns import MACHINES, PLAYERS, Member, headers, read_members, same_name
from server.exchange.ids import free_id
from server.exchange.sheets import SheetInvalid, read_sheet

Json = Mapping[str, Any]
MOST_NOTES = 200
MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What an import will do: the new members, each with its line; how many were there; what a person should know."""

    part: str
    added: tuple[Json, ...]
    lines: tuple[int, ...]
    there: int
    notes: tuple[str, ...]

    def told(self) -> dict[str, Any]:
        """As the API says it."""
        added = [{**one, "line": line} for one, line in zip(self.added, self.lines, strict=True)]
        return {"part": self.part, "added": added, "there_already": self.there, "notes": short(self.notes)}


def short(notes: Sequence[str]) -> list[str]:
    """As many notes as somebody may read, and how many more there are."""
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], *([f"and {more} more"] if more > 0 else [])]


def parsed_with(document: Json, part: str, added: Sequence[Json], lines: Sequence[int], file: str) -> rules.Tournament:
    """The tournament of a document with more members or entries at the end of a part of it.

    Raises SheetInvalid, with its line, where one of those that are added breaks the form of a tournament.
    """
    before = list(document.get(part) or ())
    try:
        return rules.parse({**document, part: [*before, *added]})
    except rules.TournamentInvalid as error:
        index = error.path[1] - len(before) if len(error.path) > 1 and isinstance(error.path[1], int) else -1
        if error.path[:1] != (part,) or not 0 <= index < len(lines):
            raise
        field = ".".join(str(step) for step in error.path[2:])
        raise SheetInvalid(file, lines[index], f"{field}: {error.reason}" if field else error.reason) from None


def plan_joining(data: bytes, part: str, head: Json, *, name: str, encoding: str | None = None) -> Joining:
    """Read a table of `players` or `machines` for a tournament with this head.

    Raises SheetInvalid where the table cannot be understood, contradicts itself or what is there, or breaks a rule of
    the head (a division that does not exist): nothing is to be added then.
    """
    columns = PLAYERS if part == "players" else MACHINES
    sheet = read_sheet(data, name=name, known=headers(columns), encoding=encoding)
    members = read_members(sheet, columns)
    there = [member for member in head.get(part) or () if isinstance(member, Mapping)]
    _check_numbers(members.rows, name)
    matched = _matched(members.rows, there)
    notes = [f"column {column[:60]!r} is not used" for column in members.unused]
    for row in members.rows:
        if row.line in matched:
            notes += _differences(row, matched[row.line], name)
    _check_ifpa(members.rows, matched, there, name)
    fresh = [row for row in members.rows if row.line not in matched]
    added = _named(fresh, part, there)
    lines = tuple(row.line for row in fresh)
    parsed_with({**head, "inlane": 1, "log": []}, part, added, lines, name)
    notes += _namesakes(part, there, added)
    return Joining(part=part, added=added, lines=lines, there=len(matched), notes=tuple(notes))


def _check_numbers(rows: Sequence[Member], file: str) -> None:
    """No number twice in the table."""
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        for key in ("id", "ifpa"):
            if key in row.fields:
                before = seen.setdefault((key, str(row.fields[key])), row.line)
                if before != row.line:
                    raise SheetInvalid(file, row.line, f"{key} {row.fields[key]} is in line {before} already")


def _matched(rows: Sequence[Member], there: Sequence[Json]) -> dict[int, Json]:
    """By line: the member that is there already. Numbers go first, so that no name takes whom another row means."""
    free = {str(member["id"]): member for member in there}
    found: dict[int, Json] = {}
    for key_of in (_id_of, _ifpa_of, _name_of):
        index: dict[str, list[str]] = {}
        for name, member in free.items():
            key = key_of(member)
            if key is not None:
                index.setdefault(key, []).append(name)
        for row in rows:
            if row.line in found or (key_of is _name_of and "id" in row.fields):
                continue
            names = index.get(key_of(row.fields) or "", [])
            same = next((name for name in names if name in free and _may_be(row.fields, free[name])), None)
            if same is not None:
                names.remove(same)
                found[row.line] = free.pop(same)
    return found


def _id_of(fields: Json) -> str | None:
    return str(fields["id"]) if "id" in fields else None


def _ifpa_of(fields: Json) -> str | None:
    return str(fields["ifpa"]) if fields.get("ifpa") else None


def _name_of(fields: Json) -> str | None:
    return same_name(str(fields.get("name") or "")) or None


def _may_be(row: Json, member: Json) -> bool:
    """Whether the numbers let them be one: two IFPA numbers are two people."""
    return _id_of(row) == str(member["id"]) or _ifpa_of(row) is None or _ifpa_of(member) in {None, _ifpa_of(row)}


def _differences(row: Member, member: Json, file: str) -> list[str]:
    """What the row says otherwise than what is there: told, never changed; another name under one id is refused."""
    named = str(member.get("name") or "")
    if row.fields.get("id") == str(member["id"]) and named and same_name(named) != same_name(row.name):
        raise SheetInvalid(file, row.line, f"id {row.fields['id']} is {named!r} already, not {row.name!r}")
    return [
        f"line {row.line}: {named or member['id']} is there; its {key} stays {member.get(key, 'empty')}, not {value}"
        for key, value in row.fields.items()
        if str(member.get(key, "")) != str(value) and (key != "name" or same_name(named) != same_name(str(value)))
    ]


def _check_ifpa(rows: Sequence[Member], matched: Mapping[int, Json], there: Sequence[Json], file: str) -> None:
    """Nobody new has the IFPA number of somebody who is there."""
    numbers = {number: member for member in there if (number := _ifpa_of(member)) is not None}
    for row in rows:
        other = numbers.get(_ifpa_of(row.fields) or "")
        if row.line not in matched and other is not None:
            whose = f"{other.get('name') or other['id']} ({other['id']})"
            raise SheetInvalid(file, row.line, f"ifpa {row.fields['ifpa']} is the number of {whose} already")


def _named(rows: Sequence[Member], part: str, there: Sequence[Json]) -> tuple[Json, ...]:
    """The new members, each with an id: the one that is said, else the next free one."""
    used = {str(member["id"]) for member in there} | {str(row.fields["id"]) for row in rows if "id" in row.fields}
    added = []
    for row in rows:
        said = row.fields.get("id")
        name = str(said) if said is not None else _free(row.name if part == "machines" else None, used)
        used.add(name)
        added.append({"id": name, **{key: value for key, value in row.fields.items() if key != "id"}})
    return tuple(added)


def _free(name: str | None, used: set[str]) -> str:
    """An id that nobody has: p1, p2, … for players; for a machine its name as an agent could be called."""
    if name is None:
        number = len(used) + 1
        while f"p{number}" in used:
            number += 1
        return f"p{number}"
    return free_id(name, used, "machine")


def _namesakes(part: str, there: Sequence[Json], added: Sequence[Json]) -> list[str]:
    """What is said of equal names: whether they are one is for people to know."""
    called: dict[str, list[Json]] = {}
    for member in (*there, *added):
        called.setdefault(_name_of(member) or "", []).append(member)
    new = {str(member["id"]) for member in added}
    return [
        f"{len(same)} {part} are called {same[0]['name']}: {_listed([str(one['id']) for one in same])}"
        for name, same in called.items()
        if name and len(same) > 1 and any(str(one["id"]) in new for one in same)
    ]


def _listed(ids: Sequence[str]) -> str:
    more = len(ids) - MOST_NAMED
    return ", ".join(ids[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
