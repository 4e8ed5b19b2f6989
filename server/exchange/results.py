"""Results as tables: players, machines, games, standings, and the table that IFPA takes.

Everything is taken from the tournament and from what the rules say of it; nothing is computed here. Field names are
Match Play's where they fit. Invariant: whole numbers stay whole numbers, and equal standing is equal position.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.core.rules import Tournament
from server.errors import InputInvalid
from server.exchange.games import GAMES, game_rows
from server.exchange.sheets import Cell
from server.exchange.team_results import TEAM_TABLES, team_table

Outcome = Mapping[str, Any]
_PLAYER = {"id": "playerId", "name": "name", "ifpa": "ifpaId"}
_MACHINE = {"id": "arenaId", "name": "name"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table ready to be written. `title` goes into the file's name, `basis` says what it rests on where in doubt."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    basis: str = ""


def make_table(
    kind: str, tournament: Tournament, outcome: Outcome, *, stage: str | None = None, division: str | None = None
) -> Table:
    """The table of this kind (`TABLES`). `outcome` is what the rules give for exactly this tournament.

    `stage` limits standings to one stage; `division` limits standings and the IFPA table. Raises InputInvalid
    for a kind, stage or division that is not there.
    """
    if kind not in TABLES:
        raise InputInvalid(f"there is no table {kind!r}; there are {', '.join(TABLES)}")
    if stage is not None and kind != "standings":
        raise InputInvalid(f"the table {kind} is not of a single stage")
    if division is not None and kind not in {"standings", "ifpa"}:
        raise InputInvalid(f"the table {kind} is not of a single division")
    if kind == "players":
        return _players(tournament, outcome)
    if kind == "machines":
        return _machines(tournament, outcome)
    if kind in TEAM_TABLES:
        header, found = team_table(kind, tournament, outcome)
        return Table(title=kind, header=header, rows=tuple(found))
    if kind == "games":
        return Table(title="games", header=GAMES, rows=tuple(game_rows(tournament, outcome)))
    return _ifpa(tournament, outcome, division) if kind == "ifpa" else _standings(tournament, outcome, stage, division)


TABLES = ("players", "machines", "games", "standings", "ifpa", *TEAM_TABLES)


def _players(tournament: Tournament, outcome: Outcome) -> Table:
    said = {str(player["id"]): player for player in outcome.get("players") or ()}
    return _members(
        "players",
        _people(tournament),
        _PLAYER,
        (("status", "status"), ("fees", "fees"), ("entries_left", "entriesAvailable"), ("place", "position")),
        said,
    )


def _machines(tournament: Tournament, outcome: Outcome) -> Table:
    said = {str(machine["id"]): machine for machine in outcome.get("machines") or ()}
    members = tournament.head.written.get("machines") or ()
    return _members("machines", _mappings(members), _MACHINE, (("status", "status"),), said)


def _members(
    title: str,
    members: Sequence[Mapping[str, Any]],
    named: Mapping[str, str],
    results: Sequence[tuple[str, str]],
    said: Mapping[str, Mapping[str, Any]],
) -> Table:
    """A row for each member: every plain field that any of them has, then what the rules say."""
    keys = list(named)
    for member in members:
        keys += [key for key, value in member.items() if key not in keys and isinstance(value, str | int)]
    rows = tuple(
        (
            *(_cell(member.get(key)) for key in keys),
            *(_cell(said.get(str(member["id"]), {}).get(key)) for key, _ in results),
        )
        for member in members
    )
    header = (*(named.get(key, _camel(key)) for key in keys), *(column for _, column in results))
    return Table(title=title, header=header, rows=rows)


def _standings(tournament: Tournament, outcome: Outcome, stage: str | None, division: str | None) -> Table:
    stages = [found for found in outcome["stages"] if stage in {None, found["id"]}]
    if not stages and stage is not None:
        raise InputInvalid(f"there is no stage {stage!r}; there are {', '.join(s['id'] for s in outcome['stages'])}")
    stages = [found for found in stages if division is None or _division_of(found["id"]) == division]
    if not stages and division is not None:
        raise InputInvalid(f"there is no division {division!r}; there are {', '.join(_divisions(outcome)) or 'none'}")
    people = {str(player["id"]): player for player in _people(tournament)}
    rows: list[tuple[Cell, ...]] = []
    for found in stages:
        groups = {str(who): str(group["id"]) for group in found.get("groups") or () for who in group["who"]}
        advance = {str(who) for who in found["advance"]}
        for row in found["standings"]:
            who = str(row["who"])
            person = people.get(who, {})
            rows.append(
                (
                    str(found["id"]),
                    str(found["status"]),
                    row["rank"],
                    who,
                    str(person.get("name") or ""),
                    person.get("ifpa") or None,
                    _cell(row.get("points")),
                    _cell(row.get("score")),
                    groups.get(who),
                    who in advance if found["status"] == "closed" else None,
                    _cell(row.get("wins")),
                    _cell(row.get("losses")),
                )
            )
    header = (
        "stage", "status", "position", "playerId", "name", "ifpaId", "points", "score", "group", "advances",
        "wins", "losses",
    )  # fmt: skip
    return Table(title=_title("standings", stage or division), header=header, rows=tuple(rows))


def _ifpa(tournament: Tournament, outcome: Outcome, division: str | None) -> Table:
    """Position, IFPA number, names: final places where the rules give them, else the last stage's ranks."""
    if tournament.head.teams:
        raise InputInvalid("IFPA ranks single players: teams have no such table; take standings or teams")
    divisions = _divisions(outcome)
    played = {_division_of(stage["id"]) for stage in outcome["stages"] if stage["standings"]} - {None}
    if division is None and len(played) == 1:
        (division,) = played
    if division is None and len(divisions) > 1:
        raise InputInvalid(f"say of which division: {', '.join(divisions)}")
    if division is not None and division not in divisions:
        raise InputInvalid(f"there is no division {division!r}; there are {', '.join(divisions) or 'none'}")
    wanted = division or next(iter(divisions), None)
    places, basis = _places(outcome, wanted)
    people = {str(person["id"]): person for person in _people(tournament)}
    rows = []
    for who, place in sorted(places.items(), key=lambda item: (item[1], item[0])):
        first, last = split_name(str(people.get(who, {}).get("name") or who))
        rows.append((place, people.get(who, {}).get("ifpa") or None, first, last))
    header = ("position", "ifpa_id", "first_name", "last_name")
    return Table(title=_title("ifpa", wanted), header=header, rows=tuple(rows), basis=basis)


