"""The agent as a process: a machine that plays on, a real broker, a real ledger, and everything that can go wrong."""

import asyncio
import contextlib
import resource
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.wire.control import Command
from hardware.sim import oracle
from hardware.sim.course import Course
from hardware.sim.life import Life
from hardware.sim.listener import BcpServer
from hardware.sim.play import Habits

Given = Any
"""What a fixture of conftest gives; `Make` makes an `AgentProcess`."""
Make = Callable[..., Any]

pytestmark = pytest.mark.broker

QUICK = Habits(
    fewest=1, most=2, ball_seconds=6, idle_seconds=60, tilt=0, ball_search=0, extra_ball=0, early_start=0,
    slam_tilt=0, restart=0, service=0, power_cut=0, initials=0.3,
)  # fmt: skip


def machine(truth: Path, *, seed: int = 1, speed: float = 80) -> BcpServer:
    """A machine of its own, which plays on whatever becomes of the agent."""
    return BcpServer(Life(Course(QUICK, seed), speed=speed, truth=truth))


def outbox(agent: Given) -> list[tuple[int, str]]:
    with contextlib.closing(sqlite3.connect(agent.data / "outbox.sqlite")) as db:
        return list(db.execute("SELECT seq, kind FROM entry ORDER BY seq"))


def told(records: list[Any]) -> list[tuple[int, ...]]:
    return [tuple(score["score"] for score in record.body["body"]["scores"]) for record in records]


async def test_every_game_reaches_the_ledger_with_its_true_scores(
    broker: Given, make_agent: Make, tmp_path: Path, serving: Given, until: Given
):
    truth = tmp_path / "truth.jsonl"
    async with machine(truth) as pinball, serving() as server:
        agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", f"tcp://127.0.0.1:{pinball.port}")})
        agent.start()
        await until(lambda: len(server.facts("game.ended")) >= 4, "four games in the ledger")
        assert await asyncio.to_thread(agent.end) == 0
        finals = [over.scores for over in oracle.finished(oracle.read(truth))]
        games = told(server.facts("game.ended"))
        first = finals.index(games[0])  # on a slow computer the agent comes when games have been played
        assert games == finals[first : first + len(games)]
        facts = server.facts()
        assert [record.seq for record in facts] == list(range(1, len(facts) + 1))
        assert [record.kind.removeprefix("fact.") for record in facts] == [kind for _, kind in outbox(agent)]
        starts = server.facts("game.started")
        assert starts[0].body["body"]["game"] == str(uuid.uuid5(uuid.UUID(starts[0].stream), str(starts[0].seq)))
        assert "fact(s) wait" in agent.said
        assert "stopped, 0 fact(s)" in agent.said
        assert "Traceback" not in agent.said


async def test_killed_in_mid_game_nothing_is_lost_or_doubled_and_the_game_is_closed_with_its_last_scores(
    broker: Given, make_agent: Make, tmp_path: Path, serving: Given, until: Given
):
    truth = tmp_path / "truth.jsonl"
    async with machine(truth, speed=40) as pinball, serving() as server:
        agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", f"tcp://127.0.0.1:{pinball.port}")})
        for _ in range(3):
            before = len(server.facts("game.ball"))
            agent.start()
            await until(lambda before=before: len(server.facts("game.ball")) > before + 1, "balls in the ledger")
            await asyncio.to_thread(agent.kill)
        agent.start()
        ended = len(server.facts("game.ended"))
        await until(lambda: len(server.facts("game.ended")) > ended, "a whole game after the kills")
        await asyncio.to_thread(agent.end)
        facts = server.facts()
        assert [record.seq for record in facts] == list(range(1, len(facts) + 1))
        assert [record.kind.removeprefix("fact.") for record in facts] == [kind for _, kind in outbox(agent)]
        games: dict[str, list[Any]] = {}
        for record in server.facts("game.started", "game.ended", "game.aborted"):
            games.setdefault(record.body["body"]["game"], []).append(record)
        assert all(said[0].kind == "fact.game.started" and len(said) == 2 for said in games.values())
        finals = {over.scores for over in oracle.finished(oracle.read(truth))}
        assert set(told(server.facts("game.ended"))) <= finals
        seen = {event.scores for event in oracle.read(truth)}
        aborted = told(server.facts("game.aborted"))
        assert aborted
        assert set(aborted) <= seen | {()}  # each was on the machine once: never invented, never a mixture


