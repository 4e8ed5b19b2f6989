"""A league, a team tournament and a country competition for the tests over HTTP, and the captains of their teams."""

from typing import Any

import httpx2

from .conftest import PASSWORD, Running, now
from .words import T, ok


def roster(letter: str, size: int) -> list[dict[str, str]]:
    return [{"id": f"{letter}{n}", "role": "starter" if n <= 6 else "reserve"} for n in range(1, size + 1)]


def team(name: str, letter: str, size: int = 7, **more: object) -> dict[str, Any]:
    return {"id": name, "name": f"Team {name}", "captain": f"{letter}1", "roster": roster(letter, size), **more}


LEAGUE: dict[str, Any] = {
    "tournament": "Chicago",
    "preset": "pinball-chicago",
    "players": [{"id": "a6", "name": "Ace", "season_rank": 20}],
    "teams": [team("H", "h", home="v1"), team("A", "a", home="v2"), team("B", "b", home="v3")],
    "machines": [
        *({"id": f"m{n}", "name": f"Machine {n}", "players": 4, "venue": "v1"} for n in range(1, 5)),
        {"id": "two", "name": "Two Up", "players": 2, "venue": "v1"},
        {"id": "one", "name": "Single", "players": 1, "venue": "v1"},
    ],
}
UK_TEAM: dict[str, Any] = {
    "tournament": "UK teams",
    "preset": "uk-team",
    "teams": [{**team(f"t{n}", f"t{n}x", 4), "seed": n} for n in range(1, 17)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}", "players": 4} for n in range(1, 5)],
}
COUNTRY: dict[str, Any] = {
    "tournament": "Countries",
    "preset": "epc-country",
    "teams": [{**team(f"c{n}", f"c{n}x", 4), "seed": n} for n in range(1, 21)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}", "players": 4} for n in range(1, 5)],
}


def captain(running: Running, player: str, name: str | None = None) -> httpx2.Client:
    """A captain who is that player, logged in."""
    name = name or f"captain of {player}"
    running.accounts.add_user(name, frozenset({"captain"}), PASSWORD, now=now(), player=player)
    return running.client(name)


def sheet(client: httpx2.Client, match: str = "x1") -> dict[str, Any]:
    return ok(client.get(f"{T}/matches/{match}"))


def send(client: httpx2.Client, what: str, match: str = "x1", http: int = 200, **body: Any) -> dict[str, Any]:  # noqa: ANN401 - a body
    answer = client.post(f"{T}/matches/{match}/{what}", json=body)
    assert answer.status_code == http, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


def lined_up(*players: object, machines: str = "") -> list[dict[str, Any]]:
    """The games of a line-up: the players of each slot, and its machine where the team declares first."""
    names: list[str | None] = [*machines.split()] or [None] * len(players)
    return [
        {
            "slot": n,
            "players": who.split() if isinstance(who, str) else who,
            **({"machine": machine} if machine else {}),
        }
        for n, (who, machine) in enumerate(zip(players, names, strict=True), 1)
    ]
