"""The law of durability over a real Mosquitto that is killed, a server that is killed, an agent that is killed."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import Engine

from bridge.clock import SystemClock, stamp
from bridge.link import Broker, PahoLink
from bridge.link_parts import Backoff
from bridge.outbox import Outbox
from bridge.publisher import Publisher
from bridge.wire.control import Ack
from bridge.wire.topics import Topics
from server.ingest.listen import Listener
from server.store import ledger
from server.store.engine import make_engine, reading
from server.store.inbox import Delivery
from server.store.recorder import Recorder

pytestmark = [pytest.mark.broker, pytest.mark.timeout(180)]

TOPICS = Topics()


class Killable(Protocol):
    """The fixture `mosquitto`."""

    host: str
    port: int
    start: Callable[[], None]
    kill: Callable[[], None]
    restart: Callable[[], None]


class Quick(Backoff):
    """A test does not wait half a minute to come back."""

    def wait_s(self, reason: str) -> float:
        return min(0.2, super().wait_s(reason))


class Dying(Recorder):
    """A writer whose process dies in the middle: before the commit, or after it and before the acknowledgement."""

    dies: str | None = None

    def take(self, frames: Sequence[Delivery]) -> Sequence[Ack]:
        if self.dies == "before commit":
            raise KilledInTheMiddle
        acks = super().take(frames)
        if self.dies == "before ack":
            raise KilledInTheMiddle
        return acks


class KilledInTheMiddle(Exception):
    """Instead of SIGKILL, which would end the test as well: nothing that follows it is done."""


def link_to(mosquitto: Killable) -> PahoLink:
    link = PahoLink(Broker(host=mosquitto.host, port=mosquitto.port))
    link._backoff = Quick(random.Random(1))  # noqa: S311
    return link


@contextlib.asynccontextmanager
async def running(program: Publisher | Listener) -> AsyncIterator[None]:
    task = asyncio.create_task(program.run())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def until(true: Callable[[], bool], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        await asyncio.sleep(0.02)


def seqs_in(engine: Engine) -> list[int]:
    with reading(engine) as connection:
        return [record.seq for record in ledger.read(connection, 0, 100_000)]


async def test_nothing_is_lost_or_doubled_when_the_broker_is_killed_again_and_again(
    mosquitto: Killable, tmp_path: Path
):
    clock = SystemClock()
    engine = make_engine(str(tmp_path / "ledger.db"))
    outbox = Outbox(tmp_path / "outbox.db")
    publisher = Publisher(outbox, link_to(mosquitto), agent="pi-1", clock=clock, topics=TOPICS)
    listener = Listener(link_to(mosquitto), Recorder(engine), topics=TOPICS)
    async with running(listener), running(publisher):
        for round_ in range(4):
            for number in range(40):
                await publisher.append("clock.stepped", None, stamp(clock), {"by_ms": number})
            if round_ < 3:
                await until(lambda: publisher.session.state == "flowing", "agent and server meet")
                await asyncio.to_thread(mosquitto.restart)
        await until(lambda: publisher.depth == 0, "everything is acknowledged")
    assert seqs_in(engine) == list(range(1, 161))
    outbox.close()
    engine.dispose()


async def test_facts_kept_while_the_broker_is_away_arrive_when_it_comes_back(mosquitto: Killable, tmp_path: Path):
    clock = SystemClock()
    mosquitto.kill()
    engine = make_engine(str(tmp_path / "ledger.db"))
    outbox = Outbox(tmp_path / "outbox.db")
    publisher = Publisher(outbox, link_to(mosquitto), agent="pi-1", clock=clock, topics=TOPICS)
    async with running(publisher), running(Listener(link_to(mosquitto), Recorder(engine), topics=TOPICS)):
        await until(lambda: publisher.link.state == "unreachable", "the agent sees that nobody is there")
        for number in range(100):
            await publisher.append("clock.stepped", None, stamp(clock), {"by_ms": number})
        assert publisher.depth == 100
        mosquitto.start()
        await until(lambda: publisher.depth == 0, "everything is acknowledged")
    assert seqs_in(engine) == list(range(1, 101))
    outbox.close()
    engine.dispose()


async def test_a_server_killed_in_the_middle_and_an_agent_started_anew_lose_and_double_nothing(
    mosquitto: Killable, tmp_path: Path
):
    clock = SystemClock()
    engine = make_engine(str(tmp_path / "ledger.db"))
    stated = 0
    for dies in ("before commit", "before ack", None, "before ack", None):
        outbox = Outbox(tmp_path / "outbox.db")  # the agent is started anew in each round
        publisher = Publisher(outbox, link_to(mosquitto), agent="pi-1", clock=clock, topics=TOPICS)
        writer = Dying(engine)
        writer.dies = dies
        async with running(Listener(link_to(mosquitto), writer, topics=TOPICS)), running(publisher):
            await until(lambda: publisher.session.state == "flowing", "agent and server meet")  # noqa: B023
            for number in range(30):
                await publisher.append("clock.stepped", None, stamp(clock), {"by_ms": number})
            stated += 30
            if dies is None:
                await until(lambda: publisher.depth == 0, "everything is acknowledged")  # noqa: B023
            else:
                await until(lambda: writer.refusals, "the writer died")  # noqa: B023
                assert publisher.depth > 0
        outbox.close()
    assert seqs_in(engine) == list(range(1, stated + 1))
    engine.dispose()
