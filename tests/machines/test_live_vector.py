"""The real client of Vector boards against our simulated one, and ours against it: what both see is what was played."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from capture.dialects import Setup
from capture.dialects.vector_lines import Push, parse_line
from capture.dialects.vector_seals import Seals, Verdict
from capture.pipeline import Capture
from capture.signals import GameEnded, MachineAttached, ScoreLive, Signal
from hardware.catalog import load_profile
from hardware.ports import open_port
from hardware.ports.base import Opened
from hardware.sim.oracle import Event
from hardware.sim.vector_board import Board
from hardware.sim.vector_net import Rig

HERE = Path(__file__).parent
PYTHON = HERE.parents[1] / ".venv-vector" / "bin" / "python"
PATIENCE = 45.0
SECRET = "00112233445566778899aabbccddeeff"
PASSWORD = "hunter2"  # the simulated board's

pytestmark = [
    pytest.mark.vector,
    pytest.mark.skipif(not PYTHON.exists(), reason="no client of Vector boards here (scripts/setup makes it)"),
]


def clock() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


class Client:
    """The client's program, and what it says."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: list[Any] = []

    async def next(self) -> Any:  # noqa: ANN401 - any JSON
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        assert line, "the client has ended"
        self.said.append(json.loads(line))
        return self.said[-1]

    async def until(self, **wanted: object) -> Any:  # noqa: ANN401 - any JSON
        while True:
            told = await self.next()
            if isinstance(told, dict) and all(told.get(key) == value for key, value in wanted.items()):
                return told


