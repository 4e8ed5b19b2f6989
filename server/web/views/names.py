"""Ids to what people call things: players, machines, stages. An id that nobody knows is shown as it is."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from server.core.venue.state import Game, State, Tournament

_RUNS = re.compile(r"([^0-9]*)0*([0-9]*)")


def machine_name(state: State, machine: str | None) -> str:
    """The machine's name, its id where it has none, `no machine` where there is none."""
    if machine is None:
        return "no machine"
    found = state.machines.get(machine)
    return found.name if found is not None and found.name else machine


def person_name(state: State, tournament: str | None, who: str | None) -> str:
    """The player's or team's name as the tournament has it; `nobody` for an empty slot."""
    if who is None:
        return "nobody"
    found = state.tournaments.get(tournament) if tournament is not None else None
    return who if found is None else people(found).get(who, who)


def tournament_of(game: Game | None) -> str | None:
    """The tournament where the game counts or was meant to count."""
    if game is None:
        return None
    if game.place is not None:
        return game.place.tournament
    return game.assignment.place.tournament if game.assignment is not None else None


def people(tournament: Tournament) -> Mapping[str, str]:
    """Names by id, players and teams, in the order of the tournament's head."""
    return _people(tournament.id, tournament.version, _Identity(tournament.head))


def searchable(tournament: Tournament) -> Mapping[str, str]:
    """The searchable text of each player: name, id and number, in lower case."""
    return _searchable(tournament.id, tournament.version, _Identity(tournament.head))


def stage_name(stage: str) -> str:
    """`A/qualifying` as `A · Qualifying`."""
    return " · ".join(part[:1].upper() + part[1:].replace("-", " ") for part in stage.split("/"))


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return ", ".join(found[:-1]) + " and " + found[-1]


def told_apart(names: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Names by id, each with its id behind it where several have that name: `Jaws (m7)`."""
    found = dict(names)
    called = Counter(map(plain, found.values()))
    return {one: name if called[plain(name)] == 1 else f"{name} ({one})" for one, name in found.items()}


def plain(name: str) -> str:
    """The name as it is compared with what is typed: capitals and the width of gaps aside."""
    return " ".join(name.casefold().split())


def in_order(name: str) -> list[tuple[str, int, str]]:
    """The key by which names are sorted as people count: `Machine 2` before `Machine 10`, capitals aside."""
    return [(words, len(digits), digits) for words, digits in _RUNS.findall(name.casefold())]


class _Identity:
    """A head as a cache key: heads are replaced, never changed, so the object stands for what it holds."""

    __slots__ = ("head",)

    def __init__(self, head: Mapping[str, Any]) -> None:
        self.head = head

    def __hash__(self) -> int:
        return id(self.head)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.head is self.head


def _members(head: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    for kind in ("players", "teams"):
        for member in head.get(kind) or ():
            if isinstance(member, Mapping) and "id" in member:
                yield str(member["id"]), member
            for rostered in member.get("roster") or () if kind == "teams" and isinstance(member, Mapping) else ():
                if isinstance(rostered, Mapping) and "id" in rostered:
                    yield str(rostered["id"]), rostered


@lru_cache(maxsize=16)
def _people(_tournament: str, _version: int, head: _Identity) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for who, member in _members(head.head):
        if who not in found or member.get("name"):
            found[who] = str(member.get("name") or who)
    return found


@lru_cache(maxsize=16)
def _searchable(_tournament: str, _version: int, head: _Identity) -> Mapping[str, str]:
    return {
        who: " ".join(str(part) for part in (member.get("name"), who, member.get("number"), member.get("ifpa")) if part)
        .casefold()
        for who, member in _members(head.head)
    }  # fmt: skip
