"""Putting players on a machine: who is found by a part of a name or a number, and who is busy elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass

from server.core.venue.state import Tournament
from server.web.views.names import machine_name, people, person_name, searchable
from server.web.views.scene import Scene
from server.web.views.signs import Sign
from server.web.views.wall import state_sign

FOUND = 12
"""People shown at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Somebody who could play; `busy` names the machine where they are put already."""

    id: str
    name: str
    division: str | None
    busy: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The panel of one machine. `chosen` are the players picked so far, in order of play."""

    machine: str
    name: str
    sign: Sign
    version: int
    key: str
    query: str
    tournament: str | None
    assigned: tuple[str, ...]
    playing: bool
    chosen: tuple[tuple[str, str], ...]
    found: tuple[Candidate, ...]
    left_out: int
    freezable: bool = False
    kept: str | None = None
    """The game of which something was kept."""

    @property
    def chosen_ids(self) -> str:
        """The picked players' ids as a form sends them."""
        return ",".join(who for who, _ in self.chosen)


def panel(scene: Scene, machine: str, *, query: str, chosen: tuple[str, ...], key: str) -> Panel | None:
    """The panel of a machine, None where there is no such machine."""
    found = scene.state.machines.get(machine)
    if found is None:
        return None
    tournament = scene.tournament
    names = people(tournament) if tournament is not None else {}
    picked = tuple((who, names[who]) for who in chosen if who in names)
    matching = list(_matching(scene, tournament, query, chosen)) if tournament is not None else []
    assignment = found.assignment
    return Panel(
        machine=machine,
        name=machine_name(scene.state, machine),
        sign=state_sign(found, scene.state.games.get(found.game) if found.game else None),
        version=found.version,
        key=key,
        query=query,
        tournament=tournament.id if tournament is not None else None,
        assigned=()
        if assignment is None
        else tuple(person_name(scene.state, assignment.place.tournament, who) for who in assignment.players),
        playing=found.game is not None,
        chosen=picked,
        found=tuple(matching[:FOUND]),
        left_out=max(0, len(matching) - FOUND),
        freezable=found.agent is not None,
        kept=next(
            (
                game.id
                for name in (found.game, found.last_game)
                if name and (game := scene.state.games.get(name)) and game.frozen_facts
            ),
            None,
        ),
    )


def _matching(scene: Scene, tournament: Tournament, query: str, chosen: tuple[str, ...]) -> Iterator[Candidate]:
    """People whose name, id or number holds every word that was typed; those who begin with it first."""
    words = query.casefold().split()
    names = people(tournament)
    divisions = {str(p.get("id")): p.get("division") for p in tournament.head.get("players") or ()}
    ranked = []
    for who, haystack in searchable(tournament).items():
        if who in chosen or not all(word in haystack for word in words):
            continue
        busy = scene.state.assigned.get((tournament.id, who))
        begins = bool(words) and any(part.startswith(words[0]) for part in haystack.split())
        exact = bool(words) and words[0] in haystack.split()
        ranked.append(((busy is not None, not exact, not begins, names[who].casefold()), who, busy))
    for _, who, busy in sorted(ranked):
        division = divisions.get(who)
        yield Candidate(
            id=who,
            name=names[who],
            division=None if division is None else str(division),
            busy=None if busy is None else machine_name(scene.state, busy),
        )
