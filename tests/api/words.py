"""What the black-box tests of the desk share: tournaments, and short words for what is asked of the API."""

from typing import Any

import httpx2

T = "/tournaments/current"
KIDS: dict[str, Any] = {
    "tournament": "Kids",
    "preset": "uk-kids",
    "rules": {"qualifiers": 2},
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 10)],
    "machines": [{"id": "m1", "name": "Machine One"}, {"id": "m2", "name": "Machine Two"}],
}
TPC: dict[str, Any] = {
    "tournament": "Toronto",
    "preset": "tpc",
    "rules": {"qualifiers_min": 6},
    "players": [{"id": f"p{n}", "name": f"Player {n}", "division": "A"} for n in range(1, 10)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}", "division": "A"} for n in (1, 2, 3, 4)],
}


def ok(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


def say(client: httpx2.Client, *, http: int = 200, **entry: Any) -> dict[str, Any]:  # noqa: ANN401 - an entry
    more = {key: entry.pop(key) for key in ("despite_rules", "despite_open", "based_on") if key in entry}
    answer = client.post(f"{T}/log", json={"entry": entry, **more})
    assert answer.status_code == http, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


def type_game(client: httpx2.Client, machine: str, status: int = 200, **scores: int) -> dict[str, Any]:
    answer = client.post(f"{T}/games", json={"machine": machine, "scores": scores})
    assert answer.status_code == status, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


def stage(client: httpx2.Client, name: str = "qualifying") -> dict[str, Any]:
    return ok(client.get(f"{T}/standings/{name}"))


def ranks(client: httpx2.Client, name: str = "qualifying") -> list[tuple[int, str]]:
    return [(row["rank"], row["who"]) for row in stage(client, name)["standings"]]


def score_of(client: httpx2.Client, who: str, name: str = "qualifying") -> int | None:
    return next((row["score"] for row in stage(client, name)["standings"] if row["who"] == who), None)
