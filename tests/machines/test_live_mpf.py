"""A live Mission Pinball Framework plays, and capture says exactly its scores: as its client and as its controller."""

import asyncio
import contextlib
import importlib.util
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pytest

from capture.pipeline import Capture
from capture.signals import (
    BallEnded,
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    MachineDetached,
    Signal,
)
from hardware.catalog import load_profile
from hardware.ports import open_port
from hardware.ports.base import Opened, Port

T = TypeVar("T", bound=Signal)

HERE = Path(__file__).parent
MPF = HERE.parents[1] / ".venv-mpf" / "bin" / "mpf"
PATIENCE = 60.0

pytestmark = [pytest.mark.mpf, pytest.mark.skipif(not MPF.exists(), reason="no MPF here (scripts/setup makes it)")]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


play = load("play_mpf")


class Ear:
    """A port and a capture, run as an agent runs them."""

    def __init__(self, port: Port) -> None:
        self.port = port
        self.capture = Capture(load_profile("mpf-bcp"))
        self.said: list[Signal] = []
        self.opened = asyncio.Event()

    async def listen(self) -> None:
        async for event in self.port:
            if isinstance(event, Opened):
                self.opened.set()
            self.said += self.capture.feed(event)
            await self.speak()

    async def watch_the_clock(self) -> None:
        while True:
            await asyncio.sleep(0.02)
            self.said += self.capture.tick(clock())
            await self.speak()

    async def speak(self) -> None:
        if data := self.capture.outgoing():
            await self.port.send(data)

    def of(self, kind: type[T]) -> list[T]:
        return [signal for signal in self.said if isinstance(signal, kind)]

    async def until(self, kind: type[Signal], count: int = 1) -> None:
        async with asyncio.timeout(PATIENCE):
            while sum(isinstance(signal, kind) for signal in self.said) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def clock() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


@contextlib.asynccontextmanager
async def hearing(url: str) -> AsyncIterator[Ear]:
    async with open_port(url, now=clock) as port:
        ear = Ear(port)
        tasks = [asyncio.create_task(ear.listen()), asyncio.create_task(ear.watch_the_clock())]
        try:
            yield ear
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def final(ended: GameEnded) -> dict[int, int | None]:
    return {score.player: score.score for score in ended.scores}


async def test_a_client_of_a_live_mpf_says_exactly_its_scores(tmp_path: Path):
    async with play.running(tmp_path, balls=1) as machine, hearing(f"tcp://127.0.0.1:{machine.port}") as ear:
        await machine.connect()
        await ear.until(MachineAttached)
        await machine.start(2)
        await machine.ball("s_orbit", "s_bumper")
        await machine.ball("s_spinner", "s_spinner", "s_orbit")
        await ear.until(GameEnded)
        await machine.wait("name=game_ended", 0)
        shown = [line for line in machine.lines if "machine_variable?name=player" in line and "_score" in line]
    (ended,) = ear.of(GameEnded)
    assert final(ended) == {1: 1250570, 2: 1250240}
    assert "value=int:1250570" in shown[-2]
    assert "value=int:1250240" in shown[-1]
    assert (ended.how, ended.balls_played, ended.source) == ("normal", 1, "wire")
    assert [(ball.player, ball.ball) for ball in ear.of(BallEnded)] == [(1, 1), (2, 1)]
    assert len(ear.of(GameStarted)) == 1
    assert {fault.fault for fault in ear.of(FaultRaised) if fault.at < ended.at} <= {"port-lost"}  # MPF was starting