@contextlib.asynccontextmanager
async def client(*arguments: str, lines: list[str] | None = None) -> AsyncIterator[Client]:
    process = await asyncio.create_subprocess_exec(
        str(PYTHON), str(HERE / "vector_client.py"), *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        if lines is not None:
            assert process.stdin is not None
            process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            process.stdin.write_eof()
        yield Client(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


class Ear:
    """A port and a capture, run as an agent runs them; games end sooner than a real one would."""

    def __init__(self, url: str, *, device: str | None = None, secret: str | None = None) -> None:
        profile = load_profile("vector").model_copy(update={"hold_ms": 1_000})
        self._capture = Capture(profile, setup=Setup(device=device, secret=secret.encode() if secret else None))
        self._url = url
        self.said: list[Signal] = []
        self.scores: dict[int, int | None] = {}
        self.opened = asyncio.Event()

    async def listen(self) -> None:
        async with open_port(self._url, now=clock) as port:
            ticking = asyncio.create_task(self._tick(port))
            try:
                async for event in port:
                    if isinstance(event, Opened):
                        self.opened.set()
                    self.take(self._capture.feed(event))
                    await port.send(self._capture.outgoing())
            finally:
                ticking.cancel()

    def take(self, signals: list[Signal]) -> None:
        self.said += [signal for signal in signals if not isinstance(signal, ScoreLive)]
        self.scores |= {live.player: live.score for live in self._capture.live()}

    async def _tick(self, port: Any) -> None:  # noqa: ANN401 - any port
        while True:
            await asyncio.sleep(0.02)
            self.take(self._capture.tick(clock()))
            if data := self._capture.outgoing():
                await port.send(data)

    async def until(self, kind: type[Signal]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not any(isinstance(signal, kind) for signal in self.said):  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def until_score(self, player: int, score: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.scores.get(player) != score:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    def finals(self) -> list[tuple[str, tuple[int | None, ...]]]:
        ended = [signal for signal in self.said if isinstance(signal, GameEnded)]
        return [(one.how, tuple(score.score for score in one.scores)) for one in ended]


@contextlib.asynccontextmanager
async def hearing(url: str, **setup: Any) -> AsyncIterator[Ear]:  # noqa: ANN401 - the ear's own
    ear = Ear(url, **setup)
    task = asyncio.create_task(ear.listen())
    try:
        yield ear
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


class Hands:
    """What players do at the machine, each thing when the one before has been seen."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._scores = [0, 0]

    def do(self, kind: Any, player: int = 1, ball: int = 1, points: int = 0) -> None:  # noqa: ANN401 - a Kind
        self._scores[player - 1] += points
        scores = tuple(self._scores)
        self._rig.happen(Event(at=clock(), kind=kind, game=1, player=player, ball=ball, scores=scores))

    def start(self) -> None:
        self.do("game-started")
        self.do("player-added", player=2)
        self.do("ball-started")


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.parametrize("way", ["usb", "http"])
async def test_their_client_sees_at_our_board_what_was_played(way: str):
    board = Board(number=7)
    async with Rig(board, now=clock, http=0, terminal=True) as rig:
        where = rig.terminal if way == "usb" else f"127.0.0.1:{rig.http_port}"
        async with client(way, where) as theirs:
            assert await theirs.next() == {
                "name": "High Speed", "version": {"version": "1.11.28"}, "id": {"machine_id": "39819ddb"}, "faults": [],
            }  # fmt: skip
            assert (await theirs.next())["first"]["GameActive"] is False
            hands = Hands(rig)
            hands.start()
            await theirs.until(type="game_started")
            hands.do("scored", points=126_120)
            assert (await theirs.until(type="score_changed", player=0))["new"] == 126_120
            hands.do("ball-started", player=2)
            hands.do("scored", player=2, points=98_765_430)
            assert (await theirs.until(type="score_changed", player=1))["new"] == 98_765_430
            hands.do("ball-started", ball=2)
            assert (await theirs.until(type="ball_changed"))["new"] == 2
            hands.do("initials")
            assert (await theirs.until(type="ball_changed"))["new"] == 15
            hands.do("game-ended")
            ended = await theirs.until(type="game_ended")
            assert ended["status"]["Scores"] == [126_120, 98_765_430, 0, 0]


@pytest.mark.parametrize("way", ["usb", "http", "udp"])
async def test_we_see_at_the_board_what_was_played_while_their_client_asks_as_well(way: str):
    board, number = Board(), free_port()
    async with Rig(board, now=clock, http=0, udp=("127.0.0.1", number), terminal=True) as rig:
        urls = {
            "usb": f"serial://{rig.terminal}",
            "http": f"vector-http://127.0.0.1:{rig.http_port}",
            "udp": f"udp://127.0.0.1:{number}",
        }
        async with client("http", f"127.0.0.1:{rig.http_port}"), hearing(urls[way], device="39819ddb") as ear:
            await ear.opened.wait()
            if way == "udp":
                board.number = 1  # something to push
                rig.happen(Event(at=clock(), kind="game-ended"))
            await ear.until(MachineAttached)
            hands = Hands(rig)
            hands.start()
            hands.do("scored", points=126_120)
            await ear.until_score(1, 126_120)
            for player, ball in ((2, 1), (1, 3), (2, 3)):
                hands.do("ball-started", player=player, ball=ball)
                hands.do("scored", player=player, points=ball * 1010)
                await ear.until_score(player, hands._scores[player - 1])
            hands.do("game-ended")
            await ear.until(GameEnded)
    assert ear.finals() == [("normal", (126_120 + 3030, 4040))]


async def test_a_board_that_their_client_registered_us_with_pushes_signed_and_we_hear_it():
    board, number = Board(signed=True), free_port()
    async with Rig(board, now=clock, http=0, udp=("127.0.0.1", number), password=PASSWORD) as rig:
        where = f"127.0.0.1:{rig.http_port}"
        async with hearing(f"udp://127.0.0.1:{number}", device="39819ddb", secret=SECRET) as ear:
            await ear.opened.wait()
            async with client("register", where, PASSWORD, SECRET) as theirs:
                await theirs.next()
            await ear.until(MachineAttached)
            hands = Hands(rig)
            hands.start()
            hands.do("scored", points=5000)
            await ear.until_score(1, 5000)
            async with client("register", where, PASSWORD, SECRET) as theirs:  # the count begins anew
                await theirs.next()
            hands.do("scored", points=70)
            await ear.until_score(1, 5070)
        async with client("unpack", SECRET, lines=[one.hex() for one in rig.pushed]) as theirs:
            told = [await theirs.next() for _ in rig.pushed]
    assert [one["type"] for one in told if one["type"] == "game_state"]
    assert told[-1]["data"]["Scores"] == [5070, 0, 0, 0]


async def test_their_signatures_are_ours():
    bodies = [{"machine_id": "39819ddb", "type": "reset", "n": n, "data": {"ü": n}} for n in range(1, 6)]
    async with client("pack", SECRET, lines=[json.dumps(body) for body in bodies]) as theirs:
        packed = [bytes.fromhex(await theirs.next()) for _ in bodies]
    seals, others = Seals(None, SECRET.encode()), Seals(None, b"another")
    for datagram in packed:
        push = parse_line(datagram)
        assert isinstance(push, Push)
        assert (others.judge(push), seals.judge(push)) == (Verdict.FORGED, Verdict.GOOD)
