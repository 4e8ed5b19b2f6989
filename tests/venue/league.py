"""A league on the floor for the tests of the venue: its head, its people, and short words for entries."""

from typing import Any

from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Refused
from server.core.venue.values import Place

from .conftest import ADMIN, World

PLAYER = Actor(name="pat", roles=frozenset({"official"}), player="h3")
HOME = Actor(name="hal", roles=frozenset({"captain"}), player="h1")


def team(name: str, letter: str, **more: object) -> dict[str, Any]:
    roster = [{"id": f"{letter}{n}", "role": "starter"} for n in range(1, 7)]
    return {"id": name, "captain": f"{letter}1", "roster": roster, **more}


LEAGUE: dict[str, Any] = {
    "tournament": "League",
    "preset": "pinball-chicago",
    "teams": [team("H", "h", home="v1"), team("A", "a", home="v2"), team("B", "b"), team("C", "c")],
    "machines": [{"id": f"m{n}", "players": 4, "venue": "v1"} for n in range(1, 5)],
}


def say(world: World, actor: Actor = ADMIN, **entry: object) -> Any:  # noqa: ANN401
    return world.done(c.RecordEntry(tournament="league", entry=entry, why="so it was"), actor)


def refused(world: World, actor: Actor = ADMIN, **entry: object) -> str:
    outcome = world.do(c.RecordEntry(tournament="league", entry=entry, why="so it was"), actor)
    assert isinstance(outcome, Refused), outcome
    return outcome.why


def declare(world: World, round_: int, machines: str = "m1 m2") -> None:
    first, second = ("A", "H") if round_ % 2 else ("H", "A")
    for name in (first, second):
        letter = name.lower()
        games = [
            {"slot": str(n), "players": [f"{letter}{2 * n - 1}", f"{letter}{2 * n}"]}
            | ({"machine": machine} if name == first else {})
            for n, machine in enumerate(machines.split(), 1)
        ]
        say(world, lineup="x1", round=round_, team=name, games=games)


def place(**more: Any) -> Place:  # noqa: ANN401
    return Place(tournament="league", match="x1", **more)