async def test_facts_wait_while_the_broker_is_away_and_arrive_in_order_when_it_is_back(
    broker: Given, make_agent: Make, tmp_path: Path, serving: Given, until: Given
):
    truth = tmp_path / "truth.jsonl"
    async with machine(truth) as pinball, serving() as server:
        agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", f"tcp://127.0.0.1:{pinball.port}")})
        agent.start()
        await until(lambda: server.facts("game.started"), "the first game")
        broker.kill()
        overs = len(list(oracle.finished(oracle.read(truth))))
        await until(lambda: len(list(oracle.finished(oracle.read(truth)))) > overs + 1, "two games without a broker")
        await until(lambda: "no connection to the broker" in agent.said, "the agent says that the broker is away")
        broker.start()
        await until(lambda: len(server.facts("game.ended")) > overs + 1, "the games of the dark time")
        await asyncio.to_thread(agent.end)
        facts = server.facts()
        assert [record.seq for record in facts] == list(range(1, len(facts) + 1))
        games = told(server.facts("game.ended"))
        finals = [over.scores for over in oracle.finished(oracle.read(truth))]
        first = finals.index(games[0])
        assert games == finals[first : first + len(games)]


async def test_a_wrong_broker_password_is_said_clearly_and_facts_wait(make_agent: Make, broker: Given, until: Given):
    broker.kill()
    broker.people = {"pi-1": "right"}
    broker.start()
    sim = "sim://bcp?seed=1&speed=50&idle=0.2&calm=1&ball_seconds=4"
    agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", sim)}, broker='password = "wrong"')
    agent.start()
    await until(lambda: "refuse" in agent.said, "the refusal in the log")
    await until(lambda: any(kind == "game.ended" for _, kind in outbox(agent)), "a game kept on disk")
    assert await asyncio.to_thread(agent.end) == 0
    assert "Traceback" not in agent.said
    assert "wrong" not in agent.said.replace("wrong password", "").replace("password is wrong", "")
    agent.broker = 'password = "right"'
    agent.start()
    await until(lambda: "connected to the broker" in agent.said, "in with the right password")
    assert await asyncio.to_thread(agent.end) == 0


async def test_a_damaged_outbox_is_said_as_a_fact_and_what_can_be_read_goes_on(
    broker: Given, make_agent: Make, serving: Given, until: Given
):
    sim = "sim://bcp?seed=1&speed=50&idle=0.2&calm=1&ball_seconds=4"
    agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", sim)})
    agent.start()
    await until(lambda: (agent.data / "outbox.sqlite").exists() and len(outbox(agent)) > 5, "facts on disk")
    await asyncio.to_thread(agent.end)
    file = agent.data / "outbox.sqlite"
    for beside in ("outbox.sqlite-wal", "outbox.sqlite-shm"):
        (agent.data / beside).unlink(missing_ok=True)
    bytes_ = bytearray(file.read_bytes())
    bytes_[:64] = b"\xff" * 64
    file.write_bytes(bytes_)
    async with serving() as server:
        agent.start()
        await until(lambda: server.facts("game.ended"), "games in the ledger after the damage")
        await asyncio.to_thread(agent.end)
        damage = [one for one in server.facts("fault.raised") if one.body["body"]["fault"] == "outbox-damaged"]
        assert len(damage) == 1
        assert "outbox" in agent.said
        assert "Traceback" not in agent.said


async def test_a_full_disk_keeps_facts_in_memory_and_writes_them_once_there_is_room(
    broker: Given, make_agent: Make, tmp_path: Path, serving: Given, until: Given
):
    truth = tmp_path / "truth.jsonl"
    async with machine(truth) as pinball, serving() as server:
        agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", f"tcp://127.0.0.1:{pinball.port}")})
        agent.start()
        await until(lambda: server.facts("game.ended"), "a game before the disk is full")
        assert agent.process
        full = sum(file.stat().st_size for file in agent.data.glob("outbox.sqlite-wal"))
        resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (max(full, 1), resource.RLIM_INFINITY))
        await until(lambda: "facts wait in memory" in agent.said, "the full disk is said")
        overs = len(list(oracle.finished(oracle.read(truth))))
        await until(lambda: len(list(oracle.finished(oracle.read(truth)))) > overs + 1, "games on a full disk")
        resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await until(lambda: "there is room again" in agent.said, "the room is noticed")
        await until(lambda: len(server.facts("game.ended")) > overs + 1, "all games in the ledger")
        await asyncio.to_thread(agent.end)
        finals = [over.scores for over in oracle.finished(oracle.read(truth))]
        games = told(server.facts("game.ended"))
        first = finals.index(games[0])
        assert games == finals[first : first + len(games)]
        assert "Traceback" not in agent.said