def _places(outcome: Outcome, division: str | None) -> tuple[dict[str, int], str]:
    """Everybody's position, and what it rests on: who has no final place follows in the order of his last stage."""
    players = [p for p in outcome.get("players") or () if division is None or p.get("division") in {None, division}]
    final = {str(player["id"]): int(player["place"]) for player in players if player.get("place")}
    if division is not None:  # who came nowhere here may have the place of another division, beside his own
        last = [stage for stage in outcome["stages"] if _division_of(stage["id"]) == division][-1]
        finalists = {str(row["who"]) for row in last["standings"]}
        final = {who: place for who, place in final.items() if who in finalists}
    if any(place != 1 + sum(other < place for other in final.values()) for place in final.values()):
        return final, "final places as far as they stand: others are still to be decided"
    out = {str(player["id"]) for player in players if player.get("status") in {"ejected", "suspended"}}
    places = dict(final)
    stages = [stage for stage in reversed(outcome["stages"]) if stage["standings"]]
    stages = [stage for stage in stages if division is None or _division_of(stage["id"]) == division]
    for stage in stages:
        ranks = {str(row["who"]): int(row["rank"]) for row in stage["standings"]}
        left = {who: rank for who, rank in ranks.items() if who not in places and who not in out}
        before = len(places)
        places |= {who: before + 1 + sum(other < rank for other in left.values()) for who, rank in left.items()}
    if not places:
        return {}, "nobody has a result yet"
    if len(final) == len(places):
        return final, "final places"
    of = " and ".join(str(stage["id"]) for stage in stages)
    if final:
        return places, f"final places 1 to {len(final)}, then the standings"
    return places, f"not final: the standings of {of}"


def split_name(name: str) -> tuple[str, str]:
    """First and last name: `Last, First` as it says; else the first word, and all the others."""
    if "," in name:
        last, _, first = name.partition(",")
        return first.strip(), last.strip()
    first, _, last = name.strip().partition(" ")
    return first, last.strip()


def _people(tournament: Tournament) -> list[Mapping[str, Any]]:
    """Players, and the teams and who is in their rosters where there are teams."""
    written = tournament.head.written
    found = {str(player["id"]): player for player in _mappings(written.get("players"))}
    for team in _mappings(written.get("teams")):
        found.setdefault(str(team["id"]), {"id": team["id"], "name": team.get("name") or ""})
        for person in _mappings(team.get("roster")):
            found.setdefault(str(person["id"]), {"id": person["id"], "name": person.get("name") or ""})
    return list(found.values())


def _mappings(members: object) -> list[Mapping[str, Any]]:
    found = members if isinstance(members, list | tuple) else ()
    return [member for member in found if isinstance(member, Mapping) and "id" in member]


def _divisions(outcome: Outcome) -> list[str]:
    found = (_division_of(stage["id"]) for stage in outcome["stages"])
    return list(dict.fromkeys(division for division in found if division is not None))


def _division_of(stage: str) -> str | None:
    division, slash, _ = stage.rpartition("/")
    return division if slash else None


def _title(kind: str, of: str | None) -> str:
    return f"{kind}-{of.replace('/', '-')}" if of else kind


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(word.capitalize() for word in others)


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, bool | int | str):
        return value
    return ", ".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, Mapping) else str(value)