async def test_a_cable_that_is_pulled_in_mid_game_and_plugged_in_again_leaves_one_game(tmp_path: Path):
    """Late too: a second listener comes in mid-game and asks for the scores."""
    async with play.running(tmp_path, balls=1) as machine:
        await machine.connect()
        relay = await asyncio.start_server(lambda *peer: pipe(machine.port, cut, *peer), "127.0.0.1", 0)
        cut = asyncio.Event()
        url = f"tcp://127.0.0.1:{relay.sockets[0].getsockname()[1]}"
        async with hearing(url) as ear:
            await ear.until(MachineAttached)
            await machine.start(1)
            await machine.ball("s_orbit", drain=False)
            await ear.until(GameStarted)
            cut.set()
            await ear.until(FaultRaised)
            cut.clear()
            await ear.until(FaultCleared)
            async with hearing(f"tcp://127.0.0.1:{machine.port}") as late:
                await late.until(GameStarted)
                assert late.of(GameStarted)[0].joined_late
                assert [score.score for score in late.capture.live()] == [1250000]
                await machine.hit("s_bumper")
                machine.drain()
                await ear.until(GameEnded)
                await late.until(GameEnded)
        relay.close()
    assert len(ear.of(GameStarted)) == 1
    assert ear.of(GameAborted) == []
    for heard in (ear, late):
        (ended,) = heard.of(GameEnded)
        assert final(ended) == {1: 1250570}
        assert ended.how == "normal"


async def test_mpf_calls_us_as_its_media_controller_and_starts_only_after_our_answer(tmp_path: Path):
    number = play.free_port()
    async with hearing(f"tcp-listen://127.0.0.1:{number}") as ear:
        async with play.running(tmp_path, balls=1, media_port=number) as machine:
            await ear.until(MachineAttached)
            await machine.connect()
            await machine.wait("mode_list.*attract", 0)  # MPF is up: `reset` was answered
            await machine.start(1)
            await machine.ball("s_orbit", "s_spinner")
            await ear.until(GameEnded)
        await ear.until(FaultRaised)
    (ended,) = ear.of(GameEnded)
    assert final(ended) == {1: 1250120}
    assert ear.of(MachineAttached)[0].detail == "Mission Pinball Framework 0.81.0"
    assert [fault.fault for fault in ear.of(FaultRaised)] == ["link-lost"]  # MPF was killed at the end


async def pipe(port: int, cut: asyncio.Event, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A cable between the ear and MPF that can be cut."""
    if cut.is_set():
        writer.close()
        return
    far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(4096):
                target.write(data)
                await target.drain()

    tasks = [asyncio.create_task(copy(reader, far_writer)), asyncio.create_task(copy(far_reader, writer))]
    tasks.append(asyncio.create_task(cut.wait()))  # type: ignore[arg-type]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for one in (writer, far_writer):
        one.close()
        with contextlib.suppress(OSError):
            await one.wait_closed()


async def test_an_mpf_that_is_told_to_stop_in_mid_game_says_goodbye_and_the_game_is_lost_to_that(tmp_path: Path):
    async with play.running(tmp_path, balls=1) as machine, hearing(f"tcp://127.0.0.1:{machine.port}") as ear:
        await machine.connect()
        await ear.until(MachineAttached)
        await machine.start(2)
        await machine.ball("s_orbit", drain=False)
        await ear.until(GameStarted)
        machine.process.send_signal(signal.SIGINT)
        await ear.until(MachineDetached)
    (aborted,) = ear.of(GameAborted)
    assert (aborted.how, [score.score for score in aborted.scores]) == ("shutdown", [1250000, 0])
    assert ear.of(GameEnded) == []
    raised = [fault for fault in ear.of(FaultRaised) if fault.fault != "port-lost"]  # MPF was starting
    assert [(fault.fault, fault.player, fault.ball) for fault in raised] == [("link-lost", 1, 1)]


async def test_a_game_whose_media_controller_goes_is_found_by_a_client(tmp_path: Path):
    """MPF was told to live on without its controller."""
    number = play.free_port()
    async with play.running(tmp_path, balls=1, media_port=number, patient=True) as machine:
        async with hearing(f"tcp-listen://127.0.0.1:{number}") as first:
            await first.until(MachineAttached)
            await machine.connect()
            await machine.wait("mode_list.*attract", 0)
            await machine.start(1)
            await machine.ball("s_orbit", drain=False)
            await first.until(GameStarted)
        async with hearing(f"tcp://127.0.0.1:{machine.port}") as second:
            await second.until(GameStarted)
            await machine.hit("s_bumper")
            machine.drain()
            await second.until(GameEnded)
    assert second.of(GameStarted)[0].joined_late
    (ended,) = second.of(GameEnded)
    assert final(ended) == {1: 1250570}
