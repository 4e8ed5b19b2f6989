"""The demo as its watchers see it: it plays, survives the death of any of its processes, and leaves nothing behind."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardware.sim import oracle
from server.ops.client import Client

pytestmark = [pytest.mark.broker, pytest.mark.timeout(400)]
PROGRAM = str(Path(sys.executable).parent / "inlane-server")


def start_demo(folder: Path, port: int, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "TMPDIR": str(folder)}
    with (folder / "demo.out").open("wb") as output:
        return subprocess.Popen(
            [PROGRAM, "demo", "--port", str(port), *words], stdout=output, stderr=output, env=environment
        )


def children(parent: int) -> dict[int, str]:
    """The demo's own processes, by id, with their command lines."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent and fields[0] != "Z":
                found[int(place.name)] = (place / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
    return found


def kill_one(parent: int, what: str) -> None:
    for process, line in children(parent).items():
        if what in line:
            os.kill(process, signal.SIGKILL)
            return


def ended_games(database: Path) -> dict[str, list[dict[str, Any]]]:
    """The bodies of all `game.ended` facts of the ledger, by machine, in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    with sqlite3.connect(database) as connection:
        for (text,) in connection.execute("select body from ledger where kind = 'fact.game.ended' order by position"):
            body = json.loads(text)
            found.setdefault(body["machine"], []).append(body["body"])
    connection.close()
    return found


def test_nothing_is_lost_or_doubled_when_broker_and_server_are_killed_at_random(
    tmp_path: Path, until: Callable[..., Any], port: int
):
    folder = tmp_path / "demo"
    demo = start_demo(tmp_path, port, "--machines", "4", "--speed", "25", "--folder", str(folder))
    chance = random.Random(20261130)  # noqa: S311 -- the same deaths each time
    client = Client("127.0.0.1", port)

    def results() -> int:
        return sum(len(stage["standings"]) for stage in client.get("tournaments/current/standings")["stages"])

    try:
        until(lambda: results() >= 1, say="a first result stands", seconds=150)
        for _ in range(4):
            kill_one(demo.pid, chance.choice(("mosquitto", "server.cli")))
            time.sleep(chance.uniform(2, 5))
        until(lambda: client.get("/healthz")["status"] == "ok", say="the server is well again")
        seen = results()
        until(lambda: results() > seen, say="results go on", seconds=150)
    finally:
        demo.send_signal(signal.SIGINT)
        assert demo.wait(60) == 0, (tmp_path / "demo.out").read_text()
    heard = ended_games(folder / "inlane.sqlite3")
    assert sum(map(len, heard.values())) >= 4
    for machine in ("m1", "m2", "m4"):
        events = oracle.read(folder / f"{machine}.truth")
        told = [[slot["score"] for slot in body["scores"]] for body in heard.get(machine, [])]
        over = [game for game in oracle.finished(events) if game.how in ENDED]
        wanted = [list(game.scores) for game in over]
        # The demo may stop a machine between its final scores, which are told at once, and the end of its game.
        final = [
            list(e.scores)
            for e in events
            if e.kind == "scores-final" and e.game > max((g.game for g in over), default=0)
        ]
        assert told in (wanted, wanted[:-1], [*wanted, *final[-1:]]), f"{machine}: {told} is not {wanted}"
    for body in heard.get("m3", []):  # seen by camera: right, or unknown and held for an official
        true = [g.scores[0] for g in oracle.finished(oracle.read(folder / "m3.truth"))]
        assert all(slot["score"] is None or slot["score"] in true for slot in body["scores"])


ENDED = {"normal", "slam-tilt", "ended-early"}


def test_the_demo_stops_by_itself_and_leaves_nothing_behind(tmp_path: Path, port: int):
    demo = start_demo(tmp_path, port, "--machines", "1", "--minutes", "0.05")
    assert demo.wait(120) == 0, (tmp_path / "demo.out").read_text()
    said = (tmp_path / "demo.out").read_text()
    assert f"http://127.0.0.1:{port}/board" in said
    assert "nothing is left behind" in said
    assert [path.name for path in tmp_path.iterdir()] == ["demo.out"]
    lines = [(place / "cmdline").read_bytes() for place in Path("/proc").glob("[0-9]*") if (place / "cmdline").exists()]
    assert not [line for line in lines if str(tmp_path).encode() in line]


def test_the_demo_runs_on_its_embedded_broker_where_there_is_no_mosquitto(
    tmp_path: Path, port: int, until: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("INLANE_BROKER", "embedded")
    demo = start_demo(tmp_path, port, "--machines", "2", "--speed", "40")
    client = Client("127.0.0.1", port)
    try:
        until(
            lambda: any(stage["standings"] for stage in client.get("tournaments/current/standings")["stages"]),
            say="a result stands",
            seconds=150,
        )
    finally:
        demo.send_signal(signal.SIGINT)
        assert demo.wait(60) == 0, (tmp_path / "demo.out").read_text()


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path, venue: Any):  # noqa: ANN401
    demo = start_demo(tmp_path, venue.port)
    assert demo.wait(60) == 2
    assert (tmp_path / "demo.out").read_text().splitlines() == [
        f"inlane-server: port {venue.port} is in use: choose another with --port"
    ]
