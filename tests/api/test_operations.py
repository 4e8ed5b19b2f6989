"""The server under way: its health, its own description, the export, many people and machines at once."""

import concurrent.futures
import itertools
from collections.abc import Callable

import httpx2
import pytest

from .conftest import Agent, Running

Login = Callable[[str | None], httpx2.Client]
T = "/tournaments/current"


def ok(answer: httpx2.Response) -> dict:
    assert answer.status_code in {200, 201}, (answer.status_code, answer.text)
    return answer.json()


def test_health_says_how_each_part_is(running: Running):
    answer = httpx2.get(f"{running.base}/healthz")
    assert answer.status_code == 200
    assert {name: part["ok"] for name, part in answer.json()["parts"].items()} == dict.fromkeys(
        ("database", "writer", "broker", "ingest", "evidence"), True
    )
    running.desk.close()
    answer = httpx2.get(f"{running.base}/healthz")
    assert (answer.status_code, answer.json()["parts"]["writer"]["ok"]) == (503, False)
    answer = running.client("desk").post(f"{T}/entries", json={"player": "p1"})
    assert answer.status_code == 503
    assert "nothing was done" in answer.json()["error"]


def test_health_names_an_agent_whose_facts_cannot_be_taken(
    running: Running, agent: Agent, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> object:
        raise ZeroDivisionError("a bug in a rule")

    with monkeypatch.context() as patch:
        patch.setattr("server.work.decide_fact", fail)
        with pytest.raises(ZeroDivisionError):
            agent.starts("m1")
        answer = httpx2.get(f"{running.base}/healthz").json()
        assert (answer["status"], answer["parts"]["ingest"]["ok"]) == ("degraded", False)
        assert "pi-1" in answer["parts"]["ingest"]["why"]
    agent.seq = itertools.count(1)
    agent.starts("m1")
    assert httpx2.get(f"{running.base}/healthz").json()["status"] == "ok"


def test_the_api_describes_itself(running: Running):
    schema = httpx2.get(f"{running.base}/openapi.json").json()
    assert "/api/v1/readings/{reading}/confirm" in schema["paths"]
    for path, methods in schema["paths"].items():
        for method in methods.values():
            assert method.get("description"), path


def test_the_export_is_the_log_that_the_rules_see(login: Login):
    official = login("official")
    ok(official.post(f"{T}/games", json={"machine": "m1", "scores": {"p1": 7}}))
    ok(official.post(f"{T}/games", json={"machine": "m1", "scores": {"p2": 8}}))
    ok(official.post(f"{T}/log/1/undo", json={"why": "x"}))
    text = official.get("/export").text
    assert "{p2: 8}" in text
    assert "{p1: 7}" not in text


def test_many_at_once_lose_nothing_and_fail_nowhere(running: Running, login: Login):
    """Report D01: machines end games while people read the standings and officials decide readings."""
    machines = [f"x{n}" for n in range(6)]
    players = [f"q{n}" for n in range(6)]
    admin = login("admin")
    ok(admin.post(f"{T}/machines", json={"machines": [{"id": m} for m in machines]}))
    ok(admin.post(f"{T}/players", json={"players": [{"id": p} for p in players]}))
    keepers = [login("scorekeeper") for _ in machines]
    readers = [login(None) for _ in range(4)]
    officials = [login("official") for _ in range(3)]
    games = 8

    def play(number: int) -> None:
        agent = Agent(running.desk, f"pi-{number}")
        for score in range(1, games + 1):
            ok(keepers[number].post(f"/machines/x{number}/assign", json={"players": [f"q{number}"]}))
            agent.plays(f"x{number}", score, 1.0 if score % 2 else 0.5)

    def read(client: httpx2.Client) -> None:
        for _ in range(20):
            ok(client.get(f"{T}/standings"))

    def decide(client: httpx2.Client) -> None:
        for _ in range(30):
            for reading in ok(client.get("/readings?status=waiting"))["readings"][:3]:
                assert client.post(f"/readings/{reading['id']}/confirm", json={}).status_code in {200, 409}

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        work = [pool.submit(play, n) for n in range(len(machines))]
        work += [pool.submit(read, client) for client in readers]
        work += [pool.submit(decide, client) for client in officials]
        for done in work:
            done.result()
    decide(officials[0])
    log = ok(officials[0].get(f"{T}/log?limit=1000"))["log"]
    assert len([entry for entry in log if entry["kind"] == "game"]) == len(machines) * games
    assert ok(officials[0].get("/readings?status=waiting"))["readings"] == []