async def test_a_stop_on_a_full_disk_says_that_facts_are_lost(
    broker: Given, make_agent: Make, tmp_path: Path, serving: Given, until: Given
):
    async with machine(tmp_path / "truth.jsonl") as pinball, serving() as server:
        agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", f"tcp://127.0.0.1:{pinball.port}")})
        agent.start()
        await until(lambda: server.facts("game.started"), "a game before the disk is full")
        assert agent.process
        full = sum(file.stat().st_size for file in agent.data.glob("outbox.sqlite-wal"))
        resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (max(full, 1), resource.RLIM_INFINITY))
        await until(lambda: "facts wait in memory" in agent.said, "the full disk is said")
        assert await asyncio.to_thread(agent.end) == 1
        assert "are lost with this stop" in agent.said.splitlines()[-1]
        assert "Traceback" not in agent.said


async def test_the_desk_can_ask_who_it_is_and_have_the_scores_kept(
    broker: Given, make_agent: Make, serving: Given, until: Given
):
    sim = "sim://bcp?seed=1&speed=10&idle=0.1&calm=1&ball_seconds=60&players=2"
    async with serving() as server:
        agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", sim)})
        agent.start()
        await until(lambda: server.facts("game.started"), "a game")
        freeze = Command(id=str(uuid.uuid4()), name="freeze", machine="mm-1")
        assert await server.listener.command("pi-1", freeze)
        await until(lambda: server.facts("score.frozen"), "frozen scores")
        for name in ("identify", "snapshot", "recalibrate"):
            await server.listener.command("pi-1", Command(id=str(uuid.uuid4()), name=name))  # type: ignore[arg-type]
        await until(lambda: "nothing to recalibrate" in agent.said, "every command answered")
        assert "this is" in agent.said
        assert "heard by wire" in agent.said
        await asyncio.to_thread(agent.end)


def refused(folder: Path, text: str) -> str:
    file = folder / "bad.toml"
    file.write_text(text)
    command = [sys.executable, "-m", "bridge.cli", "run", "--config", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "bad.toml" in done.stderr
    return done.stderr


GOOD = """agent = "pi-1"
data = "data"
[broker]
host = "127.0.0.1"
[[machine]]
id = "mm-1"
profile = "mpf-bcp"
port = "sim://bcp"
"""


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("mpf-bcp", "mpf-bpc", ["mm-1", "mpf-bpc", "dmd-128x32"]),
        ("sim://bcp", "sim://bcp?sped=2", ["mm-1", "sped", "speed"]),
        ("sim://bcp", "usb://1", ["mm-1", "usb://1", "tcp://"]),
        ("[broker]", "[broker", ["TOML", "line 3"]),
        ('"pi-1"', '"Pi One"', ["agent", "a-z"]),
        ("host", "hots", ["hots", "host"]),
        ("mm-1", 'mm-1"\ncorners = [[1,2],[3,4],[5,6],[7,8]]\nx = "', ["unknown", "corners"]),
        ("sim://bcp", 'sim://bcp"\ncorners = [[1,2],[9,2],[9,8],[1,8]] #"', ["corners", "wire"]),
    ],
)  # fmt: skip
def test_a_mistake_in_the_configuration_is_one_line_that_names_it(tmp_path: Path, old: str, new: str, names: list[str]):
    line = refused(tmp_path, GOOD.replace(old, new, 1))
    assert all(name in line for name in names), line


def test_two_agents_on_one_outbox_are_refused(make_agent: Make, broker: Given):
    agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", "sim://bcp?calm=1")})
    agent.start()
    end = time.monotonic() + 30
    while "heard on" not in agent.said and time.monotonic() < end:
        time.sleep(0.05)
    command = [sys.executable, "-m", "bridge.cli", "run", "--config", str(agent.folder / "agent.toml")]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert "another agent" in second.stderr.lower()
    assert "Traceback" not in second.stderr
