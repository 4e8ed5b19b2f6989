"""Several sources of one machine in a real station and a real agent: joined, with a picture, and apart in trouble."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bridge.config import load_config
from bridge.errors import ConfigInvalid
from bridge.source import Source
from bridge.station import Station
from hardware.catalog import load_profile
from hardware.ports import open_port
from hardware.ports.base import Chunk, Opened, Port, PortEvent
from hardware.profile import parse_profile
from hardware.sim import oracle
from hardware.sim.describe import corners_of, profile_text
from tests.agent.doors import Door, now, settle

Given = Any
"""What a fixture of conftest gives."""
LIFE = "seed=5&speed=12&idle=1.5&calm=1&ball_seconds=9&players=1"


def wire_of(life: str) -> Source:
    opening = partial(open_port, f"sim://bcp?{life}", now=now)
    return Source(name="wire", profile=load_profile("mpf-bcp"), open_port=opening)


def camera_of(life: str) -> Source:
    url = f"sim://dmd?{life}&fps=20"
    return Source(
        name="camera", profile=parse_profile(profile_text(url), file="camera"), corners=corners_of(url),  # type: ignore[arg-type]
        open_port=partial(open_port, url, now=now),
    )  # fmt: skip


class Switches(Door):
    """Sensors on pins, as their port says them."""

    def __init__(self) -> None:
        self.pressed: asyncio.Queue[bytes] = asyncio.Queue()

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        yield Opened(at=now(), port="gpio://", passive=True)
        yield Chunk(at=now(), data=b"PING\n")
        while True:
            yield Chunk(at=now(), data=await self.pressed.get())


class Failing:
    """A port with a bug."""

    opened = 0

    def __call__(self) -> Port:
        self.opened += 1
        raise ZeroDivisionError("a bug in a port")


async def test_wire_and_camera_of_one_life_make_one_game_with_a_picture_of_its_end(tmp_path: Path, bench: Given):
    desk = bench(tmp_path)
    truth = tmp_path / "truth.jsonl"
    station = Station(desk.scribe("mm-1"), [wire_of(f"{LIFE}&truth={truth}"), camera_of(LIFE)], now=now)
    stop = asyncio.Event()
    running = asyncio.create_task(station.run(stop))
    await settle(lambda: desk.kinds().count("game.ended") >= 2)
    stop.set()
    await running
    told = [entry for entry in desk.entries() if entry.kind == "game.ended"]
    true = list(oracle.finished(oracle.read(truth)))
    scores = [[score["score"] for score in one.body["scores"]] for one in told]
    assert scores[: len(true)] == [list(one.scores) for one in true][: len(scores)]
    assert {one.body["source"] for one in told} == {"wire"}
    kept = [file.name for file in desk.pictures.waiting()]
    assert all(any(one.body["evidence"].removeprefix("sha256:") in name for name in kept) for one in told)
    kinds = [kind for kind in desk.kinds() if kind in {"game.started", "game.ended", "game.aborted"}]
    assert kinds[::2] == ["game.started"] * len(kinds[::2])
    assert "game.started" not in kinds[1::2]
    assert desk.kinds().count("machine.attached") == 1
    desk.post.close()


async def test_a_switch_says_what_the_wire_cannot_and_an_official_is_called(tmp_path: Path, bench: Given):
    desk, switches = bench(tmp_path), Switches()
    sensor = Source(name="sensor", profile=load_profile("gpio"), open_port=lambda: switches, sensor=True)
    station = Station(desk.scribe("mm-1"), [wire_of(LIFE), sensor], now=now)
    stop = asyncio.Event()
    running = asyncio.create_task(station.run(stop))
    await settle(lambda: any(one.score for one in station.live()))
    switches.pressed.put_nowait(b"CALL\n")

    def faults() -> list[Any]:
        return [entry.body for entry in desk.entries() if entry.kind == "fault.raised"]

    await settle(lambda: any(one["fault"] == "official-called" for one in faults()))
    [called] = [one for one in faults() if one["fault"] == "official-called"]
    assert called["game"]
    assert called["scores"]
    assert called["detail"] == "sensor"
    await settle(lambda: "score.frozen" in desk.kinds())
    stop.set()
    await running
    desk.post.close()


async def test_a_source_that_fails_again_and_again_costs_the_other_nothing(tmp_path: Path, bench: Given):
    desk, failing = bench(tmp_path), Failing()
    broken = Source(name="camera", profile=load_profile("dmd-128x32"), open_port=failing)
    station = Station(desk.scribe("mm-1"), [wire_of(LIFE), broken], now=now)
    stop = asyncio.Event()
    running = asyncio.create_task(station.run(stop))
    await settle(lambda: "game.ended" in desk.kinds() and failing.opened > 1)
    stop.set()
    await running
    raised = [entry.body for entry in desk.entries() if entry.kind == "fault.raised"]
    assert [one["fault"] for one in raised] == ["reader-failed"]
    assert raised[0]["detail"].startswith("camera: ZeroDivisionError")
    [ended] = [entry for entry in desk.entries() if entry.kind == "game.ended"][:1]
    assert ended.body["scores"][0]["score"] is not None
    desk.post.close()


@pytest.mark.broker
async def test_an_agent_runs_both_sources_that_its_configuration_names(
    tmp_path: Path, broker: Given, make_agent: Given, serving: Given, until: Given
):
    camera = f"sim://dmd?{LIFE}&fps=20"
    (tmp_path / "display.toml").write_text(profile_text(camera), "utf-8")
    also = ["[[machine.also]]", 'profile = "display.toml"', f'port = "{camera}"']
    also.append(f"corners = {json.dumps(corners_of(camera))}")
    agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mpf-bcp", f"sim://bcp?{LIFE}")})
    written = agent.write
    agent.write = lambda: _append(written(), also)
    async with serving() as server:
        agent.start()
        await until(lambda: server.facts("game.ended"), "a game at the desk", 60)
        assert agent.end() == 0
    assert "Traceback" not in agent.said
    assert len(server.facts("game.started")) - len(server.facts("game.ended", "game.aborted")) in {0, 1}
    assert re.search(r"mm-1: heard on sim://", agent.said)


def _append(file: Path, lines: list[str]) -> Path:
    file.write_text(file.read_text() + "\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize(
    ("also", "told"),
    [
        ('[[machine.also]]\nprofile = "lines"', "key 'machine[1].also[1].port' (machine 'mm-1') is missing"),
        ('[[machine.also]]\nprofile = "lines"\nport = "tcp://a:1"\nx = 1', "is unknown"),
        ('[[machine.also]]\nprofile = "lines"\nport = "tcp://h:5051"', "two of its sources have the port"),
        ('also = "x"', "written as [[machine.also]]"),
        ('[[machine.also]]\nprofile = "lines"\nport = "tcp://a:1"\ncamera = {gain = 1}', "for a port that is a camera"),
        ('device = ""', "key 'machine[1].device'"),
    ],
)
def test_a_mistake_in_another_source_is_told_with_its_key(tmp_path: Path, also: str, told: str):
    file = tmp_path / "agent.toml"
    head = 'agent = "pi-1"\ndata = "d"\n[broker]\nhost = "h"\n[[machine]]\nid = "mm-1"\nprofile = "mpf-bcp"\nport = "tcp://h:5051"\n'
    file.write_text(head + also + "\n")
    with pytest.raises(ConfigInvalid) as caught:
        load_config(file)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_secrets_are_shown_nowhere(tmp_path: Path):
    file = tmp_path / "agent.toml"
    file.write_text(
        'agent = "pi-1"\ndata = "d"\n[broker]\nhost = "h"\n[[machine]]\nid = "mm-1"\nprofile = "mqtt-json"\n'
        'port = "mqtt://pi@h/t"\nsecret = "hunter2"\ndevice = "mm"\n'
    )
    machine = load_config(file).machine[0]
    assert machine.setup.secret == b"hunter2"
    assert machine.password == "hunter2"
    assert "hunter2" not in repr(machine) + repr(machine.setup)
